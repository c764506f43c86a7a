"""Names of guids that only a look at a server tells."""

from __future__ import annotations

import pytest

from agtrace.history.seedings import captured
from agtrace.history.seedings.names import Names
from tests.diagnostics.tiny import case

GUID = "d4d4d4d4-1111-4222-8333-0123456789ab"
ROW = "P | 0 | ag_names | kind={}; id=" + GUID + "; name={}"


def known(*rows):
    made = case(relations="\n".join(ROW.format(*row) for row in rows))
    captured.gather(made)
    return Names(made)


@pytest.mark.parametrize(("kind", "where"), [("database", "databases"), ("group", "groups")])
def test_a_name_from_a_look(kind, where):
    assert getattr(known((kind, "Sales")), where) == {GUID: "Sales"}


def test_a_replica_is_its_host():
    assert known(("replica", "p\\SALES")).replicas == {GUID: "P"}


def test_two_names_say_nothing():
    assert known(("database", "Sales"), ("database", "Stock")).databases == {}
