"""Decode entries of Pacemaker's and Corosync's logs to facts about resources and nodes.

Source: logs of Pacemaker 1.1, 2.0 and 2.1 in its own file and in syslog; "Pacemaker Explained".
"""

from __future__ import annotations

import re
from datetime import datetime

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.pacemaker.moments import STAMP, Years
from agtrace.readers.pacemaker.topics import EVENT, LOG
from agtrace.readers.text_lines import TextLines

_DAEMON = (
    r"(?:pacemaker(?:d|-(?:based|fenced|execd|attrd|schedulerd|controld|remoted))|crmd|cib|lrmd|pengine|attrd|"
    r"stonith-ng|stonithd|crm_\w{1,20})"
)
_FRONT = rf"(?P<stamp>{STAMP}) (?:\[\d+\] )?(?P<host>[\w.-]{{1,255}}) +"
_COROSYNC_SAYS = r"corosync(?:\[\d+\]|\s+(?:notice|warning|error|info|debug))"
_ENTRY = re.compile(rf"{_FRONT}(?:{_DAEMON}\s*(?:\[\d+\]|:)|{_COROSYNC_SAYS})")
_AGENT = re.compile(
    rf"(?P<stamp>{STAMP}) +[\w-]{{1,40}}\((?P<resource>[^()\s]{{1,255}})\)\[\d+\]: +"
    r"(?P<level>[A-Z]+): (?P<text>.*)"
)
"""An entry of a resource agent: it names its resource and no host."""
_REFUSED = re.compile(
    r"Not enough replicas to promote (?P<node>[^\s.]{1,255})|Could not promote\. Need \d+ replicas|"
    r"not in a good state to be promoted|[Cc]annot be promoted|[Ss]equence number"
)
_OFFLINING = re.compile(r"Offlining replica")
_DAEMONS = re.compile(rf"^{_FRONT}{_DAEMON}\s*(?:\[\d+\]|:)", re.MULTILINE)
_COROSYNC = re.compile(rf"^{_FRONT}corosync\s+(?:notice|warning|error|info|debug)", re.MULTILINE)
_STAMP = re.compile(STAMP)
_FRONT_OF_TEXT = re.compile(r"^:?\s*(?:\(\w+\))?\s*(?:\w+:\s+){0,2}")
"""Function and level, which stand before and behind each other by version."""

_SIGNS = ("peration", "terminated (", "fenc", "state is now", "uorum lost")
"""One of them is in every entry that is read."""
_RESULT = re.compile(
    r"Result of (?P<operation>\w{1,20}) operation for (?P<resource>\S{1,255}?)"
    r"(?: on (?P<node>[^\s:]{1,255}))?: (?P<result>.{1,300}?)(?: \| .*)?$"
)
_ENDED = re.compile(
    r"(?:LRM o|O)peration (?P<resource>\S{1,255})_(?P<operation>[a-z-]{1,20})_(?P<interval>\d{1,9}): "
    r"(?P<result>.{1,100}?) \(node=(?P<node>[^,)\s]{1,255})"
)
_ASKED = re.compile(
    r"Initiating (?P<operation>promote|demote) operation (?P<resource>\S{1,255})_(?:promote|demote)_0 "
    r"(?:locally )?on (?P<node>[^\s|]{1,255})"
)
_FENCED = re.compile(
    r"(?:Peer|Node) (?P<node>\S{1,255}) was (?P<not>not )?terminated \((?P<operation>\w{1,20})\) "
    r"by (?P<by>.{1,255}?)(?: (?:on behalf of|for) [^\s:]{1,255})?(?:: (?P<result>.{1,300}?))?(?: [|(].*)?$"
)
_FENCE_ASKED = re.compile(
    r"Requesting fencing \((?P<operation>\w{1,20})\) (?:of|targeting) node (?P<node>[^\s|]{1,255})"
)
_FENCE_DUE = re.compile(r"(?:Cluster node|Node) (?P<node>\S{1,255}) will be fenced: (?P<result>.{1,300})")
_MEMBER = re.compile(r"Node (?P<node>\S{1,255}) state is now (?P<result>lost|member)\b")
_QUORUM = re.compile(r"[Qq]uorum lost\b")
_TIMEOUT = re.compile(r"\btimeout=(?P<ms>\d{1,9})ms")
_PROBE = re.compile(r"\bkey=\S{1,255}_monitor_0\b")
_GOOD = re.compile(r"(?:0 \()?ok\b")
_FOUND = re.compile(r"(?:[78] \()?(?:not running|promoted|master)\b", re.IGNORECASE)
"""Results of a probe that are not failures."""
_LEADS = re.compile(r"(?:8 \()?(?:promoted|master)\b", re.IGNORECASE)
"""How a monitor calls the replica that leads."""
_DONE = {"promote": "promoted", "demote": "demoted", "start": "resource_started", "stop": "resource_stopped"}
_PLAIN = ((_FENCE_ASKED, "fence_asked"), (_FENCE_DUE, "fence_asked"), (_QUORUM, "quorum_lost"))
MAX_EVENTS = 40_000
LONGEST = 4096
"""Maximum number of characters parsed per entry; the relevant part is at its start."""


