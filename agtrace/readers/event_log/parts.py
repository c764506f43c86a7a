"""Decode events in XML to rows of ``os_events``; `xelib.evtx` does the same for binary events."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from xelib.entries import KEPT_BYTES

from agtrace.moments import iso
from agtrace.readers.event_log.levels import ERROR, INFORMATION, WARNING

_LEVELS = {0: INFORMATION, 1: ERROR, 2: ERROR, 3: WARNING, 4: INFORMATION, 5: INFORMATION}
_AUDIT_FAILURE = 0x10000000000000


def row_of(event: object, line: int) -> dict[str, Any] | None:
    """Return an event as a row of ``os_events``; None if it is not an event.

    Parameters
    ----------
    event
        Contents of its elements by name: a text, or nested elements, with attributes in ``#attributes`` and
        the text beside them in ``#text``. Values in EventData are named by their Name attributes.
    line
        Line at which it begins.
    """
    system = event.get("System") if isinstance(event, dict) else None
    if not isinstance(event, dict) or not isinstance(system, dict):
        return None
    number = _value(system.get("EventID"))
    record = _value(system.get("EventRecordID"))
    return {
        "line": line,
        "time_local": _time(_attribute(system.get("TimeCreated"), "SystemTime")),
        "log": _text(system.get("Channel")),
        "level": _level(system),
        "source": _attribute(system.get("Provider"), "Name"),
        "event_id": number if isinstance(number, int) and 0 <= number < 2**31 else None,
        "computer": _text(system.get("Computer")),
        "category": _text(system.get("Task")),
        "user": _attribute(system.get("Security"), "UserID"),
        "record": record if isinstance(record, int) and record < 2**63 else line,
        "message": _message(event),
    }


def _time(text: object) -> datetime | None:
    """Read what an event has: ``2026-03-01T03:10:44.1234567Z``."""
    if not isinstance(text, str):
        return None
    found = iso(text.removesuffix("Z")[:26])
    return found.replace(tzinfo=None) if found else None


def _level(system: dict[str, Any]) -> str | None:
    level = _value(system.get("Level"))
    if level == 0:
        try:
            words = int(str(_value(system.get("Keywords"))), 16)
        except ValueError:
            words = 0
        if words & _AUDIT_FAILURE:
            return WARNING
    return _LEVELS.get(level) if isinstance(level, int) else None


def _value(given: object) -> object:
    """Return the text of an element with attributes, or a number in a text element."""
    value = given.get("#text") if isinstance(given, dict) else given
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 18:
        return int(value)
    return value


def _text(given: object) -> str | None:
    value = given.get("#text") if isinstance(given, dict) else given
    return None if value is None or isinstance(value, (dict, list)) else str(value) or None


def _attribute(given: object, name: str) -> str | None:
    values = given.get("#attributes") if isinstance(given, dict) else None
    value = values.get(name) if isinstance(values, dict) else None
    return None if value is None else str(value)


def _message(event: dict[str, Any]) -> str:
    """Write the values of an event, ``name: value`` where they have names."""
    found: list[str] = []
    rendered = event.get("RenderingInfo")
    if isinstance(rendered, dict) and (text := _text(rendered.get("Message"))):
        return text.encode()[:KEPT_BYTES].decode(errors="ignore")
    for part in ("EventData", "UserData"):
        _flatten(event.get(part), "", found, 0)
    text = "; ".join(found)
    return text.encode()[:KEPT_BYTES].decode(errors="ignore")


def _flatten(given: object, name: str, found: list[str], depth: int) -> None:
    if given is None or depth > 8 or len(found) > 1000:
        return
    if isinstance(given, dict):
        for key, value in given.items():
            if key != "#attributes":
                _flatten(value, "" if key in ("#text", "Data") else key, found, depth + 1)
    elif isinstance(given, list):
        for value in given:
            _flatten(value, name, found, depth + 1)
    else:
        found.append(f"{name}: {given}" if name else str(given))
