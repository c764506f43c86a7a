"""Cluster logs: entries, sections, samples of the lease, and which time they write."""

from __future__ import annotations

from datetime import datetime

import pytest
from xelib.entries import KEPT_BYTES

from agtrace.errors import CaptureError
from agtrace.readers.base import ReadOptions
from agtrace.readers.cluster_log import READER
from agtrace.testing import check_reader, facts, is_detected, read_all
from simulation.formats.cluster_log import ClusterLog, over_the_end_of_daylight_saving, starved
from tests.folded import folded
from tests.shared import CAPTURES, needs_captures


def entries(data: bytes | str, name: str = "cluster.log") -> list[dict[str, object]]:
    raw = data.encode() if isinstance(data, str) else data
    return read_all(READER, raw, name)["cluster_log"].to_pylist()


def issues(data: bytes | str) -> dict[str, int]:
    raw = data.encode() if isinstance(data, str) else data
    tables = read_all(READER, raw, "cluster.log")
    if "issues" not in tables:
        return {}
    return {row["kind"]: row["count"] for row in tables["issues"].to_pylist()}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_contract(encoding):
    data = starved().text().encode(encoding)
    check_reader(READER, data, "cluster.log", "cluster_log", flips=5_000)


def test_an_entry_has_its_time_level_component_resource_and_whole_text():
    log = starved()
    rows = entries(log.windows())
    assert len(rows) == 7
    assert rows[1] == {
        "line": 18,
        "time_written": datetime(2026, 2, 28, 22, 10, 41, 254000),
        "time_local": datetime(2026, 2, 28, 22, 10, 41, 254000),
        "section": "Cluster Logs",
        "channel": None,
        "process_id": 0x1A2C,
        "thread_id": 0x20B8,
        "level": "ERR",
        "component": "RES",
        "resource": "AG1",
        "text": "[RES] SQL Server Availability Group <AG1>: [hadrag] Lease timeout detected, "
        "logging perf counter data collected so far",
    }
    assert [row["component"] for row in rows[5:]] == ["RCM", None]
    assert rows[6]["text"] == "MTimer(OneGroupMovetimer): [Total: 0 ms ( 0 s )]"


def test_continuation_lines_follow_a_line_feed_and_a_channel_stands_apart():
    (row, *_rest) = entries(starved().windows())
    assert (row["channel"], row["section"], row["level"]) == ("System", "System", "DBG")
    assert row["text"] == "Cluster node 'CONTOSO2' was removed.\n\nRun the wizard."


def test_what_a_section_lists_belongs_to_no_entry():
    log = ClusterLog().section("Cluster Logs").add("INFO", "first").section("Volumes")
    log.lines.append("a table of volumes")
    (row,) = entries(log.text())
    assert row["text"] == "first"
    sections = facts(read_all(READER, log.text().encode(), "cluster.log"), "cluster_log_section")
    assert [(each["name"], each["entries"]) for each in sections] == [
        ("Cluster", "0"),
        ("Resources", "0"),
        ("Cluster Logs", "1"),
        ("Volumes", "0"),
    ]


@pytest.mark.parametrize("block_bytes", [None, 128])
def test_an_hour_that_repeats_is_told_section_by_section(block_bytes):
    data = over_the_end_of_daylight_saving().windows()
    tables = read_all(READER, data, "x.log", ReadOptions(block_bytes=block_bytes))
    found = [row for row in tables["facts"].to_pylist() if row["topic"] == "repeated_hour"]
    last, first = datetime(2026, 11, 1, 1, 45), datetime(2026, 11, 1, 0, 45)
    assert [(row["item"], row["key"], row["time_local"]) for row in found] == [
        (item, key, at) for item in (0, 1) for key, at in (("last", last), ("first", first))
    ]


def test_times_in_utc_repeat_no_hour():
    tables = read_all(READER, over_the_end_of_daylight_saving(utc=True).windows(), "x.log")
    assert "repeated_hour" not in {row["topic"] for row in tables["facts"].to_pylist()}


def test_the_offset_of_the_head_has_the_opposite_sign():
    head = facts(read_all(READER, starved(offset_minutes=-330).windows(), "x.log"), "cluster_log")
    assert head == [{"node": "CONTOSO1", "utc_offset_minutes": "330", "written_in": "local", "entries": "7"}]