def looks_like(text: str) -> bool:
    """Return whether a text contains entries of one of the daemons."""
    return _DAEMONS.search(text) is not None or ("corosync" in text and _COROSYNC.search(text) is not None)


def decode(text: TextLines) -> Decoded:
    """Yield the events, then the log's own facts."""
    years = Years(text, _STAMP)
    first = last = None
    ended: datetime | None = None
    count = item = left_out = 0
    host = ""
    for number, line, terminated in text:
        entry = _ENTRY.match(line)
        by_agent = _AGENT.match(line) if entry is None else None
        if by_agent is not None:
            said = _said_by_agent(by_agent)
            if said is not None and terminated and item < MAX_EVENTS:
                at = years.moment(by_agent["stamp"])
                said |= {"moment": by_agent["stamp"], "text": by_agent["text"].strip()[:400]}
                said.setdefault("node", host)
                yield from (
                    Fact(EVENT, item, key, value, None, number, at) for key, value in said.items() if value
                )
                item += 1
            continue
        if entry is None:
            continue
        host = entry["host"]
        if not terminated:
            yield Fault("unfinished_line", f"line {number} has no end: not read", "info")
            break
        at = years.moment(entry["stamp"])
        if not count:
            # Before all events: by it the capture is attributed to its host.
            yield Fact(LOG, 0, "node", entry["host"], None, number, at)
        count += 1
        last, ended = entry["stamp"], at or ended
        first = first or last
        words = line[entry.end() : entry.end() + LONGEST]
        if not any(sign in words for sign in _SIGNS):
            continue
        event = _event(words)
        if event is None:
            continue
        if item >= MAX_EVENTS:
            left_out += 1
            continue
        event |= {"moment": entry["stamp"], "text": _FRONT_OF_TEXT.sub("", words, count=1).strip()[:400]}
        event.setdefault("node", entry["host"])
        for key, value in event.items():
            if value:
                yield Fact(EVENT, item, key, value, "ms" if key == "timeout_ms" else None, number, at)
        item += 1
    if count:
        yield Fact(LOG, 0, "entries", str(count), "n")
        yield Fact(LOG, 0, "first", first or "")
        yield Fact(LOG, 0, "last", last or "", None, None, ended)
    if left_out:
        yield Fault(
            "too_many_values", f"{left_out} entries behind the first {MAX_EVENTS:,} are not read", "data_loss"
        )
    if item and not years.is_known and not (first or "")[:4].isdigit():
        yield Fault(
            "no_year", "its times have no year, and no entry tells it: they have no place in time", "info"
        )


def _event(text: str) -> dict[str, str] | None:
    """Return an entry's event, in the keys of the topic."""
    if ended := _RESULT.search(text) or _ENDED.search(text):
        return _ended(ended, text)
    if asked := _ASKED.search(text):
        return {"kind": f"{asked['operation']}_asked", **asked.groupdict()}
    if fenced := _FENCED.search(text):
        failed = fenced["not"] or (fenced["result"] or "OK") != "OK"
        known = {key: fenced[key] or "" for key in ("node", "operation", "by", "result")}
        return {"kind": "fence_failed" if failed else "fenced", **known}
    if member := _MEMBER.search(text):
        kind = "node_left" if member["result"] == "lost" else "node_online"
        return {"kind": kind, "node": member["node"]}
    for pattern, kind in _PLAIN:
        if found := pattern.search(text):
            return {"kind": kind, **found.groupdict()}
    return None


def _said_by_agent(entry: re.Match[str]) -> dict[str, str] | None:
    """Return what an agent's entry says, in the keys of the topic."""
    text = entry["text"]
    refused = _REFUSED.search(text) if entry["level"] == "ERROR" else None
    if refused:
        named = {"node": refused["node"]} if refused["node"] else {}
        return {"kind": "promotion_refused", "resource": entry["resource"], "operation": "promote", **named}
    if _OFFLINING.search(text):
        return {"kind": "agent_offlined", "resource": entry["resource"], "operation": "monitor"}
    return None


def _ended(ended: re.Match[str], text: str) -> dict[str, str] | None:
    """Return how an operation ended; a successful monitor is not an event."""
    groups = ended.groupdict()
    operation, result = ended["operation"], ended["result"]
    is_probe = operation == "probe" or groups.get("interval") == "0" or _PROBE.search(text) is not None
    if _GOOD.match(result):
        kind = _DONE.get(operation)
    elif "timed out" in result.lower():
        kind = "monitor_timeout" if operation == "monitor" else "operation_timeout"
    elif operation in ("probe", "monitor") and (_FOUND if is_probe else _LEADS).match(result):
        kind = None
    else:
        kind = "operation_failed"
    if kind is None:
        return None
    event = {"kind": kind, "resource": ended["resource"], "operation": operation, "result": result}
    if ended["node"]:
        event["node"] = ended["node"]
    if timeout := _TIMEOUT.search(text):
        event["timeout_ms"] = timeout["ms"]
    return event
