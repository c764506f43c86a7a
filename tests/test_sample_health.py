"""The cases of a group's health: the same bytes each time, and one truth in every kind of file.

Nothing here uses agtrace's own readers: a reader's mistake must not confirm itself.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from simulation.samples.health_cases import STORIES, write_case

pytestmark = pytest.mark.complete

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))
FAILOVERS = [name for name in STORIES if MANIFEST[name]["truth"]["failovers"]]


def entries(case: str, host: str, text: str) -> list[datetime]:
    """Return the true times of entries that contain a text, in all ERRORLOGs of a host."""
    truth, found = MANIFEST[case]["truth"], []
    wrong = timedelta(minutes=truth["utc_offset_minutes"], milliseconds=truth["clock_ms"][host])
    for path in sorted((SAMPLES / case / host).glob("ERRORLOG*"), reverse=True):
        for line in path.read_bytes().decode("utf-16").split("\r\n"):
            if text in line:
                found.append(datetime.fromisoformat(line[:22]) - wrong)
    return found


def cluster(case: str, host: str) -> str:
    (path,) = (SAMPLES / case / host).glob("*_cluster.log")
    return path.read_bytes().decode("utf-16")


@pytest.mark.parametrize("case", STORIES)
def test_the_committed_files_are_those_of_the_generator_and_the_manifest(case, tmp_path):
    made = write_case(tmp_path, case)
    assert made.files == sorted(MANIFEST[case]["sha256"])
    for file, expected in MANIFEST[case]["sha256"].items():
        for folder in (SAMPLES / case, tmp_path):
            assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == expected, file
    assert sum((SAMPLES / case / file).stat().st_size for file in made.files) < 1e6


@pytest.mark.parametrize("case", FAILOVERS)
def test_the_new_primary_is_in_place_when_the_manifest_says(case):
    truth = MANIFEST[case]["truth"]
    (online,) = entries(case, truth["to"], "'PRIMARY_PENDING' to 'PRIMARY_NORMAL'")
    assert abs(online - datetime.fromisoformat(truth["end"])) < timedelta(milliseconds=15)
    left = entries(case, truth["from"], "'PRIMARY_NORMAL' to 'RESOLVING_NORMAL'")
    assert len(left) == 1


def test_the_starved_primary_notes_the_expiry_after_the_new_one_is_in_place():
    truth = MANIFEST["failover_lease_cpu"]["truth"]
    (noted,) = entries("failover_lease_cpu", truth["from"], "Error: 19407")
    assert noted > datetime.fromisoformat(truth["end"])
    text = cluster("failover_lease_cpu", truth["from"])
    samples = re.findall(r"\[hadrag\] \d+/\d+/\d+ [\d:.]+, ([\d.]+), ", text)
    assert len(samples) == 5
    assert min(map(float, samples)) > 95


def test_the_stall_comes_before_the_health_check_fails():
    truth = MANIFEST["failover_io_stall"]["truth"]
    slow = entries("failover_io_stall", truth["from"], "taking longer than 15 seconds")
    assert len(slow) == 4
    assert max(slow) < datetime.fromisoformat(truth["start"])
    assert "diagnostics heartbeat is lost" in cluster("failover_io_stall", truth["from"])


def test_the_lost_secondary_says_nothing_and_comes_back():
    truth = MANIFEST["secondary_lost"]["truth"]
    host = truth["lost_host"]
    assert not entries("secondary_lost", host, "is terminating")
    assert len(entries("secondary_lost", host, "UTC adjustment")) == 2
    assert len(entries("secondary_lost", "HASQL1", "'PRIMARY_PENDING' to 'PRIMARY_NORMAL'")) == 1
    assert not entries("secondary_lost", "HASQL2", "PRIMARY_PENDING")


def test_the_certificate_is_refused_from_the_restart_until_the_end():
    truth = MANIFEST["endpoint_certificate"]["truth"]
    host = truth["lost_host"]
    refused = entries("endpoint_certificate", host, "Certificate expired")
    started = entries("endpoint_certificate", host, "UTC adjustment")[-1]
    assert started < refused[0]
    assert max(b - a for a, b in pairwise(refused)) < timedelta(seconds=17)
    (unreached,) = entries("endpoint_certificate", "HASQL1", "while attempting to establish a connection")
    assert refused[0] < unreached < refused[-1]
    established = entries("endpoint_certificate", "HASQL1", "has been successfully established")
    assert max(established) < started
