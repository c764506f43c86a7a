"""Output of ``netsh interface tcp show global``: the TCP settings that bear on log transport."""

from __future__ import annotations

import pytest

from agtrace.errors import CaptureError
from agtrace.readers import detect
from agtrace.readers.base import Source
from agtrace.readers.fact_text import MAX_BYTES
from agtrace.readers.netsh_tcp import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds, read_all
from simulation.formats.host_facts import (
    NETSH_2008_R2,
    NETSH_2012_R2,
    NETSH_2019,
    netsh_text,
    ping_text,
    text_of,
)
from tests.effort import thorough
from tests.readers.real_texts import real_texts

OFF = {"Receive Window Auto-Tuning Level": "disabled"}

GERMAN = """Globale TCP-Parameter
----------------------------------------------
Zustand der empfangsseitigen Skalierung          : enabled
Autom. Abstimmungsgrad Empfangsfenster    : highlyrestricted
Add-On "Überlastungssteuerungsanbieter"  : default
ECN-Funktion                      : enabled
RFC 1323-Zeitstempel                 : disabled
RTO (anfänglich)                         : 1000
Zustand der Empfangssegmentzusammenfügung    : disabled
Nicht-SACK-RTT-Widerstandsfähigkeit             : disabled
Maximale SYN-Neuübertragungen             : 4
Fast Open                           : enabled
Fast Open-Fallback                  : enabled
HyStart                             : enabled
Proportionale Ratenreduzierung         : enabled
Schrittsteuerungsprofil                      : off

"""

CHINESE = """查询活动状态...

TCP 全局参数
----------------------------------------------
接收方缩放状态 : enabled
接收窗口自动调节级别 : disabled
加载项拥塞控制提供程序 : default
ECN 功能 : disabled
RFC 1323 时间戳 : allowed
初始 RTO : 1000
接收段合并状态 : enabled
非 Sack Rtt 复原 : disabled
最大 SYN 重新传输次数 : 4
快速打开 : enabled
快速打开回退 : enabled
HyStart : enabled
比例费率降低 : enabled
节奏配置文件 : off

"""

POWERSHELL = """
SettingName                   : Datacenter
MinRto(ms)                    : 20
InitialCongestionWindow(MSS)  : 10
CongestionProvider            : CUBIC
AutoTuningLevelLocal          : Normal
AutoTuningLevelGroupPolicy    : NotConfigured
AutoTuningLevelEffective      : Local
EcnCapability                 : Enabled
Timestamps                    : Disabled
InitialRto(ms)                : 3000

SettingName                   : Internet
MinRto(ms)                    : 300
CongestionProvider            : CUBIC
AutoTuningLevelLocal          : HighlyRestricted
AutoTuningLevelGroupPolicy    : NotConfigured
AutoTuningLevelEffective      : Local
EcnCapability                 : Disabled
Timestamps                    : Disabled
InitialRto(ms)                : 3000
ScalingHeuristics             : Disabled

"""


def test_windows_server_2008_r2():
    assert facts_of(READER, netsh_text(NETSH_2008_R2), "tcp_global") == [
        {
            "rss_state": "enabled",
            "chimney_state": "automatic",
            "netdma_state": "enabled",
            "dca_state": "disabled",
            "autotuning_level": "normal",
            "congestion_provider": "ctcp",
            "ecn_capability": "disabled",
            "timestamps": "disabled",
        }
    ]


def test_windows_server_2012_r2():
    assert facts_of(READER, netsh_text(NETSH_2012_R2 | OFF), "tcp_global") == [
        {
            "rss_state": "enabled",
            "chimney_state": "disabled",
            "netdma_state": "disabled",
            "dca_state": "disabled",
            "autotuning_level": "disabled",
            "congestion_provider": "none",
            "ecn_capability": "enabled",
            "timestamps": "disabled",
            "initial_rto_ms": "3000",
            "rsc_state": "enabled",
            "non_sack_rtt_resiliency": "disabled",
            "max_syn_retransmissions": "2",
        }
    ]


def test_windows_server_2019():
    assert facts_of(READER, netsh_text(NETSH_2019), "tcp_global") == [
        {
            "rss_state": "enabled",
            "autotuning_level": "normal",
            "congestion_provider": "default",
            "ecn_capability": "enabled",
            "timestamps": "disabled",
            "initial_rto_ms": "3000",
            "rsc_state": "enabled",
            "non_sack_rtt_resiliency": "disabled",
            "max_syn_retransmissions": "2",
            "fast_open": "disabled",
            "fast_open_fallback": "enabled",
            "hystart": "enabled",
            "pacing_profile": "off",
        }
    ]


