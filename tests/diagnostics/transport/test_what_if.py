"""Which stream is asked what a change would bring, and what its replay rests on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from agtrace.diagnostics.transport import what_if as module
from agtrace.diagnostics.transport.study import LinkStudy
from agtrace.diagnostics.transport.verdict import (
    GATE_ALONE,
    HEALTHY,
    LOG_DISK_SLOW,
    MOVEMENT_SUSPENDED,
    NETWORK_LIMITED,
    REDO_BLOCKED,
    REDO_LIMITED,
    SEND_LIMITED,
    WINDOW_LIMITED,
    VerdictKind,
)
from agtrace.diagnostics.transport.what_if import Asked, Remedies
from agtrace.history.streams.commit_modes import Modes, ModeStatement
from agtrace.history.streams.links import Link
from agtrace.replay.change import Change
from agtrace.replay.limits import Beside
from agtrace.replay.packing import Packing
from tests.diagnostics.transport.made_shown import (
    START,
    N,
    both,
    known,
    link,
    primary,
    signs,
    spread,
    studied,
    study,
    verdict,
)
from tests.folded import folded


def judged(kind: VerdictKind | None, of: Link | None = None, **more: Any) -> LinkStudy:
    of = of or both()
    return studied(of, *([verdict(of, kind, signs=signs(**more))] if kind is not None else []))


def asked(*links: LinkStudy, **more: Any) -> Asked:
    found = module.asked(study(*links, known=known(**more)), list(links))
    assert found is not None
    return found


def beside(kind: VerdictKind | None = HEALTHY, of: Link | None = None, **more: Any) -> Beside:
    about = {name: more.pop(name) for name in ("version", "machines", "modes") if name in more}
    return asked(judged(kind, of, **more), **about).beside


# Which stream


def test_a_primary_alone_is_asked_only_where_there_is_nothing_else():
    alone, whole = judged(GATE_ALONE, link(primary())), judged(None)
    assert asked(alone, whole).studied is whole
    found = asked(alone)
    assert (found.studied, found.load) == (alone, "no_replica")
    assert module.asked(study(), []) is None


# What a replay rests on


def test_a_stream_without_a_verdict_rests_on_its_counters_alone():
    assert vars(beside(None)) == vars(Beside(databases=1))
    assert beside(None, both(databases=("Sales", "Stock"))).databases == 2


FAST, TOP = 1.2e6, spread(2e5)
"""A copy three times as fast as the rate that the stream does not exceed."""


@folded(
    ("given", "copied"),
    [
        ({"copy": FAST, "ceiling": TOP}, ("", FAST)),
        ({"copy": FAST - 1, "ceiling": TOP, "other_copies": {"T": FAST - 1, "U": FAST}}, ("U", FAST)),
        ({"copy": FAST, "other_copies": {"T": 5.0}}, ("T", 5.0)),
        ({"copy": FAST - 1, "ceiling": TOP}, ("", None)),
    ],
)
def test_a_copy_counts_that_shows_more_than_the_stream(given, copied):
    found = beside(**given)
    assert (found.copied_to, found.copy) == copied


@pytest.mark.parametrize(("version", "larger"), [("", None), ("15.0", False), ("16.0", True), ("17.0", True)])
def test_the_version_tells_which_gates_hold(version, larger):
    assert beside(version=version).has_larger_gates == larger


@pytest.mark.parametrize(
    ("mode", "is_synchronous"), [(None, None), ("synchronous", True), ("asynchronous", False)]
)
def test_the_commit_mode_is_the_one_that_is_known(mode, is_synchronous):
    told = [ModeStatement(START - 60, "AG", "S", mode, "a statement")] if mode else []
    assert beside(modes=Modes(told)).is_synchronous == is_synchronous


@pytest.mark.parametrize(
    ("busy_ms", "harden_s", "at_least"),
    [(100.0, 0.01, 4e6), (500.0, 0.05, 8e5), (1000.0, 0.1, 4e5), (2000.0, 0.2, 4e5), (0.0, 0.0, None)],
)
def test_log_writes_tell_how_long_one_takes_and_what_the_disk_carries_at_least(busy_ms, harden_s, at_least):
    found = beside(of=both(s_flush_write_time=busy_ms, s_flushes=10.0))
    assert found.harden_s == harden_s
    assert found.disk_at_least == pytest.approx(at_least)


ONE = [1.0, *[0.0] * (N - 1)]


@folded(
    ("flushed", "flushes", "size"),
    [
        ({"Sales": 1e6}, {"Sales": 100.0}, 1e4),
        ({"Sales": 1e6, "Stock": 3e6}, {"Sales": 100.0, "Stock": 100.0}, 2e4),
        ({"Sales": 1e6, "Test": 3e6}, {"Sales": 100.0, "Test": 100.0}, 1e4),
        ({"Sales": 1e6}, {}, None),
        ({}, {"Sales": 100.0}, None),
        ({"Sales": 1e6}, {"Sales": 0.0}, None),
        ({"Sales": 0.0}, {"Sales": 100.0}, None),
        ({"Sales": 0.0}, {"Sales": 0.0}, None),
        ({"Sales": 100.0}, {"Sales": ONE}, 3100.0),
        ({"Sales": ONE}, {"Sales": ONE}, 1.0),
    ],
)
def test_a_message_is_the_mean_log_write_of_the_primary(flushed, flushes, size):
    of = both(databases=("Sales", "Stock"), p_flushed=flushed, p_flushes=flushes)
    assert beside(None, of).message_bytes == size


# What is asked


@pytest.fixture
def told(monkeypatch) -> list[Any]:
    """What was put to a replay; its answer is the change."""
    found: list[Any] = []

    def what_if(replica, load, beside, blocks, change, limits, *, is_local=False):
        found.append((replica, load, beside.packing, blocks, is_local))
        return change

    monkeypatch.setattr(module, "what_if", what_if)
    return found


BLOCKS: Any = SimpleNamespace(n=7)
TWICE = {"capacity": Change(capacity=3.5), "disk": Change(disk=3.5), "redo": Change(redo=3.5)}
MORE = Change(load=1.5)


@pytest.mark.parametrize(
    ("kinds", "limit", "remedy", "others"),
    [
        ([WINDOW_LIMITED], "window", Change(window="scaled"), [*TWICE.values(), MORE]),
        ([NETWORK_LIMITED], "network", TWICE["capacity"], [TWICE["disk"], TWICE["redo"], MORE]),
        ([SEND_LIMITED], "sender", None, [*TWICE.values(), MORE]),
        ([REDO_LIMITED], "redo", TWICE["redo"], [TWICE["capacity"], TWICE["disk"], MORE]),
        ([HEALTHY, REDO_BLOCKED], "redo", TWICE["redo"], [TWICE["capacity"], TWICE["disk"], MORE]),
        ([REDO_LIMITED, LOG_DISK_SLOW], "log disk", TWICE["disk"], [TWICE["capacity"], TWICE["redo"], MORE]),
    ],
)
def test_what_holds_a_stream_back_has_its_remedy_and_others(told, kinds, limit, remedy, others):
    of = both()
    found = asked(studied(of, *(verdict(of, kind) for kind in kinds)))
    made = module.remedies(found, BLOCKS, study(found.studied))
    assert (made.replica, made.limit, made.remedy, made.others) == ("S", limit, remedy, others)
    assert made.all == ([remedy] if remedy else []) + others
    assert told[0] == ("S", found.load, None, BLOCKS, False)


@pytest.mark.parametrize("kinds", [[], [HEALTHY], [MOVEMENT_SUSPENDED]])
def test_a_stream_that_nothing_holds_back_has_no_remedy(told, kinds):
    of = both()
    found = asked(studied(of, *(verdict(of, kind) for kind in kinds)))
    assert module.remedies(found, BLOCKS, study(found.studied)) is None
    assert told == []
    assert Remedies("S", "sender", None, []).all == []


SHOWN = Packing(0.5, 1e-9, 2e-9, "T")
PACK, UNPACK = Change(compression=True), Change(compression=False)


def put(found: Asked | None, change: Change, *others: LinkStudy, packed: Packing | None = SHOWN) -> Any:
    links = [*([found.studied] if found is not None else []), *others]
    return module.ask(found, BLOCKS, "R", change, study(*links), packed)


PLAIN = {"s_wire_received": 4e5}
"""As many bytes on the wire as of log: not compressed."""


def of_replica(name: str, ag: str = "AG", **more: Any) -> LinkStudy:
    return judged(None, both(replica=name, ag=ag, **more))


def test_a_compressed_stream_shows_its_own_ratio_and_blocks_what_it_costs(told):
    found = asked(judged(None))
    put(found, PACK)
    assert told[-1][2] == Packing(0.75, 1e-9, 2e-9, "S")
    put(found, UNPACK, packed=None)
    assert told[-1][2] == Packing(0.75, replica="S")
    put(found, MORE)
    assert told[-1][2] is None
    assert told[-1][0] == "S"


def test_a_stream_that_is_not_compressed_takes_the_ratio_of_the_longest_of_its_group_that_is(told):
    found = asked(judged(None, both(**PLAIN)))
    others = [
        of_replica("T", s_wire_received=2e5, s_n=25),
        of_replica("U", s_wire_received=1e5, s_n=30),
        of_replica("V", s_wire_received=5e4, ag="AG2"),
        of_replica("W", s_n=40, **PLAIN),
        of_replica("S", s_wire_received=5e4, s_n=40),
        judged(None, link(primary(n=50), replica="X")),
    ]
    put(found, PACK, *others, packed=None)
    assert told[-1][2] == Packing(0.25, replica="U")
    put(found, PACK, *others[2:], packed=None)
    assert told[-1][2] is None
    put(found, PACK, *others[2:])
    assert told[-1][2] == SHOWN
