"""The cache: results by content key, in one SQLite file that survives interruption."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

from verify.run.files import canonical

VERSION = 1
_MAX = 256_000_000


class Store:
    """Results by key. Each is written in a transaction of its own; a file that is damaged is begun anew."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "results.sqlite"
        self.fresh_start = False
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError:
            self.path.unlink(missing_ok=True)
            self.fresh_start = True
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
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
        row = self._connection.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            return json.loads(zlib.decompressobj().decompress(row[0], _MAX))
        except (zlib.error, ValueError, RecursionError):
            return None

    def put(self, key: str, value: Any) -> None:
        """Store a value; on return it is on its way to the disk."""
        blob = zlib.compress(canonical(value).encode(), 3)
        self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, blob))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
