"""Values of a log are put together series by series, whatever batches they come in."""

from __future__ import annotations

import pyarrow as pa
import pytest

from agtrace.convert import columns
from agtrace.convert.columns import Pieces, series_by_series
from tests.folded import folded

SCHEMA = pa.schema(
    [("time_local", pa.timestamp("us")), ("instance", pa.dictionary(pa.int32(), pa.string())),
     ("value", pa.float64())]
)  # fmt: skip


def put_together(batches, names=("a", "b")):
    pieces = Pieces()
    for batch in batches:
        numbers, ticks, values = zip(*batch, strict=True) if batch else ((), (), ())
        given = [pa.array(numbers, pa.int32()), pa.array(ticks, pa.int32()), pa.array(values, pa.float64())]
        pieces.add(pa.RecordBatch.from_arrays(given, names=["counter_no", "tick", "value"]))
    times = {"time_local": pa.array(range(10), pa.int64()).cast(pa.timestamp("us"))}
    named = {"instance": pa.array(names, pa.string()).dictionary_encode()}
    table = series_by_series(pieces, times, named, SCHEMA)
    assert table.schema == SCHEMA
    local = table["time_local"].cast(pa.int64()).to_pylist()
    return list(zip(local, table["instance"].to_pylist(), table["value"].to_pylist(), strict=True))


LIFE = [[(0, 0, 1.0), (0, 1, 2.0), (1, 1, 5.0)], [(0, 3, 3.0), (1, 2, 6.0)]]
ORDERED = [(0, "a", 1.0), (1, "a", 2.0), (3, "a", 3.0), (1, "b", 5.0), (2, "b", 6.0)]


@pytest.fixture(params=[1, 1000], ids=["a chunk a series", "one chunk"])
def _both_ways(request, monkeypatch):
    monkeypatch.setattr(columns, "LONG", request.param)


@pytest.mark.usefixtures("_both_ways")
@folded(
    ("batches", "expected"),
    [
        (LIFE, ORDERED),
        ([[*LIFE[0][::-1]], LIFE[1]], ORDERED),
        (LIFE[::-1], ORDERED),
        ([*LIFE, []], ORDERED),
        ([], []),
    ],
)
def test_each_series_is_in_the_order_of_time(batches, expected):
    assert put_together(batches) == expected


@pytest.mark.usefixtures("_both_ways")
def test_a_series_without_a_name_has_none():
    assert put_together([[(0, 0, 1.0), (1, 0, 2.0)]], (None, "b")) == [(0, None, 1.0), (0, "b", 2.0)]


def test_series_share_their_times_and_names(monkeypatch):
    monkeypatch.setattr(columns, "LONG", 1)
    pieces = Pieces()
    for number in range(2):
        pieces.add(
            pa.RecordBatch.from_pydict({"counter_no": [number] * 3, "tick": [0, 1, 2], "value": [1.0] * 3})
        )
    times = {"time_local": pa.array(range(3), pa.int64()).cast(pa.timestamp("us"))}
    table = series_by_series(pieces, times, {"instance": pa.array(["a", "a"]).dictionary_encode()}, SCHEMA)
    for name in ("time_local", "instance"):
        one, other = (chunk.buffers()[1].address for chunk in table[name].chunks)
        assert one == other
