"""Every message that support asks for is recognised: as worded in each language, and as real logs have it."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

import agtrace
from simulation.formats.errorlog import Log
from tests.folded import folded
from tests.shared import CAPTURES, SHARED, needs_captures

pytestmark = needs_captures

KINDS = {
    833: "long_io", 19407: "lease_expired", 19406: "replica_state", 1480: "database_role",
    35201: "connection_failed", 35202: "connected", 35206: "connection_timeout", 35217: "workers_exhausted",
    35250: "primary_not_active", 35262: "startup_skipped", 35264: "movement_suspended",
    35265: "movement_resumed", 35266: "database_connected", 35267: "database_disconnected",
    41041: "online_failed", 41048: "cluster_unavailable", 41049: "node_offline", 41066: "online_failed",
    41074: "preparing_primary", 41075: "preparing_resolving", 41091: "lease_offline", 41131: "online_failed",
    41142: "failover_refused", 41143: "ag_failed", 41144: "ag_failed", 9001: "log_not_available",
}  # fmt: skip
"""What each is on the timeline."""
FAULTS = {9002: "log_full", 3313: "redo_failed", 3414: "not_recovered"}
"""What each is among the faults of databases."""
ENDPOINTS = (1418, 1456, 1474, 9642)
LISTENERS = (19452, 19453, 19471, 19476)
ROUTING = (978, 979, 982)
NOTED = {41005: "health.quorum", 41160: "health.quorum", 41161: "health.quorum", 41022: "health.quorum"}
NUMBERS = (*KINDS, *FAULTS, *ENDPOINTS, *LISTENERS, *ROUTING, *NOTED, 983, 3041, 49930)
WITHOUT_HEAD = (833, 1480, 19406, 35201, 35202, 35206, 35264, 35265, 35266, 35267, 41074, 41075, 49930)
"""Messages that a log holds without their number: they are known by their words."""


@cache
def worded(numbers: frozenset[int] = frozenset(NUMBERS)) -> dict[str, dict[int, str]]:
    """Return the texts of messages by language."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for name, language in (("messages_en.tsv", "en"), ("messages_i18n.tsv", "")):
        for line in (SHARED / "facts" / name).read_text("utf-8").rstrip("\n").split("\n")[1:]:
            cells = line.split("\t")
            if int(cells[0]) in numbers:
                found[language or cells[1]][int(cells[0])] = cells[-1]
    return dict(found)


GIVEN = {
    833: ("2", "15", "E:\\Sales.mdf", "7", "0000000000000A10", "0x00000000020000", "16000"),
    3313: ("Sales", "(1:99)", "(40:123:4)"),
    9002: ("Sales", "AVAILABILITY_REPLICA"),
    35264: ("Sales", "system", "2", "SUSPEND_FROM_PARTNER"),
}
"""Arguments of messages that have to be of a kind."""


def filled(number: int, text: str, arguments: tuple[str, ...] = ()) -> str:
    """Fill arguments in, as a server does."""
    given = {str(n): value for n, value in enumerate(arguments or GIVEN.get(number, ("Sales", "7")), 1)}
    return re.sub(r"%(\d{1,2})!.{1,6}?!", lambda found: given.get(found[1], f"x{found[1]}"), text)


def log(texts: dict[int, str]) -> bytes:
    """Write an ERRORLOG of these messages, one every quarter of an hour and a bit."""
    made = Log(datetime(2024, 3, 5, 12), timedelta(0)).start("SQL2", utc="0:00")
    for place, (number, text) in enumerate(sorted(texts.items()), 1):
        made.time = datetime(2024, 3, 5, 12) + timedelta(minutes=16 * place)
        if number in WITHOUT_HEAD:
            made.add("spid30s", filled(number, text))
        else:
            made.error("spid30s", number, 16, 1, filled(number, text))
    return made.windows()


def of_timeline(case: agtrace.Case) -> set[str]:
    return {kind for (kind,) in case.sql("select distinct kind from timeline").fetchall()}


@pytest.mark.complete
@folded("language", sorted(worded()) if SHARED.is_dir() else [])
def test_messages_are_recognised_in_each_language(language, tmp_path):
    texts = worded()[language]
    (tmp_path / "ERRORLOG").write_bytes(log(texts))
    with agtrace.open_case(tmp_path) as case:
        told = of_timeline(case)
        faults = {kind for (kind,) in case.sql("select kind from database_faults").fetchall()}
        tried = {one.number for one in case.access.tried}
        failed = case.sql("select count(*) from backups where status = 'failed'").fetchall()[0][0]
    # A state of a replica that no build knows is none.
    expected = {KINDS[number] for number in texts if number in KINDS and number != 19406}
    assert expected - told == set()
    assert faults == {FAULTS[number] for number in texts if number in FAULTS}
    assert {number for number in texts if number in ENDPOINTS} <= tried
    assert failed == (3041 in texts)


def occurrences(path: Path) -> set[tuple[int, str]]:
    """Return the lines of a real log with one of these messages, and its kind."""
    data = path.read_bytes()
    text = data.decode("utf-16-le", "replace") if data[:2] == b"\xff\xfe" else data.decode("utf-8", "replace")
    wordings = {number: wording(worded()["en"][number]) for number in WITHOUT_HEAD if number in KINDS}
    found = set()
    for place, line in enumerate(text.splitlines(), 1):
        head = re.search(r"Error: (\d{1,6}), Severity", line)
        if head and int(head[1]) in KINDS and int(head[1]) not in WITHOUT_HEAD:
            found.add((place, KINDS[int(head[1])]))
        found |= {(place, KINDS[number]) for number, pattern in wordings.items() if pattern.search(line)}
    return found


def wording(text: str) -> re.Pattern[str]:
    """Return a pattern of the words of a message, up to its first sentence's end."""
    first = re.split(r"(?<=[a-z])\. | with Replica ID", text)[0]
    return re.compile("[^']{0,80}?".join(map(re.escape, re.split(r"%\d{1,2}!.{1,6}?!", first))))


@pytest.mark.complete
@pytest.mark.parametrize("host", ["ze-2016-v1", "ze-2016-v2"])
def test_each_line_of_a_real_day_stands_on_the_timeline(host, tmp_path):
    for file in sorted((CAPTURES / "failover_2017" / host).glob("ERRORLOG*")):
        shutil.copy(file, tmp_path / file.name)
    real = {(file.name, *each) for file in sorted(tmp_path.glob("ERRORLOG*")) for each in occurrences(file)}
    query = """
        select c.path, t.witness.line, t.kind
        from (select kind, unnest(witnesses) as witness from timeline) t
        join contents c on c.content_id = t.witness.content_id
    """
    with agtrace.open_case(tmp_path, tmp_path / "store") as case:
        told = set(case.sql(query).fetchall())
    assert len(real) > 100
    assert real - told == set()
