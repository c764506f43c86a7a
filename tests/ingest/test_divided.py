"""A huge perfmon log read span by span gives the store of the log read whole."""

from __future__ import annotations

import dataclasses
import itertools

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agtrace.engines import Lost, Serial
from agtrace.ingest import divide, engine, ingest
from agtrace.ingest.job import Job
from agtrace.readers import ReadOptions
from agtrace.readers.base import Source, Span
from agtrace.readers.pdh_text import READER
from agtrace.store import Store
from simulation.formats.pdh_text import write_pdh
from tests.ingest import texts
from tests.shared import CAPTURES, needs_captures

OTHER = b'"(PDH-CSV 4.0) (x)(0)","\\\\H\\Other\\Counter","\\\\H\\Other\\Second"\r\n'


class Side:
    """Workers side by side, as far as it can be seen; they do their work one after the other."""

    here = True
    at_once = 4

    def __init__(self):
        self.keys = []

    def map(self, work, tasks, seen):
        # Backwards: nothing may hang on the order in which spans are done.
        for task in reversed(list(tasks)):
            self.keys.append(task.key)
            yield task, work(task.argument, seen)

    def decoded(self):
        return [key for key in self.keys if key.startswith("decode-")]


@pytest.fixture(autouse=True)
def small_spans(monkeypatch):
    monkeypatch.setattr(divide, "SPAN_BYTES", 700)


def case_of(tmp_path, data: bytes):
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "perf.csv").write_bytes(data)
    return folder


def tables(root) -> dict[str, object]:
    """Return a store's data on its one content, whatever files hold it."""
    store = Store(root)
    (record,) = store.records().values()
    held: dict[str, object] = {}
    for table, files in record.files.items():
        paths = [store.parts / record.part / file.name for file in files]
        rows = pa.concat_tables(pq.read_table(path).drop_columns("content_id") for path in paths)
        if table in ("ticks", "samples"):
            held[table] = rows.sort_by([(name, "ascending") for name in rows.schema.names])
        else:
            held[table] = sorted(rows.to_pylist(), key=repr)
        assert record.tables[table] == rows.num_rows
    assert sorted(record.tables) == sorted(record.files)
    return held | {"record": dataclasses.replace(record, part=None, files={}, tables={})}


def both(tmp_path, data: bytes):
    """Read a log whole and span by span; give both stores and the keys of what was decoded."""
    case, side = case_of(tmp_path, data), Side()
    whole = tables(ingest(case, tmp_path / "whole", engine=Serial()).store)
    divided = tables(ingest(case, tmp_path / "divided", engine=side).store)
    assert not list((tmp_path / "divided" / "parts").glob("*.partial"))
    assert len(list((tmp_path / "divided" / "parts").iterdir())) == 1
    return whole, divided, side.decoded()


def utf16(data: bytes) -> bytes:
    return b"\xff\xfe" + data.decode().encode("utf-16-le")


def damaged() -> bytes:
    """Torn rows and cells that are no number, in several spans."""
    lines = texts.perfmon(80).split(b"\r\n")
    for row in (5, 30, 31, 70):
        lines[row] = lines[row][:20]
    lines[40] = lines[40].replace(b'"40', b'"x40')
    lines[60] = lines[60].replace(b'"60', b'"x60')
    return b"\r\n".join(lines)


