"""The labelled time windows of a case: ``runs.csv`` or ``runs.toml`` in its root.

Captures do not show what a test changed outside SQL Server: the write cache of a disk, the region of a
storage account, the number of users of a driver. The tester records it here::

    label,factors,start,end
    run 1,write_cache=ON; location=LOCAL,2013-06-01T07:35:00+02:00,2013-06-01T07:41:12+02:00

or, in TOML::

    [[runs]]
    label = "run 1"
    factors = { write_cache = "ON", location = "LOCAL" }
    start = 2013-06-01T07:35:00+02:00
    end = 2013-06-01T07:41:12+02:00

Times have a UTC offset, or are in UTC. In the CSV file ``run_id`` and ``source`` are optional columns, and
every other column is a factor. A value that was measured in the window and is not in any log is stated by
``measured``, ``value``, ``unit`` and ``better`` (`agtrace.resolve.measured`); in a CSV file without a column
``measured`` the other three are factors.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from agtrace import strict_json
from agtrace.errors import CaseError
from agtrace.moments import iso
from agtrace.readers.far_times import utc
from agtrace.resolve.measured import FIELDS, measured_value
from agtrace.resolve.settings_file import settings_table, settings_text

FILES = ("runs.csv", "runs.toml")
KNOWN = ("run_id", "label", "factors", "start", "end", "source")
NEEDED = ("label", "start", "end")


def valid_runs(case: Path) -> tuple[list[dict[str, Any]], list[CaseError]]:
    """Read the valid runs of a case, and return the errors of the others.

    Returns
    -------
    list of dict
        run_id (unique), label, factors (a JSON object of texts), start and end (UTC), source (file
        and line or entry), measured, value, value_step, unit and is_more_better (None where
        nothing was measured), in the order of the file; empty when there is no such file.
    list of CaseError
        Both files are there, or one is not valid.
    """
    there = [case / name for name in FILES if os.path.lexists(case / name)]
    read = [_runs_of(path) for path in there]
    if len(read) == 2:
        read.sort(key=lambda each: len(each[0]))
        (fewer, faults), (more, _) = read
        if not fewer or faults or not {*map(_content, fewer)} <= {*map(_content, more)}:
            message = f"{case}: both runs.csv and runs.toml are there"
            return [], [CaseError(message, "keep one of them")]
    return read[-1] if read else ([], [])


def _runs_of(path: Path) -> tuple[list[dict[str, Any]], list[CaseError]]:
    runs: list[dict[str, Any]] = []
    faults: list[CaseError] = []
    seen: dict[str, str] = {}
    contents: set[str] = set()
    entries = _of_csv(path, faults) if path.suffix == ".csv" else _of_toml(path, faults)
    for where, entry in entries:
        try:
            run = _run(where, entry)
            content = _content(run)
            if content in contents:
                continue
            if other := seen.get(run["run_id"]):
                where = f"{run['source']} and {other}"
                raise CaseError(f"{path}: run_id {run['run_id']!r} stands twice ({where})")
        except CaseError as error:
            faults.append(error)
            continue
        except ValueError as error:
            faults.append(CaseError(f"{where}: not valid ({error})"))
            continue
        seen[run["run_id"]] = run["source"]
        contents.add(content)
        runs.append(run)
    return runs, faults


def _content(run: dict[str, Any]) -> str:
    """Return a run without its source, to find duplicates in a file that was joined with its copy."""
    told = {name: str(value) for name, value in run.items() if name not in ("run_id", "source")}
    return strict_json.dumps(told | {"factors": sorted(json.loads(run["factors"]).items())})


def _of_csv(path: Path, faults: list[CaseError]) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    try:
        for where, row in _csv_rows(path, settings_text(path) or ""):
            try:
                found.append((where, _csv_entry(where, row)))
            except CaseError as error:
                faults.append(error)
    except CaseError as error:
        faults.append(error)
    except (ValueError, csv.Error) as error:
        faults.append(CaseError(f"{path}: not valid ({error})", "see docs/store/layout.md"))
    return found


def _csv_rows(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows that are not empty, by name of the column."""
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    names = [name.strip() for name in reader.fieldnames or []]
    lacking = [name for name in NEEDED if name not in names]
    if lacking:
        raise CaseError(
            f"{path}: no column {', '.join(lacking)}", "the first line names label, start and end"
        )
    if len(set(names)) < len(names):
        raise CaseError(f"{path}: a column stands twice in the first line")
    reader.fieldnames = names
    for row in reader:
        if list(row.values()) == names:
            # The file was joined with a copy of itself.
            continue
        if any(str(value).strip() for value in row.values() if value is not None):
            yield f"{path.name}, line {reader.line_num}", row


