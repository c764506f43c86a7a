"""A capture that is whole and holds no record becomes an empty file, and that is said."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

from agtrace.cli import main
from agtrace.convert import conversions, convert
from agtrace.errors import AgtraceError
from agtrace.readers import readers
from simulation.formats.xel import XelFile
from tests.ingest import texts


def test_events_without_events(tmp_path, capsys):
    capture, out = tmp_path / "session_0_1.xel", tmp_path / "session.jsonl"
    capture.write_bytes(XelFile().write())
    assert main(["convert", str(capture), "-o", str(out)]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{out}: 0 records\n"
    assert printed.err == f"agtrace: {capture}: holds no record, and so does session.jsonl\n"
    assert out.read_bytes() == b""


def test_events_without_events_as_a_table(tmp_path):
    capture = tmp_path / "session_0_1.xel"
    capture.write_bytes(XelFile().write())
    assert convert(capture, tmp_path / "session.parquet").rows == 0
    table = pq.read_table(tmp_path / "session.parquet")
    assert (table.num_rows, table.column_names) == (0, ["_seq", "_time", "_ticks", "_event"])


def test_a_perfmon_log_without_rows_keeps_its_columns(tmp_path):
    capture, out = tmp_path / "log.csv", tmp_path / "out.tsv"
    capture.write_bytes(texts.perfmon(0))
    written = convert(capture, out)
    assert (written.rows, [message for _s, message, _n in written.issues]) == (
        0,
        [f"{capture}: holds no record, and so does out.tsv"],
    )
    assert out.read_text().splitlines() == [
        '"(PDH-TSV 4.0) (Korea Standard Time)(-540)"\t' + f'"{texts.QUEUE}"\t"{texts.RECEIVED}"'
    ]


def test_a_capture_of_which_nothing_is_left_is_no_empty_one(tmp_path):
    capture = tmp_path / "session_0_1.xel"
    capture.write_bytes(XelFile().write() + b"\x01" * 5000)
    with pytest.raises(AgtraceError, match="holds nothing to convert"):
        convert(capture, tmp_path / "session.jsonl")
    assert [p.name for p in tmp_path.iterdir()] == [capture.name]


def test_each_reader_that_a_conversion_names_is_there():
    names = {reader.name for reader in readers()}
    for conversion in conversions():
        assert conversion.readers <= names


def test_facts_are_no_records(tmp_path):
    (tmp_path / "netsh.txt").write_bytes(texts.NETSH)
    with pytest.raises(AgtraceError, match="holds nothing to convert"):
        convert(tmp_path / "netsh.txt", tmp_path / "x.jsonl")
