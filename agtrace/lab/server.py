"""The server of a lab: ``python -P -m agtrace.lab.server NOTEBOOK FOLDER [--no-browser]``.

It listens only on this machine, requires a random token, makes no network requests, and ends with its
parent process.
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from urllib.parse import quote

from agtrace import interrupts

ADDRESS = "127.0.0.1"
URL = "JupyterLab: "
"""Start of the line that shows the address."""


def arguments(notebook: Path, kept: Path, token: str, *, browser: bool) -> list[str]:
    """Return the settings that override the user's configuration files.

    ``kept`` is a folder for JupyterLab's window layouts, separate for each case. The settings are passed
    within the process, so that the token does not appear in the list of processes.
    """
    return [
        str(notebook),
        f"--ServerApp.root_dir={notebook.parent}",
        f"--LabApp.workspaces_dir={kept}",
        f"--ServerApp.ip={ADDRESS}",
        "--ServerApp.allow_remote_access=False",
        # Containers often have no other user, and the server cannot be reached from elsewhere.
        "--ServerApp.allow_root=True",
        f"--ServerApp.open_browser={browser}",
        "--ServerApp.answer_yes=True",
        "--ServerApp.log_level=WARN",
        "--LabApp.log_level=WARN",
        "--IdentityProvider.token=" + token,
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]


def main() -> None:
    """Serve until the parent process ends or a signal arrives."""
    from jupyterlab.labapp import LabApp

    notebook, kept, *switches = sys.argv[1:]
    path, browser = Path(notebook), "--no-browser" not in switches
    interrupts.end_with_parent()
    given = arguments(path, Path(kept), secrets.token_hex(24), browser=browser)
    server = LabApp.initialize_server(argv=given)

    def tell() -> None:
        token = server.identity_provider.token
        page = f"{server.base_url}lab/tree/{quote(path.name)}?token={token}"
        print(f"{URL}http://{ADDRESS}:{server.port}{page}", flush=True)  # noqa: T201

    # It binds its port, one that is free, first of all that it does then.
    server.io_loop.add_callback(tell)
    server.start()


if __name__ == "__main__":
    main()
