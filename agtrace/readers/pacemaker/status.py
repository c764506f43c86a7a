"""Decode the output of ``pcs status``, ``crm_mon -1`` and ``crm status`` to facts.

Source: outputs of Pacemaker 1.1 (no bullets, masters and slaves) to 2.1 (bullets, promoted and unpromoted).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.pacemaker.topics import STATUS
from agtrace.readers.text_lines import TextLines

_DC = re.compile(r"Current DC: (?P<controller>\S{1,255})(?:.*partition (?P<quorum>with|WITHOUT) quorum)?.*")
_SIGN = re.compile(r"^[ \t]*(?:\* )?Current DC: \S", re.MULTILINE)
_NAME = re.compile(r"Cluster name: (?P<name>\S{1,255})\s*")
_UPDATED = re.compile(
    r"Last updated: (?P<updated>.{1,60}?)(?:\s+on .{1,255}|\s+by .{1,255}|\s+Last change: .*)?"
)
_NODES = re.compile(
    r"(?P<state>Online|OFFLINE|Standby|Maintenance|RemoteOnline|RemoteOFFLINE): \[ (?P<nodes>.{0,900}?) ?\]"
)
_NODE = re.compile(r"Node (?P<node>[^\s:]{1,255})(?: \(\d{1,9}\))?: (?P<state>\S.{0,200})")
_SET = re.compile(r"(?:Clone|Master/Slave) Set: \S{1,255} \[(?P<name>\S{1,255})\].*")
_ROLE = re.compile(
    r"(?P<state>Masters|Promoted|Slaves|Unpromoted|Started|Stopped|FAILED): \[ (?P<nodes>.{0,900}?) ?\]"
)
_ROLES = {"Masters": "Promoted", "Slaves": "Unpromoted"}
_RESOURCE = re.compile(
    r"(?P<name>\S{1,255})\s+\((?P<agent>(?:ocf|stonith|systemd|lsb|service):[^)\s]{1,255})\):\s+"
    r"(?P<state>FAILED|Started|Stopped|Starting|Stopping|Master|Slave|Promoted|Unpromoted|[A-Z]\w{2,20})"
    r"(?: (?P<rest>.{1,300}))?"
)
_FAILED = (
    re.compile(
        r"(?P<name>\S{1,255})_(?P<operation>[a-z-]{1,20})_\d{1,9} on (?P<node>\S{1,255}) "
        r"'(?P<state>[^']{1,200})'.*"
    ),
    re.compile(
        r"(?P<name>\S{1,255}) (?:\S{1,20}-interval )?(?P<operation>[a-z-]{1,20}) on (?P<node>\S{1,255}) "
        r"(?:could not be executed|returned) (?P<state>.{1,300}?)(?: at (?P<at>.{1,60}?)(?: after .{1,60})?)?"
    ),
    re.compile(
        r"(?P<operation>reboot|off|on) of (?P<name>\S{1,255}) (?P<state>failed)[^:]{0,200}: .*?"
        r"(?:last-failed='(?P<at>[^']{1,60})'.*)?"
    ),
)
_SINCE = re.compile(r"last-(?:rc-change|failed)='(?P<at>[^']{1,60})'")
_TITLE = re.compile(r"(?P<title>[A-Z][\w ]{2,60}):")
MAX_ITEMS = 20_000


def looks_like(text: str) -> bool:
    """Return whether a text contains the summary of a cluster."""
    return ("Cluster name: " in text or "Stack: " in text) and _SIGN.search(text) is not None


def decode(text: TextLines) -> Decoded:
    """Yield the cluster, its nodes, its resources and what failed, in text order."""
    item, title, inner = 0, "", ""
    failure: list[Fact] = []
    for number, line, terminated in text:
        said = line.strip().removeprefix("* ").rstrip()
        if not said:
            continue
        if not terminated:
            yield Fault("unfinished_line", f"line {number} has no end: not read", "info")
            break
        if failure and (since := _SINCE.search(said)) and not any(p.fullmatch(said) for p in _FAILED):
            yield Fact(STATUS, failure[0].item, "at", since["at"], None, number)
            failure = []
            continue
        if (named := _TITLE.fullmatch(said)) and not line[0].isspace():
            title, inner = named["title"], ""
            continue
        if group := _SET.fullmatch(said):
            inner = group["name"]
            continue
        for row in _rows(said, title, inner):
            if item >= MAX_ITEMS:
                break
            facts = [Fact(STATUS, item, key, value, None, number) for key, value in row.items() if value]
            yield from facts
            failure = facts if row["kind"] == "failure" and not row.get("at") else []
            item += 1
        if _RESOURCE.fullmatch(said) and not line.startswith((" " * 4, "\t")):
            inner = ""
    if item >= MAX_ITEMS:
        yield Fault("too_many_values", f"only the first {MAX_ITEMS:,} items are read", "data_loss")


def _rows(said: str, title: str, inner: str) -> Iterator[dict[str, str]]:
    """Yield the items of a line."""
    if title.startswith("Failed"):
        failed = next(filter(None, (pattern.fullmatch(said) for pattern in _FAILED)), None)
        if failed:
            since = _SINCE.search(said)
            at = since["at"] if since else failed.groupdict().get("at") or ""
            row = {key: value or "" for key, value in failed.groupdict().items()}
            yield {"kind": "failure", **row, "at": at}
    elif name := _NAME.fullmatch(said):
        yield {"kind": "cluster", "name": name["name"]}
    elif dc := _DC.fullmatch(said):
        quorum = (dc["quorum"] or "").lower()
        yield {"kind": "cluster", "controller": dc["controller"], "quorum": quorum}
    elif updated := _UPDATED.fullmatch(said):
        yield {"kind": "cluster", "updated": updated["updated"]}
    elif nodes := _NODES.fullmatch(said):
        for node in nodes["nodes"].split():
            yield {"kind": "node", "name": node, "state": nodes["state"].lower()}
    elif node := _NODE.fullmatch(said):
        yield {"kind": "node", "name": node["node"], "state": node["state"]}
    elif inner and (role := _ROLE.fullmatch(said)):
        for node in role["nodes"].split():
            yield {
                "kind": "resource",
                "name": inner,
                "node": node,
                "state": _ROLES.get(role["state"], role["state"]),
            }
    elif resource := _RESOURCE.fullmatch(said):
        rest = (resource["rest"] or "").replace("(", " (").split()
        place = next((word for word in rest if not word.startswith(("(", "["))), "")
        state = resource["state"]
        yield {
            "kind": "resource",
            "name": resource["name"],
            "agent": resource["agent"],
            "node": place,
            "state": _ROLES.get(f"{state}s", state),
        }
