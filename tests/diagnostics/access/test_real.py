"""What real logs and Microsoft's own texts say of endpoints, listeners and routing."""

from __future__ import annotations

import re
import shutil

import pytest

import agtrace
from agtrace.diagnostics.access.handshakes import OF_ENDPOINTS, failure_of
from agtrace.diagnostics.access.names import REASON_OF_MESSAGE, WITH_NAME, resource_of
from agtrace.diagnostics.access.pairs import is_consequence
from agtrace.diagnostics.access.routing import KINDS
from agtrace.diagnostics.access.rows import ListenerEntries
from tests.diagnostics.asking import record
from tests.shared import CAPTURES, SHARED, needs_captures

KIND_OF = {1418: "timeout", 1456: "timeout", 9692: "refused", 9693: "refused"}
"""Messages whose number alone tells the kind, of those whose texts were collected."""


def texts():
    """Return the English texts of messages by number, each argument filled in with its own number."""
    found = {}
    for line in (SHARED / "facts" / "messages_en.tsv").read_text("utf-8").rstrip("\n").split("\n")[1:]:
        number, _versions, _severity, text = line.split("\t", 3)
        found[int(number)] = re.sub(r"%(\d)!s!", r"argument\1", text)
    return found


@pytest.mark.complete
@needs_captures
@pytest.mark.parametrize("hosts", [("ze-2016-v1", "ze-2016-v2"), ("ze-2016-v1",), ("ze-2016-v2",)])
def test_a_day_of_failovers_holds_no_trouble_of_endpoints_listeners_or_routing(hosts, tmp_path):
    for host in hosts:
        shutil.copytree(CAPTURES / "failover_2017" / host, tmp_path / host)
    with agtrace.open_case(tmp_path) as case:
        assert case.access.findings() == []


@pytest.mark.complete
@needs_captures
def test_each_attempt_that_really_timed_out_follows_from_a_server_that_was_away_or_lost(tmp_path):
    for host in ("ze-2016-v1", "ze-2016-v2"):
        shutil.copytree(CAPTURES / "failover_2017" / host, tmp_path / host)
    with agtrace.open_case(tmp_path) as case:
        tried = [one for one in case.access.tried if one.number == 35201]
        left = [one for one in tried if not is_consequence(one, case.access.known)]
    assert (len(tried), left) == (7, [])


@needs_captures
def test_the_texts_of_messages_about_endpoints_are_told_by_number():
    known = texts()
    assert {number: failure_of(number, known[number]).kind for number in KIND_OF} == KIND_OF
    # What these say lies in their arguments.
    assert {failure_of(number, known[number]) for number in (1474, 9642)} == {None}
    assert set(OF_ENDPOINTS) & set(known) == {*KIND_OF, 1474, 9642}


@needs_captures
def test_the_texts_of_messages_about_listeners_give_the_name_that_they_carry():
    known = texts()
    named = {
        number: resource_of(
            record(ListenerEntries, source="ERRORLOG", number=number, resource=None, text=known[number])
        )
        for number in REASON_OF_MESSAGE
    }
    carried = {number for number, (name, _role) in named.items() if name}
    assert carried == set(WITH_NAME)


@needs_captures
def test_the_texts_of_refused_connections_name_their_database():
    known = texts()
    assert all(re.search("['\"]argument1['\"]", known[number]) for number in KINDS)
