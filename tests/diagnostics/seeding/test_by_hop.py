"""What each hop of a seeding alone takes, with and without compression, by what two copies showed."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.diagnostics.seeding.analysis import Seeding
from tests.diagnostics.seeding.twice import CORES, OF_TWICE, TWICE
from tests.diagnostics.tiny import case

READS = r"""
A | \LogicalDisk(D:)\Disk Read Bytes/sec | 21x100000000, 40x0, 10x200000000, 0
A | \Network Interface(nic)\Current Bandwidth | 8000000000
"""


def hops(seeding: Seeding) -> dict[tuple[str, str], tuple[str, int]]:
    table = seeding.tbl_by_hop()
    return {
        (row["with_compression"], row["hop"]): (row["known_as"], row["seconds"])
        for _, row in table.iterrows()
    }


@pytest.mark.complete
def test_each_hop_by_what_both_copies_showed():
    """10 GB at 100 MB/s as they are, then at 200 MB/s with a fifth of it on the wire."""
    seeding = Seeding(case(OF_TWICE + READS, facts=CORES, events=TWICE), database_gb=1000)
    assert hops(seeding) == {
        ("no", "source disk"): ("at most", 5000),
        ("no", "source processors"): ("at least", 2000),  # 8 core-s/GB of 4 cores
        ("no", "wire"): ("at least", 1030),  # 1.03 bytes at 1 GB/s
        ("no", "target processors"): ("at least", 4000),  # 8 core-s/GB of 2 cores
        ("yes", "source disk"): ("at most", 5000),
        ("yes", "source processors"): ("at least", 1500),
        ("yes", "wire"): ("at least", 200),
        ("yes", "target processors"): ("at least", 3000),
    }


@pytest.mark.complete
def test_the_processors_of_the_sample_are_what_a_compressed_seeding_takes(sample_store):
    """100 GB took 7 min 16 s compressed: by its processors alone 7 min 4 s; uncompressed far less."""
    with agtrace.open_case(agtrace.sample("direct_seeding"), store=sample_store("direct_seeding")) as opened:
        found = hops(Seeding(opened.view, database_gb=100))
    assert found["yes", "source processors"] == ("at least", 424)
    assert found["no", "source processors"] == ("at least", 274)
    assert found["no", "source disk"] == ("at most", 388)
