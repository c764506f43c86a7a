"""Kinds of values named by an accompanying field: of events and messages, facts, cells."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from agtrace.redact import markup, statements
from agtrace.redact.dictionary import COMPOSITE
from agtrace.redact.pseudonyms import DATABASE, GROUP, HOST, INSTANCE, LISTENER, LOGIN, NAME
from agtrace.redact.text import DROPPED_CELL, DROPPED_STATEMENT, Texts
from agtrace.redact.vocabulary import SYSTEM, is_declared, is_own

PATH, SQL, XML, WORDS, TEXT = "path", "sql", "xml", "words", "text"
CELL, LABEL, NAMED, NOTHING = "cell", "label", "named", "nothing"
OWN, INSTANCE_OF_SQL = "own", "instance of sql"

_OF = {
    "dropped": NOTHING, "statement": SQL, "xml": XML, "database": DATABASE, "group": GROUP,
    "instance": INSTANCE, "listener": LISTENER, "login": LOGIN, "name": NAMED, "host": HOST, "path": PATH,
    "words": WORDS,
}  # fmt: skip
"""Kinds of fields, by their names in fields.toml."""
_CONFIGURES = re.compile(
    r"\s*(?:exec\s+(?:sys\.)?sp_configure\s+N?'[a-z ()\-]{1,60}'\s*,\s*\d{1,10}|reconfigure|shutdown)\s*;?",
    re.I,
)
_PARAMETER = re.compile(r"(-[A-Za-z])(\s*)(.*)", re.DOTALL)
_OF_DATABASES = re.compile(
    r"SQLServer:(?:Databases?|Database Replica|Database Mirroring|Columnstore|Catalog Metadata)$"
)
_OF_REPLICAS = "SQLServer:Availability Replica"
_OWN_INSTANCES = frozenset(
    "SQLServer:" + name
    for name in (
        "Wait Statistics", "Locks", "Plan Cache", "SQL Errors", "Latches", "Buffer Node", "Memory Node",
        "Cursor Manager by Type", "Cursor Manager Total", "Deprecated Features", "Exec Statistics",
        "Broker TO Statistics", "Broker Statistics", "Transactions", "CLR", "Access Methods",
        "Batch Resp Statistics", "Batch Resp Stats", "Availability Group",
    )
)  # fmt: skip
"""Objects whose instances are named by SQL Server itself."""
_COMMAND = re.compile(r"[A-Z]{2,20}(?: [A-Z]{2,20}){0,3}")
_STATE = re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)*")
_INSTANCE_IS_NUMBER = re.compile(r"_?[Tt]otal|\d{1,6}|node ?\d{1,4}|default|internal|backup:\d{1,3}", re.I)


@cache
def kind_of(name: str) -> str:
    """Return the kind of a field; `TEXT` if its name does not show it."""
    return next((kind for kind, pattern in _kinds() if pattern.fullmatch(name)), TEXT)


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    told = tomllib.loads(files("agtrace.redact").joinpath("fields.toml").read_text("utf-8"))
    return tuple((_OF[what], re.compile("|".join(names), re.IGNORECASE)) for what, names in told.items())


def kind_of_instance(counters: str) -> str:
    """Return the kind of a perfmon object's instances; unlisted ones of SQL Server are names."""
    if _OF_DATABASES.match(counters):
        return DATABASE
    if counters == _OF_REPLICAS:
        return COMPOSITE
    if counters.startswith("SQLServer:"):
        return LABEL if counters in _OWN_INSTANCES else INSTANCE_OF_SQL
    return LABEL


