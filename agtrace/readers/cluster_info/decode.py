"""Blocks of ClusterInfo.out to facts, topic ``cluster_setting``.

Source of the layout: what LogScout's script prints with Out-String. A block begins with ``-- title --``;
it holds a table over dashes, a list ``Name : Value`` or, for the cluster's name, one word.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from agtrace.readers.cluster_info.topics import MILLISECONDS
from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.text_lines import TextLines

_TITLE = re.compile(r"--+ ?(?P<title>[A-Za-z][\w ()]{2,60}?) ?--+\s*")
# The timeouts of groups come from sqlcmd: other outputs have that block, too.
_SIGNS = ("-- Windows Cluster Name --", "-- Cluster Nodes --")
_PAIR = re.compile(r"(?P<name>[A-Za-z]\w{0,79})\s*:(?:\s+(?P<value>\S.*)?)?")
_PARAMETER_NAME = re.compile(r"[A-Za-z]\w{0,79}")
_RULE = re.compile(r"-+(?: +-+)*\s*")
_CLUSTER = {"QuorumType": "quorum_type"}
_MEMBER = {"NodeWeight": "quorum_votes", "DynamicWeight": "dynamic_votes", "State": "member_state"}
_UNITS = {
    "quorum_votes": "votes",
    "dynamic_votes": "votes",
    "FailoverPeriod": "h",
    "RestartPeriod": "ms",
} | dict.fromkeys(MILLISECONDS, "ms")
_LISTS = {
    "cluster info": "cluster",
    "cluster cluster quorum": "cluster",
    "cluster quorum": "cluster",
    "cluster node details": "member",
    "cluster parameter": "parameter",
}
"""Blocks that are lists, and whose properties they hold."""
_TABLES = {
    "cluster nodes": "member",
    "availability group timeout settings": "group",
    "cluster resources": "resource",
    "cluster parameters": "parameter",
}
# Output of Get-ClusterParameter, as a table or as lists, without a heading.
_PARAMETERS = re.compile(r"Object +Name +Value +Type\s*")
_PARAMETER_TABLE = re.compile(rf"^{_PARAMETERS.pattern}?\r?\n-+ +-+ +-+ +-+", re.MULTILINE)
_PARAMETER = re.compile(r"ClusterObject +: \S.*")
_PARAMETER_LIST = re.compile(r"^ClusterObject +: \S.*\r?\nName +: \S", re.MULTILINE)
# Output of Get-ClusterGroup and Get-ClusterResource through Format-List; table of Get-ClusterOwnerNode.
_LOOSE = {"FailoverThreshold": "group", "FailoverPeriod": "group", "RestartPeriod": "resource"}
_LOOSE_LIST = re.compile(rf"^(?:{'|'.join(_LOOSE)}) *: \d{{1,10}}\r?$", re.MULTILINE)
_OWNERS = re.compile(r"ClusterObject +OwnerNodes\s*")
_OWNER_TABLE = re.compile(rf"^{_OWNERS.pattern}?\r?\n-+ +-+", re.MULTILINE)
_BLOCKS = (
    ("Object", _PARAMETER_TABLE),
    ("ClusterObject", _PARAMETER_LIST),
    ("OwnerNodes", _OWNER_TABLE),
    *((name, _LOOSE_LIST) for name in _LOOSE),
)
"""A word of each block, which is found sooner than the block."""
_NODE = r"[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}"
_OWNER = re.compile(rf"(?P<name>\S.{{0,254}}?) +\{{(?P<nodes>{_NODE}(?:, ?{_NODE}){{0,63}})\}}\s*")
_RESOURCE = {"State": "state", "OwnerGroup": "owner_group", "ResourceType": "resource_type"}
_ENDED_BY_A_BLANK = ("owner nodes", "cluster parameters")
"""Tables of the console, behind which another command's output may stand."""
_KNOWN = {"member": _MEMBER, "resource": _RESOURCE}
MAX_NAME = 512
MAX_VALUE = 4000
MAX_PROPERTIES = 500
"""Properties of one cluster or node; Windows has fewer than a hundred."""


def recognise(text: str) -> bool:
    """Return whether a text contains a block that no other output has."""
    return any(sign in text for sign in _SIGNS) or any(
        word in text and pattern.search(text) for word, pattern in _BLOCKS
    )


@dataclass
class _State:
    """State of the decoding."""

    title: str = ""
    items: dict[tuple[str, str], int] = field(default_factory=dict)
    cluster: str = ""
    header: str = ""
    spans: list[tuple[int, int]] = field(default_factory=list)
    properties: list[tuple[str, str, int]] = field(default_factory=list)
    """Name, value and line of each property of what is being listed."""


