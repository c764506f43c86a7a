"""What a person sees of the transport question: words, tables, figures."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from agtrace.diagnostics import analyses
from agtrace.diagnostics.transport import Transport
from agtrace.diagnostics.transport.figures import MOST_DATABASES
from agtrace.say.figures import describe
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import Case, case
from tests.diagnostics.transport.cases import CEILING, ROWS, SLOW, perfmon
from tests.folded import folded

TUNING_OFF = "S | tcp_global | 0 | autotuning_level | disabled"
PING = "P | ping | 0 | target_host | S\nP | ping | 0 | rtt_avg_ms | 156"


@cache
def slow():
    return Transport(case(perfmon(SLOW, CEILING), facts=f"{TUNING_OFF}\n{PING}"))


def test_the_analysis_is_found_by_its_folder():
    assert analyses()["transport"] is Transport


def test_the_summary_of_a_replica_that_keeps_up():
    assert_facts(
        texts(Transport(case(perfmon())).say_summary)["summary.md"],
        judged=1,
        replicas=1,
        found=3,
        is_told=True,
    )


def test_the_summary_and_the_gaps_without_any_input():
    empty = Transport(Case())
    assert empty.findings() == []
    assert_facts(texts(empty.say_summary)["summary.md"], is_told=False)
    (_said,) = empty.missing()
    assert Transport(case(perfmon(only="S"))).missing() == []
    assert len(empty.tbl_chain()) == len(empty.tbl_roles()) == len(empty.tbl_rpo_rto()) == 0
    assert empty.fig_queues().layout.title.text == "No log send queue was captured"
    assert empty.fig_rates().layout.title.text == "No log rate was captured"
    assert empty.fig_chain().layout.title.text == "Log flushed, received and redone"


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "[a](javascript:b)", "*x*_y_$z$"])
def test_names_from_captures_cannot_become_markup(name):
    rows = perfmon(SLOW).replace("(Sales)", f"({name})").replace("(AG:", f"(A<b>{name}:")
    found = Transport(case(rows))
    said = found.say_summary() + found.say_missing()
    assert name not in said
    assert "<" not in said
    for fig in (found.fig_chain(), found.fig_queues(), found.fig_rates(), found.fig_rpo()):
        shown = [fig.layout.title.text, *(t.name for t in fig.data)]
        shown += [a.text for a in fig.layout.annotations]
        assert not any("<img" in text or "<b>" in text for text in shown if text)


def test_the_chain_as_a_table():
    (row,) = slow().tbl_chain().to_dict("records")
    assert (row["ag"], row["primary"], row["replica"], row["database"]) == ("AG", "P", "S", "Sales")
    assert (row["samples"], row["verdict"]) == (120, "window_limited")
    assert (row["flushed_p50"], row["received_p50"], row["redone_max"]) == (1e6, 4e5, 4e5)
    assert row["send_queue_end"] == 351562 * 1024
    assert row["send_queue_slope"] == pytest.approx(351562 * 1024 / 595)


def test_roles_as_a_table():
    rows = slow().tbl_roles().values.tolist()
    assert rows == [["AG", "P", "PRIMARY", "", "", "counters"], ["AG", "S", "SECONDARY", "", "", "counters"]]


def test_costs_as_a_table():
    (row,) = slow().tbl_rpo_rto().to_dict("records")
    assert row["rpo_method"] == "integral"
    assert row["rpo_end"] == pytest.approx(360, abs=0.1)
    assert row["redo_max"] == pytest.approx(105 * 1024 / 4e5)


def test_the_chain_as_a_figure():
    fig = slow().fig_chain()
    assert describe(fig).splitlines() == [
        "flushed on the primary: 120 points, 1 to 1 log MB/s, 0 gaps",
        "received: 120 points, 0.4 to 0.4 log MB/s, 0 gaps",
        "redone: 120 points, 0.4 to 0.4 log MB/s, 0 gaps",
        "log send queue: 120 points, 0 to 360 MB, 0 gaps",
        "recovery queue: 120 points, 0.0973 to 0.108 MB, 0 gaps",
    ]


def test_the_other_figures_say_their_result():
    found = slow()
    assert found.fig_queues().layout.title.text == ("The longest log send queue at the end is 360 MB, on S")
    assert found.fig_rates().layout.title.text == ("Mean log rates: 1.0 MB/s flushed; 400 KB/s received by S")
    assert found.fig_rpo().layout.title.text == ("At the end a failover would lose up to 6 min (Sales on S)")


def test_of_many_databases_the_loss_of_the_worst_is_drawn():
    rows = perfmon(SLOW).splitlines()
    of_one = [row for row in rows if "(Sales)" in row]
    more = [row.replace("(Sales)", f"(Db{n:02})") for n in range(13) for row in of_one]
    fig = Transport(case("\n".join([*rows, *more]))).fig_rpo()
    assert len(fig.data) == MOST_DATABASES == 12
    titles = [note.text for note in fig.layout.annotations]
    assert titles == ["data loss at a failover to S (12 of 14 databases, the worst)"]


def test_the_window_figure_shows_the_measured_point_on_the_curve():
    fig = slow().fig_window()
    assert fig.layout.title.text == "S fills 1 windows per round trip"
    point = fig.data[1]
    assert (point.x[0], point.y[0]) == (156, 0.42)
    trips, rates = np.array(fig.data[0].x), np.array(fig.data[0].y)
    assert np.allclose(trips / 1000 * rates * 1e6, 65535)
    none = Transport(case(perfmon(SLOW))).fig_window()
    assert none.layout.title.text == "No round trip to a replica was captured (ping)"


def test_a_suspension_is_shaded():
    rows = perfmon(queue="60x100~5,60x100", received="60x1000000,0", redone="60x1000000,0")
    fig = Transport(case(rows)).fig_chain()
    assert "S: queue stale" in [a.text for a in fig.layout.annotations]


@pytest.mark.complete
def test_findings_do_not_import_plotly():
    code = (
        "import sys; from tests.diagnostics.tiny import case;"
        "from tests.diagnostics.transport.cases import perfmon, verdicts;"
        "print(verdicts(case(perfmon())), 'plotly' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['healthy info 0.9 S'] False"


@pytest.mark.complete
@folded("left_out", list(ROWS))
def test_any_counter_can_be_missing(left_out):
    for only in ("PS", "P", "S"):
        found = Transport(case(perfmon(SLOW, {left_out: None}, only=only)))
        assert all(f.evidence for f in found.findings())
        assert found.say_summary()
        found.say_missing()
        assert len(found.tbl_chain()) <= 1
        assert len(found.tbl_rpo_rto()) <= 1


@pytest.mark.parametrize("kept", list(ROWS))
def test_one_counter_alone_raises_nothing(kept):
    alone = perfmon({name: None for name in ROWS if name != kept})
    found = Transport(case(alone))
    assert [f.severity for f in found.findings() if f.severity == "critical"] == []
    assert found.say_summary()


@pytest.mark.parametrize("blank", list(ROWS))
def test_any_counter_can_be_blank(blank):
    for value in ("-", "119x-,5"):
        found = Transport(case(perfmon(SLOW, {blank: value})))
        assert all(f.evidence for f in found.findings())
        found.say_summary()


@pytest.mark.complete
def test_very_long_captures_are_read_as_means():
    long = Transport(case(perfmon(SLOW), rows=40_000, every=1))
    assert_facts(long.findings()[0], averaged=2.0, gate=None, resent=None, ratio=None)


def test_the_chain_marks_the_step_that_holds_it_back():
    (strip,) = slow().strips()
    assert strip.name == "P to S"
    assert [step.name for step in strip.steps] == ["flushed", "sent", "received", "hardened", "redone"]
    assert [step.name for step in strip.steps if step.is_slow] == ["received"]
    (strip,) = Transport(case(perfmon())).strips()
    assert not any(step.is_slow for step in strip.steps)
