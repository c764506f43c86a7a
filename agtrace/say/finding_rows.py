"""Findings as rows: of the relation ``findings`` of a case, and of the results of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from agtrace.moments import iso
from agtrace.say.finding import SEVERITY_ORDER
from agtrace.tables import LOCAL_TIME, UTC_TIME, column
from agtrace.tables.rows import table_of

if TYPE_CHECKING:
    from agtrace.say.finding import Finding

EVIDENCE = pa.struct(
    [
        column("label", pa.string(), "what it is"),
        column("value", pa.float64(), "the number; NULL where it is text"),
        column("text", pa.string(), "the text; NULL where it is a number"),
        column("unit", pa.string(), "unit of the number"),
        column("source", pa.string(), "counter and host, file and line"),
    ]
)

FINDINGS = pa.schema(
    [
        column("id", pa.string(), "dotted name (docs/diagnostics.md)", nullable=False),
        column("severity", pa.string(), "info, notice, warning or critical", nullable=False),
        column("title", pa.string(), "one line that stands alone"),
        column("narrative", pa.string(), "the numbers, the window and n"),
        column("subject", pa.map_(pa.string(), pa.string()), "ag, host, replica, database, ..."),
        column("start", UTC_TIME, "begin of its window; NULL where its zone is not known"),
        column("end", UTC_TIME, "end of its window; NULL where its zone is not known"),
        column("start_local", LOCAL_TIME, "begin, where only the local time is known"),
        column("end_local", LOCAL_TIME, "end, where only the local time is known"),
        column("confidence", pa.float64(), "0 to 1"),
        column("recommendation", pa.string(), "what to do next"),
        column("evidence", pa.list_(EVIDENCE), "what it rests on"),
    ]
)


def finding_rows(findings: Sequence[Finding]) -> pa.Table:
    """Return findings as rows."""
    return table_of([_finding_row(finding) for finding in findings], FINDINGS)


def ranked(rows: pa.Table) -> tuple[int, str, pa.Array]:
    """Return place, name and values of the severities, as an ordered dictionary: info to critical."""
    ranks = pa.array([SEVERITY_ORDER.index(each) for each in rows["severity"].to_pylist()], pa.int8())
    severities = pa.DictionaryArray.from_arrays(ranks, pa.array(SEVERITY_ORDER), ordered=True)
    return rows.schema.get_field_index("severity"), "severity", severities


def _finding_row(finding: Finding) -> dict[str, Any]:
    row: dict[str, Any] = {
        name: getattr(finding, name)
        for name in ("id", "severity", "title", "narrative", "confidence", "recommendation")
    }
    row["subject"] = [(str(key), str(value)) for key, value in finding.subject.items()]
    for end in ("start", "end"):
        time = iso(finding.window.get(end))
        is_local = time is not None and (finding.window.get("local") or time.tzinfo is None)
        row[f"{end}_local" if is_local else end] = time.replace(tzinfo=None) if time and is_local else time
    row["evidence"] = [
        {
            "label": each.label,
            "value": None if isinstance(each.value, str | None) else float(each.value),
            "text": each.value if isinstance(each.value, str) else None,
            "unit": each.unit,
            "source": each.source,
        }
        for each in finding.evidence
    ]
    return row
