"""What the text of a packet capture says about the windows of connections."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.handshakes import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds, read_all
from tests.readers.handshakes.small import TCPDUMP, TSHARK

NEAR = {
    "client": "10.20.0.5", "client_port": "51424", "server": "10.20.0.4", "server_port": "5022",
    "client_window": "65535", "client_scale": "8", "server_window": "65535", "server_scale": "8",
}  # fmt: skip


@pytest.mark.parametrize("text", [TCPDUMP, TSHARK])
def test_contract(text):
    check_text_reader(READER, text, "tcp_handshake", complete=len("\n".join(text.splitlines()[:2])))


def test_an_answer_without_window_scaling():
    (found,) = facts_of(READER, TCPDUMP, "tcp_handshake")
    assert found == {
        "client": "10.20.0.5", "client_port": "51423", "server": "10.60.0.4", "server_port": "5022",
        "client_window": "65535", "client_scale": "8", "server_window": "65535",
        "server_scale": "none",
    }  # fmt: skip


def test_a_factor_is_told_as_its_shift():
    assert facts_of(READER, TSHARK, "tcp_handshake") == [NEAR]


def test_the_time_is_that_of_the_syn_where_its_day_is_shown():
    for text, time in ((TCPDUMP, datetime(2019, 8, 20, 10, 31, 7, 412345)), (TSHARK, None)):
        rows = read_all(READER, text.encode(), "capture.txt")["facts"].to_pylist()
        assert {row["time_local"] for row in rows} == {time}


@pytest.mark.parametrize(
    "syn",
    [
        (
            "      1 0.000000       10.20.0.5             10.20.0.4             TCP      66     51424 → "
            "5022 [SYN] Seq=0 Win=65535 Len=0 WS=256"
        ),
        (
            '"1","0.000000","10.20.0.5","10.20.0.4","TCP","66","51424  >  5022 [SYN] Seq=0 Win=65535 Len=0 '
            'MSS=1460 WS=256"'
        ),
        (
            "  1 2019-08-20 10:31:07.4 10.20.0.5 -> 10.20.0.4 TCP 66 51424 > 5022 [SYN, ECN, CWR] Seq=0 "
            "Win=65535 Len=0 WS=256"
        ),
        (
            "  1 0.0 10.20.0.5 â†’ 10.20.0.4 TCP 66 [TCP Retransmission] 51424 â†’ 5022 [SYN] Seq=0 "
            "Win=65535 Len=0 WS=256"
        ),
        (
            "10:31:07.412345 IP 10.20.0.5.51424 > 10.20.0.4.5022: Flags [S], seq 1, win 65535, options [mss "
            "1460,wscale 8], length 0"
        ),
        (
            "    10.20.0.5.51424 > 10.20.0.4.5022: Flags [S], cksum 0x1b2c (correct), seq 1, win 65535, "
            "options [wscale 8,eol], length 0"
        ),
    ],
)  # fmt: skip
def test_every_layout_of_a_syn(syn):
    wanted = {key: value for key, value in NEAR.items() if "server_" not in key or "port" in key}
    assert facts_of(READER, syn + "\n", "tcp_handshake") == [wanted]
    assert issue_kinds(READER, syn + "\n") == ["unanswered"]


def test_names_are_told_as_hosts():
    text = TCPDUMP.replace("10.60.0.4", "jbsag3.corp.example").replace("10.20.0.5", "JBSAG2")
    (found,) = facts_of(READER, text, "tcp_handshake")
    assert (found["client"], found["server"]) == ("JBSAG2", "JBSAG3")


def test_an_answer_alone_tells_what_was_agreed():
    (found,) = facts_of(READER, TCPDUMP.split("\n", 1)[1], "tcp_handshake")
    assert (found["client"], found["server_scale"]) == ("10.20.0.5", "none")
    assert "client_scale" not in found


def test_a_syn_that_is_sent_again_counts_as_it_was_answered():
    first, rest = TCPDUMP.split("\n", 1)
    again = first.replace(",nop,wscale 8", "")
    (found,) = facts_of(READER, f"{first}\n{again}\n{rest}", "tcp_handshake")
    assert found["client_scale"] == "none"


def test_other_texts_are_not_taken():
    assert not is_detected(READER, "Flags [S] of something\n[SYN] alone\n")
    assert not is_detected(READER, "10.20.0.5 > 10.60.0.4: ICMP echo request\n")
