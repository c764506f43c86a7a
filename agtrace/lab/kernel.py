"""The kernel of a lab: this interpreter, and no module of a folder that it works in."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

NAME = "python3"
"""The name that notebooks ask for: none of them starts another Python by accident."""


def kernel_arguments() -> list[str]:
    """Give the command of a kernel.

    ``-P`` keeps the working folder off ``sys.path`` while Python starts, ``ignore_cwd`` when IPython
    has. Jedi reads the sources of what it completes, seconds at first, and sees what is no one's
    business; `agtrace.interactive.completion` knows the names.
    """
    return [
        sys.executable, "-P", "-m", "ipykernel_launcher", "-f", "{connection_file}",
        "--InteractiveShellApp.ignore_cwd=True", "--IPCompleter.use_jedi=False",
    ]  # fmt: skip


def write_kernel(data: Path, case: Path) -> None:
    """Write the kernel into a folder of Jupyter's data.

    Parameters
    ----------
    data
        A folder for ``JUPYTER_PATH``.
    case
        The case; what ``PYTHONPATH`` names in it is left out.
    """
    folder = data / "kernels" / NAME
    folder.mkdir(parents=True)
    spec = {
        "argv": kernel_arguments(),
        "display_name": "Python 3 (agtrace)",
        "language": "python",
        "metadata": {"debugger": True},
        "env": isolated(case),
    }
    (folder / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")


def isolated(case: Path) -> dict[str, str]:
    """Give the environment variables that keep a case's folder from being imported from."""
    inside = case.resolve()
    entries = [e for e in os.environ.get("PYTHONPATH", "").split(os.pathsep) if e]
    kept = [
        str(Path(e).absolute()) for e in entries if not Path(e).resolve().is_relative_to(inside)
    ]
    # Processes that a kernel starts obey, too.
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(kept)}
