"""What is asked of the transport question: of one replica or all, of a time, of a database."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from agtrace.diagnostics.transport import Transport
from agtrace.diagnostics.transport.study import LinkStudy, Study
from agtrace.diagnostics.transport.verdict import HEALTHY
from agtrace.errors import CaseError
from agtrace.history.streams.database_looks import Look
from agtrace.history.streams.links import Link
from agtrace.history.streams.parts import FINE
from agtrace.replay.change import Change
from tests.behind import assert_facts, texts
from tests.diagnostics.transport.made import (
    MB,
    known,
    link,
    look,
    part,
    primary,
    secondary,
    studied,
    study,
    verdict,
)

WHAT_IF = "agtrace.diagnostics.transport.what_if"


def view(*blocks: str | None) -> Any:
    """Return a case whose log blocks name some replicas; None is one that was not captured."""
    return SimpleNamespace(
        has_rows=lambda name: name == "log_blocks" and bool(blocks),
        rows=lambda _sql, *_more: [{"name": name} for name in blocks],
    )


def transport(*links: LinkStudy, of: Any = None, looks: tuple[Look, ...] = (), **more: Any) -> Transport:
    asked = Transport(of or view(), **more)
    asked.__dict__["study"] = study(*links, beside=known(looks=list(looks)))
    return asked


def stream(replica: str = "S", received: float = 1.0, **more: Any) -> LinkStudy:
    of = both(received)
    of.replica = replica
    return studied(of, verdict(of, kind=HEALTHY), parts=[part(of, FINE)], **more)


def both(received: float = 1.0) -> Link:
    return link(primary(), secondary(received=received * MB))


def names(links: list[LinkStudy]) -> list[str]:
    return [each.link.replica for each in links]


# Of which replica.


def test_streams_are_those_of_the_replica_that_is_asked_for_in_any_case():
    links = stream("S"), stream("T"), stream("t")
    assert names(transport(*links).links()) == ["S", "T", "t"]
    assert names(transport(*links).links("T")) == ["T", "t"]
    assert names(transport(*links, replica="s").links()) == ["S"]
    assert names(transport(*links, replica="s").links("t")) == ["T", "t"]
    assert names(transport(*links).links("T.corp.example")) == ["T", "t"]
    assert transport(*links).links("X") == []


def test_looks_are_those_of_the_replica_and_of_the_time():
    seen = look(100.0, replica="S"), look(200.0, replica="T"), look(None, replica="S")
    assert transport(looks=seen).looks() == list(seen)
    for name in ("s", "S"):
        assert transport(looks=seen, replica=name).looks() == [seen[0], seen[2]]
    start = datetime.fromtimestamp(150, UTC)
    assert transport(looks=seen, start=start).looks() == [seen[1]]
    assert transport(looks=seen, end=start).looks() == [seen[0]]
    assert transport(looks=seen, replica="S", start=start).looks() == []


def test_the_stream_of_which_least_arrives_comes_first_and_one_that_is_not_known_as_one_that_arrives():
    alone = studied(link(primary(), None))
    alone.link.replica = "Unknown"
    asked = transport(stream("Fast", 1.2), alone, stream("Even"), stream("Slow", 0.5))
    assert [each.link.replica for each in asked.sent_received()] == ["Slow", "Unknown", "Even", "Fast"]
    assert asked.replicas() == ["Slow", "Unknown", "Even", "Fast"]
    assert [each.link.replica for each in asked.sent_received("Fast")] == ["Fast"]
    assert transport(stream(), stream()).replicas() == ["S"]


# Of which part of a case.


def test_a_part_of_a_case_is_asked_about_by_texts_of_which_empty_ones_leave_nothing_out():
    asked = transport().only(start="2024-03-05T12:00:00Z", end="", replica="", database="")
    assert (asked.start, asked.end) == (datetime(2024, 3, 5, 12, tzinfo=UTC), None)
    assert (asked.replica, asked.database) == (None, None)
    noon = datetime(2024, 3, 5, 12)
    asked = transport().only(end=noon, replica="S", database="Sales")
    assert (asked.start, asked.end, asked.replica, asked.database) == (None, noon, "S", "Sales")
    with pytest.raises(CaseError, match="end = 'noon' is no time"):
        transport().only(end="noon")


def test_findings_about_a_database_are_those_of_it_and_of_all_databases():
    rates = {"Sales": MB, "Stock": MB}
    of = link(primary(flushed=rates), secondary(received=rates, redone=rates), ("Sales", "Stock"))
    one = studied(of, verdict(of, None, part(of, database="Stock"), kind=HEALTHY))

    def found(database: str | None) -> int:
        return len(transport(stream(), one, database=database).findings())

    assert [found(None), found("Sales"), found("STOCK"), found("tock")] == [2, 1, 2, 2]


# What a change would bring.


def test_those_that_can_be_asked_about_are_the_replicas_of_streams_and_of_log_blocks():
    asked = transport(stream("S"), stream("T"), stream("S"), of=view("s", "U"))
    assert asked.asked_about() == ["S", "T", "U"]
    assert transport(stream("S")).asked_about() == ["S"]


def one(asked: Transport, replica: str | None = None) -> str:
    try:
        return asked._one(replica)
    except CaseError as error:
        return str(error)


def test_the_replica_that_is_meant_is_the_only_one_or_the_one_that_is_named():
    several = stream("S"), stream("T")
    assert one(transport(stream("S"))) == "S"
    assert one(transport(stream("S")), "S.corp.example") == "S"
    assert one(transport(*several, replica="t")) == "T"
    assert one(transport(*several, replica="t"), "s") == "S"
    assert one(transport(*several)) == "several replicas: choose one with --replica - there are: S, T"
    assert one(transport(*several), "X") == "no replica is called 'X' - there are: S, T"
    none = "no replica's stream or log blocks were captured"
    assert one(transport()) == f"nothing to replay - {none}"
    assert one(transport(), "X") == f"no replica is called 'X' - {none}"


class Estimates:
    """Stands for what estimates, and keeps what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.streams: list[list[str]] = []
        self.asked: list[tuple[Any, ...]] = []
        self.remedied: list[Any] = []
        monkeypatch.setattr(f"{WHAT_IF}.asked", self._stream)
        monkeypatch.setattr("agtrace.replay.what_if.blocks_of", lambda _view, name: f"blocks of {name}")
        monkeypatch.setattr("agtrace.replay.packing.of_view", lambda _view: "packed")
        monkeypatch.setattr(f"{WHAT_IF}.ask", self._ask)
        monkeypatch.setattr(f"{WHAT_IF}.remedies", self._remedies)

    def _stream(self, _study: Study, links: list[LinkStudy]) -> Any:
        self.streams.append(names(links))
        return SimpleNamespace(studied=links[0]) if links and links[0].link.replica != "Idle" else None

    def _ask(self, of: Any, blocks: str, name: str, change: Change, _study: Study, packed: Any) -> str:
        self.asked.append((blocks, name, change, packed))
        return f"estimate {len(self.asked)}"

    def _remedies(self, of: Any, blocks: str, _study: Study) -> Any:
        self.remedied.append(blocks)
        if blocks == "blocks of Fine":
            return None
        remedy = None if blocks == "blocks of Held" else f"remedy of {blocks}"
        return SimpleNamespace(replica=of.studied.link.replica, limit="redo", remedy=remedy, all=[remedy])


