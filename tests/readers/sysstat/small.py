"""Small reports of sysstat: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.linux_support import IOSTAT, MPSTAT, SAR
from tests.readers.sysstat.texts import JSON, UNTIMED


def captures() -> Iterator[tuple[str, bytes]]:
    yield "contoso-l1_os_mpstats_cpu.perf", MPSTAT.encode()
    yield "contoso-l1_os_iostat.perf", IOSTAT.encode()
    yield "contoso-l1_os_network_stats.perf", SAR.encode()
    yield "iostat.txt", UNTIMED.encode()
    yield "iostat.json", JSON.encode()
