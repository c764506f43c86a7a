"""Whether a stream was compressed: bytes on the wire decide, nothing else does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from agtrace.history.seedings import SOURCE, TARGET, Copying, Operation, Side
from agtrace.history.seedings.compression import _backed_up, beside, copy_windows, judge, judge_compression
from agtrace.history.trace_flags.span import FlagSpan, at, trace_flag
from agtrace.measure import usage as resources
from agtrace.thresholds import Thresholds
from tests.diagnostics import tiny
from tests.folded import folded

START = tiny.START.replace(tzinfo=UTC)


def moment(seconds: float):
    return START + timedelta(seconds=seconds)


def operation(flag: bool | None = None, number: int = 1, begin: float = 200, end: float = 300) -> Operation:
    """Ten billion bytes in 100 s from A to B: 100 MB/s."""
    sides = [
        Side(role, host, copy_start=moment(begin), copy_end=moment(end), is_compression_enabled=flag)
        for role, host in ((SOURCE, "A"), (TARGET, "B"))
    ]
    return Operation(
        number, "Sales", "AG", None, *sides, moment(begin), moment(end), moment(begin), moment(end),
        copied_bytes=10**10, bytes_source="reported", database_bytes=10**10, outcome="completed",
    )  # fmt: skip


def case(sent: float | None, received: float | None = None, idle: float = 0.0, facts: str = ""):
    """Wire rates in MB/s during the copy (200 to 300 s), and ``idle`` around it."""
    lines = [
        rf"{host} | \Network Interface(nic)\Bytes {word}/sec | 41x{idle * 1e6}, 20x{rate * 1e6}, {idle * 1e6}"
        for host, word, rate in (("A", "Sent", sent), ("B", "Received", received))
        if rate is not None
    ]
    return tiny.case(perfmon="\n".join(lines), facts=facts, rows=120)


ON = "A | trace_flag | 0 | 9567 | on"
OFF = """
A | startup | 0 | startup_parameter | -dmaster.mdf
A | startup | 0 | product | 2016
"""


@pytest.mark.complete
@folded(
    ("sent", "received", "facts", "verdict", "reason"),
    [
        (40, 40, ON, True, "decided"),
        (40, 40, "", True, "decided"),
        (40, None, "", True, "decided"),
        (103, 103, "", False, "decided"),
        (103, 103, OFF, False, "decided"),
        (88, 88, ON, None, "between"),
        (40, 40, OFF, None, "against_flag"),
        (103, 103, ON, None, "despite_flag"),
        (40, 90, "", None, "ends"),
        (150, 150, "", None, "foreign"),
        (None, None, ON, None, "unseen"),
    ],
)  # fmt: skip
def test_verdicts(sent, received, facts, verdict, reason):
    made = case(sent, received, facts=facts)
    made.run("update facts set time = $t", {"t": START})
    found = judge_compression(made, [operation()])[1]
    assert found.verdict is verdict
    assert found.reason.name == reason


@pytest.mark.parametrize(
    ("flag", "sent", "verdict"), [(False, 40, True), (True, 103, False), (True, None, None)]
)
def test_the_column_is_told_and_never_decides(flag, sent, verdict):
    found = judge_compression(case(sent, sent), [operation(flag)])[1]
    assert (found.verdict, found.flag_says) == (verdict, flag)


def test_traffic_beside_the_copy_is_taken_off():
    found = judge_compression(case(60, 60, idle=20), [operation()])[1]
    assert found.wire_bytes == pytest.approx(4e9)
    assert found.verdict is True


@pytest.mark.parametrize(
    ("during", "idle", "verdict", "reason"),
    [
        # 100 MB/s of copy and the same other traffic as before and after: what the bounds allow.
        (108, 5, False, "decided"),
        (133, 30, None, "traffic"),
        (60, 20, True, "decided"),
        # Heavy log traffic that fell while the database was copied is no compression.
        (120, 100, None, "usual"),
        (220, 180, None, "usual"),
    ],
)  # fmt: skip
def test_a_verdict_holds_whatever_other_traffic_did_meanwhile(during, idle, verdict, reason):
    found = judge_compression(case(during, idle=idle), [operation()])[1]
    assert found.verdict is verdict
    assert found.reason.name == reason


@pytest.mark.parametrize(("begin", "end", "n"), [(200, 207, 1), (201, 212, 1), (200, 220, 4)])
def test_copies_of_a_few_samples_carry_no_verdict(begin, end, n):
    short = operation(begin=begin, end=end)
    found = judge_compression(case(40, 40), [replace(short, copied_bytes=10**8 * (end - begin))])[1]
    assert (found.verdict, found.n) == (None, n)
    assert (found.reason.name, found.reason.figures["n"]) == ("rare", n)


def test_perfmon_that_starts_in_the_middle_of_the_copy_tells_nothing_of_its_first_half():
    made = case(40, 40)
    made.run("delete from samples where time < $t", {"t": moment(250)})
    found = judge_compression(made, [operation()])[1]
    assert (found.verdict, found.n) == (None, 11)
    assert found.reason.name == "rare"


def test_a_flag_set_while_the_copy_ran_tells_nothing():
    facts = """
    A | startup    | 0 | startup_parameter | -dx.mdf | 0
    A | trace_flag | 1 | 9567              | on      | 250
    """
    found = judge_compression(case(60, 60, facts=facts), [operation()])[1]
    assert (found.verdict, found.trace_flag) == (True, None)
    assert found.flag_source.startswith("DBCC TRACEON (9567)")


@pytest.mark.parametrize(
    ("received", "backed_up", "verdict"), [(None, {"A"}, None), (None, {"B"}, False), (103, {"A"}, False)]
)
def test_a_backup_over_the_card_of_the_only_end_leaves_it_open(received, backed_up, verdict):
    made, one = case(103, received), operation()
    used = resources.usage(made, copy_windows([one]))
    found = judge(one, used, [], [], backed_up=backed_up)
    assert found.verdict is verdict


def test_a_backup_during_the_copy_is_seen():
    made = case(103)
    one = operation()
    assert judge_compression(made, [one])[1].verdict is False
    backup = [{"host_id": "A", "media": "DISK", "start": moment(210), "end": moment(260)}]
    assert _backed_up(one, backup, Thresholds()) == {"A"}
    assert _backed_up(one, [backup[0] | {"end": moment(219)}], Thresholds()) == set()
    assert _backed_up(one, [backup[0] | {"media": "VIRTUAL_DEVICE"}], Thresholds()) == set()


def test_a_flag_of_the_target_does_not_count():
    facts = "B | trace_flag | 0 | 9567 | on | 0"
    assert judge_compression(case(103, 103, facts=facts), [operation()])[1].verdict is False


def test_a_second_copy_meanwhile_leaves_it_open():
    both = [operation(), operation(number=2, begin=250, end=350)]
    found = judge_compression(case(200, 200), both)
    assert found[1].verdict is None
    assert found[1].reason.name == "not_alone"


def test_stretches_beside_a_copy_keep_clear_of_other_copies():
    first, second = operation(), operation(number=2, begin=330, end=400)
    assert [(w.number, w.start, w.end) for w in beside(first, Copying([first, second]))] == [
        (-1, moment(135), moment(195))
    ]
    assert [w.number for w in beside(first, Copying([first]))] == [-1, 1]


def test_the_user_s_bounds_hold():
    made = case(88, 88)
    limits = replace(Thresholds(), seeding_compressed_ratio=0.9)
    assert judge_compression(made, [operation()], limits)[1].verdict is True


def test_an_operation_without_times_is_not_judged():
    bare = replace(operation(), copy_start=None, copy_end=None)
    assert judge(bare, [], [], []).verdict is None


FACTS = """
A | startup      | 0 | startup_parameter | -dmaster.mdf
A | startup      | 0 | startup_parameter | -T9567
A | startup_flag | 0 | 9567              | startup
A | trace_flag   | 0 | 9567              | off
A | startup      | 1 | startup_parameter | -dmaster.mdf
A | startup      | 2 | product           | 2016
A | trace_flag   | 1 | 1462              | on
A | trace_flag   | 2 | 9567              | on
"""


def test_a_trace_flag_holds_from_one_evidence_to_the_next():
    made = tiny.case(facts=FACTS)
    # One ERRORLOG with lines in the order of the table, 10 s apart; item 2 is a log that was cycled.
    made.run(
        "update facts set content_id = 'log', line = n, time = $start::timestamptz + to_seconds(10 * (n - "
        "1)) "
        "from (select rowid as r, row_number() over (order by rowid) as n from facts) o where o.r = "
        "facts.rowid",
        {"start": START},
    )
    made.insert("captures", [{"content_id": "log", "path": "A/ERRORLOG"}])
    assert trace_flag(made, 9567) == [
        FlagSpan("A", True, moment(0), moment(30), "start-up parameter -T9567, A/ERRORLOG, line 3"),
        FlagSpan("A", False, moment(30), moment(40), "DBCC TRACEOFF (9567), A/ERRORLOG, line 4"),
        FlagSpan("A", False, moment(40), moment(70),
            "start-up parameters without -T9567, A/ERRORLOG, line 5"),
        FlagSpan("A", True, moment(70), None, "DBCC TRACEON (9567), A/ERRORLOG, line 8"),
    ]  # fmt: skip
    spans = trace_flag(made, 9567)
    assert at(spans, "A", moment(35)).is_on is False
    assert at(spans, "A", moment(9999)).is_on is True
    assert at(spans, "A", moment(-1)) is None
    assert at(spans, "B", moment(35)) is None


def test_a_log_that_was_only_cycled_is_no_start():
    facts = """
    A      | trace_flag   | 0 | 9567              | on      | 10
    A@late | startup      | 0 | startup_parameter | -dx.mdf | 50
    """
    made = tiny.case(facts=facts)
    assert [s.is_on for s in trace_flag(made, 9567)] == [True, False]
    made = tiny.case(facts=facts)
    made.insert("messages", [{"content_id": "startup-A@late", "topic": "reinitialized"}])
    assert [s.is_on for s in trace_flag(made, 9567)] == [True]


def test_a_cycled_log_that_names_the_flag_tells_where_nothing_else_does():
    facts = """
    A | startup      | 0 | startup_parameter | -T9567  | 50
    A | startup_flag | 0 | 9567              | startup | 50
    """
    made = tiny.case(facts=facts)
    made.run("update facts set content_id = 'log'")
    made.insert("messages", [{"content_id": "log", "topic": "reinitialized"}])
    assert [(s.is_on, s.start) for s in trace_flag(made, 9567)] == [(True, moment(50))]
