"""Messages between a process and its workers: the length, then the pickled message."""

from __future__ import annotations

import pickle
from typing import Any, BinaryIO

_LENGTH_BYTES = 8


def send(stream: BinaryIO, message: Any) -> None:
    """Send a message.

    Raises
    ------
    OSError
        The other end is closed.
    """
    body = pickle.dumps(message)
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(body)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Wait for a message.

    Raises
    ------
    EOFError
        The other side has ended, perhaps in the middle of one.
    """
    return pickle.loads(_exactly(stream, int.from_bytes(_exactly(stream, _LENGTH_BYTES), "big")))


def _exactly(stream: BinaryIO, length: int) -> bytes:
    read = stream.read(length)
    if len(read) < length:
        raise EOFError
    return read
