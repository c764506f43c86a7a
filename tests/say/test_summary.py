"""A case in three sentences: what happened, what it cost, what to do first."""

from __future__ import annotations

import pytest

from agtrace.say.finding import Evidence, Finding
from agtrace.say.summary import LEAST_WORDS, MOST_WORDS, Watched, summary

QUEUE = Finding(
    "transport.network_limited",
    "warning",
    "Log reaches SQL2 slower than SQL1 generates it: 12 of 30 MB/s",
    "The send queue grew by 18 MB/s for 45 min. Its disk was idle.",
    evidence=(Evidence("send queue", 48.6e9, "log B", "perfmon of SQL2"),),
    recommendation="1. Measure the path from SQL1 to SQL2 with `iperf3 -c SQL2`. Expect 125 MB/s.\n2. More.",
)
OUTAGE = Finding(
    "health.restart",
    "critical",
    "SQL1 restarted at 2024-03-05 12:00:00 UTC: ended unexpectedly",
    "Its log ends without a shutdown message.",
    evidence=(Evidence("away", 8.5, "s", "ERRORLOG line 7"),),
    recommendation="First read the dump files of SQL1.",
)


def test_a_slow_stream():
    assert summary([QUEUE], Watched()).text == (
        "Log reaches SQL2 slower than SQL1 generates it: 12 of 30 MB/s. "
        "The send queue grew by 18 MB/s for 45 min. "
        "First step: Measure the path from SQL1 to SQL2 with `iperf3 -c SQL2`."
    )


def test_an_outage_tells_of_data():
    assert summary([OUTAGE, QUEUE], Watched()).text == (
        "SQL1 restarted at 2024-03-05 12:00:00 UTC: ended unexpectedly; away 8.5 s. "
        "The captures do not show whether data was lost. First step: Read the dump files of SQL1."
    )


def test_words_of_its_own_come_first():
    brief = Finding(
        "health.failover",
        "critical",
        "t",
        "n",
        evidence=OUTAGE.evidence,
        brief="AG failed over. Clients had no primary for 1 min 25 s, and no committed data should be lost.",
    )
    assert summary([brief], Watched()).text.startswith(
        "AG failed over. Clients had no primary for 1 min 25 s, "
    )


def test_no_problem():
    assert summary([], Watched("12 captures of 2 hosts (A and B), 59 min.", "perfmon of A")).text == (
        "The captures show no problem that needs action: no finding. "
        "12 captures of 2 hosts (A and B), 59 min. To check more, capture perfmon of A."
    )


@pytest.mark.parametrize("n", [1, 50, 300])
def test_it_has_20_to_100_words(n):
    long = Finding(
        "backup.failed", "warning", "it", "word " * n, evidence=OUTAGE.evidence, recommendation="do " * n
    )
    assert LEAST_WORDS <= len(summary([long], Watched()).text.split()) <= MOST_WORDS
