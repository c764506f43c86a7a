"""Jobs on a real Dask cluster of two worker processes: the same store, also when one is lost."""

from __future__ import annotations

import os
import threading

import pytest

from agtrace.batch import batch
from agtrace.engines import Lost, Serial, Task, connected
from agtrace.errors import EngineError
from agtrace.ingest import divide, ingest
from tests.batch.cases import FINDINGS_ONLY, make_case, results
from tests.engines import works
from tests.engines.clusters import cluster
from tests.ingest import texts
from tests.ingest.test_divided import tables
from tests.kills import stored

pytestmark = pytest.mark.complete


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("cluster"), 2) as running:
        yield running


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.csv").write_bytes(texts.perfmon(40 + number, host=f"SQL{number}"))
    return folder


def test_a_cluster_gives_the_store_that_one_process_gives(running, case, tmp_path):
    expected = stored(ingest(case, tmp_path / "expected", jobs=1).store)
    with connected(running.address) as engine:
        done = ingest(case, tmp_path / "store", engine=engine)
    assert (done.ingested, done.failed) == (12, 0)
    assert stored(done.store) == expected


def test_one_huge_log_spreads_over_the_workers(running, tmp_path, monkeypatch):
    monkeypatch.setattr(divide, "SPAN_BYTES", 2000)
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "perf.csv").write_bytes(texts.perfmon(400))
    expected = tables(ingest(tmp_path / "case", tmp_path / "expected", jobs=1).store)
    with connected(running.address) as engine:
        noting = Noting(engine)
        done = ingest(tmp_path / "case", tmp_path / "store", engine=noting)
    assert len([key for key in noting.keys if key.startswith("decode-")]) > 5
    assert tables(done.store) == expected


def test_jobs_take_one_thread_each(running):
    with connected(running.address) as engine:
        done = engine.map(works.threads_of, [Task("t", 0)], lambda _bytes: None)
        assert [result for _task, result in done] == [(1, 1, "1")]


def test_cases_are_reported_on_it(running, tmp_path):
    for number in range(2):
        make_case(tmp_path / "in" / f"case{number}", rows=6 + number)
    log = []
    with connected(running.address) as engine:
        done = batch([tmp_path / "in"], tmp_path / "out", FINDINGS_ONLY, log.append, engine=engine)
    assert (sorted(done.reported), done.postponed) == (["case0", "case1"], {})
    assert [line for line in log if "case1: 1 capture read" in line]
    assert {row["case"] for row in results(tmp_path / "out", "findings")} == {"case0", "case1"}


def test_a_worker_that_is_lost_changes_nothing(running, case, tmp_path):
    expected = stored(ingest(case, tmp_path / "expected", jobs=1).store)
    victim = running.add_worker()
    running.wait()
    killed = threading.Event()

    class Watched:
        """Kills the worker once the first results are there."""

        here = False
        at_once = 3

        def __init__(self, engine):
            self.engine = engine

        def map(self, *words):
            for number, done in enumerate(self.engine.map(*words)):
                if number == 2:
                    victim.kill()
                    killed.set()
                yield done

    with connected(running.address) as engine:
        done = ingest(case, tmp_path / "store", engine=Watched(engine))
    assert killed.is_set()
    assert (done.ingested, done.failed) == (12, 0)
    assert stored(done.store) == expected
    assert not list((tmp_path / "store" / "parts").glob("*.partial"))


def test_without_a_scheduler_one_line_says_so(monkeypatch):
    monkeypatch.setattr("agtrace.engines.cluster.ANSWER_S", 0.5)
    with pytest.raises(EngineError, match=r"tcp://127\.0\.0\.1:9: no Dask scheduler answers"):
        connected("tcp://127.0.0.1:9").__enter__()


@pytest.mark.skipif(os.name == "nt", reason="SIGSTOP")
def test_a_scheduler_that_hangs_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr("agtrace.engines.cluster.ANSWER_S", 1.0)
    with cluster(tmp_path, 1) as own, connected(own.address) as engine:
        running = engine.map(works.sleep, [Task(f"t{n}", 0.1) for n in range(9)], lambda _b: None)
        next(running)
        with own.stopped(), pytest.raises(EngineError, match="the scheduler was lost"):
            list(running)


def test_without_workers_it_does_not_wait_for_ever_and_a_deadly_task_ends(tmp_path, monkeypatch):
    with cluster(tmp_path, 0, allowed_failures=0) as own, connected(own.address) as engine:
        with monkeypatch.context() as patch:
            patch.setattr("agtrace.engines.cluster.EMPTY_S", 0.5)
            with pytest.raises(EngineError, match="has had no worker"):
                list(engine.map(works.double, [Task("x", 1)], lambda _bytes: None))
        own.add_worker()
        own.wait()
        done = engine.map(works.die_of_seven, [Task("seven", 7)], lambda _bytes: None)
        assert [type(result) for _task, result in done] == [Lost]


class Noting:
    """Notes under which keys an engine is given tasks."""

    def __init__(self, engine=None):
        self.keys = []
        self.engine = engine or Serial()
        self.here, self.at_once = self.engine.here, self.engine.at_once

    def map(self, work, tasks, seen):
        tasks = list(tasks)
        self.keys += [task.key for task in tasks]
        return self.engine.map(work, tasks, seen)


def test_keys_name_content_reader_and_options_and_no_path(case, tmp_path):
    noting = Noting()
    keys = noting.keys
    ingest(case, tmp_path / "one", engine=noting)
    case.rename(tmp_path / "elsewhere")
    ingest(tmp_path / "elsewhere", tmp_path / "two", engine=noting)
    assert sorted(keys[:12]) == sorted(keys[12:])
    assert len(set(keys)) == 12
    ingest(tmp_path / "elsewhere", tmp_path / "three", counters=("*Send*",), engine=noting)
    assert not set(keys[24:]) & set(keys[:24])
    assert not [key for key in keys if str(tmp_path) in key or ".csv" in key]


def test_a_key_names_the_contents_that_settle_what_a_capture_leaves_open(tmp_path):
    def keys() -> list[str]:
        noted = Noting()
        ingest(folder, tmp_path / f"store{len(list(tmp_path.iterdir()))}", engine=noted)
        return noted.keys[:1]

    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "perf.csv").write_bytes(texts.perfmon())
    alone = keys()
    (folder / "notes.txt").write_text("nobody asks this")
    assert keys() == alone
    (folder / "SystemInfo.txt").write_text("System Locale: de;German (Germany)")
    german = keys()
    (folder / "SystemInfo.txt").write_text("System Locale: pl;Polish (Poland)")
    assert len({*alone, *german, *keys()}) == 3
