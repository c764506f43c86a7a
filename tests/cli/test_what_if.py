"""``agtrace what-if``: its JSON is a contract, its words name what they rest on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import agtrace as toolkit

KEYS = {
    "send_queue_p95_bytes", "send_queue_p95_low_bytes", "send_queue_p95_high_bytes", "send_queue_end_bytes",
    "caught_up_s", "received_bytes_per_s", "commit_p50_ms", "commit_p99_ms", "next_limit",
}  # fmt: skip
BANDS = (
    "send_queue_p95_bytes", "send_queue_end_bytes", "caught_up_s", "caught_up_from_end_s", "commit_p50_ms",
    "commit_p95_ms", "commit_p99_ms",
)  # fmt: skip
"""Figures whose ends of the band stand beside them, by their names with low and high before the unit."""


@pytest.fixture
def place(sample_store):
    return toolkit.sample("log_send_queue"), "--store", sample_store("log_send_queue")


@pytest.mark.complete
def test_the_command_prints_the_contract(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "JBSAG3", "--window", "scaled", "--json")
    told = json.loads(ran.out)
    assert ran.status == 0
    assert {"replayed", "captured", "error", "after"} <= told.keys()
    assert told["after"].keys() >= KEYS
    assert told["error"] < 0.01
    assert told["after"]["commit_p50_ms"] is None
    assert told["after"]["next_limit"] == "network"


@pytest.mark.complete
def test_every_key_of_the_contract_is_documented_and_every_documented_one_is_there(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "JBSAG3", "--window", "scaled", "--json")
    told = json.loads(ran.out)
    page = (Path(toolkit.__file__).parents[1] / "docs" / "what_if.md").read_text(encoding="utf-8")
    section = page[page.index("## The JSON") : page.index("## How far it is right")]
    whole, table = section.split("| key of `after`")
    of_after = re.findall(r"`([a-z][a-z0-9_]+)`", table)
    ends = {
        f"{stem}_{end}_{unit}"
        for stem, unit in (name.rsplit("_", 1) for name in BANDS)
        for end in ("low", "high")
    }
    ends |= {"received_low_bytes_per_s", "received_high_bytes_per_s"}
    assert set(told["after"]) == {*of_after, *ends}
    assert set(told) <= {*re.findall(r"`([a-z][a-z0-9_]+)`", whole)}
    assert KEYS <= {*of_after, *ends}  # noqa: SIM300 - the contract's keys are among them


def test_what_is_never_gone_is_null(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "JBSAG3", "--capacity", "1.05", "--json")
    after = json.loads(ran.out)["after"]
    assert after["caught_up_from_end_s"] is None
    assert after["send_queue_end_bytes"] > 1e8


def test_what_the_captures_cannot_carry_is_null_and_says_why(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "JBSAG3", "--loss", "0.001", "--json")
    told = json.loads(ran.out)
    assert {name: told["after"][name] for name in KEYS} == dict.fromkeys(KEYS)
    assert told["offered"] is False
    assert any("The round trip was not measured" in why for why in told["why_not"])


def test_the_command_says_it_in_words(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "jbsag3.example.com", "--capacity", "2")
    assert ran.out.startswith("Estimate for JBSAG3 with a path that carries 2 times as much.")
    assert "90 % band" in ran.out
    assert "Not modelled: sessions waiting for a commit" in ran.out


def test_a_replica_that_nobody_knows_is_refused(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "SQL9", "--load", "2")
    assert (ran.status, ran.out) == (2, "")
    assert "no replica is called 'SQL9'" in ran.err
    assert "JBSAG1, JBSAG3" in ran.err


@pytest.mark.parametrize("option", ["--capacity", "--rtt", "--disk", "--load"])
def test_what_no_chain_has_is_wrong_usage(agtrace, place, option):
    ran = agtrace("what-if", *place, "--replica", "JBSAG3", option, "0")
    assert (ran.status, ran.out) == (2, "")