def test_rows_carry_line_and_unit():
    rows = read_all(READER, netsh_text(NETSH_2019).encode(), "x")["facts"].to_pylist()
    level = next(row for row in rows if row["key"] == "autotuning_level")
    assert (level["topic"], level["item"], level["line"], level["unit"]) == ("tcp_global", 0, 6, None)
    assert level["time_local"] is None
    assert next(row["unit"] for row in rows if row["key"] == "initial_rto_ms") == "ms"


@pytest.mark.parametrize("level", ["disabled", "highlyrestricted", "restricted", "normal", "experimental"])
def test_every_level(level):
    text = netsh_text(NETSH_2012_R2 | {"Receive Window Auto-Tuning Level": level})
    assert facts_of(READER, text, "tcp_global")[0]["autotuning_level"] == level


def test_a_level_that_heuristics_set_is_marked():
    note = text_of(
        "** The above autotuninglevel setting is the result of Windows Scaling heuristics",
        "overriding any local/policy configuration on at least one profile.",
    )
    text = netsh_text(NETSH_2008_R2 | {"Receive Window Auto-Tuning Level": "restricted"})
    found = facts_of(READER, text.rstrip("\r\n") + "\r\n" + note, "tcp_global")
    assert found[0]["autotuning_level"] == "restricted"
    assert found[0]["autotuning_by_heuristics"] == "true"


def test_an_unknown_label_is_kept():
    found = facts_of(READER, netsh_text(NETSH_2019 | {"Quantum State": "Both"}), "tcp_global")
    assert found[0]["other:Quantum State"] == "both"


def test_several_outputs_in_one_file_with_their_prompts():
    text = (
        "C:\\Users\\admin>netsh interface tcp show global\r\n"
        + netsh_text(NETSH_2012_R2)
        + "C:\\Users\\admin>netsh interface tcp set global autotuninglevel=disabled\r\nOk.\r\n\r\n"
        + "C:\\Users\\admin>netsh interface tcp show global\r\n"
        + netsh_text(NETSH_2012_R2 | OFF)
    )
    levels = [item["autotuning_level"] for item in facts_of(READER, text, "tcp_global")]
    assert levels == ["normal", "disabled"]


def test_the_host_of_a_remote_command_is_kept():
    text = "C:\\>netsh -r jbsag3.contoso.com interface tcp show global\r\n" + netsh_text(NETSH_2019)
    assert facts_of(READER, text, "tcp_global")[0]["host"] == "JBSAG3"
    session = "[jbsag1]: PS C:\\> netsh int tcp show global\r\n" + netsh_text(NETSH_2019)
    assert facts_of(READER, session, "tcp_global")[0]["host"] == "JBSAG1"
    assert "host" not in facts_of(READER, netsh_text(NETSH_2019), "tcp_global")[0]


def test_german():
    assert facts_of(READER, GERMAN, "tcp_global") == [
        {
            "rss_state": "enabled",
            "autotuning_level": "highlyrestricted",
            "congestion_provider": "default",
            "ecn_capability": "enabled",
            "timestamps": "disabled",
            "initial_rto_ms": "1000",
            "rsc_state": "disabled",
            "non_sack_rtt_resiliency": "disabled",
            "max_syn_retransmissions": "4",
            "fast_open": "enabled",
            "fast_open_fallback": "enabled",
            "hystart": "enabled",
            "proportional_rate_reduction": "enabled",
            "pacing_profile": "off",
        }
    ]


def test_german_in_the_code_page_of_the_console():
    found = facts_of(READER, GERMAN, "tcp_global", encoding="cp850")
    assert found == facts_of(READER, GERMAN, "tcp_global")


def test_chinese():
    found = facts_of(READER, CHINESE, "tcp_global")[0]
    assert found["autotuning_level"] == "disabled"
    assert found["timestamps"] == "allowed"
    assert found["rsc_state"] == "enabled"
    assert not [key for key in found if key.startswith("other:")]


def test_chinese_in_the_code_page_of_the_console_is_read_by_the_order_of_its_lines():
    found = facts_of(READER, CHINESE, "tcp_global", encoding="cp936")[0]
    assert found["autotuning_level"] == "disabled"
    assert found["congestion_provider"] == "default"
    assert found["timestamps"] == "allowed"
    assert found["initial_rto_ms"] == "1000"


def test_a_language_that_is_not_known_is_read_by_the_order_of_its_lines():
    text = text_of(
        "Wereldwijde dinges",
        "-" * 46,
        "Foo bar       : enabled",
        "Foo baz       : restricted",
        "Foo qux       : cubic",
        "ECN foo       : disabled",
        "RFC 1323 bar  : disabled",
    )
    found = facts_of(READER, text, "tcp_global")[0]
    assert found["autotuning_level"] == "restricted"
    assert found["congestion_provider"] == "cubic"
    assert found["other:Foo bar"] == "enabled"


def test_words_for_on_and_off_in_other_languages():
    text = netsh_text(NETSH_2008_R2 | {"RFC 1323 Timestamps": "отключено", **OFF})
    assert facts_of(READER, text, "tcp_global")[0]["timestamps"] == "disabled"


