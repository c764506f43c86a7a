"""What a pair is judged by, of runs and what their hosts did that are written down."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.comparison import judge
from agtrace.diagnostics.comparison.configurations import configure
from agtrace.diagnostics.comparison.pairs import Change, Pair, _changes
from agtrace.diagnostics.comparison.study import Study
from agtrace.history.seedings import Compressed, Reason
from agtrace.history.transfers import uses as m
from agtrace.history.transfers.run import Run
from agtrace.history.transfers.uses import Use, Uses
from agtrace.measure.processors import Cores
from agtrace.measure.resources import UNITS
from agtrace.measure.statistics import Interval
from agtrace.measure.usage import Usage
from agtrace.thresholds import Thresholds
from tests.diagnostics.comparison.cases import runs

ROWS = "\n".join(
    f"manual | Sales | A > B | {at} | backup 50, restore 50 | 10 | f={f} |" for at, f in ((0, 1), (200, 2))
)
LIMITS = Thresholds()


def use(
    run: Run, host: str, resource: str, mean: float, *, cores: int | None = None, whole: bool = False
) -> Use:
    """What a host did for 100 s of a run."""
    held = Cores(cores, "ERRORLOG") if cores else None
    usage = Usage(1, host, resource, "x", UNITS[resource], 20, *[mean] * 5, None, 1.0, 100.0, held)
    return Use(run, None, usage, 100.0, is_whole=whole)


def pair(*changes: Change, text: str = ROWS, **more: Any) -> Pair:
    first, second = configure(runs(text))
    given: dict[str, Any] = {"speed": Interval(2.0, None, None), "by_rate": False, "is_same": False}
    return Pair(first, second, differing=("f",), changes=changes, **given | more)


BASE = pair()
ONE, TWO = BASE.first.first, BASE.second.first


def change(resource: str, role: str, before: float, after: float, host: str = "A", **more: Any) -> Change:
    uses = (use(run, host, resource, mean, **more) for run, mean in ((ONE, before), (TWO, after)))
    first, second = uses
    return Change(resource, role, (first,), (second,), LIMITS.compare_resource_share)


def study(*uses: Use, contradictions: dict[int, list[str]] | None = None) -> Study:
    held: defaultdict[int, list[str]] = defaultdict(list, contradictions or {})
    return Study(tuple(BASE.runs), (), Uses(uses), (), held, defaultdict(list), LIMITS)


def judged(of: Pair, *uses: Use, **more: Any) -> Any:
    return judge._judged(study(*uses, **more), of)


# Whether it differs.


@pytest.mark.parametrize(
    ("is_same", "changes", "verdict"),
    [
        (False, [], ("compare.difference", "notice")),
        (True, [], ("compare.no_difference", "info")),
        (True, [change(m.CPU, "source", 20, 40)], ("compare.no_difference", "notice")),
        (True, [change(m.CPU, "source", 40, 20)], ("compare.no_difference", "info")),
        (True, [change(m.CPU, "source", 40, 40)], ("compare.no_difference", "info")),
        (True, [change(m.READ, "source", 20, 40)], ("compare.no_difference", "info")),
    ],
)
def test_no_difference_in_time_is_worth_a_notice_where_processors_work_more(is_same, changes, verdict):
    made = judged(pair(*changes, is_same=is_same))
    assert (made.id, made.severity) == verdict


@pytest.mark.parametrize(
    ("speed", "is_same", "told"),
    [
        (2.0, True, {"by": "nothing"}),
        (1.2, False, {"by": "times", "value": 1.2}),
        (1.19, False, {"by": "percent", "value": 0.19}),
        (1 / 1.2, False, {"by": "times_longer", "value": 1.2}),
        (1 / 1.19, False, {"by": "longer", "value": 0.19}),
    ],
)
def test_how_much_faster_is_told_in_times_or_percent(speed, is_same, told):
    found = judge._faster(pair(speed=Interval(speed, None, None), is_same=is_same))
    assert found.pop("by") == told["by"]
    assert [round(value, 6) for value in found.values()] == [
        each for each in told.values() if each != told["by"]
    ]


# What hosts did.


def test_what_hosts_did_is_told_of_one_end_of_the_wire():
    changes = [
        change(m.CPU, "source", 20, 40, cores=4), change(m.CPU, "target", 30, 30, host="B"),
        change(m.SENT, "source", 1e8, 2e8), change(m.RECEIVED, "target", 1e8, 2e8, host="B"),
        change(m.READ, "source", 1e8, 1e8),
    ]  # fmt: skip
    facts = judged(pair(*changes)).facts
    assert [row["name"] for row in facts["listed"]] == [m.NAMES[m.CPU], m.NAMES[m.SENT]]
    assert [row["name"] for row in facts["same"]] == [m.NAMES[m.CPU], m.NAMES[m.READ]]
    assert [(row["is_wire"], row["before"].value, row["after"].value) for row in facts["listed"]] == [
        (False, 20.0, 40.0), (True, 1e8, 2e8)
    ]  # fmt: skip
    assert facts["works"] == [{"host": "A", "work": (8.0, 16.0)}]
    assert facts["unknown_cores"] == ["B"]
    assert facts["per_byte"] == (1.0, 2.0)
    assert len(facts["changed"]) == 2


@pytest.mark.parametrize(
    ("whole", "told"),
    [
        ((10.0, 35.0), {"host": "A", "utilisation": [10.0, 35.0]}),
        ((20.0, 35.0), {"host": "A", "utilisation": [20.0, 35.0]}),
        ((20.4, 39.6), None),
        ((None, 35.0), None),
        ((10.0, None), None),
    ],
)
def test_utilisation_of_the_whole_run_is_told_where_it_is_another(whole, told):
    moving = change(m.CPU, "source", 20, 40)
    seen = [
        use(run, "A", m.CPU, mean, whole=True) for run, mean in zip((ONE, TWO), whole,
        strict=True) if mean is not None
    ]  # fmt: skip
    assert judged(pair(moving), *seen).facts["whole_cpu"] == told
    assert judged(pair(), *seen).facts["whole_cpu"] is None


# What else is told.


@pytest.mark.parametrize(
    ("rates", "is_same", "by_rate"), [(2, False, False), (0, True, False), (2, True, True), (2, False, True)]
)
def test_rates_are_told_where_they_add_something(rates, is_same, by_rate):
    found = judged(pair(is_same=is_same, by_rate=by_rate)).facts["rates"]
    assert found == [1e8] * rates


MOVING = "manual | Sales | A > B | {} | backup {}, wait {}, restore 50 | 10 | f={} |"


@pytest.mark.parametrize(
    ("second", "more", "moved"),
    [
        (10, {"is_same": True}, (60.0, 100.0)),
        (50, {"is_same": True}, None),
        (10, {"is_same": False}, None),
        (10, {"is_same": True, "by_rate": True}, None),
    ],
)
def test_equal_durations_may_hide_that_data_moved_faster(second, more, moved):
    text = "\n".join([MOVING.format(0, 50, 0.1, 1), MOVING.format(200, second, 50 - second + 0.1, 2)])
    assert judged(pair(text=text, **more)).facts["moved"] == moved


def test_the_evidence_of_a_pair():
    whole = use(ONE, "A", m.CPU, 10.0, whole=True)
    made = judged(
        pair(change(m.CPU, "source", 20, 40, cores=4), change(m.SENT, "source", 1e8, 123456789.0)),
        whole, contradictions={2: ["odd figures"]},
    )  # fmt: skip
    shown = [(each.label, each.value, each.unit) for each in made.evidence]
    assert ("speed", 2.0) in [(each.measure.name, each.value) for each in made.evidence]
    cpu, work = f"{m.NAMES[m.CPU]} of A, mean", "processor work of A per GB of the database"
    for wanted in (
        (f"run 1: {cpu} while data moved", 20.0, "%"), (f"run 2: {cpu} while data moved", 40.0, "%"),
        (f"run 1: {cpu} over the whole run", 10.0, "%"), (f"run 1: {work}", 8.0, "core-s/GB"),
        (f"run 2: {work}", 16.0, "core-s/GB"), (f"run 2: {m.NAMES[m.SENT]} of A, mean while data moved",
        1.235e8, "wire B/s"),
        ("run 2: contradiction", "odd figures", ""),
    ):  # fmt: skip
        assert wanted in shown
    assert made.facts["odd"] == ["2"]
    assert len([each for each in shown if "per GB" in each[0]]) == 2


def test_processor_work_is_evidence_where_cores_and_size_are_known():
    assert list(judge._of_work(use(ONE, "A", m.CPU, 20.0))) == []
    assert list(judge._of_work(use(ONE, "A", m.READ, 20.0, cores=4))) == []
    unsized = runs(ROWS.replace("| 10 |", "| |"))[0]
    assert list(judge._of_work(use(unsized, "A", m.CPU, 20.0, cores=4))) == []
    (found,) = judge._of_work(use(ONE, "A", m.CPU, 20.123, cores=4))
    assert found.value == 8.05


@pytest.mark.parametrize(("n", "sure", "needed"), [(1, 0.5, 5), (2, 0.6, 5), (4, 0.6, 5), (5, 0.9, 0)])
def test_a_pair_is_as_sure_as_its_configuration_with_the_fewest_runs(n, sure, needed):
    row = "manual | Sales | A > B | {} | backup 50 | 10 | f={} |"
    text = "\n".join(row.format(100 * k, 1 + k % 2) for k in range(2 * n))
    made = judged(pair(text=text))
    assert (made.confidence, made.facts["needed"]) == (sure, needed)


# What is compared of the hosts.


def compared(*means: tuple[str, str, float, float]) -> list[tuple[str, str]]:
    """Resource and role of what is worth a word, of hosts' means in both runs."""
    seen = Uses(
        use(run, host, resource, of)
        for host, resource, *own in means
        for run, of in zip((ONE, TWO), own, strict=True)
    )
    return [(each.resource, each.role) for each in _changes(BASE.first, BASE.second, seen, LIMITS)]


