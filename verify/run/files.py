"""Reading with a size limit, writing all or nothing, and canonical JSON."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify.errors import InputError

MAX_JSON = 64_000_000
"""The largest JSON file that is read."""

MAX_CERTIFICATE = 20_000_000
"""The largest certificate that is written or read."""


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def rows_json(value: Mapping[str, Any]) -> str:
    """JSON of an object with a line for every key, so that two files can be compared."""
    return "{\n" + ",\n".join(f"{canonical(k)}:{canonical(v)}" for k, v in sorted(value.items())) + "\n}\n"


def claims_json(value: Mapping[str, Any]) -> str:
    """JSON of an object with the key `claims`, with a line for every claim."""
    rest = {k: v for k, v in value.items() if k != "claims"}
    head = [f"{canonical(k)}:{canonical(v)},\n" for k, v in sorted(rest.items())]
    return "{" + "".join(head) + '"claims":' + rows_json(value["claims"]).rstrip("\n") + "}\n"


def allow_depth() -> None:
    """Let Python read and write JSON as deep, and integers as long, as the logic allows."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 50_000))
    sys.set_int_max_str_digits(70_000)


def sha256(data: str | bytes) -> str:
    """The SHA-256 of some text or bytes, in hexadecimal."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def digest(value: Any) -> str:
    """The SHA-256 of the canonical JSON."""
    return sha256(canonical(value))


def write(path: Path, text: str) -> bool:
    """Write a file by a rename, so that nobody ever sees half of it; False when it already had this text."""
    data = text.encode()
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return True


def read_json(path: Path, limit: int = MAX_JSON, where: str | None = None) -> Any:
    """Read a JSON file of at most `limit` bytes; every mistake is an InputError."""
    where = where or path.name
    try:
        with path.open("rb") as stream:
            raw = stream.read(limit + 1)
    except OSError as error:
        raise InputError(f"{where}: cannot be read: {error.strerror}") from None
    if len(raw) > limit:
        raise InputError(f"{where}: larger than {limit} bytes, the limit for this file")
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not valid JSON: {error}") from None
