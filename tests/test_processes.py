"""A case in other processes: pickled, copied, after a fork; and what it notes in the log."""

from __future__ import annotations

import copy
import logging
import multiprocessing
import os
import pickle

import pytest

import agtrace
from agtrace.errors import CaseError, StoreError
from tests.ingest import texts
from tests.ingest.test_ingest import put

CPU = "% Processor Time"


@pytest.fixture(scope="module")
def case(sample_store):
    name = "failover_lease_cpu"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as opened:
        yield opened


def busiest(case) -> float:
    return round(float(case.perfmon(CPU, "HASQL1").max().iloc[0]), 1)


def test_a_pickled_case_is_opened_again_by_its_path(case):
    with pickle.loads(pickle.dumps(case)) as again:
        assert (again.folder, again.store) == (case.folder.absolute(), case.store.absolute())
        assert busiest(again) == busiest(case) == 99.9
        assert again.view is not case.view


def test_it_has_the_options_and_findings_of_the_one_before(sample_store):
    name = "failover_lease_cpu"
    asked = {"thresholds": {"rpo_s": 7}, "case_settings": False, "utc_offsets": {"HASQL1": 0}}
    with agtrace.open_case(agtrace.sample(name), sample_store(name), ingest=False, **asked) as case:
        case.add_finding("mine.disk", "The array was rebuilding", evidence=agtrace.Evidence("x", 1, "", "me"))
        with copy.deepcopy(case) as again:
            assert again.thresholds.loc["rpo_s", "value"] == 7
            assert again.options == case.options
            assert [each.id for each in again.added] == ["mine.disk"]


def test_a_part_of_a_case_is_that_part_again(case):
    part = case.window("2024-02-06 14:45", "2024-02-06 14:50", host="HASQL1")
    with copy.copy(part) as again:
        assert again.part == part.part
        assert len(again.perfmon(CPU)) == len(part.perfmon(CPU)) == 20


@pytest.mark.complete
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_pool_of_processes_asks_a_case(case, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(busiest, (case,)) == 99.9


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("ask", ["sql", "perfmon", "table", "turn", "close"])
def test_a_fork_that_uses_the_connection_of_its_parent_is_told_so(case, ask):
    asked = {
        "sql": lambda: case.sql("select 1"),
        "perfmon": lambda: case.perfmon(CPU),
        "table": lambda: case.view.table("select 1"),
        "turn": lambda: case.view.turn,
        "close": case.close,
    }
    said = in_a_fork(asked[ask])
    if ask == "close":
        assert said == "nothing"
        assert case.sql("select 1").fetchall() == [(1,)]
    else:
        assert said.startswith("StoreError: the case was opened in the process that this one was forked from")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_several_cases_are_refused_in_a_fork_too(sample_store):
    before, after = (agtrace.sample("log_send_queue_fixed") / each for each in ("before", "after"))
    with agtrace.open_cases([before, after], ingest=True) as cases:
        assert in_a_fork(lambda: cases.sql("from hosts")).startswith("StoreError")
        with pytest.raises(CaseError, match="pickle one of them"):
            pickle.dumps(cases)
        with pickle.loads(pickle.dumps(cases["after"])) as alone:
            assert alone.hosts["host_id"].tolist() == cases["after"].hosts["host_id"].tolist()


def in_a_fork(ask) -> str:
    """Return the error that is raised in a fork of this process, or "nothing"."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            ask()
            said = "nothing"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return said


def test_a_store_that_is_gone_says_so_when_a_pickle_is_read(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, a__csv=texts.perfmon(3))
    with agtrace.open_case(folder, store=tmp_path / "store") as case:
        kept = pickle.dumps(case)
    for path in sorted((tmp_path / "store").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    with pytest.raises(StoreError, match="nothing is in it"):
        pickle.loads(kept)


def test_what_is_read_and_what_fails_is_in_the_log(tmp_path, caplog):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, a__csv=texts.perfmon(3), bad__zip=b"PK\x03\x04" + bytes(100))
    with caplog.at_level(logging.INFO, "agtrace"), agtrace.open_case(folder):
        pass
    told = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    assert told[0] == ("agtrace", "INFO", f"{folder}: 2 files: 1 read, 1 failed")
    assert [level for _name, level, text in told if "bad.zip" in text] == ["WARNING"]


@pytest.mark.analysis_fails
def test_an_analysis_that_fails_is_in_the_log_with_its_error(sample_store, caplog, monkeypatch):
    name = "failover_lease_cpu"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), thresholds={"rpo_s": 9}) as case:
        monkeypatch.setattr(type(case.health), "findings", lambda _self: 1 / 0)
        case.answers("health")
    (record,) = [each for each in caplog.records if each.levelname == "WARNING"]
    assert record.getMessage() == f"{case.folder}: the analysis health failed"
    assert record.exc_info[0] is ZeroDivisionError