def test_what_little_moves_beside_another_is_not_compared():
    assert compared(("A", m.READ, 1e8, 0.0), ("B", m.WRITTEN, 0.0, 5e6), ("B", m.SENT, 0.0, 4.9e6)) == [
        (m.READ, "source"), (m.WRITTEN, "target")
    ]  # fmt: skip
    assert compared(("A", m.READ, 10.0, 0.0)) == [(m.READ, "source")]
    assert compared(("A", m.READ, 0.0, 0.0), ("A", m.CPU, 0.0, 0.0)) == [(m.CPU, "source")]
    assert compared(("A", m.CPU, 90.0, 90.0), ("A", m.READ, 1.0, 1.0)) == [
        (m.CPU, "source"),
        (m.READ, "source"),
    ]


def test_a_run_of_no_time_has_no_rate():
    (still,) = runs("manual | S | A > B | 0 | backup 0 | 20")
    assert [each.measure.label for each in judge._of_run(still)] == ["duration"]


def test_streams_are_told_that_are_decided():
    row = "seeding | Sales | A > B | {} | copy 100 | 10 | f={} |"
    reason = Reason("wire", {})
    streams = [Compressed(verdict, 1.0, 10**10, 10**10, None, None, reason) for verdict in (False, None)]
    found = runs(f"{row.format(0, 1)}\n{row.format(200, 2)}")
    made = [replace(run, compressed=stream) for run, stream in zip(found, streams, strict=True)]
    first, second = configure(made)
    of = Pair(first, second, BASE.speed, False, False, ("f",), ())
    assert [run.number for run in judged(of).facts["streams"]] == [1]
    assert judged(BASE).facts["streams"] == []
