"""Several cases, opened together: each by its name, and one query over all of them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from threading import RLock
from typing import TYPE_CHECKING

from agtrace.case import Case
from agtrace.errors import CaseError, RelationError
from agtrace.interactive.asked import Moment
from agtrace.measure.steps import Steps
from agtrace.moments import Window
from agtrace.say.findings import Findings, by_severity
from agtrace.say.words import count, html, plain
from agtrace.store import user_sql
from agtrace.store.quoting import identifier, literal
from agtrace.store.read_only import check_reads
from agtrace.store.shared import Shared

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    from plotly.graph_objects import Figure

OF_ONE_CASE = frozenset(
    (
        "capture_id", "content_id", "counter_id", "failover_id", "incident_id", "operation_id", "option_id",
        "run_id", "stream_id",
    )
)  # fmt: skip
"""Columns whose values are unique only within one case."""
INTERNAL = ("raw_", "drifts")
"""Name prefixes of internal relations, which docs/store.md does not list."""
_USING = re.compile(r"\busing\s*\(([^()]*)\)", re.IGNORECASE)


class Cases(Mapping[str, Case]):
    """Several opened cases. Use `agtrace.open_cases`.

    Index it by name: ``cases["before"].findings()``. `sql` queries all cases together; every relation has a
    leading column ``case`` there.

    Parameters
    ----------
    cases
        The cases by name, all in one database.
    shared
        The database.
    """

    def __init__(self, cases: dict[str, Case], shared: Shared) -> None:
        self._cases = cases
        self._shared = shared
        self._shown: set[str] = set()
        self._turn = RLock()

    def __getitem__(self, name: str) -> Case:
        if name not in self._cases:
            raise CaseError(f"there is no case {name!r}", f"there are: {', '.join(self._cases)}")
        return self._cases[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cases)

    def __len__(self) -> int:
        return len(self._cases)

    def __contains__(self, name: object) -> bool:
        return name in self._cases

    def __reduce__(self) -> str:
        raise CaseError("several cases cannot be pickled together", "pickle one of them: cases[NAME]")

    def __enter__(self) -> Cases:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all cases and the shared database."""
        for case in self._cases.values():
            case.close()
        self._shared.close()

    def findings(self) -> Findings:
        """Return the findings of all cases, most severe first; the subject of each names its case.

        Returns
        -------
        Findings
            As in `agtrace.case.Case.findings`; ``to_df()`` has a column ``case``.
        """
        return by_severity(
            [
                replace(finding, subject={"case": name} | finding.subject)
                for name, case in self._cases.items()
                for finding in case.findings()
            ]
        )

    def perfmon(
        self,
        counter: str | Iterable[str],
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str | Iterable[str] = "mean",
        tz: str = "UTC",
    ) -> pd.DataFrame:
        """Return perfmon series of all cases that have them, one below the other.

        Parameters
        ----------
        counter, host, instance, start, end, every, how, tz
            As in `agtrace.case.Case.perfmon`.

        Returns
        -------
        pandas.DataFrame
            case, time, host_id, object, instance, counter, value, unit: a row per sample or step.

        Raises
        ------
        CaseError
            No case has such a series, or an argument is invalid.

        Examples
        --------
        >>> fixed = agtrace.sample("log_send_queue_fixed")
        >>> with agtrace.open_cases([fixed / "before", fixed / "after"]) as cases:
        ...     queues = cases.perfmon("Log Send Queue", "JBSAG3", "JBDB")
        >>> queues.groupby("case", observed=True)["value"].median().to_dict()
        {'before': 104426.5, 'after': 58.5}
        """
        return self._frame(
            lambda case: case.perfmon(
                counter, host, instance, start=start, end=end, every=every, how=how, tz=tz, tidy=True
            )
        )

    def failovers(
        self,
        host: str | Iterable[str] | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        tz: str = "UTC",
    ) -> pd.DataFrame:
        """Return every change of primary in all cases that have the host (relation ``failovers``).

        Raises
        ------
        CaseError
            No case has such a host.
        """
        return self._frame(lambda case: case.failovers(host, start=start, end=end, tz=tz))

    def _frame(self, ask: Callable[[Case], pd.DataFrame]) -> pd.DataFrame:
        """Return the results of all cases concatenated, with a leading column ``case``."""
        import pandas as pd

        found: dict[str, pd.DataFrame] = {}
        refused: list[CaseError] = []
        for name, case in self._cases.items():
            try:
                found[name] = ask(case)
            except CaseError as error:
                refused.append(error)
        if not found:
            raise refused[0]
        # An empty frame would spoil the column types of the others.
        kept = {name: each for name, each in found.items() if len(each)} or dict(list(found.items())[:1])
        frame = pd.concat([each.assign(case=name) for name, each in kept.items()], ignore_index=True)
        frame.insert(0, "case", pd.Categorical(frame.pop("case"), list(self._cases)))
        return frame

    def plot(
        self,
        *counters: str | Iterable[str],
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        from_start: bool = False,
        together: bool = False,
        secondary_y: bool | str | Iterable[str] = False,
        log_y: bool = False,
        kind: str = "line",
        by: str | None = None,
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str | Iterable[str] = "mean",
        tz: str = "UTC",
    ) -> Figure:
        """Plot counters and waits of all cases that have them: one panel each, one colour per case and host.

        Parameters
        ----------
        from_start
            Align the cases at their first sample, so that cases of different days overlap.
        counters, host, instance, together, secondary_y, log_y, kind, by, start, end, every, how, tz
            As in `agtrace.case.Case.plot`.

        Raises
        ------
        CaseError
            No case has such a series or sample, or too many counters for one figure.
        """
        from agtrace.interactive.plots import Look, plot_cases

        return plot_cases(
            {name: case.view for name, case in self._cases.items()},
            counters,
            Window.of(start, end, tz),
            host=host,
            instance=instance,
            look=Look(together, secondary_y, log_y, kind, by),
            steps=Steps.of(every, how),
            from_start=from_start,
        )

    def sql(
        self, query: str, parameters: Mapping[str, object] | Sequence[object] | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return a query over all cases as a DuckDB relation.

        Every relation of docs/store.md has a leading column ``case`` (a reserved word in SQL: quote it). Ids
        (``counter_id``, ``content_id``, ...) are unique only within a case, so join by both:
        ``using ("case", counter_id)``. The query can only read, and only from the stores.

        Raises
        ------
        CaseError
            The query is not one SELECT or an EXPLAIN of one, it names an unknown relation or column, it joins
            by an id alone, or the cases have incompatible columns in a relation.
        RelationError
            A relation of a case cannot be computed.
        """
        with self._turn:
            _refuse_ids_alone(query)
            for name, case in self._cases.items():
                try:
                    case.view.compute(query)
                except RelationError as error:
                    raise CaseError(f"{name}: {error}", "open the others without it") from error
            self._show(query)
            return user_sql.explained(
                lambda: self._asked(user_sql.ranked(query), parameters), query, self[next(iter(self))].view
            )

    def _asked(
        self, query: str, parameters: Mapping[str, object] | Sequence[object] | None
    ) -> duckdb.DuckDBPyRelation:
        check_reads(self._shared.connection, query)
        given = dict(parameters) if isinstance(parameters, Mapping) else parameters and list(parameters)
        return self._shared.connection.cursor().sql(query, params=given)

    def _show(self, query: str) -> None:
        """Create the views over all cases that a query names and that do not exist yet."""
        import duckdb

        words = {word.lower() for word in re.findall(r"\w+", query)}
        having: dict[str, list[str]] = {}
        for name, case in self._cases.items():
            room = identifier(case.view.catalogue)
            for relation in case.view.relations():
                is_new = relation.lower() in words and relation not in self._shown
                if is_new and not relation.startswith(INTERNAL):
                    having.setdefault(relation, []).append(
                        f'SELECT {literal(name)} AS "case", * FROM {room}.main.{identifier(relation)}'
                    )
        for relation, rows in having.items():
            every = " UNION ALL BY NAME ".join(rows)
            try:
                self._shared.connection.execute(f"CREATE VIEW memory.main.{identifier(relation)} AS {every}")
            except duckdb.Error as error:
                text = " ".join(str(error).split())
                raise CaseError(
                    f"{relation}: the cases differ in what it holds ({text})", "ask each alone"
                ) from error
            self._shown.add(relation)

    def __repr__(self) -> str:
        lines = [f"{count(len(self), 'case')}; cases.sql(..) asks all of them, cases[NAME] is one"]
        for name, case in self._cases.items():
            with contextlib.suppress(Exception):
                lines.append(f"  {plain(name)}: {_told(case)}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="text-align:left">{html(name)}</td>'
            f'<td style="text-align:left">{html(_told(case))}</td></tr>'
            for name, case in self._cases.items()
        )
        head = "<tr><th>case</th><th>holds</th></tr>"
        return f'<div class="tex2jax_ignore"><table>{head}{rows}</table></div>'


def _told(case: Case) -> str:
    (row,) = case.view.rows(
        "SELECT count(*) FILTER (status = 'ingested') AS read, count(DISTINCT host_id) AS hosts FROM captures"
    )
    return f"{count(row['read'], 'capture')} of {count(row['hosts'], 'host')}"


def _refuse_ids_alone(query: str) -> None:
    """Refuse a join that would take rows of one case for those of another."""
    for columns in _USING.findall(query):
        names = {name.strip().strip('"').lower() for name in columns.split(",")}
        alone = sorted(names & OF_ONE_CASE)
        if alone and "case" not in names:
            raise CaseError(
                f"{alone[0]} is of one case, and a join by it alone mixes them",
                f'write: using ("case", {columns.strip()})',
            )
