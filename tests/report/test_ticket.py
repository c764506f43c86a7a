"""Tickets of whole cases: word for word where a sample tells an incident and where it tells commits."""

from __future__ import annotations

import shutil

import pytest

import agtrace
from agtrace.report.ticket import alone
from agtrace.say.ticket import MOST_WORDS
from tests.report.looks import samples
from tests.shared import CAPTURES, needs_captures

pytestmark = pytest.mark.complete

INCIDENT = (
    "# SalesAG: automatic failover from HASQL1 to HASQL2 at 2024-02-06 14:45:11 UTC, 5.3 s "
    "without a primary: another process took 67 % of the processors of HASQL1.\n"
    "\n"
    "Case failover_lease_cpu, 2024-02-06 14:45:13 to 14:45:18 UTC (5.3 s); critical, confidence "
    "high (85 %).\n"
    "\n"
    "**What happened:** No primary for 5.3 s. Two primaries for 8.1 s. All databases back 20 ms "
    "after the new primary. No partner for 10 s.\n"
    "\n"
    "- 14:43:42.0 UTC (09:43:42.0 there) HASQL1: processors 100 % busy until 14:45:02.0: another "
    "process takes 67 % of them, SQL Server 33 % "
    "(`HASQL1/system_health_0_133517019137000000.xel` line 40)\n"
    "- 14:45:11.5 UTC (09:45:11.5 there) HASQL1: the lease is not renewed in time: the cluster "
    "gives the primary up (`HASQL1/HASQL1_MSSQLSERVER_SQLDIAG_0_133517019199000000.xel` line 6)\n"
    "- 14:45:16.8 UTC (09:45:18.6 there) HASQL2: is the primary of SalesAG: 5.3 s without one "
    "(`HASQL2/ERRORLOG` line 54)\n"
    "- 14:45:16.9 UTC (09:45:18.7 there) HASQL2: all 2 databases are back as primary "
    "(`HASQL2/ERRORLOG` line 56)\n"
    "- 14:45:25.0 UTC (09:45:25.0 there) HASQL1: notes only now that it is no longer the primary "
    "of SalesAG: two primaries for 8.1 s (`HASQL1/ERRORLOG` line 55)\n"
    "- 14:45:27.1 UTC (09:45:28.9 there) HASQL2: connected to HASQL1 again: 10 s without a "
    "partner (`HASQL2/ERRORLOG` line 57)\n"
    "\n"
    "**Do:** First compare the 'Hardened Lsn' that both logs give each database: HASQL1 may have "
    "accepted writes that HASQL2 never received. Find what kept the processors busy at that "
    "time, and keep some capacity free for SQL Server. A longer lease only hides it.\n"
)
COMMITS = (
    "# Commits of Sales wait for the network between SQL1 and SQL2 (92 % of their time): network "
    "p50 24.6 ms.\n"
    "\n"
    "Case commit_network, 2024-03-05 12:00:00 to 12:00:20 UTC (21 s); notice, confidence high "
    "(90 %).\n"
    "\n"
    "**Why:** Over 170 log blocks network takes 25.6 ms on average (p50 24.6 ms, p99 41.1 ms), "
    "92 % of a mean commit of 27.8 ms. Asynchronous commit would save 26.5 ms a commit on "
    "average, and risk what is not sent yet.\n"
    "\n"
    "- network share: 92.1 % (data-movement events of SQL1 and SQL2)\n"
    "- network p50: 24.6 ms (data-movement events of SQL1 and SQL2)\n"
    "- network p99: 41.1 ms (data-movement events of SQL1 and SQL2)\n"
    "\n"
    "**Do:** Measure the round trip and its losses between the hosts; a shorter way helps more "
    "than any disk.\n"
    "\n"
    "**Collect:** Capture perfmon on the primary and on every replica at the same time, every 5 "
    "s, while log is generated, for 10 minutes or more: only over time does it show whether a "
    "queue grows.\n"
)


def told(case, store):
    with agtrace.open_case(case, store=store) as opened:
        text, failures = alone(opened)
    assert failures == []
    return text


@pytest.mark.parametrize(("name", "text"), [("failover_lease_cpu", INCIDENT), ("commit_network", COMMITS)])
def test_a_ticket_stands_alone(name, text, sample_store):
    assert told(agtrace.sample(name), sample_store(name)) == text


@pytest.mark.parametrize("name", samples())
def test_a_ticket_has_300_words_at_most(name, sample_store):
    text = told(agtrace.sample(name), sample_store(name))
    assert 60 < len(text.split()) <= MOST_WORDS
    assert "**Do:**" in text


@needs_captures
def test_the_ticket_of_nine_failovers_names_the_first_cause_and_the_longest(tmp_path):
    shutil.copytree(CAPTURES / "failover_2017", tmp_path / "case", ignore=shutil.ignore_patterns("expected"))
    text = told(tmp_path / "case", tmp_path / "store")
    assert len(text.split()) <= MOST_WORDS
    assert "Begin with the first, at 2017-10-23 18:51:58 UTC: SQL Server on ZE-2016-V1 was stopped." in text
    assert "ERRORLOG.2` line 161" in text
