"""A kernel that ends with the process that started it: ``python -m agtrace.report.own_kernel``.

However that process ended, its end of the pipe that is this one's standard input closes.
"""

from __future__ import annotations

import os
import shutil
import threading

from agtrace import memory
from agtrace.report.kernel_stand_in import FOLDER


def end_with_parent() -> None:
    """End this process, and remove its folder, as soon as its standard input ends."""
    folder = os.environ.get(FOLDER)

    def watch() -> None:
        # Nothing is ever written to it.
        while os.read(0, 1):
            pass
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, name="end-with-parent", daemon=True).start()


if __name__ == "__main__":
    end_with_parent()
    memory.go_first()
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
