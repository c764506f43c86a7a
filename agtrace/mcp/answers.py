"""Answers about a case as a whole: its findings, checks, relations, ticket, and what it lacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agtrace.globs import matches
from agtrace.interactive.named import relations as known_relations
from agtrace.mcp.query import relation_names
from agtrace.mcp.served import Served
from agtrace.mcp.unknown import unknown
from agtrace.mcp.untrusted import MOST_CHARACTERS, Answer, safe
from agtrace.query_rows import records
from agtrace.say.finding import SEVERITY_ORDER
from agtrace.store.quoting import identifier
from agtrace.tables.history import RELATIONS

if TYPE_CHECKING:
    import pandas as pd

    from agtrace.case import Case
    from agtrace.say.finding import Finding


MOST_EVIDENCE = 40
"""Maximum number of evidence entries of a finding; the decisive one comes first."""


def list_cases(served: Served) -> Answer:
    """Return the names of the cases, and which have been read."""
    rows = [{"case": name, "is_read": served.is_open(name)} for name in served.names()]
    return Answer({"cases": rows}, "cases", total=len(rows), more="name one of them with the argument case")


def summary(served: Served, case: str | None) -> Answer:
    """Return a case in three sentences, with its hosts."""
    name = served.name_of(case)
    opened = served.case(name)
    severities = Counter(each.severity for each in opened.findings())
    hosts = rows_of_frame(opened.hosts)
    data = {
        "case": name,
        "summary": opened.summary(),
        "findings": {each: severities[each] for each in reversed(SEVERITY_ORDER)},
        "not_answered": opened.unanswered(),
        "hosts": hosts,
    }
    return Answer(data, "hosts", total=len(hosts), more="query the relation hosts with sql")


def findings(
    served: Served, case: str | None, severity: str | None, id: str | None, first: int, most: int
) -> Answer:
    """Return findings with their evidence."""
    name = served.name_of(case)
    every = served.case(name).findings()
    least = SEVERITY_ORDER.index(severity) if severity else 0
    found = [each for each in every if SEVERITY_ORDER.index(each.severity) >= least]
    if id is not None:
        found = [each for each in found if matches(each.id, id)]
        ids = sorted({each.id for each in every})
        if not any(matches(each, id) for each in ids):
            raise unknown(f"no finding of this case has the id {id!r}", id, ids)
    part = [_brief(each) for each in found[first : first + most]]
    data = {"case": name, "findings": part}
    return Answer(data, "findings", first, len(found), "call again with first = first + rows")


def _brief(finding: Finding) -> dict[str, Any]:
    """Return a finding in which evidence of hundreds of hosts leaves room for other findings."""
    left_out = len(finding.evidence) - MOST_EVIDENCE
    if left_out <= 0:
        return finding.to_dict()
    first = replace(finding, evidence=finding.evidence[:MOST_EVIDENCE])
    return first.to_dict() | {"evidence_left_out": left_out}


def checked(served: Served, case: str | None, state: str | None) -> Answer:
    """Return what was checked, and with which result."""
    name = served.name_of(case)
    found = [
        {
            "question": each.question,
            "check": each.check,
            "title": each.title,
            "state": each.state,
            "text": each.text,
            "finding": each.finding.id if each.finding else None,
        }
        for each in served.case(name).checked()
        if state in (None, each.state)
    ]
    return Answer({"case": name, "checked": found}, "checked", total=len(found), more="ask for one state")


def relations(served: Served, case: str | None, name: str | None) -> Answer:
    """Return the relations of a case, or the columns of one."""
    called = served.name_of(case)
    opened = served.case(called)
    if name is None:
        events = dict.fromkeys(sorted(opened.view.events), "Extended Event")
        rows = [{"relation": each, "one_row_per": row} for each, row in (known_relations() | events).items()]
        return Answer({"case": called, "relations": rows}, "relations", total=len(rows))
    rows = _columns(opened, name)
    return Answer({"case": called, "relation": name, "columns": rows}, "columns", total=len(rows))


def _columns(case: Case, name: str) -> list[dict[str, Any]]:
    known = relation_names(case)
    if name not in known:
        raise unknown(f"no relation is called {name!r}", name, known, "without a name, all are listed")
    found = case.sql(f"SELECT * FROM {identifier(name)} LIMIT 0")
    units = {
        field.name: (field.metadata or {}).get(b"unit", b"").decode() for field in RELATIONS.get(name, ())
    }
    return [
        {"column": column, "type": str(kind), "unit": units.get(column) or None}
        for column, kind in zip(found.columns, found.types, strict=True)
    ]


def ticket(served: Served, case: str | None) -> Answer:
    """Return a page of Markdown for a ticket."""
    from agtrace.report.ticket import alone

    name = served.name_of(case)
    text, failures = alone(served.case(name))
    lines = safe(text, MOST_CHARACTERS).splitlines()
    data = {"case": name, "failed": [str(each) for each in failures], "markdown_lines": lines}
    return Answer(data, "markdown_lines", total=len(lines), more="agtrace export CASE --ticket prints all")


def what_to_capture(served: Served, case: str | None) -> Answer:
    """Return what a case lacks for the answer of its questions."""
    from agtrace.kit.lacking import lacking

    name = served.name_of(case)
    opened = served.case(name)
    rows = [
        {
            "kit": each.plan.kind.name,
            "about": each.plan.kind.about,
            "command": f"agtrace kit {each.plan.kind.name} --for CASE -o DIR",
            "hosts": {host: list(titles) for host, titles in each.hosts},
        }
        for each in lacking(opened)
    ]
    data = {"case": name, "not_answered": opened.unanswered(), "kits": rows}
    return Answer(data, "kits", total=len(rows), more="agtrace kit --for CASE writes all of it")


def rows_of_frame(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame by column."""
    import pyarrow as pa

    table = pa.Table.from_pandas(frame, preserve_index=False)
    return list(records(pa.RecordBatchReader.from_batches(table.schema, table.to_batches())))
