"""The relation of all cluster logs of a case."""

from __future__ import annotations

from datetime import UTC, datetime

import agtrace
from agtrace.tables.history import RELATIONS
from simulation.formats.cluster_log import starved


def rows(folder, query):
    with agtrace.open_case(folder) as case:
        return case.view.table(query).to_pylist()


def test_times_are_utc_by_the_log_s_own_offset_and_the_node_is_the_host(tmp_path):
    folder = tmp_path / "case" / "OTHER"
    folder.mkdir(parents=True)
    (folder / "Cluster.log").write_bytes(starved(offset_minutes=-330).windows())
    found = rows(tmp_path / "case", "select * from cluster_log")
    assert list(found[0]) == RELATIONS["cluster_log"].names
    assert {row["host_id"] for row in found} == {"CONTOSO1"}
    assert found[0]["time_local"] == datetime(2026, 2, 28, 22, 10, 41, 4000)
    assert found[0]["time"] == datetime(2026, 2, 28, 16, 40, 41, 4000, tzinfo=UTC)


def test_a_log_collected_in_local_time_and_in_utc_counts_once(tmp_path):
    (tmp_path / "local").mkdir()
    (tmp_path / "utc").mkdir()
    longer = starved()
    longer.add("INFO", "[RCM] later").add("INFO", "[RCM] again")
    (tmp_path / "local" / "Cluster.log").write_bytes(longer.windows())
    (tmp_path / "utc" / "Cluster.log").write_bytes(starved(utc=True).windows())
    found = rows(tmp_path, "select text, time from cluster_log")
    assert len(found) == 9
    assert len({row["text"] for row in found}) == 9


def test_logs_of_two_nodes_stay_apart_and_equal_entries_of_one_log_stay(tmp_path):
    for node in ("CONTOSO1", "CONTOSO2"):
        log = starved(node=node)
        log.time = starved().time
        text = log.text() + log.text().splitlines()[-1] + "\r\n"
        (tmp_path / f"{node}.contoso.lan_cluster.log").write_text(text)
    (tmp_path / "copy_cluster.log").write_bytes(starved(node="CONTOSO2").windows())
    found = rows(tmp_path, "select host_id, count(*) as n from cluster_log group by all order by all")
    assert found == [{"host_id": "CONTOSO1", "n": 8}, {"host_id": "CONTOSO2", "n": 8}]


def test_samples_of_the_lease_have_a_time(tmp_path):
    (tmp_path / "Cluster.log").write_bytes(starved(utc=True).windows())
    query = (
        "select value, time from facts where topic = 'lease_sample' and key = 'processor_percent' order by "
        "time"
    )
    assert rows(tmp_path, query)[0] == {
        "value": "98.412331",
        "time": datetime(2026, 3, 1, 3, 10, 21, tzinfo=UTC),
    }


def test_without_a_head_times_are_local_and_none_is_claimed_in_utc(tmp_path):
    (tmp_path / "Cluster.log").write_text(
        "00001a2c.000020b8::2026/02/28-22:10:41.004 INFO  [RCM] something\n"
    )
    (row,) = rows(tmp_path, "select time, time_local, time_written from cluster_log")
    written = datetime(2026, 2, 28, 22, 10, 41, 4000)
    assert row == {"time": None, "time_local": written, "time_written": written}
