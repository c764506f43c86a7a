"""Starts JupyterLab on the notebook of a case, and waits until it ends."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from agtrace import interrupts
from agtrace.errors import AgtraceError
from agtrace.lab.kernel import isolated, write_kernel
from agtrace.store.scratch import prefix

END_S = 5.0


def check_installed() -> None:
    """Refuse where JupyterLab is not installed, before anything is read.

    Raises
    ------
    AgtraceError
        It is not.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise AgtraceError(
            "JupyterLab is not installed beside agtrace",
            f"run: {sys.executable} -m pip install jupyterlab",
        )


def start_lab(case: Path, notebook: Path, *, browser: bool = True) -> int:
    """Start JupyterLab and wait for its end; an interrupt ends it.

    Parameters
    ----------
    case
        Folder of captures.
    notebook
        The notebook to open, outside of the case.
    browser
        Open it in the user's browser.

    Returns
    -------
    int
        Exit status of the server.
    """
    with tempfile.TemporaryDirectory(prefix=prefix("lab"), ignore_cleanup_errors=True) as name:
        write_kernel(Path(name), case)
        searched = [name, os.environ.get("JUPYTER_PATH", "")]
        environment = {
            **os.environ, **isolated(case), "JUPYTER_PATH": os.pathsep.join(filter(None, searched)),
        }  # fmt: skip
        words = [sys.executable, "-P", "-m", "agtrace.lab.server", str(notebook)]
        server = subprocess.Popen(
            words if browser else [*words, "--no-browser"],
            cwd=notebook.parent,
            env=environment,
            # It ends when this closes, however this process ends.
            stdin=subprocess.PIPE,
        )
        with server, interrupts.stopped_by(server.terminate):
            try:
                return server.wait()
            finally:
                _end(server)


def _end(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(END_S)
    if server.poll() is None:
        server.kill()