def test_a_change_is_asked_of_a_stream_and_its_blocks_that_are_read_once(monkeypatch):
    estimates = Estimates(monkeypatch)
    asked = transport(stream("S"), stream("T"))
    faster = Change(compression=True)
    assert [asked.what_if("S"), asked.what_if("s", faster), asked.what_if("T")] == [
        "estimate 1", "estimate 2", "estimate 3"
    ]  # fmt: skip
    assert estimates.streams == [["S"], ["T"]]
    assert estimates.asked == [
        ("blocks of S", "S", Change(), None), ("blocks of S", "S", faster, "packed"),
        ("blocks of T", "T", Change(), None),
    ]  # fmt: skip


def test_remedies_are_those_of_replicas_that_were_captured_and_are_held_back(monkeypatch):
    estimates = Estimates(monkeypatch)
    alone = studied(link(primary(), None))
    alone.link.replica = "Alone"
    asked = transport(stream("S"), stream("Fine"), stream("Idle"), stream("Held"), alone)
    assert [each.replica for each in asked._remedies] == ["S", "Held"]
    assert estimates.remedied == ["blocks of S", "blocks of Fine", "blocks of Held"]
    monkeypatch.setattr("agtrace.replay.outcome.page", lambda told, _limits: f"page of {', '.join(told)}")
    monkeypatch.setattr("agtrace.replay.figures.streams", list)
    monkeypatch.setattr("agtrace.replay.figures.course", list)
    said = asked.say_what_if().split("\n\n")
    assert (len(said), said[-1]) == (2, "page of remedy of blocks of S")
    assert asked.tbl_what_if() == ["remedy of blocks of S", None]
    assert asked.fig_what_if() == ["remedy of blocks of S"]


def test_where_nothing_can_be_estimated_that_is_said_and_no_page_of_nothing(monkeypatch):
    Estimates(monkeypatch)
    monkeypatch.setattr("agtrace.replay.outcome.page", lambda told, _limits: "a page")
    assert_facts(
        texts(transport(stream("Held")).say_what_if)["what_if.no_remedy"], replica="Held", limit="redo"
    )
    assert transport(stream("Fine")).say_what_if() != ""
