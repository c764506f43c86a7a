"""Where backups ran against the preference of their group, and which log no backup holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from agtrace.diagnostics.backup import preference
from agtrace.diagnostics.backup.rows import DatabasesOfGroups, Preferred
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record
from tests.folded import folded

NOON = datetime(2024, 3, 4, 12, tzinfo=UTC)
OF_GROUP = record(DatabasesOfGroups, ag="AG", database_key="sales", database="Sales", since=NOON)


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def log(hours: float, first: int | None = None, last: int | None = None, **more: Any) -> dict[str, Any]:
    """Return a log backup of Sales on the primary A."""
    usual: dict[str, Any] = record(
        Preferred,
        ag="AG",
        host_id="A",
        server="A",
        database="Sales",
        database_key="sales",
        kind="log",
        n=1,
        since=at(hours),
        end=at(hours),
        role="PRIMARY",
        preference=None,
        priority=None,
        has_secondary=True,
        first_place=f"A/ERRORLOG line {hours:g}",
        place=f"A/ERRORLOG line {hours:g}",
        first_lsn=first and f"39:{first}:1",
        last_lsn=last and f"39:{last}:1",
    )
    return usual._replace(**more)


def watched(*spans: tuple[float, float], saw: bool = True) -> Any:
    return SimpleNamespace(
        members={"AG": ["A", "B"]},
        hosts=lambda _ag: {"A", "B"},
        saw=lambda *_of: saw,
        with_primary=lambda _ag: [(at(first), at(end)) for first, end in spans],
    )


def judged(*rows: preference.Preferred, known: Any = None, databases: Any = (OF_GROUP,)) -> list[Judged]:
    return preference.preferences(list(rows), list(databases), known or watched(), Thresholds())


def evidence(one: Judged) -> list[tuple[str, Any, str]]:
    return [(each.label, each.value, each.source) for each in one.evidence]


AGAINST = {"preference": "SECONDARY"}


def test_the_reason_of_most_is_told_with_the_servers_and_the_last_backup():
    rows = [log(n, **AGAINST) for n in range(3)] + [
        log(n, role="SECONDARY", server="B", host_id="B", priority=0, **AGAINST) for n in (3, 4)
    ]
    (found, _spread) = judged(*rows)
    assert (found.said, found.subject) == ("preference.secondary", {"ag": "AG", "host": "B"})
    assert found.facts["told"] == [{"kind": "log", "n": 5, "of": 5}]
    assert found.facts["servers"] == ["A", "B"]
    assert evidence(found) == [
        ("AUTOMATED_BACKUP_PREFERENCE", "SECONDARY", "statements and looks"),
        ("log backups on A (primary)", 3, "the last: A/ERRORLOG line 2"),
        ("log backups on B (secondary)", 2, "the last: A/ERRORLOG line 4"),
    ]
    assert found.window == {"start": "2024-03-04T12:00:00+00:00", "end": "2024-03-04T16:00:00+00:00"}


@folded(("others", "n"), [(3, 1), (4, 0)])
def test_half_of_the_log_backups_are_against_the_preference(others, n):
    right = [log(3 + each, role="SECONDARY", server="B", host_id="B", **AGAINST) for each in range(others)]
    found = judged(*(log(each, **AGAINST) for each in range(3)), *right)
    assert [one.said for one in found].count("preference.secondary") == n


def test_log_backups_of_a_database_on_two_servers_are_told_of_those_databases():
    other = {"database": "Stock", "database_key": "stock"}
    rows = [
        log(1), log(2), log(3, server="B"), log(4, **other), log(5, **other), log(0, kind="full"),
        log(6, kind="full", server="B", **other),
    ]  # fmt: skip
    (found,) = judged(*rows)
    assert (found.said, found.facts["databases"]) == ("preference.spread", ["Sales"])
    assert found.facts["servers"] == [{"name": "A", "n": 2}, {"name": "B", "n": 1}]
    assert found.window == {"start": "2024-03-04T13:00:00+00:00", "end": "2024-03-04T15:00:00+00:00"}
    assert judged(*rows[:2]) == []


def test_the_backups_at_either_end_of_the_longest_time_without_one_are_shown():
    (found,) = judged(log(1), log(2), log(30), log(31), known=watched((0, 40)))
    assert found.said == "preference.missing"
    assert evidence(found) == [
        ("without a log backup", 28 * 3600, "ERRORLOGs of A, B"),
        ("log backup on A", "2024-03-04 14:00:00.0 UTC", "A/ERRORLOG line 2"),
        ("log backup on A", "2024-03-05 18:00:00.0 UTC", "A/ERRORLOG line 30"),
    ]
    assert (found.facts["first"], found.facts["last"], found.facts["is_end"]) == (at(2), at(30), False)
    assert (found.severity, found.subject) == ("warning", {"ag": "AG", "database": "Sales"})


def test_several_databases_without_log_backups_are_told_by_name():
    other = OF_GROUP._replace(database="Stock", database_key="stock", since=at(5))
    unknown = OF_GROUP._replace(database="Orders", database_key="orders", since=None)
    (found,) = judged(known=watched((0, 40)), databases=(other, OF_GROUP, unknown))
    assert evidence(found) == [
        ("Sales: without a log backup", 40 * 3600, "ERRORLOGs of A, B"),
        ("Stock: without a log backup", 35 * 3600, "ERRORLOGs of A, B"),
    ]
    assert (found.severity, found.subject["database"], found.facts["never"]) == ("notice", "", True)


FULL, DIFFERENTIAL = {"kind": "full"}, {"kind": "differential"}
ON_SECONDARY = {"role": "SECONDARY"}


@folded(
    ("more", "why"),
    [
        ({"preference": "PRIMARY"}, ""), ({"preference": "PRIMARY"} | ON_SECONDARY, "primary"),
        ({"preference": "SECONDARY_ONLY"}, "secondary_only"),
        ({"preference": "SECONDARY_ONLY"} | ON_SECONDARY, ""),
        ({"preference": "SECONDARY"}, "secondary"), ({"preference": "SECONDARY"} | ON_SECONDARY, ""),
        ({"preference": "SECONDARY", "has_secondary": False}, ""),
        ({"preference": "NONE"}, ""), ({"preference": "NONE", "priority": 0}, "excluded"),
        ({"preference": "NONE", "priority": 1}, ""), ({"preference": None, "priority": 0}, ""),
        ({"preference": "PRIMARY", "priority": 0}, ""),
        ({"preference": "SECONDARY_ONLY", "priority": 0} | ON_SECONDARY, "excluded"),
        ({"preference": "SECONDARY"} | DIFFERENTIAL, ""), ({"preference": "SECONDARY"} | FULL, "secondary"),
        ({"preference": "SECONDARY", "database_key": "based"} | FULL, ""),
        ({"preference": "SECONDARY", "database_key": "based"}, "secondary"),
    ],
)  # fmt: skip
def test_why_a_backup_should_not_have_run_where_it_did(more, why):
    assert preference.why_not(log(1, **more), {"based"}) == why


def test_full_backups_that_differential_ones_need_are_no_reason():
    full = [log(n, kind="full", **AGAINST) for n in range(3)]
    assert [each.said for each in judged(*full)] == ["preference.secondary"]
    assert judged(*full, log(4, kind="differential", **AGAINST)) == []
    other = log(4, kind="differential", database_key="stock", database="Stock", **AGAINST)
    assert [each.said for each in judged(*full, other)] == ["preference.secondary"]


def test_full_backups_of_secondaries_are_counted_as_copies():
    rows = [log(n, preference="PRIMARY", **ON_SECONDARY) for n in range(3)]
    (found,) = judged(*rows, log(4, kind="full"), log(5, kind="full", **ON_SECONDARY))
    assert found.facts["copies"] == 1


def test_backups_without_a_role_or_an_end_are_not_judged():
    rows = [log(n, **AGAINST) for n in range(3)]
    assert (
        judged(*rows[:2], rows[2]._replace(role=None)) == judged(*rows[:2], rows[2]._replace(end=None)) == []
    )


def test_a_backup_whose_end_of_log_is_not_known_makes_no_gap_before_the_chain():
    chain = [log(1, 1, 3), log(2, 3, 6), log(3, 6, 9), log(4, 9, 12)]
    assert judged(log(0.5, 1, None), *chain) == judged(log(0.5, None, 0), *chain) == []


@pytest.mark.parametrize(("linked", "n"), [(2, 1), (1, 0)])
def test_two_log_backups_go_on_for_each_that_does_not(linked, n):
    chain = [log(hour, hour, hour + 1) for hour in range(1, 2 + linked)]
    found = judged(*chain, log(9, 30, 40))
    assert [(each.said, each.confidence) for each in found] == [("preference.gap", 0.8)] * n
