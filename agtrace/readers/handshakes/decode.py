"""Decode the text of a packet capture to facts, topic ``tcp_handshake``: one item per opened connection.

tcpdump prints the options of a SYN in brackets (``wscale 8`` is a shift), tshark and Wireshark in their
summary (``WS=256`` is the factor, 2 to the shift). A connection scales its windows only if both the SYN and
the SYN-ACK offer it (RFC 7323, section 2.2), so a missing offer is as informative as a present one. Other
lines are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from agtrace.moments import iso
from agtrace.readers.fact_text import Decoded, Fact, Fault, host_of
from agtrace.readers.text_lines import Line, TextLines, lines_of

NONE = "none"
MAX_OPEN = 10_000
"""Maximum number of unanswered SYNs; the capture of an attack may contain millions of them."""
MAX_SHIFT = 14

_DUMPED, _SHARKED = "Flags [S", "[SYN"
_WINDOW = re.compile(r"\b(?:win |Win=)(?P<window>\d{1,5})\b")
_SHIFT = re.compile(r"\bwscale (?P<shift>\d{1,2})\b")
_FACTOR = re.compile(r"\bWS=(?P<factor>\d{1,5})\b")
_DAY = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?")
_PORT = re.compile(r"[\w-]{1,32}")
_HOST = re.compile(r"[\w.:%-]{1,255}")


@dataclass(frozen=True)
class _Opening:
    """A SYN, or the answer to one."""

    line: int
    sender: tuple[str, str]
    receiver: tuple[str, str]
    window: str
    scale: str
    is_answer: bool
    time: datetime | None


def recognise(text: str) -> bool:
    """Return whether a text contains at least one SYN; fast for other texts."""
    if _DUMPED not in text and _SHARKED not in text:
        return False
    return any(_opening(line) for line in lines_of([text]))


def decode(text: TextLines) -> Decoded:
    """Yield one item per opened connection, and how many have no answer."""
    waiting: dict[tuple[tuple[str, str], tuple[str, str]], _Opening] = {}
    items = unanswered = unfinished = 0
    for line in text:
        found = _opening(line)
        if found is None:
            continue
        if not line[2]:
            unfinished = line[0]
            continue
        if not found.is_answer:
            waiting[found.sender, found.receiver] = found
            if len(waiting) > MAX_OPEN:
                oldest = next(iter(waiting))
                yield from _facts(items, waiting.pop(oldest), None)
                items, unanswered = items + 1, unanswered + 1
            continue
        asked = waiting.pop((found.receiver, found.sender), None)
        yield from _facts(items, asked, found)
        items += 1
    for asked in waiting.values():
        yield from _facts(items, asked, None)
        items, unanswered = items + 1, unanswered + 1
    if unanswered:
        message = f"{unanswered:,} of {items:,} connections have no answer to their SYN in it"
        yield Fault("unanswered", message, "info")
    if unfinished:
        message = f"the text may end within line {unfinished}, which is left out"
        yield Fault("unfinished_line", message, "info")


def _facts(item: int, asked: _Opening | None, answer: _Opening | None) -> Iterator[Fact]:
    first = asked or answer
    assert first is not None
    client, server = (asked.sender, asked.receiver) if asked else (first.receiver, first.sender)
    values = {"client": client[0], "client_port": client[1], "server": server[0], "server_port": server[1]}
    for who, part in (("client", asked), ("server", answer)):
        if part is not None:
            values |= {f"{who}_window": part.window, f"{who}_scale": part.scale}
    for key, value in values.items():
        part = answer if key in ("server_window", "server_scale") else first
        assert part is not None
        unit = "B" if key.endswith("_window") else None
        yield Fact("tcp_handshake", item, key, value, unit, part.line, first.time)


def _opening(line: Line) -> _Opening | None:
    """Read a line; None where it opens no connection or is not understood."""
    number, text, _ = line
    if _DUMPED in text:
        ends = _dumped(text)
        flags = text.partition("Flags [")[2].partition("]")[0]
        is_answer, scale = "." in flags, _shift(text)
    elif _SHARKED in text:
        ends = _sharked(text)
        flags = text.partition(_SHARKED)[2].partition("]")[0]
        is_answer, scale = "ACK" in flags, _factor(text)
    else:
        return None
    window = _WINDOW.search(text)
    if ends is None or window is None or scale is None:
        return None
    return _Opening(number, *ends, window["window"], scale, is_answer, _time(text))


_Ends = tuple[tuple[str, str], tuple[str, str]]


def _dumped(text: str) -> _Ends | None:
    """Return both ends of a line of tcpdump: ``10.20.0.5.51423 > 10.60.0.4.5022: Flags [S]``."""
    ahead, arrow, after = text.partition(_DUMPED)[0].rpartition(" > ")
    sender, colon, _ = after.partition(": ")
    if not arrow or not colon:
        return None
    return _ends(ahead.rsplit(None, 1)[-1:], [sender])


def _ends(senders: list[str], receivers: list[str]) -> _Ends | None:
    found = []
    for names in (senders, receivers):
        host, _, port = "".join(names).rpartition(".")
        if not _HOST.fullmatch(host) or not _PORT.fullmatch(port):
            return None
        found.append((host_of(host), port))
    return found[0], found[1]


def _sharked(text: str) -> _Ends | None:
    """Return both ends of a summary: ``10.20.0.5 → 10.60.0.4 TCP 66 51423 → 5022 [SYN]``.

    Columns of printed packet lists have no arrow between the addresses; exported ones are quoted. The
    arrow may have been damaged by a code page: what stands between two ports is passed over.
    """
    ahead = text.partition(_SHARKED)[0].replace('"', " ").replace(",", " ").split()
    if "TCP" not in ahead or len(ahead) < 6:
        return None
    place = ahead.index("TCP")
    before = ahead[max(place - 3, 0) : place]
    names = [word for word in before if word[0].isascii() and word[0].isalnum()][-2:]
    ports = [ahead[-3], ahead[-1]]
    if len(names) < 2 or not all(map(_PORT.fullmatch, ports)):
        return None
    if not all(map(_HOST.fullmatch, names)):
        return None
    return (host_of(names[0]), ports[0]), (host_of(names[1]), ports[1])


def _shift(text: str) -> str | None:
    """Return the window scale that tcpdump shows; None if the options are missing."""
    options, bracket, _ = text.partition("options [")[2].partition("]")
    if not bracket and "options [" in text:
        return None
    found = _SHIFT.search(options)
    return NONE if found is None else str(min(int(found["shift"]), MAX_SHIFT))


def _factor(text: str) -> str:
    """Return the window scale of a factor that tshark shows: 256 is a shift of 8."""
    found = _FACTOR.search(text)
    if found is None or int(found["factor"]) < 1:
        return NONE
    return str(min(int(found["factor"]).bit_length() - 1, MAX_SHIFT))


def _time(text: str) -> datetime | None:
    """Return the local time of a line that shows its day; most show none."""
    found = _DAY.search(text)
    return iso(found[0]) if found else None
