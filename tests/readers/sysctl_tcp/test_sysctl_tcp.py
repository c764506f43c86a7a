"""Output of sysctl: the TCP settings of a Linux host."""

from __future__ import annotations

import pytest

from agtrace.readers.sysctl_tcp import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds
from tests.effort import thorough
from tests.readers.real_texts import real_texts

KIT = """net.ipv4.tcp_window_scaling = 1
net.ipv4.tcp_moderate_rcvbuf = 1
net.ipv4.tcp_rmem = 4096\t131072\t6291456
net.ipv4.tcp_wmem = 4096\t16384\t4194304
"""
WHOLE = f"""net.core.rmem_max = 212992
net.core.wmem_max = 212992
net.core.somaxconn = 4096
net.ipv4.ip_forward = 0
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_keepalive_time = 7200
{KIT}net.ipv4.tcp_mtu_probing = 0
net.ipv4.tcp_sack = 1
net.ipv4.tcp_slow_start_after_idle = 1
net.ipv4.tcp_timestamps = 1
"""


def test_what_the_kit_asks_for():
    assert facts_of(READER, KIT, "tcp_sysctl") == [
        {
            "window_scaling": "1",
            "moderate_rcvbuf": "1",
            "rmem_min": "4096",
            "rmem_default": "131072",
            "rmem_max": "6291456",
            "wmem_min": "4096",
            "wmem_default": "16384",
            "wmem_max": "4194304",
        }
    ]


def test_of_all_settings_those_that_bound_a_connection():
    (found,) = facts_of(READER, WHOLE, "tcp_sysctl")
    assert len(found) == 15
    assert (found["core_rmem_max"], found["congestion_control"], found["mtu_probing"]) == (
        "212992",
        "cubic",
        "0",
    )


def test_each_output_of_a_file_is_an_item():
    later = KIT.replace("scaling = 1", "scaling = 0")
    assert [each["window_scaling"] for each in facts_of(READER, KIT + later, "tcp_sysctl")] == ["1", "0"]


@pytest.mark.parametrize(
    "line",
    [
        "net.ipv4.tcp_rmem = 4096 131072",
        "net.ipv4.tcp_rmem = 4096 131072 -1",
        "net.ipv4.tcp_window_scaling = yes",
        "net.core.rmem_max = many",
    ],
)
def test_a_value_that_is_none_is_told_and_not_read(line):
    assert issue_kinds(READER, f"{line}\nnet.ipv4.tcp_sack = 1\n") == ["bad_value"]


def test_a_line_that_ends_with_the_text_may_end_in_a_number():
    assert issue_kinds(READER, KIT.rstrip("\n")) == ["bad_value"]
    assert issue_kinds(READER, "net.ipv4.tcp_sack = 1\nnet.ipv4.tcp_congestion_control = cubi") == [
        "bad_value"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KIT, True),
        ("net/ipv4/tcp_sack = 1\n", True),
        ("net.ipv4.ip_forward = 0\n", False),
        ("# net.ipv4.tcp_rmem is what bounds it\n", False),
        ("set net.ipv4.tcp_sack = 1 in sysctl.conf\n", False),
    ],
)
def test_the_output_is_known_by_its_lines(text, expected):
    assert is_detected(READER, text) is expected


@thorough
def test_the_battery():
    check_text_reader(READER, KIT, "tcp_sysctl", len("net.ipv4.tcp_window_scaling = 1"))


def test_real_captures_are_not_taken_for_it():
    assert not [text[:80] for text in real_texts() if is_detected(READER, text)]
