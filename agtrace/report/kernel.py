"""The kernels of notebooks that came from outside: one each, of the very interpreter that runs agtrace."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import import_path, interrupts, memory, notebook_format, strict_json
from agtrace.errors import MORE_FILES, NotebookError
from agtrace.report.execution import Executed, run, scratch_folder

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager
    from nbformat import NotebookNode

FOLDER = "AGTRACE_KERNEL_FOLDER"
"""Environment variable with the folder for all files of a kernel; it is removed with the kernel."""

KERNEL_LOG = "kernel.log"
"""Output of the kernel itself, apart from that of notebooks."""

CASE_SETTINGS = "AGTRACE_CASE_SETTINGS"
"""Set to 0, notebooks open cases without their settings files, without a parameter for it."""
THRESHOLDS = "AGTRACE_THRESHOLDS"
"""The thresholds given for the report, as JSON, passed in the same way."""

SOCKET_PATH_BYTES = 107 if sys.platform.startswith("linux") else 103
"""Longest path of a socket; binding a longer one hangs."""

_SOCKET = "-ipc-99"
"""Suffix that jupyter_client adds to the path of a connection file, besides its extension."""

START_S = 120
LONGEST_CELL_S = 3600
"""Longest run time of a notebook cell, in seconds."""

FEW_FILES, START_WITH_FEW_S = 128, 30
"""With fewer allowed open files than this, a kernel may fail: it starts within this time or never."""

COMMAND = (sys.executable, "-P", "-m", __name__, "-f", "{connection_file}")

_LOG_TAIL_BYTES = 4096
_ERROR = re.compile(r"\w+(?:Error|Exception): ")


class Kernels:
    """The kernels of one report: if the context is left early, all end at once."""

    def __init__(self) -> None:
        self.share = memory.share(1)
        """Bytes that each kernel may use."""
        self._lock = threading.Lock()
        self._folders: dict[Path, KernelManager | None] = {}
        self._ended = False

    def __enter__(self) -> Kernels:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    @contextlib.contextmanager
    def folder(self) -> Iterator[Path]:
        """Yield a folder for a kernel, removed when the kernel has ended.

        Raises
        ------
        NotebookError
            All kernels have been ended.
        """
        with scratch_folder("kernel") as here:
            try:
                self.started(here, None)
                yield here
            finally:
                with self._lock:
                    self._folders.pop(here, None)

    def started(self, folder: Path, manager: KernelManager | None) -> None:
        """Remember the kernel of a folder; one that starts too late ends here.

        Raises
        ------
        NotebookError
            All kernels have been ended.
        """
        with self._lock:
            self._folders[folder] = manager
            if self._ended:
                _kill(manager)
                raise NotebookError("the report was interrupted")

    def end(self) -> None:
        """End all kernels and remove their folders; those that start from now on end, too."""
        with self._lock:
            self._ended = True
            for manager in self._folders.values():
                _kill(manager)
            for folder in self._folders:
                shutil.rmtree(folder, ignore_errors=True)


def _kill(manager: KernelManager | None) -> None:
    """Kill a kernel from whichever thread, past its event loop."""
    provisioner = manager.provisioner if manager else None
    process = getattr(provisioner, "process", None)
    if process is not None:
        # No files may be written after its folder has been removed.
        for end in (process.terminate, process.kill):
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                end()
                process.wait(timeout=1)


def run_in_kernel(
    path: Path,
    parameters: Mapping[str, Any],
    kernels: Kernels | None = None,
    *,
    case_settings: bool = True,
    thresholds: Mapping[str, float] | None = None,
) -> Executed:
    """Run a notebook in its own kernel; errors inside the notebook are never raised.

    Parameters
    ----------
    path
        The notebook; it is not written to.
    parameters
        Values for its parameters cell; undeclared names are left out.
    kernels
        The group of kernels that end together; by default, this one alone.
    case_settings
        False: cases are opened without their settings files.
    thresholds
        Thresholds with precedence over the case's own.
    """
    kernels = kernels or Kernels()
    asked = {
        CASE_SETTINGS: "1" if case_settings else "0",
        THRESHOLDS: strict_json.dumps(dict(thresholds or {})),
    }
    # An empty working directory: a notebook must not depend on its location, and files there must not shadow
    # modules. An empty IPython directory: the user's start-up scripts must not run.
    with kernels.folder() as folder:
        engine = {
            "start_timeout": START_S if _files_allowed() >= FEW_FILES else START_WITH_FEW_S,
            "execution_timeout": LONGEST_CELL_S,
            "kernel_manager_class": _kernel_manager(folder, kernels, asked),
            "resources": {"metadata": {"path": str(folder)}},
        }
        written = folder / "executed.ipynb"

        def failed() -> NotebookNode:
            read: NotebookNode = notebook_format.load().read(written, as_version=4)
            return read

        return run(path, parameters, written, failed, lambda error: _ended(error, folder), engine)


def _ended(error: Exception, folder: Path) -> str:
    """Return why a notebook ended from outside; nbclient does not know why a kernel was killed."""
    said = _last_words(folder)
    if type(error).__name__ == "DeadKernelError" and not said:
        return f"its process ended: {memory.OUT_OF_MEMORY}"
    return ": ".join(filter(None, (str(error), said)))


def _last_words(folder: Path) -> str:
    """Return why a kernel died, or could not report why a cell failed."""
    text = ""
    with contextlib.suppress(OSError), (folder / KERNEL_LOG).open("rb") as log:
        log.seek(max(log.seek(0, os.SEEK_END) - _LOG_TAIL_BYTES, 0))
        text = log.read().decode("utf-8", "replace")
    # With few files, it may be unable to open one for its message.
    if os.strerror(errno.EMFILE) in text or _files_allowed() < FEW_FILES:
        return f"too many files are open - {MORE_FILES}"
    errors = [line.strip() for line in text.splitlines() if _ERROR.match(line)]
    return errors[-1] if errors else ""


def _files_allowed() -> float:
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return math.inf
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return math.inf if allowed == resource.RLIM_INFINITY else allowed


def transport(connection_file: Path) -> str:
    """Return how to connect to a kernel: by sockets in its folder instead of open ports, if possible."""
    socket = os.fsencode(connection_file.with_suffix("")) + _SOCKET.encode()
    return "tcp" if sys.platform == "win32" or len(socket) > SOCKET_PATH_BYTES else "ipc"


def _kernel_manager(folder: Path, kernels: Kernels, asked: dict[str, str]) -> type:
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    # Not the kernel registered as python3: it may belong to another environment. All of its files are in its
    # folder, including those swapped out by DuckDB.
    spec = KernelSpec(
        argv=list(COMMAND),
        display_name="Python 3 (ipykernel)",
        language="python",
        env=import_path.variables()
        | asked
        | {
            FOLDER: str(folder),
            memory.VARIABLE: str(kernels.share),
            **dict.fromkeys(("IPYTHONDIR", "TMPDIR", "TEMP", "TMP"), str(folder)),
        },
    )

    class OwnKernelManager(AsyncKernelManager):
        _speaking: int | None = None

        def __init__(self, **settings: Any) -> None:
            file = folder / "kernel.json"
            settings |= {"transport": transport(file), "connection_file": str(file)}
            super().__init__(**settings)

        @property
        def kernel_spec(self) -> KernelSpec:
            return spec

        # jupyter_client declares the blocking signature here, and awaits the result.
        async def start_kernel(self, **settings: Any) -> None:  # type: ignore[override]
            # The kernel ends when its end of this pipe closes, however this process ends.
            listening, self._speaking = os.pipe()
            try:
                with (folder / KERNEL_LOG).open("wb") as log:
                    await super().start_kernel(**settings, stdin=listening, stdout=log, stderr=log)
            finally:
                os.close(listening)
            kernels.started(folder, self)

        async def cleanup_resources(self, restart: bool = False) -> None:  # type: ignore[override]
            await super().cleanup_resources(restart)
            if self._speaking is not None:
                os.close(self._speaking)
                self._speaking = None

    return OwnKernelManager


if __name__ == "__main__":
    from ipykernel import kernelapp

    interrupts.end_with_parent(os.environ.get(FOLDER))
    memory.go_first()
    kernelapp.launch_new_instance()
