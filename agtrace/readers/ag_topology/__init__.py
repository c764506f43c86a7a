"""SQL LogScout's GetAGTopology.xml: the names of groups, replicas and databases by id.

``FOR XML RAW`` with the root AGInfoRoot: one ``row`` per database and replica, an attribute per column,
none where it is NULL. A document type is refused: nothing in a capture may define entities.

docs/formats/ag_topology.md describes the format.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from xml.parsers import expat

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue, rows
from agtrace.readers.errorlog.detect import head_text
from agtrace.readers.fact_text import Fact
from agtrace.tables import FACTS
from agtrace.tables.topics import Value, facts

BLOCK_BYTES = 64 * 1024
BATCH = 20_000
MAX_ROWS = 100_000
"""Rows that are read; a group of ten replicas with 500 databases has 5,000."""
MAX_VALUE = 1000

TOPICS = (
    facts(
        "ag_name",
        "id of a group, replica or database",
        Value("kind", "group, replica or database"),
        Value("id", "its id, lower case"),
        Value("name", "its name"),
        Value("ag", "group that it belongs to"),
        Value("database_id", "number of the database on the server that was asked"),
    ),
    facts(
        "ag_topology",
        "database of a replica, as a row of GetAGTopology.xml",
        Value("*", "attribute of the row, as written"),
    ),
)

_ROOT = re.compile(r"\s*(?:<\?xml[^>]{0,200}\?>)?\s*<AGInfoRoot[\s/>]")
_KINDS = (
    ("group", "group_id", "group_name"),
    ("replica", "replica_id", "replica_server_name"),
    ("database", "group_database_id", "database_name"),
)
_NOTHING = "***EMPTY AG"
"""Stands for the name of a database in a group that has none."""


class AgTopologyReader:
    """Reads the topology that LogScout exports beside data movement events."""

    name = "ag_topology"
    version = 1
    topics = TOPICS
    kind = "names of an availability group (GetAGTopology)"

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise the root element."""
        text, _encoding, _skip = head_text(head[:4096])
        return Detection(self.kind) if _ROOT.match(text.lstrip("\ufeff")) else None

    def read(self, source: Source, options: ReadOptions = ReadOptions()) -> Iterator[Batch]:  # noqa: B008
        """Yield facts: each id once, and every row.

        Raises
        ------
        CaptureError
            It has another root, or defines a document type.
        """
        text, encoding, skip = head_text(source.head(), options.encoding)
        if not _ROOT.match(text.lstrip("\ufeff")):
            raise CaptureError(
                source.path, "no AGInfoRoot", offset=skip, have=repr(text[:60]), need="<AGInfoRoot>"
            )
        document = _Document()
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        size = options.block_bytes or BLOCK_BYTES
        kept: list[Fact] = []
        with source.open() as file:
            file.read(skip)
            while not document.is_over:
                block = file.read(size)
                kept += document.feed(decoder.decode(block, not block), last=not block)
                while len(kept) >= BATCH:
                    yield _batch(kept[:BATCH])
                    kept = kept[BATCH:]
        if document.defines_type:
            raise CaptureError(source.path, "defines a document type, which no such file does")
        if kept:
            yield _batch(kept)
        yield from document.faults()


class _Document:
    """Parses the text incrementally and returns the facts of its rows."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._depth = 0
        self._rows = 0
        self._items = 0
        self._names: set[tuple[str, str, str]] = set()
        self._found: list[Fact] = []
        self._fault = ""
        self.is_over = False
        self.defines_type = False

    def feed(self, text: str, *, last: bool) -> list[Fact]:
        """Parse more text; return the facts of the rows that it completes."""
        self._found = []
        try:
            # Invalid characters (such as NUL) must not stop the whole read.
            self._parser.Parse(text.encode("utf-8", "replace"), last)
        except (expat.ExpatError, ValueError) as error:
            self._fault = str(error)
            self.is_over = True
        except _StopError:
            self.is_over = True
        self.is_over |= last
        return self._found

    def _doctype(self, *_declared: object) -> None:
        self.defines_type = True
        raise _StopError

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > 8:
            self._fault = "elements within elements, eight deep"
            raise _StopError
        if name != "row" or self._depth != 2:
            return
        if self._rows >= MAX_ROWS:
            self._fault = f"more than {MAX_ROWS:,} rows"
            raise _StopError
        values = {key: value[:MAX_VALUE] for key, value in attributes.items()}
        line = self._parser.CurrentLineNumber
        for key, value in values.items():
            self._found.append(Fact("ag_topology", self._rows, key[:200], value, None, line))
        for kind, key, named in _KINDS:
            self._name(kind, values.get(key), values.get(named), values, line)
        self._rows += 1

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _name(self, kind: str, written: str | None, name: str | None, row: dict[str, str], line: int) -> None:
        if not written or not name or name.startswith(_NOTHING):
            return
        told = (kind, written.lower(), name)
        if told in self._names:
            return
        self._names.add(told)
        values = {"kind": kind, "id": told[1], "name": name}
        if kind != "group" and row.get("group_name"):
            values["ag"] = row["group_name"]
        if kind == "database" and row.get("is_local") == "1" and row.get("database_id"):
            values["database_id"] = row["database_id"]
        for key, value in values.items():
            self._found.append(Fact("ag_name", self._items, key, value, None, line))
        self._items += 1

    def faults(self) -> Iterator[Batch]:
        """Yield what ended the reading early."""
        if self._fault:
            yield issue(
                "unreadable_xml",
                f"nothing is read from here on: {self._fault}",
                severity="data_loss",
                offset=None,
            )


class _StopError(Exception):
    """Ends the reading of a document."""


def _batch(found: list[Fact]) -> Batch:
    return rows("facts", FACTS, [fact._asdict() for fact in found])


READER = AgTopologyReader()
