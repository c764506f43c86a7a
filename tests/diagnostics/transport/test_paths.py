"""The paths to the replicas side by side: copies, round trips, cards, TCP settings, handshakes."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import CEILING, SLOW, one, perfmon, value, verdicts

OFF = "S | tcp_global | 0 | autotuning_level | disabled"
COPY = """
    P | robocopy | 0 | destination_host | S
    P | robocopy | 0 | speed_bytes_per_s | 1020000
    P | robocopy | 1 | destination_host | T
    P | robocopy | 1 | speed_bytes_per_s | 23040000
"""
ADDRESS = "P | ping | 0 | target_host | S\nP | ping | 0 | address | 10.60.0.4"
PING = f"{ADDRESS}\nP | ping | 0 | rtt_avg_ms | 115"
OTHER = r"""
    T | \SQLServer:Database Replica(Sales)\Log Send Queue | 100~5
    T | \SQLServer:Database Replica(Sales)\Log Bytes Received/sec | 1000000
"""


def handshake(client: str, server: str, at: str = "", name: str = "P") -> str:
    given = {"client": "P", "server": "10.60.0.4", "server_port": "5022",
             "client_scale": client, "server_scale": server}  # fmt: skip
    return "\n".join(f"{name} | tcp_handshake | 0 | {k} | {v}{at}" for k, v in given.items())


def slow(facts: str, more: str = ""):
    return case(perfmon(SLOW, CEILING) + more, facts=facts)


def test_the_copies_stand_side_by_side_in_the_finding():
    found = one(slow(f"{OFF}\n{COPY}", OTHER), "window_limited")
    assert_facts(found, replica="S", averaged=None, gate=None, resent=None)
    assert value(found, "bulk copy to T") == 23_040_000


def test_one_table_of_the_paths_in_bytes_and_bits():
    rows = Transport(slow(f"{COPY}\n{PING}", OTHER)).tbl_paths().to_dict("records")
    row = next(row for row in rows if row["replica"] == "S")
    assert (row["bulk_copy"], row["round_trip_ms"]) == ("1.0 MB/s, 8.16 Mb/s", 115)
    assert row["one_window_carries"] == "570 KB/s, 4.56 Mb/s"
    assert (row["card"], row["card_capacity"]) == ("P", "1.0 Gb/s")
    assert row["card_in_use"] == "2.0 MB/s, 16 Mb/s, 1.6 %"


def test_one_table_of_the_tcp_settings_marks_the_odd_ones():
    def netsh(host: str, level: str, rss: str) -> str:
        given = {"autotuning_level": level, "rss_state": rss, "timestamps": "disabled"}
        return "\n".join(f"{host} | tcp_global | 0 | {key} | {v}" for key, v in given.items())

    looks = [netsh("P", "normal", "enabled"), netsh("S", "disabled", "disabled")]
    transport = Transport(slow("\n".join([*looks, netsh("T", "disabled", "enabled")])))
    rows = {row["host"]: row for row in transport.tbl_tcp_settings().to_dict("records")}
    assert [rows[host]["odd"] for host in "PST"] == ["", "autotuning_level, rss_state", "autotuning_level"]
    assert (rows["S"]["rss_state"], rows["T"]["rss_state"]) == ("disabled (!)", "enabled")
    assert {row["timestamps"] for row in rows.values()} == {"disabled"}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        # A handshake without scaling is a sign of the window itself, whatever the settings say.
        (handshake("8", "none"), "window_limited critical 0.75 S"),
        (f"{OFF}\n{handshake('8', 'none')}", "window_limited critical 0.85 S"),
        # One with it speaks against a window, even where the receiver's setting is off.
        (f"{OFF}\n{handshake('8', '8')}", "network_limited critical 0.6 S"),
        # Connections that differ say nothing.
        (f"{handshake('8', '8')}\n{handshake('none', '8', name='P@b')}", "network_limited critical 0.6 S"),
    ],
)  # fmt: skip
def test_a_handshake_tells_whether_the_window_scales(facts, expected):
    assert verdicts(slow(f"{facts}\n{ADDRESS}")) == [expected]


def test_a_handshake_is_evidence():
    found = one(slow(f"{OFF}\n{ADDRESS}\n{handshake('8', 'none')}"), "window_limited")
    assert value(found, "TCP window scaling in the handshake") == "not negotiated"
    assert_facts(found, averaged=None, gate=None, resent=None, ratio=None)


def test_an_offer_without_an_answer_says_nothing():
    asked = "\n".join(line for line in handshake("8", "8").splitlines() if "server_scale" not in line)
    found = one(slow(f"{OFF}\n{ADDRESS}\n{asked}"), "window_limited")
    assert "TCP window scaling in the handshake" not in [e.label for e in found.evidence]


def test_what_was_looked_at_nearest_to_the_window_counts():
    near, far = handshake("8", "none", " | 700"), handshake("8", "8", " | 9000", "P@after")
    found = one(slow(f"{OFF}\n{ADDRESS}\n{near}\n{far}"), "window_limited")
    assert value(found, "TCP window scaling in the handshake") == "not negotiated"
