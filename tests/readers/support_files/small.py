"""Small captures of what collectors write beside the captures: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator


def captures() -> Iterator[tuple[str, bytes]]:
    yield "CONTOSO1_20260301T1016102291_TaskListVerbose.out", b"Image Name   PID\r\nSystem   4\r\n"
    yield "CONTOSO1_reg_Run.reg", "Windows Registry Editor Version 5.00\r\n".encode("utf-16")
