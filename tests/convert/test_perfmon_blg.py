"""Binary logs as relog writes them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pyarrow.parquet as pq
import pytest

from agtrace.convert import Selection, convert
from agtrace.convert.pdh_text import header_cell
from agtrace.errors import CaseError
from simulation.formats.blg import Form, Zone, write_blg
from simulation.formats.blg_blocks import (
    BULK_RATE,
    RAWCOUNT,
    WHOLE,
    Definition,
    Instance,
    Item,
    Objects,
    One,
    PerfObject,
    Sample,
)
from tests.readers.perfmon_blg.blg_logs import SECOND, at, log_of
from tests.shared import CAPTURES, needs_captures

DEFINITIONS = (Definition(11, RAWCOUNT, 4), Definition(12, BULK_RATE))
NAMES = {10: "Process", 11: "ID", 12: "IO"}


def row(n: int, *names: str) -> list:
    found = [Instance(name, [place, 10 * n]) for place, name in enumerate(names)]
    return [Objects([PerfObject(10, DEFINITIONS, found)], n * SECOND), One(n)]


ITEMS = [Item("Process", "*", WHOLE, "*"), Item("Memory", "Pages", RAWCOUNT)]
LOG = log_of(ITEMS, [row(0, "a"), row(1, "a", "b"), row(2, "b")], NAMES)


def written(tmp_path, log: bytes, suffix: str = ".csv", **selection) -> list[str]:
    (tmp_path / "log.blg").write_bytes(log)
    convert(tmp_path / "log.blg", tmp_path / f"out{suffix}", Selection(**selection), force=True)
    text = (tmp_path / f"out{suffix}").read_bytes().decode()
    assert text.endswith("\r\n")
    return text.split("\r\n")[:-1]


def test_columns_are_items_then_counters_then_instances(tmp_path):
    """An instance that appears later stands with its counter; blank while it is not there."""
    assert written(tmp_path, LOG) == [
        '"(PDH-CSV 4.0) (Pacific Daylight Time)(420)",'
        '"\\\\HOST\\Process(a)\\ID","\\\\HOST\\Process(b)\\ID",'
        '"\\\\HOST\\Process(a)\\IO","\\\\HOST\\Process(b)\\IO","\\\\HOST\\Memory\\Pages"',
        '"03/14/2026 09:00:00.000","0"," "," "," ","0"',
        '"03/14/2026 09:00:01.000","0","1","10"," ","1"',
        '"03/14/2026 09:00:02.000"," ","0"," ","10","2"',
    ]


def test_the_ending_says_the_separator(tmp_path):
    lines = written(tmp_path, LOG, ".tsv", counters=("*memory*",))
    assert lines[0].endswith('"\t"\\\\HOST\\Memory\\Pages"')
    assert lines[0].startswith('"(PDH-TSV 4.0) (')
    assert lines[1:] == [
        '"03/14/2026 09:00:00.000"\t"0"',
        '"03/14/2026 09:00:01.000"\t"1"',
        '"03/14/2026 09:00:02.000"\t"2"',
    ]


@pytest.mark.parametrize(
    ("selection", "rates"),
    [
        ({}, {"1": "3", "2": "5", "3": "7", "4": "9"}),
        ({"every": 2}, {"2": "5", "4": "9"}),
        ({"begin": at(2), "end": at(3)}, {"2": "5", "3": "7"}),
        ({"begin": at(1), "every": 3}, {"1": "3", "4": "9"}),
    ],
)
def test_rows_that_are_chosen_keep_the_rates_of_the_whole_log(tmp_path, selection, rates):
    item = replace(ITEMS[1], type=BULK_RATE)
    log = log_of([item], [[One((n + 1) ** 2, n * SECOND)] for n in range(5)])
    lines = written(tmp_path, log, **selection)[1:]
    cells = {line[19:20]: line.split('","')[1].strip('"') for line in lines}
    assert {second: value for second, value in cells.items() if value != " "} == rates


def test_parquet_has_a_row_per_value(tmp_path):
    (tmp_path / "log.blg").write_bytes(LOG)
    convert(tmp_path / "log.blg", tmp_path / "out.parquet", Selection(counters=(r"*(b)\*",)))
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(r["time_local"], r["instance"], r["counter"], r["value"]) for r in rows] == [
        (at(1), "b", "ID", 1),
        (at(2), "b", "ID", 0),
        (at(2), "b", "IO", 10),
    ]


def test_no_series_matches(tmp_path):
    (tmp_path / "log.blg").write_bytes(LOG)
    with pytest.raises(CaseError, match=r"no counter matches '\*nothing\*' - there are: "):
        convert(tmp_path / "log.blg", tmp_path / "out.csv", Selection(counters=("*nothing*",)))


@pytest.mark.parametrize(
    ("month", "cell"),
    [
        (1, "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)"),
        (7, "(PDH-CSV 4.0) (W. Europe Daylight Time)(-120)"),
    ],
)
def test_the_first_cell_has_the_zone_of_the_season(tmp_path, month, cell):
    dates = {"standard_date": (0, 10, 0, 5, 3, 0, 0, 0), "daylight_date": (0, 3, 0, 5, 2, 0, 0, 0)}
    zone = Zone(-60, "@tzres.dll,-322", daylight_name="@tzres.dll,-321", **dates)
    samples = [Sample(datetime(2026, month, 1), [One(1)])]
    log = write_blg(ITEMS[1:], samples, form=Form(zone=zone))
    assert written(tmp_path, log)[0].split('"')[1] == cell


def test_the_zone_of_a_binary_log_in_the_first_cell():
    facts = {("blg_header", "zone_name"): "UTC", ("blg_header", "bias_minutes"): "0"}
    assert header_cell(facts, ".tsv") == "(PDH-TSV 4.0) (UTC)(0)"


@needs_captures
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_windows_own_text_of_the_same_capture(tmp_path, suffix):
    """Cell for cell as text; the repository it comes from has turned the line ends into LF."""
    convert(CAPTURES / "blg/PowerShell_CounterSamples.blg", tmp_path / f"out{suffix}")
    original = (CAPTURES / f"blg/PowerShell_CounterSamples{suffix}").read_bytes()
    ours = (tmp_path / f"out{suffix}").read_bytes()
    assert ours.count(b"\r\n") == 26
    assert ours.replace(b"\r\n", b"\n") == original.replace(b"\r\n", b"\n")
