"""Twice as many of what a folder may repeat take no more questions to the store.

What takes time on a large case is asking: questions are counted, for a clock says another thing each time.
``bench/doubling.py`` doubles databases, hosts, groups, failovers, files, counters, events, sessions and
archives by the thousand, and holds the processor's time against it.
"""

from __future__ import annotations

import pytest

from agtrace.diagnostics import analyses
from tests.diagnostics.tiny import Case, case

ROLES = "A | {} | replica_state | 19406 | ag={}; old_state=PRIMARY_PENDING; new_state=PRIMARY_NORMAL"
LEFT = "A | {} | replica_state | 19406 | ag={}; old_state=PRIMARY_NORMAL; new_state=RESOLVING_NORMAL"


def databases(count):
    """A primary and a secondary with so many databases, all of which fall behind."""
    lines = []
    for number in range(count):
        lines += [
            rf"P | \SQLServer:Databases(D{number})\Log Bytes Flushed/sec | 1000",
            rf"S | \SQLServer:Database Replica(D{number})\Log Bytes Received/sec | 500",
            rf"S | \SQLServer:Database Replica(D{number})\Log Send Queue | 100~5",
        ]
    return case("\n".join(lines))


def failovers(count):
    """A group that leaves its primary and comes back in place, again and again."""
    told = [ROLES.format(0, "AG")]
    for number in range(1, count + 1):
        told += [LEFT.format(600 * number, "AG"), ROLES.format(600 * number + 5, "AG")]
    return case(messages="\n".join(told))


def groups(count):
    """So many groups on one server, each of which fails over once."""
    told = []
    for number in range(count):
        ag = f"AG{number}"
        told += [ROLES.format(0, ag), LEFT.format(600, ag), ROLES.format(605 + number, ag)]
    return case(messages="\n".join(told))


def questions(made, monkeypatch):
    """Count what is asked of a case until all of its findings are there."""
    asked = []
    for name in ("rows", "table", "run"):
        whole = getattr(Case, name)

        def counted(view, query, *more, whole=whole, **named):
            asked.append(query)
            return whole(view, query, *more, **named)

        monkeypatch.setattr(Case, name, counted)
    found = [f for analysis in analyses().values() for f in analysis(made).findings()]
    monkeypatch.undo()
    return len(asked), found


@pytest.mark.complete
@pytest.mark.parametrize("what", [databases, failovers, groups])
def test_twice_as_many_take_no_more_questions(what, monkeypatch):
    few, found = questions(what(6), monkeypatch)
    many, more = questions(what(12), monkeypatch)
    assert many <= few
    assert len(more) > len(found) or what is databases
