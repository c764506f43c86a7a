"""Cluster logs as JSON lines and Parquet, and what is printed instead of written."""

from __future__ import annotations

import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from agtrace.convert import Selection, convert
from agtrace.moments import moment

LOG = (
    "[=== Cluster Logs ===]\r\n"
    "UTC= localtime + time zone offset; with daylight savings, the time zone offset of this machine is 0 "
    "minutes, or 0 hours\r\n"
    "00000a1c.00000b2c::2024/02/06-14:45:20.123 INFO  [RES] SQL Server Availability Group: [hadrag] Lease\r\n"
    "00000a1c.00000b2c::2024/02/06-14:45:25.500 ERR   [RHS] Resource SalesAG failed\r\n"
)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "cluster.log"
    path.write_bytes(LOG.encode("utf-16"))
    return path


def test_one_object_per_entry(log, tmp_path):
    assert convert(log, tmp_path / "out.jsonl").rows == 2
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines())
    assert (first["time_written"], first["level"]) == ("2024-02-06T14:45:20.123", "INFO")
    assert (second["component"], second["level"]) == ("RHS", "ERR")


def test_a_part_of_it_as_parquet(log, tmp_path):
    later = Selection(begin=moment("2024-02-06T14:45:21", naive=True))
    assert convert(log, tmp_path / "out.parquet", later).rows == 1
    assert pq.read_table(tmp_path / "out.parquet")["level"].to_pylist() == ["ERR"]


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "agtrace", "convert", *words], capture_output=True, check=False
    )


@pytest.mark.complete
def test_standard_output_has_the_records_and_nothing_else(log):
    ran = run(str(log), "-o", "-", "--to", "jsonl")
    assert ran.returncode == 0
    assert b"does not say whether its times are local or UTC" in ran.stderr
    assert [json.loads(line)["level"] for line in ran.stdout.splitlines()] == ["INFO", "ERR"]


@pytest.mark.parametrize("words", [("-o", "-"), ("-o", "out.jsonl", "--to", "jsonl")])
def test_a_format_is_said_of_standard_output_alone(log, words):
    ran = run(str(log), *words)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"say -o - and --to together" in ran.stderr
