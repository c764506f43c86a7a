"""Cases from public problem reports: each gives the answer that settled the report, and no false claim."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import CAPTURES

CASES = CAPTURES.parent / "cases"
NAMES = (
    [case["name"] for case in json.loads((CASES / "cases.json").read_text("utf-8"))] if CASES.is_dir() else []
)
AT_ONCE = 8


@pytest.mark.complete
@pytest.mark.skipif(not NAMES, reason="the public cases are not beside this tree")
@pytest.mark.parametrize("first", range(0, max(len(NAMES), 1), AT_ONCE))
def test_public_cases_are_answered(first, tmp_path):
    agtrace = tmp_path / "agtrace"
    agtrace.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agtrace "$@"\n')
    agtrace.chmod(0o755)
    command = [sys.executable, CASES / "check.py", agtrace, CASES / "cases.json", CASES]
    run = subprocess.run(
        [*map(str, command), *NAMES[first : first + AT_ONCE]], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout


def test_the_cases_are_found_where_captures_are():
    assert not CAPTURES.is_dir() or Path(CASES).is_dir()
