"""Real PDH text logs, against figures counted by an independent script and Python's own csv."""

from __future__ import annotations

import csv
import struct
from typing import NamedTuple

import pytest

from agtrace.readers.pdh_text import READER
from agtrace.testing import Tables, read_all
from tests.folded import folded
from tests.shared import CAPTURES, needs_captures

pytestmark = [needs_captures, pytest.mark.complete]


class Figures(NamedTuple):
    """What the log holds: rows after the header, counters, missing and present values, bias."""

    rows: int
    columns: int
    blanks: int
    values: int
    bias: str | None
    encoding: str = "utf-8"


LOGS = {
    "blg/PowerShell_CounterSamples.csv": Figures(25, 10, 8, 242, "480"),
    "blg/PowerShell_CounterSamples.tsv": Figures(25, 10, 8, 242, "480"),
    "perfmon/Narmadha6790+sample__DataCollector01.csv": Figures(21, 12, 8, 244, "-330"),
    "perfmon/SammyKrosoft+PowerShell__Sample_Perfmon_Collected.csv": Figures(106, 2, 1, 211, "240"),
    "perfmon/SirIsaacFactory+PerflogVisualise__sample_data_Sample01.csv": Figures(
        16, 5963, 3845, 91563, "-540"
    ),
    "perfmon/iverson__Performance_Counter.csv": Figures(61, 2631, 1464, 159027, "-480"),
    "perfmon/jg185342+memeData__DataCollector01.csv": Figures(208, 8, 0, 1664, "240"),
    "perfmon/mizosk+PerfmonAnalyzer__tests_test_data_small.csv": Figures(30, 2, 0, 60, None),
    "perfmon/waflia+PDH_Converter__DataCollector01.csv": Figures(26, 1104, 833, 27871, None, "cp1251"),
    "perfmon/web_dst_header_digitalflapjack.csv": Figures(4, 1, 0, 4, "-60"),
}


def read(name: str) -> Tables:
    return read_all(READER, (CAPTURES / name).read_bytes(), name)


@folded(("name", "figures"), LOGS.items())
def test_figures(name, figures):
    tables = read(name)
    facts = {row["key"]: row["value"] for row in tables["facts"].to_pylist()}
    assert tables["ticks"].num_rows == figures.rows
    assert tables["counters"].num_rows == int(facts["columns"]) == figures.columns
    assert tables["samples"].num_rows == figures.values
    assert figures.rows * figures.columns - figures.values == figures.blanks
    assert facts.get("bias_minutes") == figures.bias
    assert facts["encoding"] == figures.encoding
    harmless = {"encoding_guessed", "bias_missing", "no_line_end"}
    assert "issues" not in tables or set(tables["issues"]["kind"].to_pylist()) <= harmless


@folded(("name", "figures"), LOGS.items())
def test_every_value_is_what_python_reads(name, figures):
    text = (CAPTURES / name).read_bytes().decode(figures.encoding)
    delimiter = "\t" if name.endswith(".tsv") else ","
    header, *rows = (row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row)
    counters = [n for n, cell in enumerate(header) if n and cell.startswith("\\")]
    expected = {
        (number, tick): struct.pack("<d", float(row[position]))
        for tick, row in enumerate(rows)
        for number, position in enumerate(counters)
        if row[position].strip()
    }
    tables = read(name)
    samples = tables["samples"].to_pylist()
    assert {(s["counter_no"], s["tick"]): struct.pack("<d", s["value"]) for s in samples} == expected
    assert tables["counters"]["path"].to_pylist() == [header[n] for n in counters]
    stamps = [
        f"{t:%m/%d/%Y %H:%M:%S}.{t.microsecond // 1000:03d}"
        for t in tables["ticks"]["time_local"].to_pylist()
    ]
    assert stamps == [row[0] for row in rows]


def test_russian_names_are_cyrillic():
    counters = read("perfmon/waflia+PDH_Converter__DataCollector01.csv")["counters"]
    assert counters["path"][0].as_py() == r"\\DESKTOP-LRPVSK4\Процесс(Idle)\% загруженности процессора"
    assert counters["object_written"][0].as_py() == "Процесс"


def test_the_description_of_a_collector_set_is_a_fact():
    facts = read("perfmon/iverson__Performance_Counter.csv")["facts"].to_pylist()
    (text,) = (row["value"] for row in facts if row["key"] == "collector_text")
    assert text.startswith("Generate a report detailing the status of local hardware resources")


def test_rates_are_blank_in_the_first_row_and_not_zero():
    name = "perfmon/waflia+PDH_Converter__DataCollector01.csv"
    first = [s for s in read(name)["samples"].to_pylist() if s["tick"] == 0]
    assert len(first) == 1104 - 828


def test_what_is_no_log_is_not_taken_for_one():
    head = (CAPTURES / "perfmon/web_header_variants.txt").read_bytes()[:65536]
    assert READER.detect(head, "web_header_variants.txt") is None
