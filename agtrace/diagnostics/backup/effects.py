"""Effect of each factor on throughput: one factor at a time, and interactions between factors."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from agtrace.diagnostics.backup.studies import (
    BUILT_IN,
    COUNT,
    MEDIA,
    SIZE,
    STRIPES,
    BackupStudy,
    Configuration,
    buffers_text,
    flat,
)
from agtrace.history.backups import total_mb
from agtrace.history.runs import shown
from agtrace.measure.statistics import Interval, Values, least_squares, ratio
from agtrace.say import words

MOST = 80
"""Most configurations compared pairwise: those with the most runs."""
NAMES = {STRIPES: "number of targets", COUNT: "BUFFERCOUNT", SIZE: "MAXTRANSFERSIZE"}
"""Display names of factors; others keep their own."""


def factor_name(name: str) -> str:
    """Name a factor."""
    return NAMES.get(name) or flat(name)


def level(factor: str, text: str) -> str:
    """Format a level of a factor."""
    return f"{text} KB" if factor == SIZE else flat(text)


@dataclass(eq=False)
class Effect:
    """Two configurations that differ in one factor only."""

    factor: str
    first: Configuration
    second: Configuration

    @property
    def levels(self) -> tuple[str, str]:
        return shown(self.first.factors.get(self.factor)), shown(self.second.factors.get(self.factor))

    @cached_property
    def ratio(self) -> Interval:
        """Median of the second over median of the first."""
        return ratio(self.first.sample, self.second.sample)

    def around(self, varying: tuple[str, ...]) -> str:
        """Describe the factors equal on both sides, if they vary elsewhere."""
        factor, held = self.factor, self.first.factors | {self.factor: None}
        told = []
        if STRIPES in varying and held[STRIPES] is not None:
            told.append(words.count(held[STRIPES], "target"))
        if factor == COUNT and held[SIZE] is not None:
            told.append(f"{held[SIZE]:,} KB")
        elif factor == SIZE and held[COUNT] is not None:
            told.append(f"BUFFERCOUNT {held[COUNT]}")
        elif {COUNT, SIZE} & set(varying):
            told.append(buffers_text(held))
        if MEDIA in varying and factor != MEDIA:
            told.append(flat(held[MEDIA], 20))
        labels = [name for name in varying if name not in BUILT_IN and held.get(name) is not None]
        return ", ".join([*told, *(f"{flat(name)} {flat(held[name])}" for name in labels)])


@dataclass(eq=False)
class Change:
    """The same change of one factor, in every surrounding in which it was tested."""

    factor: str
    levels: tuple[str, str]
    effects: list[Effect]

    @property
    def name(self) -> str:
        """Name it: "write_cache from OFF to ON"."""
        first, second = (level(self.factor, text) for text in self.levels)
        return f"{factor_name(self.factor)} from {first} to {second}"

    @property
    def size(self) -> float:
        """Return its largest effect."""
        return max(abs(e.ratio.value - 1) for e in self.effects)

    @property
    def is_shown(self) -> bool:
        """Return whether it is beyond doubt anywhere."""
        return any(e.ratio.away_from(1) for e in self.effects)

    @property
    def reverses(self) -> bool:
        """Return whether it helps in one setting and hurts in another, both beyond doubt."""
        sure = [e.ratio for e in self.effects if e.ratio.away_from(1)]
        return any(r.value > 1 for r in sure) and any(r.value < 1 for r in sure)

    @cached_property
    def interaction(self) -> Interval | None:
        """Return the ratio of its effect in the surroundings with the largest and the smallest effect.

        From a model of log throughput with both surroundings, the change, and their product; None
        where the runs cannot carry it.
        """
        if len(self.effects) < 2:
            return None
        ordered = sorted(self.effects, key=lambda e: -e.ratio.value)
        design, observed = [], []
        for around, effect in enumerate((ordered[0], ordered[-1])):
            for changed, configuration in enumerate((effect.first, effect.second)):
                row = [around, changed, around * changed]
                design += [row] * configuration.n
                observed.append(np.log(configuration.sample.values))
        fit = least_squares(_with_level(np.array(design, float)), np.concatenate(observed))
        return fit.ratio(-1) if fit.errors is not None else None


def effects(study: BackupStudy) -> list[Effect]:
    """Compare configurations that differ in one factor: each level with the first one around it.

    The first level is that of the default configuration, else the lowest number, else the most
    usual text.
    """
    compared = sorted(study.real, key=lambda c: -c.n)[:MOST]
    found = []
    for factor in study.varying:
        for group in _alike(compared, factor):
            first, *rest = sorted(group, key=lambda c: _order(study, factor, c))
            own = shown(first.factors[factor])
            found += [Effect(factor, first, c) for c in rest if shown(c.factors[factor]) != own]
    return found


def _alike(configurations: list[Configuration], factor: str) -> list[list[Configuration]]:
    """Group the configurations that have a value of a factor by all others."""
    names = dict.fromkeys(name for c in configurations for name in c.factors if name != factor)
    found: dict[tuple[str, ...], list[Configuration]] = defaultdict(list)
    for c in configurations:
        if c.factors.get(factor) is not None:
            found[tuple(shown(c.factors.get(name)) for name in names)].append(c)
    return list(found.values())


def _order(study: BackupStudy, factor: str, configuration: Configuration) -> tuple[Any, ...]:
    value, default = configuration.factors[factor], study.default
    text = shown(value)
    is_default = default is not None and shown(default.factors.get(factor)) == text
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return not is_default, not is_number, value if is_number else text != study.usual(factor), text


def changes(found: list[Effect]) -> list[Change]:
    """Bring together the effects of the same change of a factor."""
    together: dict[tuple[str, tuple[str, str]], list[Effect]] = defaultdict(list)
    for effect in found:
        together[effect.factor, effect.levels].append(effect)
    return [Change(factor, levels, of) for (factor, levels), of in together.items()]


@dataclass(frozen=True)
class Stripes:
    """The rule "at most one target for each two source files" against the data."""

    files: int
    recommended: int
    beyond: tuple[Effect, ...]

    @property
    def gains(self) -> list[Effect]:
        """The comparisons in which more targets than the rule allows were faster beyond doubt."""
        return [e for e in self.beyond if e.ratio.away_from(1) and e.ratio.value > 1]

    @property
    def most(self) -> Effect | None:
        """The comparison in which they gained most."""
        return max(self.gains, key=lambda e: e.ratio.value, default=None)


def stripe_rule(study: BackupStudy) -> Stripes | None:
    """Compare the recommended number of targets with more, all else equal; None if not tested."""
    known = [c.first_run.files or c.first_run.volumes for c in study.real]
    files = max((n for n in known if n), default=None)
    if files is None:
        return None
    recommended = max(files // 2, 1)
    beyond = []
    for group in _alike(study.real, STRIPES):
        ordered = sorted(group, key=lambda c: c.factors[STRIPES])
        allowed = [c for c in group if c.factors[STRIPES] <= recommended]
        if allowed:
            best = max(allowed, key=lambda c: c.factors[STRIPES])
            beyond += [Effect(STRIPES, best, c) for c in ordered if c.factors[STRIPES] > recommended]
    return Stripes(files, recommended, tuple(beyond)) if beyond else None


def _with_level(columns: Values) -> Values:
    """Return a design with the level that all rows share as its first column."""
    return np.column_stack([np.ones(len(columns)), columns])


@dataclass(frozen=True)
class Proposal:
    """An untested combination, with the throughput expected from the tested ones."""

    factors: dict[str, Any]
    expected: float
    factor: str
    memory_mb: float | None

    @property
    def name(self) -> str:
        """Name it as a configuration is named."""
        return f"{self.factors[STRIPES]} x {self.factors[MEDIA]}, {buffers_text(self.factors)}"

    @property
    def changed(self) -> str:
        """Return the difference from the best one."""
        return f"{factor_name(self.factor)} {level(self.factor, shown(self.factors[self.factor]))}"


def next_test(study: BackupStudy, best: Configuration) -> Proposal | None:
    """Return the untested neighbour of the best configuration with the highest predicted throughput.

    A neighbour differs in one factor, with another value that was tested with the same media; factors whose
    effect depends on the others are excluded. The prediction is from a model of log throughput without
    interactions over all configurations: a reason to test, no more.
    """
    names = study.varying
    levels = {name: list(dict.fromkeys(shown(c.factors.get(name)) for c in study.real)) for name in names}
    columns = [(name, value) for name in names for value in levels[name][1:]]
    if len(study.real) < 3:
        return None

    def row(factors: dict[str, Any]) -> list[bool]:
        own = {(name, shown(factors.get(name))) for name in names}
        return list(map(own.__contains__, columns))

    weight = np.sqrt([c.n for c in study.real])
    design = _with_level(np.array([row(c.factors) for c in study.real], float))
    fit = least_squares(design * weight[:, None], np.log([c.median for c in study.real]) * weight)
    tested = {tuple(shown(c.factors.get(name)) for name in names) for c in study.real}
    unsure = {of.factor for of in changes(effects(study)) if of.reverses}
    others = [c for c in study.real if c.factors[MEDIA] == best.factors[MEDIA]]
    found = []
    for name in (name for name in names if name not in unsure):
        for value in {shown(c.factors.get(name)): c.factors.get(name) for c in others}.values():
            factors = best.factors | {name: value}
            if value is None or tuple(shown(factors.get(n)) for n in names) in tested:
                continue
            away = np.subtract(row(factors), row(best.factors), dtype=float)
            expected = best.median * float(np.exp(away @ fit.coefficients[1:]))
            memory = total_mb(best.first_run.sets_of_buffers, factors[COUNT], factors[SIZE])
            found.append(Proposal(factors, expected, name, memory))
    return max(found, key=lambda p: (round(p.expected, 3), -(p.memory_mb or math.inf)), default=None)
