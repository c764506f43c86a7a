"""How the figures of commits look: one colour a hop, durations from zero, a legend of what is there."""

from __future__ import annotations

from agtrace.diagnostics.commit_latency import figures


class Spread:
    quantiles = (1.0, 2.0, 3.0)
    slow_mean = 3.0


class Link:
    database, replica, commit = "Sales", "SQL2", Spread()

    def __init__(self, *hops):
        self.hops = dict.fromkeys(hops, Spread())


def test_the_legend_lists_each_hop_once_whichever_link_has_it():
    drawn = figures.waterfall([Link("send"), Link("send", "network")]).data
    assert [trace.name for trace in drawn if trace.showlegend] == ["send", "network"]
