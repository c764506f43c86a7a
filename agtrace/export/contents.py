"""The tables and figures of a case by name, computed on demand."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from agtrace import interrupts
from agtrace.diagnostics import Finding, analyses
from agtrace.errors import CaseError, in_one_line
from agtrace.globs import matches
from agtrace.say.findings import by_severity
from agtrace.tables.history import EVERY_SAMPLE, RELATIONS
from agtrace.tables.rows import rows_of

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

    from agtrace.case import Case

_FINDINGS = (
    "finding", "severity", "id", "title", "subject", "start", "end", "is_local_time", "confidence",
    "narrative", "recommendation",
)  # fmt: skip
_EVIDENCE = ("finding", "id", "label", "value", "unit", "source")


@dataclass(frozen=True)
class Table:
    """A table whose rows can be iterated once.

    Parameters
    ----------
    name
        Name of the file or sheet.
    columns
        Names of the columns.
    rows
        Values in the order of the columns; None for missing values.
    utc
        Names of the columns with times in UTC.
    """

    name: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    utc: frozenset[str] = frozenset()


class Contents:
    """The tables and figures of a case to export.

    Parameters
    ----------
    case
        The opened case.
    only
        Globs of names; all when empty.

    Raises
    ------
    CaseError
        A glob matches no table or figure of any case.
    """

    def __init__(self, case: Case, only: Sequence[str] = ()) -> None:
        self._case = case
        self._only = only
        self.failures: list[str] = []
        known = ["findings", "evidence", *RELATIONS, *self._methods("tbl_"), *self._methods("fig_")]
        for glob in only:
            if not any(matches(name, glob) for name in known):
                raise CaseError(
                    f"no table or figure is called {glob!r}", f"there are: {', '.join(dict.fromkeys(known))}"
                )

    @cached_property
    def findings(self) -> list[Finding]:
        """Findings of all analyses, most severe first; failed analyses are added to ``failures``."""
        found = [*self._case.added]
        for name in analyses():
            found += self._made(f"the findings of {name}", partial(self._case.answers, name)) or []
        for name, error in self._case.failures.items():
            self.failures.append(f"the findings of {name} failed: {in_one_line(error)}")
        return by_severity(found)

    def tables(self) -> Iterator[Table]:
        """Yield the tables one after the other; consume each before the next."""
        if self._wanted("findings"):
            yield Table("findings", _FINDINGS, _findings(self.findings))
        if self._wanted("evidence"):
            yield Table("evidence", _EVIDENCE, _evidence(self.findings))
        for name in RELATIONS:
            if self._wanted(name) and (table := self._made(name, partial(self._relation, name))):
                yield table
        for name, make in self._methods("tbl_").items():
            frame = self._made(name, make) if self._wanted(name) else None
            if frame is not None and len(frame):
                yield _table(name, frame)

    def figures(self) -> Iterator[tuple[str, Figure]]:
        """Make the figures that show something."""
        for name, make in self._methods("fig_").items():
            figure = self._made(name, make) if self._wanted(name) else None
            if figure is not None and figure.data:
                yield name, figure

    def figure_names(self) -> list[str]:
        """Return the names of the figures of analyses with input; one of them may show nothing."""
        return list(self._methods("fig_"))

    def _wanted(self, name: str) -> bool:
        if not self._only:
            return name not in EVERY_SAMPLE
        return any(matches(name, glob) for glob in self._only)

    def _methods(self, prefix: str) -> dict[str, Callable[[], Any]]:
        """Return the methods of analyses with input: ``transport.tbl_chain`` as transport.chain."""
        found: dict[str, Callable[[], Any]] = {}
        unanswered = self._case.unanswered()
        for name in analyses():
            analysis = self._case.analysis(name)
            if name in unanswered:
                continue
            for method, member in inspect.getmembers(type(analysis), inspect.isfunction):
                if method.startswith(prefix) and _needs_nothing(member):
                    found[f"{name}.{method.removeprefix(prefix)}"] = partial(member, analysis)
        return found

    def _relation(self, name: str) -> Table | None:
        import pyarrow as pa

        reader = pa.RecordBatchReader.from_stream(self._case.sql(f'SELECT * FROM "{name}"'))
        batches = (batch for batch in reader if batch.num_rows)
        first = next(batches, None)
        if first is None:
            return None
        utc = frozenset(each.name for each in reader.schema if getattr(each.type, "tz", None))
        return Table(name, reader.schema.names, _rows(first, batches), utc)

    def _made(self, name: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except Exception as error:
            interrupts.raise_again(error)
            self.failures.append(f"{name} failed: {in_one_line(error)}")
            return None


def _needs_nothing(method: Callable[..., Any]) -> bool:
    _first, *others = inspect.signature(method).parameters.values()
    return all(each.default is not each.empty for each in others)


def _rows(first: Any, others: Iterable[Any]) -> Iterator[Sequence[Any]]:
    import pyarrow as pa

    for batch in (first, *others):
        yield from (list(row.values()) for row in rows_of(pa.Table.from_batches([batch])))


def _table(name: str, frame: pd.DataFrame) -> Table:
    import pandas as pd

    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    columns = [" ".join(map(str, c)) if isinstance(c, tuple) else str(c) for c in frame.columns]
    zoned = (isinstance(kind, pd.DatetimeTZDtype) for kind in frame.dtypes)
    utc = frozenset(column for column, has_zone in zip(columns, zoned, strict=True) if has_zone)
    return Table(name, columns, frame.itertuples(index=False, name=None), utc)


def _findings(findings: Iterable[Finding]) -> Iterator[Sequence[Any]]:
    for number, each in enumerate(findings, 1):
        subject = ", ".join(f"{key} {value}" for key, value in each.subject.items())
        yield (
            number, each.severity, each.id, each.title, subject, each.window.get("start"),
            each.window.get("end"), bool(each.window.get("local")), each.confidence, each.narrative,
            each.recommendation,
        )  # fmt: skip


def _evidence(findings: Iterable[Finding]) -> Iterator[Sequence[Any]]:
    for number, finding in enumerate(findings, 1):
        for each in finding.evidence:
            yield number, finding.id, each.label, each.value, each.unit, each.source
