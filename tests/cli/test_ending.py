"""How a command ends that is done: with all that is to be done at an end, and at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FULL = Path("/dev/full")
SCRIPT = """
import atexit, os, sys, threading, time
from agtrace.cli import main
from agtrace.cli.signals import CommandEnding

leave = os._exit

def leave_loudly(status):
    print("left", flush=True)
    leave(status)

os._exit = leave_loudly
listen = CommandEnding.listen

def listen_first(self):
    listen(self)
    atexit.register(print, "tidied up")

CommandEnding.listen = listen_first
{before}
sys.argv = ["agtrace", {verb}]
sys.exit(main())
"""


def ended(before: str = "", verb: str = '"--version"') -> tuple[int, list[str]]:
    script = SCRIPT.format(before=before, verb=verb)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    return run.returncode, [each for each in run.stdout.splitlines() if not each.startswith("agtrace")]


def test_what_is_registered_runs_and_objects_are_left_to_the_system():
    assert ended() == (0, ["tidied up", "left"])


@pytest.mark.complete
@pytest.mark.parametrize(("verb", "status"), [('"findings", "nowhere"', 2), ('"no-such-verb"', 2)])
def test_the_status_is_that_of_the_command(verb, status):
    assert ended(verb=verb) == (status, ["tidied up", "left"])


@pytest.mark.parametrize(
    "before",
    ["sys.setprofile(lambda *_: None)", "sys.settrace(lambda *_: None)"],
    ids=["a profiler measures", "a tracer follows"],
)
def test_where_somebody_measures_python_ends_it(before):
    assert ended(before) == (0, ["tidied up"])


def test_a_thread_that_goes_on_is_waited_for():
    before = "threading.Thread(target=lambda: (time.sleep(0.2), print('done'))).start()"
    assert ended(before) == (0, ["done", "tidied up", "left"])


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
def test_where_nothing_can_be_printed_python_ends_it():
    script = SCRIPT.format(before="", verb='"--version"')
    with FULL.open("w") as full:
        run = subprocess.run([sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode != 0
