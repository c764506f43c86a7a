"""What is said of seedings that few captures hold, of facts given as literals."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace as Facts
from typing import Any

import pytest

from agtrace.diagnostics.seeding.outcomes import decode
from agtrace.diagnostics.seeding.verdict import SAID
from agtrace.history.seedings.operation import Failure

AT, LATER = datetime(2024, 3, 5, 12, tzinfo=UTC), datetime(2024, 3, 5, 12, 8, tzinfo=UTC)
ENDS: dict[str, Any] = {"database": "Sales", "source": "A", "target": "B", "begun": AT, "unseen": []}
SLOT = {"host_name": "A", "share": None, "wait": Facts(seconds=49, start=AT, end=LATER, beside=())}
REFUSED = decode(Failure(203, "Request Denied", AT, "event of B", None))


def operation(**more: Any) -> Facts:
    """Give a seeding of eight minutes of which little else is known."""
    known = {
        "attempts": None, "unjoined": "", "time_basis": "", "copied_bytes": None, "database_bytes": None,
        "start": AT, "end": LATER, "copy_start": AT, "copy_end": LATER, "copy_seconds": 480,
    }  # fmt: skip
    return Facts(**known | more)


def stream(**more: Any) -> Facts:
    """Give a compressed stream whose trace flag nobody saw."""
    known = {"verdict": True, "flag_source": "", "trace_flag": None, "flag_says": None}
    return Facts(**known | more)


def usage(percent: float, cores: int) -> Facts:
    """Give how busy some cores were."""
    return Facts(mean=percent, cores=Facts(count=cores))


UNCOMPRESSED = Facts(operation=operation(copy_seconds=490))
WORK = {"end": "A", "spent": "8.0", "had": "6.0", "now": usage(40, 4), "then": usage(20, 8)}


@pytest.mark.parametrize(
    ("name", "facts", "words"),
    [
        ("completed.tried", {"operation": operation(attempts=3), "reasons": [REFUSED]},
         "It took 3 attempts. Reported on the way: 203, on the target: Request Denied."),
        ("completed.short",
         {"of": Facts(is_whole=False, lasted=None), "operation": operation(copied_bytes=10**9)},
         "copied 1.0 GB"),
        ("completed.copy",
         {"of": Facts(rates=Facts(mean=1e8, n=0)), "operation": operation(copied_bytes=48 * 10**9)},
         "The copy itself: 48 GB in 8 min, 100 MB/s on average."),
        ("already_present.short", {"of": Facts(lasted=None)}, "already present, nothing was copied"),
        ("failed.short", ENDS | {"n": 1, "is_cut": True, "reasons": []}, "seeding was cut off"),
        ("seeding.unjoined", {"operation": operation(unjoined="two copies fit.")}, "Two copies fit."),
        ("seeding.basis", {"operation": operation(time_basis="as on A.")}, "as on A."),
        ("seeding.basis", {"operation": operation(time_basis="unknown")}, ""),
        ("seeding.between", {"first": None, "last": None}, "at a time that was not captured"),
        ("seeding.between", {"first": AT, "last": None}, "from 2024-03-05 12:00:00 UTC"),
        ("seeding.between", {"first": None, "last": AT}, "until 2024-03-05 12:00:00 UTC"),
        ("seeding.copied", {"operation": operation(copied_bytes=10**9)}, "1.0 GB"),
        ("compression.no.why",
         {"judged": stream(wire_bytes=10**10, database_bytes=10**10, wire_source="sent by A", is_net=False,
                           n=9), "why": "too much", "flag": "9567"},
         "10 GB on the wire for 10 GB of the database (sent by A, what else the cards carried was not "
         "captured, n = 9): too much. The state of trace flag 9567 at the source was not captured."),
        ("compression.column", {"judged": stream()}, ""),
        ("compression.column", {"judged": stream(flag_says=True)},
         "The column is_compression_enabled says 1, too."),
        ("compression.column", {"judged": stream(flag_says=False, verdict=None)},
         "The column is_compression_enabled says 0, which decides nothing: it is known to stay 0 while the "
         "stream is compressed."),
        ("compression.set_at_source", {"judged": stream(flag_source="ERRORLOG of A"), "flag": "9567"},
         "Trace flag 9567 was changed at the source while the copy ran (ERRORLOG of A), so it tells "
         "nothing here."),
        ("compression.yes.cost", {"base": UNCOMPRESSED, "pace": None, "worked": []},
         "Against the uncompressed copy of 2024-03-05 12:00:00 UTC, nothing that compares was captured."),
        ("compression.yes.cost", {"base": UNCOMPRESSED, "pace": None, "worked": [WORK]},
         "Against the uncompressed copy of 2024-03-05 12:00:00 UTC, one run each: processor work of A 8.0 "
         "core-seconds per GB instead of 6.0 (utilisation 40 % instead of 20 %, 4 cores instead of 8)."),
        ("compression.yes.speed", {"pace": "same", "operation": operation(), "base": UNCOMPRESSED},
         "the copy was no faster (8 min instead of 8 min 10 s)"),
        ("limited.network.moved_by_card", {"card": None}, "The network cards were not captured."),
        ("limited.network.do", {"of": Facts(compressed=stream())},
         "Measure the path between the replicas by itself (iperf or ntttcp with one stream, ping for its "
         "round trip). The stream is compressed already."),
        ("limited.disk.seen",
         {"moved": Facts(mean=1e8, highest=2e8, n=9), "end": "B", "role": "target", "busy": None,
          "doubted": False},
         "The disks of B took 100 MB/s on average, at most 200 MB/s (n = 9)."),
        ("waited.why", ENDS | SLOT | {"is_hushed": True, "is_logged": True},
         "Before the copy it stood in LIMIT_CONCURRENT_BACKUPS on A for 49 s, 2024-03-05 12:00:00 to "
         "12:08:00 UTC. What held the slot was not captured: no other backup or seeding of A is in the "
         "captures, and trace flag 3226 keeps successful backups out of the ERRORLOG of A."),
        ("waited.why", ENDS | SLOT | {"is_hushed": False, "is_logged": True},
         "Before the copy it stood in LIMIT_CONCURRENT_BACKUPS on A for 49 s, 2024-03-05 12:00:00 to "
         "12:08:00 UTC. What held the slot was not captured: no other backup or seeding of A is in the "
         "captures."),
        ("without_end.why", ENDS | {"begun": None, "last": None, "operation": operation()},
         "Its beginning was not captured."),
    ],
)  # fmt: skip
def test_a_variant_is_said(name, facts, words):
    assert SAID.text(name, facts) == words


def test_all_that_may_be_lacking_of_a_seeding_is_listed():
    lacking = {
        "operation": operation(), "unseen": [("waits", "A", "source")], "lacks_copy": True,
        "lacks_rate": True, "undecided": "is not known", "unjoined": "two copies fit",
    }  # fmt: skip
    told = {"missing": [], "told": [ENDS | lacking], "most": 1}
    assert SAID.page("missing", told) == (
        "**Not captured**\n\n"
        "- Sales, A -> B at 12:00:00 UTC, 2024-03-05 12:00:00 UTC: waits of A; how much was copied and "
        "when; the rate over time (progress reports, or Backup/Restore Throughput/sec); compression is not "
        "known; two copies fit."
    )


def test_the_outcomes_are_counted():
    counts = [(4, "completed"), (1, "already_present"), (3, "failed"), (2, "cut_off"), (1, "running")]
    assert SAID.page("summary", {"n": 11, "counts": counts, "told": [], "most": 1}) == (
        "**11 seedings**: 4 completed, 1 found it already present, 3 failed, 2 cut off and 1 without an end "
        "in the captures."
    )
