"""What the tables hold of seedings made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import ANY

from agtrace.diagnostics.seeding import tables
from agtrace.diagnostics.seeding.estimate import estimates
from agtrace.diagnostics.seeding.limits import DISK, NETWORK, Limiter, Rates, Waits
from agtrace.diagnostics.seeding.study import SLOT
from agtrace.history.seedings import DMV, TARGET, XEL, Failure, Reason
from agtrace.measure.usage import CoreLoads
from tests.diagnostics.seeding.cases import at
from tests.diagnostics.seeding.made import compressed, operation, seeded, stall, study, usage


def rows(frame: Any) -> list[dict[str, Any]]:
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


WHOLE = seeded(
    of=operation(
        7, start=at(-60), end=at(120), attempts=3, told_by=frozenset({XEL, DMV}), outcome="cut_off",
        failures=(Failure(1, "one", None, ""), Failure(2, "two", None, "")),
    ),
    limiter=Limiter((DISK, TARGET), 0.8, Reason("waits_alone")),
    stream=compressed(True, 0.25, trace_flag=True, flag_says=False),
    rates=Rates(1e8, 5e7, 9e7, 2e8, 9),
    catchup_s=12.5,
    slot=stall(SLOT, 40, first=-60),
)  # fmt: skip


def test_a_seeding_is_a_row():
    assert rows(tables.operations(study(WHOLE))) == [
        {
            "seeding": 7, "database": "Sales", "ag": "AG", "source": "A", "target": "B", "outcome": "cut off",
            "start": "2024-03-05 11:59:00", "end": "2024-03-05 12:02:00", "seconds": 180.0,
            "copy_seconds": 100.0, "copied_gb": 10.0, "mb_per_s": 100.0, "p5": 50.0, "p50": 90.0,
            "p95": 200.0, "n": 9, "wire_gb": 2.5, "compressed": "yes", "trace_flag_9567": 1,
            "is_compression_enabled": 0, "slot_seconds": 40.0, "catchup_seconds": 12.5, "attempts": 3,
            "limit": ANY, "reason": "one; two", "captured": "dmv, xel",
        }
    ]  # fmt: skip


def test_waits_of_an_end_are_a_row():
    waited = Waits(TARGET, "B", 12_340, 45_670, 0.21274, 0.58372, NETWORK)
    found = seeded(limiter=Limiter(None, 0.0, Reason("one_end"), (waited,)))
    assert rows(tables.waits(study(found))) == [
        {
            "seeding": 1, "database": "Sales", "host": "B", "role": "target", "disk_s": 12.34,
            "network_s": 45.67, "disk_percent_of_waits": 21.3, "waits_percent_of_copy": 58.4,
            "mostly": "network",
        }
    ]  # fmt: skip


def test_a_resource_is_a_row_in_megabytes_or_its_own_unit():
    sent = usage(
        "A", "network_sent", 1e8, p5=5e7, p50=9e7, p95=2e8, highest=3e8, capacity=1.25e9, instance="2 cards"
    )
    worked = usage("B", "cpu", 40.0, cores=4)
    queue = usage("B", "recovery_queue", 5e6)
    found = rows(tables.resources(study(seeded(sent, worked, queue))))
    of = {"seeding": 1, "database": "Sales", "n": 20}
    assert found == [
        {
            **of, "host": "A", "resource": "network_sent", "of": "2 cards", "unit": "wire MB/s",
            "mean": 100.0,
            "p5": 50.0, "p50": 90.0, "p95": 200.0, "highest": 300.0, "capacity": 1250.0,
            "in_bits": "800 Mb/s (400 Mb/s to 1.6 Gb/s, p5 to p95)", "cores": None, "core_seconds": None,
            "core_seconds_per_gb": None,
        },
        {
            **of, "host": "B", "resource": "cpu", "of": "x", "unit": "%", "mean": 40.0, "p5": 40.0,
            "p50": 40.0,
            "p95": 40.0, "highest": 40.0, "capacity": None, "in_bits": None, "cores": 4,
            "core_seconds": 160.0,
            "core_seconds_per_gb": 16.0,
        },
        {
            **of, "host": "B", "resource": "recovery_queue", "of": "x", "unit": "log MB", "mean": 5.0,
            "p5": 5.0,
            "p50": 5.0, "p95": 5.0, "highest": 5.0, "capacity": None, "in_bits": None, "cores": None,
            "core_seconds": None, "core_seconds_per_gb": None,
        },
    ]  # fmt: skip


def test_the_cores_of_a_host_are_a_row():
    found = seeded(cores=(CoreLoads(1, "A", {"0": 91.26, "1": 30.04}, 20),))
    assert rows(tables.cores(study(found))) == [
        {
            "seeding": 1, "database": "Sales", "host": "A", "cores": 2, "n": 20, "mean_over_busiest": 0.66,
            "core 0": 91.3, "core 1": 30.0,
        }
    ]  # fmt: skip


def test_an_estimate_is_a_row():
    known = replace(WHOLE, operation=operation(7), rates=Rates(1.5e8, 5e7, 9e7, 3e8, 9))
    assert rows(tables.estimates(estimates(study(known), 100.0, 8.0))) == [
        {
            "database_gb": 100.0, "link_gbit_per_s": 8.0, "from_seeding": 7, "limit": ANY, "mb_per_s": 150.0,
            "time": ANY, "fastest": ANY, "slowest": ANY, "seconds": 667,
        }
    ]  # fmt: skip
    (alone,) = rows(tables.estimates(estimates(study(), 100.0, 8.0)))
    assert alone == {
        "database_gb": 100.0, "link_gbit_per_s": 8.0, "mb_per_s": 1000.0, "time": "1 min 40 s", "seconds": 100
    }  # fmt: skip
