"""The battery that every reader passes (one call per reader and sample)."""

from __future__ import annotations

import random
import time

import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import Reader, ReadOptions, Source
from agtrace.tables import CONTENT_TABLES, SEVERITIES
from tests import effort

Tables = dict[str, pa.Table]


def read_all(reader: Reader, data: bytes, name: str, options: ReadOptions | None = None) -> Tables:
    """Read everything into one table per name, and check the schema of every batch."""
    batches: dict[str, list[pa.RecordBatch]] = {}
    for table, batch in reader.read(Source.of_bytes(data, name), options or ReadOptions()):
        if table in CONTENT_TABLES:
            assert batch.schema.equals(CONTENT_TABLES[table]), f"{table}: {batch.schema}"
        batch.validate(full=True)
        batches.setdefault(table, []).append(batch)
    tables = {table: pa.Table.from_batches(parts) for table, parts in batches.items()}
    if "issues" in tables:
        assert set(tables["issues"]["severity"].to_pylist()) <= set(SEVERITIES)
    return tables


def sorted_rows(table: pa.Table) -> pa.Table:
    keys = [(name, "ascending") for name in ("counter_no", "tick", "line") if name in table.column_names]
    return table.sort_by(keys).combine_chunks() if keys else table.combine_chunks()


def assert_same(left: Tables, right: Tables) -> None:
    assert left.keys() == right.keys()
    for name in left:
        assert sorted_rows(left[name]).equals(sorted_rows(right[name])), name


def check_same_in_any_block_size(reader: Reader, data: bytes, name: str, sizes=(1, 7, 64, 4096)) -> None:
    whole = read_all(reader, data, name)
    for size in sizes:
        assert_same(read_all(reader, data, name, ReadOptions(block_bytes=size)), whole)


def check_read_twice(reader: Reader, data: bytes, name: str) -> None:
    assert_same(read_all(reader, data, name), read_all(reader, data, name))


def check_cuts(reader: Reader, data: bytes, name: str, main_table: str, min_cuts_with_rows: int = 10) -> None:
    """Cut at 50 places: the rows before the cut, exactly, plus an issue when a record is torn.

    A row that was cut may be dropped, or be the last one and differ; every row before it is equal.
    """
    whole = sorted_by_order(read_all(reader, data, name)[main_table], main_table)
    with_rows = 0
    for place in range(1, 50):
        cut = data[: len(data) * place // 50]
        try:
            tables = read_all(reader, cut, name)
        except CaptureError as error:
            assert error.path == name
            continue
        if main_table not in tables or not tables[main_table].num_rows:
            continue
        with_rows += 1
        got = sorted_by_order(tables[main_table], main_table)
        keep = complete_rows(got, main_table)
        assert got.slice(0, keep).equals(whole.slice(0, keep)), f"cut at {len(cut)}"
        if not cut.endswith((b"\n", b"\n\x00")):
            assert "issues" in tables, f"cut at {len(cut)}: no issue row"
    assert with_rows >= min_cuts_with_rows


def sorted_by_order(table: pa.Table, name: str) -> pa.Table:
    if name == "samples":
        return table.sort_by([("tick", "ascending"), ("counter_no", "ascending")]).combine_chunks()
    return table.combine_chunks()


def complete_rows(table: pa.Table, name: str) -> int:
    """Count the rows that cannot have been touched by a cut at the end."""
    return table.num_rows if name == "samples" else max(table.num_rows - 1, 0)


def check_flips(
    reader: Reader, data: bytes, name: str, flips: int = 10_000, seconds_each: float = 2.0
) -> None:
    """Random byte flips give rows or a CaptureError, never another exception or a hang."""
    chance = random.Random(20261121)
    for number in range(effort.times(flips)):
        damaged = bytearray(data)
        for _ in range(chance.choice((1, 1, 1, 2, 8))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        # Of the processor: other work of the machine is not the reader's.
        start = time.process_time()
        try:
            for _table, batch in reader.read(Source.of_bytes(bytes(damaged), name), ReadOptions()):
                batch.validate()
        except CaptureError:
            pass
        except Exception as error:
            raise AssertionError(f"flip {number}: {error!r}") from error
        assert time.process_time() - start < seconds_each, f"flip {number} took too long"


def check_empty(reader: Reader, name: str) -> None:
    """An empty file gives no rows, or a CaptureError."""
    try:
        tables = read_all(reader, b"", name)
    except CaptureError:
        return
    assert all(table.num_rows == 0 for key, table in tables.items() if key != "issues")


def check_reader(reader: Reader, data: bytes, name: str, main_table: str, flips: int = 10_000) -> None:
    """Run the whole battery."""
    hit = reader.detect(data[: 64 * 1024], name)
    assert hit is not None
    assert hit.readable
    check_same_in_any_block_size(reader, data, name)
    check_read_twice(reader, data, name)
    check_cuts(reader, data, name, main_table)
    check_flips(reader, data, name, flips)
    check_empty(reader, name)
