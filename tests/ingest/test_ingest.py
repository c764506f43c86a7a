"""Ingest: what is found, what is read, what is skipped, and what a fault leaves behind."""

from __future__ import annotations

import errno
import json
import os
import zipfile

import pyarrow.parquet as pq
import pytest

from agtrace import open_case
from agtrace.errors import CaseError, StoreError
from agtrace.ingest import ingest
from agtrace.ingest.archives import limits, zip_directory
from agtrace.report.folder import ReportFolder
from simulation.formats import rowsets as make_rowsets
from tests.ingest import texts


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    (folder / "JBSAG3").mkdir(parents=True)
    return folder


def put(folder, **files: bytes) -> None:
    for name, data in files.items():
        (folder / name.replace("__", ".")).write_bytes(data)


def statuses(report) -> dict[str, str]:
    return {capture.path: capture.status for capture in report.captures}


def test_each_file_gets_a_row_with_its_status(case):
    put(case / "JBSAG3", perf__csv=texts.perfmon(), ERRORLOG=texts.errorlog(), netsh__txt=texts.NETSH)
    put(case, photo__jpg=b"\xff\xd8\xff\xe0 no capture", nothing__csv=b"", table__csv=b"a,b\r\n1,2\r\n")
    assert statuses(ingest(case)) == {
        "JBSAG3/ERRORLOG": "ingested",
        "JBSAG3/netsh.txt": "ingested",
        "JBSAG3/perf.csv": "ingested",
        "nothing.csv": "empty",
        "photo.jpg": "not_understood",
        "table.csv": "not_understood",
    }


def test_a_second_run_reads_nothing(case):
    put(case, perf__csv=texts.perfmon())
    assert (ingest(case).ingested, ingest(case).ingested) == (1, 0)
    assert ingest(case).skipped == 1


def test_only_what_is_new_is_read(case):
    put(case, perf__csv=texts.perfmon())
    ingest(case)
    put(case, ERRORLOG=texts.errorlog())
    report = ingest(case)
    assert [capture.path for capture in report.captures if capture.seconds is not None] == ["ERRORLOG"]


def test_a_file_that_grew_is_read_again(case):
    put(case, perf__csv=texts.perfmon(6))
    ingest(case)
    put(case, perf__csv=texts.perfmon(8))
    report = ingest(case)
    assert [(c.rows, c.seconds is not None) for c in report.captures] == [(16, True)]


def test_equal_bytes_are_read_once_and_found_twice(case):
    put(case, a__csv=texts.perfmon(), b__csv=texts.perfmon())
    report = ingest(case)
    assert statuses(report) == {"a.csv": "ingested", "b.csv": "ingested"}
    assert len(list((report.store / "parts").iterdir())) == 1


def test_a_raised_reader_version_reads_again(case, monkeypatch):
    from agtrace.readers import readers

    put(case, perf__csv=texts.perfmon())
    ingest(case)
    reader = next(r for r in readers() if r.name == "pdh_text")
    monkeypatch.setattr(reader, "version", reader.version + 1)
    assert ingest(case).ingested == 1


def names_and_guesses(case, number_read):
    """Ingest; give the cells that were read in a code page, and whether it was guessed."""
    assert ingest(case).ingested == number_read
    with open_case(case) as opened:
        cells = [cells for (cells,) in opened.sql("select cells from rowset_rows").fetchall()]
        guesses = opened.sql("from issues where kind = 'code_page_guessed'").fetchall()
    return cells, len(guesses)


@pytest.mark.complete
def test_a_guess_is_settled_by_what_comes_to_lie_beside_it(case):
    output = make_rowsets.rowset("a", (("id", -11), ("name", 20)), [(1, "Šiauliai")])
    put(case, x__out=output.encode("cp775"), y__out=output.encode("utf-8"))
    guessed, number = names_and_guesses(case, 2)
    assert guessed != [["1", "Šiauliai"]] * 2
    assert number == 1
    topology = '<AGInfoRoot><row group_name="AG1" database_name="Šiauliai" /></AGInfoRoot>'
    put(case, S_GetAGTopology__xml=topology.encode("utf-16"))
    # What asked nothing is not read again.
    assert names_and_guesses(case, 2) == ([["1", "Šiauliai"]] * 2, 0)
    assert names_and_guesses(case, 0) == ([["1", "Šiauliai"]] * 2, 0)
    (case / "S_GetAGTopology.xml").unlink()
    assert names_and_guesses(case, 1) == (guessed, 1)


