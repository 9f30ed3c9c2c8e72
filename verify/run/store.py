"""The cache: results by content key, in one SQLite file that survives interruption."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verify.errors import InputError
from verify.run.files import canonical

VERSION = 1
WAIT = 30.0
"""Seconds to wait for another process that writes."""
_MAX = 256_000_000
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Store:
    """Results by key. Each is written in a transaction of its own; a file that is damaged is begun anew.

    A store that cannot be used (locked, read-only, no file) is an InputError.
    """

    def __init__(self, folder: Path) -> None:
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
        """The stored value, or None; a value that cannot be read counts as absent."""
        with self._in_one_line():
            row = self._connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            return json.loads(zlib.decompressobj().decompress(row[0], _MAX))
        except (zlib.error, ValueError, TypeError, RecursionError):
            return None

    def put(self, key: str, value: Any) -> None:
        """Store a value; on return it is on its way to the disk."""
        blob = zlib.compress(canonical(value).encode(), 3)
        with self._in_one_line():
            self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, blob))

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
