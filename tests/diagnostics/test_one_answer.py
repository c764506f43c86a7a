"""One answer to a question: no two findings of a case exclude each other, none asks for what is there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import agtrace
from agtrace.say.finding import Evidence, Finding
from simulation.chains import captures
from simulation.chains import draw as chains
from simulation.commits import removed
from simulation.groups.draw import draw as draw_group
from simulation.groups.files import write_group
from tests.diagnostics.exclusions import asked_in_vain, excluding, faults
from tests.effort import fresh_seed
from tests.shared import SHARED

SAMPLES = (
    "backup_tuning", "commit_local_disk", "commit_network", "commit_redo", "commit_remote_disk",
    "direct_seeding", "direct_seeding_cores", "endpoint_certificate", "failover_io_stall",
    "failover_lease_cpu", "failover_planned", "log_send_queue", "log_send_queue_fixed",
    "log_send_queue_ping", "read_only_routing", "secondary_lost", "seeding_compression",
)  # fmt: skip
CASES = SHARED / "cases" / "cases.json"
"""Cases with public answers, beside the project."""
PART = 10


def finding(id: str, title: str = "", start: int = 0, end: int = 9, **subject: str) -> Finding:
    window = {"start": f"2024-03-05T12:0{start}:00Z", "end": f"2024-03-05T12:0{end}:00Z"}
    return Finding(
        id, "notice", title or id, "", subject, window, evidence=(Evidence("a", 1, "", "s"),)
    )  # fmt: skip


LOSS, MOVED = "transport.rpo", "health.failover"
BEHIND, HEALTHY, UNKNOWN = "transport.redo_limited", "transport.healthy", "quality.not_captured"
FAILOVER = {"ag": "AG", "from": "A", "to": "B", "mode": "automatic", "trigger": "lease_expired"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (finding(HEALTHY, replica="S"), finding(BEHIND, replica="S")),
        (finding(HEALTHY, replica="S"), finding(UNKNOWN, replica="S", ag="AG")),
        (finding(BEHIND, replica="S"), finding(UNKNOWN, replica="s")),
        (finding(LOSS, "loses 5 s", replica="S"), finding(LOSS, "loses 1 s", replica="S")),
        (finding(MOVED, **FAILOVER, cause="dump"), finding(MOVED, **FAILOVER, cause="open")),
        (finding(MOVED, **FAILOVER, cause="dump"), finding("health.not_failed_over", ag="AG")),
        (finding("health.no_primary", ag="AG"), finding("health.two_primaries", ag="AG")),
        (finding("health.disconnect", "for 3 s", host="A", replica="B"),
         finding("health.disconnect", "for 9 s", host="A", replica="B")),
        (finding(HEALTHY, replica="S", primary="P"), finding(BEHIND, replica="P", primary="S", start=5)),
        (finding("health.role", ag="AG", host="S", start=4, end=4), finding(LOSS, replica="S")),
    ],
)  # fmt: skip
def test_two_answers_to_one_question_exclude_each_other(one, other):
    assert excluding([one, other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (finding(HEALTHY, replica="S", end=4), finding(BEHIND, replica="S", start=4)),
        (finding(HEALTHY, replica="S"), finding(BEHIND, replica="T")),
        (finding(HEALTHY, replica="S", database="A"), finding(BEHIND, replica="S", database="B")),
        (finding(HEALTHY, replica="S", ag="A"), finding(BEHIND, replica="S", ag="B")),
        (finding(HEALTHY, replica="S"), finding(UNKNOWN, host="S")),
    ],
)
def test_answers_to_other_questions_stand_together(one, other):
    assert not excluding([one, other])


def test_a_failover_with_a_cause_is_not_titled_as_one_without():
    assert excluding([finding("health.failover", "AG: cause unknown", **FAILOVER, cause="dump")])
    assert not excluding([finding("health.failover", "AG: cause unknown", **FAILOVER, cause="open")])


ASKED = (
    finding("quality.not_captured", "Perfmon log and ERRORLOG of HASQL1 not captured", host="HASQL1"),
    finding("health.role", "1. Add the entries of HASQL1 before 2024-03-05 12:00:00 UTC", ag="AG"),
)


def test_what_a_case_contains_is_asked_for_in_vain(sample_store):
    with agtrace.open_case(agtrace.sample("secondary_lost"), store=sample_store("secondary_lost")) as case:
        found = asked_in_vain(case, ASKED, ["the cluster log (Get-ClusterLog) of HASQL1"])
        assert found[:3] == ["perfmon log of HASQL1", "ERRORLOG of HASQL1", "cluster log of HASQL1"]
        assert found[3].startswith("entries of HASQL1 before 2024-03-05 12:00:00 are there")
        assert not faults(case)


@pytest.mark.complete
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_has_one_answer_to_each_question(name, sample_store):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        assert not faults(case)


@pytest.mark.complete
@pytest.mark.skipif(
    not CASES.is_file(), reason="the public cases are not here (AGTRACE_CAPTURES names their folder)"
)
@pytest.mark.parametrize("part", range(PART))
def test_a_public_case_has_one_answer_to_each_question(part, tmp_path):
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    found = {}
    for case in cases[part::PART]:
        with agtrace.open_case(CASES.parent / case["folder"], store=tmp_path / case["name"]) as opened:
            found |= {case["name"]: wrong} if (wrong := faults(opened)) else {}
    assert not found


def group(folder: Path, number: int, seed: int) -> None:
    case = draw_group(number, Random(f"{seed}-{number}"))
    write_group(folder, case.life, case.taken)


def chain(folder: Path, number: int, seed: int) -> None:
    dice = Random(f"{seed}-{number}")
    captures.write_captures(folder, chains.draw(number, dice, tuple(chains.CAUSES)), dice)


def commits(folder: Path, number: int, seed: int) -> None:
    removed.write(folder, removed.draw(number, seed)[0])


SIMULATIONS = {"group": group, "chain": chain, "commits": commits}
FEW = [("group", 1), ("chain", 3)]
MANY = [(kind, n) for kind, count in (("group", 20), ("chain", 15), ("commits", 4)) for n in range(count)]


def simulated(kind: str, number: int, seed: int, folder: Path) -> Iterator[str]:
    SIMULATIONS[kind](folder / "case", number, seed)
    with agtrace.open_case(folder / "case", store=folder / "store") as case:
        yield from faults(case)


@pytest.mark.parametrize(("kind", "number"), FEW)
def test_a_simulated_case_has_one_answer_to_each_question(kind, number, tmp_path):
    assert not list(simulated(kind, number, 11, tmp_path))


@pytest.mark.complete
@pytest.mark.parametrize(("kind", "number"), MANY)
def test_a_random_case_has_one_answer_to_each_question(kind, number, tmp_path):
    seed = fresh_seed()
    print(f"AGTRACE_TESTS_SEED={seed}")
    assert not list(simulated(kind, number, seed, tmp_path))
