"""Small reports of sysstat: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.linux_support import IOSTAT, MPSTAT, SAR


def captures() -> Iterator[tuple[str, bytes]]:
    yield "contoso-l1_os_mpstats_cpu.perf", MPSTAT.encode()
    yield "contoso-l1_os_iostat.perf", IOSTAT.encode()
    yield "contoso-l1_os_network_stats.perf", SAR.encode()
