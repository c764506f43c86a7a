"""The real capture of both replicas: its golden numbers, and what each side alone shows."""

from __future__ import annotations

import pytest

from agtrace.tables.history import RELATIONS
from tests.folded import folded
from tests.history.log_blocks import agdata
from tests.shared import needs_captures

pytestmark = [pytest.mark.complete, needs_captures]

NODE3 = "a7f6cb00-0bb9-4251-8425-21b3e4313d44"
HOPS = {
    "capture_ms": 0.006, "send_ms": 0.162, "network_ms": 24.40, "receive_ms": 0.043,
    "decompression_ms": 0.012, "remote_harden_ms": 3.05, "acknowledgement_ms": 0.214,
    "local_harden_ms": 2.735, "commit_ms": 27.89,
}  # fmt: skip
"""Mean of each hop over the joined blocks."""


def one(query: str, *sides: str) -> tuple:
    (row,) = agdata.case(*sides).table(query).to_pylist()
    return tuple(row.values())


def counted(*sides: str) -> dict[tuple, int]:
    query = "select joined, why_not, replica_host, count(*) as n from log_blocks group by all"
    rows = agdata.case(*sides).table(query).to_pylist()
    return {(row["joined"], row["why_not"], row["replica_host"]): row["n"] for row in rows}


def test_every_block_that_both_nodes_saw_is_joined_and_the_others_say_why_not():
    assert counted() == {
        (True, None, "NODE3"): 4378,
        (False, "event lost", "NODE3"): 694,
        (False, "outside session", "NODE3"): 127 + 3946,
        (False, "not captured", None): 5199,
    }


def test_the_clocks_differ_by_half_a_second_and_the_wire_bounds_how_well_that_is_known():
    skew, spread, forward = one(
        "select avg(skew_ms), avg(skew_spread_ms), avg(network_forward_ms) from log_blocks where joined"
    )
    assert skew == pytest.approx(536, abs=1)
    assert spread == pytest.approx(24, abs=1)
    assert abs(forward) < 1


@folded(("hop", "mean"), HOPS.items())
def test_the_mean_of_each_hop(hop, mean):
    assert one(f"select avg({hop}) from log_blocks where joined")[0] == pytest.approx(
        mean, rel=0.02, abs=0.001
    )


def test_the_hops_sum_to_the_way_from_the_first_sign_to_the_acknowledgement():
    off, n = one(
        """
        select max(abs(capture_ms + send_ms + network_ms + receive_ms + decompression_ms + remote_harden_ms
                       + acknowledgement_ms - (epoch_us(t_ack_processed) - epoch_us(t_first)) / 1e3)),
               count(commit_ms)
        from log_blocks where joined and compression_ms is null
        """
    )
    assert off < 1e-6
    assert n == 4378


def test_commits_are_those_that_waited_for_the_block():
    wait, commits = one(
        f"select sum(commit_wait_ms * commits) / sum(commits), sum(commits) from log_blocks where replica_id "
        f"= '{NODE3}'"
    )
    assert wait == pytest.approx(27.285, abs=0.01)
    assert commits == pytest.approx(10531, abs=20)


def test_a_block_is_followed_by_the_next_one():
    (share,) = one(
        "select avg((log_block_id + bytes // 512 = next_log_block_id)::int) from log_blocks where t_captured "
        "is not null"
    )
    assert share == 1


def test_the_primary_alone_knows_the_way_there_and_back_as_one():
    n, remote, skew, received, why = one(
        f"""
        select count(*), avg(remote_ms), max(skew_ms), count(t_received), any_value(why_not)
        from log_blocks where replica_id = '{NODE3}'
        """,
        "PRIMARY",
    )
    assert (n, skew, received, why) == (5199, None, 0, "not captured")
    assert remote == pytest.approx(27.66, abs=0.2)


def test_the_replica_alone_knows_what_it_did_itself():
    n, harden, network, commit, host = one(
        "select count(*), avg(remote_harden_ms), max(network_ms), max(commit_ms), max(primary_host) from "
        "log_blocks",
        "SECONDARY",
    )
    assert (n, network, commit, host) == (8324, None, None, None)
    assert harden == pytest.approx(3.05, abs=0.3)


def test_columns_have_the_types_that_are_declared():
    made = agdata.case().table("select * from log_blocks")
    declared = RELATIONS["log_blocks"]
    assert [(f.name, f.type) for f in made.schema] == [(f.name, f.type) for f in declared]
