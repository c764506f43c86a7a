"""What the table and the figure of attempts show, and how many entries are looked at."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.access import Access, figures, tables
from agtrace.diagnostics.access.endpoints import Trouble
from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import ListenerEntries
from tests.diagnostics.access.cases import life
from tests.diagnostics.access.test_bounds import at, attempt


def trouble(far="B", text="x", kind="login"):
    return Trouble("A", far, kind, [attempt(far=far, text=text, last=5.0)])


@pytest.mark.parametrize(
    ("n", "shown"), [(160, "x" * 160), (161, "x" * 159 + "…"), (3, "xxx")], ids=["as long", "longer", "short"]
)
def test_a_text_is_cut_behind_its_160_characters(n, shown):
    (row,) = tables.troubles([trouble(text="x" * n)], KnownConnections()).to_dict("records")
    assert list(row.values()) == ["A", "B", "login", 1, at(0), at(5), "failing", shown]


@pytest.mark.parametrize(("far", "name"), [("B", "A and B: refused"), ("", "A and its own port: refused")])
def test_a_line_is_called_by_its_pair_or_by_the_port_of_its_host(far, name):
    (line,) = figures.attempts([trouble(far, kind="refused")], "Attempts").data
    assert line.name == name


@pytest.mark.complete
def test_of_more_entries_fifty_thousand_are_looked_at():
    made = life()
    made.run(
        "insert into errorlog by name select 'A' as host_id, 19456 as error, 'log' as content_id, "
        "range as line, timestamptz '2024-03-05 12:00Z' as time, 'entry ' || range as message "
        "from range(50001)"
    )
    rows = Access(made)._entries(ListenerEntries, numbers=[19456], events=[])
    assert len(rows) == 50_000