def _csv_entry(where: str, row: dict[str, Any]) -> dict[str, Any]:
    if None in row or None in row.values():
        needed = len(row) - (None in row)
        raise CaseError(f"{where}: {needed} cells are needed, as in the first line")
    cells = {name: value.strip() for name, value in row.items()}
    factors = _pairs(where, cells.pop("factors", ""))
    known = (*KNOWN, *FIELDS) if "measured" in cells else KNOWN
    factors |= {name: cells.pop(name) for name in list(cells) if name not in known}
    return cells | {"factors": {k: v for k, v in factors.items() if v}}


def _pairs(where: str, text: str) -> dict[str, str]:
    """Read ``name=value; name=value``."""
    found = {}
    for pair in filter(None, (part.strip() for part in text.split(";"))):
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise CaseError(f"{where}: {pair!r} is no factor", "write name=value; name=value")
        found[name.strip()] = value.strip()
    return found


def _of_toml(path: Path, faults: list[CaseError]) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    try:
        entries = settings_table(path).get("runs")
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise CaseError(f"{path}: it holds no [[runs]]", "write one [[runs]] for each window")
    except CaseError as error:
        faults.append(error)
        return found
    for number, entry in enumerate(entries, 1):
        where = f"{path.name}, run {number}"
        try:
            found.append((where, _toml_entry(where, entry)))
        except CaseError as error:
            faults.append(error)
        except ValueError as error:
            faults.append(CaseError(f"{where}: not valid ({error})"))
    return found


def _toml_entry(where: str, entry: dict[str, Any]) -> dict[str, Any]:
    for name in entry:
        if name not in (*KNOWN, *FIELDS):
            known = ", ".join((*KNOWN, *FIELDS))
            raise CaseError(f"{where}: {name!r} is not known", f"known: {known}")
    factors = entry.get("factors", {})
    if isinstance(factors, str):
        factors = _pairs(where, factors)
    if not isinstance(factors, dict):
        raise CaseError(f"{where}: factors is no table", 'write { name = "value" }')
    return entry | {"factors": {k: _text(v) for k, v in factors.items()}}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _run(where: str, entry: dict[str, Any]) -> dict[str, Any]:
    lacking = [name for name in NEEDED if entry.get(name) in (None, "")]
    if lacking:
        raise CaseError(f"{where}: no {', '.join(lacking)}")
    start, end = (_instant(where, name, entry[name]) for name in ("start", "end"))
    if start == end:
        raise CaseError(f"{where}: it ends as it starts ({entry['start']})", "a run takes some time")
    if start > end:
        raise CaseError(f"{where}: it ends ({entry['end']}) before it starts ({entry['start']})")
    return {
        "run_id": str(entry.get("run_id") or where.rpartition(" ")[2]),
        "label": str(entry["label"]),
        "factors": strict_json.dumps(entry["factors"], ensure_ascii=False),
        "start": start,
        "end": end,
        "source": str(entry.get("source") or where),
        **measured_value(where, entry),
    }


def _instant(where: str, name: str, given: object) -> datetime:
    moment = given if isinstance(given, datetime) else iso(str(given))
    # Times without an offset are in UTC.
    instant = utc(moment) if moment else None
    if instant is None:
        raise CaseError(
            f"{where}: {name} = {str(given)!r} is no time", "write it as 2013-06-01T07:35:00+02:00"
        )
    return instant
