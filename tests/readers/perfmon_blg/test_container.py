"""Binary logs: buffers, events and pieces, whole, lost and in disorder."""

from __future__ import annotations

from dataclasses import replace
from io import BufferedReader, RawIOBase

import pytest

from agtrace.readers.base import Source
from agtrace.readers.perfmon_blg import READER
from simulation.formats.blg import Form, Log, rotate
from simulation.formats.blg_blocks import (
    BULK_RATE,
    RAWCOUNT,
    START,
    WHOLE,
    Definition,
    Instance,
    Item,
    Objects,
    One,
    PerfObject,
    Raw,
    Sample,
)
from tests.readers.perfmon_blg.blg_logs import SECOND, at, kinds, log_of, read, values

COUNT = Item("Memory", "Pages", RAWCOUNT)
PAGES = r"\\HOST\Memory\Pages"
NAMES = {230: "Process", 232: "Thread", 784: "ID Process", 804: "ID Thread"}


PROCESS = (Definition(784, RAWCOUNT, 4),)
PROCESS_ITEM = Item("Process", "*", WHOLE, "*")


def processes(*instances: tuple[str, int]) -> PerfObject:
    return PerfObject(230, PROCESS, [Instance(name, [pid]) for name, pid in instances])


class OneWay(RawIOBase):
    """Bytes that can be read once, from the start to the end."""

    def __init__(self, data: bytes) -> None:
        self.data = memoryview(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        count = min(len(buffer), len(self.data))
        buffer[:count] = self.data[:count]
        self.data = self.data[count:]
        return count


@pytest.mark.complete
@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize("wide", [False, True])
def test_a_catalogue_of_many_pieces(wide, repeat):
    items = [replace(COUNT, instance=f"disk {n}") for n in range(3_000)]
    rows = [[One(n + row) for n in range(3_000)] for row in range(2)]
    form = Form(wide=wide, repeat_signature=repeat)
    tables = read(log_of(items, rows, form=form))
    assert values(tables) == {rf"\\HOST\Memory(disk {n})\Pages": {0: n, 1: n + 1} for n in range(3_000)}
    assert kinds(tables) == {"assumed_catalogue_pieces": 1}


def test_names_in_many_events():
    names = NAMES | {n: f"name of {n}" for n in range(1000, 4000)}
    block = Objects([processes(("a", 1))])
    tables = read(log_of([PROCESS_ITEM], [[block]], names))
    assert values(tables) == {r"\\HOST\Process(a)\ID Process": {0: 1}}


def test_a_log_that_was_never_closed():
    tables = read(log_of([COUNT], [[One(1)]], form=Form(closed=False)))
    assert values(tables) == {PAGES: {0: 1}}
    assert kinds(tables) == {"assumed_open_log": 1}


def test_a_closing_summary_is_passed_over():
    tables = read(log_of([COUNT], [[One(1)]], form=Form(summary=b"\x17" * 500)))
    assert values(tables) == {PAGES: {0: 1}}
    assert kinds(tables) == {}


def test_missing_and_empty_buffers_are_told():
    form = Form(buffer_bytes=1024)
    log = log_of([COUNT], [[One(n)] for n in range(30)], form=form)
    whole = values(read(log))[PAGES]
    assert len(whole) == 30
    cut = read(log[:-1024])
    assert kinds(cut) == {"missing_buffers": 1}
    assert values(cut)[PAGES] == {n: n for n in range(len(values(cut)[PAGES]))}
    assert len(values(cut)[PAGES]) < 30
    empty = read(log[:3072] + bytes(1024) + log[4096:])
    assert kinds(empty) == {"unwritten_buffer": 1}
    bad = read(log[:3072] + b"\x01" * 1024 + log[4096:])
    assert kinds(bad) == {"bad_buffer": 1}
    assert values(bad) == values(empty)


def test_a_sample_that_lost_a_piece_is_left_out():
    form = Form(buffer_bytes=1024, piece_bytes=300)
    items = [replace(COUNT, instance=str(n)) for n in range(30)]
    log = log_of(items, [[One(row)] * 30 for row in range(10)], form=form)
    buffers = [log[at : at + 1024] for at in range(0, len(log), 1024)]
    del buffers[-4]
    tables = read(b"".join(buffers))
    found = kinds(tables)
    assert found.pop("torn_sample") == 10 - tables["ticks"].num_rows
    assert found == {"assumed_catalogue_pieces": 1, "missing_buffers": 1}


def test_a_circular_log_is_read_in_the_order_of_time():
    form = Form(buffer_bytes=2048, mode=2)
    items = [replace(COUNT, instance=str(n)) for n in range(8)]
    log = log_of(items, [[One(row)] * 8 for row in range(40)], form=form)
    straight = read(log)
    assert kinds(straight) == {}
    for by in (1, 3, 7):
        turned = read(rotate(log, form, by))
        assert kinds(turned) == {"assumed_circular_order": 1}
        assert values(turned) == values(straight)
        assert turned["ticks"].equals(straight["ticks"])


def test_a_circular_log_that_cannot_be_wound_back():
    """A member of an archive, say, or a download."""
    form = Form(buffer_bytes=2048, mode=2)
    log = rotate(log_of([COUNT], [[One(row)] for row in range(60)], form=form), form, 2)
    source = Source("log.blg", len(log), lambda: BufferedReader(OneWay(log)))
    found = [batch for table, batch in READER.read(source) if table == "samples"]
    assert found[0]["value"].to_pylist() == list(range(60))


def test_a_circular_log_has_lost_its_oldest_pieces():
    form = Form(buffer_bytes=2048, mode=2, piece_bytes=900)
    items = [replace(COUNT, instance=str(n)) for n in range(40)]
    log = log_of(items, [[One(row)] * 40 for row in range(10)], form=form)
    buffers = [log[at : at + 2048] for at in range(0, len(log), 2048)]
    catalogue = next(n for n, b in enumerate(buffers) if b"BL\x03\x00" in b)
    oldest = buffers[: catalogue + 1] + buffers[catalogue + 3 :]
    tables = read(rotate(b"".join(oldest), form, 2))
    assert kinds(tables) == {
        "assumed_circular_order": 1,
        "assumed_catalogue_pieces": 1,
        "assumed_overwritten": 1,
        # The first sample began behind the catalogue, where nothing is overwritten.
        "torn_sample": 1,
        "missing_buffers": 1,
    }
    last = max(values(tables)[r"\\HOST\Memory(0)\Pages"].values())
    assert last == 9


def test_a_second_catalogue_replaces_the_first():
    rate = replace(COUNT, type=BULK_RATE, counter="Faults/sec")
    log = Log(Form())
    log.add_catalogue([rate, COUNT], START)
    for n in range(2):
        log.add_sample(Sample(at(n), [One(100 * n, n * SECOND), One(n)]))
    log.add_catalogue([COUNT, rate], at(2))
    for n in range(2, 4):
        log.add_sample(Sample(at(n), [One(n), One(100 * n, n * SECOND)]))
    tables = read(log.finish())
    assert values(tables) == {r"\\HOST\Memory\Faults/sec": {1: 100, 3: 100}, PAGES: {0: 0, 1: 1, 2: 2, 3: 3}}
    assert kinds(tables) == {"assumed_new_catalogue": 1}


def test_a_sample_with_too_few_or_strange_blocks():
    items = [COUNT, replace(COUNT, counter="B")]
    rows = [[One(1)], [Raw(9, b"12345678"), One(2)], [Raw(1, b"short"), One(3)], [One(4), One(5)]]
    tables = read(log_of(items, rows))
    assert values(tables) == {PAGES: {0: 1, 3: 4}, r"\\HOST\Memory\B": {1: 2, 2: 3, 3: 5}}
    assert kinds(tables) == {"block_count": 1, "unknown_block": 1, "bad_block": 1}
