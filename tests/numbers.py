"""The numbers of a text, and those that a case knows: of relations, of evidence and of its words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources

from agtrace.case import Case
from agtrace.history.streams import SEGMENT, UNSCALED_WINDOW
from agtrace.say import wording, words
from agtrace.say.finding import Finding
from agtrace.tables import history

UNITS = (
    "%", "ms/s", "ms", "s", "min", "h", "d", "[KMGT]?B/s", "[KMGT]?B", "[MG]b/s", "1/s",
)  # fmt: skip
INTERVAL = re.compile(r"95 % interval (\S+) to ([^\s,]+)")
_NUMBER = r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?"
_SPAN = r"\d+ (?:min|h|d)(?: \d+ (?:s|min|h))?"
_WHOSE = r"(?:log |wire )?"
DERIVED = re.compile(
    r"would save at most [^.]*\.\d+ ms|at most [^.]*\.\d+ ms less a commit"
    r"|ahead if .*? ms ahead if it takes all"
    r"|did \d+ % of the work"
)
"""Half of one number, the sum of two and their quotient, which stand beside them."""
NUMBERS = re.compile(rf"(?<![\w.,:/-])(?:{_SPAN}|{_NUMBER} {_WHOSE}(?:{'|'.join(UNITS)}))(?![\w/])")


def numbers(text: str) -> list[str]:
    """Return the numbers of a text that have a unit, as they are written but for whose bytes they are."""
    return [_bare(found) for found in NUMBERS.findall(DERIVED.sub("", text))]


def _bare(number: str) -> str:
    return re.sub(r" (?:log|wire) ", " ", number).lstrip("+")


def known(case: Case, findings: Sequence[Finding]) -> set[str]:
    """Return every number that a case knows, as the pages write it."""
    found = {each for finding in findings for each in of_finding(finding)}
    for name in history.RELATIONS:
        found |= set(_of_relation(case, name))
    return found | set(_of_streams(case)) | set(_of_times(case)) | constants()


def of_finding(finding: Finding) -> Iterator[str]:
    """Return the numbers that a finding rests on: its evidence, with sources, and its window."""
    for each in finding.evidence:
        if isinstance(each.value, int | float):
            yield from written(each.value, each.unit)
        yield from numbers(f"{each.value} {each.label} {each.source}")
        for ends in INTERVAL.findall(each.source):
            for end in ends:
                yield from written(float(end), each.unit)
    span = finding.span
    if span is not None:
        yield words.span((span[1] - span[0]).total_seconds())
    yield from numbers(wording.confidence_of(finding))


def written(value: float, unit: str) -> Iterator[str]:
    """Return how a value may be written, by the one rule for its unit."""
    _, _, measure = unit.rpartition(" ")
    for each in (value, -value):
        yield _bare(words.amount(each, measure))
        if measure == "ratio":
            yield from (words.share(each), words.percent(each), words.percent(each, 1))
        if measure == "B/s":
            yield from (words.rate(each), words.bits(each))
        if measure == "%":
            yield words.percent(each / 100)
        if measure in ("ms", "ms/s"):
            yield words.span(each / 1000)
        if measure == "KB":
            yield words.size(1024 * each)


def _of_relation(case: Case, name: str) -> Iterator[str]:
    table = case.view.table(f'select * from "{name}"')
    for field in history.RELATIONS[name]:
        unit = (field.metadata or {}).get(b"unit", b"").decode()
        if not unit:
            continue
        values = table.column(field.name).drop_null().to_pylist()
        for value in {each for each in values if isinstance(each, int | float)}:
            yield from written(value, unit)


QUEUES = """
select sum(send_queue_first_bytes) as first, sum(send_queue_last_bytes) as last,
       sum(recovery_queue_first_bytes) as unredone_first, sum(recovery_queue_last_bytes) as unredone
from streams group by replica_host_id, start
"""


def _of_streams(case: Case) -> Iterator[str]:
    """Return what the databases of a stream have together, and what passed its hops."""
    for row in case.view.rows(QUEUES):
        for value in row.values():
            yield from written(value or 0.0, "B")
    if not case.transport.missing():
        # What a path carried of its card is measured for the table of paths.
        for text in case.transport.tbl_paths()[["card_in_use", "card_capacity"]].to_numpy().ravel():
            yield from numbers(str(text))
        passed = case.transport.tbl_sent_received()
        columns = (("passed", "B"), ("queue_growth", "B"), ("passed_s", "s"), ("of_sent", "ratio"),
                   ("of_flushed", "ratio"), ("compared", "ratio"), ("covered", "ratio"))  # fmt: skip
        for column, unit in columns:
            for value in passed[column].dropna():
                yield from written(value, unit)


@cache
def constants() -> frozenset[str]:
    """Return the numbers that our own words have: defaults of SQL Server, lengths of captures."""
    found: set[str] = set()
    for question in resources.files("agtrace.diagnostics").iterdir():
        said = question / "said"
        for path in said.iterdir() if said.is_dir() else ():
            if path.name.endswith((".toml", ".md")):
                found |= set(numbers(path.read_text(encoding="utf-8")))
    return frozenset(found | {f"{SEGMENT:,} B", f"{UNSCALED_WINDOW:,} B", "1 s"})


WATCHED = """
select distinct epoch(l.last) - epoch(f.first) as seconds
from coverage f join coverage l on l.host_id = f.host_id and l.last > f.first
where f.first is not null
"""
"""How long sources of a host cover it, from the first of one to the last of another."""
MEMORY = "select distinct memory_mb / 1024 as gb from server_starts where memory_mb is not null"
MOST = 200
"""Events of which each pair has a length of time."""


def unknown(text: str, among: Iterable[str]) -> list[str]:
    """Return the numbers of a text that are not among those known, each once."""
    among = set(among)
    return sorted({each for each in numbers(text) if each not in among})


def _of_times(case: Case) -> Iterator[str]:
    """Return how long after one another events of the timeline are, what captures span, and shares."""
    events = [row["time"] for row in case.view.rows("select time from timeline order by time")][:MOST]
    seen = case.view.rows(
        "select min(first) as first, max(last) as last from coverage where first is not null"
    )
    captured = case.view.rows("select min(first_time) as first, max(last_time) as last from captures")
    ends = [(row["first"], row["last"]) for row in (*seen, *captured) if row["first"] is not None]
    for first, last in (*ends, *((a, b) for a in events for b in events if b > a)):
        yield words.span((last - first).total_seconds())
    for row in case.view.rows(WATCHED):
        yield words.span(row["seconds"])
    for row in case.view.rows(MEMORY):
        yield f"{row['gb']:,.0f} GB"
    for row in case.view.rows("select distinct value from timeline where unit = '%' and value is not null"):
        yield from written(100 - row["value"], "%")
        yield from written(row["value"], "%")
    for text in case.view.rows("select distinct text from timeline where text like '%\\%%' escape '\\'"):
        for number in re.findall(r"(\d+(?:\.\d+)?) %", text["text"]):
            yield from (f"{number} %", f"{100 - float(number):g} %")
