"""Links: who sent log to whom, and in which window."""

from __future__ import annotations

from dataclasses import replace

from agtrace.history.streams.collect import read_streams
from agtrace.history.streams.links import links
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import SLOW, perfmon


def test_roles_of_a_time_that_was_not_captured_give_no_link_where_clocks_do_not_compare():
    found = read_streams(case(perfmon(SLOW), zone_unknown=("P", "S")))
    (group,) = found.groups
    roles, known = found.roles[group.ags], found.known
    later = {node: [replace(role, start=1e12, end=2e12) for role in own] for node, own in roles.items()}
    assert links(group, roles, known.facts, known.limits) != []
    assert links(group, later, known.facts, known.limits) == []