def test_a_record_of_before_that_does_not_say_what_lay_beside_is_not_read_again(case):
    output = make_rowsets.rowset("a", (("id", -11), ("name", 20)), [(1, "Büro")])
    put(case, x__out=output.encode("cp850"))
    store = ingest(case).store
    (record,) = (store / "commits").glob("*.json")
    old = json.loads(record.read_text())
    assert old.pop("beside") == []
    record.write_text(json.dumps(old))
    (store / ".agtrace-store").write_text('{"format": 1}')
    assert ingest(case, store).ingested == 0


def test_choosing_counters_reads_only_those(case):
    put(case, perf__csv=texts.perfmon(6))
    report = ingest(case, counters=("*queue*",))
    assert report.captures[0].rows == 6
    assert ingest(case).captures[0].rows == 12


def test_a_torn_capture_keeps_what_was_readable(case):
    put(case, perf__csv=texts.perfmon(6)[:-9])
    report = ingest(case)
    assert (report.captures[0].status, report.captures[0].rows) == ("ingested", 10)


@pytest.mark.complete
def test_processes_give_the_same_store(case, tmp_path):
    put(case / "JBSAG3", perf__csv=texts.perfmon(), ERRORLOG=texts.errorlog())
    one = ingest(case, tmp_path / "one", jobs=1)
    two = ingest(case, tmp_path / "two", jobs=2)
    assert [(c.path, c.status, c.rows) for c in one.captures] == [
        (c.path, c.status, c.rows) for c in two.captures
    ]

    def rows(report, table):
        files = sorted(report.store.glob(f"parts/*/{table}.parquet"))
        return [pq.read_table(file).to_pylist() for file in files]

    assert rows(one, "samples") == rows(two, "samples")
    assert rows(one, "errorlog") == rows(two, "errorlog")


def test_the_store_and_the_report_are_not_captures(case):
    put(case, perf__csv=texts.perfmon())
    ingest(case)
    report = ReportFolder(case / "agtrace-report")
    report.write("findings.json", "[]")
    report.finish()
    assert set(statuses(ingest(case))) == {"perf.csv"}


@pytest.mark.parametrize(("make", "says"), [(False, "no such folder"), (True, "there is no file in it")])
def test_nothing_to_read_is_one_line(tmp_path, make, says):
    folder = tmp_path / "x"
    if make:
        folder.mkdir()
    with pytest.raises(CaseError, match=says):
        ingest(folder)
    assert not (folder / ".agtrace").exists()


def test_an_unreadable_file_is_named_and_the_rest_is_read(case, monkeypatch):
    put(case, a__csv=texts.perfmon(), b__csv=texts.perfmon(3))
    real = os.stat

    def refuse(path, *args, **kwargs):
        if str(path).endswith("a.csv"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *args, **kwargs)

    monkeypatch.setattr("agtrace.ingest.discover.status_of", refuse)
    report = ingest(case)
    assert statuses(report) == {"a.csv": "unreadable", "b.csv": "ingested"}
    assert report.captures[0].reason == "Permission denied"


def test_an_unknown_encoding_leaves_what_was_stored(case):
    put(case, perf__csv=texts.perfmon())
    ingest(case)
    with pytest.raises(CaseError, match="'nosuch' is no character encoding"):
        ingest(case, encoding="nosuch")
    assert ingest(case).skipped == 1


def test_a_folder_that_cannot_be_listed_is_named_and_the_rest_is_read(case, monkeypatch):
    (case / "closed").mkdir()
    put(case, b__csv=texts.perfmon(3))
    real = os.scandir

    def refuse(path):
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr("os.scandir", refuse)
    report = ingest(case)
    assert statuses(report) == {"b.csv": "ingested", "closed": "unreadable"}
    assert report.captures[1].reason == "folder: Permission denied"


def test_a_folder_that_must_not_be_entered_does_not_stop_the_walk(case, monkeypatch):
    put(case, b__csv=texts.perfmon(3))
    real = os.stat

    def refuse(path, *args, **kwargs):
        if f"{os.sep}JBSAG3{os.sep}" in str(path):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *args, **kwargs)

    monkeypatch.setattr("os.stat", refuse)
    assert statuses(ingest(case)) == {"b.csv": "ingested"}


def test_a_full_disk_leaves_the_store_whole(case, monkeypatch):
    put(case, a__csv=texts.perfmon())
    before = ingest(case)
    put(case, b__csv=texts.perfmon(3))

    def full(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pq.ParquetWriter, "write_batch", full)
        with pytest.raises(StoreError, match="no space left on the disk"):
            ingest(case)
    assert len(list((before.store / "parts").iterdir())) == 1
    assert statuses(ingest(case)) == {"a.csv": "ingested", "b.csv": "ingested"}


