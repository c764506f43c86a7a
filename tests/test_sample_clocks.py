"""No sample case is said to have a clock that is off, but by as much as its truth has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import agtrace
from simulation.samples.seeding_case_plain import MANIFEST, SAMPLES

pytestmark = pytest.mark.complete


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_a_clock_is_off_by_what_the_truth_says_or_not_at_all(
    name: str, sample_store: Callable[[str], Path]
) -> None:
    hosts = MANIFEST[name].get("truth", {}).get("hosts", {})
    # A case of two captures has each host twice, with one clock.
    off = {host.split()[-1]: truth.get("clock_offset_ms", 0) for host, truth in hosts.items()}
    off |= MANIFEST[name].get("truth", {}).get("clock_ms", {})
    with agtrace.open_case(SAMPLES / name, store=sample_store(name)) as case:
        told = [*case.overview.findings(), *case.transport.findings()]
    found = [f for f in told if f.id == "quality.clock_skew"]
    for each in found:
        ahead, behind = (off.get(each.subject[end], 0) for end in ("host", "other_host"))
        assert each.evidence[0].value == pytest.approx(ahead - behind, abs=200), each.title
