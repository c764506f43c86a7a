"""Streams that are closed, and few files to open: one line, and the right status."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.ingest import texts

pytestmark = [pytest.mark.complete, pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")]

CLOSED = "agtrace: standard output is closed - let it go somewhere, such as >/dev/null\n"


@pytest.fixture
def case(tmp_path):
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "log.csv").write_bytes(texts.perfmon(30))
    return tmp_path / "case"


def shell(line, case):
    words = ["/bin/bash", "-c", line.replace("agtrace", f"{sys.executable} -m agtrace", 1), "x", case]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("verb", ["findings", "findings --json", "ingest"])
def test_nothing_is_begun_whose_result_nobody_can_see(case, verb):
    ended = shell(f'agtrace {verb} "$1" >&-', case)
    assert (ended.returncode, ended.stderr) == (2, CLOSED)
    assert not (case / ".agtrace").exists()


def test_closed_standard_error_and_input_are_no_obstacle(case):
    ended = shell('agtrace findings "$1" 2>&- <&-', case)
    assert ended.returncode == 0
    assert ended.stdout.startswith(f"{case}: 1 file")


def test_no_other_file_takes_the_place_of_a_closed_stream(case):
    script = """
import os, sys
from agtrace.cli import _has_output
_has_output()
print(sorted(os.path.realpath(f"/dev/fd/{n}") for n in (0, 2)))
"""
    words = ["/bin/bash", "-c", f'{sys.executable} -c "$1" 2>&- <&-', "x", script]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.stdout == f"{[os.devnull] * 2}\n"


@pytest.mark.parametrize("verb", ["findings", "report --only overview"])
@pytest.mark.parametrize("files", [24, 40, 48, 64])
def test_with_few_files_it_works_or_one_line_says_what_to_do(case, verb, files):
    ended = shell(f'ulimit -n {files}; agtrace {verb} "$1"', case)
    lines = ended.stderr.splitlines()
    assert len(lines) == (ended.returncode == 1)
    assert all("ulimit -n 4096" in line and line.startswith("agtrace: ") for line in lines)
