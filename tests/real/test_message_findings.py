"""Each message that a judgement rests on leads to its finding, from a whole ERRORLOG in each language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

import agtrace
from agtrace.diagnostics.access.names import REASON_OF_MESSAGE
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.health.noted import KINDS as NOTED
from simulation.formats.errorlog import Log
from tests.folded import folded
from tests.real.test_messages import WITHOUT_HEAD, filled, worded
from tests.shared import SHARED, needs_captures

pytestmark = [needs_captures, pytest.mark.complete]

START = datetime(2024, 3, 5, 12)


@dataclass(frozen=True)
class Led:
    """What a message leads to.

    Parameters
    ----------
    id, kind
        Of the finding; kind "" where its subject has none.
    times
        How often it is written, a minute apart.
    given
        Arguments of its text that have to be of a kind.
    after
        A message that its session writes right after it.
    """

    id: str
    kind: str = ""
    times: int = 1
    given: tuple[str, ...] = ()
    after: int | None = None


CLOSED = "Connection attempt failed with error: '10061(No connection could be made)'."
URL = "TCP://sql1.contoso.com:5022"
CAUSES = (823, 824, 825, 5120, 5123, 9001)
NO_SPACE = "112(There is not enough space on the disk.)"
BACKUP_CAUSES = {
    **dict.fromkeys((3201, 3202, 3203, 3271), ("E:\\Sales.bak", NO_SPACE)),
    3257: ("E:\\", "1048576", "1024"),
    18204: ("BackupDiskFile::OpenMedia", "E:\\Sales.bak", "open", NO_SPACE),
    18210: ("BackupIoRequest::ReportIoError", "write", "E:\\Sales.bak", NO_SPACE),
}
LED = {
    **{number: Led("access.listener") for number in REASON_OF_MESSAGE},
    978: Led("access.routing", "without_intent"),
    979: Led("access.routing", "on_primary"),
    982: Led("access.routing", "no_secondary"),
    983: Led("access.routing", "resolving", times=7),
    1418: Led("access.endpoint", "timeout", times=10, given=(URL,)),
    1456: Led("access.endpoint", "timeout", times=10, given=(URL,)),
    1474: Led("access.endpoint", "refused", times=10, given=("2", CLOSED, URL)),
    9642: Led("access.endpoint", "refused", times=10, given=("10061", "0", "1", "10.0.0.1")),
    9692: Led("access.endpoint", "refused", times=10, given=("Database Mirroring", "5022")),
    9693: Led("access.endpoint", "refused", times=10, given=("Database Mirroring", "10013")),
    **{number: Led(kind.id, kind.kind, times=60 if kind.least else 1)
       for kind in NOTED for number in kind.numbers},
    9002: Led("database.log_full", given=("Sales", "LOG_BACKUP")),
    3313: Led("database.not_recovered", given=("Sales", "(1:99)", "(40:123:4)")),
    3414: Led("database.not_recovered", given=("Sales", "5", "0")),
    **{number: Led("database.not_recovered", after=3414) for number in CAUSES},
    35206: Led("health.disconnect"),
    3041: Led("backup.failed", given=("BACKUP DATABASE Sales",)),
    **{number: Led("backup.failed", given=given, after=3041) for number, given in BACKUP_CAUSES.items()},
}  # fmt: skip
"""Of each number what its ERRORLOG is told for."""
NOT_COLLECTED = {701, 802, 17204}
"""Of these no text is known."""
STATES = ("Sales_AG", "RESOLVING_NORMAL", "PRIMARY_NORMAL")


def cases() -> Iterator[tuple[str, int]]:
    if not SHARED.is_dir():
        return
    for language, texts in sorted(worded(frozenset({*LED, 19406})).items()):
        yield from ((language, number) for number in sorted(texts) if number in LED)


def log(number: int, texts: dict[int, str]) -> bytes:
    """Write the ERRORLOG of a primary that holds a message, among entries of an ordinary start."""
    led = LED[number]
    made = Log(START, timedelta(0)).start("SQL1", utc="0:00")
    made.add("spid30s", filled(19406, texts[19406], STATES))
    for n in range(led.times):
        at = START + timedelta(minutes=30, seconds=60 * n)
        written = [(number, led.given)]
        if led.after:
            written.append((led.after, LED[led.after].given))
        for each, given in written:
            made.time = at
            if each in WITHOUT_HEAD:
                made.add("spid40s", filled(each, texts[each], given))
            else:
                made.error("spid40s", each, 16, 1, filled(each, texts[each], given))
    made.time = START + timedelta(hours=3)
    return made.add("spid30s", "This instance goes on.").windows()


def of_question(case: agtrace.Case, id_: str) -> Analysis:
    """Return the analysis that makes a finding, by the part of its id before the dot."""
    return getattr(case, id_.partition(".")[0])


def test_every_message_of_a_kind_that_is_noted_is_among_them():
    assert {number for kind in NOTED for number in kind.numbers} <= set(LED)


def test_of_each_message_a_text_is_known():
    assert set(LED) - set(worded(frozenset(LED))["en"]) == NOT_COLLECTED


@folded(("language", "number"), list(cases()))
def test_a_message_leads_to_its_finding(language, number, tmp_path):
    led = LED[number]
    known = worded(frozenset({*LED, 19406}))
    (tmp_path / "ERRORLOG").write_bytes(log(number, known["en"] | known[language]))
    with agtrace.open_case(tmp_path) as case:
        found = [one for one in of_question(case, led.id).findings() if one.id == led.id]
    assert [one.subject.get("kind", "") for one in found] == [led.kind]


@folded(("language", "number"), [each for each in cases() if LED[each[1]].after])
def test_a_message_before_a_failure_is_told_as_its_cause(language, number, tmp_path):
    led = LED[number]
    known = worded(frozenset({*LED, 19406}))
    (tmp_path / "ERRORLOG").write_bytes(log(number, known["en"] | known[language]))
    text = filled(number, known[language].get(number, ""), led.given)
    with agtrace.open_case(tmp_path) as case:
        (found,) = (one for one in of_question(case, led.id).findings() if one.id == led.id)
    shown = " ".join(str(each.value) for each in found.evidence)
    # A space that does not break, as French has them, is shown as one that does.
    assert text.replace("\xa0", " ")[:60] in shown
