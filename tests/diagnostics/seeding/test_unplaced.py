"""Failures of seeding in logs whose offset from UTC is unknown."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.seeding import Seeding
from tests.diagnostics.tiny import case

FAILED = "A | {} | seeding_failed | {} | database=Sales; ag=AG; reason=x"


@pytest.mark.parametrize(("number", "severity"), [(19494, "warning"), (19495, "critical")])
def test_a_failure_is_told_in_local_time(number, severity):
    logged = "\n".join(FAILED.format(at, number) for at in (60, 90))
    (one,) = Seeding(case(messages=logged, zone_unknown=("A",))).findings()
    assert (one.id, one.severity, one.window["local"]) == ("seeding.failed", severity, True)
    assert [each.value for each in one.evidence][:1] == [2]
