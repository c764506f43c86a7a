"""Rules of endpoints, listeners and routes, each alone and at its bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from agtrace.diagnostics.access import Access, listener, routing, tables
from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import Listeners, Partners, PartnersLast, Resolving
from agtrace.thresholds import Thresholds
from tests.diagnostics.access.cases import CLOSED, PARTNERS, every, life
from tests.diagnostics.access.routes import NOT_READ_ONLY, ROUTE
from tests.diagnostics.asking import record
from tests.diagnostics.tiny import case

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
LIMITS = Thresholds()
REFUSED = every("A", range(60, 600, 60), 979, NOT_READ_ONLY)


@pytest.mark.parametrize(("less_s", "n"), [(0, 1), (1, 0)])
def test_a_role_that_is_neither_counts_from_some_minutes_on(less_s, n, monkeypatch):
    monkeypatch.setattr(routing, "_resolving", lambda row, *_: row)
    last = NOON + timedelta(minutes=LIMITS.disconnect_minutes) - timedelta(seconds=less_s)
    row = record(Resolving, host_id="A", first=NOON, last=last)
    assert len(routing.resolving([row], {}, None, LIMITS)) == n


OF_A = ROUTE.format("A", 1, "B", "ALL")


@pytest.mark.complete
def test_the_summary_counts_what_is_told_by_its_kind():
    closed = every("A", range(60, 600, 60), 1474, CLOSED)
    for made in (life(REFUSED), life(closed), life()):
        answer = Access(made)
        assert bool(answer.say_verdict()) is not bool(answer.findings())
        assert answer.say_summary()


@pytest.mark.parametrize(
    "given",
    [
        {"relations": PARTNERS, "messages": ""},
        {"relations": OF_A, "messages": ""},
        {"relations": "A | 1 | listeners | ag=AG; listener=L; dns_name=L; ip_address=10.0.0.1; state=ONLINE",
         "messages": ""},
    ],
    ids=["a replica", "a route", "a listener"],
)  # fmt: skip
def test_a_look_at_any_of_them_is_something_to_tell_of(given):
    assert Access(case(**given)).missing() == []


# Listeners.

LOOK = record(
    Listeners,
    ag="AG",
    listener="L",
    ip_address="10.0.0.1",
    subnet_mask=None,
    state="OFFLINE",
    time=None,
    time_local=NOON.replace(tzinfo=None),
    host_id="A",
    port=1433,
    content_id="x",
    line=3,
)
KNOWN = SimpleNamespace(paths={"x": "looks.txt"}, place=lambda *_: "looks.txt line 3")


@pytest.fixture
def quiet(monkeypatch):
    """What evidence looks like is no matter here."""
    monkeypatch.setattr(listener, "_place", lambda *_: "a look")
    monkeypatch.setattr(listener, "_addresses", lambda *_: ())
    monkeypatch.setattr(listener, "_states", lambda *_: [])


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("key", "resource"),
    [(("AG", "L"), "AG_L"), (("", "L"), listener.UNKNOWN), (("AG", ""), listener.UNKNOWN)],
)
def test_the_resource_of_a_listener_bears_the_names_of_both(key, resource):
    told = listener._offline(key, listener.Look([LOOK], None), KNOWN)
    assert told.facts["resource"] == resource


@pytest.mark.parametrize(
    ("row", "subnet"),
    [({}, "10.0.0.1/32"), ({"subnet_mask": "255.255.255.0"}, "10.0.0.0/24"), ({"ip_address": None}, None),
     ({"ip_address": "x"}, None)],
)  # fmt: skip
def test_an_address_without_a_mask_is_a_subnet_of_its_own(row, subnet):
    assert listener._subnet(LOOK._replace(**row)) == subnet


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("time", [None, NOON])
def test_what_clients_need_is_told_at_the_time_of_the_look(time):
    rows = [LOOK._replace(time=time, ip_address=address) for address in ("10.0.0.1", "10.1.0.1")]
    (one,) = listener.clients(rows, [], KNOWN)
    assert one.window["start"] == ("2024-03-05T12:00:00" if time is None else "2024-03-05T12:00:00+00:00")


# Tables.


@pytest.mark.parametrize(
    ("last", "shown"),
    [
        ({"ag": "BG", "kind": "connection_timeout"}, ["A", "B\\I2", "BG", "connection timeout", NOON]),
        ({"kind": "snapshot", "is_connected": True}, ["A", "B\\I2", "AG", "looked at: connected", NOON]),
        ({"kind": "snapshot"}, ["A", "B\\I2", "AG", "looked at: not shown as connected", NOON]),
    ],
)
def test_the_last_sign_of_a_connection_is_listed(last, shown):
    sign = record(PartnersLast, replica="B\\I2", time=NOON, **last)
    pairs = [record(Partners, host_id="A", replica="B", ag="AG", last=each) for each in (sign, None)]
    (row,) = tables.connections(KnownConnections(pairs)).to_dict("records")
    assert list(row.values()) == shown
