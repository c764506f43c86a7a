"""backup.preference: where the backups of a group run, their log chain, and log backups that are missing."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from agtrace.diagnostics.backup import Backup
from tests.behind import assert_facts
from tests.diagnostics.backup.cases import backed_up, backup_case, log

HOUR = 3600
ROLES = """
A | - | roles | ag=AG; role=PRIMARY; end=2024-03-08T00:00:00Z
B | - | roles | ag=AG; role=SECONDARY
A | -86400 | database_states | ag=AG; database=Sales; replica=A
A | - | replicas | ag=AG; replica=A
A | - | replicas | ag=AG; replica=B
"""
PREFERS = "A | -90000 | group_options | ag=AG; option=automated_backup_preference; value={}; option_id=1"
OPEN = ("Server", "Registry startup parameters: \n\t -d C:\\master.mdf\n\t -e C:\\ERRORLOG\n\t -l C:\\l.ldf")
FLAGGED = ("Server", OPEN[1] + "\n\t -T 3226")
DONE = ("spid7s", "Recovery is complete. This is an informational message only. No user action is required.")


def taken(*hours: float, kind: str = "log", lsns: tuple[int, ...] = ()) -> list[tuple[float, str, str]]:
    """Give backups of Sales; of a log each goes from one of these to the next."""
    found = []
    for place, hour in enumerate(hours):
        text = backed_up("Sales", 100, kind=kind)
        first, last = lsns[place : place + 2] if lsns else (place, place + 1)
        text = text.replace("39:760:1", f"39:{first}:1").replace("39:763:1", f"39:{last}:1")
        found.append((hour * HOUR, "Backup", text))
    return found


GAPPED = [*taken(0.4, 0.6, 1, lsns=(0, 3, 6, 10)), *taken(3, lsns=(11, 20))]


def told(a=(), b=(), *, relations: str = "", until: float = 8, start=OPEN, logs: int = 2):
    """Give what is told of the logs of A and B, which start at 0 and end after so many hours."""
    texts = [log((0, *start), *own, (until * HOUR, *DONE)) for own in (a, b)][:logs]
    made = backup_case(*texts, hosts=("A", "B")[:logs], relations=f"{ROLES}\n{relations}")
    return [f for f in Backup(made).findings() if f.id == "backup.preference"]


def titles(*args, **named):
    return [(f.severity, f.title) for f in told(*args, **named)]


@pytest.mark.complete
def test_log_backups_on_the_primary_are_against_a_preference_for_secondaries():
    (found,) = told(taken(1, 2, 3), relations=PREFERS.format("SECONDARY"))
    assert (found.severity, found.subject) == ("notice", {"ag": "AG", "host": "A"})
    assert_facts(found, ag="AG", told=1, servers=["A"])
    assert [(e.label, e.value, e.source) for e in found.evidence] == [
        ("AUTOMATED_BACKUP_PREFERENCE", "SECONDARY", "statements and looks"),
        ("log backups on A (primary)", 3, "the last: errorlog-0 line 7"),
    ]
    assert found.window == {"start": "2024-03-04T13:00:00+00:00", "end": "2024-03-04T15:00:00+00:00"}


def test_those_that_are_logged_are_held_against_it_where_others_may_not_be():
    (found,) = told(taken(1, 2, 3), relations=PREFERS.format("SECONDARY"), start=FLAGGED)
    assert found.subject == {"ag": "AG", "host": "A"}


def test_two_of_them_are_somebodys_own():
    assert told(taken(1, 2), relations=PREFERS.format("SECONDARY")) == []


def test_so_are_fewer_than_half_of_their_kind():
    logs = taken(1, 2, 3), taken(4, 5, 6, 7, lsns=(3, 4, 5, 6, 7))
    assert [f.severity for f in told(*logs, relations=PREFERS.format("SECONDARY"))] == ["info"]


def test_where_no_secondary_was_online_the_primary_is_right():
    alone = "B | - | roles | ag=AG; role=RESOLVING"
    made = backup_case(
        log((0, *OPEN), *taken(1, 2, 3), (8 * HOUR, *DONE)),
        hosts=("A",),
        relations=ROLES.replace("B | - | roles | ag=AG; role=SECONDARY", alone) + PREFERS.format("SECONDARY"),
    )
    assert [f for f in Backup(made).findings() if f.id == "backup.preference"] == []


@pytest.mark.parametrize(
    ("preference", "where", "n"),
    [
        ("SECONDARY_ONLY", "A", 1),
        ("SECONDARY_ONLY", "B", 0),
        ("PRIMARY", "A", 0),
        ("PRIMARY", "B", 1),
        ("NONE", "A", 0),
    ],
)
def test_each_preference_has_its_place(preference, where, n):
    own = taken(1, 2, 3)
    found = told(
        own if where == "A" else (), own if where == "B" else (), relations=PREFERS.format(preference)
    )
    assert [f.severity for f in found] == ["notice"] * n


def test_a_preference_that_no_capture_shows_is_none():
    assert told(taken(1, 2, 3)) == []


@pytest.mark.complete
def test_full_backups_that_differential_ones_need_run_on_the_primary():
    full, differential = taken(1, 2, 3, kind="full"), taken(4, kind="differential")
    assert told([*full, *differential], relations=PREFERS.format("SECONDARY")) == []
    assert len(told(full, relations=PREFERS.format("SECONDARY"))) == 1


def test_full_backups_on_a_secondary_are_copy_only():
    (found,) = told((), taken(1, 2, 3, kind="full"), relations=PREFERS.format("PRIMARY"))
    assert_facts(found, copies=3, told=1, servers=["B"])


def test_a_chain_over_two_servers_is_told():
    assert titles(taken(1, 3, lsns=(0, 1, 2)), taken(5, lsns=(2, 3))) == [("info", ANY)]


def test_log_that_no_backup_holds_is_a_gap():
    found = told(GAPPED)
    assert [(f.severity, f.subject, f.title) for f in found] == [
        ("warning", {"ag": "AG", "database": "Sales"}, ANY)
    ]
    assert [(e.label, e.value) for e in found[0].evidence] == [
        ("last LSN of the one before", "39:10:1"), ("first LSN of the next", "39:11:1"),
    ]  # fmt: skip


def test_a_chain_that_goes_on_at_another_server_has_none():
    assert titles(taken(1, lsns=(0, 10)), taken(3, lsns=(10, 20))) == [("info", ANY)]


@pytest.mark.parametrize(("gaps", "n"), [(1, 1), (2, 0)])
def test_where_hardly_one_follows_another_no_chain_is_seen(gaps, n):
    """Three of four neighbours follow each other, or two of four."""
    logs = [*GAPPED, *taken(4, lsns=(20, 30) if gaps == 1 else (21, 30))]
    assert [f.severity for f in told(logs)] == ["warning"] * n


def test_where_a_replica_was_not_captured_a_gap_is_not_claimed():
    assert told(GAPPED, logs=1) == []


def test_where_backups_are_not_logged_a_gap_is_not_claimed():
    assert told(GAPPED, start=FLAGGED) == []


@pytest.mark.parametrize(("hours", "n"), [(23.99, 0), (24.0, 1)])
def test_a_day_without_a_log_backup_on_any_replica_is_told(hours, n):
    assert [f.severity for f in told(taken(0.5), until=0.5 + hours)] == ["warning"] * n


def test_the_time_without_a_log_backup_lies_within_the_logs():
    (found,) = told(until=48)
    assert_facts(found, ag="AG", database="Sales", seconds=172800.0, databases=["Sales"])
    assert found.subject == {"ag": "AG", "database": "Sales"}
    assert found.window == {"start": "2024-03-04T12:00:00+00:00", "end": "2024-03-06T12:00:00+00:00"}


def test_where_the_group_is_one_of_a_distributed_one_the_other_may_take_them():
    stream = "A | - | streams | ag=DAG; is_distributed=true; stream_id=1; replica_host_id=A"
    assert told(until=48, relations=stream) == []


def test_databases_without_log_backups_are_told_together():
    more = "A | -86400 | database_states | ag=AG; database=Orders; replica=A"
    (found,) = told(taken(10), until=40, relations=more)
    assert_facts(found, ag="AG", seconds=144000.0, databases=["Orders", "Sales"], replicas=["A", "B"])
    assert [(e.label, e.value) for e in found.evidence] == [
        ("Orders: without a log backup", 40 * HOUR),
        ("Sales: without a log backup", 30 * HOUR),
    ]


def test_a_database_of_that_name_elsewhere_is_of_no_chain():
    text = log((0, *OPEN), *taken(5, lsns=(900, 910)), (8 * HOUR, *DONE))
    logs = [log((0, *OPEN), *own, (8 * HOUR, *DONE)) for own in (taken(1, 3, lsns=(0, 1, 2)), ())]
    made = backup_case(*logs, text, hosts=("A", "B", "X"), relations=ROLES)
    assert [f for f in Backup(made).findings() if f.id == "backup.preference"] == []


def test_a_log_backup_of_the_secondary_counts():
    assert told((), taken(12), until=30) == []


@pytest.mark.parametrize("given", [{"logs": 1}, {"start": FLAGGED}])
def test_nothing_is_missing_where_a_log_would_not_show_it(given):
    assert told(until=48, **given) == []


def test_without_a_known_replica_nothing_is_missing():
    made = backup_case(log((0, *OPEN), (48 * HOUR, *DONE)), hosts=("A",),
                       relations="\n".join(ROLES.splitlines()[1::2][:2]))  # fmt: skip
    assert Backup(made).findings() == []


def test_a_lone_server_with_databases_of_that_name_is_no_replica():
    made = backup_case(log((0, *OPEN), *taken(1, 2, 3), (4 * HOUR, *DONE)), hosts=("X",),
                       relations=ROLES + PREFERS.format("SECONDARY"))  # fmt: skip
    assert [f for f in Backup(made).findings() if f.id == "backup.preference"] == []
