"""The process that stands for a forked kernel: it passes signals on and ends when the kernel has.

It imports next to nothing, and is started by its path, without site-packages. Its standard input
is a line to a copy of the nursery (`kernel_nursery`), which becomes the kernel.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys

FOLDER = "AGTRACE_KERNEL_FOLDER"
"""Environment variable with the folder that holds all that a kernel writes; it goes with it."""

LENGTH_BYTES = 8
STREAMS = (1, 2)
"""File numbers that the kernel takes over, in this order."""


def stand_in(arguments: list[str]) -> int:
    """Make the copy a kernel with these arguments, wait until it has ended, give the exit status."""
    line = socket.socket(fileno=os.dup(0))
    wanted = {
        "arguments": arguments,
        # pathlib would cost a third of the time that this takes to start.
        "folder": os.getcwd(),  # noqa: PTH109
        "environment": dict(os.environ),
    }
    request = json.dumps(wanted).encode()
    socket.send_fds(line, [len(request).to_bytes(LENGTH_BYTES, "big")], list(STREAMS))
    line.sendall(request)
    answer = line.recv(LENGTH_BYTES, socket.MSG_WAITALL)
    if len(answer) < LENGTH_BYTES:
        # The report ended before there was a kernel that would do it.
        import shutil

        if folder := os.environ.get(FOLDER):
            shutil.rmtree(folder, ignore_errors=True)
        return 1
    kernel = int.from_bytes(answer, "big")

    def pass_on(number: int, _frame: object) -> None:
        # What is asked to end has nothing to tidy up, and its folder is removed once this has ended.
        os.kill(kernel, signal.SIGKILL if number == signal.SIGTERM else number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)
    while line.recv(1):
        pass
    return 0


if __name__ == "__main__":
    sys.exit(stand_in(sys.argv[1:]))
