"""Estimates for configurations between tested ones, and for tested ones as a check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agtrace.diagnostics.backup.studies import SAID, BackupStudy, Configuration, buffers_text, rounded
from agtrace.replay.backups import Between, Point, between, left_out, untested


@dataclass(frozen=True)
class EstimatedConfiguration:
    """A configuration with its estimate, or the reason key if there is none; its median if it was run.

    Parameters
    ----------
    is_settled
        Whether its runs agree on the median well enough to check an estimate against it.
    """

    name: str
    found: Between | str
    tested: float | None = None
    is_settled: bool = True

    @property
    def off(self) -> float | None:
        """How far the estimate is off the runs, as a share."""
        if self.tested is None or isinstance(self.found, str):
            return None
        return self.found.mb_per_s / self.tested - 1

    def row(self) -> list[Any]:
        if isinstance(self.found, str):
            return [
                self.name,
                None,
                None,
                None,
                self.tested,
                None,
                SAID.text("between.why", {"why": self.found}),
            ]
        told = [rounded(each) for each in (self.found.mb_per_s, self.found.low, self.found.high)]
        return [self.name, *told, self.tested, self.off, ""]


def points(study: BackupStudy) -> list[Point]:
    """Return the tested configurations of a study."""
    return [_point(each) for each in study.real if each.median > 0]


def _point(of: Configuration) -> Point:
    factors = tuple(sorted(of.factors.items(), key=lambda pair: pair[0]))
    ends = of.sample.interval(0.5)
    # With too few runs for an interval of the median, its uncertainty is the scatter of the runs.
    doubt = of.sample.spread / 2
    if ends.low is not None:
        assert ends.high is not None
        doubt = (ends.high - ends.low) / 2 / of.median
    return Point(factors, of.median, doubt, of.n)


def asked(
    study: BackupStudy, buffer_count: int | None, max_transfer_size_kb: int | None, stripes: int | None
) -> EstimatedConfiguration | None:
    """Estimate a configuration that differs from the default in its buffers or devices; None without one."""
    start = study.default
    if start is None:
        return None
    given = {"buffer_count": buffer_count, "max_transfer_size_kb": max_transfer_size_kb, "stripes": stripes}
    factors = dict(start.factors) | {name: value for name, value in given.items() if value is not None}
    run = next((each for each in study.real if each.factors == factors), None)
    return EstimatedConfiguration(
        _name(factors), between(factors, points(study)), None if run is None else run.median
    )


def open_ones(study: BackupStudy) -> list[EstimatedConfiguration]:
    """Estimate the configurations between tested ones that were not run."""
    tested = points(study)
    return [EstimatedConfiguration(_name(factors), between(factors, tested)) for factors in untested(tested)]


def checked(study: BackupStudy) -> list[EstimatedConfiguration]:
    """Predict each configuration that was run from the others."""
    return [
        EstimatedConfiguration(_name(dict(point.factors)), found, point.mb_per_s, point.is_settled)
        for point, found in left_out(points(study))
    ]


def _name(factors: dict[str, Any]) -> str:
    stripes = factors.get("stripes")
    return f"{stripes} x {factors.get('media')}, {buffers_text(factors)}"


def rows(studies: Iterable[BackupStudy]) -> list[list[Any]]:
    """Return the estimates of all studies, then the check."""
    return [each.row() for study in studies for each in (*open_ones(study), *checked(study))]


def page(studies: list[BackupStudy]) -> dict[str, Any]:
    """Return the values for the page's texts."""
    every = [each for study in studies for each in open_ones(study)]
    told = [(each, each.found.mb_per_s) for each in every if not isinstance(each.found, str)]
    check = [each for study in studies for each in checked(study)]
    offs = [abs(each.off) for each in check if each.off is not None and each.is_settled]
    return {
        "told": [each for each, _ in sorted(told, key=lambda pair: -pair[-1])],
        "predicted": len(offs),
        "worst": max(offs, default=None),
        "run": len(check),
        "unsettled": sum(each.off is not None and not each.is_settled for each in check),
    }
