"""A snapshot backup that freezes databases: for how long each, and what that did to commits and the lease."""

from __future__ import annotations

from agtrace.diagnostics.health import Health
from tests.diagnostics.tiny import case

STATE = "A | 0 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state=PRIMARY_NORMAL\n"
FROZEN, RESUMED = "A | {} | frozen | 3197 | database={}\n", "A | {} | resumed | 3198 | database={}\n"


def found(messages, **more):
    shown = Health(case(messages=STATE + messages, **more)).findings()
    return [one for one in shown if one.id == "health.frozen"]


def pair(database, start, end):
    return FROZEN.format(start, database) + RESUMED.format(end, database)


def test_each_database_has_its_longest_freeze():
    (one,) = found(pair("Ost", 100, 102) + pair("Ost", 200, 203) + pair("West", 100, 101))
    assert (one.severity, one.subject) == ("info", {"host": "A"})
    assert [(each.label, each.value, each.unit) for each in one.evidence] == [
        ("longest freeze of Ost, n = 2", 3, "s"),
        ("longest freeze of West, n = 1", 1, "s"),
    ]


def test_a_freeze_of_half_a_lease_is_a_notice_and_one_with_an_expired_lease_a_warning():
    (long,) = found(pair("Ost", 100, 110))
    (lost,) = found(pair("Ost", 100, 110) + "A | 108 | lease | 19407 | ag=AG; event=expired\n")
    assert (long.severity, lost.severity) == ("notice", "warning")
    assert "lease expired" in lost.narrative
    assert "no lease expired" in long.narrative


def test_a_freeze_that_does_not_end_is_a_warning():
    (one,) = found(FROZEN.format(100, "Ost") + FROZEN.format(300, "Ost") + RESUMED.format(301, "Ost"))
    assert one.severity == "warning"
    assert "not resumed" in one.narrative


def test_commits_in_a_freeze_are_compared_with_those_before():
    perfmon = r"A | \SQLServer:Databases(Ost)\Transactions/sec | 20x80, 4x0, 20x80" + "\n"
    (one,) = found(pair("Ost", 100, 120), perfmon=perfmon)
    values = {each.label: each.value for each in one.evidence}
    assert (values["transactions of Ost before"], values["transactions of Ost frozen"]) == (80, 0)
