"""What is said of commits, by ways made by hand."""

from __future__ import annotations

from agtrace.diagnostics.commit_latency import judge
from agtrace.diagnostics.commit_latency.analysis import SAID
from agtrace.say.said import Judged
from tests.behind import assert_facts
from tests.diagnostics.commit_latency.made import WAITED, hop, link, spread, stretch
from tests.folded import folded


def text(made: Judged) -> str:
    return SAID.finding(made).narrative.replace("\n\n", " ")


@folded(
    ("name", "remedy"),
    [
        ("capture", {"hop": "capture", "share": 60.0, "of_hop": True}),
        ("compression", {"hop": "compression", "share": 60.0, "of_hop": True}),
        ("send", {"hop": "send", "share": 60.0, "of_hop": True}),
        ("network", {"hop": "network", "share": 60.0, "of_hop": True}),
        ("receive", {"hop": "receive", "share": 60.0, "of_hop": True}),
        ("decompression", {"hop": "decompression", "share": 60.0, "of_hop": True}),
        ("remote harden", {"hop": "remote harden", "share": 60.0, "of_hop": True}),
        ("acknowledgement", {"hop": "acknowledgement", "share": 60.0, "of_hop": True}),
        ("remote", {"hop": "remote", "share": 60.0, "of_hop": True}),
    ],
)
def test_each_hop_is_named_with_its_remedy(name, remedy):
    found = SAID.finding(hop(link({name: 12.0})))
    assert_facts(found, share=60.0, of_hop=True, common=True)
    assert_facts(found, **remedy)
    brief = SAID.finding(hop(link({name: 2.0}, 3.0)))
    assert_facts(brief, share=66.6667, is_slow=False, of_hop=True)


def test_the_local_log_is_named_with_its_remedy():
    of = link({"local harden": 18.0}, outlasting=spread(16.0))
    found = SAID.finding(hop(of))
    assert_facts(found, hop="local harden", share=80.0, of_hop=True)


def test_hosts_that_are_not_known_are_called_by_what_they_are():
    assert_facts(
        SAID.finding(hop(link({"network": 12.0}, primary_host=None, replica=None, replica_id=None))),
        hop="network",
        share=60.0,
        link=True,
        of_hop=True,
    )


def test_a_way_beside_a_slower_one_is_told_with_it():
    found = SAID.finding(hop(link(waiting_ms=5.0), link(waiting_ms=7.0, replica="SQL3")))
    assert_facts(found, hop="remote harden", share=60.0, later="SQL3", of_hop=True)


def test_waits_alone_in_words():
    found = SAID.finding(judge.waits(WAITED, [stretch("SQL1", 900, 2e6)]))
    assert_facts(found, mean=7.5, n=1234, host="SQL1", write_mean=1.5)
    bare = SAID.finding(judge.waits(WAITED | {"write_mean": None}, []))
    assert_facts(bare, host="SQL1", mean=7.5, n=1234, write_mean=None)