def test_entries_in_utc_have_the_local_time_of_their_node():
    rows = entries(starved(offset_minutes=-330, utc=True).windows())
    assert rows[0]["time_written"] == datetime(2026, 2, 28, 16, 40, 41, 4000)
    assert rows[0]["time_local"] == datetime(2026, 2, 28, 22, 10, 41, 4000)


def test_a_log_that_does_not_say_which_time_it_writes_is_taken_as_local():
    log = ClusterLog()
    log.lines = []
    log.add("INFO", "[RCM] something")
    (row,) = entries(log.text())
    assert row["time_local"] == row["time_written"] == datetime(2026, 2, 28, 22, 10, 41, 4000)
    assert "time_zone_not_stated" in issues(log.text())


def test_samples_of_a_lease_that_ran_out():
    tables = read_all(READER, starved(utc=True).windows(), "cluster.log")
    assert facts(tables, "lease_sample") == [
        {
            "group": "AG1",
            "processor_percent": "98.412331",
            "available_memory_bytes": "912341504.000000",
            "disk_read_s": "0.002113",
            "disk_write_s": "0.214400",
        },
        {
            "group": "AG1",
            "processor_percent": "99.000001",
            "available_memory_bytes": "912341500.000000",
            "disk_read_s": "0.002000",
            "disk_write_s": "0.300000",
        },
    ]
    times = [row["time_local"] for row in tables["facts"].to_pylist() if row["key"] == "group"]
    assert times == [datetime(2026, 2, 28, 22, 10, 21), datetime(2026, 2, 28, 22, 10, 31)]


def test_numbered_lines_of_a_search_tool():
    text = (
        "   178 [System] 000008c8.00000c80::2017/10/23-21:53:54.600 DBG   Shutting down. \n"
        "   179 Run the wizard.\n   180 \n"
        "261782 00001214.00001884::2017/10/23-21:52:24.531 INFO  [RCM] rcm::RcmApi::MoveGroup: "
        "(Group:ag1023)\n"
    )
    first, second = entries(text)
    assert (first["channel"], first["text"]) == ("System", "Shutting down. \nRun the wizard.")
    assert (second["channel"], second["component"]) == (None, "RCM")


@pytest.mark.parametrize("letters", ["größe", "会社", "Москва", "é"])
def test_letters_beyond_ascii(letters):
    log = ClusterLog().section("Cluster Logs").add("INFO", f"[RES] Network Name <{letters}>: up")
    (row,) = entries(log.windows())
    assert (row["resource"], row["text"]) == (letters, f"[RES] Network Name <{letters}>: up")


def test_an_entry_is_cut_to_what_is_kept_whatever_the_size_of_blocks():
    log = ClusterLog().section("Cluster Logs").add("INFO", "long", *["x" * 999] * 200)
    log.add("INFO", "next")
    first, second = entries(log.text())
    assert KEPT_BYTES - 1100 < len(first["text"]) <= KEPT_BYTES
    assert second["text"] == "next"
    assert issues(log.text())["continuation_capped"] == 1


def test_a_time_that_is_none_loses_no_entry():
    text = starved().text().replace("2026/02/28-22:10:41.254", "2026/02/30-22:10:41.254")
    rows = entries(text)
    assert (rows[1]["time_written"], rows[1]["level"]) == (None, "ERR")
    assert issues(text)["bad_time"] == 1


def torn(data: bytes) -> tuple[list[str], dict[str, int]]:
    """Read a log and return the texts of its rows, and the offsets of its issues by kind."""
    tables = read_all(READER, data, "cluster.log", ReadOptions(block_bytes=64))
    rows = tables["cluster_log"].to_pylist() if "cluster_log" in tables else []
    faults = tables["issues"].to_pylist() if "issues" in tables else []
    return [row["text"] for row in rows], {row["kind"]: row["offset"] for row in faults}


FIRST = "00000001.00000002::2026/02/28-22:10:41.004 INFO  first\r\n"
LAST = "[System] 00000001.00000002::2026/02/28-22:10:42.004 ERR   Lease é lost\r\nnot renewed\r\n"
TITLE = "[=== Volumes ===]\r\n"


