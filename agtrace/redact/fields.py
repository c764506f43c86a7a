"""What values hold whose meaning a name beside them says: fields of events and messages, facts, cells."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from agtrace.redact.dictionary import COMPOSITE
from agtrace.redact.pseudonyms import DATABASE, GROUP, HOST, INSTANCE, LISTENER, LOGIN, NAME
from agtrace.redact.text import DROPPED_STATEMENT, Texts

PATH, SQL, XML, WORDS, TEXT = "path", "sql", "xml", "words", "text"
CELL, LABEL, NAMED, NOTHING = "cell", "label", "named", "nothing"

_OF = {
    "dropped": NOTHING, "statement": SQL, "xml": XML, "database": DATABASE, "group": GROUP,
    "instance": INSTANCE, "listener": LISTENER, "login": LOGIN, "name": NAMED, "host": HOST, "path": PATH,
    "words": WORDS,
}  # fmt: skip
"""What fields hold, as fields.toml calls it."""
_PLAIN = re.compile(r"[A-Za-z0-9_ .,:+/()<>*&%#=\-]{0,200}")
_STARTED_BY = re.compile(
    r"\s*(?:create|alter|drop|join|backup|restore|exec\s+sp_configure|reconfigure|shutdown)\b", re.I
)
_PARAMETER = re.compile(r"(-[A-Za-z])(\s*)(.*)", re.DOTALL)
_OF_DATABASES = re.compile(
    r"SQLServer:(?:Databases?|Database Replica|Database Mirroring|Columnstore|Catalog Metadata)$"
)
_OF_REPLICAS = "SQLServer:Availability Replica"
_NAMED = re.compile(
    r"SQLServer:(?:Resource Pool|Workload Group|Backup Device|FileTable|Broker|XTP|Replication|External)"
)


@cache
def kind_of(name: str) -> str:
    """Tell by its name what a field holds; `TEXT` where the name says nothing."""
    return next((kind for kind, pattern in _kinds() if pattern.fullmatch(name)), TEXT)


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    told = tomllib.loads(files("agtrace.redact").joinpath("fields.toml").read_text("utf-8"))
    return tuple((_OF[what], re.compile("|".join(names), re.IGNORECASE)) for what, names in told.items())


def kind_of_instance(counters: str) -> str:
    """Tell what the instances of a perfmon object are."""
    if _OF_DATABASES.match(counters):
        return DATABASE
    if counters == _OF_REPLICAS:
        return COMPOSITE
    if _NAMED.match(counters):
        return NAME
    # SQL Server names the instances of its other objects itself.
    return WORDS if counters.startswith("SQLServer:") else LABEL


class Fields:
    """Rewrites values by what they hold.

    Parameters
    ----------
    texts
        Rewrites what is text.
    """

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._ways: dict[str, Callable[[str], str]] = {
            PATH: self._paths,
            SQL: self._statement,
            XML: texts.structured,
            WORDS: self._words,
            TEXT: texts.text,
            CELL: texts.cell,
            LABEL: texts.words,
            NAMED: texts.named,
            NOTHING: self._nothing,
        }

    def value(self, kind: str, value: str) -> str:
        """Give a value of a kind without its names."""
        way = self._ways.get(kind)
        if way is not None:
            return way(value)
        if kind == HOST and self.texts.holds_address(value):
            return self.texts.words(value)
        return self.texts.names.typed(value, kind)

    def cell(self, column: str, value: str) -> str:
        """Give a cell of a rowset: what no known column says is dropped unless each word of it is known."""
        kind = kind_of(column)
        if value.casefold() in ("null", ""):
            return value
        return self.value(CELL if kind == TEXT else kind, value)

    def fact(self, topic: str, key: str, value: str) -> str:
        """Give the value of a fact."""
        if key == "name" and topic in _NAMES_OF:
            return self.value(_NAMES_OF[topic], value)
        return self.value(kind_of(key), value)

    def _paths(self, value: str) -> str:
        parameter = _PARAMETER.fullmatch(value)
        if parameter and not parameter[3].isdecimal():
            return parameter[1] + parameter[2] + self.texts.paths.path(parameter[3])
        return "|".join(self.texts.path_or_text(part) for part in value.split("|"))

    def _statement(self, value: str) -> str:
        if _STARTED_BY.match(value):
            return self.texts.words(value)
        return self._nothing(value)

    def _words(self, value: str) -> str:
        """Give words of the product as they are, unless a name of the case stands in them."""
        return (
            value if _PLAIN.fullmatch(value) and not self.texts.holds_name(value) else self.texts.words(value)
        )

    def _nothing(self, value: str) -> str:
        if not value.strip():
            return value
        return self.texts.gone(value, DROPPED_STATEMENT)


_NAMES_OF = {
    "errorlog_replica": HOST,
    "cluster_log_section": LABEL,
    "ag_name": NAMED,
    "cluster_setting": NAMED,
    "pacemaker_status": NAMED,
    "configuration": WORDS,
    "filter_driver": WORDS,
}
