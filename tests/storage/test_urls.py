"""Cases and stores at storage URLs: what lies there is read as if it lay in a folder."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import platformdirs
import pytest

import agtrace
from agtrace.batch import batch, open_results
from agtrace.cli import main
from agtrace.engines import Serial
from agtrace.errors import CaseError, StorageError, StoreError
from agtrace.ingest import divide, ingest
from agtrace.storage import Remote, is_url, stand_in, url_of
from agtrace.storage.urls import is_plain
from agtrace.store import Store, open_store
from tests.batch.cases import FINDINGS_ONLY
from tests.ingest import texts
from tests.ingest.test_divided import Side, tables
from tests.kills import stored
from tests.storage.servers import SERVERS

pytestmark = pytest.mark.complete


@pytest.fixture(scope="module")
def monkeymodule():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module", params=list(SERVERS))
def server(request, monkeymodule):
    with SERVERS[request.param](monkeymodule) as url:
        yield url


@pytest.fixture
def s3_server(server):
    """For what is the same at any URL: once is enough."""
    if not server.startswith("s3:"):
        pytest.skip("tested with S3")
    return server


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Keep what stands for URLs apart from that of the user, and of other tests."""
    place = tmp_path / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: place / name)
    return place


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    (folder / "SQL1").mkdir(parents=True)
    (folder / "SQL1" / "perf.csv").write_bytes(texts.perfmon(9))
    (folder / "SQL1" / "ERRORLOG").write_bytes(texts.errorlog(5))
    (folder / "empty.txt").write_bytes(b"")
    (folder / "unknown.txt").write_text("no capture")
    (folder / "hosts.toml").write_text('[paths]\n"SQL1/*" = "SQL9"\n')
    with zipfile.ZipFile(folder / "SQL2.zip", "w") as archive:
        archive.writestr("SQL2/perf.csv", texts.perfmon(7, host="SQL2"))
    return folder


def uploaded(case: Path, url: str) -> str:
    remote = Remote(url)
    for path in sorted(case.rglob("*")):
        if path.is_file():
            remote.put(path.relative_to(case).as_posix(), path)
    return url


def asked(case, store):
    with agtrace.open_case(case, store) as opened:
        rows = "select path, kind, host_id, status, rows from captures order by path"
        values = (
            "select c.host, s.tick, s.value from samples s join counters c using (content_id, counter_no) "
            "order by all"
        )
        return [opened.sql(query).fetchall() for query in (rows, values)]


def test_a_case_at_a_url_gives_the_tables_of_the_folder_it_was_copied_from(server, case, tmp_path):
    url = uploaded(case, f"{server}/same/case")
    here = asked(case, tmp_path / "here")
    assert len(here[0]) == 6
    assert asked(url, tmp_path / "there") == here
    # And so does a store at a URL, whoever asks it.
    assert asked(url, f"{server}/same/store") == here
    assert stored(open_store(case, f"{server}/same/store").root) == stored(tmp_path / "here")


def test_a_huge_log_is_read_span_by_span_at_a_url(s3_server, tmp_path, monkeypatch):
    monkeypatch.setattr(divide, "SPAN_BYTES", 2000)
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "perf.csv").write_bytes(texts.perfmon(400))
    url, side = uploaded(tmp_path / "case", f"{s3_server}/spans/case"), Side()
    whole = tables(ingest(tmp_path / "case", tmp_path / "here").store)
    assert tables(ingest(url, f"{s3_server}/spans/store", engine=side).store) == whole
    assert len(side.decoded()) > 5
    # What is put together replaces its pieces, there too.
    parts = {file.name.split("/")[1] for file in Remote(f"{s3_server}/spans/store").files("parts")}
    assert len(parts) == 1


def test_what_did_not_change_is_not_fetched_again(s3_server, case, monkeypatch):
    url, store = uploaded(case, f"{s3_server}/again/case"), f"{s3_server}/again/store"
    assert ingest(url, store).ingested == 3
    fetched = []
    whole = Remote.fetch

    def fetch(self, name, target):
        fetched.append(f"{self.url}/{name}")
        whole(self, name, target)

    monkeypatch.setattr(Remote, "fetch", fetch)
    again = ingest(url, store)
    assert (again.ingested, again.skipped) == (0, 3)
    assert [name for name in fetched if "perf" in name or "ERRORLOG" in name] == []
    Remote(url).put("SQL1/ERRORLOG", _written(case.parent / "new", texts.errorlog(8)))
    assert ingest(url, store).ingested == 1


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_a_store_at_a_url_serves_a_machine_that_has_nothing(s3_server, case, tmp_path, monkeypatch):
    store = f"{s3_server}/fresh/store"
    ingest(case, store)
    before = asked(case, store)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "other" / name)
    again = ingest(case, store, engine=Serial())
    assert (again.ingested, again.skipped) == (0, 3)
    assert asked(case, store) == before


