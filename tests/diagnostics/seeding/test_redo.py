"""Redo after the copy of a seeding: its rate while it caught up, its threads, its figure."""

from __future__ import annotations

import html
import tomllib
from pathlib import Path

import pytest

from agtrace import open_case, sample
from agtrace.diagnostics.figures import describe
from agtrace.diagnostics.seeding.analysis import Seeding
from tests.diagnostics.seeding.cases import copy, request
from tests.diagnostics.tiny import case


def events(end: int) -> str:
    """Give a copy that ends 51 s after noon and a seeding that ends later; perfmon samples every 5 s."""
    states = f"0 PENDING, 1 SEEDING, 51 CATCHUP, {end} COMPLETED"
    return (
        request("B", "target", states, remote="r1", success=True)
        + copy("A", "source", 1, 51, remote="B", size=10**10)
        + copy("B", "target", 1, 51, guids="b a", remote="A", size=10**10)
    )


EVENTS = events(81)
REDO = r"""
B | \SQLServer:Database Replica(Sales)\Redone Bytes/sec | 11x0, 6x12000000, 8x1000000
B | \SQLServer:Database Replica(Sales)\Recovery Queue   | 11x0, 250000, 200000, 100000, 9x0
"""
PARALLEL = "B | 52 | parallel_redo | 49930 | event=started; database=Sales; pool_size=4"


def told(made) -> str:
    return html.unescape(made.say_redo())


def test_redo_is_the_mean_of_the_catch_up_and_names_its_threads():
    said = told(Seeding(case(REDO, events=EVENTS, messages=PARALLEL)))
    assert "redo of 12 MB/s of log on average while it caught up (n = 6), 12 MB/s at most" in said
    assert "a recovery queue of up to 256 MB; 4 redo threads (message 49930)." in said


def test_the_figure_draws_redo_and_the_queue():
    fig = Seeding(case(REDO, events=EVENTS, messages=PARALLEL)).fig_redo()
    assert fig.layout.title.text == "Redo after the copy, seeding 1: 12 MB/s"
    assert [line.split(":")[0] for line in describe(fig).splitlines()] == [
        "log redone per second", "recovery queue",
    ]  # fmt: skip


def test_threads_that_no_message_tells_are_said_to_be_unknown():
    assert "its redo threads were not captured (message 49930)" in told(Seeding(case(REDO, events=EVENTS)))  # fmt: skip


def test_a_catch_up_between_two_samples_has_no_mean():
    assert "redo of 12 MB/s of log at most; it caught up between two samples" in told(
        Seeding(case(REDO, events=events(53)))
    )


@pytest.mark.parametrize("made", [case(), case(events=EVENTS), case(REDO.replace("12000000", "0").replace("1000000", "0"), events=EVENTS)])  # fmt: skip
def test_without_redo_nothing_is_said(made):
    seeding = Seeding(made)
    assert seeding.say_redo() == ""
    assert seeding.fig_redo().layout.title.text == "No redo after a copy was captured"


def test_names_from_captures_cannot_become_markup():
    hostile = "<img src=x>"
    made = Seeding(case(REDO.replace("Sales", hostile), events=EVENTS.replace("Sales", hostile)))
    assert "<" not in made.say_redo()
    assert "<img" not in made.fig_redo().to_json()


@pytest.mark.sample
def test_the_sample_of_the_article_redoes_about_12_mb_a_second(tmp_path):
    manifest = Path(__file__).resolve().parents[3] / "sample_data" / "manifest.toml"
    runs = tomllib.loads(manifest.read_text(encoding="utf-8"))["direct_seeding"]["truth"]["runs"]
    with open_case(sample("direct_seeding"), tmp_path) as opened:
        found = opened.seeding._caught_up
        said = told(opened.seeding)
    truth = [runs[name]["redo_bytes_per_s"] for name in ("seeding", "seeding_9567")]
    assert [each.mean for each in found] == [pytest.approx(rate, rel=0.02) for rate in truth]
    assert "redo of 12.6 MB/s of log on average while it caught up (n = 7)" in said
    assert said.count("2 redo threads (message 49930)") == 2
