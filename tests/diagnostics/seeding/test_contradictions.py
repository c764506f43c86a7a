"""Figures of a copy that cannot all be true, by copies made by hand: 10 GB in 100 s."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.seeding.contradictions import ENDS, TOO_LITTLE, TOO_MUCH, Moved, find
from agtrace.diagnostics.seeding.rows import Report
from agtrace.history.seedings import SOURCE, TARGET, Compressed, Operation
from agtrace.measure.usage import Usage
from tests.diagnostics.seeding.made import LIMITS, compressed, operation, report, side, usage


def found(
    *usages: Usage,
    of: Operation | None = None,
    stream: Compressed | None = None,
    reports: tuple[Report, ...] = (),
    is_alone: bool = True,
) -> list[tuple[str, dict[str, Any], list[tuple[str, Any, str]]]]:
    made = find(of or operation(), usages, stream or compressed(), LIMITS, reports, is_alone=is_alone)
    return [(c.kind, c.figures, [(e.label, e.value, e.source) for e in c.evidence]) for c in made]


def kinds(*usages: Usage, **more: Any) -> list[str]:
    return [kind for kind, _, _ in found(*usages, **more)]


@pytest.mark.parametrize(
    ("host", "resource", "rate", "kind"),
    [
        ("A", "disk_read", 0.899e8, [TOO_LITTLE]),
        ("A", "disk_read", 0.9e8, []),
        ("A", "disk_read", 1.3e8, []),
        ("A", "disk_read", 1.31e8, [TOO_MUCH]),
        ("B", "disk_written", 0.5e8, [TOO_LITTLE]),
        ("B", "disk_read", 0.5e8, []),
        ("A", "disk_written", 0.5e8, []),
    ],
)
def test_what_disks_moved_is_near_what_was_copied(host, resource, rate, kind):
    assert kinds(usage(host, resource, rate)) == kind


def test_what_disks_moved_is_told_of_both_ends_in_one():
    read, written = usage("A", "disk_read", 0.5e8), usage("B", "disk_written", 0.6e8)
    ((kind, figures, evidence),) = found(read, written)
    assert kind == TOO_LITTLE
    assert figures == {
        "copied": 10**10, "seconds": 100.0, "mean": 1e8, "times": "0.6",
        "disks": [Moved(read, "delivered", 5e9), Moved(written, "took", 6e9)],
    }  # fmt: skip
    assert evidence == [
        ("bytes of the database copied", 10**10, "reported"),
        ("disk bytes that A delivered during the copy", 5_000_000_000, "perfmon of A, n = 20"),
        ("disk bytes that B took during the copy", 6_000_000_000, "perfmon of B, n = 20"),
    ]


def test_one_end_too_little_and_the_other_too_much_are_two():
    assert kinds(usage("A", "disk_read", 2e8), usage("B", "disk_written", 1e7)) == [TOO_LITTLE, TOO_MUCH]


def test_beside_another_copy_too_much_says_nothing():
    usages = usage("A", "disk_read", 2e8), usage("B", "disk_written", 1e7)
    assert kinds(*usages, is_alone=False) == [TOO_LITTLE]


def test_the_evidence_of_the_wire():
    stream = compressed(True, 0.3, wire_bytes=2999999999.6, trace_flag=False, flag_source="DBCC on A")
    ((_, figures, evidence),) = found(stream=stream)
    assert figures == {"stream": stream, "copied": 10**10, "flag": "9567"}
    assert evidence == [
        ("wire bytes of the copy", 3_000_000_000, "perfmon, n = 20"),
        ("bytes of the database copied", 10**10, "seeding"),
        ("trace flag 9567", "off", "DBCC on A"),
    ]


def ends(sent: int | None, got: int | None, **more: Any) -> Operation:
    source, target = (
        side(role, host, transferred_bytes=n, **more)
        for role, host, n in ((SOURCE, "A", sent), (TARGET, None, got))
    )
    return operation(source=source, target=target)


@pytest.mark.parametrize(
    ("of", "kind"),
    [
        (ends(100, 90), []),
        (ends(100, 89), [ENDS]),
        (ends(89, 100), [ENDS]),
        (ends(100, None), []),
        (ends(None, 100), []),
        (ends(0, 100), []),
    ],
)
def test_both_ends_report_about_the_same_bytes(of, kind):
    assert kinds(of=of) == kind


def test_the_evidence_of_both_ends():
    ((_, figures, evidence),) = found(of=ends(100, 50))
    assert figures == {"sent": 100, "got": 50}
    assert evidence == [
        ("transferred, as the source reports", 100, "A"),
        ("transferred, as the target reports", 50, "not captured"),
    ]


def test_where_nobody_says_how_bytes_were_counted_the_seeding_does():
    reports = (report(SOURCE, 100, highest=1e7),)
    disks, rate = found(usage("A", "disk_read", 1e7), of=operation(bytes_source=""), reports=reports)
    assert (disks[2][0][2], rate[2][1][2]) == ("seeding", "seeding")
