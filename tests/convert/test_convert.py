"""What can be converted, what cannot, and what is never overwritten."""

from __future__ import annotations

import errno
from datetime import datetime

import pyarrow as pa
import pytest

from agtrace.cli import main
from agtrace.convert import Selection, conversions, convert
from agtrace.convert.base import Reading
from agtrace.convert.perfmon import PerfmonConversion
from agtrace.errors import AgtraceError, CaptureError, CaseError
from agtrace.readers import ReadOptions, Source
from agtrace.tables import COUNTERS, SAMPLES, TICKS
from tests.folded import folded

CSV = b'"(PDH-CSV 4.0) (UTC)(0)","\\\\H\\Memory\\Pages/sec"\r\n"03/14/2026 09:00:00.000","1"\r\n'
LOG = b"2026-03-14 09:00:00.10 Server      UTC adjustment: 0:00\r\n"
NETSH = (
    b"TCP Global Parameters\r\n----------------------------------------------\r\n"
    b"Receive-Side Scaling State          : enabled\r\n"
    b"Receive Window Auto-Tuning Level    : disabled\r\n"
)


@pytest.fixture
def files(tmp_path):
    for name, data in (("log.csv", CSV), ("ERRORLOG", LOG), ("empty.csv", b""), ("text", b"hello\n")):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    return tmp_path


