"""Kernels forked from one process that has imported everything: ``python -m agtrace.report.kernel_nursery``.

Importing costs a kernel more than most notebooks do. The nursery imports once, while captures are
still being read, and each kernel begins as a copy of it. jupyter_client wants a process of its own
for each kernel: that is `kernel_stand_in`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import NoReturn

from agtrace import import_path, memory
from agtrace.report import kernel_stand_in

IMPORTED = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "pyarrow",
    "duckdb",
    "pandas",
    "plotly.graph_objects",
    "plotly.io",
    "agtrace.case",
    "agtrace.opening",
    "agtrace.report.notebook",
)
LENGTH_BYTES = kernel_stand_in.LENGTH_BYTES


class Nursery:
    """The nursery, seen from the process that makes the report.

    It ends, and its kernels do, when `close` is called or this process ends in whatever way.
    """

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=import_path.environment(),
                # A kernel ends when the report does, not at the Ctrl-C of a terminal.
                start_new_session=True,
            )

    @staticmethod
    def possible() -> bool:
        """Return whether kernels can be forked here.

        Windows cannot, and on macOS a copy of a process that has loaded its frameworks may fail.
        """
        return sys.platform.startswith("linux")

    def command(self, connection_file: str) -> list[str]:
        """Return the command of a stand-in, whose standard input is to be a `line`."""
        return [sys.executable, "-IS", str(kernel_stand_in.__file__), "-f", connection_file]

    def line(self) -> socket.socket:
        """Fork a kernel, and return the connection to it.

        Raises
        ------
        OSError
            The nursery has ended.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"k"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        return ours

    def close(self) -> None:
        """End the nursery and its kernels; from whichever thread, more than once."""
        self._process.kill()
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)


def serve() -> socket.socket:
    """Import everything, then fork a kernel for each line that arrives; in it, give its line."""
    control = socket.socket(fileno=0)
    for name in IMPORTED:
        importlib.import_module(name)
        if _has_ended(control):
            sys.exit()
    # What is otherwise imported when it is first wanted: in each kernel.
    importlib.import_module("agtrace.say.figures").use_renderer()
    importlib.import_module("agtrace.diagnostics").analyses()
    importlib.import_module("agtrace.history.offering").makers()
    # Nobody waits for the kernels.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # What was imported stays: collecting it in every kernel would copy its pages.
    gc.collect()
    gc.freeze()
    memory.go_first()
    while True:
        _said, lines, _flags, _address = socket.recv_fds(control, 1, 1)
        if not lines:
            sys.exit()
        line = socket.socket(fileno=lines[0])
        if os.fork() == 0:
            _become_kernel(line, control)
            return line
        line.close()


def _has_ended(control: socket.socket) -> bool:
    poll = select.poll()
    poll.register(control, 0)
    return bool(poll.poll(0))


def _become_kernel(line: socket.socket, control: socket.socket) -> None:
    """Take over from the stand-in what makes a process: standard streams, folder, environment."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    head, streams, _flags, _address = socket.recv_fds(line, LENGTH_BYTES, 2)
    if len(head) < LENGTH_BYTES or len(streams) < len(kernel_stand_in.STREAMS):
        os._exit(1)
    request = json.loads(_exactly(line, int.from_bytes(head, "big")))
    for stream, number in zip(streams, kernel_stand_in.STREAMS, strict=True):
        os.dup2(stream, number)
        os.close(stream)
    control = socket.socket(fileno=os.dup(control.detach()))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    tempfile.tempdir = None
    sys.argv = ["ipykernel_launcher", *request["arguments"]]
    line.sendall(os.getpid().to_bytes(LENGTH_BYTES, "big"))
    threading.Thread(target=_end_with, args=(line, control), daemon=True).start()


def _exactly(line: socket.socket, length: int) -> bytes:
    parts = []
    while length:
        part = line.recv(length)
        if not part:
            os._exit(1)
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _end_with(line: socket.socket, control: socket.socket) -> NoReturn:
    """End when the stand-in or the report has ended: nobody else knows of this process."""
    poll = select.poll()
    poll.register(line, select.POLLIN)
    poll.register(control, 0)
    poll.poll()
    if folder := os.environ.get(kernel_stand_in.FOLDER):
        shutil.rmtree(Path(folder), ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    _line = serve()
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
