"""Copies, activity reports and event logs of other people's machines: what is whole is read whole."""

from __future__ import annotations

import re

import pytest

from agtrace.readers import detect
from agtrace.readers.robocopy.values import parse_whole
from agtrace.readers.text import decode_text
from agtrace.testing import Tables, facts, read_all
from tests.folded import folded
from tests.shared import CAPTURES

FIELD = CAPTURES / "field"

pytestmark = pytest.mark.skipif(not FIELD.is_dir(), reason="the files from the field are not here")


def files(folder: str):
    return sorted(path for path in (FIELD / folder).iterdir() if path.is_file()) if FIELD.is_dir() else []


def named(folder: str):
    return pytest.mark.parametrize("path", files(folder), ids=lambda path: path.name)


def read(path) -> tuple[str, Tables, list[str]]:
    """Return the reader, its tables, and the kinds of damage."""
    data = path.read_bytes()
    found = detect(data[: 64 * 1024], path.name)
    assert found is not None
    tables = read_all(found[0], data, path.name)
    issues = tables["issues"].to_pylist() if "issues" in tables else []
    return found[0].name, tables, [row["kind"] for row in issues if row["severity"] != "info"]


@named("robocopy")
def test_every_copy_says_what_its_summary_says(path):
    reader, tables, damage = read(path)
    (found,) = facts(tables, "robocopy")
    text = decode_text(path.read_bytes())
    assert (reader, damage) == ("robocopy", [])
    (speed,) = re.findall(r"Speed :\s+(\d[\d.,]*) Bytes", text)
    assert int(found["speed_bytes_per_s"]) == parse_whole(speed)
    (copied,) = re.findall(r"Files :\s+\d+\s+(\d+) ", text)
    assert found["files_copied"] == copied
    # The start and the end are read in every language: their distance is the copy and a little more.
    assert 0 <= int(found["elapsed_seconds"]) - int(found["seconds"]) < 15
    assert found.get("threads") == next(iter(re.findall(r"/MT:(\d+)", text)), None)


NO_REPORT = {"expected.mpstat-V-env"}
"""What prints the version and the environment."""


@folded("path", [each for each in files("sysstat") if each.name not in NO_REPORT])
def test_every_report_of_sysstat_is_read_without_damage(path):
    reader, _tables, damage = read(path)
    assert (reader, damage) == ("sysstat", [])


@folded("path", [each for each in files("sysstat") if "iostat" in each.name and "JSON" not in each.name])
def test_every_line_of_iostat_is_a_row(path):
    """Its figures are those that stand in the line, in order."""
    _reader, tables, _damage = read(path)
    found = [
        [float(value) for key, value in row.items() if key not in ("report", "host", "day", "device")]
        for row in facts(tables, "iostat")
    ]
    lines = [line.split() for line in path.read_text().splitlines()]
    rows = [[word for word in words if re.fullmatch(r"\d+\.?\d*[kMG%]?", word)] for words in lines]
    expected = [row for row, words in zip(rows, lines, strict=True) if len(row) >= len(words) - 1 > 0]
    assert len(found) == len(expected)
    if "human" not in path.name and "pretty" not in path.name:
        assert found == [[float(word.rstrip("%")) for word in row] for row in expected]


@named("evtx")
def test_every_event_log_has_events_and_only_the_damaged_ones_are(path):
    reader, tables, damage = read(path)
    assert reader == "event_log"
    assert tables["os_events"].num_rows > 0
    # The last of them has zeros for 3 of the 20 records that the head of its chunk counts.
    damaged = ("zero-data-size", "bad_chunk_magic", "LanguagePackSetup")
    is_damaged = any(word in path.name for word in damaged)
    assert damage == (["damaged_record"] if is_damaged else [])
