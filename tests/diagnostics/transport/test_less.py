"""With less captured the answer says less, never something else: the sample case, taken apart.

Every counter of every host is dropped in turn, every file is cut to a tenth, and every host's perfmon
is moved in time; what is then said about each replica has to be what the whole case says, or less.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

import agtrace
from agtrace.diagnostics.transport import Transport
from agtrace.history import View, roles
from agtrace.history.roles import groups
from agtrace.history.roles.cast import Cast
from agtrace.history.streams import collect
from agtrace.history.streams.network_facts import Facts
from agtrace.measure import machines
from agtrace.measure.grid import Node, load_all
from agtrace.measure.transport_counters import WANTED, Counter
from agtrace.say.finding import SEVERITY_ORDER, Finding
from tests.ready import copied

pytestmark = pytest.mark.complete

HOSTS = ("JBSAG1", "JBSAG2", "JBSAG3")
PERFMON = "DataCollector01.csv"
LESS = {
    "JBSAG1": {"transport.healthy": ["transport.healthy"]},
    # Without the sign that tells a window, it is a network that is slow.
    "JBSAG3": {"transport.window_limited": ["transport.window_limited", "transport.network_limited"]},
}
"""What may be said about a replica in place of what the whole case says."""
COSTS = ("transport.rpo", "transport.rto", "transport.commit_delay")
SHIFTS = {
    "17 minutes": 1020.0, "an hour": 3600.0, "nine hours back": -32400.0, "a day": 86400.0,
    "to 1980": -39.6 * 365.25 * 86400,
}  # fmt: skip


@pytest.fixture(scope="module")
def opened(sample_store: Callable[[str], Path]) -> agtrace.Case:
    name = "log_send_queue"
    case = agtrace.open_case(agtrace.sample(name), store=sample_store(name))
    case.transport.findings()  # before any test alters what is read
    return case


def verdicts(findings: list[Finding]) -> dict[str, Finding]:
    """Return the only verdict on each replica."""
    found: dict[str, Finding] = {}
    for each in findings:
        if each.id.startswith("transport.") and each.id not in COSTS:
            assert each.subject["replica"] not in found, each.title
            found[each.subject["replica"]] = each
    return found


def says_less(whole: dict[str, Finding], part: list[Finding]) -> None:
    """Compare what a part of the case says with what all of it says."""
    for replica, found in verdicts(part).items():
        full = whole[replica]
        assert found.id in LESS[replica][full.id], found.title
        assert found.confidence <= full.confidence
        assert SEVERITY_ORDER.index(found.severity) <= SEVERITY_ORDER.index(full.severity)


def altered(
    opened: agtrace.Case, monkeypatch: pytest.MonkeyPatch, alter: Callable[[list[Node]], None]
) -> list[Finding]:
    """Return the findings with the samples altered after they were read."""

    view = opened.transport.view

    def read(view: View) -> list[Node]:
        nodes = [copy(node) for node in load_all(view)]
        for node in nodes:
            node.series = dict(node.series)
        alter(nodes)
        return nodes

    # What was altered is read each time.
    monkeypatch.setattr(collect, "_read_all", collect._read_all.__wrapped__)
    monkeypatch.setattr(collect, "load_all", read)
    monkeypatch.setattr(groups, "load_all", read)
    monkeypatch.setattr(collect, "read_cast", lambda view: Cast(roles.make(view)["roles"].to_pylist()))
    return Transport(view).findings()


def whole(opened: agtrace.Case) -> dict[str, Finding]:
    found = verdicts(opened.transport.findings())
    assert {replica: f.id for replica, f in found.items()} == {
        "JBSAG1": "transport.healthy", "JBSAG3": "transport.window_limited",
    }  # fmt: skip
    return found


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("counter", WANTED, ids=lambda c: f"{c[0]} {c[1]}")
def test_without_a_counter(opened, monkeypatch, counter: Counter, host: str):
    def drop(nodes: list[Node]) -> None:
        for node in nodes:
            if node.host_id == host:
                node.series.pop(counter, None)

    says_less(whole(opened), altered(opened, monkeypatch, drop))


@pytest.mark.parametrize("by", SHIFTS.values(), ids=SHIFTS)
@pytest.mark.parametrize("host", HOSTS)
def test_a_host_that_is_moved_in_time(opened, monkeypatch, host: str, by: float):
    def move(nodes: list[Node]) -> None:
        for node in nodes:
            if node.host_id == host:
                node.times = node.times + by

    # With its clock its ERRORLOG would be moved, too: nothing in it would pair with another host's.
    monkeypatch.setattr(Facts, "pairs", lambda *_hosts: None)
    findings = altered(opened, monkeypatch, move)
    says_less(whole(opened), findings)
    told = [f for f in findings if f.id == "quality.clock_skew"]
    pairs = {frozenset((f.subject["host"], f.subject["other_host"])) for f in told}
    moved = HOSTS[1:2] if host == "JBSAG2" else (host,)
    assert pairs == {
        frozenset(("JBSAG2", replica)) for replica in ("JBSAG1", "JBSAG3") if {replica, "JBSAG2"} & set(moved)
    }  # fmt: skip
    for found in told:
        shown = next(e.value for e in found.evidence if e.label == "clock skew (by counters)")
        assert abs(shown / 1000 - abs(by)) <= 10
        replica = found.subject["replica"]
        quoted = " ".join(e.source for e in verdicts(findings)[replica].evidence)
        assert "\\Log Bytes Flushed/sec on JBSAG2" not in quoted


def cut(path: Path, begin: float, end: float) -> None:
    """Keep a part of a file, whole lines of it, and the header of a perfmon log."""
    data = path.read_bytes()
    if path.name == PERFMON:
        header, *rows = data.splitlines(keepends=True)
        path.write_bytes(b"".join([header, *rows[int(begin * len(rows)) : int(end * len(rows))]]))
    else:
        size = len(data) // 2 * 2
        path.write_bytes(data[int(begin * size) // 2 * 2 : int(end * size) // 2 * 2])


def files() -> list[str]:
    sample = Path(str(agtrace.sample("log_send_queue")))
    return sorted(
        str(path.relative_to(sample))
        for path in sample.rglob("*")
        # Whoever looked at the sample may have left a store in it.
        if path.is_file() and not path.relative_to(sample).parts[0].startswith(".")
    )


@pytest.mark.parametrize("file", [*files(), "every file", "every file at its end"])
def test_a_file_that_is_cut_to_a_tenth(opened, read_sample, tmp_path, file: str):
    folder = tmp_path / "case"
    # With its store: what is whole is not read again.
    copied(read_sample, folder)
    chosen = [file] if file in files() else files()
    for name in chosen:
        cut(folder / name, *((0.9, 1.0) if file.endswith("at its end") else (0.0, 0.1)))
    with agtrace.open_case(folder) as cut_case:
        findings = cut_case.transport.findings()
    says_less(whole(opened), findings)
    for found in findings:
        if found.id == "transport.rpo" and found.subject["replica"] == "JBSAG3":
            rows = dt.datetime.fromisoformat(found.window["end"]) - dt.datetime.fromisoformat(
                found.window["start"]
            )
            shown = [e.value for e in found.evidence if "data loss at the end" in e.label]
            assert max(shown) <= rows.total_seconds() + 10 or "at least" in found.title
            assert not ("at least" in found.title and found.confidence > 0.6)


def test_a_case_moved_as_a_whole_says_the_same(opened, monkeypatch):
    def move(nodes: list[Node]) -> None:
        for node in nodes:
            node.times = node.times + np.float64(3600.0)

    window, hour = machines._window, timedelta(hours=1)

    def moved(number, stretch):
        # What the machines did is read from the samples themselves, which stay where they are.
        there = window(number, stretch)
        return replace(there, start=there.start - hour, end=there.end - hour)

    monkeypatch.setattr(machines, "_window", moved)
    found = verdicts(altered(opened, monkeypatch, move))
    assert {r: (f.id, f.confidence) for r, f in found.items()} == {
        r: (f.id, f.confidence) for r, f in whole(opened).items()
    }
