"""How a command ends that is done: with all that is to be done at an end, and at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")
SCRIPT = """
import atexit, sys, threading, time
from agtrace.cli import main

atexit.register(print, "tidied up")
{before}
sys.argv = ["agtrace", {verb}]
status = main()
print("given back", status)
sys.exit(status)
"""


def ended(before: str = "", verb: str = '"--version"') -> tuple[int, list[str]]:
    script = SCRIPT.format(before=before, verb=verb)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout.splitlines()[-2:]


def test_what_is_registered_runs_and_all_is_printed():
    status, lines = ended()
    assert status == 0
    assert lines[0].startswith("agtrace ")
    assert lines[1] == "tidied up"


@pytest.mark.complete
@pytest.mark.parametrize(("verb", "status"), [('"findings", "nowhere"', 2), ('"no-such-verb"', 2)])
def test_the_status_is_that_of_the_command(verb, status):
    assert ended(verb=verb) == (status, ["tidied up"])


@pytest.mark.parametrize(
    "before",
    [
        "threading.Thread(target=time.sleep, args=(0.2,)).start()",
        "sys.setprofile(lambda *_: None)",
        "sys.settrace(lambda *_: None)",
    ],
    ids=["a thread goes on", "a profiler measures", "a tracer follows"],
)
def test_where_something_is_at_work_python_ends_it(before):
    assert ended(before) == (0, ["given back 0", "tidied up"])


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
def test_where_nothing_can_be_printed_python_ends_it():
    script = SCRIPT.format(before="", verb='"--version"')
    with FULL.open("w") as full:
        run = subprocess.run([sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode != 0
