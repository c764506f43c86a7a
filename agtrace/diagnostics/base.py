"""The base class of analyses: SQL beside Python, findings, figures and texts for one question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from agtrace.diagnostics.checks import Check, Checked, results
from agtrace.diagnostics.need import Need
from agtrace.extras import need
from agtrace.history import View
from agtrace.measures import Measure
from agtrace.say.finding import Evidence, Finding
from agtrace.say.said import Said
from agtrace.say.strip import Strip
from agtrace.store.sql_files import beside
from agtrace.tables.records import R

OFFERED = {"findings": "findings", "tbl_": "tables", "fig_": "figures", "say_": "words"}
"""Prefixes of the methods that return results, with the kind of result."""


def snake(name: str) -> str:
    """Return the name of a query for that of its record: members_down for MembersDown."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Analysis:
    """A question about a case. Each folder of `agtrace.diagnostics` offers one as ``ANALYSIS``.

    Methods are named by what they return: ``tbl_*`` a pandas frame, ``fig_*`` a plotly
    Figure, ``say_*`` narrative text (Markdown), and ``findings`` the findings.
    """

    name: ClassVar[str]
    """Name of the folder, of the notebook and of the attribute of a case."""
    title: ClassVar[str]
    question: ClassVar[str]
    """The question that it answers, in one line."""
    order: ClassVar[int] = 70
    """Position in the report; equal ones are ordered by name."""
    needs: ClassVar[tuple[Need, ...]] = ()
    """The captures it reads; docs/capture.md lists them."""

    checks: ClassVar[tuple[Check, ...]] = ()
    """Its checks, each with the findings that answer it."""

    measures: ClassVar[tuple[Measure, ...]] = ()
    """The columns of its tables, with labels and units for headings."""

    def __init__(self, view: View) -> None:
        self.view = view

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.question}"]
        for prefix, what in OFFERED.items():
            if asked := [each for each in dir(type(self)) if each.startswith(prefix)]:
                lines.append(f"  {what}: {', '.join(asked)}")
        return "\n".join(lines)

    @cached_property
    def host_colours(self) -> dict[str, str]:
        """Colours of the case's hosts, by host_id."""
        from agtrace.say.colours import host_colours

        return host_colours(row["host_id"] for row in self.view.rows("SELECT host_id FROM hosts"))

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("fig_"):
            need("report", f"a figure ({name})", "plotly")
        return super().__getattribute__(name)

    @classmethod
    def check(cls, view: View, **given: object) -> None:
        """Check the values of parameters before any computation.

        Raises
        ------
        CaseError
            A value does not exist in the case; the message names similar ones.
        """

    def ask(self, kind: type[R], given: dict[str, Any] | None = None) -> list[R]:
        """Return the rows of a query of the analysis, as records of its rows.py.

        Parameters
        ----------
        kind
            The record: MembersDown for members_down.sql.
        given
            Parameters of the query by name.
        """
        return self.view.records(kind, self.sql(f"{snake(kind.__name__)}.sql"), given)

    def missing(self) -> list[str]:
        """Return the input that the analysis needs and lacks; empty if it can run."""
        return [need.plea for need in self.needs if need.lacking and not need.is_met(self.view)]

    def findings(self) -> list[Finding]:
        """Return the findings. Never raises for missing input: it finds less."""
        raise NotImplementedError

    def checked(self, findings: Sequence[Finding]) -> list[Checked]:
        """Return the results of its checks, given all findings of the case."""
        if not self.checks:
            return []
        said = Said(type(self).__module__.rpartition(".")[0])
        return results(self.name, self.checks, findings, self.view, said, is_missing=bool(self.missing()))

    def say_nothing(self) -> str:
        """Explain why an empty page is not an answer; "" if it is.

        Such a page is listed as unanswered instead of among the pages, unless it was requested.
        """
        return ""

    def say_verdict(self) -> str:
        """Return the answer in one sentence (Markdown); "" if the worst finding is the answer."""
        return ""

    def key_figures(self) -> list[Evidence]:
        """Return numbers to show first if the worst finding has few."""
        return []

    def strips(self) -> list[Strip]:
        """Return the chains that the case's first page shows."""
        return []

    @classmethod
    def sql(cls, name: str) -> str:
        """Read the SQL file ``name`` from the folder of the analysis."""
        import inspect

        return beside(inspect.getfile(cls))(name)
