"""Starts JupyterLab on the notebook of a case, and waits until it ends."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from agtrace import import_path, interrupts
from agtrace.extras import EXTRAS, need
from agtrace.lab.kernel import write_kernel
from agtrace.store.scratch import prefix

END_S = 5.0
ANNOUNCEMENTS = "@jupyterlab/apputils-extension:announcements"
"""The JupyterLab extension that asks whether to fetch news and updates."""


def check_installed() -> None:
    """Check that the extra ``lab`` is installed, before anything is read.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    # Without ipywidgets only case.explore and the like are missing.
    need("lab", "agtrace lab", *(each for each in EXTRAS["lab"] if each != "ipywidgets"))


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
        write_kernel(Path(name))
        write_page_settings(Path(name))
        import_path.avoid(case)
        environment = import_path.environment()
        for variable in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH"):
            searched = [name, os.environ.get(variable, "")]
            environment[variable] = os.pathsep.join(filter(None, searched))
        words = [sys.executable, "-P", "-m", "agtrace.lab.server", str(notebook), name]
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


def write_page_settings(configuration: Path) -> None:
    """Write a Jupyter configuration that turns off the prompt to fetch news."""
    folder = configuration / "labconfig"
    folder.mkdir()
    settings = {"disabledExtensions": {ANNOUNCEMENTS: True}}
    (folder / "page_config.json").write_text(json.dumps(settings), encoding="utf-8")


def _end(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(END_S)
    if server.poll() is None:
        server.kill()
