"""What is said of backups, of verdicts made by hand: each line where its facts are there, none where not."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.backup import best, sides
from agtrace.diagnostics.backup.studies import SAID
from agtrace.say.finding import Finding
from tests.behind import assert_facts
from tests.diagnostics.backup.made import LIMITS, watched_study

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]
DISK, URL = {"rates": STEADY}, {"rates": FAST, "media": "URL"}


# The best configuration.


def fastest(*own: dict[str, Any], verdicts: tuple[str, ...] = (), **more: Any) -> Finding:
    of = watched_study(*own, verdicts=verdicts, **more)
    of.nulls += sides.null_tests(of.study, LIMITS)
    (found,) = SAID.findings(best.configurations([of], LIMITS))
    return found


LARGE = {"rates": FAST, "buffer_count": 50}


def test_a_configuration_that_nothing_separates_is_told_how():
    assert_facts(fastest(DISK, LARGE), changes=1, is_separated=False)
    beside_nul = fastest(DISK, LARGE, {"rates": [200.0], "media": "NUL"}).recommendation
    assert "To separate" not in beside_nul
