"""A home of its own for every run: no test reads or writes anything of the user's.

Imported first by tests/conftest.py, before anything asks where the home is. Every process of a run, and every
command that a test starts, has the same one; it goes when the run ends.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

RUN = "AGTRACE_TESTS_HOME"
"""Names the home of the run, for its other processes."""
OF_USERS = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")
ZONE = "America/New_York"
"""The zone that every run is in: not UTC, and with daylight saving."""


def settle() -> Path:
    """Move this process into the home of the run, which it makes where it is the first; and out of UTC."""
    if RUN not in os.environ:
        os.environ[RUN] = tempfile.mkdtemp(prefix="agtrace-tests-home-")
        atexit.register(shutil.rmtree, os.environ[RUN], ignore_errors=True)
    home = Path(os.environ[RUN])
    for name in [*OF_USERS, *(name for name in os.environ if name.startswith("XDG_"))]:
        os.environ.pop(name, None)
    os.environ["HOME"] = str(home)
    if sys.platform == "win32":
        os.environ["USERPROFILE"] = str(home)
        for name in ("APPDATA", "LOCALAPPDATA"):
            os.environ[name] = str(home / name.lower())
            Path(os.environ[name]).mkdir(exist_ok=True)
    os.environ["TZ"] = ZONE
    if hasattr(time, "tzset"):
        time.tzset()
    return home
