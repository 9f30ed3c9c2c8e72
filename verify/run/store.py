"""The cache: results by content key, in one SQLite file that survives interruption.

Every row carries the seal of this user (`verify.run.seal`): one that was edited, or comes from elsewhere, counts as absent.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verify.errors import InputError
from verify.run import seal
from verify.run.files import canonical

VERSION = 1
WAIT = 30.0
"""Seconds to wait for another process that writes."""
_MAX = 256_000_000
_MARK = b"\x01"
"""The first byte of a row: after it the seal, then the compressed value."""
_HEAD = len(_MARK) + seal.SIZE
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Store:
    """Results by key. Each is written in a transaction of its own; a file that is damaged is begun anew.

    A store that cannot be used (locked, read-only, no file) is an InputError.
    """

    def __init__(self, folder: Path) -> None:
        self._key = seal.user_key()
        self.path = folder / "results.sqlite"
        self.fresh_start = False
        with self._in_one_line():
            folder.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = self._open()
            except sqlite3.DatabaseError as error:
                if _code(error) not in _DAMAGED:
                    raise
                for end in ("", "-wal", "-shm"):
                    self.path.with_name(self.path.name + end).unlink(missing_ok=True)
                self.fresh_start = True
                self._connection = self._open()

    @contextmanager
    def _in_one_line(self) -> Iterator[None]:
        where = f"{self.path.parent.name}/{self.path.name}"
        try:
            yield
        except OSError as error:
            raise InputError(f"{where}: the cache cannot be used: {error.strerror}; its folder must allow writing") from None
        except sqlite3.Error as error:
            hint = "it is damaged, remove it" if _code(error) in _DAMAGED else "it must be a file that can be written"
            raise InputError(f"{where}: the cache cannot be used: {error}; {hint}") from None

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found != VERSION:
                connection.execute("DROP TABLE IF EXISTS results")
                connection.execute(f"PRAGMA user_version={VERSION}")
            connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value BLOB NOT NULL)")
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def get(self, key: str) -> Any | None:
        """The value that this engine stored for this user, or None; one that was edited or cannot be read counts as absent."""
        row = self.row(key)
        if row is None or self._key is None or not seal.fits(self._key, key, row[_HEAD:], row[len(_MARK) : _HEAD]):
            return None
        return self.open(row)

    def row(self, key: str) -> bytes | None:
        """What is stored, whoever wrote it: no evidence of anything; None when there is nothing."""
        with self._in_one_line():
            row = self._connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        return row[0] if row is not None and isinstance(row[0], bytes) else None

    @staticmethod
    def open(row: bytes) -> Any | None:
        """The value in a row, whoever wrote it; None when it cannot be read."""
        body = row[_HEAD:] if row.startswith(_MARK) else row  # rows of old have no seal
        try:
            return json.loads(zlib.decompressobj().decompress(body, _MAX))
        except (zlib.error, ValueError, TypeError, RecursionError):
            return None

    def put(self, key: str, value: Any) -> bytes:
        """Store a value, and return its row; then it is on its way to the disk."""
        body = zlib.compress(canonical(value).encode(), 3)
        row = _MARK + (bytes(seal.SIZE) if self._key is None else seal.seal(self._key, key, body)) + body
        with self._in_one_line():
            self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, row))
        return row

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is stored inside is stored at once, which is faster."""
        with self._in_one_line():
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        with self._in_one_line():
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _code(error: sqlite3.Error) -> int:
    """The primary result code of SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
