"""distributed.lag: each hop of a distributed group, by perfmon and by looks at its senders."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from agtrace.diagnostics.distributed import Distributed
from tests.behind import assert_facts
from tests.diagnostics.distributed.cases import ALL, LOOK_AT_FORWARDER, LOOK_AT_SENDER, looks, perfmon
from tests.diagnostics.tiny import case


def told(made):
    return [(f.severity, f.confidence, f.title) for f in Distributed(made).findings()]


def test_each_hop_is_told_and_the_longest_is_named():
    assert told(case(perfmon(*ALL))) == [("notice", 0.9, ANY), ("info", 0.9, ANY)]


def test_a_finding_is_of_the_distributed_group_and_of_both_ends():
    found = Distributed(case(perfmon(*ALL))).findings()[0]
    assert (found.id, found.subject) == (
        "distributed.lag", {"ag": "DAG", "host": "SRV1", "replica": "SRV3", "database": "Sales"},
    )  # fmt: skip
    assert found.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:09:55+00:00"}
    assert [(e.label, e.value, e.unit) for e in found.evidence] == [
        ("Sales: behind by", pytest.approx(358.4), "s"),
        ("Sales: behind by, at most", pytest.approx(358.4), "s"),
        ("Sales: log that waits to be sent", 358_400_000, "B"),
        ("Sales: log that arrives", 400_000, "B/s"),
        ("Sales: log that waits to be redone", 0, "B"),
    ]


@pytest.mark.parametrize(("kb", "severity"), [(58_593, "info"), (58_594, "notice")])
def test_a_hop_that_is_behind_by_a_minute_is_a_notice(kb, severity):
    # 60 s of 1 MB a second are 58,593.75 KB.
    ((found, _, _),) = told(case(perfmon("SRV1", "SRV3", queue=str(kb))))
    assert found == severity


def test_a_link_whose_global_primary_alone_was_captured_has_no_queue():
    made = Distributed(case(perfmon("SRV1", "SRV2", "SRV4")))
    assert made.findings() == []


def test_a_forwarder_alone_tells_its_own_side():
    made = case(perfmon("SRV3"))
    assert told(made) == [("notice", 0.7, ANY)]
    (found,) = Distributed(made).findings()
    assert_facts(found, databases=1, lag=357.559, forwards=False, is_between=True)
    assert "host" not in {key for key, value in found.subject.items() if value}, "AG1 is no host"


def test_clocks_that_do_not_compare_make_it_less_sure():
    made = case(perfmon("SRV1", "SRV3"), zone_unknown=("SRV3",))
    assert [confidence for _, confidence, _ in told(made)] == [0.7]


def test_a_group_that_perfmon_names_as_a_replica_is_no_host_that_was_not_captured():
    from agtrace.diagnostics.overview import Overview

    titles = " ".join(finding.title for finding in Overview(case(perfmon(*ALL))).findings())
    assert "AG1" not in titles


def test_a_queue_into_which_nothing_arrives_stands_still():
    made = case(perfmon("SRV1", "SRV3", queue="5000", arrives="60x400000, 0"))
    assert told(made) == [("warning", 0.9, ANY)]


def test_a_look_at_the_sender_tells_its_hop_by_the_last_commits():
    assert told(case(relations=looks(LOOK_AT_SENDER))) == [("notice", 0.7, ANY)]


@pytest.mark.parametrize(
    ("commit", "severity"), [("2024-03-05T12:00:00", "notice"), ("2024-03-05T12:00:01", "info")]
)
def test_a_look_counts_from_a_minute_on(commit, severity):
    ((found, _, _),) = told(case(relations=looks(LOOK_AT_SENDER, commit=commit)))
    assert found == severity


def test_a_look_at_the_forwarder_tells_the_hop_to_its_own_replicas():
    assert told(case(relations=looks(LOOK_AT_FORWARDER))) == [("info", 0.7, ANY)]


def test_suspended_movement_at_a_look_is_no_lag():
    assert told(case(relations=looks(LOOK_AT_SENDER, suspended="true"))) == [("warning", 0.7, ANY)]


def test_perfmon_counts_before_a_look_that_shows_the_same_hop():
    made = Distributed(case(perfmon("SRV1", "SRV3"), relations=looks(LOOK_AT_SENDER)))
    assert [(f.title, len(f.evidence)) for f in made.findings()] == [(ANY, 10)]


def test_an_ordinary_group_has_no_chain():
    made = Distributed(case(perfmon("SRV1", "SRV2")))
    assert made.findings() == []


def test_names_of_strangers_are_escaped_on_the_page():
    made = Distributed(case(perfmon("SRV1", "SRV3").replace("(Sales)", "(<b>*x*)").replace("DAG", "<i>D")))
    assert "<" not in made.say_summary().replace("\\<", "").replace("&lt;", "")


def test_the_figure_shows_the_queue_of_each_hop():
    figure = Distributed(case(perfmon(*ALL))).fig_queues()
    assert [trace.name for trace in figure.data] == ["SRV1 → SRV3", "SRV3 → SRV4"]


def test_the_table_has_a_row_for_each_hop_and_database():
    table = Distributed(case(perfmon(*ALL))).tbl_hops()
    assert table[["hop", "database"]].to_numpy().tolist() == [
        ["SRV1 → SRV3", "Sales"],
        ["SRV3 → SRV4", "Sales"],
    ]
