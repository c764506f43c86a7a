"""What held a backup slot while a seeding waited for it, and how long a copy stood still."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.seeding import Seeding
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import case

WAITED = "0 PENDING, 1 LIMIT_CONCURRENT_BACKUPS, 101 SEEDING, 200 CATCHUP, 201 COMPLETED"
NAMED = "A | 1 | ag_names | kind=database; id=db1; name=Sales\n"
BACKUP = {
    "operation_id": "7", "operation": "backup", "media": "DISK", "database": "Stock",
    "start": "2024-03-05T12:00:10Z", "end": "2024-03-05T12:00:20Z",
}  # fmt: skip


@pytest.mark.complete
@pytest.mark.parametrize(
    ("more", "host", "n"),
    [
        ({}, "A", 1),
        ({}, "B", 0),
        ({"start": "2024-03-05T12:01:41Z", "end": "2024-03-05T12:01:50Z"}, "A", 0),
        ({"start": "2024-03-05T11:00:00Z", "end": "2024-03-05T12:00:01Z"}, "A", 0),
        ({"operation": "restore"}, "A", 0),
        ({"media": "VIRTUAL_DEVICE"}, "A", 1),
        ({"media": "VIRTUAL_DEVICE", "database": "SALES"}, "A", 0),
        ({"database": "Sales"}, "A", 1),
    ],
)
def test_a_slot_is_held_by_a_backup_of_the_host_that_is_not_the_seeding_itself(more, host, n):
    columns = "; ".join(f"{name}={value}" for name, value in (BACKUP | more).items())
    made = case(
        events=request("A", "source", WAITED, success=True),
        relations=f"{host} | 10 | backups | {columns}\n{NAMED}",
    )
    (seeded,) = Seeding(made).study.seeded
    assert seeded.slot is not None
    assert (seeded.slot.seconds, seeded.slot.is_over) == (100, True)
    name = (BACKUP | more)["database"]
    assert [(each.what, each.where) for each in seeded.slot.beside] == [
        (f"backup of {name}", "ERRORLOG of A")
    ] * n  # fmt: skip


def test_a_copy_whose_bytes_do_not_grow_stands_still():
    events = copy("A", "source", 0, 100, every=10, ended=False)
    held = events.splitlines(keepends=True)[-1].replace("A | 90.0", "A | {}").replace("A | 90", "A | {}")
    made = case(events=events + "".join(held.format(seconds) for seconds in (600, 1200, 1800, 2400)))
    (seeded,) = Seeding(made).study.seeded
    assert seeded.stall is not None
    assert (seeded.stall.state, seeded.stall.seconds, seeded.stall.copied) == ("the copy", 2310, 900_000_000)
    assert seeded.stall.is_over is False
