"""Query results in the layout of each tool: the same rows whichever tool showed or saved them."""

from __future__ import annotations

import pytest

from agtrace.readers import detect
from agtrace.readers.query_results import READER
from agtrace.testing import check_reader, read_all
from simulation.formats.query_results import LAYOUTS, OF_NET, plain
from simulation.formats.query_tables import TABLES
from tests.folded import folded

STATES = TABLES["database_replica_states"]


def rows(text: str) -> list[list[str | None]]:
    """Return the rows of a text without the zeros of whole seconds."""
    data = text.encode()
    reader, _found = detect(data[:65_536], "result.txt")
    assert reader is READER
    cells = read_all(READER, data, "result.txt")["rowset_rows"]["cells"].to_pylist()
    return [[cell.removesuffix(".000") if cell else None for cell in row] for row in cells]


def expected(layout: str, table: str) -> list[list[str | None]]:
    values = [[plain(cell) or None for cell in row] for row in TABLES[table].rows]
    lost = ".123" if layout in OF_NET else ".000"
    return [[cell and cell.removesuffix(".000").removesuffix(lost) for cell in row] for row in values]


def shown(tables: list[str]) -> list[tuple[str, str]]:
    return [(layout, table) for layout in LAYOUTS for table in tables]


@folded(("layout", "table"), shown(sorted(TABLES)[::2]))
def test_each_tool_shows_the_same_rows(layout, table):
    check_rows(layout, table)


@folded(("layout", "table"), shown(sorted(TABLES)[1::2]))
def test_each_tool_shows_the_same_rows_of_the_other_tables(layout, table):
    check_rows(layout, table)


def check_rows(layout: str, table: str) -> None:
    width = len(TABLES[table].columns)
    found = [row[:width] for row in rows(LAYOUTS[layout](TABLES[table]))]
    assert found == expected(layout, table)


@pytest.mark.complete
@pytest.mark.parametrize("layout", LAYOUTS)
def test_contract(layout):
    # Rows above it have the time of this line: without it they have none.
    text = LAYOUTS[layout](STATES).partition("Completion time")[0]
    check_reader(READER, text.encode(), "x.txt", "rowset_rows", flips=1_000)


@folded(("first", "second"), [(first, second) for first in LAYOUTS for second in LAYOUTS])
def test_results_of_two_tools_in_one_file_are_both_read(first, second):
    if {first, second} & {"convert_to_json", "data_studio_json", "convert_to_html"}:
        return
    text = LAYOUTS[first](STATES) + "\r\n" + LAYOUTS[second](TABLES["wait_stats"])
    found = read_all(READER, text.encode(), "x.txt")
    assert found["rowset_heads"].num_rows == 2
    assert found["rowset_rows"].num_rows == 4
