"""Binary logs: the container, the catalogue, the blocks and the names that they give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.perfmon_blg import READER
from simulation.formats.blg import Form, Log, write_blg
from simulation.formats.blg_blocks import (
    BULK_RATE,
    LARGE_RAWCOUNT,
    RAWCOUNT,
    START,
    TEXT,
    WHOLE,
    Definition,
    Instance,
    Item,
    Many,
    Objects,
    One,
    PerfObject,
    Sample,
)
from tests.readers.perfmon_blg.blg_logs import SECOND, at, kinds, log_of, paths, read, values

COUNT = Item("Memory", "Pages", RAWCOUNT)
PAGES = r"\\HOST\Memory\Pages"
NAMES = {230: "Process", 232: "Thread", 784: "ID Process", 804: "ID Thread"}


def detect(data: bytes):
    return READER.detect(data[: 64 * 1024], "whatever.bin")


class TestDetection:
    @pytest.mark.parametrize("form", [Form(), Form(wide=False), Form(buffer_bytes=0x4000)])
    def test_by_content(self, form):
        hit = detect(log_of([COUNT], [[One(1)]], form=form))
        assert hit.readable
        assert hit.kind == "perfmon binary log"

    def test_another_trace_is_recognised_and_not_read(self):
        form = Form(logger="NT Kernel Logger", provider=bytes(16))
        hit = detect(log_of([COUNT], [[One(1)]], form=form))
        assert (hit.kind, hit.readable) == ("Windows event trace", False)

    @pytest.mark.parametrize("data", [b"", b"\0" * 200, b'"(PDH-CSV 4.0)"', b"\x00\x00\x01\x00" * 30])
    def test_nothing_else(self, data):
        assert detect(data) is None

    def test_a_trace_of_other_events_holds_no_counters(self):
        log = log_of([COUNT], [[One(1)]], form=Form(provider=bytes(16)))
        with pytest.raises(CaptureError, match=r"no performance log at offset 131072 \(need events"):
            read(log)

    def test_samples_without_a_catalogue_say_nothing(self):
        log = Log(Form())
        log.add_sample(Sample(START, [One(1)]))
        with pytest.raises(CaptureError, match="no catalogue of counters"):
            read(log.finish())


class TestNames:
    def test_every_part_of_a_path(self):
        items = [
            COUNT,
            replace(COUNT, instance="C:"),
            replace(COUNT, instance="sql", parent="node"),
            replace(COUNT, instance="svchost", index=3),
            replace(COUNT, instance="svchost#4", index=4),
            replace(COUNT, machine=r"\\OTHER"),
            replace(COUNT, machine=""),
        ]
        tables = read(log_of(items, [[One(n) for n in range(7)]]))
        assert values(tables) == {
            PAGES: {0: 0},
            r"\\HOST\Memory(C:)\Pages": {0: 1},
            r"\\HOST\Memory(node/sql)\Pages": {0: 2},
            r"\\HOST\Memory(svchost#3)\Pages": {0: 3},
            r"\\HOST\Memory(svchost#4)\Pages": {0: 4},
            r"\\OTHER\Memory\Pages": {0: 5},
            r"\Memory\Pages": {0: 6},
        }
        assert kinds(tables) == {"assumed_parent_name": 1, "assumed_instance_index": 2}

    def test_known_counters_get_their_canonical_names_unit_and_type(self):
        item = Item("mssql$two:database replica", "log send queue", LARGE_RAWCOUNT, "db")
        (row,) = read(log_of([item], [[One(5)]]))["counters"].to_pylist()
        assert row == {
            "counter_no": 0,
            "host": "HOST",
            "sql_instance": "TWO",
            "object": "SQLServer:Database Replica",
            "instance": "db",
            "counter": "Log Send Queue",
            "object_written": "mssql$two:database replica",
            "counter_written": "log send queue",
            "path": r"\\HOST\mssql$two:database replica(db)\log send queue",
            "unit": "KB",
            "counter_type": "PERF_COUNTER_LARGE_RAWCOUNT",
        }

    def test_a_counter_that_is_logged_twice_counts_once(self):
        tables = read(log_of([COUNT, replace(COUNT, counter="PAGES")], [[One(1), One(2)]]))
        assert values(tables) == {PAGES: {0: 1}}
        assert kinds(tables) == {"duplicate_series": 1}


class TestInstances:
    def test_they_come_and_go(self):
        item = replace(COUNT, instance="*")
        rows = [[Many([("a", 1, 0)])], [Many([("b", 2, 0), ("a", 3, 0)])], [Many([])], [Many([("b", 4, 0)])]]
        tables = read(log_of([item], rows))
        assert values(tables) == {
            r"\\HOST\Memory(a)\Pages": {0: 1, 1: 3},
            r"\\HOST\Memory(b)\Pages": {1: 2, 3: 4},
        }
        assert tables["ticks"].num_rows == 4

    def test_repeated_names_are_numbered_in_any_case(self):
        tables = read(log_of([replace(COUNT, instance="*")], [[Many([("x", 1, 0), ("X", 2, 0)])]]))
        assert values(tables) == {r"\\HOST\Memory(x)\Pages": {0: 1}, r"\\HOST\Memory(X#1)\Pages": {0: 2}}
        assert kinds(tables) == {"assumed_numbering": 1}


PROCESS = (Definition(784, RAWCOUNT, 4),)
PROCESS_ITEM = Item("Process", "*", WHOLE, "*")


def processes(*instances: tuple[str, int]) -> PerfObject:
    return PerfObject(230, PROCESS, [Instance(name, [pid]) for name, pid in instances])


class TestWholeObjects:
    def test_numbers_move_up_when_a_process_exits(self):
        rows = [
            [Objects([processes(("svchost", 10), ("sql", 5), ("svchost", 20), ("SvcHost", 30))])],
            [Objects([processes(("svchost", 10), ("sql", 5), ("SvcHost", 30))])],
        ]
        tables = read(log_of([PROCESS_ITEM], rows, NAMES))
        process = r"\\HOST\Process({})\ID Process".format
        assert values(tables) == {
            process("svchost"): {0: 10, 1: 10},
            process("sql"): {0: 5, 1: 5},
            process("svchost#1"): {0: 20, 1: 30},
            process("SvcHost#2"): {0: 30},
        }
        assert kinds(tables) == {}

    def test_an_object_without_instances(self):
        memory = PerfObject(230, PROCESS, None, [7])
        tables = read(log_of([PROCESS_ITEM], [[Objects([memory])]], NAMES))
        assert values(tables) == {r"\\HOST\Process\ID Process": {0: 7}}

    def test_threads_hang_on_their_process(self):
        threads = PerfObject(
            232,
            (Definition(804, RAWCOUNT, 4),),
            [
                Instance("0", [100], (230, 0)),
                Instance("0", [200], (230, 1)),
                Instance("0", [300], (230, 2)),
                Instance("1", [400], (230, 9)),
            ],
        )
        block = Objects([processes(("sql", 1), ("cmd", 2), ("sql", 3)), threads])
        tables = read(log_of([replace(PROCESS_ITEM, object="thread")], [[block]], NAMES))
        thread = r"\\HOST\Thread({})\ID Thread".format
        assert values(tables) == {
            thread("sql/0"): {0: 100},
            thread("cmd/0"): {0: 200},
            thread("sql/0#1"): {0: 300},
            thread("1"): {0: 400},
        }
        assert kinds(tables) == {"assumed_object_choice": 1, "assumed_parent_instance": 1}

    def test_names_by_number_and_in_a_code_page(self):
        one = PerfObject(230, PROCESS, [Instance("ä", [1]), Instance("", [2], unique_id=77)], code_page=1252)
        tables = read(log_of([PROCESS_ITEM], [[Objects([one])]], NAMES))
        assert values(tables) == {
            r"\\HOST\Process(ä)\ID Process": {0: 1},
            r"\\HOST\Process(77)\ID Process": {0: 2},
        }
        assert kinds(tables) == {"assumed_instance_name": 1}

    def test_an_item_may_ask_for_one_instance_or_counter_of_the_object(self):
        definitions = (*PROCESS, Definition(804, RAWCOUNT, 4))
        one = PerfObject(230, definitions, [Instance("a", [1, 2]), Instance("b", [3, 4])])
        items = [replace(PROCESS_ITEM, instance="B"), replace(PROCESS_ITEM, counter="id process")]
        tables = read(log_of(items[:1], [[Objects([one])]], NAMES))
        assert values(tables) == {
            r"\\HOST\Process(b)\ID Process": {0: 3},
            r"\\HOST\Process(b)\ID Thread": {0: 4},
        }
        tables = read(log_of(items[1:], [[Objects([one])]], NAMES))
        assert values(tables) == {
            r"\\HOST\Process(a)\ID Process": {0: 1},
            r"\\HOST\Process(b)\ID Process": {0: 3},
        }

    def test_other_definitions_in_mid_log(self):
        wide = replace(processes(("a", 2)), definitions=(Definition(784, LARGE_RAWCOUNT, 8),))
        rows = [[Objects([processes(("a", 1))])], [Objects([wide])]]
        tables = read(log_of([PROCESS_ITEM], rows, NAMES))
        assert values(tables) == {r"\\HOST\Process(a)\ID Process": {0: 1, 1: 2}}

    def test_what_the_name_table_lacks_is_named_by_its_number(self):
        tables = read(log_of([PROCESS_ITEM], [[Objects([processes(("a", 1))])]], {230: "Process"}))
        assert values(tables) == {r"\\HOST\Process(a)\784": {0: 1}}
        assert kinds(tables) == {"unnamed_index": 1}

    def test_names_belong_to_a_machine(self):
        log = Log(Form())
        log.add_names(r"\\HOST", NAMES, START)
        log.add_names(r"\\OTHER", {230: "Prozess", 784: "Prozesskennung"}, START)
        log.add_catalogue([PROCESS_ITEM, replace(PROCESS_ITEM, machine=r"\\other", object="prozess")], START)
        block = Objects([processes(("a", 1))])
        log.add_sample(Sample(START, [block, block]))
        assert paths(read(log.finish())) == [
            r"\\HOST\Process(a)\ID Process",
            r"\\other\Prozess(a)\Prozesskennung",
        ]

    def test_a_text_is_no_counter(self):
        one = PerfObject(230, (*PROCESS, Definition(804, TEXT, 0)), [Instance("a", [1])])
        tables = read(log_of([PROCESS_ITEM], [[Objects([one])]], NAMES))
        assert values(tables) == {r"\\HOST\Process(a)\ID Process": {0: 1}}
        assert kinds(tables) == {"unknown_type": 1}


def test_series_match_globs_before_they_are_decoded():
    items = [COUNT, replace(COUNT, instance="[x]"), replace(COUNT, object="Disk")]
    log = log_of(items, [[One(1), One(2), One(3)]])
    assert paths(read(log, counters=("*memory*",))) == [PAGES, r"\\HOST\Memory([x])\Pages"]
    assert paths(read(log, counters=(r"\memory([?])\*", "*DISK*"))) == [
        r"\\HOST\Memory([x])\Pages",
        r"\\HOST\Disk\Pages",
    ]
    assert values(read(log, counters=("*disk*",))) == {r"\\HOST\Disk\Pages": {0: 3}}


def test_a_span_of_time_keeps_the_rates_of_the_whole_log():
    rate = replace(COUNT, type=BULK_RATE)
    log = write_blg([rate], [Sample(at(n), [One(n * n, n * SECOND)]) for n in range(6)])
    assert values(read(log))[PAGES] == {1: 1, 2: 3, 3: 5, 4: 7, 5: 9}
    part = read(log, begin=at(3), end=at(4))
    assert values(part)[PAGES] == {0: 5, 1: 7}
    assert part["ticks"]["time_local"].to_pylist() == [at(3), at(4)]