def test_a_defect_of_a_reader_stops_only_its_capture(case, monkeypatch):
    from agtrace.readers import readers

    put(case, a__csv=texts.perfmon(), ERRORLOG=texts.errorlog())
    reader = next(r for r in readers() if r.name == "pdh_text")

    def broken(*_args, **_kwargs):
        yield from ()
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(reader, "read", broken)
    report = ingest(case)
    assert statuses(report) == {"ERRORLOG": "ingested", "a.csv": "failed"}
    assert "pdh_text reader failed (ZeroDivisionError" in report.captures[1].reason


def zipped(path, **members: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("___", "/").replace("__", "."), data)


def test_a_zip_is_opened_in_place(case):
    zipped(case / "all.zip", JBSAG3___perf__csv=texts.perfmon(), JBSAG3___ERRORLOG=texts.errorlog())
    assert statuses(ingest(case)) == {
        "all.zip": "recognised",
        "all.zip!/JBSAG3/ERRORLOG": "ingested",
        "all.zip!/JBSAG3/perf.csv": "ingested",
    }


def test_members_of_one_name_are_each_read(case):
    with zipfile.ZipFile(case / "x.zip", "w") as archive:
        archive.writestr("perf.csv", texts.perfmon(3))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("perf.csv", texts.perfmon(5))
    report = ingest(case)
    assert [(c.path, c.rows) for c in report.captures if c.status == "ingested"] == [
        ("x.zip!/perf.csv", 6),
        ("x.zip!/perf.csv (2)", 10),
    ]


def test_a_zip_bomb_is_refused(case, monkeypatch):
    monkeypatch.setattr(limits, "RATIO_FREE_BYTES", 1000)
    zipped(case / "bomb.zip", zeros=bytes(1_000_000), perf__csv=texts.perfmon())
    report = ingest(case)
    assert statuses(report) == {
        "bomb.zip": "recognised",
        "bomb.zip!/perf.csv": "ingested",
        "bomb.zip!/zeros": "failed",
    }
    assert "more than 300 to 1" in report.captures[-1].reason


def test_a_zip_of_too_many_members_is_refused(case, monkeypatch):
    monkeypatch.setattr(zip_directory, "MAX_MEMBERS", 1)
    zipped(case / "many.zip", a=b"1", b=b"2")
    assert statuses(ingest(case)) == {"many.zip": "failed"}


def test_a_zip_too_large_once_unpacked_is_refused(case, monkeypatch):
    monkeypatch.setattr(limits, "MAX_TOTAL_BYTES", 400)
    zipped(case / "large.zip", a__csv=texts.perfmon(3), b__csv=texts.perfmon(4))
    assert statuses(ingest(case))["large.zip!/b.csv"] == "failed"


@pytest.mark.parametrize("cut", [30, 200, -30])
def test_a_damaged_zip_is_named_and_the_rest_is_read(case, cut):
    zipped(case / "x.zip", perf__csv=texts.perfmon(50))
    data = (case / "x.zip").read_bytes()
    (case / "x.zip").write_bytes(data[:cut])
    put(case, ERRORLOG=texts.errorlog())
    found = statuses(ingest(case))
    assert found["ERRORLOG"] == "ingested"
    assert found["x.zip"] == "failed"


def test_damaged_bytes_inside_a_zip_are_named(case):
    zipped(case / "x.zip", perf__csv=texts.perfmon(500))
    data = bytearray((case / "x.zip").read_bytes())
    data[200:220] = bytes(20)
    (case / "x.zip").write_bytes(bytes(data))
    (member,) = [c for c in ingest(case).captures if c.path == "x.zip!/perf.csv"]
    assert member.status == "unreadable"


@pytest.mark.skipif(os.name == "nt", reason="Windows names are Unicode")
def test_a_file_name_that_is_no_text_is_shown_escaped(case):
    with open(os.fsencode(case) + b"/caf\xe9.csv", "wb") as file:  # noqa: PTH123
        file.write(texts.perfmon(2))
    assert statuses(ingest(case)) == {"caf\\xe9.csv": "ingested"}


@pytest.mark.skipif(os.name == "nt", reason="Windows names are Unicode")
def test_names_that_are_shown_alike_are_told_apart(case):
    for name in (b"/caf\\xe9.csv", b"/caf\xe9.csv"):
        with open(os.fsencode(case) + name, "wb") as file:  # noqa: PTH123
            file.write(texts.perfmon(2))
    assert statuses(ingest(case)) == {"caf\\xe9.csv": "ingested", "caf\\xe9.csv (2)": "ingested"}
