"""Decode the output of ``ping`` to facts, topic ``ping``: one item per run.

Windows translates every word of the output and keeps the order of the numbers, so lines are recognised by
their format. The announcement has an address and the payload size and ends with a colon, a reply has ``=`` or
``<`` and milliseconds, the summary has three counts, and the last line three times.
Source: output of ping.exe in nineteen languages and of ping and ping6 of iputils, BusyBox, BSD and macOS.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agtrace.readers.fact_text import Decoded, Fact, decode_runs, host_of
from agtrace.readers.text_lines import Line, TextLines, lines_of

_IP = r"(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?:%\w{1,15})?)"
# The unit is ms in most languages; in a wrong code page it is a few characters of any kind.
_MS = r"\s?(?:ms|мс)\w{0,2}"
_UNIT = r"\s?[^\s\d,=()%、，]{2,6}"
# Korean joins its particles to the number: a letter of any other script may stand behind it.
_ADDRESS = re.compile(rf"(?<![\w.:])(?P<address>{_IP})(?![0-9A-Za-z_.])")
_NAMED = re.compile(rf"(?P<name>[^\s\[\]]{{1,255}}) \[(?P<address>{_IP})\]")
_PAYLOAD = re.compile(r"(?<![\w.:%])(?P<bytes>\d{1,5})(?![0-9A-Za-z_.:%])")
_REPLY = re.compile(
    rf"(?:=\s?(?P<bytes>\d{{1,5}})\s+)?[^\s=<]{{1,20}}\s?(?P<sign>[=<])\s?(?P<ms>\d{{1,7}})"
    rf"(?:{_UNIT}(?P<ttl>\s+TTL\s?=\s?\d{{1,3}})|{_MS})\s*$",
    re.IGNORECASE,
)
_TIMES = re.compile(
    rf"=\s{{0,3}}(\d+){_UNIT}[^=%]{{1,40}}=\s{{0,3}}(\d+){_UNIT}[^=%]{{1,40}}=\s{{0,3}}(\d+){_UNIT}[^=%]*$"
)
_COUNTS = re.compile(r"=\s{0,3}(\d+)[^\d=]{1,40}=\s{0,3}(\d+)[^\d=]{1,40}=\s{0,3}(\d+)(?P<rest>.*)")
# In Italian the third count stands on the next line.
_HALF_COUNTS = re.compile(r"=\s{0,3}\d+[^\d=]{1,40}=\s{0,3}\d+[^\d=]{0,3}$")
# Patterns that occur in every ping output; each begins with a character that is fast to search for.
_DOTTED = re.compile(r"\.\d{1,3}\.\d{1,3}\.\d")
_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_ENDS = (re.compile(r":\s*(?:\n|\Z)"), re.compile(r"：\s*(?:\n|\Z)"))
_PROMPT = re.compile(r"\^C|Control-C|(?:PS )?[A-Za-z]:\\|\[[^\]]+\]: PS |\S+[$#] ")

_UNIX_START = re.compile(
    r"PING (?P<name>[^\s(]{0,255})\s?\((?P<inner>[^)]{1,255})\)+:?\s"
    r"(?:from .{1,120}?: )?(?P<bytes>\d{1,5})(?:\(\d+\))?(?: data)? ?(?:data )?bytes"
)
# BSD and macOS: headers and data, the source and the target; the name stands in the summary only.
_PING6_START = re.compile(
    rf"PING6\((?P<bytes>\d{{1,5}})(?:=[\d+]{{1,20}})? bytes\) (?P<source>{_IP}) --> (?P<address>{_IP})\s*$"
)
_UNIX_REPLY = re.compile(
    r"(?:\[[\d.]+\] )?\d+ bytes from .{1,300}?seq[= ](?P<seq>\d+).{0,40}?time[=<](?P<ms>\d+(?:\.\d+)?) ?ms"
)
_DUPLICATE = "(DUP!)"
_UNIX_TITLE = re.compile(r"--- (?P<name>\S{1,255}) ping6? statistics ---")
_UNIX_COUNTS = re.compile(
    r"(?P<sent>\d+) packets transmitted, (?P<received>\d+)(?: packets)? received,(?P<rest>.*)packet loss"
)
_MORE_COUNTS = re.compile(r"\+?(?P<n>\d{1,9}) (?P<what>duplicates|errors),")
_UNIX_TIMES = re.compile(
    r"(?:rtt|round-trip) min/avg/max(?:/[\w-]+)? = ([\d.]+)/([\d.]+)/([\d.]+)(?:/(?P<deviation>[\d.]+))? ms"
)
_TIMES_KEYS = ("rtt_min_ms", "rtt_avg_ms", "rtt_max_ms")


@dataclass
class _Replies:
    """Totals of the replies of a run, of which there may be a million."""

    count: int = 0
    total: float = 0.0
    low: float = 0.0
    high: float = 0.0
    first: int = 0
    last: int = 0
    """Lowest and highest sequence number, where the replies have any."""
    doubled: int = 0
    """Replies to a packet that was answered before."""

    @property
    def mean(self) -> float:
        return self.total / self.count

    def add(self, ms: float, sequence: int = 0) -> None:
        """Count one more reply."""
        if not self.count:
            self.low, self.first = ms, sequence
        self.count += 1
        self.total += ms
        self.low, self.high = min(self.low, ms), max(self.high, ms)
        self.first, self.last = min(self.first, sequence), max(self.last, sequence)


@dataclass
class _Run:
    """One ping command, as far as it was read."""

    line: int
    target: str
    address: str | None
    payload: int | None
    announced: bool
    unix: bool = False
    sent: int | None = None
    received: int | None = None
    duplicates: int = 0
    errors: int = 0
    times: tuple[str, str, str] | None = None
    deviation: str | None = None
    replies: _Replies = field(default_factory=_Replies)
    others: int = 0
    half: str = ""
    body: bool = True

    @property
    def is_real(self) -> bool:
        """False for a line that only looked like an announcement."""
        return bool(self.replies.count or self.sent is not None or self.times)

    @property
    def is_complete(self) -> bool:
        return self.sent is not None and (self.times is not None or not self.received)

    @property
    def truncation(self) -> str:
        return (
            f"the ping to {self.target} (line {self.line}) has no summary; "
            f"computed from its {self.replies.count} replies"
        )

    def take_windows(self, number: int, line: str, terminated: bool) -> None:
        """Take one more line of Windows' output."""
        half, self.half = self.half, ""
        if "=" not in line and "<" not in line:
            self._take_words(line, terminated)
        elif (reply := _REPLY.search(line)) and _ADDRESS.search(line):
            # "<1ms" counts as 0, as it does in Windows' own summary.
            self.replies.add(0.0 if reply["sign"] == "<" else float(reply["ms"]))
            if self.payload is None and reply["bytes"]:
                self.payload = int(reply["bytes"])
        elif times := _TIMES.search(line):
            # Windows writes minimum, maximum, average.
            low, high, mean = (int(times[n]) for n in (1, 2, 3))
            if low <= mean <= high:
                self.times = (str(low), str(mean), str(high))
        elif (counts := _COUNTS.search(half + line)) and (terminated or "%" in counts["rest"]):
            sent, received, lost = (int(counts[n]) for n in (1, 2, 3))
            near = number - self.line <= self.replies.count + self.others + 6
            if sent == received + lost and near:
                self.sent, self.received = sent, received
        elif _HALF_COUNTS.search(line):
            self.half = line
        else:
            self._take_words(line, terminated)

    def _take_words(self, line: str, terminated: bool) -> None:
        """Take a line without a figure: no answer, or what is in front of the summary."""
        if not line.strip() or _PROMPT.match(line):
            # The blank line before the summary, or the next command.
            self.body = self.body and not (self.replies.count or self.others)
        elif self.body and terminated:
            self.others += 1

    def take_unix(self, line: str) -> None:
        """Take one more line of another system's output."""
        if reply := _UNIX_REPLY.match(line):
            self.replies.add(float(reply["ms"]), int(reply["seq"]))
            self.replies.doubled += _DUPLICATE in line
        elif title := _UNIX_TITLE.match(line):
            self.target = title["name"]
        elif counts := _UNIX_COUNTS.search(line):
            self.sent, self.received = int(counts["sent"]), int(counts["received"])
            more = {each["what"]: int(each["n"]) for each in _MORE_COUNTS.finditer(counts["rest"])}
            self.duplicates, self.errors = more.get("duplicates", 0), more.get("errors", 0)
        elif times := _UNIX_TIMES.match(line):
            self.times, self.deviation = (times[1], times[2], times[3]), times["deviation"]

    def facts(self, item: int) -> Iterator[Fact]:
        """Yield the run's facts; without a summary, those of its reply lines."""

        def fact(key: str, value: object, unit: str | None = None) -> Fact:
            return Fact("ping", item, key, str(value), unit, self.line)

        yield fact("target", self.target)
        yield fact("target_host", host_of(self.target))
        if self.address:
            yield fact("address", self.address)
        if self.payload is not None:
            yield fact("payload_bytes", self.payload, "B")
        sent, received, times = self.sent, self.received, self.times
        if sent is None or received is None:
            received = self.replies.count - self.replies.doubled
            sent = received + self.others
            if self.unix and self.replies.count:
                sent = self.replies.last - self.replies.first + 1
                received = min(received, sent)
        if times is None and self.replies.count:
            low, mean, high = self.replies.low, self.replies.mean, self.replies.high
            times = (f"{low:g}", f"{round(mean, 3):g}", f"{high:g}")
        yield fact("sent", sent)
        yield fact("received", received)
        yield fact("lost", sent - received)
        duplicates = self.duplicates if self.sent is not None else self.replies.doubled
        for key, count in (("duplicates", duplicates), ("errors", self.errors)):
            if count:
                yield fact(key, count)
        for key, value in zip(_TIMES_KEYS, times or (), strict=False):
            yield fact(key, value, "ms")
        if self.deviation is not None:
            yield fact("rtt_deviation_ms", self.deviation, "ms")
        if not self.is_complete:
            yield fact("computed", "true")