@folded(
    ("source", "out", "selection", "message"),
    [
        ("no.csv", "x.csv", {}, "{}/no.csv: no such file"),
        ("folder", "x.csv", {}, "{}/folder: is a folder - name a capture; 'agtrace ingest' takes folders"),
        ("empty.csv", "x.csv", {}, "{}/empty.csv: is empty (0 bytes)"),
        ("text", "x.csv", {}, "{}/text: is of no format that agtrace knows"),
        ("log.csv", "x.jsonl", {}, "{}/log.csv: a perfmon log cannot be written as .jsonl - possible: .csv, .tsv, .parquet"),  # noqa: E501
        ("log.csv", "x", {}, (
            "{}/log.csv: a perfmon log cannot be written as a file without ending - possible: .csv, .tsv, "
            ".parquet"
        )),
        ("ERRORLOG", "x.csv", {}, "{}/ERRORLOG: an ERRORLOG cannot be written as .csv - possible: .jsonl, .parquet"),  # noqa: E501
        ("ERRORLOG", "x.jsonl", {"every": 2},
         "{}/ERRORLOG: --every means nothing for an ERRORLOG - leave it out"),
        ("log.csv", "x.csv", {"begin": datetime(2026, 3, 15), "end": datetime(2026, 3, 14)},
         "2026-03-15 00:00:00 to 2026-03-14 00:00:00: ends before it begins"),
        ("log.csv", "folder", {}, "{}/folder: is a folder - name the file to write"),
        ("log.csv", "no/x.csv", {}, "{}/no: no such folder - make it first"),
        ("log.csv", "ERRORLOG", {}, "{}/ERRORLOG: exists already - give another name, or --force to overwrite it"),  # noqa: E501
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line(files, source, out, selection, message):
    before = sorted(files.rglob("*"))
    with pytest.raises(AgtraceError) as caught:
        convert(files / source, files / out, Selection(**selection))
    assert str(caught.value) == message.format(files)
    assert sorted(files.rglob("*")) == before


def test_facts_alone_cannot_be_converted(files):
    (files / "netsh.txt").write_bytes(NETSH)
    with pytest.raises(AgtraceError, match=r"netsh\.txt: holds nothing to convert - possible: ") as caught:
        convert(files / "netsh.txt", files / "x.parquet")
    assert "a perfmon log to .csv .tsv .parquet" in str(caught.value)
    assert "an ERRORLOG to .jsonl .parquet" in str(caught.value)


def test_recognised_is_said(files):
    (files / "SQLAGENT.1").write_bytes("2026-03-14 22:45:14 - ? [100] text\r\n".encode("utf-16"))
    with pytest.raises(CaptureError, match=r"SQLAGENT\.1: is recognised as .* and not read"):
        convert(files / "SQLAGENT.1", files / "x.jsonl")


def test_force_overwrites_and_never_the_capture_itself(files):
    (files / "x.csv").write_bytes(b"old")
    with pytest.raises(CaseError, match="exists already"):
        convert(files / "log.csv", files / "x.csv")
    convert(files / "log.csv", files / "x.csv", force=True)
    assert (files / "x.csv").read_bytes() == CSV
    with pytest.raises(CaseError, match="is the capture itself"):
        convert(files / "log.csv", files / "log.csv", force=True)
    assert (files / "log.csv").read_bytes() == CSV


def test_a_fault_while_writing_leaves_what_was_there(files, monkeypatch):
    (files / "x.csv").write_bytes(b"old")

    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("agtrace.convert.pdh_text.TextWriter.write", full)
    with pytest.raises(OSError, match="No space left"):
        convert(files / "log.csv", files / "x.csv", force=True)
    assert (files / "x.csv").read_bytes() == b"old"
    assert not list(files.glob(".x.csv*"))


@pytest.mark.parametrize("source", ["log.csv", "ERRORLOG"])
def test_a_time_in_which_nothing_was_captured_is_said(files, source):
    out = files / ("x.csv" if source == "log.csv" else "x.jsonl")
    done = convert(files / source, out, Selection(begin=datetime(2027, 1, 1)))
    assert done.rows == 0
    assert done.issues == [("warning", f"{out}: no record is between --begin and --end", 1)]


def test_a_capture_that_is_named_twice_is_read_once(files):
    (files / "link.csv").symlink_to(files / "log.csv")
    done = convert([files / "log.csv", files / "link.csv"], files / "x.csv")
    assert (files / "x.csv").read_bytes() == CSV
    assert done.issues == [("warning", f"{files}/link.csv: is named twice, and read once", 1)]


def test_interrupted_it_leaves_nothing_and_says_so(files, monkeypatch, capsys):
    def interrupt(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("agtrace.convert.pdh_text.TextWriter.write", interrupt)
    out = files / "x.csv"
    status = main(["convert", f"{files}/log.csv", "-o", str(out)])
    assert (status, capsys.readouterr().err) == (130, f"agtrace: interrupted; {out} was not written\n")
    assert not list(files.glob("*x.csv*"))


def test_damage_is_handed_on(files):
    (files / "log.csv").write_bytes(CSV + b'"03/14/2026 09:00:05.000","2",\r\n"03/14/20')
    done = convert(files / "log.csv", files / "x.csv")
    assert done.rows == 1
    assert [(severity, count) for severity, _message, count in done.issues] == [("data_loss", 2)]


def test_a_format_converts_by_the_tables_that_it_yields(tmp_path):
    """No list of formats: a reader that yields perfmon tables is converted like any other."""

    def batch(schema, rows):
        return pa.RecordBatch.from_pylist(rows, schema=schema)

    class Reader:
        name, version = "binary", 1

        def detect(self, head, name):
            return None

        def read(self, source, options):
            series = {"counter_no": 0, "path": "\\Memory\\Pages/sec"}
            yield "counters", batch(COUNTERS, [series])
            for tick in range(2):
                yield "ticks", batch(TICKS, [{"tick": tick, "time_local": tick * 5_000_000}])
                yield ("samples", batch(SAMPLES, [{"counter_no": 0, "tick": tick, "value": tick / 2}]))

    assert [c.what for c in conversions() if c.claims("counters")] == ["a perfmon log"]
    reading = Reading(Reader(), Source.of_bytes(b""), ReadOptions())
    out = tmp_path / "x.tsv"
    rows = PerfmonConversion().write(reading.batches(), out, ".tsv", Selection(), reading)
    assert rows == 2
    assert out.read_bytes().decode().split("\r\n") == [
        '"(PDH-TSV 4.0)"\t"\\Memory\\Pages/sec"',
        '"01/01/1970 00:00:00.000"\t"0"',
        '"01/01/1970 00:00:05.000"\t"0.5"',
        "",
    ]


def test_values_of_rows_that_were_complete_are_refused(tmp_path):
    """A reader that breaks the order must not lose values silently."""

    def batches():
        yield ("counters", pa.RecordBatch.from_pylist([{"counter_no": 0, "path": "\\a\\b"}], schema=COUNTERS))
        for tick in range(2):
            ticks = [{"tick": tick, "time_local": tick}]
            yield "ticks", pa.RecordBatch.from_pylist(ticks, schema=TICKS)
        sample = {"counter_no": 0, "tick": 0, "value": 1.0}
        yield "samples", pa.RecordBatch.from_pylist([sample], schema=SAMPLES)

    reading = Reading(None, Source.of_bytes(b""), ReadOptions())
    with pytest.raises(AgtraceError, match="complete already"):
        PerfmonConversion().write(batches(), tmp_path / "x.csv", ".csv", Selection(), reading)
