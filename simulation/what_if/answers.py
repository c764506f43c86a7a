"""Puts drawn cases before the replay and holds what it predicts against what came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

import agtrace
from agtrace.replay.blocks import Percentiles, percentiles, read_blocks
from agtrace.replay.change import Change
from agtrace.replay.packing import packed_blocks
from simulation.what_if import captures, events
from simulation.what_if.draw import KINDS, OF_FILES, Drawn, draw
from simulation.what_if.model import Happened, load, run
from simulation.what_if.tables import block_table

QUEUE, CAUGHT_UP, FROM_END, P50, P99 = "queue", "caught up", "gone after", "commit p50", "commit p99"
"""Caught up: had the change been made before; gone after: what waits at the end, changed then."""
WRONG = {QUEUE: 0.2, CAUGHT_UP: 0.2, FROM_END: 0.2, P50: 0.3, P99: 0.3}
"""From which error on an answer is listed as wrong: twice what the median may be."""
LONGEST_S = 7200.0
"""A group is not watched for longer than that once it is changed."""
ARGUMENTS = {"rtt": "rtt_ms"}
"""What ``case.what_if`` calls otherwise than a change does."""


@dataclass
class Told:
    """One figure: predicted, with its band, and what came; None is "never"."""

    predicted: float | None
    low: float | None
    high: float | None
    came: float | None
    floor: float

    @property
    def error(self) -> float:
        if self.predicted is None or self.came is None:
            return 0.0 if self.predicted is self.came else 1.0
        return abs(self.predicted - self.came) / max(self.came, self.floor)

    @property
    def is_within(self) -> bool:
        """What came lies in the band, give or take what is nothing."""
        came = np.inf if self.came is None else self.came
        low = np.inf if self.low is None else self.low
        high = np.inf if self.high is None else self.high
        return bool(low - self.floor / 2 <= came <= high + self.floor / 2)


@dataclass
class Answer:
    """A case, what was told of it, and why nothing was where that is so."""

    drawn: Drawn
    told: dict[str, Told] = field(default_factory=dict)
    whys: tuple[str, ...] = ()
    limit: str = ""
    error: float | None = None
    is_of_files: bool = False

    @property
    def wrong(self) -> list[str]:
        return [name for name, each in self.told.items() if each.error > WRONG[name]]

    def line(self) -> str:
        figures = "; ".join(
            f"{name} {_short(each.predicted)} [{_short(each.low)}, {_short(each.high)}] "
            f"came {_short(each.came)}"
            f"{'' if each.is_within else ' OUT'}"
            for name, each in self.told.items()
        )
        source = ", from files" if self.is_of_files else ""
        return f"{self.drawn.line()}{source} as {self.limit or '-'}: {figures or ', '.join(self.whys)}"


def _short(value: float | None) -> str:
    return "never" if value is None else f"{value:,.3g}"


def answer(number: int, seed: int, kinds: Sequence[str] = KINDS) -> Answer:
    """Draw a case, watch it, ask, change it, and see what comes."""
    dice = Random(f"{seed}-{number}")
    drawn = draw(number, dice, tuple(kinds))
    # The same blocks at the same moments; what of them is on the wire goes with the setting.
    loads = [
        load(setting, drawn.seconds, Random(f"{seed}-{number}-load"), times)
        for setting, times in ((drawn.setting, 1.0), (drawn.after, drawn.times))
    ]
    before = run(drawn.setting, loads[0], Random(f"{seed}-{number}-before"))
    after = run(drawn.after, loads[1], Random(f"{seed}-{number}-after"))
    if drawn.is_stream:
        return _stream(drawn, before, after, seed)
    return _commit(drawn, before, after, seed)


def _stream(drawn: Drawn, before: Happened, after: Happened, seed: int) -> Answer:
    with TemporaryDirectory() as folder:
        case = Path(folder) / "case"
        captures.write_captures(
            case, drawn.setting, before, drawn.seconds, drawn.step, ping=drawn.ping,
            tuning_off=drawn.tuning_off, copy=drawn.copy, with_primary=drawn.with_primary,
            elsewhere=after.load.packed if drawn.has_compressed else None,
        )  # fmt: skip
        with agtrace.open_case(case, store=Path(folder) / "store") as opened:
            found = opened.what_if(captures.REPLICA, **drawn.change)
    made = Answer(drawn, whys=found.whys, limit=found.limit, error=found.error)
    come = found.after
    if come.send_queue_p95_bytes is None:
        return made
    at = captures.ends(drawn.seconds, drawn.step, 0.2)
    queue = captures.send_queue(after, at)
    rate = float(after.load.bytes[after.load.begun > 0].sum()) / drawn.seconds
    made.told[QUEUE] = Told(
        come.send_queue_p95_bytes, come.send_queue_p95_low_bytes, come.send_queue_p95_high_bytes,
        float(np.percentile(queue, 95)), 2 * rate,
    )  # fmt: skip
    least, floor = max(rate, 64 * 1024), 2 * drawn.step + 5
    if queue[0] > least:
        # Where nothing waits there is nothing to catch up with.
        made.told[CAUGHT_UP] = Told(
            come.caught_up_s, come.caught_up_low_s, come.caught_up_high_s, _gone(at, queue, least), floor
        )
    left = float(captures.send_queue(before, at)[-1])
    if left > least and 3 * (come.caught_up_from_end_s or 0.0) <= LONGEST_S:
        made.told[FROM_END] = Told(
            come.caught_up_from_end_s, come.caught_up_from_end_low_s, come.caught_up_from_end_high_s,
            _from_end(drawn, left, least, come.caught_up_from_end_s, seed), floor,
        )  # fmt: skip
    return made


def _gone(at: NDArray[np.float64], queue: NDArray[np.float64], least: float) -> float | None:
    """Return the seconds until a queue counts as empty; None if it never does."""
    gone = np.flatnonzero(queue <= least)
    return float(at[gone[0]] - at[0]) if len(gone) else None


def _from_end(drawn: Drawn, left: float, least: float, told: float | None, seed: int) -> float | None:
    """Change the group at the end of what was watched, and go on: when is what waited then gone?"""
    seconds = max(3 * (told or 0.0), 1800.0)
    setting = replace(drawn.after, backlog=left)
    coming = load(setting, seconds, Random(f"{seed}-{drawn.number}-later"), drawn.times)
    later = run(setting, coming, Random(f"{seed}-{drawn.number}-later run"))
    at = captures.ends(seconds, drawn.step, 0.2)
    return _gone(at, captures.send_queue(later, at), least)


def _commit(drawn: Drawn, before: Happened, after: Happened, seed: int) -> Answer:
    made = Answer(drawn, is_of_files=_is_of_files(drawn))
    found = _of_files(drawn, before) if made.is_of_files else _of_tables(drawn, before, after)
    came = after.flushed - after.load.begun if "commit" in drawn.change else after.commit
    if drawn.kind == "commit replicas":
        others = [
            run(drawn.after, after.load, Random(f"{seed}-{drawn.number}-{place}")).commit
            for place in range(drawn.change["replicas"] - 1)
        ]
        came = np.max([came, *others], axis=0)
    p50, p99 = 1e3 * np.quantile(came, (0.5, 0.99))
    if isinstance(found, tuple):
        made.whys = found
        return made
    made.told[P50] = Told(found.p50, found.low[0], found.high[0], float(p50), 0.0)
    made.told[P99] = Told(found.p99, found.low[2], found.high[2], float(p99), 0.0)
    return made


def _of_tables(drawn: Drawn, before: Happened, after: Happened) -> Percentiles:
    """Hand the blocks to the replay as a table."""
    blocks = read_blocks(block_table(before), joined=True)
    asked = Change(**{ARGUMENTS.get(name, name): value for name, value in drawn.change.items()})
    packing = None
    if drawn.change.get("compression") is True:
        # The stream to another replica is compressed: its blocks say what that brings and takes.
        packing = packed_blocks(block_table(after))
    return percentiles(blocks, asked, drawn.setting.round_trip, packing=packing)


def _is_of_files(drawn: Drawn) -> bool:
    """Return whether a case uses files; for newly enabled compression, another replica would show it."""
    return drawn.number % OF_FILES == 0 and drawn.change.get("compression") is not True


def _of_files(drawn: Drawn, before: Happened) -> Percentiles | tuple[str, ...]:
    """Ask a case whose sessions told of the blocks; reasons where it gives no estimate."""
    with TemporaryDirectory() as folder:
        case = Path(folder) / "case"
        events.write_sessions(case, before)
        with agtrace.open_case(case, store=Path(folder) / "store") as opened:
            found = opened.what_if(events.REPLICA, **drawn.change)
    after = found.after
    if after.commit_p50_ms is None:
        return found.whys
    low = (after.commit_p50_low_ms, after.commit_p95_low_ms, after.commit_p99_low_ms)
    high = (after.commit_p50_high_ms, after.commit_p95_high_ms, after.commit_p99_high_ms)
    return Percentiles(after.commit_p50_ms, after.commit_p95_ms, after.commit_p99_ms, low, high)


def answers(count: int, seed: int, kinds: Sequence[str] = KINDS) -> Iterator[Answer]:
    """Return the answers to many cases."""
    return (answer(number, seed, kinds) for number in range(count))


@dataclass
class Score:
    """What a run shows."""

    answers: list[Answer]

    def errors(self, name: str) -> list[float]:
        """Return the errors of a figure, except those rightly predicted never to come."""
        told = [each.told[name] for each in self.answers if name in each.told]
        return [each.error for each in told if each.predicted is not None or each.came is not None]

    def median(self, name: str) -> float:
        return float(np.median(self.errors(name)))

    @property
    def within(self) -> float:
        """Share of all figures that lie in their band."""
        told = [each.is_within for answer in self.answers for each in answer.told.values()]
        return float(np.mean(told))

    @property
    def untold(self) -> list[Answer]:
        return [each for each in self.answers if not each.told]

    @property
    def wrong(self) -> list[Answer]:
        return [each for each in self.answers if each.wrong]

    def lines(self) -> list[str]:
        return [each.line() for each in self.answers]

    def table(self) -> str:
        """Return median errors and bands by kind of change."""
        lines = []
        for name in WRONG:
            kinds = dict.fromkeys(each.drawn.kind for each in self.answers if name in each.told)
            for kind in kinds:
                own = [
                    each.told[name] for each in self.answers if name in each.told and each.drawn.kind == kind
                ]
                off = np.array([
                    each.error for each in own if each.predicted is not None or each.came is not None
                ])  # fmt: skip
                never = len(own) - len(off)
                if not len(off):
                    off = np.array([0.0])
                share = np.mean([each.is_within for each in own])
                lines.append(
                    f"{name:12} {kind:20} n {len(own):3}  median {np.median(off):6.1%}"
                    f"  p90 {np.quantile(off, 0.9):7.1%}  in band {share:5.0%}"
                    f"{f'  {never} never, as told' if never else ''}"
                )
        return "\n".join(lines)
