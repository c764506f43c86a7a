"""backup.preference: where the backups of a group run, their log chain, and log backups that are missing."""

from __future__ import annotations

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
    """Return backups of Sales; each log backup goes from one of these to the next."""
    found = []
    for place, hour in enumerate(hours):
        text = backed_up("Sales", 100, kind=kind)
        first, last = lsns[place : place + 2] if lsns else (place, place + 1)
        text = text.replace("39:760:1", f"39:{first}:1").replace("39:763:1", f"39:{last}:1")
        found.append((hour * HOUR, "Backup", text))
    return found


GAPPED = [*taken(0.4, 0.6, 1, lsns=(0, 3, 6, 10)), *taken(3, lsns=(11, 20))]


def told(a=(), b=(), *, relations: str = "", until: float = 8, start=OPEN, logs: int = 2):
    """Return the verdicts on logs of A and B, which start at 0 and end after so many hours."""
    texts = [log((0, *start), *own, (until * HOUR, *DONE)) for own in (a, b)][:logs]
    made = backup_case(*texts, hosts=("A", "B")[:logs], relations=f"{ROLES}\n{relations}")
    return [f for f in Backup(made).findings() if f.id == "backup.preference"]


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


@pytest.mark.complete
def test_full_backups_that_differential_ones_need_run_on_the_primary():
    full, differential = taken(1, 2, 3, kind="full"), taken(4, kind="differential")
    assert told([*full, *differential], relations=PREFERS.format("SECONDARY")) == []
    assert len(told(full, relations=PREFERS.format("SECONDARY"))) == 1


def test_full_backups_on_a_secondary_are_copy_only():
    (found,) = told((), taken(1, 2, 3, kind="full"), relations=PREFERS.format("PRIMARY"))
    assert_facts(found, copies=3, told=1, servers=["B"])


def test_the_time_without_a_log_backup_lies_within_the_logs():
    (found,) = told(until=48)
    assert_facts(found, ag="AG", database="Sales", seconds=172800.0, databases=["Sales"])
    assert found.subject == {"ag": "AG", "database": "Sales"}
    assert found.window == {"start": "2024-03-04T12:00:00+00:00", "end": "2024-03-06T12:00:00+00:00"}


def test_where_the_group_is_one_of_a_distributed_one_the_other_may_take_them():
    stream = "A | - | streams | ag=DAG; is_distributed=true; stream_id=1; replica_host_id=A"
    assert told(until=48, relations=stream) == []
