"""How hosts are set up: power plan, anti-virus filters on the drives of databases, teamed cards."""

from __future__ import annotations

from agtrace.diagnostics.overview import Overview
from tests.behind import assert_facts
from tests.diagnostics import tiny

BALANCED = "381b4222-f694-41f0-9685-ff5bb260df2e"


def findings(case: tiny.Case):
    return [f for f in Overview(case).findings() if f.id.startswith("settings.")]


def plan(name: str, guid: str = "", host: str = "SQL1") -> str:
    told = f"{host} | power_plan | 0 | active | {name}"
    return told + (f"\n{host} | power_plan | 0 | guid | {guid}" if guid else "")


def test_a_plan_that_slows_processors_down_is_a_notice():
    (found,) = findings(tiny.case(facts=plan("Balanced")))
    assert (found.id, found.severity, found.subject) == ("settings.power_plan", "notice", {"host": "SQL1"})
    assert_facts(found, host="SQL1", plan="Balanced")
    assert [(e.label, e.value, e.source) for e in found.evidence] == [
        ("power plan", "Balanced", "power_plan-SQL1")
    ]


def test_the_guid_tells_in_every_language():
    (found,) = findings(tiny.case(facts=plan("Höchstleistung (alt)", BALANCED)))
    assert_facts(found, host="SQL1", plan="Balanced")
    assert found.confidence == 0.9


TEAM = "Microsoft Network Adapter Multiplexor Driver"
CARD = r"\Network Interface(%s)\%s"


def cards(*told: tuple[str, str, str]) -> tiny.Case:
    return tiny.case("\n".join(f"SQL1 | {CARD % (card, counter)} | {value}" for card, counter, value in told))


def test_a_team_of_cards_is_a_notice():
    case = cards(
        (TEAM, "Current Bandwidth", "20000000000"),
        (TEAM, "Bytes Sent/sec", "1000"),
        ("one", "Current Bandwidth", "10000000000"),
        ("one", "Bytes Sent/sec", "700"),
        ("idle", "Current Bandwidth", "1000000000"),
        ("idle", "Bytes Sent/sec", "0"),
    )
    (found,) = findings(case)
    assert (found.id, found.severity, found.subject) == ("settings.teamed_cards", "notice", {"host": "SQL1"})
    assert [(e.label, e.value, e.unit, e.source) for e in found.evidence] == [
        (f"bandwidth of {TEAM}", 20e9, "bit/s", "SQL1.csv"),
        ("bandwidth of one", 10e9, "bit/s", "SQL1.csv"),
    ]