@pytest.mark.parametrize(
    "data",
    [
        texts.perfmon(80),
        utf16(texts.perfmon(80)),
        texts.perfmon(80)[:-2],
        texts.perfmon(80).replace(b"\r\n", b"\n"),
        damaged(),
        utf16(damaged()),
    ],
    ids=["plain", "utf-16", "no last line end", "bare line feeds", "damaged", "damaged utf-16"],
)
def test_spans_give_the_tables_of_the_whole(tmp_path, data):
    whole, divided, decoded = both(tmp_path, data)
    assert divided == whole
    assert len(decoded) == -(-len(data) // 700)


def test_what_is_met_in_several_spans_is_counted_once_where_it_was_met_first(tmp_path):
    _whole, divided, _decoded = both(tmp_path, damaged())
    met = {row["kind"]: (row["count"], row["offset"]) for row in divided["issues"]}
    lines = damaged().split(b"\r\n")
    assert met["torn_row"] == (4, sum(len(line) + 2 for line in lines[:5]))


@pytest.mark.complete
def test_a_step_of_the_clock_between_two_spans_is_a_step(tmp_path):
    rows = texts.perfmon(80).split(b"\r\n")
    later = texts.perfmon(120).split(b"\r\n")[-40:]
    for cut in range(10, 40, 3):
        folder = tmp_path / str(cut)
        folder.mkdir()
        _whole, divided, _decoded = both(folder, b"\r\n".join(rows[:cut] + later))
        assert divided["record"].summary.steps == _whole["record"].summary.steps


@pytest.mark.parametrize(
    "data",
    [
        # What another header ends, only who has read up to there can know.
        b"".join([texts.perfmon(30), OTHER, texts.perfmon(30)]),
        # A log whose first rows lost their date is refused, wherever the others are.
        texts.perfmon(0) + b'"00:12.3","1","2"\r\n' * 60 + texts.perfmon(30).partition(b"\r\n")[2],
        texts.perfmon(0) + b"torn\r\n" * 200 + texts.perfmon(30).partition(b"\r\n")[2],
    ],
    ids=["another header", "no dates", "no row at its begin"],
)
def test_what_depends_on_what_came_before_is_read_whole(tmp_path, data):
    whole, divided, decoded = both(tmp_path, data)
    assert divided == whole
    assert len(decoded) == 1


def test_a_line_longer_than_a_span_belongs_to_the_span_that_it_begins_in(tmp_path):
    long = texts.perfmon(40).split(b"\r\n")
    long[10] = b"x" * 2000
    whole, divided, decoded = both(tmp_path, b"\r\n".join(long))
    assert divided == whole
    assert len(decoded) > 3


def test_a_log_that_is_no_more_than_its_share_is_one_job(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.csv").write_bytes(texts.perfmon(80, host=f"SQL{number}"))
    side = Side()
    ingest(folder, tmp_path / "store", engine=side)
    assert len(side.decoded()) == 4


@pytest.mark.parametrize("fate", ["lost", "failed", "changed"])
def test_a_span_that_cannot_be_read_is_read_with_the_whole(tmp_path, fate):
    class Failing(Side):
        def map(self, work, tasks, seen):
            for task, outcome in super().map(work, tasks, seen):
                span = task.argument.options.span
                if span is None or not task.key.startswith("decode-") or span.begin == 0:
                    yield task, outcome
                elif fate == "lost":
                    yield task, Lost("out of memory")
                elif fate == "failed":
                    failed = dataclasses.replace(outcome.record, status="failed", reason="x")
                    yield task, dataclasses.replace(outcome, record=failed)
                else:
                    yield task, dataclasses.replace(outcome, changed=True)

    case, failing = case_of(tmp_path, texts.perfmon(80)), Failing()
    whole = tables(ingest(case, tmp_path / "whole", engine=Serial()).store)
    assert tables(ingest(case, tmp_path / "divided", engine=failing).store) == whole
    assert len(failing.decoded()[-1]) < len(failing.decoded()[0])
    assert not list((tmp_path / "divided" / "parts").glob("*.partial"))


@pytest.mark.parametrize("is_lost", [False, True])
def test_small_files_are_handed_over_together(tmp_path, monkeypatch, is_lost):
    class Losing(Side):
        def map(self, work, tasks, seen):
            for task, outcome in super().map(work, tasks, seen):
                # Whatever holds the third file takes its process with it.
                jobs = (task.argument,) if isinstance(task.argument, Job) else task.argument
                guilty = is_lost and any(job.place.shown == "file3.txt" for job in jobs)
                yield task, Lost("out of memory") if guilty else outcome

    monkeypatch.setattr(engine, "TASKS", 2)
    case, side = tmp_path / "case", Losing()
    case.mkdir()
    for number in range(8):
        (case / f"file{number}.txt").write_text(f"no capture {number}")
    report = ingest(case, tmp_path / "store", engine=side)
    assert len(side.decoded()) == (2 + 4 if is_lost else 2)
    statuses = {capture.path: capture.status for capture in report.captures}
    lost = {"file3.txt": "failed"} if is_lost else {}
    assert statuses == {f"file{number}.txt": "not_understood" for number in range(8)} | lost


def test_a_run_that_ends_while_spans_are_put_together_leaves_nothing(tmp_path, monkeypatch):
    case, adopt, calls = case_of(tmp_path, texts.perfmon(80)), Store.adopt, []

    def ending(self, part, record):
        calls.append(record.part)
        if len(calls) == 3:
            raise KeyboardInterrupt
        adopt(self, part, record)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "adopt", ending)
        with pytest.raises(KeyboardInterrupt):
            ingest(case, tmp_path / "divided", engine=Side())
    assert Store(tmp_path / "divided").records() == {}
    divided = tables(ingest(case, tmp_path / "divided", engine=Side()).store)
    assert divided == tables(ingest(case, tmp_path / "whole", engine=Serial()).store)
    assert len(list((tmp_path / "divided" / "parts").iterdir())) == 1


def test_counters_and_an_encoding_go_with_each_span(tmp_path):
    data = texts.perfmon(80).replace(b"JBSAG3", "ЖБ".encode("cp1251"))
    case = case_of(tmp_path, data)
    how = {"counters": ("*Received*",), "encoding": "cp1251"}
    whole = tables(ingest(case, tmp_path / "whole", engine=Serial(), **how).store)
    assert tables(ingest(case, tmp_path / "divided", engine=Side(), **how).store) == whole
    assert whole["samples"]["counter_no"].unique().to_pylist() == [0]
    assert [row["host"] for row in whole["counters"]] == ["ЖБ"]


LINES = st.sampled_from(
    [
        b'"03/02/2019 10:00:00.007","1","2"\r\n',
        b'"03/02/2019 10:00:05.007"," ","2,5"\n',
        b'"03/02/2019 10:00:10.007","1"\r\n',
        b"Exiting, please wait...\r\n",
        b"\r\n",
        b'"99/99/2019 10:00:10.007","1","2"\r\n',
    ]
)


@pytest.mark.complete
@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=12), st.booleans(), st.data())
def test_any_cuts_give_each_row_once(lines, wide, data):
    text = write_pdh([r"\\H\A\B", r"\\H\A\C"], []) + b"".join(lines)
    log = Source.of_bytes(utf16(text) if wide else text)
    cuts = data.draw(st.lists(st.integers(0, log.size), max_size=4))
    bounds = [0, *sorted(cuts), log.size]
    found, first = [], 0
    for begin, end in itertools.pairwise(bounds):
        how = ReadOptions(span=Span(begin, end, first))
        if begin < end or not begin:
            found += rows_of(log, how)
            first += READER.rows_in(log, how)
    assert sorted(found) == sorted(rows_of(log, ReadOptions()))


def rows_of(log: Source, how: ReadOptions) -> list[str]:
    """Return the rows of a log as text, in no order."""
    return [
        f"{table} {row}"
        for table, batch in READER.read(log, how)
        if table in ("ticks", "samples")
        for row in batch.to_pylist()
    ]


@needs_captures
@pytest.mark.complete
@pytest.mark.parametrize("path", sorted((CAPTURES / "perfmon").glob("*.[ct]sv")), ids=lambda path: path.name)
def test_real_logs_in_spans_are_the_real_logs(tmp_path, monkeypatch, path):
    monkeypatch.setattr(divide, "SPAN_BYTES", max(path.stat().st_size // 7, 1))
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / path.name).symlink_to(path)
    whole = tables(ingest(folder, tmp_path / "whole", engine=Serial(), follow_links=True).store)
    divided = ingest(folder, tmp_path / "divided", engine=Side(), follow_links=True)
    assert tables(divided.store) == whole


def test_rows_are_counted_without_their_values():
    log = Source.of_bytes(damaged())
    assert READER.rows_in(log, ReadOptions(span=Span(0, log.size))) == 76
