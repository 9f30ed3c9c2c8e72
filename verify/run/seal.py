"""The seal on what the cache holds: a keyed digest, so that a row which anything but the engine wrote or edited does not count.

The key is made once for each user and lies outside of every project, readable by its owner only. A cache that comes from
elsewhere has no seal here: what is in it is checked again. Where no key can be kept, nothing is sealed, and so nothing that
the cache says is believed.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import tempfile
from pathlib import Path

SIZE = 32
"""Bytes of a key, and of a seal."""


def place() -> Path:
    """The file of the key: below `$XDG_STATE_HOME`, or below `.local/state` in the home of the user."""
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if os.path.isabs(state) else Path("~/.local/state").expanduser()) / "verify" / "seal.key"


def user_key() -> bytes | None:
    """The key of this user, made when there is none; None where none can be kept to oneself."""
    with contextlib.suppress(OSError, RuntimeError):  # no home, or one that cannot be written
        path = place()
        if not path.exists():
            _make(path)
        status = path.stat()
        if status.st_mode & 0o077 == 0 and status.st_uid == os.geteuid() and status.st_size == SIZE:
            return path.read_bytes()
    return None


def _make(path: Path) -> None:
    """Make the key all at once; of two processes that do so the first counts for both."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(SIZE))
        with contextlib.suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)


def seal(key: bytes, name: str, content: bytes) -> bytes:
    """The seal of some content under a name."""
    return hmac.digest(key, name.encode() + b"\0" + content, "sha256")


def fits(key: bytes, name: str, content: bytes, found: bytes) -> bool:
    """Whether a seal is the one of this content under this name."""
    return hmac.compare_digest(seal(key, name, content), found)
