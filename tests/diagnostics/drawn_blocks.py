"""Draws cases of log blocks with known hops, lets the diagnostic answer, and compares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from agtrace.diagnostics.commit_latency import CommitLatency
from agtrace.say.finding import Finding
from simulation.commits.events import Told, told
from simulation.commits.model import HOPS, PRIMARY, REPLICA, START, START_US, Setting, Way, database_id, way
from simulation.commits.removed import SLOW_MS, dominant
from simulation.formats.xel import filetime
from simulation.formats.xel_sessions import REPLICA_ROLE
from tests.diagnostics.tiny import Case

TICKS_OF_1970 = filetime(START) - START_US * 10


@dataclass
class Answer:
    """A drawn case and what is wrong with the answer, in words; empty where all is right."""

    number: int
    setting: Setting
    hop_wrong: list[str] = field(default_factory=list)
    numbers_wrong: list[str] = field(default_factory=list)
    skew_wrong: list[str] = field(default_factory=list)

    def line(self) -> str:
        wrong = self.hop_wrong + self.numbers_wrong + self.skew_wrong
        return f"{self.number}: {self.setting}: {'; '.join(wrong)}"


def draw(rng: np.random.Generator, number: int) -> Setting:
    """Draw a case; of nine in a row every hop is the slow one once."""
    slow = HOPS[number % len(HOPS)]
    sides = [(PRIMARY, REPLICA), (PRIMARY, REPLICA), (PRIMARY, REPLICA), (PRIMARY,), (REPLICA,)]
    return Setting(
        blocks=int(rng.integers(400, 900)),
        hops_ms={slow: float(rng.uniform(*SLOW_MS[slow]))},
        spread=float(rng.uniform(0.05, 0.5)),
        apart_ms=float(np.exp(rng.uniform(np.log(3), np.log(1500)))),
        forward=float(rng.uniform(0.2, 0.8)),
        skew_ms=float(rng.uniform(-5000, 5000)),
        drift_ms_per_h=float(rng.uniform(-20, 20)),
        lost=float(rng.choice([0, 0.01, 0.05])),
        compressed=slow == "compression" or bool(rng.random() < 0.5),
        databases=("Sales", "Stock") if rng.random() < 0.4 else ("Sales",),
        sides=sides[int(rng.integers(len(sides)))],
    )


def case_of(events: list[Told], made: Case | None = None) -> Case:
    """Make a case of events, or add them to one."""
    made = made or Case()
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for place, event in enumerate(events):
        rows[event.event].append(
            {"_content_id": f"xel-{event.host}", "_seq": place, "_us": event.at_us,
             "_ticks": event.at_us * 10 + TICKS_OF_1970, **event.fields}
        )  # fmt: skip
    for row in rows.get("availability_replica_state_change", []):
        for name in ("previous_state", "current_state"):
            row[name] = REPLICA_ROLE.texts[row[name]]
    for name, listed in rows.items():
        made.connection.register("batch", pa.Table.from_pylist(listed))
        made.run(
            f'create table "events_{name}" as select * exclude (_us), make_timestamptz(_us) as _time from '
            f"batch"
        )
        made.connection.unregister("batch")
        made.events.add(f"events_{name}")
    made.insert(
        "captures",
        [
            {"capture_id": f"xel-{host}", "content_id": f"xel-{host}", "path": f"{host}.xel",
             "host_id": host, "reader": "xel", "status": "ingested"}
            for host in {event.host for event in events}
        ],
    )  # fmt: skip
    return made


def answer(number: int, seed: int) -> Answer:
    """Draw a case, ask, and compare."""
    rng = np.random.default_rng([seed, number])
    setting = draw(rng, number + seed)
    ways = [way(setting, database, rng) for database in setting.databases]
    case = case_of(told(setting, ways, rng))
    found = CommitLatency(case).findings()
    answered = Answer(number, setting)
    for each in ways:
        _compare_hop(answered, each, found)
        if len(setting.sides) == 2:
            _compare_numbers(answered, each, found)
    if len(setting.sides) == 2:
        _compare_skew(answered, case)
    return answered


def answers(count: int, seed: int) -> Iterator[Answer]:
    """Yield the answers of many cases."""
    for number in range(count):
        yield answer(number, seed)


def _of(found: list[Finding], id_: str, way: Way) -> list[Finding]:
    return [
        f for f in found
        if f.id == id_ and f.subject.get("database") in (way.database, database_id(way.database))
    ]  # fmt: skip


def _compare_hop(answered: Answer, way: Way, found: list[Finding]) -> None:
    named = [
        e.value for f in _of(found, "commit.hop", way) for e in f.evidence if e.label == "dominant hop"
    ]  # fmt: skip
    truth = dominant(way, answered.setting.sides)
    if named != ([truth] if truth else []):
        answered.hop_wrong.append(f"{way.database}: {truth}, answered {named}")


def _compare_numbers(answered: Answer, way: Way, found: list[Finding]) -> None:
    latency = _of(found, "commit.latency", way)
    if len(latency) != 1:
        answered.numbers_wrong.append(f"{way.database}: {len(latency)} findings of latency")
        return
    said = {e.label: e.value for e in latency[0].evidence}
    for name, values in {**way.hops, "commit": way.commit_ms}.items():
        if name == "compression" and not answered.setting.compressed:
            continue
        for quantile in (50, 95):
            label, truth = f"{name} p{quantile}", float(np.percentile(values, quantile))
            value = said.get(label)
            if value is None or abs(value - truth) > max(0.1 * truth, 0.2):
                answered.numbers_wrong.append(f"{way.database}: {label} {truth:.3f}, answered {value}")


def _compare_skew(answered: Answer, case: Case) -> None:
    rows = case.table(
        "select epoch_us(t_sent) as at, skew_ms, skew_spread_ms from log_blocks where joined and t_sent is "
        "not null"
    ).to_pylist()
    setting = answered.setting
    for row in rows:
        true = setting.skew_ms + setting.drift_ms_per_h * (row["at"] - START_US) / 3.6e9
        if abs(row["skew_ms"] - true) > row["skew_spread_ms"]:
            answered.skew_wrong.append(
                f"skew {true:.2f}, answered {row['skew_ms']:.2f} within {row['skew_spread_ms']:.2f}"
            )
            return