def decode(text: TextLines) -> Decoded:
    """Yield the settings as they come, and a fault if the text ends within a line."""
    state = _State()
    for number, line, terminated in text:
        if not terminated:
            yield Fault("unfinished_line", f"line {number} has no end: not read", "info")
            break
        if title := _TITLE.fullmatch(line):
            yield from _listed(state, _LISTS.get(state.title))
            state.title, state.header, state.spans = title["title"].lower(), "", []
        elif _PARAMETERS.fullmatch(line):
            yield from _listed(state, _LISTS.get(state.title))
            state.title, state.header, state.spans = "cluster parameters", line, []
        elif state.title not in _LISTS and _PARAMETER.fullmatch(line):
            state.title = "cluster parameter"
            yield from _property(state, "parameter", line, number)
        elif state.title == "windows cluster name":
            if line.strip() and not state.cluster:
                state.cluster = line.strip()[:MAX_NAME]
                yield from _item(state, "cluster", state.cluster, number)
        elif _OWNERS.fullmatch(line):
            yield from _listed(state, _LISTS.get(state.title))
            state.title, state.header, state.spans = "owner nodes", line, []
        elif state.title in _ENDED_BY_A_BLANK and not line.strip():
            state.title = ""
        elif state.title == "owner nodes":
            yield from _owners(state, line, number)
        elif scope := _LISTS.get(state.title):
            yield from _property(state, scope, line, number)
        elif scope := _TABLES.get(state.title):
            yield from _row(state, scope, line, number)
        elif not state.title:
            yield from _property(state, "loose", line, number)
    yield from _listed(state, _LISTS.get(state.title) or (None if state.title else "loose"))


def _property(state: _State, scope: str, line: str, number: int) -> Iterator[Fact]:
    """Read a line of a list; what it lists ends with a blank line, and its name may come last."""
    pair = _PAIR.fullmatch(line.strip())
    if pair is None:
        if not line.strip():
            yield from _listed(state, scope)
        elif line[0].isspace() and state.properties:
            # The console breaks a long value and indents what is left of it.
            name, value, first = state.properties.pop()
            state.properties.append((name, (value + line.strip())[:MAX_VALUE], first))
    elif len(state.properties) < MAX_PROPERTIES and pair["value"]:
        state.properties.append((pair["name"], pair["value"].strip(), number))


def _listed(state: _State, scope: str | None) -> Iterator[Fact]:
    """Yield the listed properties."""
    properties, state.properties = state.properties, []
    names = {name: value for name, value, _number in reversed(properties)}
    if scope == "loose":
        scope = next((kind for name, kind in _LOOSE.items() if name in names), None)
    if scope == "parameter":
        line = properties[0][2] if properties else 0
        item, name, value = (names.get(key, "") for key in ("ClusterObject", "Name", "Value"))
        yield from _parameter(state, item, name, value, line)
        return
    if scope == "cluster":
        state.cluster = state.cluster or (names.get("Name") or names.get("Cluster") or "")[:MAX_NAME]
    item = state.cluster if scope == "cluster" else names.get("Name", "")[:MAX_NAME]
    if not item or scope is None:
        return
    known = _KNOWN.get(scope, _CLUSTER)
    for name, value, number in properties:
        if name not in ("Name", "Cluster"):
            yield from _setting(state, scope, item, known.get(name, name), value, number)


def _row(state: _State, scope: str, line: str, number: int) -> Iterator[Fact]:
    """Read a line of a table."""
    if not line.strip():
        return
    if _RULE.fullmatch(line):
        state.spans = [match.span() for match in re.finditer("-+", line)]
        return
    if not state.spans:
        state.header = line
        return
    columns = _cells(state.header, state.spans)
    values = dict(zip(columns, _cells(line, state.spans), strict=True))
    if scope == "member" and values.get("Name") and values.get("State"):
        yield from _setting(state, scope, values["Name"], "member_state", values["State"], number)
    elif scope == "parameter":
        item, name, value = (values.get(key, "") for key in ("Object", "Name", "Value"))
        yield from _parameter(state, item, name, value, number)
    elif scope == "resource" and values.get("Name"):
        for column, key in _RESOURCE.items():
            if values.get(column):
                yield from _setting(state, scope, values["Name"], key, values[column], number)
    elif scope == "group":
        group, name, value = (
            values.get(column, "")
            for column in ("Availability Group", "timeout_setting_name", "timeout_value")
        )
        if group and name and value:
            yield from _setting(state, scope, group, name, value, number)


def _owners(state: _State, line: str, number: int) -> Iterator[Fact]:
    """Read which nodes may own a resource; a list that the console cut short is not all of them."""
    if found := _OWNER.fullmatch(line):
        yield from _setting(state, "resource", found["name"], "owner_nodes", found["nodes"], number)


def _parameter(state: _State, item: str, name: str, value: str, number: int) -> Iterator[Fact]:
    """Yield a private property of a resource: the probe port of Azure's load balancer, say."""
    if item and _PARAMETER_NAME.fullmatch(name) and value:
        yield from _setting(state, "resource", item[:MAX_NAME], name, value[:MAX_VALUE], number)


def _cells(line: str, spans: list[tuple[int, int]]) -> list[str]:
    """Cut a line where the dashes stand; the last cell, and one that is wider, reach to the next."""
    bounds = [begin for begin, _end in spans] + [len(line)]
    return [line[a:b].strip() for a, b in itertools.pairwise(bounds)]


def _setting(state: _State, scope: str, name: str, key: str, value: str, number: int) -> Iterator[Fact]:
    yield from _item(state, scope, name, number)
    yield Fact("cluster_setting", state.items[scope, name], key, value, _UNITS.get(key), number)


def _item(state: _State, scope: str, name: str, number: int) -> Iterator[Fact]:
    """Begin the item of a cluster, member or group when it is first met."""
    if (scope, name) not in state.items:
        item = state.items[scope, name] = len(state.items)
        yield Fact("cluster_setting", item, "scope", scope, None, number)
        yield Fact("cluster_setting", item, "name", name, None, number)
