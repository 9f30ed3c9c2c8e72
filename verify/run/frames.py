"""Messages between the run and its workers: JSON with a length in front, never pickle."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

from verify.run.files import canonical

_HEAD = struct.Struct(">I")
MAX_FRAME = 64_000_000


def send(stream: IO[bytes], value: Any) -> None:
    """Write one message."""
    body = canonical(value).encode()
    if len(body) > MAX_FRAME:
        raise ValueError(f"a result of {len(body)} bytes is larger than {MAX_FRAME}")
    stream.write(_HEAD.pack(len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> Any | None:
    """Read one message, and nothing beyond it of a stream without a buffer; None at the end of the stream."""
    head = _exactly(stream, _HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (size,) = _HEAD.unpack(head)
    if size > MAX_FRAME:
        raise ValueError("a message that is too large")
    body = _exactly(stream, size)
    return None if len(body) < size else json.loads(body)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    """So many bytes, fewer only at the end."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
