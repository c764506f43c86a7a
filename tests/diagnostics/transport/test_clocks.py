"""Two hosts are judged together where they were captured together, by clocks that agree."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts
from tests.diagnostics.tiny import Case, case
from tests.diagnostics.transport.cases import SLOW, one, perfmon, verdicts
from tests.folded import folded

HOUR, DAY = 3600.0, 86400.0


def shifted(made: Case, host: str, seconds: float) -> Case:
    """Move a host's perfmon in time."""
    step = f"interval '{seconds} seconds'"
    for table in ("ticks", "samples"):
        made.run(
            f"update {table} set time = time + {step}, time_local = time_local + {step} "
            f"where content_id = 'perfmon-{host}'"
        )
    return made


def told(made: Case) -> list[tuple[str, str]]:
    """Return the findings about clocks and about what was not captured together."""
    return [
        (f.id, f.title)
        for f in Transport(made).findings()
        if f.id == "quality.clock_skew" or "same time" in f.title
    ]


def sources(made: Case) -> str:
    """Return everything that the verdicts on the replica quote."""
    return " ".join(
        f"{e.label} {e.source}"
        for f in Transport(made).findings()
        if f.id.startswith("transport.") and "replica" in f.subject
        for e in f.evidence
    )


@pytest.mark.complete
@folded("host", ["P", "S"])
@folded("by", [HOUR, -9 * HOUR, DAY, -44 * 365 * DAY])
def test_without_overlap_only_the_replica_speaks(host, by):
    made = shifted(case(perfmon(SLOW)), host, by)
    assert verdicts(made)[0] == "network_limited critical 0.5 S"
    assert told(made) == [("quality.not_captured", ANY)]
    assert "on P" not in sources(made)
    assert_facts(one(made, "network_limited"), flushed=None, side="replica", averaged=None, clocks_apart=None)


RUN = "7x900000,9x1600000,5x300000,13x1100000,4x2500000,11x700000,3x3000000,17x500000"
"""One run of a test, 69 samples of 5 s; the next begins 204 samples = 17 minutes later."""
RUNS = f"{RUN},135x200000,{RUN},200000"


def runs(**cuts: tuple[int, int]) -> Case:
    """Two equal runs 17 minutes apart, what arrives as it is flushed; a host may be captured for less."""
    made = case(perfmon(flushed=RUNS, received=RUNS, hardened=RUNS, redone=RUNS), rows=300)
    for host, (first, last) in cuts.items():
        for table in ("ticks", "samples"):
            made.run(
                f"delete from {table} where content_id = 'perfmon-{host}' "
                f"and tick not between {first} and {last}"
            )
    return made


CUTS = ({}, {"S": (150, 299)}, {"P": (0, 250), "S": (190, 299)}, {"P": (190, 299)})


@pytest.mark.complete
@folded("cuts", CUTS)
@folded("by", [1020.0, -1020.0, HOUR])
def test_equal_runs_and_a_clock_that_is_off_give_its_shift_or_none(cuts, by):
    found = [f for f in Transport(shifted(runs(**cuts), "P", by)).findings() if f.id == "quality.clock_skew"]
    for each in found:
        ahead = each.evidence[0].value / 1000 * (1 if each.subject["host"] == "P" else -1)
        assert ahead == pytest.approx(by, abs=10)
