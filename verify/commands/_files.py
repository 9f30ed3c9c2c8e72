"""Files that commands write: refused beforehand where something else would be overwritten, and written all or none.

Nothing is written through a link, and only a regular file is replaced.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from verify.errors import InputError

KINDS = (
    (stat.S_ISLNK, "a link; links are not followed, give the file itself"),
    (stat.S_ISDIR, "a folder; give a file"),
    (stat.S_ISCHR, "a device; give a file"),
    (stat.S_ISBLK, "a device; give a file"),
    (stat.S_ISFIFO, "a pipe; give a file"),
    (stat.S_ISSOCK, "a socket; give a file"),
)


def _mode(path: Path, option: str) -> int:
    """The mode of what a path itself names, 0 where there is nothing."""
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return 0
    except NotADirectoryError:
        raise InputError(f"{option}: not in a folder that exists") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{option}: cannot be used ({getattr(error, 'strerror', None) or error})") from None


def need_file(option: str, name: str, inputs: Sequence[str] = ()) -> None:
    """Refuse, before anything is computed, a file that could not or should not be written. Raises InputError."""
    path, told = Path(name), f"{option} {name}"
    mode = _mode(path, told)
    for kind, words in KINDS:
        if kind(mode):
            raise InputError(f"{told}: is {words}")
    if not path.parent.is_dir() or path.name in ("", ".", ".."):
        raise InputError(f"{told}: not a file in a folder that exists")
    if any(_same(path, other) for other in inputs):
        raise InputError(f"{told}: is what is read; give another file")
    if not takes_files(path.parent):
        raise InputError(f"{told}: the folder cannot be written to")


def need_folder(option: str, name: str, mark: str) -> None:
    """Refuse, before anything is computed, a folder that is not new, empty, or written by the same option before, which a file of
    the name `mark` tells. Raises InputError.
    """
    folder, told = Path(name), f"{option} {name}"
    mode = _mode(folder, told)
    if stat.S_ISLNK(mode):
        raise InputError(f"{told}: is a link; links are not followed, give the folder itself")
    if mode and not stat.S_ISDIR(mode):
        raise InputError(f"{told}: is {'a file' if stat.S_ISREG(mode) else 'a device'}; give a folder")
    if mode and any(folder.iterdir()) and not (folder / mark).is_file():
        raise InputError(f"{told}: holds other things; give a new folder, or that of an earlier report")
    above = folder if mode else folder.absolute().parent
    if not above.is_dir() or not takes_files(above):
        raise InputError(f"{told}: {above} is no folder that can be written to")


def _same(path: Path, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def takes_files(folder: Path) -> bool:
    """Whether a folder can be made in a folder: tried, since permissions do not tell (read-only systems, /proc)."""
    try:
        with tempfile.TemporaryDirectory(prefix=".verify-flow-", dir=folder):
            return True
    except OSError:
        return False


def write(folder: Path, texts: dict[str, str], own: Sequence[str] = ()) -> None:
    """Write all files or none: first under other names, then each takes its place. Files of the names `own` that are left from
    before are removed, since they would lie beside what they do not belong to. Raises InputError.
    """
    target = folder.absolute()
    waiting = None
    try:
        for name in texts:
            mode = _mode(target / name, str(folder / name))
            if mode and not stat.S_ISREG(mode):
                raise InputError(f"{folder / name}: is no regular file, and is left as it is")
        waiting = Path(tempfile.mkdtemp(prefix=".verify-flow-", dir=target if target.is_dir() else target.parent))
        for name, text in texts.items():
            (waiting / name).write_text(text, encoding="utf-8")
        target.mkdir(exist_ok=True)
        for name in texts:
            os.replace(waiting / name, target / name)
        for name in set(own) - set(texts):
            if stat.S_ISREG(_mode(target / name, str(folder / name))):
                (target / name).unlink()
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error})") from None
    finally:
        if waiting is not None:
            shutil.rmtree(waiting, ignore_errors=True)
