"""What the runs of a case say, and the tables of what their hosts did, of runs that are written down."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from agtrace.diagnostics.comparison import study, tables
from agtrace.history.seedings import Compressed, Reason
from agtrace.history.transfers import uses as m
from agtrace.history.transfers.run import Run
from agtrace.history.transfers.uses import Use, Uses
from tests.diagnostics.comparison.cases import moment, runs
from tests.diagnostics.comparison.test_judge import LIMITS, ONE, TWO, use

# 10 GB in 100 s.


def doubts(run: Run, *uses: Use) -> list[str]:
    return [name.partition(".")[2] for name, _facts in study.contradictions(run, Uses(uses), LIMITS)]


def streamed(verdict: bool | None) -> Run:
    stream = Compressed(verdict, 1.0, 10**10, 10**10, None, None, Reason("wire", {}))
    (run,) = runs("seeding | Sales | A > B | 0 | copy 100 | 10")
    return replace(run, compressed=stream)


@pytest.mark.parametrize(
    ("host", "resource", "rate", "told"),
    [
        ("A", m.READ, 0.899e8, ["too_little"]),
        ("A", m.READ, 0.9e8, []),
        ("A", m.READ, 1.3e8, []),
        ("A", m.READ, 1.31e8, ["too_much"]),
        ("B", m.WRITTEN, 0.5e8, ["too_little"]),
        ("B", m.READ, 0.5e8, []),
    ],
)
def test_disks_move_about_what_was_brought_over(host, resource, rate, told):
    run = streamed(None)
    assert doubts(run, use(run, host, resource, rate)) == told
    if told == ["too_much"]:
        assert doubts(ONE, use(ONE, host, resource, rate)) == []


def test_disks_that_perfmon_hardly_covers_contradict_nothing():
    run = streamed(None)
    seen = use(run, "A", m.READ, 1e7)
    for covered, told in ((0.79, []), (0.8, ["too_little"])):
        assert doubts(run, replace(seen, usage=replace(seen.usage, covered=covered))) == told


@pytest.mark.parametrize(("verdict", "told"), [(False, ["plateau"]), (True, []), (None, [])])
def test_a_plain_stream_carries_no_more_than_the_database(verdict, told):
    run = streamed(verdict)
    assert doubts(run, *(use(run, "A", m.SENT, 1.4e8, whole=whole) for whole in (False, True))) == told


def test_what_other_pages_measure_is_known_by_its_begin_or_its_middle(monkeypatch):
    monkeypatch.setattr(study, "measured_backups", lambda *_: None)
    trials = [SimpleNamespace(start_us=None), SimpleNamespace(start_us=1_700_000_000_000_000)]
    monkeypatch.setattr(study, "read_trials", lambda _: trials)
    view: Any = SimpleNamespace(rows=lambda *_, **__: [{"start": moment(0), "end": moment(60)}])
    found = study._elsewhere(view, LIMITS)
    assert found.backups == (moment(30),)
    assert [time.timestamp() for time in found.trials] == [1_700_000_000]


# Tables.


def of_uses(*uses: Use, of: tuple[Run, ...] = (ONE, TWO)) -> Any:
    return SimpleNamespace(uses=Uses(uses), runs=of)


def test_resources_are_told_in_megabytes_or_their_own_unit():
    found = tables.resources(of_uses(use(ONE, "A", m.CPU, 40.0, cores=4), use(ONE, "A", m.SENT, 1e8)))
    rows = {row["resource"]: row for row in found.to_dict("records")}
    cpu, sent = rows[m.NAMES[m.CPU]], rows[m.NAMES[m.SENT]]
    assert (cpu["unit"], cpu["mean"], cpu["cores"], cpu["core_seconds"]) == ("%", 40.0, 4, 160.0)
    assert (sent["unit"], sent["mean"], sent["p95"]) == ("wire MB/s", 100.0, 100.0)
