"""Rows as PowerShell's ``Format-List`` shows them: a line for each value, a blank line between rows.

Source: Microsoft Learn, "Format-List"; long values go on below themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from agtrace.readers.query_results.layouts.table import Header, Records, Table, Wanted, value
from agtrace.tables import kernels as pc
from agtrace.tables.column_names import plain
from agtrace.tables.rows import array_from, array_of, flags, scalar_of

MAX_BYTES = 16 << 20
_PROPERTY = re.compile(r"^[A-Za-z_@][\w @#$%()/.:-]{0,127}? +: ?", re.MULTILINE)
_LINE = r"^(?P<name>[A-Za-z_@][\w @#$%()/.:\-]{0,127}?) *: ?(?P<value>.*)$"
_BLANK = r"^\s*$"


def tables(text: str, is_wanted: Wanted) -> Iterator[Table]:
    """Return the tables of rows that are listed; rows of the same names belong to one table."""
    if len(text) > MAX_BYTES or " :" not in text or not _PROPERTY.search(text):
        return
    lines = array_of(text.split("\n"), pa.string())
    found = pc.extract_regex(pc.utf8_rtrim(lines, "\r"), pattern=_LINE)
    is_property = flags(pc.is_valid(found))
    is_blank = flags(pc.match_substring_regex(lines, _BLANK))
    # Indented lines belong to the value above them.
    is_more = ~is_property & ~is_blank & flags(pc.starts_with(lines, "  "))
    before = np.concatenate([[False], (is_property | is_more)[:-1]])
    is_more = _continued(is_more, before)
    is_first = is_property & ~np.concatenate([[False], (is_property | is_more)[:-1]])
    begins = np.flatnonzero(is_first)
    places = np.flatnonzero(is_property)
    if not len(begins):
        return
    names = pc.struct_field(found, "name").take(_places(places))
    values = _joined(pc.struct_field(found, "value"), lines, places, is_more)
    edges = np.append(np.searchsorted(places, begins), len(places))
    keys = _keys(names, edges)
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    for first, end in zip(starts.tolist(), [*starts[1:].tolist(), len(begins)], strict=True):
        begin, width = edges[first], edges[first + 1] - edges[first]
        columns = [name.strip() for name in names.slice(begin, width).to_pylist()]
        if width < 2 or not is_wanted([plain(name) for name in columns]):
            continue
        cells = values.slice(begin, width * (end - first))
        order = np.arange(len(cells)).reshape(-1, width)
        line = begins[first] + 1
        yield (
            Header(columns, int(line)),
            Records(
                [value(cells.take(_places(order[:, place]))) for place in range(width)],
                begins[first:end] + 1,
                last_line=int(places[edges[end] - 1]) + 1,
            ),
        )


def _continued(is_more: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return which indented lines follow a value or a line that goes on with one."""
    groups = np.cumsum(~is_more)
    first = np.flatnonzero(is_more & ~np.concatenate([[False], is_more[:-1]]))
    good = np.zeros(len(groups) + 2, bool)
    good[groups[first[before[first]]]] = True
    return is_more & good[groups]


def _joined(values: pa.Array, lines: pa.Array, places: np.ndarray, is_more: np.ndarray) -> pa.Array:
    """Return the values of the properties with the lines that go on with them."""
    own = values.take(_places(places))
    more = np.flatnonzero(is_more)
    if not len(more):
        return own
    texts = own.to_pylist()
    rest = pc.utf8_trim_whitespace(lines.take(_places(more))).to_pylist()
    for at, text in zip((np.searchsorted(places, more) - 1).tolist(), rest, strict=True):
        texts[at] += " " + text
    return array_of(texts, pa.string())


def _keys(names: pa.Array, edges: np.ndarray) -> np.ndarray:
    """Return a text for each row that is equal where rows have the same names in the same order."""
    lists = pa.ListArray.from_arrays(array_from(edges, pa.int32()), names)
    return np.array(pc.binary_join(lists, scalar_of("\n", pa.string())).to_pylist(), object)


def _places(numbers: np.ndarray) -> pa.Array:
    return array_from(numbers, pa.int64())
