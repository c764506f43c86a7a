"""Each way in which endpoints, listeners and routing are told, for words.txt beside this."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agtrace.diagnostics.access import endpoints, handshakes, listener, names, routing
from agtrace.diagnostics.access.analysis import SAID
from agtrace.diagnostics.access.endpoints import Trouble
from agtrace.diagnostics.access.handshakes import Failure
from agtrace.diagnostics.access.pairs import Attempt, Known
from agtrace.history.coverage import Coverage, Stretch
from agtrace.say.finding import Finding
from tests.diagnostics.access.cases import denied

BEGIN = datetime(2024, 3, 5, 12, tzinfo=UTC)
SYSTEMS = ({"A": "Windows", "B": "Windows"}, {"A": "Linux", "B": "Linux"})
REASONS = dict.fromkeys(
    (one.kind, one.reason, one.is_own)
    for table in (
        [failure for _words, failure in handshakes._TEXTS],
        handshakes._NUMBERS.values(),
        handshakes._WINDOWS.values(),
        handshakes._SECURITY.values(),
    )
    for one in table
)


def at(minutes: float) -> datetime:
    return BEGIN + timedelta(minutes=minutes)


def known(platforms: dict[str, str], *links: dict[str, object], until: float = 60, **lasts: float) -> Known:
    stretches = [
        Stretch(host, None, "ERRORLOG", at(0), at(last)) for host, last in {"A": until, **lasts}.items()
    ]
    looks = [{"host_id": "A", "replica": "B", "ag": "AG", "is_connected": False, "time": at(0)}]
    return Known(links, looks, grouped=frozenset("AB"), coverage=Coverage(stretches), platforms=platforms)


def attempt(kind: str, reason: str, is_own: bool, text: str = "its text", **more: object) -> Attempt:
    failure = Failure(kind, reason, is_own, by_text=bool(more.pop("by_text", True)))
    given = {
        "far": "B",
        "replica": "B",
        "address": "",
        "number": None,
        "n": 1,
        "first": at(9),
        "last": at(9),
    } | more
    return Attempt(host="A", failure=failure, text=text, source="ERRORLOG", content_id="log", line=7, **given)  # type: ignore[arg-type]


def of_endpoints() -> Iterator[Finding]:
    for kind, reason, is_own in REASONS:
        for platforms in SYSTEMS:
            yield from told([attempt(kind, reason, is_own)], known(platforms))
    own = ("login", "permission", True)
    url = attempt("timeout", "silent", False, "'10060(x)'.' for 'TCP://b.contoso.com:5022'.")
    closed = attempt("refused", "closed", False, "'10061(x)'.' for 'TCP://b.contoso.com:5022'.")
    yield from told([url], known({}))
    yield from told([closed], known({}))
    yield from told([attempt(*own, text=denied())], known({}, B=60))
    yield from told([attempt(*own), attempt(*own, last=at(12))], known({}, until=10, B=60))
    yield from told([attempt(*own, address="10.0.0.2", is_only=True)], known({}))
    yield from told([attempt(*own, far="10.0.0.2", replica="10.0.0.2", address="10.0.0.2")], known({}))
    yield from told([attempt(*own, far="", replica="")], known({}))
    yield from told([attempt(*own, by_text=False)], known({}))
    yield from told([attempt(*own, is_local=True)], known({}))
    yield from told([attempt("certificate", "peer", False, "The certificate expired.")], known({}))
    back = {
        "kind": "connected",
        "host_id": "A",
        "replica": "B",
        "ag": "AG",
        "time": at(20),
        "content_id": "log",
        "line": 9,
    }
    yield from told([attempt(*own)], known({}, back))
    stopped = known({})
    stopped.stopped = [{"host_id": "B", "time": at(1)}]
    yield from told([closed], stopped)
    theirs = [attempt(*own, text="what B wrote")]
    yield from SAID.findings(
        endpoints.judged([Trouble("A", "B", "login", [attempt(*own)], theirs)], known({}))
    )


def told(own: list[Attempt], of: Known) -> list[Finding]:
    found = {one.failure.kind: Trouble("A", one.far, one.failure.kind, own) for one in own[:1] if one.failure}
    return SAID.findings(endpoints.judged(found.values(), of))


def address(ip: str = "10.0.0.10", state: str | None = "ONLINE", ag: str = "AG") -> dict[str, object]:
    return {
        "ag": ag, "listener": "LSN", "port": 1433, "ip_address": ip, "subnet_mask": "255.255.255.0",
        "state": state, "host_id": "A", "time": at(0), "time_local": at(0).replace(tzinfo=None),
        "content_id": "look", "line": 3,
    }  # fmt: skip


def of_listeners() -> Iterator[Finding]:
    entry = {
        "source": "event log", "host_id": "A", "resource": "AG_LSN", "n": 1, "text": "its text",
        "first": at(5), "last": at(5), "is_local": False, "content_id": "log", "line": 2,
    }  # fmt: skip
    reasons = {reason: number for number, reason in names.REASON_OF_EVENT.items()}
    for number in reasons.values():
        yield from listened([{**entry, "number": number}], [address()])
    logged = {reason: number for number, reason in names.REASON_OF_MESSAGE.items()}
    for number in logged.values():
        row = {**entry, "number": number, "source": "ERRORLOG", "resource": None, "n": 3, "last": at(8)}
        yield from listened([row], [address(state=None)])
        yield from listened([row | {"host_id": None}], [])
    yield from listened([{**entry, "number": 1069}], [address()], [{"resource": "AG_LSN", "time": at(9)}])
    both = [address(state="FAILED"), address("10.9.0.10", "OFFLINE")]
    for looks in ([address(state="OFFLINE")], both):
        yield from listened([], looks)


def listened(entries: Any, looks: Any, online: Any = ()) -> list[Finding]:
    groups = [{"ag": "AG", "host_id": "A"}]
    return SAID.findings(listener.listeners(entries, looks, groups, online, Known()))


def of_clients() -> Iterator[Finding]:
    looks = [address(), address("10.9.0.10", "OFFLINE")]
    for settings in ({}, {"RegisterAllProvidersIP": "1"}, {"RegisterAllProvidersIP": "0"},
                     {"RegisterAllProvidersIP": "0", "HostRecordTTL": "300"}):  # fmt: skip
        rows = [{"item": "AG_LSN", "setting": name, "value": value} for name, value in settings.items()]
        yield from SAID.findings(listener.clients(looks, rows, Known()))
    yield from SAID.findings(listener.clients([{**row, "ag": ""} for row in looks], [], Known()))


def route(replica: str, to: str, allowed: str) -> dict[str, object]:
    return {
        "ag": "AG", "replica": replica, "priority": 1, "routed_to": to, "connections_allowed": allowed,
        "routing_url": None, "time": at(0), "content_id": "look", "line": 4,
    }  # fmt: skip


def of_routing() -> Iterator[Finding]:
    routes = [route("A", "B", "NO"), route("B", "A", "ALL")]
    for number in routing.KINDS:
        row = {
            "source": "ERRORLOG", "host_id": "A", "number": number, "database": "Sales", "n": 1,
            "first": at(1), "last": at(1), "is_local": False, "text": "its text", "content_id": "log",
            "line": 5,
        }  # fmt: skip
        for own, listed, groups in (
            ([], False, {"A": ["AG"]}),
            ([], True, {}),
            (routes, True, {"A": ["AG"]}),
        ):
            for more in ({}, {"n": 7, "last": at(4), "database": ""}):
                yield from SAID.findings(routing.refused([row | more], own, listed, groups, Known()))
    members = [{"ag": "AG", "replica": name} for name in "ABC"]
    for own, replicas in (
        (routes[1:], members[:2]),
        (routes[1:], members),
        (routes, members[:2]),
        (routes, members),
    ):
        yield from SAID.findings(routing.lists(own, replicas, Known()))


def pages() -> Iterator[str]:
    one = next(of_endpoints())
    for found in ([], [one], [one, one]):
        for looked in (False, True):
            yield SAID.page(
                "summary",
                {
                    "endpoints": found,
                    "listeners": found,
                    "routing": found,
                    "looked": looked,
                    "routes": int(looked),
                },
            )


@pytest.mark.parametrize("ways", [of_endpoints, of_listeners, of_clients, of_routing, pages])
def test_the_words_are_those_that_were_read(ways):
    assert list(ways())