def recognise(text: str) -> bool:
    """Return whether a text contains at least one run with a reply or a summary."""
    has_address = _DOTTED.search(text) or _COLONS.search(text)
    if not has_address or not ("PING" in text or "ttl" in text.lower() or any(p.search(text) for p in _ENDS)):
        return False
    runs = _runs(lines_of([text]))
    return any(run.is_real and (run.announced or run.sent is not None) for run in runs)


def decode(text: TextLines) -> Decoded:
    """Return one item per run, and a fault for each run without its summary."""
    return decode_runs(run for run in _runs(text) if run.is_real)


def _runs(lines: Iterable[Line]) -> Iterator[_Run]:
    run: _Run | None = None
    for number, line, terminated in lines:
        started = _announcement(number, line)
        if started is None and (run is None or run.is_complete):
            started = _orphan(number, line)
        if started is not None:
            if run is not None:
                yield run
            run = started
            if started.announced:
                continue
        if run is None:
            continue
        if run.unix:
            run.take_unix(line)
        else:
            run.take_windows(number, line, terminated)
    if run is not None:
        yield run


def _announcement(number: int, line: str) -> _Run | None:
    """Read the first line of a run."""
    if line.startswith("PING ") and (start := _UNIX_START.match(line)):
        found = _ADDRESS.search(start["inner"].rpartition("(")[2])
        address = found["address"] if found else None
        target = start["name"] or address or start["inner"]
        return _Run(number, target, address, int(start["bytes"]), True, unix=True)
    if line.startswith("PING6(") and (start := _PING6_START.match(line)):
        return _Run(number, start["address"], start["address"], int(start["bytes"]), True, unix=True)
    if len(line) > 400 or not line.rstrip().endswith((":", "：")):
        return None
    found = _NAMED.search(line) or _ADDRESS.search(line)
    if found is None:
        return None
    address = found["address"]
    # "Pinging name [address] from source with 32 bytes of data:" names a second address.
    payload = _PAYLOAD.search(_ADDRESS.sub(" ", line.replace(found[0], " ")))
    if payload is None:
        return None
    target = found.groupdict().get("name") or address
    return _Run(number, target, address, int(payload["bytes"]), True)


def _orphan(number: int, line: str) -> _Run | None:
    """Open a run at a reply whose announcement was not copied."""
    if "ttl" not in line.lower():
        return None
    reply = _REPLY.search(line)
    found = _ADDRESS.search(line)
    if reply and reply["ttl"] and found:
        return _Run(number, found["address"], found["address"], None, False)
    return None
