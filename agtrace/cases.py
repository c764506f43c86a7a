"""Several cases, opened together: each by its name, and one query over all of them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any

from agtrace.case import Case
from agtrace.errors import CaseError, RelationError
from agtrace.say.findings import Findings, by_severity
from agtrace.say.words import count, html, plain
from agtrace.store.quoting import identifier, literal
from agtrace.store.read_only import check_reads
from agtrace.store.shared import Shared

if TYPE_CHECKING:
    import duckdb

OF_ONE_CASE = frozenset(
    (
        "capture_id", "content_id", "counter_id", "failover_id", "incident_id", "operation_id", "option_id",
        "run_id", "stream_id",
    )
)  # fmt: skip
"""Columns whose values mean something within one case alone."""
INTERNAL = ("raw_", "drifts")
"""How names begin of what is no relation of docs/store.md."""
_USING = re.compile(r"\busing\s*\(([^()]*)\)", re.IGNORECASE)


class Cases(Mapping[str, Case]):
    """Several opened cases. Use `agtrace.open_cases`.

    Each is there by its name: ``cases["before"].findings()``. `sql` asks all of them, and every relation
    has a column ``case`` in front there.

    Parameters
    ----------
    cases
        By name; all in one database.
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

    def __enter__(self) -> Cases:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all of them."""
        for case in self._cases.values():
            case.close()
        self._shared.connection.close()

    def findings(self) -> Findings:
        """Return the findings of all cases, most severe first; the subject of each names its case.

        Returns
        -------
        Findings
            As of `agtrace.case.Case.findings`; ``to_df()`` has a column ``case``.
        """
        return by_severity(
            [
                replace(finding, subject={"case": name} | finding.subject)
                for name, case in self._cases.items()
                for finding in case.findings()
            ]
        )

    def sql(self, query: str, parameters: dict[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Return a query over all cases as a DuckDB relation.

        Every relation of docs/store.md has a column ``case`` in front (a word of SQL: write it in
        quotes). Ids (``counter_id``, ``content_id``, ...) are of one case: join by both,
        ``using ("case", counter_id)``.
        It only reads, and only what is in the stores.

        Raises
        ------
        CaseError
            It is not one SELECT or an EXPLAIN of one, it joins by an id alone, or a relation of some
            cases does not go with that of the others.
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
            check_reads(self._shared.connection, query)
            return self._shared.connection.cursor().sql(query, params=parameters)

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
