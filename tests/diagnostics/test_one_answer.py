"""One question has one answer: no two findings of a sample say that a replica keeps up, does not, or is unknown."""

from __future__ import annotations

import pytest

import agtrace

SAMPLES = (
    "commit_local_disk", "commit_network", "commit_redo", "commit_remote_disk", "log_send_queue",
    "log_send_queue_fixed", "read_only_routing", "direct_seeding", "secondary_lost",
)  # fmt: skip


def answer(finding):
    if finding.id == "quality.not_captured":
        return "unknown" if "replica" in finding.subject else None
    if finding.id == "transport.healthy":
        return "keeps up"
    behind = ("_limited", ".suspended", ".flow_control", ".redo_blocked")
    return "is behind" if finding.id.startswith("transport.") and finding.id.endswith(behind) else None


@pytest.mark.complete
@pytest.mark.parametrize("name", SAMPLES)
def test_no_two_answers_exclude_each_other(name, sample_store):
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        told = [(each, answer(each)) for each in case.findings() if answer(each)]
    for one, first in told:
        for other, second in told:
            at = [each.window or {"start": "", "end": "9"} for each in (one, other)]
            together = at[0]["start"] <= at[1]["end"] and at[1]["start"] <= at[0]["end"]
            if together and one.subject.get("replica") == other.subject.get("replica"):
                assert first == second, (one.title, other.title)
