"""TCP settings in a file of two encodings, as SDP writes it."""

from __future__ import annotations

import pytest

from agtrace.readers.mixed_text import MixedDecoder, is_mixed
from agtrace.readers.netsh_tcp import READER
from agtrace.readers.text import decode_text
from agtrace.testing import check_flips, check_read_twice, facts, is_detected, read_all
from simulation.formats.host_facts import NETSH_2012_R2, netsh_text
from tests.shared import CAPTURES, needs_captures

TITLE = "=" * 40 + "\r\nTCPIP Offload Information\r\n" + "-" * 26 + "\r\nnetsh int tcp show global\r\n"
WIDE = TITLE.encode("utf-16")
NARROW = netsh_text(NETSH_2012_R2).replace("\r\n", "\n").replace("\n", "\r\n").encode()
LAST = "\n\n\r\n----\r\nnetstat -nato\r\n".encode("utf-16-le")


def test_eight_bit_lines_in_utf_16_are_read():
    data = WIDE + NARROW + LAST + b"Active Connections\r\n"
    assert is_detected(READER, data)
    assert facts(read_all(READER, data, "x.txt"), "tcp_global") == facts(
        read_all(READER, NARROW, "x.txt"), "tcp_global"
    )


def test_utf_16_goes_on_at_an_odd_offset():
    text = decode_text(WIDE + b"Querying active state...\r\n" + "größe\r\n".encode("utf-16-le") + b"x")
    assert text == TITLE + "Querying active state...\r\ngröße\r\nx"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_blocks_of_any_size_give_the_same_text(size):
    data = (WIDE + NARROW + LAST)[2:]
    decoder = MixedDecoder("cp1252")
    pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
    assert "".join([*pieces, decoder.decode(b"", True)]) == decode_text(WIDE + NARROW + LAST)


@pytest.mark.parametrize("text", ["a\r\nb\r\n", "日本語の設定\r\n", "ഇന്ത്യ ഊഇ\r\n", "\r\n" * 50])
def test_plain_utf_16_is_not_mixed(text):
    assert not is_mixed(text.encode("utf-16-le"))
    assert decode_text(text.encode("utf-16")) == text


def test_damage_and_time():
    data = WIDE + NARROW + LAST
    check_read_twice(READER, data, "x.txt")
    check_flips(READER, data, "x.txt", 1_000)
    decoder = MixedDecoder("cp1252")
    assert len(decoder.decode(b"a" * 5_000_000, True)) == 5_000_000


@needs_captures
@pytest.mark.parametrize("name", ["CONTOSO1_TCPIP_OFFLOAD.TXT", "Net_TCPIP_offload.txt"])
def test_the_examples_of_sdp_and_tss(name):
    data = (CAPTURES / "support_folder/sdp/CONTOSO1" / name).read_bytes()
    (found,) = facts(read_all(READER, data, name), "tcp_global")
    assert found == {
        "rss_state": "enabled",
        "autotuning_level": "disabled",
        "congestion_provider": "default",
        "ecn_capability": "disabled",
        "timestamps": "disabled",
        "initial_rto_ms": "1000",
        "rsc_state": "disabled",
        "non_sack_rtt_resiliency": "disabled",
        "max_syn_retransmissions": "4",
        "fast_open": "disabled",
        "fast_open_fallback": "enabled",
        "hystart": "enabled",
        "proportional_rate_reduction": "enabled",
        "pacing_profile": "off",
    }
