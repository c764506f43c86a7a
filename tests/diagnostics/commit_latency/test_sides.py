"""What one side cannot know is not claimed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agtrace.diagnostics.commit_latency import CommitLatency
from simulation.commits.events import told
from simulation.commits.model import AG, HOPS, PRIMARY, REPLICA, START, Setting, way
from tests.behind import assert_facts, texts
from tests.diagnostics.drawn_blocks import case_of
from tests.diagnostics.tiny import case as tiny_case
from tests.folded import folded

pytestmark = pytest.mark.complete

SETTING = Setting(blocks=60, hops_ms={"remote harden": 20.0}, skew_ms=1500, spread=0.1)
ALL_HOPS = {"capture", "compression", "send", "network", "receive", "decompression", "remote harden",
            "acknowledgement", "local harden", "remote", "commit", "commit wait"}  # fmt: skip
SIDES = [
    (
        (PRIMARY, REPLICA),
        ALL_HOPS - {"remote", "compression"},
        {"skew", "skew spread", "skew drift", "skew drift error", "joined blocks"},
        "remote harden",
    ),
    ((PRIMARY,), {"capture", "send", "remote", "local harden", "commit", "commit wait"}, set(), "remote"),
    ((REPLICA,), {"receive", "decompression", "remote harden"}, set(), None),
]  # fmt: skip


def events(setting, keep=lambda event: True):
    rng = np.random.default_rng(7)
    ways = [way(setting, database, rng) for database in setting.databases]
    return [event for event in told(setting, ways, rng) if keep(event)]


def findings(setting, **more):
    return CommitLatency(case_of(events(setting, **more))).findings()


@pytest.mark.parametrize(("sides", "hops", "clocks", "dominant"), SIDES, ids=["both", "primary", "replica"])
def test_each_side_tells_what_it_saw_and_nothing_else(sides, hops, clocks, dominant):
    found = findings(replace(SETTING, sides=sides, blocks=180, apart_ms=330))
    (latency,) = [f for f in found if f.id == "commit.latency"]
    labels = {e.label for e in latency.evidence}
    assert {label.removesuffix(" p50") for label in labels if label.endswith(" p50")} == hops
    assert {label for label in labels if label.startswith(("skew", "joined"))} == clocks
    named = [e.value for f in found if f.id == "commit.hop" for e in f.evidence if e.label == "dominant hop"]
    assert named == ([dominant] if dominant else [])
    assert latency.subject["ag"] == AG
    assert latency.window["start"].startswith(f"{START:%Y-%m-%dT%H:%M}")


@folded("hop", HOPS)
def test_each_hop_that_dominates_has_its_remedy(hop):
    slow = replace(SETTING, hops_ms={hop: 60.0}, compressed=hop in ("compression", "decompression"))
    (told_of,) = [f for f in findings(slow) if f.id == "commit.hop"]
    assert told_of.evidence[0].value == hop
    assert told_of.recommendation


@pytest.mark.parametrize(
    ("sides", "end"),
    [
        ((PRIMARY, REPLICA), {"judged": 1, "left_out": [], "waited": []}),
        ((REPLICA,), {"judged": 1, "left_out": [], "waited": []}),
    ],
)
def test_the_summary_says_what_dominates_where_commits_were_seen(sides, end):
    asked = CommitLatency(case_of(events(replace(SETTING, sides=sides))))
    assert_facts(texts(asked.say_summary)["summary.md"], **end)


def test_an_asynchronous_replica_has_no_commits_to_speak_of():
    found = []
    for event in events(SETTING):
        if event.event == "hadr_db_commit_mgr_harden":
            # It goes on as soon as the log is hard at home.
            wait = event.fields["time_to_commit"] - 30
            event = replace(event, at_us=event.at_us - wait, fields=event.fields | {"time_to_commit": 30})
        found.append(event)
    analysis = CommitLatency(case_of(found))
    assert analysis.findings() == []
    assert_facts(texts(analysis.say_summary)["summary.md"], left_out=1, judged=[], waited=[])


MODE = "{host} | {at} | replicas | ag={ag}; replica={replica}; availability_mode={mode}_COMMIT"


def looks(*pairs):
    rows = (MODE.format(host=PRIMARY, at=at, ag=AG, replica=REPLICA, mode=mode) for at, mode in pairs)
    return tiny_case(relations="\n".join(rows))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([(-900, "ASYNCHRONOUS"), (-800, "SYNCHRONOUS")], "synchronous"),
        ([("-", "ASYNCHRONOUS")], "asynchronous"),
        ([(-900, "SYNCHRONOUS"), (900, "ASYNCHRONOUS")], None),
    ],
)
def test_looks_tell_how_a_replica_commits(told, expected):
    asked = CommitLatency(case_of(events(SETTING), looks(*told)))
    (link,) = asked.links
    assert link.row.commit_mode == expected
    assert bool(asked.findings()) == (expected != "asynchronous")


def test_few_blocks_carry_no_verdict():
    assert findings(replace(SETTING, blocks=5)) == []


@pytest.mark.parametrize(("seconds", "told"), [(38, set()), (58, {"skew drift", "skew drift error"})])
def test_a_drift_takes_three_moments_and_has_its_error(seconds, told):
    """Blocks a second apart, by which medians of ten seconds each are taken."""
    (latency, *_more) = findings(replace(SETTING, blocks=seconds, apart_ms=1000))
    assert {each.label for each in latency.evidence} & {"skew drift", "skew drift error"} == told


def test_a_drift_of_twenty_milliseconds_an_hour_is_told_with_its_error():
    hour = replace(SETTING, blocks=360, apart_ms=10000, drift_ms_per_h=20, skew_ms=-700)
    (latency, *_more) = findings(hour)
    said = {e.label: e.value for e in latency.evidence}
    assert said["skew drift"] == pytest.approx(20, abs=1)
    assert 0 < said["skew drift error"] < 0.5
    assert_facts(latency, link=True)


def told_of_slow(change):
    """Slow every hundredth block, and return the finding on the dominant hop."""
    setting = replace(SETTING, blocks=2100, apart_ms=200, spread=0.01)
    rng = np.random.default_rng(7)
    (one,) = (way(setting, database, rng) for database in setting.databases)
    change(one, np.arange(2100) // 100 * 100 + 50)
    kinds = {
        "hadr_capture_log_block",
        "hadr_log_block_send_complete",
        "hadr_receive_harden_lsn_message",
        "hadr_db_commit_mgr_harden",
    }
    of_primary = [event for event in told(setting, [one], rng) if event.event in kinds]
    (hop,) = (f for f in CommitLatency(case_of(of_primary)).findings() if f.id == "commit.hop")
    return hop.narrative


def late(one, which):
    for name in ("ack_received", "ack_processed"):
        one.times[name][which] += 30_000


def test_slow_commits_of_larger_blocks():
    def change(one, which):
        late(one, which)
        one.sectors[:] = 20
        one.sectors[which] = 100
        one.ids[:] = one.ids[0] + np.concatenate([[0], np.cumsum(one.sectors)[:-1]])

    text = told_of_slow(change)
    assert "lie in the minute" not in text


def test_slow_commits_of_one_minute():
    text = told_of_slow(lambda one, which: late(one, which // 100 + 1000))
    assert "larger blocks" not in text


def test_a_local_flush_whose_begin_was_not_captured_is_no_hop_that_dominates():
    slow = replace(SETTING, hops_ms={"local harden": 80.0})
    found = findings(slow, keep=lambda event: event.event != "log_flush_start")
    (hop,) = [each for each in found if each.id == "commit.hop"]
    assert hop.evidence[0].value != "local harden"


def test_blocks_of_which_no_hop_was_captured_have_no_latency():
    kept = ("hadr_capture_log_block",)
    assert findings(SETTING, keep=lambda event: event.event in kept and event.fields.get("mode") == 1) == []