@folded(
    ("encoding", "length"), [(each, n) for each in ("utf-8", "utf-16-le") for n in range(1, len(LAST) - 1)]
)
def test_an_entry_that_is_cut_is_an_issue_with_its_offset_and_no_row(encoding, length):
    bom = "\ufeff".encode(encoding)
    texts, faults = torn(bom + (TITLE + FIRST + LAST[:length]).encode(encoding))
    if LAST[:length].endswith("\n"):
        assert texts == ["first", "Lease é lost"]
        assert "last_entry_torn" not in faults
    else:
        assert texts == ["first"]
        assert faults["last_entry_torn"] == len(bom) + len((TITLE + FIRST).encode(encoding))
    assert "last_line_torn" not in faults


def test_a_log_of_one_torn_entry_is_that_issue():
    texts, faults = torn(FIRST[:-2].encode())
    assert (texts, faults["last_entry_torn"]) == ([], 0)


@pytest.mark.parametrize("end", ["[=== Volumes ===]", "[=== Volumes ===]\r\nC: 12 G", "\0\0", " "])
def test_entries_are_whole_where_the_cut_is_behind_them(end):
    texts, faults = torn((FIRST + LAST + end).encode())
    assert [text.rstrip("\0 \n") for text in texts] == ["first", "Lease é lost\nnot renewed"]
    assert "last_entry_torn" not in faults
    assert faults["last_line_torn"] == len((FIRST + LAST + end).encode()) - len(end.split("\n")[-1])


@folded("length", range(1, len("[=== Volumes ===]")))
def test_a_torn_title_is_no_text_of_the_entry_before_it(length):
    texts, faults = torn((FIRST + TITLE[:length]).encode())
    assert texts == ["first"]
    assert faults["last_entry_torn"] == len(FIRST)


def test_other_logs_are_none():
    assert not is_detected(READER, "2026-02-28 22:10:41.00 Server  Microsoft SQL Server 2022\n")
    assert not is_detected(READER, "Cluster node removed at 2026/02/28-22:10:41.004\n")
    with pytest.raises(CaptureError, match="no line is an entry"):
        list(read_all(READER, b"nothing of the kind\n", "x.log"))


@needs_captures
def test_the_example_of_logscout():
    data = (CAPTURES / "support_folder/output/CONTOSO1.contoso.lan_cluster.log").read_bytes()
    tables = read_all(READER, data, "CONTOSO1.contoso.lan_cluster.log")
    assert [(row["line"], row["level"], row["resource"]) for row in tables["cluster_log"].to_pylist()] == [
        (12, "ERR", "AG1"),
        (13, "WARN", "AG1"),
        (14, "WARN", "AG1"),
    ]
    (sample,) = facts(tables, "lease_sample")
    assert sample["disk_write_s"] == "0.214400"
    (head,) = facts(tables, "cluster_log")
    assert (head["node"], head["utc_offset_minutes"]) == ("CONTOSO1", "-300")
    assert "issues" not in tables


@needs_captures
def test_the_excerpt_of_a_real_case():
    data = (CAPTURES / "failover_2017/cluster_log_excerpt.txt").read_bytes()
    rows = entries(data)
    assert len(rows) == data.decode("utf-8", "replace").count("::2017/10/23-")
    assert {row["level"] for row in rows} == {"INFO", "WARN", "ERR", "DBG"}
    moved = [row for row in rows if "type MoveType::Manual is about to succeed" in row["text"]]
    assert [(row["line"], row["time_written"], row["component"]) for row in moved] == [
        (moved[0]["line"], datetime(2017, 10, 23, 21, 52, 25, 229000), "RCM")
    ]
    missed = [row for row in rows if "has missed more than 40 percent" in row["text"]]
    assert missed[0]["text"].endswith(
        "Local endpoint: 10.135.4.221:~3343~\nRemote endpoint: 10.135.4.222:~3343~"
    )
    assert [row["resource"] for row in rows if row["resource"]] == ["Cluster IP Address"] * 2 + [
        "Cluster Name"
    ] * 2 + ["ag1023"]
