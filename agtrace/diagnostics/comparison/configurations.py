"""Configurations of runs, the baseline among them, and their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from agtrace.history import runs
from agtrace.history import transfers as r
from agtrace.history.transfers import COMPRESSED, COMPRESSION, FLAG_ON, Run, shared_labels
from agtrace.say import words

_REPEATED = re.compile(r"(?:run|repetition|repeat|trial|attempt|test|number|no)[ _.]?\w?", re.IGNORECASE)
_PLAIN = re.compile(r"\b(?:baseline|before|plain|default|original)\b", re.IGNORECASE)
_OFF = re.compile(r"off|false|no|none|0|disabled|without|baseline|plain|default", re.IGNORECASE)
_ORDER = (r.MANUAL, r.TWO_STEPS, r.SEEDING, r.GIVEN)
_QUALIFIERS = {FLAG_ON: "with trace flag 9567", COMPRESSED: "with a compressed stream"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration(runs.Configuration[Run]):
    """Runs with equal factors, including the hosts.

    Parameters
    ----------
    name
        Its name in sentences: "automatic seeding", "backup, restore and join".
    qualifier
        What tells it from others of that name: "with trace flag 9567", "(run 2)"; "" where nothing
        is needed.
    """

    name: str = ""
    qualifier: str = ""

    @property
    def first(self) -> Run:
        return self.runs[0]

    @property
    def full_name(self) -> str:
        return f"{self.name} {self.qualifier}".rstrip()

    @property
    def numbers(self) -> str:
        """Its runs' numbers: "2", "2, 4 and 6"."""
        return words.listing([str(run.number) for run in self.runs], 12)

    @property
    def database_bytes(self) -> float | None:
        """Return the median of the bytes transferred; None if unknown for any run."""
        known = [run.database_bytes for run in self.runs if run.database_bytes]
        return median(known) if len(known) == self.n else None

    @property
    def seconds(self) -> float:
        """Median of the durations."""
        return median(run.seconds for run in self.runs)


def factors_of(run: Run) -> dict[str, str]:
    """Return a run's factors except those that only count repetitions."""
    return {name: value for name, value in run.factors if not _REPEATED.fullmatch(name.strip())}


def _factors(run: Run) -> dict[str, str]:
    return {"method": run.method, "hosts": f"{run.source} to {run.target}"} | factors_of(run)


def configure(found: Sequence[Run]) -> list[Configuration]:
    """Group runs of one database by their factors, in chronological order.

    If all have the same configuration, each run is a configuration of its own.
    """
    by_key: dict[tuple[object, ...], list[Run]] = {}
    for run in found:
        key = (run.method, run.source, run.target, *sorted(factors_of(run).items()))
        # A labelled window without factors is identified by its label.
        label = run.label if run.method == r.GIVEN and len(key) == 3 else ""
        by_key.setdefault((*key, label), []).append(run)
    groups = [tuple(group) for group in by_key.values()]
    if len(groups) == 1:
        groups = [(run,) for run in found]
    return _named([Configuration(factors=_factors(group[0]), runs=group) for group in groups])


def baseline(configurations: Sequence[Configuration], wanted: str | None) -> Configuration:
    """Return the configuration that the others are compared with.

    The one that ``wanted`` names (label, run id or number); else the plain one: by its label, by
    method (backup and restore before seeding), uncompressed before compressed, with the most
    factors off; else the first in time.
    """
    for configuration in configurations:
        if wanted is not None and any(is_called(run, wanted) for run in configuration.runs):
            return configuration

    def rank(configuration: Configuration) -> tuple[bool, int, bool, int]:
        run = configuration.first
        given = factors_of(run)
        squeezed = given.pop(COMPRESSION, "") in (FLAG_ON, COMPRESSED)
        return (
            not _PLAIN.search(run.label),
            _ORDER.index(run.method),
            squeezed,
            -sum(bool(_OFF.fullmatch(value.strip())) for value in given.values()),
        )

    return min(configurations, key=rank)


def is_called(run: Run, name: str) -> bool:
    """Return whether a label, run id or number means this run."""
    asked = str(name).strip().casefold()
    return asked in (run.label.casefold(), run.run_id.casefold(), str(run.number)) and asked != ""


def _named(configurations: list[Configuration]) -> list[Configuration]:
    shared = shared_labels([run for c in configurations for run in c.runs])
    made = []
    for c in configurations:
        run = c.first
        labels = {each.label for each in c.runs}
        compression = dict(run.factors).get(COMPRESSION, "")
        is_own = run.method == r.GIVEN or c.n > 1 or run.label not in shared
        if len(labels) == 1 and run.label and is_own:
            made.append(replace(c, name=words.plain(run.label, 60)))
            continue
        made.append(replace(c, name=run.method, qualifier=_QUALIFIERS.get(compression, "")))
    same: dict[str, list[Configuration]] = {}
    for c in made:
        same.setdefault(c.full_name, []).append(c)
    further = {name: _further(alike) for name, alike in same.items() if len(alike) > 1}
    return [
        replace(c, qualifier=f"{c.qualifier} {further[c.full_name](c)}".lstrip())
        if c.full_name in further
        else c
        for c in made
    ]


def _further(same: list[Configuration]) -> Callable[[Configuration], str]:
    """Return a function that distinguishes equal names: by factors or hosts, else by number."""
    factors = {id(c): factors_of(c.first) for c in same}
    seen: dict[str, set[str | None]] = {}
    for name in {name: None for own in factors.values() for name in own}:
        seen[name] = {own.get(name) for own in factors.values()}
    varying = [name for name, values in seen.items() if name != COMPRESSION and len(values) > 1]
    varies_in_hosts = len({(c.first.source, c.first.target) for c in same}) > 1

    def by_factors(c: Configuration) -> str:
        own = factors[id(c)]
        told = [" ".join(words.plain(each, 30) for each in (n, own[n])) for n in varying if n in own]
        if varies_in_hosts:
            told.append(f"{c.first.source or 'unknown'} to {c.first.target or 'unknown'}")
        return f"({', '.join(told)})" if told else ""

    def by_number(c: Configuration) -> str:
        return f"({'run' if c.n == 1 else 'runs'} {c.numbers})"

    tells = [by_factors(c) for c in same]
    return by_factors if all(tells) and len(set(tells)) == len(tells) else by_number
