"""How the figures of commits look: one colour a hop, durations from zero, a legend of what is there."""

from __future__ import annotations

from agtrace.diagnostics.commit_latency import figures
from agtrace.diagnostics.commit_latency.figures import HOPS
from agtrace.diagnostics.commit_latency.measured import LOCAL, QUANTILES


class Spread:
    quantiles = (1.0, 2.0, 3.0)
    slow_mean = 3.0


class Link:
    database, replica, commit = "Sales", "SQL2", Spread()

    def __init__(self, *hops):
        self.hops = dict.fromkeys(hops, Spread())


def test_every_hop_has_a_colour_of_its_own():
    drawn = figures.waterfall([Link(*HOPS)]).data
    colours = {trace.name: trace.marker.color for trace in drawn}
    assert len(set(colours.values())) == len(colours) == len(HOPS)


def test_a_hop_keeps_its_colour_whichever_others_were_seen():
    (few, all_of_them) = (figures.waterfall([Link(*hops)]).data for hops in ((LOCAL, "send"), HOPS))
    known = {trace.name: trace.marker.color for trace in all_of_them}
    assert {trace.name: trace.marker.color for trace in few} == {
        each: known[each] for each in (LOCAL, "send")
    }


def test_the_legend_lists_each_hop_once_whichever_link_has_it():
    drawn = figures.waterfall([Link("send"), Link("send", "network")]).data
    assert [trace.name for trace in drawn if trace.showlegend] == ["send", "network"]


def test_durations_stand_on_a_linear_axis_from_zero():
    axis = figures.hops([Link(*HOPS)]).layout.yaxis
    assert (axis.type, axis.rangemode) == (None, "tozero")


def test_percentiles_have_no_colour_of_a_hop():
    hops = {trace.marker.color for trace in figures.waterfall([Link(*HOPS)]).data}
    assert {trace.marker.color for trace in figures.hops([Link(*HOPS)]).data}.isdisjoint(hops)
    assert set(figures.SHADES) == set(QUANTILES)
