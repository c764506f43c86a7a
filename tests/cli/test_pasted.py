"""``agtrace findings -`` answers for a text on standard input."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace

import pytest

POST = """\
Our group went down, and the query below shows this:

> 2024-02-06 10:01:02.34 spid45s     Error: 19407, Severity: 16, State: 1.
> 2024-02-06 10:01:02.34 spid45s     The lease between availability group 'SalesAG' and the Windows Server Failover Cluster has expired.

replica_server_name\tdatabase_name\tsynchronization_state_desc\tis_suspended\tsuspend_reason_desc
SRV2\tSales\tNOT SYNCHRONIZING\t1\tSUSPEND_FROM_REDO

Any ideas?
"""  # noqa: E501


@pytest.fixture
def paste(monkeypatch):
    def give(text: str) -> None:
        stdin = SimpleNamespace(buffer=io.BytesIO(text.encode()), isatty=lambda: False)
        monkeypatch.setattr(sys, "stdin", stdin)

    return give


@pytest.mark.complete
def test_what_a_post_shows_is_found(agtrace, paste):
    paste(POST)
    ran = agtrace("findings", "-", "--json", "--utc-offset", "0")
    assert ran.status == 0
    found = {finding["id"] for finding in json.loads(ran.out)}
    assert {"health.lease", "transport.suspended"} <= found


def test_prose_alone_is_an_error(agtrace, paste):
    paste("Our group went down. Any ideas?\n")
    ran = agtrace("findings", "-")
    assert ran.status == 2
    assert "no log line and no query result was found on standard input" in ran.err


def test_nothing_at_all_is_an_error(agtrace, paste):
    paste(" \n")
    assert "standard input is empty" in agtrace("findings", "-").err
