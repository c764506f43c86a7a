"""The battery that every reader passes: one call per reader and sample."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers import topics
from agtrace.readers.base import HEAD_BYTES, Reader, ReadOptions, Source
from agtrace.tables import CONTENT_TABLES, SEVERITIES
from agtrace.testing import effort
from agtrace.testing.declared import undeclared

Tables = dict[str, pa.Table]
"""All contents of a capture, by the name of the table."""

CUTS = 50
"""Places at which a capture is cut."""


def read_all(reader: Reader, data: bytes, name: str, options: ReadOptions | None = None) -> Tables:
    """Read everything into one table per name, and check the schema of every batch.

    Parameters
    ----------
    reader
        The reader.
    data, name
        The bytes of a capture, and the name of its file.
    options
        Options for reading; default: those of an ingest.
    """
    batches: dict[str, list[pa.RecordBatch]] = {}
    for table, batch in reader.read(Source.of_bytes(data, name), options or ReadOptions()):
        if table in CONTENT_TABLES:
            assert batch.schema.equals(CONTENT_TABLES[table]), f"{table}: {batch.schema}"
        else:
            assert table.startswith("events/"), f"there is no table {table!r} (agtrace.tables.CONTENT_TABLES)"
        batch.validate(full=True)
        batches.setdefault(table, []).append(batch)
    tables = {table: pa.Table.from_batches(parts) for table, parts in batches.items()}
    if "issues" in tables:
        assert set(tables["issues"]["severity"].to_pylist()) <= set(SEVERITIES)
    return tables


def check_same_in_any_block_size(
    reader: Reader, data: bytes, name: str, sizes: Sequence[int] = (1, 7, 64, 4096)
) -> None:
    """Check that how many bytes are taken at a time changes nothing."""
    whole = read_all(reader, data, name)
    for size in sizes:
        check_same(read_all(reader, data, name, ReadOptions(block_bytes=size)), whole, f"blocks of {size}")


def check_read_twice(reader: Reader, data: bytes, name: str) -> None:
    """Check that nothing is left from one reading to the next."""
    check_same(read_all(reader, data, name), read_all(reader, data, name), "read again")


def check_order(reader: Reader, data: bytes, name: str) -> None:
    """Check that counters and ticks precede the samples that use them, and that samples are sorted."""
    counters: set[int] = set()
    ticks: set[int] = set()
    for table, batch in reader.read(Source.of_bytes(data, name), ReadOptions()):
        if table == "counters":
            counters.update(batch["counter_no"].to_pylist())
        elif table == "ticks":
            ticks.update(batch["tick"].to_pylist())
        elif table == "samples":
            keys = list(zip(batch["counter_no"].to_pylist(), batch["tick"].to_pylist(), strict=True))
            assert keys == sorted(keys), "samples of a batch are not in the order of (counter_no, tick)"
            assert counters.issuperset(key[0] for key in keys), "samples come before their counters"
            assert ticks.issuperset(key[1] for key in keys), "samples come before their ticks"


def check_declared(reader: Reader, data: bytes, name: str) -> None:
    """Check that rows of ``messages`` and ``facts`` match a declared topic, of this or another reader."""
    declared = topics() | {(topic.table, topic.name): topic for topic in reader.topics}
    for table, batch in reader.read(Source.of_bytes(data, name), ReadOptions()):
        if table in ("messages", "facts"):
            assert undeclared(table, batch, declared) == set()


def check_cuts(reader: Reader, data: bytes, name: str, main_table: str, min_cuts_with_rows: int = 10) -> None:
    """Cut at 50 places: the rows before the cut, exactly, plus an issue when a record is torn.

    A row that was cut may be dropped, or be the last one and differ; every row before it is equal.
    """
    whole = _in_order(read_all(reader, data, name)[main_table], main_table)
    with_rows = 0
    for place in range(1, CUTS):
        cut = data[: len(data) * place // CUTS]
        try:
            tables = read_all(reader, cut, name)
        except CaptureError as error:
            named = error.path
            assert named == name, f"cut at {len(cut)}: the error names {named!r}"
            continue
        if main_table not in tables or not tables[main_table].num_rows:
            continue
        with_rows += 1
        got = _in_order(tables[main_table], main_table)
        keep = _complete_rows(got, main_table)
        assert got.slice(0, keep).equals(whole.slice(0, keep)), f"cut at {len(cut)}"
        if not cut.endswith((b"\n", b"\n\x00")):
            assert "issues" in tables, f"cut at {len(cut)}: no issue row"
    assert with_rows >= min_cuts_with_rows, f"{with_rows} of {CUTS} cuts give rows; the sample is too small"


def check_flips(
    reader: Reader, data: bytes, name: str, flips: int = 10_000, seconds_each: float = 2.0
) -> None:
    """Check that random byte flips give rows or a CaptureError, never another exception or a hang.

    A few hundred of the ``flips`` copies are read; all of them with ``AGTRACE_TESTS=thorough``.
    """
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
    """Check that an empty file gives no rows, or a CaptureError."""
    try:
        tables = read_all(reader, b"", name)
    except CaptureError:
        return
    assert all(table.num_rows == 0 for key, table in tables.items() if key != "issues")


def check_reader(reader: Reader, data: bytes, name: str, main_table: str, flips: int = 10_000) -> None:
    """Run all checks of a reader.

    Parameters
    ----------
    reader
        The reader to test.
    data, name
        The bytes of a sample, and the name of its file.
    main_table
        The table with most of its rows.
    flips
        As in `check_flips`.
    """
    hit = reader.detect(data[:HEAD_BYTES], name)
    assert hit is not None, f"{reader.name} does not recognise {name}"
    assert hit.readable
    check_same_in_any_block_size(reader, data, name)
    check_read_twice(reader, data, name)
    check_order(reader, data, name)
    check_declared(reader, data, name)
    check_cuts(reader, data, name, main_table)
    check_flips(reader, data, name, flips)
    check_empty(reader, name)


def check_same(left: Tables, right: Tables, how: str = "") -> None:
    """Check that two readings gave the same rows."""
    assert left.keys() == right.keys(), how
    for name in left:
        assert _sorted_rows(left[name]).equals(_sorted_rows(right[name])), f"{how}: {name} differs"


def _sorted_rows(table: pa.Table) -> pa.Table:
    keys = [(name, "ascending") for name in ("counter_no", "tick", "line") if name in table.column_names]
    return table.sort_by(keys).combine_chunks() if keys else table.combine_chunks()


def _in_order(table: pa.Table, name: str) -> pa.Table:
    if name == "samples":
        return table.sort_by([("tick", "ascending"), ("counter_no", "ascending")]).combine_chunks()
    return table.combine_chunks()


def _complete_rows(table: pa.Table, name: str) -> int:
    """Count the rows that cannot have been touched by a cut at the end."""
    return table.num_rows if name == "samples" else max(table.num_rows - 1, 0)