class Fields:
    """Rewrites values by their kind.

    Parameters
    ----------
    texts
        Rewrites texts.
    """

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._ways: dict[str, Callable[[str], str]] = {
            PATH: self._paths,
            SQL: self._statement,
            XML: self._structured,
            WORDS: self._words,
            OWN: str,
            INSTANCE_OF_SQL: self._instance,
            TEXT: texts.text,
            CELL: texts.cell,
            LABEL: texts.words,
            NAMED: texts.named,
            NOTHING: self._nothing,
        }

    def value(self, kind: str, value: str) -> str:
        """Return a value of a kind without its names."""
        way = self._ways.get(kind)
        if way is not None:
            return way(value)
        if kind == HOST and self.texts.holds_address(value):
            return self.texts.words(value)
        return self.texts.names.typed(value, kind)

    def cell(self, column: str, value: str) -> str:
        """Return a cell of a rowset with names replaced.

        It is dropped if its column is not declared. If the kind of the column is unknown, it is dropped
        unless every word is known.
        """
        kind = kind_of(column)
        if value.casefold() in ("null", ""):
            return value
        if kind == TEXT and not is_declared(column):
            return self.texts.gone(value, DROPPED_CELL)
        return self.value(CELL if kind == TEXT else kind, value)

    def fact(self, topic: str, key: str, value: str) -> str:
        """Return the value of a fact."""
        if key == "name" and topic in _NAMES_OF:
            return self.value(_NAMES_OF[topic], value)
        return self.value(kind_of(key), value)

    def _paths(self, value: str) -> str:
        parameter = _PARAMETER.fullmatch(value)
        if parameter and not parameter[3].isdecimal():
            return parameter[1] + parameter[2] + self.texts.paths.path(parameter[3])
        return "|".join(self.texts.path_or_text(part) for part in value.split("|"))

    def _words(self, value: str) -> str:
        """Return a state, a wait type or another product value; an unknown word in it is replaced."""
        if (
            _STATE.fullmatch(value)
            and all(map(is_own, value.split("_")))
            and not self.texts.holds_name(value)
        ):
            return value
        return self.texts.words(value)

    def _structured(self, value: str) -> str:
        if not value.lstrip().startswith("<"):
            return self.texts.text(value)
        return markup.rewritten(value, self._within)

    def _within(self, name: str, value: str) -> str:
        """Return an XML element's or attribute's value with names replaced."""
        if name.casefold() in _STATEMENTS_OF_XML:
            return self._statement(value)
        return self.value(kind_of(name), value)

    def _statement(self, value: str) -> str:
        if _COMMAND.fullmatch(value) and all(map(is_own, value.split())):
            # The command of a request, as in sys.dm_exec_requests: DB STARTUP, PARALLEL REDO TASK.
            return value
        if _CONFIGURES.fullmatch(value):
            return value if not self.texts.holds_name(value) else self._nothing(value)
        made = statements.rewritten(value, self._name, self._literal, self.texts.pseudonyms.number)
        if made is None or not statements.is_kept(value):
            return self._nothing(value)
        return made

    def _name(self, name: str) -> str:
        names = self.texts.names
        if name.casefold() in SYSTEM or not name.strip():
            return name
        return names.whole(name) or self.texts.shaped(name) or names.pseudonyms.name(name, NAME)

    def _literal(self, text: str) -> str:
        found = self.texts.names.whole(text) or self.texts.shaped(text)
        return found or ("" if not text.strip() else self.texts.pseudonyms.word(text))

    def _instance(self, value: str) -> str:
        if _INSTANCE_IS_NUMBER.fullmatch(value):
            return value
        return self.texts.names.whole(value) or self.texts.names.typed(value, NAME)

    def _nothing(self, value: str) -> str:
        if not value.strip():
            return value
        return self.texts.gone(value, DROPPED_STATEMENT)


_STATEMENTS_OF_XML = frozenset(("inputbuf", "frame", "statement", "sqlhandle", "stmt", "batch", "query"))
_NAMES_OF = {
    "errorlog_replica": HOST,
    "cluster_log_section": LABEL,
    "ag_name": NAMED,
    "cluster_setting": NAMED,
    "pacemaker_status": NAMED,
    "configuration": WORDS,
    "filter_driver": WORDS,
}
