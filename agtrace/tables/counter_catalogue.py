"""Performance counters by their canonical English names, with the unit of their values.

All readers of perfmon logs use it to split a counter path into its parts (`split_path`), and to find the
counter for an object and a counter as written (`canonical`). The names are beside this module:
``counters.tsv`` (object, counter, unit) and ``counters_localised.tsv`` (names in other languages).

The unit is that of the values, not the one that the name suggests: ``Redo Bytes Remaining`` is in KB,
``Avg. Disk sec/Write`` in s. Units: ``B``, ``KB``, ``MB``, ``B/s``, ``KB/s``, ``bit/s``, ``s``,
``ms``, ``µs``, ``ms/s``, ``µs/s``, ``%``, ``n`` (a count), ``n/s``. Sources: Microsoft's pages
"SQL Server, Database Replica object" and its siblings for the SQL Server objects, the explain texts
of the product's own counters where a page has no unit, Windows' explain texts for its objects.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources
from typing import NamedTuple

DEFAULT_INSTANCE = "MSSQLSERVER"
SQL_PREFIX = "SQLServer:"
UNITS = frozenset(["B", "KB", "MB", "B/s", "KB/s", "bit/s", "s", "ms", "µs", "ms/s", "µs/s", "%", "n", "n/s"])

_SQL_OBJECT = re.compile(r"(?:sqlserver|mssql\$(?P<name>[^:]+)):(?P<object>.+)", re.IGNORECASE)


class PathParts(NamedTuple):
    r"""The parts of a counter path ``\\host\object(instance)\counter``, as written."""

    host: str | None
    object: str
    instance: str | None
    counter: str


class Canonical(NamedTuple):
    """The English name of a counter, independent of instance and language.

    ``object`` is ``SQLServer:<Object>`` for every SQL Server instance; ``sql_instance`` is its name
    (`DEFAULT_INSTANCE` or the upper-cased name; None for Windows' objects). ``unit`` is None if it depends on
    the perfmon instance (for example in Wait Statistics).
    """

    object: str
    sql_instance: str | None
    counter: str
    unit: str | None


def split_path(path: str) -> PathParts:
    r"""Split a counter path from the outside in.

    The counter is the text after the last backslash (counter names have none), the object ends at
    the first parenthesis, the instance at the last one: instances hold backslashes
    (``AG:HOST\INST``), commas, slashes and parentheses of their own. The machine may be missing,
    and so may the object; it is then ``""``. Source: "Specifying a counter path"
    (Win32); docs/formats/pdh_text.md, section 3.
    """
    host = None
    rest = path
    if path.startswith("\\\\"):
        host, _, rest = path[2:].partition("\\")
    left, _, counter = rest.rpartition("\\")
    left = left.removeprefix("\\")
    instance = None
    if left.endswith(")") and "(" in left:
        left, _, instance = left[:-1].partition("(")
    return PathParts(host or None, left, instance, counter)


def sql_instance(object_written: str) -> str | None:
    """Return the SQL Server instance that an object belongs to; None for any other object.

    ``SQLServer:`` is the default instance, ``MSSQL$NAME:`` the named one.
    """
    match = _SQL_OBJECT.fullmatch(object_written)
    if not match:
        return None
    return (match["name"] or DEFAULT_INSTANCE).upper()


def canonical(object_written: str, counter_written: str) -> Canonical | None:
    """Find the counter that is meant by an object and a counter as written, in any case.

    Returns None for what the catalogue does not know: the names as written are then all there is.
    SQL Server's object names are English on every server, its counter names and all of Windows'
    own names are in the language of the server.
    """
    match = _SQL_OBJECT.fullmatch(object_written)
    instance = (match["name"] or DEFAULT_INSTANCE).upper() if match else None
    plain = f"{SQL_PREFIX}{match['object']}" if match else object_written
    found = _catalogue().get((_fold(plain), _fold(counter_written)))
    if found is None:
        return None
    object_name, counter, unit = found
    return Canonical(object_name, instance, counter, unit)


def counters_of(object_name: str) -> tuple[str, ...]:
    """Return the counters of an object, both by their canonical names, in the order of the catalogue."""
    return tuple(counter for of, counter, _unit in _table("counters.tsv") if of == object_name)


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def _table(name: str) -> list[list[str]]:
    """Read a tab-separated file of this package; a ``#`` line is a comment, the first its header."""
    text = resources.files(__package__ or "agtrace.tables").joinpath(name).read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [line.split("\t") for line in lines[1:]]


@cache
def _catalogue() -> dict[tuple[str, str], tuple[str, str, str | None]]:
    """Map folded (object, counter) as written to canonical object, counter and unit."""
    english = {
        (_fold(object_name), _fold(counter)): (object_name, counter, unit or None)
        for object_name, counter, unit in _table("counters.tsv")
    }
    known = dict(english)
    for _language, object_written, counter_written, object_name, counter in _table("counters_localised.tsv"):
        known[_fold(object_written), _fold(counter_written)] = english[_fold(object_name), _fold(counter)]
    return known
