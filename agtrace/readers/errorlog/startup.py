"""Start-up blocks and trace flags to facts (docs/formats/errorlog.md, section 3)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pyarrow as pa

from agtrace.readers.errorlog.catalogue import STARTUP, TRACE_FLAG
from agtrace.readers.errorlog.match import Found
from agtrace.readers.errorlog.reported import last_reported
from agtrace.tables.rows import array_from

Row = dict[str, object]

_BANNER = re.compile(
    r"Microsoft SQL Server (?P<product>\d{4}(?: R2)?|vNext)?[^(]*?"
    r"(?:\((?P<level>[^)]*)\))?\s*(?:\((?P<kb>KB\d+)\))?\s*-\s*(?P<version>\d+\.\d+\.\d+\.\d+)"
)
_BUILD_DATE = re.compile(r"\b[A-Z][a-z]{2}\s+\d{1,2} \d{4} \d\d:\d\d:\d\d\b")
_EDITION = re.compile(r"^\s*(?P<edition>.*Edition.*?) on (?P<os>.*?)\s*$", re.MULTILINE)
_FLAG = re.compile(r"(?:^|\s)-[Tt]\s*(\d{1,5})(?!\d)")
_INSTANCE_OPTION = re.compile(r"(?:^|\s)-s\s*\"?([^\s\"]+)\"?")
_INSTANCE_FOLDER = re.compile(r"MSSQL\d+(?:_\d+)?\.([^\\/]+)")
_UNITS = {"memory_mb": "MB", "utc_adjustment_minutes": "min"}


MAX_FACTS = 50_000
"""Maximum number of facts of a log; a start-up has about thirty."""


class StartupFacts:
    """Collects start-up blocks; each banner begins the next one.

    Attributes
    ----------
    left_out
        Messages and facts beyond the first `MAX_FACTS`.
    """

    def __init__(self) -> None:
        self.left_out = 0
        self._rows: list[Row] = []
        self._pending: list[tuple[int, dt.datetime, str, dict[str, str]]] = []
        self._item = -1
        self._flags = 0
        self._parameters_end = -1
        self._instance: dict[str, tuple[int, dt.datetime, str]] = {}

    def add(self, batch: pa.RecordBatch, found: Found) -> None:
        """Take messages of the start-up and trace flag topics."""
        room = max(MAX_FACTS - len(self._rows) - len(self._pending), 0)
        self.left_out += max(len(found.rows) - room, 0)
        at = array_from(found.rows[:room], pa.int64())
        lines, times = batch["line"].take(at).to_pylist(), batch["time_local"].take(at).to_pylist()
        columns = {name: column[:room].to_pylist() for name, column in found.columns.items()}
        for i, (line, time) in enumerate(zip(lines, times, strict=True)):
            fields = {name: values[i] for name, values in columns.items() if values[i]}
            self._pending.append((line, time, found.pattern.entry.topic, fields | found.pattern.entry.says))

    def end_block(self) -> None:
        """Interpret what was added since the last call, in file order."""
        for line, time, topic, fields in sorted(self._pending, key=lambda row: row[0]):
            if topic == TRACE_FLAG:
                self._trace_flags(line, time, fields)
            else:
                self._startup(line, time, fields)
        self._pending.clear()

    def rows(self) -> list[Row]:
        """Return all facts, in file order."""
        self._end_item()
        return sorted(self._rows, key=lambda row: int(str(row["line"])))

    def _put(self, line: int, time: dt.datetime, key: str, value: str, topic: str = STARTUP) -> None:
        self._item = max(self._item, 0)
        row: Row = {"topic": topic, "item": self._item, "key": key, "value": value}
        self._keep(row | {"unit": _UNITS.get(key), "line": line, "time_local": time})

    def _keep(self, row: Row) -> None:
        if len(self._rows) < MAX_FACTS:
            self._rows.append(row)
        else:
            self.left_out += 1

    def _trace_flags(self, line: int, time: dt.datetime, fields: dict[str, str]) -> None:
        for flag in re.findall(r"\d+", fields.get("flags", "")):
            row: Row = {"topic": TRACE_FLAG, "item": self._flags, "key": flag, "value": fields["value"]}
            self._keep(row | {"unit": None, "line": line, "time_local": time})
            self._flags += 1

    def _startup(self, line: int, time: dt.datetime, fields: dict[str, str]) -> None:
        if "banner" in fields:
            self._end_item()
            self._item += 1
            for key, value in banner_facts(fields["banner"]):
                self._put(line, time, key, value)
        elif "hours" in fields:
            self._put(line, time, "utc_adjustment_minutes", str(utc_adjustment(fields)))
        elif "sockets" in fields:
            cores = int(fields["sockets"]) * int(fields["cores_per_socket"])
            del fields["logical_per_socket"]
            for key, value in (fields | {"cores": str(cores)}).items():
                self._put(line, time, key, value)
        elif "last_process_id" in fields:
            self._put(line, time, "last_process_id", fields["last_process_id"])
            told = last_reported(
                fields.get("last_reported_local", ""), fields.get("last_reported_utc", ""), time
            )
            if told is not None:
                self._put(line, time, "last_reported_utc", told.isoformat())
        elif "memory_manager" in fields:
            locked = fields["memory_manager"] != "conventional memory"
            self._put(line, time, "locked_pages", str(locked).lower())
        elif "parameter" in fields:
            # Some viewers give every parameter a header of its own.
            if line == self._parameters_end + 1:
                self._parameters(line, time, fields["parameter"])
        elif "parameters" in fields or not fields:
            self._parameters(line, time, fields.get("parameters", ""))
        else:
            for key, value in fields.items():
                self._put(line, time, key, value)
            self._name_instance(line, time, fields)

    def _parameters(self, line: int, time: dt.datetime, value: str) -> None:
        """Take the parameters apart, one on each line; a bad one may have others glued to it."""
        for number, text in enumerate(value.split("\n")):
            if not text.strip():
                continue
            self._put(line + number, time, "startup_parameter", text.strip())
            for flag in _FLAG.findall(text):
                self._put(line + number, time, flag, "startup", "startup_flag")
            if option := _INSTANCE_OPTION.search(text):
                self._instance["option"] = (line + number, time, option[1])
        self._parameters_end = line + value.count("\n")

    def _name_instance(self, line: int, time: dt.datetime, fields: dict[str, str]) -> None:
        if folder := _INSTANCE_FOLDER.search(fields.get("errorlog_path", "")):
            self._instance["folder"] = (line, time, folder[1])
        if name := fields.get("server_name"):
            self._instance["name"] = (line, time, name.partition("\\")[2] or "MSSQLSERVER")

    def _end_item(self) -> None:
        """Name the instance of the block: by its own name first, then by -s, then by its folder."""
        for evidence in ("name", "option", "folder"):
            if evidence in self._instance:
                line, time, value = self._instance[evidence]
                self._put(line, time, "sql_instance", value)
                break
        self._instance = {}


def banner_facts(banner: str) -> Iterator[tuple[str, str]]:
    """Take the banner apart: version_text, product, level, kb, product_version, edition, os, ..."""
    yield "version_text", banner.split("\n", 1)[0].strip()
    if match := _BANNER.match(banner):
        for name, group in (
            ("product", "product"),
            ("level", "level"),
            ("kb", "kb"),
            ("product_version", "version"),
        ):
            if match[group]:
                yield name, match[group]
    if date := _BUILD_DATE.search(banner):
        yield "build_date", " ".join(date[0].split())
    if edition := _EDITION.search(banner):
        yield "edition", edition["edition"]
        yield "os", edition["os"]


def utc_adjustment(fields: dict[str, str]) -> int:
    """Return local time minus UTC; the sign before the hours counts for the minutes too."""
    hours, minutes = fields["hours"], int(fields.get("minutes", "0"))
    size = abs(int(hours)) * 60 + minutes
    return -size if hours.startswith("-") else size