def test_powershell_gives_the_internet_template_as_the_global_one():
    assert facts_of(READER, POWERSHELL, "tcp_global") == [
        {
            "autotuning_level": "highlyrestricted",
            "setting_name": "Internet",
            "min_rto_ms": "300",
            "congestion_provider": "cubic",
            "ecn_capability": "disabled",
            "timestamps": "disabled",
            "initial_rto_ms": "3000",
            "scaling_heuristics": "disabled",
        }
    ]
    assert [item["setting_name"] for item in facts_of(READER, POWERSHELL, "tcp_setting")] == ["Datacenter"]


def test_powershell_says_whether_a_group_policy_rules():
    text = POWERSHELL.replace(
        "AutoTuningLevelGroupPolicy    : NotConfigured\nAutoTuningLevelEffective      : Local",
        "AutoTuningLevelGroupPolicy    : Restricted\nAutoTuningLevelEffective      : GroupPolicy",
    )
    assert facts_of(READER, text, "tcp_global")[0]["autotuning_level"] == "restricted"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_redirected_output(encoding):
    found = facts_of(READER, netsh_text(NETSH_2019), "tcp_global", encoding)
    assert found[0]["autotuning_level"] == "normal"


def test_output_with_doubled_line_ends():
    doubled = netsh_text(NETSH_2019).replace("\r\n", "\r\n\r\n")
    assert facts_of(READER, doubled, "tcp_global") == facts_of(READER, netsh_text(NETSH_2019), "tcp_global")


def test_other_outputs_of_netsh_are_not_taken_for_it():
    supplemental = text_of(
        "TCP Supplemental Parameters",
        "-" * 46,
        "Minimum RTO (ms)                    : 300",
        "Initial congestion window (MSS)     : 10",
        "Congestion control provider         : cubic",
    )
    heuristics = text_of(
        "TCP Window Scaling heuristics Parameters",
        "-" * 46,
        "Window Scaling heuristics         : disabled",
        "Qualifying Destination Threshold  : 3",
        "Profile type unknown              : normal",
    )
    assert not is_detected(READER, supplemental)
    assert not is_detected(READER, heuristics)


@thorough
def test_the_battery():
    text = netsh_text(NETSH_2012_R2)
    check_text_reader(READER, text, "tcp_global", text.index("RFC 1323 Timestamps"))


def test_cut_off_before_its_last_lines():
    text = netsh_text(NETSH_2019)
    cut = text[: text.index("ECN")]
    assert issue_kinds(READER, cut) == ["truncated"]
    assert issue_kinds(READER, text) == []


def test_half_a_value_at_the_end_is_left_out():
    text = netsh_text(NETSH_2019)
    torn = text[: text.index("enabled \r\nRFC") + 4]
    assert "ecn_capability" not in facts_of(READER, torn, "tcp_global")[0]
    assert issue_kinds(READER, torn) == ["unfinished_line", "truncated"]
    number = text[: text.index("3000") + 1]
    assert "initial_rto_ms" not in facts_of(READER, number, "tcp_global")[0]
    assert issue_kinds(READER, number) == ["unfinished_line"]


def test_a_whole_text_without_a_last_line_end():
    text = netsh_text(NETSH_2019).rstrip()
    assert facts_of(READER, text, "tcp_global")[0]["pacing_profile"] == "off"
    assert issue_kinds(READER, text) == []


def test_a_ping_in_the_same_file_is_named():
    text = netsh_text(NETSH_2019) + ping_text("jbsag3", "10.2.0.4", [110, 111])
    hit = detect(text.encode(), "notes.txt")
    assert hit is not None
    assert hit[0] is READER
    issues = read_all(READER, text.encode(), "notes.txt")["issues"].to_pylist()
    assert [(row["kind"], row["severity"]) for row in issues] == [("other_content", "info")]
    assert "ping output" in issues[0]["message"]


def test_what_is_not_netsh_output():
    assert not is_detected(READER, "")
    assert not is_detected(READER, "Please run netsh interface tcp show global on both hosts.\n")
    assert not is_detected(READER, "set autotuninglevel=normal, auto-tuning: normal, ECN: off\n")
    assert not is_detected(READER, bytes(range(256)) * 64)


def test_real_captures_are_not_taken_for_it():
    assert not [text[:80] for text in real_texts() if is_detected(READER, text)]


def test_a_file_without_any_is_refused():
    with pytest.raises(CaptureError, match="no TCP settings"):
        read_all(READER, b"hello\n", "x.txt")


def test_a_large_file_is_refused_before_it_is_read():
    def never() -> None:
        raise AssertionError("opened")

    with pytest.raises(CaptureError, match="too large") as caught:
        list(READER.read(Source("big.txt", MAX_BYTES + 1, never)))
    assert caught.value.have == MAX_BYTES + 1
