"""``agtrace what-if``: its JSON is a contract, its words name what they rest on."""

from __future__ import annotations

import json

import pytest

import agtrace as toolkit

KEYS = {
    "send_queue_p95_bytes", "send_queue_p95_low_bytes", "send_queue_p95_high_bytes", "send_queue_end_bytes",
    "caught_up_s", "received_bytes_per_s", "commit_p50_ms", "commit_p99_ms", "next_limit",
}  # fmt: skip


@pytest.fixture
def place(sample_store):
    return toolkit.sample("log_send_queue"), "--store", sample_store("log_send_queue")


def test_the_command_prints_the_contract(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "JBSAG3", "--window", "scaled", "--json")
    told = json.loads(ran.out)
    assert ran.status == 0
    assert {"replayed", "captured", "error", "after"} <= told.keys()
    assert told["after"].keys() >= KEYS
    assert told["error"] < 0.01
    assert told["after"]["commit_p50_ms"] is None
    assert told["after"]["next_limit"] == "network"


def test_the_command_says_it_in_words(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "jbsag3.example.com", "--capacity", "2")
    assert ran.out.startswith("Estimate for JBSAG3 with a path that carries 2 times as much.")
    assert "90 % band" in ran.out
    assert "Left out: sessions that wait for their commits" in ran.out


def test_a_replica_that_nobody_knows_is_refused(agtrace, place):
    ran = agtrace("what-if", *place, "--replica", "SQL9", "--load", "2")
    assert (ran.status, ran.out) == (2, "")
    assert "no replica is called 'SQL9'" in ran.err
    assert "JBSAG1, JBSAG3" in ran.err


@pytest.mark.parametrize("option", ["--capacity", "--rtt", "--disk", "--load"])
def test_what_no_chain_has_is_wrong_usage(agtrace, place, option):
    ran = agtrace("what-if", *place, "--replica", "JBSAG3", option, "0")
    assert (ran.status, ran.out) == (2, "")
