"""Every relation gives an event the same moment, however far the clock of its host is ahead."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from agtrace.diagnostics import analyses
from agtrace.tables import LOCAL_TIME, UTC_TIME
from agtrace.tables.history import RELATIONS
from tests.history.reference_clock.two_hosts import two_hosts
from tests.test_sample_findings import without_words

AHEAD_S = 90.0
BY_HOST = {"log_blocks"}
"""Relations that keep the clocks of their hosts."""
ABOUT_CLOCKS = {"skew_ms", "skew_s", "own_time"}
LINE = {"source", "host_id", "content_id", "line", "time"}
"""A witness of the timeline has the time that stands beside its line, by its own clock."""


def has_times(kind: pa.DataType) -> bool:
    """Return whether a column holds UTC times, be it within a list or a struct."""
    if pa.types.is_list(kind):
        return has_times(kind.value_type)
    if pa.types.is_struct(kind):
        return any(has_times(field.type) for field in kind)
    return kind == UTC_TIME


TIMED = [name for name, schema in RELATIONS.items() if any(has_times(field.type) for field in schema)]


@pytest.fixture(scope="module")
def cases():
    return {ahead: two_hosts(ahead) for ahead in (0.0, AHEAD_S)}


def plain(value: Any) -> Any:
    """Return a value without what it says of clocks."""
    if isinstance(value, dict):
        left_out = ABOUT_CLOCKS | ({"time"} if value.keys() == LINE else set())
        return {name: plain(each) for name, each in value.items() if name not in left_out}
    return [plain(each) for each in value] if isinstance(value, list) else value


def rows(made, relation):
    own = [field.name for field in RELATIONS[relation] if field.type != LOCAL_TIME]
    columns = ", ".join(f'"{name}"' for name in own)
    return sorted((plain(row) for row in made.rows(f'select {columns} from "{relation}"')), key=repr)


@pytest.mark.parametrize("relation", [name for name in TIMED if name not in BY_HOST])
def test_a_relation_does_not_depend_on_how_far_the_clock_of_a_host_is_ahead(cases, relation):
    even, ahead = (rows(cases[each], relation) for each in (0.0, AHEAD_S))
    times = [field.name for field in RELATIONS[relation] if has_times(field.type)]
    of_b = [row for row in even if row.get("host_id", "B") == "B"]
    assert any(row[name] for row in of_b for name in times), "two_hosts.py has nothing of B for this relation"
    assert ahead == even


def test_captures_keep_the_clock_of_their_host(cases):
    (even,), (ahead,) = (
        made.rows("select max(time) as time from messages where host_id = 'B'") for made in cases.values()
    )
    assert (ahead["time"] - even["time"]).total_seconds() == AHEAD_S


@pytest.mark.parametrize("question", sorted(analyses()))
def test_findings_do_not_depend_on_how_far_the_clock_of_a_host_is_ahead(cases, question):
    even, ahead = (
        without_words(
            each for each in analyses()[question](made).findings() if each.id != "quality.clock_skew"
        )
        for made in cases.values()
    )
    assert ahead == even
