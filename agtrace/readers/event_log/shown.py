"""Events as tools show them: ``wevtutil``, ``Get-WinEvent``, ``Get-EventLog`` and copies of the event viewer.

Sources: Microsoft Learn, "wevtutil", "Get-WinEvent", "Get-EventLog", "Event Schema".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa

from agtrace.readers.event_log.dialects import column_of
from agtrace.readers.event_log.levels import level_of
from agtrace.readers.event_log.parts import row_of
from agtrace.readers.query_results.layouts import find
from agtrace.readers.written_times import local_times
from agtrace.tables import OS_EVENTS
from agtrace.tables.column_names import plain

MAX_BYTES = 64 << 20
MAX_EVENT = 1 << 20
"""Characters of one event in XML."""
_XML = re.compile(r"<Event(?:\s[^>]{0,300})?>.{1,1048576}?</Event>", re.DOTALL)
_BLOCK = re.compile(r"^(?:Event ?\[\d{1,9}\]:?[ \t]*\r?\n)?[ \t]{0,8}Log Name:", re.MULTILINE)
_VALUE = re.compile(r"^[ \t]{0,8}(?P<name>[A-Z][A-Za-z ]{1,20}):[ \t]*(?P<value>[^\r\n]*)\r?$", re.MULTILINE)
_GROUP = re.compile(r"^[ \t]{1,8}ProviderName: (?P<name>[^\r\n]{1,300})", re.MULTILINE)
_NEXT = re.compile(r"\r?\n[ \t]*\r?\n(?=Event ?\[|$)")


def form_of(text: str) -> str | None:
    """Return the layout of events in a text: xml, blocks or table; None if it has no events."""
    if "<EventID" in text and _XML.search(text):
        return "xml"
    if "Event ID:" in text and _BLOCK.search(text):
        return "blocks"
    return "table" if next(find.tables(text, is_events), None) else None


def is_events(names: Sequence[str]) -> bool:
    """Return whether names of columns, as they compare, are those of events."""
    has = {column_of(name) for name in names}
    return "time" in has and "event_id" in has and bool(has & {"source", "level"}) and "message" in has


def rows_of(text: str, form: str) -> tuple[pa.RecordBatch, int, bool]:
    """Return the events of a text, how many of them could not be read, and whether their times are UTC."""
    if form == "xml":
        rows, damaged = _of_xml(text)
        return pa.RecordBatch.from_pylist(rows, schema=OS_EVENTS), damaged, True
    found = list(_of_blocks(text) if form == "blocks" else _of_tables(text))
    times = local_times(pa.array([row.pop("written") for row in found], pa.string())).local.to_pylist()
    rows = [{"record": None, **row, "time_local": time} for row, time in zip(found, times, strict=True)]
    return pa.RecordBatch.from_pylist(rows, schema=OS_EVENTS), 0, False


def _of_xml(text: str) -> tuple[list[dict[str, Any]], int]:
    rows, damaged = [], text.count("<Event ") + text.count("<Event>")
    number, at = 1, 0
    for match in _XML.finditer(text):
        number += text.count("\n", at, match.start())
        at = match.start()
        try:
            # Without a document type there are no entities of its own.
            event = ElementTree.fromstring(match[0])
        except ElementTree.ParseError:
            continue
        if row := row_of(_parts(event), number):
            rows.append(row)
            damaged -= 1
    return rows, damaged


def _parts(event: ElementTree.Element) -> dict[str, Any]:
    """Return an event as the reader of .evtx has it."""
    return {_name(child): _content(child) for child in event}


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _content(element: ElementTree.Element) -> Any:
    inner: dict[str, Any] = {}
    for child in element:
        name = child.get("Name") or _name(child)
        value = _content(child)
        if name in inner:
            inner[name] = [*(inner[name] if isinstance(inner[name], list) else [inner[name]]), value]
        else:
            inner[name] = value
    attributes = {
        key: value for key, value in element.attrib.items() if key != "Name" or _name(element) != "Data"
    }
    if inner:
        return {"#attributes": attributes, **inner} if attributes else inner
    return {"#attributes": attributes, "#text": element.text} if attributes else element.text


def _of_blocks(text: str) -> Iterator[dict[str, Any]]:
    begins = [match.start() for match in _BLOCK.finditer(text)]
    line, last = 1, 0
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        line += text.count("\n", last, begin)
        last = begin
        head, _, message = text[begin:end].partition("Description:")
        values = {plain(match["name"]): match["value"].strip() for match in _VALUE.finditer(head)}
        if number := _whole(values.get("event_id")):
            yield {
                "line": line,
                "written": values.get("date"),
                "log": values.get("log_name"),
                "level": level_of(values.get("level", "")),
                "source": values.get("source"),
                "event_id": number,
                "computer": values.get("computer"),
                "category": _known(values.get("task_category") or values.get("task")),
                "user": _known(values.get("user_name") or values.get("user")),
                "message": _NEXT.split(message, maxsplit=1)[0].strip(),
            }


def _of_tables(text: str) -> Iterator[dict[str, Any]]:
    groups = [
        (text.count("\n", 0, match.start()) + 1, match["name"].strip()) for match in _GROUP.finditer(text)
    ]
    for header, records in find.tables(text, is_events):
        columns = dict(zip(map(column_of, header.names), records.columns, strict=True))
        values = {name: column.to_pylist() for name, column in columns.items() if name}
        for at, line in enumerate(records.lines.tolist()):
            row = {name: column[at] for name, column in values.items()}
            group = bisect_right(groups, (line, "\uffff")) - 1
            yield {
                "line": line,
                "written": row.get("time"),
                "log": row.get("log"),
                "level": level_of(row.get("level") or ""),
                "source": row.get("source") or (groups[group][1] if group >= 0 else None),
                "event_id": _event_id(row.get("event_id")),
                "computer": row.get("computer"),
                "category": row.get("category"),
                "user": row.get("user"),
                "message": row.get("message"),
                "record": _whole(row.get("record")),
            }


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _event_id(text: str | None) -> int | None:
    """Return the number of an event; an InstanceId has the severity in front of it."""
    number = int(text) if text and text.isascii() and text.isdigit() and len(text) < 12 else None
    return None if number is None else number & 0xFFFF


def _known(text: str | None) -> str | None:
    return None if text in (None, "", "N/A", "None") else text
