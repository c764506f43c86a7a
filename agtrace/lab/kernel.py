"""The kernel of a lab: this interpreter, and no module of a folder that it works in."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from agtrace import import_path

NAME = "python3"
"""The kernel name that notebooks request, so that none starts another Python by accident."""


def kernel_arguments() -> list[str]:
    """Return the command of a kernel.

    ``-P`` keeps the working directory off ``sys.path`` while Python starts, ``ignore_cwd`` after IPython has
    started. Jedi is off: it parses the sources of the objects that it completes, which takes seconds at
    first, and offers private names. `agtrace.interactive.completion` provides the names instead.
    """
    return [
        sys.executable, "-P", "-m", "ipykernel_launcher", "-f", "{connection_file}",
        "--InteractiveShellApp.ignore_cwd=True", "--IPCompleter.use_jedi=False",
    ]  # fmt: skip


def write_kernel(data: Path) -> None:
    """Write the kernel into a folder of Jupyter's data.

    Parameters
    ----------
    data
        A folder for ``JUPYTER_PATH``.
    """
    folder = data / "kernels" / NAME
    folder.mkdir(parents=True)
    spec = {
        "argv": kernel_arguments(),
        "display_name": "Python 3 (agtrace)",
        "language": "python",
        "metadata": {"debugger": True},
        "env": import_path.variables(),
    }
    (folder / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
