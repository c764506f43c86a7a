"""A date at the ends of the calendar costs its own time in UTC, in every format and at every verb."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

import agtrace
from agtrace.cli import main
from agtrace.diagnostics import analyses
from agtrace.readers.far_times import END, FIRST, is_far, utc
from simulation.formats.blg import write_blg
from simulation.formats.blg_blocks import RAWCOUNT, Item, One, Sample
from simulation.formats.host_facts import robocopy_text
from simulation.formats.seeding_dmv import AUTOMATIC, write_csv
from simulation.formats.workload_tools import STRESS_HEAD, stress_row, timed_log
from simulation.formats.xel import Event, XelFile, event_schema
from tests.ingest import texts

pytestmark = pytest.mark.complete

LAST_DAY = datetime(9999, 12, 31, 21)
FIRST_DAY = datetime(1, 1, 1, 3)
VALID = (datetime(1601, 1, 2), datetime(9998, 6, 1))
"""Far from every capture, and in the calendar in every zone."""
NEAR = texts.START
OTHER = event_schema("state_change", {"text": "unicode_string"})
COUNT = Item("Memory", "Pages", RAWCOUNT)


def pdh(at: datetime) -> bytes:
    rows = texts.perfmon(6).split(b"\r\n")
    stamp = f'"{at:%m/%d}/{at.year:04} {at:%H:%M:%S}.000"'
    rows[3] = stamp.encode() + rows[3][rows[3].index(b",") :]
    return b"\r\n".join(rows)


def errorlog(at: datetime) -> bytes:
    text = texts.errorlog(5).decode("utf-16")
    place = text.index("Login number 2") - 35
    return (text[:place] + f"{at.year:04}-{at:%m-%d %H:%M:%S}.00" + text[place + 22 :]).encode("utf-16")


def blg(at: datetime) -> bytes:
    times = [NEAR, NEAR + timedelta(seconds=1), at, NEAR + timedelta(seconds=3)]
    return write_blg([COUNT], [Sample(time, [One(n)]) for n, time in enumerate(times)])


def xel(at: datetime) -> bytes:
    times = [NEAR, at, NEAR + timedelta(seconds=1)]
    events = [Event(OTHER, XelFile().ticks(time), {"text": "a"}) for time in times]
    return XelFile().write(events)


def hammerdb(at: datetime) -> bytes:
    # The run would end beyond the calendar: its log is that of a usual day, with one date changed.
    text = timed_log(NEAR, users=4, nopm=100, tpm=230)
    return text.replace(f"{NEAR:%b %d}", f"{at:%b %d}", 1).replace("2019", f"{at.year:04}", 1).encode()


def stress(at: datetime) -> bytes:
    row = stress_row("a", f"{at.year:04}-{at:%m-%dT%H:%M:%S}", 5, 4)
    return "\r\n".join([STRESS_HEAD, row, ""]).encode()


def robocopy(at: datetime) -> bytes:
    text = robocopy_text("\\\\JBSAG1\\c$\\", started=NEAR, copied=10**8, speed=10**7)
    return text.replace("2019", f"{at.year:04}").encode()


def seeding(at: datetime) -> bytes:
    row = {"start_time": at, "completion_time": at, "current_state": "COMPLETED", "operation_id": "x"}
    text = write_csv([row], AUTOMATIC)
    return text.replace(f"{at.year}-", f"{at.year:04}-").encode()


WRITERS = {
    "perf.csv": pdh,
    "ERRORLOG.2": errorlog,
    "perf.blg": blg,
    "a.xel": xel,
    "hammerdb.log": hammerdb,
    "stress.csv": stress,
    "robocopy.log": robocopy,
    "dm_hadr_automatic_seeding.csv": seeding,
}
"""A writer of a capture with one row at a moment, by the name of its file."""


def everything(case: agtrace.Case) -> None:
    """Ask everything of the analyses that have input."""
    for name in analyses():
        analysis = case.analysis(name)
        if analysis.missing():
            continue
        analysis.findings()
        for method in dir(analysis):
            if method.startswith(("fig_captures", "fig_chain", "tbl_", "say_")):
                getattr(analysis, method)()


@pytest.mark.parametrize("at", [FIRST_DAY, LAST_DAY, *VALID], ids=lambda at: f"{at.year:04}")
def test_no_date_ends_the_case(tmp_path, capsys, at):
    folder = tmp_path / "case"
    folder.mkdir()
    for name, write in WRITERS.items():
        # FILETIME begins in 1601.
        if at.year >= 1601 or name not in ("perf.blg", "a.xel"):
            (folder / name).write_bytes(write(at))
    (folder / "other.csv").write_bytes(texts.perfmon(30, host="SQL9"))
    files = sorted(folder.iterdir())
    for words in (
        ["ingest", folder, "--utc-offset", "14:00", "--jobs", "1"],
        ["findings", folder, "--json", "--utc-offset", "-12:00", "--jobs", "1"],
        ["info", *files],
    ):
        assert main([str(word) for word in words]) in (0, 1)
        assert "internal error" not in capsys.readouterr().err
    with agtrace.open_case(folder, ingest=False) as case:
        everything(case)
        spans = case.sql("SELECT first_time, last_time FROM captures").fetchall()
        assert all(is_far(time) is False for span in spans for time in span)
        others = "SELECT count(*) FROM samples JOIN captures USING (content_id) WHERE path = 'other.csv'"
        assert case.sql(others).fetchall() == [(60,)]


@pytest.mark.parametrize(
    ("name", "relation", "column", "rows"),
    [("perf.csv", "ticks", "time", 6), ("ERRORLOG.2", "errorlog", "time", 8),
     ("perf.blg", "ticks", "time", 4),
     ("a.xel", "events_state_change", "_time", 3)],
)  # fmt: skip
def test_its_time_is_null_its_row_is_kept_and_an_issue_says_where(tmp_path, name, relation, column, rows):
    folder = tmp_path / "JBSAG3"
    folder.mkdir()
    data = WRITERS[name](LAST_DAY)
    (folder / name).write_bytes(data)
    with agtrace.open_case(folder, utc_offsets={"*": 540}) as case:
        count = f'SELECT count(*), count(*) FILTER ("{column}" IS NULL) FROM {relation}'
        assert case.sql(count).fetchall() == [(rows, 1)]
        query = "SELECT \"offset\", severity, count FROM issues WHERE kind = 'far_time'"
        ((offset, severity, n),) = case.sql(query).fetchall()
    assert (severity, n) == ("warning", 1)
    if name == "perf.csv":
        assert data[offset:].startswith(b'"12/31/9999')
    elif name == "ERRORLOG.2":
        assert data[offset:].decode("utf-16-le").startswith("9999-12-31")
    else:
        assert 0 < offset < len(data)


def test_an_event_beyond_the_calendar_keeps_its_ticks_and_all_others(tmp_path):
    ticks = [0, 2**63 - 1, -(2**62), 10]
    (tmp_path / "a.xel").write_bytes(XelFile().write([Event(OTHER, each, {"text": "a"}) for each in ticks]))
    read = agtrace.read_xel(tmp_path / "a.xel")["state_change"]
    with agtrace.open_case(tmp_path) as case:
        query = "SELECT _time, _ticks FROM events_state_change ORDER BY _seq"
        stored = case.view.table(query)
        assert len(case.events("state_change")) == 4
    assert stored["_ticks"].to_pylist() == read["_ticks"].to_pylist()
    assert stored["_time"].to_pylist() == read["_time"].to_pylist()
    assert [time is None for time in read["_time"].to_pylist()] == [False, True, True, False]


@pytest.mark.parametrize("name", ["perf.csv", "ERRORLOG.2", "a.xel", "perf.blg"])
def test_such_a_capture_is_converted(tmp_path, capsys, name):
    (tmp_path / name).write_bytes(WRITERS[name](LAST_DAY))
    suffix = ".csv" if name.startswith("perf") else ".jsonl"
    out = tmp_path / f"out{suffix}"
    for words in (["-o", str(out)], ["-o", str(tmp_path / "o.parquet")]):
        assert main(["convert", str(tmp_path / name), *words]) == 0, capsys.readouterr().err
    assert "9999" in out.read_text(encoding="utf-8")


def test_a_report_is_made(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    for name, write in WRITERS.items():
        (folder / name).write_bytes(write(LAST_DAY))
    from agtrace.report import report

    made = report(folder, only=["overview", "transport"])
    assert made.failures == []
    assert json.loads((made.index.parent / "findings.json").read_text(encoding="utf-8"))


def test_what_is_far():
    assert is_far(END)
    assert is_far(FIRST - timedelta.resolution)
    assert not is_far(FIRST)
    assert not is_far(END - timedelta.resolution)
    assert not is_far(None)
    assert utc(datetime(2020, 1, 1)) == datetime(2020, 1, 1, tzinfo=UTC)
    assert utc(datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-8)))) is None
    assert utc(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))) is None


@pytest.mark.parametrize(
    "text",
    [
        (
            "SQL Server is now ready for client connections. This is an informational message; no user "
            "action is required."
        ),
        "SQL Server has encountered 12 occurrence(s) of I/O requests taking longer than 15 seconds to "
        "complete on file "
        "[D:\\x.mdf] in database [D] (5).  The OS file handle is 0x0000000000000A9C.  The offset of the "
        "latest long I/O "
        "is: 0x00000000000000",
    ],
)
def test_a_log_whose_sibling_tells_its_offset_has_no_time_beyond_the_calendar(tmp_path, text):
    folder = tmp_path / "JBSAG3"
    folder.mkdir()
    lines = (
        "9999-06-01 10:00:00.00 spid5s      Starting up database 'm'.\n",
        f"9999-12-31 23:59:50.00 spid5s      {text}\n",
    )
    (folder / "ERRORLOG").write_text("".join(lines))
    before = texts.errorlog(5, adjustment="-12:00", start=datetime(9999, 5, 31))
    (folder / "ERRORLOG.1").write_bytes(before)
    with agtrace.open_case(folder) as case:
        ids = [finding.id for finding in case.findings()]
        rows = case.sql(
            "SELECT message, time IS NULL FROM errorlog WHERE time_local >= '9999-06-01' ORDER BY line"
        ).fetchall()
        assert case.sql("SELECT count(*) FROM messages WHERE time > '9999-12-30'").fetchall() == [(0,)]
    assert [is_null for _message, is_null in rows] == [False, True]
    assert ids
