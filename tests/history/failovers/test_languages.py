"""The same causes from ERRORLOGs in any of 21 languages: what counts is the number of a message, never its
words.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import agtrace
from simulation.formats.errorlog import Log
from tests.folded import folded
from tests.readers.errorlog.test_languages import CASES, LANGUAGES, rendered
from tests.shared import needs_captures

START = datetime(2024, 3, 5, 8)
P, S, R, PENDING = "PRIMARY_NORMAL", "SECONDARY_NORMAL", "RESOLVING_NORMAL", "PRIMARY_PENDING"
EXPECTED = [
    ("instance_stopped", "instance_stopped"),
    ("lease_expired", "long_io"),
    ("lease_expired", "memory_pressure"),
    ("ddl_forced", "ddl_forced"),
]


class Node:
    """A server whose language is set anew for each group."""

    def __init__(self, host):
        self.host, self.language, self.since = host, "en", 0.0
        self.log = Log(START).start(host, utc="0:00")

    def says(self, seconds, number, *arguments):
        text = rendered(number, self.language, arguments or CASES[number][0])
        self.log.add("spid20s", text, at=START + timedelta(seconds=self.since + seconds))

    def becomes(self, seconds, old, new):
        self.says(seconds, 19406, f"AG-{self.language}", old, new, "x")


def fails_over(seconds, old, new, before):
    """Make one node lose the group and the other take it."""
    for ago, number, *arguments in before:
        old.says(seconds - ago, number, *arguments)
    old.becomes(seconds + 1, P, R)
    new.becomes(seconds + 2, S, R)
    new.becomes(seconds + 3, R, PENDING)
    new.becomes(seconds + 4, PENDING, P)
    old.becomes(seconds + 6, R, S)


def forced(seconds, old, new):
    """Force the failover: the only trace is its effect on the old primary's databases."""
    new.becomes(seconds - 1, S, "RESOLVING_PENDING_FAILOVER")
    old.becomes(seconds + 1, P, R)
    new.becomes(seconds + 4, PENDING, P)
    old.becomes(seconds + 6, R, S)
    old.says(seconds + 6.1, 35264, "Sales", "x", "1", "SUSPEND_FROM_PARTNER")


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Return a group's failovers for each language, one group after the other, from one pair of logs."""
    folder = tmp_path_factory.mktemp("languages")
    here, there = Node("ALPHA"), Node("BRAVO")
    for place, language in enumerate(LANGUAGES):
        for node in (here, there):
            node.language, node.since = language, 14_400.0 * place
        lease = (0.1, 19407, f"AG-{language}")
        here.becomes(10, PENDING, P)
        there.becomes(11, R, S)
        fails_over(3600, here, there, [(0.2, 17148)])
        fails_over(7200, there, here, [(90, 833), lease])
        fails_over(10_800, here, there, [(60, 17890), lease])
        forced(12_600, there, here)
    for node in (here, there):
        (folder / node.host).mkdir()
        (folder / node.host / "ERRORLOG").write_bytes(node.log.windows())
    with agtrace.open_case(folder) as case:
        found = case.sql("select ag, trigger, cause from failovers order by failover_id").fetchall()
    return {name: [row[1:] for row in found if row[0] == f"AG-{name}"] for name in LANGUAGES}


@pytest.mark.complete
@needs_captures
@folded("language", LANGUAGES)
def test_the_causes_are_those_of_every_other_language(told, language):
    assert told[language] == EXPECTED
