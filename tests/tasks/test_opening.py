"""Open cases, and see what they hold."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import shutil
from concurrent.futures import ProcessPoolExecutor

import pytest

import agtrace

FEW = ("JBSAG3/netsh.txt", "JBSAG3/ERRORLOG", "JBSAG2/ERRORLOG")


def hosts_of(folder):
    with agtrace.open_case(folder) as case:
        return case.hosts["host_id"].tolist()


@pytest.fixture
def folder(tmp_path):
    for name in FEW:
        (tmp_path / "case" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(agtrace.sample("log_send_queue") / name, tmp_path / "case" / name)
    return tmp_path / "case"


@pytest.mark.parametrize("as_written", [str, lambda folder: folder, lambda folder: folder.as_uri()])
def test_open_a_folder_by_its_name_path_or_url(folder, as_written):
    assert hosts_of(as_written(folder)) == ["JBSAG2", "JBSAG3"]


def test_open_a_zip(folder, tmp_path):
    archive = shutil.make_archive(str(tmp_path / "case-1234"), "zip", folder)
    assert hosts_of(archive) == ["JBSAG2", "JBSAG3"]


def test_list_the_captured_hosts(queue, truth):
    assert queue.hosts["host_id"].tolist() == sorted(truth["log_send_queue"]["hosts"])


def test_count_files_and_bytes_by_kind(queue):
    kinds = queue.captures.groupby("kind")["bytes"].agg(["size", "sum"])
    assert kinds.loc["perfmon text log", "size"] == 3
    assert kinds["sum"].idxmax() == "perfmon text log"


def test_list_relations_and_their_columns(queue):
    assert {"roles", "failovers", "streams"} <= set(queue.relations()["relation"])
    assert queue.sql("describe roles").df()["column_name"].tolist()[:2] == ["ag", "host_id"]


def test_list_the_captured_counters_by_object(queue):
    by_object = queue.counters().groupby("object").size()
    assert by_object["Memory"] == 3


def test_list_the_captured_events(failover):
    events = failover.events().set_index("event")
    assert events.loc["error_reported", "n"] == len(failover.events("error_reported")) == 18
    assert failover.events(host="HASQL2")["n"].sum() < events["n"].sum()


def test_a_case_without_events_lists_none(queue):
    assert queue.events().columns.tolist() == ["event", "n", "first_time", "last_time"]
    assert queue.events().empty


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("waits", "a case has no method 'waits' - its relation is case['waits']"),
        ("findngs", "a case has no 'findngs' - nearest: findings"),
        ("ticket", "a case has no 'ticket' - dir(case) lists its names"),
    ],
)
def test_a_name_that_a_case_does_not_have_leads_to_the_one_it_has(queue, name, said):
    with pytest.raises(
        AttributeError, match=said.replace("[", r"\[").replace("(", r"\(").replace(")", r"\)")
    ):
        getattr(queue, name)


def test_pickle_and_copy_a_case(failover):
    for again in (pickle.loads(pickle.dumps(failover)), copy.deepcopy(failover)):
        with again:
            assert again.hosts["host_id"].tolist() == ["HASQL1", "HASQL2"]


def longest_queue(case):
    with case:
        return case.perfmon("Log Send Queue", host="JBSAG3").max().max()


@pytest.mark.complete
def test_ask_a_case_in_another_process(queue, truth):
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        answer = pool.submit(longest_queue, queue).result()
    last = truth["log_send_queue"]["hosts"]["JBSAG3"]["last_send_queue_kb"]
    assert answer >= sum(last.values())


def test_two_cases_side_by_side(sample_store):
    names = ("failover_lease_cpu", "failover_planned")
    stores = [sample_store(name).parent for name in names]
    with agtrace.open_cases([agtrace.sample(name) for name in names], store=stores[0]) as cases:
        failovers = cases.failovers()
        assert failovers.set_index("case")["mode"].to_dict() == {
            "failover_lease_cpu": "automatic",
            "failover_planned": "planned",
        }
        counted = cases.sql('select "case", count(*) from roles where host_id = ? group by all', ["HASQL1"])
        assert len(counted.fetchall()) == 2
        with pytest.raises(agtrace.errors.CaseError, match="no column is called 'rol' - nearest: role"):
            cases.sql("select rol from roles")
