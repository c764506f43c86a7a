"""distributed.lag: each hop of a distributed group, by perfmon and by looks at its senders."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.distributed import Distributed
from tests.behind import assert_facts
from tests.diagnostics.distributed.cases import ALL, perfmon
from tests.diagnostics.tiny import case


def told(made):
    return [(f.severity, f.confidence, f.title) for f in Distributed(made).findings()]


@pytest.mark.parametrize(("kb", "severity"), [(58_593, "info"), (58_594, "notice")])
def test_a_hop_that_is_behind_by_a_minute_is_a_notice(kb, severity):
    # 60 s of 1 MB a second are 58,593.75 KB.
    ((found, _, _),) = told(case(perfmon("SRV1", "SRV3", queue=str(kb))))
    assert found == severity


def test_names_of_strangers_are_escaped_on_the_page():
    made = Distributed(case(perfmon("SRV1", "SRV3").replace("(Sales)", "(<b>*x*)").replace("DAG", "<i>D")))
    assert "<" not in made.say_summary().replace("\\<", "").replace("&lt;", "")


def test_the_figure_shows_the_queue_of_each_hop():
    figure = Distributed(case(perfmon(*ALL))).fig_queues()
    assert [trace.name for trace in figure.data] == ["SRV1 → SRV3", "SRV3 → SRV4"]


def test_a_hop_without_log_that_waits_was_measured_as_zero():
    (one,) = Distributed(case(perfmon("SRV3", queue="0"))).findings()
    assert_facts(one, lag=0.0, most=0.0, step=5.0, weaker=None)