def test_a_part_that_was_cut_off_does_not_exist(server, case, monkeypatch):
    """A writer that is stopped between part and record leaves a content that is read again."""
    store = f"{server}/cut/store"
    whole = Remote.write

    def write(self, name, data):
        if name.startswith("commits/"):
            raise KeyboardInterrupt
        whole(self, name, data)

    with monkeypatch.context() as patch:
        patch.setattr(Remote, "write", write)
        with pytest.raises(KeyboardInterrupt):
            ingest(case, store)
    assert Remote(store).files("parts")
    assert open_store(case, store).records() == {}
    # What it left goes when it is old enough that nobody can be at it any more.
    monkeypatch.setattr("agtrace.store.remote.GRACE_S", -10.0)
    assert ingest(case, store).ingested == 3
    named = {record.part for record in open_store(case, store).records().values()}
    assert {file.name.split("/")[1] for file in Remote(store).files("parts")} == named - {None}


def test_a_capture_that_changes_while_it_is_fetched_is_not_kept(s3_server, case, monkeypatch):
    url = uploaded(case, f"{s3_server}/moving/case")
    whole, left = Remote.fetch, [1]

    def fetch(self, name, target):
        whole(self, name, target)
        if left and self.url.endswith("ERRORLOG"):
            left.pop()
            Remote(url).put("SQL1/ERRORLOG", _written(case.parent / "new", texts.errorlog(8)))

    monkeypatch.setattr(Remote, "fetch", fetch)
    done = ingest(url)
    assert (done.failed, left) == (0, [])
    new = hashlib.sha256(texts.errorlog(8)).hexdigest()
    old = hashlib.sha256(texts.errorlog(5)).hexdigest()
    assert {new, old} & set(Store(done.store).records()) == {new}


def test_verbs_take_urls(s3_server, case, capsys):
    url, store = uploaded(case, f"{s3_server}/verbs/case"), f"{s3_server}/verbs/store"
    assert main(["ingest", url, "--store", store]) == 0
    assert f"{url}: 5 files (with those of 1 archive): 3 read, " in capsys.readouterr().out
    assert main(["sql", url, "select path, host_id from captures where host_id = 'SQL9'"]) == 0
    assert "SQL1/perf.csv,SQL9" in capsys.readouterr().out


def test_what_is_not_there_is_said_in_one_line(server, case):
    with pytest.raises(CaseError, match="there is no file at this URL"):
        ingest(f"{server}/nowhere")
    with pytest.raises((StorageError, CaseError)):
        ingest(f"{server}-none/case")
    uploaded(case, f"{server}/mine")
    with pytest.raises(StoreError, match="not empty and not an agtrace store"):
        ingest(case, f"{server}/mine")


@pytest.mark.parametrize(
    ("place", "holds"),
    [("s3://b/c", True), ("abfs://c@a/x", True), ("C:\\x", False), ("a/b", False), ("s3:/b", False)],
)
def test_what_is_a_url(place, holds):
    assert is_url(place) == holds
    assert not is_url(Path(place))


def test_no_folder_of_a_case_stands_for_a_url(tmp_path):
    """Only the user's own cache holds such: a stranger's case cannot send anybody elsewhere."""
    theirs = tmp_path / "urls" / "case" / "0123" / "name"
    theirs.mkdir(parents=True)
    (theirs.parent / "url.json").write_text('{"url": "s3://elsewhere/x"}')
    assert url_of(theirs) is None
    assert url_of(stand_in("s3://b/x/", "case")) == "s3://b/x"


@pytest.mark.parametrize(
    ("name", "holds"),
    [("a/b.c", True), ("../x", False), ("a//b", False), ("a/..", False), ("a\\b", False), ("c:x", False)],
)
def test_what_leads_out_of_a_folder_is_not_fetched(name, holds):
    assert is_plain(name) == holds
    assert stand_in(f"s3://b/{name}/..", "case").name == "_"


def test_an_unknown_scheme_is_said_in_one_line():
    with pytest.raises(StorageError, match=r"^nosuch://x: "):
        Remote("nosuch://x").files()


def test_a_batch_reads_and_writes_urls(s3_server, case, tmp_path, monkeypatch):
    inbox, out = f"{s3_server}/many/in", f"{s3_server}/many/out"
    uploaded(case, f"{inbox}/one")
    assert batch([inbox], out, FINDINGS_ONLY).reported == ["one"]
    assert Remote(out).read("one/index.html").rstrip().endswith(b"</html>")
    ids = sorted(each["id"] for each in json.loads(Remote(out).read("one/findings.json")))
    # A machine that has nothing of it asks the results, and goes on where the run was.
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "other" / name)
    assert batch([inbox], out, FINDINGS_ONLY).unchanged == 1
    with open_results(out) as results:
        assert [row[0] for row in results.sql("select id from findings order by all").fetchall()] == ids
        assert results.sql("select source from cases").fetchall() == [(f"{inbox}/one",)]
    with pytest.raises(CaseError, match="not empty and not a folder of reports"):
        batch([case], inbox, FINDINGS_ONLY, themselves=True)


@pytest.mark.parametrize("name", ["perf.csv", "ERRORLOG"])
def test_a_reader_reads_a_capture_at_a_url_as_in_a_folder(server, case, name):
    url = uploaded(case, f"{server}/read/case")
    (path,) = case.rglob(name)
    there = agtrace.read(f"{url}/{path.relative_to(case).as_posix()}")
    assert there.num_rows
    assert there.equals(agtrace.read(path))
