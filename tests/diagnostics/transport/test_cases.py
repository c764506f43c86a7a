"""The transport question on whole cases: captures written, ingested, opened and judged."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import agtrace
from agtrace.say.finding import Finding
from simulation.samples.log_send_queue import Truth, write_case
from tests.behind import assert_facts
from tests.diagnostics.transport.cases import told

pytestmark = pytest.mark.complete

NORMAL = {"JBSAG1": "normal", "JBSAG2": "normal", "JBSAG3": "normal"}
FAST = {"JBSAG1": 23.0, "JBSAG3": 23.0}


@cache
def _judged(arguments: tuple[tuple[str, object], ...]) -> tuple[list[Finding], Truth]:
    settings = {k: dict(v) if k in MAPPINGS else v for k, v in arguments}
    with TemporaryDirectory() as folder:
        truth = write_case(Path(folder) / "case", **{"minutes": 15} | settings)
        case = agtrace.open_case(Path(folder) / "case", store=Path(folder) / "store")
        return case.transport.findings(), truth


MAPPINGS = ("autotuning", "robocopy_mb_s", "rename", "folders")


def judged(**arguments) -> tuple[list[Finding], Truth]:
    """Write a case, open it, and give the transport findings with the truth."""
    frozen = ((k, tuple(v.items()) if k in MAPPINGS else v) for k, v in arguments.items())
    return _judged(tuple(frozen))


def verdicts(**arguments) -> list[str]:
    return told(judged(**arguments)[0])


def the(findings: list[Finding], name: str, replica: str) -> Finding:
    (found,) = [f for f in findings if f.id == f"transport.{name}" and f.subject["replica"] == replica]
    return found


def number(finding: Finding, label: str) -> float:
    (value,) = [e.value for e in finding.evidence if e.label == label]
    assert isinstance(value, int | float)
    return value


def test_the_case_of_the_article():
    findings, truth = judged(minutes=45)
    assert told(findings) == ["window_limited critical 0.85 JBSAG3", "healthy notice 0.9 JBSAG1"]
    slow = the(findings, "window_limited", "JBSAG3")
    assert slow.subject == {
        "ag": truth.ag, "replica": "JBSAG3", "host": "JBSAG3", "primary": "JBSAG2",
    }  # fmt: skip
    primary, replica = truth.hosts["JBSAG2"], truth.hosts["JBSAG3"]
    close = {"rel": 0.01}
    for label, expected in {
        "log flushed on the primary, mean": primary.means["flushed"],
        "log flushed on the primary, max": primary.peaks["flushed"],
        "log received, mean": replica.means["received"],
        "log redone, mean": replica.means["redone"],
        "received from the primary, mean": replica.means["wire"],
        "sent to the transport, mean": primary.means["wire to JBSAG3"],
        "log send queue, at the end": 1024 * sum(replica.last_send_queue_kb.values()),
        "bulk copy to the replica": replica.robocopy_bytes_per_second,
    }.items():
        assert number(slow, label) == pytest.approx(expected, **close), label
    grown = 1024 * (sum(replica.last_send_queue_kb.values()) - sum(replica.first_send_queue_kb.values()))
    growth = number(slow, "log send queue, mean growth")
    assert growth == pytest.approx(
        number(slow, "log flushed on the primary, mean") - number(slow, "log received, mean"), rel=0.02
    )
    # The batches of the load bend the line.
    slope = number(slow, "log send queue, slope")
    assert slope == pytest.approx(grown / (45 * 60), rel=0.15)
    facts = {e.label: e.value for e in slow.evidence}
    assert facts["TCP receive window auto-tuning level on JBSAG3"] == "disabled"
    assert_facts(slow, averaged=None, gate=None, resent=None)


def test_the_healthy_replica_has_a_notice_about_its_setting():
    found = the(judged()[0], "healthy", "JBSAG1")
    assert_facts(found, averaged=None, gate=None)
    assert {e.label: e.value for e in found.evidence}[
        "TCP receive window auto-tuning level on JBSAG1"
    ] == "disabled"


def test_a_ping_makes_the_window_surer():
    findings, truth = judged(ping=True)
    slow = the(findings, "window_limited", "JBSAG3")
    assert slow.confidence == 0.95
    assert number(slow, "round trip") == pytest.approx(truth.hosts["JBSAG3"].rtt_ms, rel=0.05)
    assert_facts(slow, averaged=None, gate=None, resent=None)


def test_a_the_same_counters_with_a_free_network_accuse_the_sender():
    findings, _ = judged(autotuning=NORMAL, robocopy_mb_s=FAST)
    assert told(findings) == ["send_limited critical 0.7 JBSAG3", "healthy info 0.9 JBSAG1"]
    assert not any("netsh" in f.recommendation for f in findings)


def test_a_the_same_with_a_closed_gate_accuse_flow_control():
    findings, _ = judged(autotuning=NORMAL, robocopy_mb_s=FAST, flow_control=True)
    assert told(findings) == ["flow_control critical 0.8 JBSAG3", "healthy info 0.9 JBSAG1"]
    assert not any("netsh" in f.recommendation for f in findings)


def test_b_without_netsh_and_copies_the_window_is_a_hypothesis():
    findings, _ = judged(netsh=False, robocopy_mb_s={})
    assert told(findings) == ["network_limited critical 0.6 JBSAG3", "healthy info 0.9 JBSAG1"]
    assert_facts(the(findings, "network_limited", "JBSAG3"), averaged=None, gate=None, resent=None)


def test_c_d_names_folders_and_order_do_not_matter():
    names = {"JBSAG1": "ZEUS", "JBSAG2": "ATLAS", "JBSAG3": "MIDAS"}
    folders = {"JBSAG1": "third", "JBSAG2": "b/second", "JBSAG3": "a/first"}
    findings, _ = judged(rename=names, folders=folders, reverse=True)

    def bare(found):
        told = []
        for f in found:
            words = (sorted(f.narrative.split(". ")), f.title, f.recommendation, sorted(f.subject.items()))
            numbers = sorted(repr((e.label, e.value, e.unit)) for e in f.evidence)
            text = repr((f.id, f.severity, f.confidence, f.window, words))
            for old, new in names.items():
                text = text.replace(new, old)
                numbers = sorted(number.replace(new, old) for number in numbers)
            told.append((text, numbers))
        return sorted(told)

    original = judged()[0]
    for f, g in zip(bare(findings), bare(original), strict=True):
        assert f[1] == g[1]
    assert len(findings) == len(original)


def test_e_with_the_secondaries_swapped_the_other_one_is_named():
    assert verdicts(swap_secondaries=True) == [
        "window_limited critical 0.85 JBSAG1",
        "healthy notice 0.9 JBSAG3",
    ]


def test_e_with_another_primary_the_same_replica_is_named():
    findings, _ = judged(swap_primary=True)
    assert told(findings) == ["window_limited critical 0.85 JBSAG3", "healthy notice 0.9 JBSAG2"]
    assert the(findings, "window_limited", "JBSAG3").subject["primary"] == "JBSAG1"


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("healthy", ["healthy info 0.9 JBSAG1", "healthy info 0.9 JBSAG3"]),
        ("harden", ["harden_limited critical 0.8 JBSAG3", "healthy info 0.9 JBSAG1"]),
        ("redo", ["redo_limited critical 0.7 JBSAG3", "healthy info 0.9 JBSAG1"]),
        ("redo_blocked", [
            "redo_blocked critical 0.8 JBSAG3 StackOverflow2010",
            "healthy info 0.9 JBSAG1",
            "healthy info 0.9 JBSAG3 JBDB, JBSDBDW",
        ]),
        ("commit_delay", ["healthy info 0.9 JBSAG1", "healthy info 0.9 JBSAG3"]),
        ("failover", [
            "window_limited critical 0.85 JBSAG3",
            "window_limited critical 0.85 JBSAG3",
            "healthy notice 0.9 JBSAG1",
            "healthy info 0.9 JBSAG2",
        ]),
    ],
)  # fmt: skip
def test_scenarios(scenario, expected):
    assert sorted(verdicts(scenario=scenario)) == sorted(expected)


def test_a_suspension_is_stale_not_healthy():
    findings, truth = judged(scenario="suspended")
    assert [v.split()[0] for v in told(findings)] == ["suspended", "healthy"]
    stale = the(findings, "suspended", "JBSAG3")
    assert stale.severity == "critical"
    assert abs(_seconds(stale.window["start"]) - _seconds(truth.change_utc)) < 15


def _seconds(moment: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(moment).timestamp()


def test_a_failover_cuts_the_windows():
    findings, truth = judged(scenario="failover")
    first, second = sorted(
        (f for f in findings if f.id == "transport.window_limited"), key=lambda f: f.window["start"]
    )
    assert (first.subject["primary"], second.subject["primary"]) == ("JBSAG2", "JBSAG1")
    assert _seconds(first.window["end"]) <= _seconds(truth.change_utc) + 5
    assert _seconds(second.window["start"]) >= _seconds(truth.change_utc)


def test_the_commit_wait_and_its_hop():
    findings, _ = judged(scenario="commit_delay")
    (found,) = [f for f in findings if f.id == "transport.commit_delay"]
    assert found.severity == "notice"
    assert number(found, "commit wait per transaction, mean") == pytest.approx(40, rel=0.1)
    assert_facts(found, delay=True, slow=["JBSAG1"])
    (usual,) = [f for f in judged()[0] if f.id == "transport.commit_delay"]
    assert (usual.severity, number(usual, "commit wait per transaction, mean") < 5) == ("info", True)


def test_the_loss_is_the_age_of_the_queue():
    findings, _ = judged()
    assert the(findings, "rpo", "JBSAG3").severity == "warning"
    assert the(findings, "rpo", "JBSAG1").severity == "info"


def test_only_the_slow_replica():
    findings, _ = judged(only=("JBSAG3",))
    assert told(findings) == ["window_limited critical 0.65 JBSAG3"]
    assert_facts(
        the(findings, "window_limited", "JBSAG3"),
        flushed=None,
        side="replica",
        averaged=None,
        clocks_apart=None,
    )


def test_only_the_primary():
    findings, _ = judged(only=("JBSAG2",))
    assert told(findings) == ["quality.not_captured notice 1 JBSAG1", "quality.not_captured notice 1 JBSAG3"]
