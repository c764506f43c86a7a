"""What is said of backups, of verdicts made by hand: each line where its facts are there, none where not."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.backup import best, sides, throughput
from agtrace.diagnostics.backup.studies import SAID, BackupStudy
from agtrace.say.finding import Finding
from tests.behind import assert_facts
from tests.diagnostics.backup.made import LIMITS, seen, study, watched_study

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]
SLOW = [50.0 + k / 10 for k in range(9)]
WIDE = [81.3, 88.1, 93.7, 99.2, 100.9, 103.4, 110.6, 124.8, 139.5, 151.7]
DISK, URL = {"rates": STEADY}, {"rates": FAST, "media": "URL"}


# Sides.


def limited(*verdicts: str, nulls: bool = False, **more: Any) -> list[Finding]:
    """Say what is judged of a study of two configurations and perhaps a backup to NUL."""
    own: list[dict[str, Any]] = [DISK, {"rates": FAST, "buffer_count": 50}]
    own += [{"rates": [103.0] * 3, "media": "NUL"}] if nulls else []
    of = watched_study(*own, facts=more.pop("facts", ()))
    for number, verdict in enumerate(verdicts):
        of.sides.append(seen(of.study, number, verdict, **{"reason": "backup read"} | more))
    of.nulls += sides.null_tests(of.study, LIMITS)
    return SAID.findings(sides.limited([of]))


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


# Throughput.


def measured(*own: dict[str, Any], **more: Any) -> Finding:
    (found,) = SAID.findings(throughput.measured([study(*own, **more)], LIMITS))
    return found


# Preferences.


# Pages.


def of_buffers(*of: tuple[int, list[float]]) -> BackupStudy:
    return study(*({"buffer_count": count, "rates": rates} for count, rates in of))


def summed(**more: Any) -> str:
    usual = {"n": 3, "databases": 1, "database": None, "outcomes": {}, "seeded": 0, "findings": []}
    return SAID.page("summary", usual | more).strip()
