"""Captures read without a case: one, several or a glob, whole or a batch at a time; ``time`` is UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

import agtrace
from agtrace.errors import CaptureError, CaseError
from simulation.formats.pdh_text import write_pdh
from simulation.formats.xel import Event, XelFile, event_schema
from tests.ingest import texts
from tests.shared import CAPTURES, needs_captures

START = texts.START
NAMES = ["time", "time_local", "host", "sql_instance", "object", "instance", "counter", "value"]


def pdh(path, *times, zone="(CET)(-60)"):
    rows = [[float(n)] for n, _ in enumerate(times)]
    path.write_bytes(write_pdh([r"\\A\Memory\Pages/sec"], rows, zone=zone, times=list(times)))
    return path


def xel(path, *values, name="e"):
    schema = event_schema(name, {"n": "int32", "m": "int32"})
    events = [Event(schema, 10_000_000 * n, {"n": n, "m": -n}) for n in values]
    path.write_bytes(XelFile().write(events))
    return path


def test_time_is_utc_and_time_local_the_hosts_own(tmp_path):
    table = agtrace.read_pdh(pdh(tmp_path / "a.csv", START))
    assert table.column_names == NAMES
    assert table["time_local"].to_pylist() == [START]
    assert table["time"].to_pylist() == [(START - timedelta(hours=1)).replace(tzinfo=UTC)]


def test_time_is_utc_and_time_local_the_hosts_own_in_readers_methods_and_sql_alike(tmp_path):
    """Nine hours behind UTC, which the ERRORLOG alone says: the log without a case knows no ``time``."""
    local, utc = START, (START + timedelta(hours=9)).replace(tzinfo=UTC)
    (tmp_path / "A").mkdir()
    log = pdh(tmp_path / "A" / "a.csv", START, zone=" (Pacific Stand")
    (tmp_path / "A" / "ERRORLOG").write_bytes(texts.errorlog(server="A", adjustment="-9:00"))
    alone, entries = agtrace.read_pdh(log), agtrace.read_errorlog(tmp_path / "A" / "ERRORLOG")
    with agtrace.open_case(tmp_path) as case:
        (row,) = case.sql("select time, time_local from samples").fetchall()
        logged = case.sql("select time, time_local from errorlog order by line limit 1").fetchall()[0]
        shown = case.errorlog()
    assert (alone["time"][0].as_py(), alone["time_local"][0].as_py()) == (None, local)
    assert row == (utc, local)
    started = entries["time_local"][0].as_py()
    assert logged == ((started + timedelta(hours=9)).replace(tzinfo=UTC), started)
    assert "time" not in entries.column_names
    assert shown["time"].iloc[0] == logged[0]


def test_a_log_that_does_not_tell_its_distance_from_utc_has_no_time_in_it(tmp_path):
    table = agtrace.read_pdh(pdh(tmp_path / "a.csv", START, zone="("))
    assert (table["time_local"].to_pylist(), table["time"].to_pylist()) == ([START], [None])


def test_behind_a_clock_that_was_set_a_text_log_tells_it_no_more(tmp_path):
    times = [START, START + timedelta(minutes=10), START - timedelta(minutes=45)]
    table = agtrace.read_pdh(pdh(tmp_path / "a.csv", *times))
    assert [time is None for time in table["time"].to_pylist()] == [False, False, True]


def test_names_are_dictionaries(tmp_path):
    table = agtrace.read_pdh(pdh(tmp_path / "a.csv", START))
    assert all(pa.types.is_dictionary(table.schema.field(name).type) for name in NAMES[2:7])


@pytest.mark.parametrize("asked", ["list", "glob", "text"])
def test_several_are_one_table_with_where_each_row_comes_from(tmp_path, asked):
    logs = [pdh(tmp_path / "a.csv", START), pdh(tmp_path / "b.csv", START, START)]
    path = {"list": logs, "glob": tmp_path / "?.csv", "text": str(tmp_path / "*.csv")}[asked]
    table = agtrace.read_pdh(path)
    assert table.column_names == [*NAMES, "path"]
    assert table["path"].to_pylist() == [str(logs[0]), str(logs[1]), str(logs[1])]


def test_a_glob_that_names_nothing_is_told(tmp_path):
    with pytest.raises(CaptureError, match="no such file"):
        agtrace.read_pdh(tmp_path / "*.csv")
    with pytest.raises(CaptureError, match="no such file"):
        agtrace.read_pdh([])


def test_a_name_with_brackets_is_that_file(tmp_path):
    assert agtrace.read_pdh(pdh(tmp_path / "a[1].csv", START)).num_rows == 1


def test_read_tells_the_format(tmp_path):
    assert agtrace.read(pdh(tmp_path / "a.csv", START)).column_names == NAMES
    assert list(agtrace.read(xel(tmp_path / "a.xel", 1, 2))) == ["e"]
    (tmp_path / "ERRORLOG").write_bytes(texts.errorlog(2))
    assert agtrace.read(tmp_path / "ERRORLOG") == agtrace.read_errorlog(tmp_path / "ERRORLOG")
    netsh = agtrace.read(agtrace.sample("log_send_queue") / "JBSAG3" / "netsh.txt")
    assert set(netsh["facts"]["topic"].to_pylist()) == {"tcp_global"}


def test_captures_of_two_formats_are_no_table(tmp_path):
    with pytest.raises(CaptureError, match="is of another format than"):
        agtrace.read([pdh(tmp_path / "a.csv", START), xel(tmp_path / "a.xel", 1)])


@pytest.mark.parametrize(
    "read", [agtrace.read, agtrace.read_pdh, agtrace.read_cluster_log, agtrace.read_evtx]
)
def test_what_no_reader_knows_is_told_in_a_line(tmp_path, read):
    (tmp_path / "x").write_bytes(b"nothing of the kind\n")
    with pytest.raises(CaptureError, match=r"x: is not .*no known format|x: has no format that is read"):
        read(tmp_path / "x")


def test_events_and_columns_are_chosen(tmp_path):
    found = agtrace.read_xel(xel(tmp_path / "a.xel", 1, 2), events="e", columns=["n"])
    assert {name: table.column_names for name, table in found.items()} == {"e": ["n"]}


def test_events_of_several_files_follow_each_other(tmp_path):
    xel(tmp_path / "s_0.xel", 1), xel(tmp_path / "s_1.xel", 2, 3)
    assert agtrace.read_xel(tmp_path / "s_*.xel")["e"]["n"].to_pylist() == [1, 2, 3]


def test_batches_hold_the_rows_of_the_whole(tmp_path):
    logs = [pdh(tmp_path / "a.csv", START, START + timedelta(seconds=1)), pdh(tmp_path / "b.csv", START)]
    batches = list(agtrace.iter_batches(logs))
    assert {name for name, _batch in batches} == {"values"}
    assert pa.Table.from_batches([batch for _name, batch in batches])["value"].to_pylist() == [0, 1, 0]
    assert [name for name, _ in agtrace.iter_batches(xel(tmp_path / "a.xel", 1))] == ["e"]
    (tmp_path / "ERRORLOG").write_bytes(texts.errorlog(2))
    assert "errorlog" in {name for name, _ in agtrace.iter_batches(tmp_path / "ERRORLOG")}


def test_columns_of_one_name_and_several_types_are_one(tmp_path):
    for n, kind in enumerate(("int32", "unicode_string")):
        schema = event_schema("e", {"n": kind, "path": "unicode_string"})
        events = [Event(schema, 10_000_000, {"n": 7 if n == 0 else "seven", "path": "p"})]
        (tmp_path / f"s_{n}.xel").write_bytes(XelFile().write(events))
    table = agtrace.read_xel(tmp_path / "s_*.xel")["e"]
    assert table["n"].to_pylist() == ["7", "seven"]
    assert table["path"].to_pylist() == ["p", "p"]
    assert [path[-7:] for path in table["_path"].to_pylist()] == ["s_0.xel", "s_1.xel"]


def test_a_file_that_is_named_twice_is_read_once(tmp_path):
    log = pdh(tmp_path / "a.csv", START)
    assert agtrace.read_pdh([log, tmp_path / "*.csv"]).num_rows == 1


@pytest.mark.parametrize("path", [None, 5, [None], b"a.csv"])
def test_what_is_no_path_is_told(path):
    with pytest.raises(CaseError, match="is no path"):
        agtrace.read(path)


def test_batches_of_a_file_that_is_not_there_are_told_at_once(tmp_path):
    with pytest.raises(CaptureError):
        agtrace.iter_batches(tmp_path / "none.csv")


@pytest.mark.complete
@needs_captures
def test_real_logs_of_both_kinds_give_what_their_batches_give():
    for path in [
        *sorted((CAPTURES / "blg").glob("*.blg"))[:2],
        *sorted((CAPTURES / "perfmon").rglob("*.csv"))[:3],
    ]:
        try:
            table = agtrace.read(path)
        except CaptureError:
            continue
        rows = [batch for _name, batch in agtrace.iter_batches(path)]
        streamed = pa.Table.from_batches(rows) if rows else table.slice(0, 0)
        assert streamed.num_rows == table.num_rows
        assert sorted(streamed["value"].to_pylist(), key=repr) == sorted(table["value"].to_pylist(), key=repr)
        known = [time for time in table["time"].to_pylist() if time is not None]
        assert not known or known[0].tzinfo is not None


@needs_captures
def test_a_real_cluster_log_is_read_alone():
    table = agtrace.read_cluster_log(
        CAPTURES / "support_folder" / "output" / "CONTOSO1.contoso.lan_cluster.log"
    )
    assert table.num_rows == 3
    assert {"line", "time_local", "level", "text"} <= set(table.column_names)
    assert min(table["time_local"].drop_null().to_pylist()) > datetime(2000, 1, 1)


def test_a_file_url_is_a_path(tmp_path):
    log = pdh(tmp_path / "a b.csv", START)
    assert agtrace.read_pdh(log.as_uri()).equals(agtrace.read_pdh(log))
    assert agtrace.read_pdh(f"file://localhost{log.as_uri().removeprefix('file://')}").num_rows == 1
    assert agtrace.read_pdh(f"{tmp_path.as_uri()}/*.csv").num_rows == 1
    with pytest.raises(CaptureError, match="cannot be read"):
        agtrace.read_pdh("file:///nowhere/a.csv")


@pytest.fixture
def bucket(tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="the extra s3 is not installed")
    url = f"memory://{tmp_path.name}"
    files = {
        "a/one.csv": pdh(tmp_path / "one.csv", START),
        "a/two.csv": pdh(tmp_path / "two.csv", START, START + timedelta(seconds=5)),
        "a/b/deep.csv": pdh(tmp_path / "deep.csv", START),
        "e.xel": xel(tmp_path / "e.xel", 1, 2, 3),
        "ERRORLOG": texts.errorlog(),
    }
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.read_bytes()
        fsspec.filesystem("memory").pipe_file(f"/{tmp_path.name}/{name}", data)
    return url


def test_captures_of_a_storage_are_read_as_files_are(bucket, tmp_path):
    assert agtrace.read_pdh(f"{bucket}/a/two.csv").equals(agtrace.read_pdh(tmp_path / "two.csv"))
    both = agtrace.read_pdh(f"{bucket}/a/*.csv")
    assert sorted(set(both["path"].to_pylist())) == [f"{bucket}/a/one.csv", f"{bucket}/a/two.csv"]
    assert agtrace.read_xel(f"{bucket}/e.xel")["e"].equals(agtrace.read_xel(tmp_path / "e.xel")["e"])
    assert (
        agtrace.read(f"{bucket}/ERRORLOG").num_rows
        == agtrace.read_errorlog(f"{bucket}/ERRORLOG").num_rows
        > 0
    )
    names = [name for name, _batch in agtrace.iter_batches([f"{bucket}/e.xel", f"{bucket}/a/one.csv"])]
    assert names == ["e", "values"]


@pytest.mark.parametrize("name", ["none.csv", "none*.csv", "a"])
def test_nothing_at_a_url_is_an_error_that_names_it(bucket, name):
    with pytest.raises(CaptureError, match="no such file") as error:
        agtrace.read_pdh(f"{bucket}/{name}")
    assert bucket in str(error.value)


def test_a_storage_without_its_package_says_what_to_install():
    with pytest.raises(agtrace.AgtraceError, match="nostorage://"):
        agtrace.read_pdh("nostorage://bucket/a.csv")
