"""The neighbouring cases of the generator: what sets each apart from the sample case."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulation.samples.log_send_queue import Truth, write_case
from simulation.samples.log_send_queue_model import DATABASES, SCENARIOS, Model
from simulation.samples.log_send_queue_plain import Perfmon, percentile
from tests.folded import folded

pytestmark = pytest.mark.complete

MINUTES = 12
DATABASE = "SQLServer:Databases({})\\Log Bytes Flushed/sec"
RECEIVED = "SQLServer:Database Replica({})\\Log Bytes Received/sec"
REDONE = "SQLServer:Database Replica({})\\Redone Bytes/sec"
SEND_QUEUE = "SQLServer:Database Replica({})\\Log Send Queue"
RECOVERY_QUEUE = "SQLServer:Database Replica({})\\Recovery Queue"
WIRE = "SQLServer:Availability Replica(JBSAG:JBSAG3)\\Bytes Sent to Transport/sec"


def perfmon(truth: Truth, host: str) -> Perfmon:
    return Perfmon(truth.folder / host / "DataCollector01.csv")


def errorlog(truth: Truth, host: str) -> str:
    return (truth.folder / host / "ERRORLOG").read_bytes().decode("utf-16")


def case(folder: Path, scenario: str) -> tuple[Truth, Perfmon, Perfmon, Perfmon]:
    truth = write_case(folder, scenario=scenario, minutes=MINUTES)
    return truth, *(perfmon(truth, host) for host in ("JBSAG1", "JBSAG2", "JBSAG3"))


def last(log: Perfmon, counter: str) -> float:
    return sum(log.present(counter.format(database))[-1] for database in DATABASES)


def first(log: Perfmon, counter: str) -> float:
    return sum(log.present(counter.format(database))[0] for database in DATABASES)


# Other slow hops


def test_healthy_everything_arrives_and_no_queue_grows(tmp_path: Path) -> None:
    _, _, primary, far = case(tmp_path, "healthy")
    for database in DATABASES:
        flushed = primary.total(DATABASE.format(database))
        assert far.total(RECEIVED.format(database)) == pytest.approx(flushed, rel=0.02)
        assert far.total(REDONE.format(database)) == pytest.approx(flushed, rel=0.02)
    assert last(far, SEND_QUEUE) < 500
    assert last(far, RECOVERY_QUEUE) < 1000
    wire = primary.present(WIRE)
    assert percentile(wire, 0.95) / percentile(wire, 0.5) > 1.3


def test_harden_the_far_log_disk_is_busy_all_the_time_and_the_send_queue_grows(tmp_path: Path) -> None:
    _, near, primary, far = case(tmp_path, "harden")
    assert last(far, SEND_QUEUE) > first(far, SEND_QUEUE) + 100_000
    assert last(far, RECOVERY_QUEUE) < 1000
    write_time = "SQLServer:Databases(_Total)\\Log Flush Write Time (ms)"
    assert percentile(far.present(write_time), 0.5) > 700
    assert percentile(near.present(write_time), 0.5) < 150
    disk = "PhysicalDisk(1 L:)\\Avg. Disk sec/Write"
    assert percentile(far.present(disk), 0.5) > 0.07
    assert percentile(near.present(disk), 0.5) < 0.002
    wire = primary.present(WIRE)
    assert percentile(wire, 0.95) / percentile(wire, 0.5) > 1.3


def test_redo_the_recovery_queue_grows_and_nothing_blocks(tmp_path: Path) -> None:
    _, _, _, far = case(tmp_path, "redo")
    assert last(far, SEND_QUEUE) < 500
    assert last(far, RECOVERY_QUEUE) > first(far, RECOVERY_QUEUE) + 100_000
    for database in DATABASES:
        assert set(far.present(f"SQLServer:Database Replica({database})\\Redo blocked/sec")) == {0}


def test_redo_blocked_a_reader_stops_one_database(tmp_path: Path) -> None:
    _, _, _, far = case(tmp_path, "redo_blocked")
    blocked = "SQLServer:Database Replica({})\\Redo blocked/sec"
    assert percentile(far.present(blocked.format("StackOverflow2010")), 0.5) > 0
    assert far.present(RECOVERY_QUEUE.format("StackOverflow2010"))[-1] > 50_000
    for database in ("JBDB", "JBSDBDW"):
        assert set(far.present(blocked.format(database))) == {0}
        assert far.present(RECOVERY_QUEUE.format(database))[-1] < 1000


def test_suspended_the_queue_stands_still_while_log_is_generated(tmp_path: Path) -> None:
    truth, near, primary, far = case(tmp_path, "suspended")
    half = len(far.times) // 2 + 3
    for database in DATABASES:
        assert len(set(far.present(SEND_QUEUE.format(database))[half:])) == 1
        assert far.present(SEND_QUEUE.format(database))[-1] > 0
        assert set(far.present(RECEIVED.format(database))[half:]) == {0}
        assert min(primary.present(DATABASE.format(database))[half:]) > 10_000
    assert min(near.summed(RECEIVED)[half:]) > 100_000
    assert errorlog(truth, "JBSAG3").count("has been suspended for the following reason") == 3
    assert "has been suspended" not in errorlog(truth, "JBSAG1")


def test_failover_roles_swap_in_the_middle(tmp_path: Path) -> None:
    truth, near, primary, far = case(tmp_path, "failover")
    assert truth.change_utc == "2019-08-20T13:36:00.000Z"
    half = len(near.times) // 2 + 4
    transactions = "SQLServer:Databases(JBDB)\\Write Transactions/sec"
    assert max(near.present(transactions)[: half - 8]) == 0
    assert min(near.present(transactions)[half:]) > 0
    assert max(primary.present(transactions)[half:]) == 0
    assert set(near.summed(RECEIVED)[half:]) == {0}
    assert min(primary.summed(RECEIVED)[half:]) > 0
    # An instance is blank while it is not there.
    assert primary.values(WIRE)[-1] is None
    assert near.values(WIRE)[1] is None
    assert near.values(WIRE)[-1] is not None
    assert last(far, SEND_QUEUE) > first(far, SEND_QUEUE)
    assert "'PRIMARY_PENDING' to 'PRIMARY_NORMAL'" in errorlog(truth, "JBSAG1")
    assert errorlog(truth, "JBSAG1").count('from "RESOLVING" to "PRIMARY"') == 3
    assert errorlog(truth, "JBSAG2").count('from "PRIMARY" to "RESOLVING"') == 3
    assert errorlog(truth, "JBSAG3").count('from "RESOLVING" to "SECONDARY"') == 3


def test_failover_generates_on_two_hosts_what_one_replica_gets(tmp_path: Path) -> None:
    _, near, primary, _ = case(tmp_path, "failover")
    for database in DATABASES:
        one, other = near.total(DATABASE.format(database)), primary.total(DATABASE.format(database))
        assert one == pytest.approx(other, rel=0.02)
        got = near.total(RECEIVED.format(database)) + primary.total(RECEIVED.format(database))
        assert got == pytest.approx(one, rel=0.02)


def test_commit_delay_transactions_wait_forty_milliseconds_for_the_near_disk(tmp_path: Path) -> None:
    _, near, primary, far = case(tmp_path, "commit_delay")
    delay = primary.total("SQLServer:Database Replica(_Total)\\Transaction Delay")
    count = primary.total("SQLServer:Database Replica(_Total)\\Mirrored Write Transactions/sec")
    assert delay / count == pytest.approx(40, abs=3)
    assert percentile(near.present("PhysicalDisk(1 L:)\\Avg. Disk sec/Write"), 0.5) > 0.03
    assert percentile(primary.present("PhysicalDisk(1 L:)\\Avg. Disk sec/Write"), 0.5) < 0.002
    assert last(near, SEND_QUEUE) < 500
    assert last(far, SEND_QUEUE) < 500


def test_a_healthy_commit_waits_three_milliseconds(tmp_path: Path) -> None:
    _, _, primary, _ = case(tmp_path, "healthy")
    delay = primary.total("SQLServer:Database Replica(_Total)\\Transaction Delay")
    count = primary.total("SQLServer:Database Replica(_Total)\\Mirrored Write Transactions/sec")
    assert delay / count == pytest.approx(3, abs=0.5)


@folded("scenario", [name for name in SCENARIOS if name != "suspended"])
@folded("host", ["S", "A"])
def test_no_byte_is_lost_or_made(scenario: str, host: str) -> None:
    """At any time: queue = log generated - log received, and received >= redone."""
    model = Model(7, 6, scenario)
    for t in (0, 100, 250, 359):
        if model.primary(t) == host:
            continue
        for name in DATABASES:
            start, end = model.backlog(host, name, 0), model.backlog(host, name, t)
            made = model.log_generated(name, t) - model.log_generated(name, 0)
            got = model.log_received(host, name, t) - model.log_received(host, name, 0)
            assert end - start == made - got
            assert model.log_received(host, name, t) >= model.log_redone(host, name, t)


# The same counters with another cause


def test_settings_and_copies_change_without_the_counters(tmp_path: Path) -> None:
    write_case(tmp_path / "a", minutes=MINUTES)
    everywhere = dict.fromkeys(("JBSAG1", "JBSAG2", "JBSAG3"), "normal")
    fast = {"JBSAG1": 23.0, "JBSAG3": 23.0}
    write_case(tmp_path / "b", minutes=MINUTES, autotuning=everywhere, robocopy_mb_s=fast)
    for host in ("JBSAG1", "JBSAG2", "JBSAG3"):
        for name in ("DataCollector01.csv", "ERRORLOG"):
            one, other = (tmp_path / side / host / name for side in "ab")
            assert one.read_bytes() == other.read_bytes()
        text = (tmp_path / "b" / host / "netsh.txt").read_text(encoding="ascii")
        assert "Receive Window Auto-Tuning Level    : normal" in text
    copy = (tmp_path / "b" / "JBSAG2" / "robocopy_JBSAG3.log").read_text(encoding="ascii")
    assert "   Speed :            23001123 Bytes/sec." in copy


def test_flow_control_is_raised_for_the_far_replica_only(tmp_path: Path) -> None:
    truth = write_case(tmp_path, minutes=MINUTES, flow_control=True)
    primary = perfmon(truth, "JBSAG2")
    gate = "SQLServer:Availability Replica(JBSAG:{})\\Flow Control Time (ms/sec)"
    assert min(primary.present(gate.format("JBSAG3"))) > 500
    assert max(primary.present(gate.format("JBSAG1"))) == 0
    plain = write_case(tmp_path / "plain", minutes=MINUTES)
    assert max(perfmon(plain, "JBSAG2").present(gate.format("JBSAG3"))) == 0


def test_files_can_be_left_out(tmp_path: Path) -> None:
    truth = write_case(tmp_path, minutes=2, netsh=False, robocopy_mb_s={}, only=("JBSAG3",))
    assert truth.files == ["JBSAG3/DataCollector01.csv", "JBSAG3/ERRORLOG"]
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
    assert written == [str(Path("JBSAG3/DataCollector01.csv"))]


# Other roles and names


def test_swapped_secondaries_make_the_other_one_slow(tmp_path: Path) -> None:
    truth = write_case(tmp_path, minutes=MINUTES, swap_secondaries=True)
    assert (truth.primary, truth.synchronous, truth.asynchronous) == ("JBSAG2", "JBSAG3", "JBSAG1")
    slow, quick = perfmon(truth, "JBSAG1"), perfmon(truth, "JBSAG3")
    assert last(slow, SEND_QUEUE) > 100_000 > 500 > last(quick, SEND_QUEUE)
    assert slow.header[0] == "(PDH-CSV 4.0) (Korea Standard Time)(-540)"


def test_another_primary(tmp_path: Path) -> None:
    truth = write_case(tmp_path, minutes=MINUTES, swap_primary=True)
    assert (truth.primary, truth.synchronous, truth.asynchronous) == ("JBSAG1", "JBSAG2", "JBSAG3")
    assert max(perfmon(truth, "JBSAG1").present(WIRE)) > 0.55e6
    assert (tmp_path / "JBSAG1" / "robocopy_JBSAG3.log").exists()


def test_names_and_folders_change_everywhere(tmp_path: Path) -> None:
    names = {"JBSAG1": "ALPHA", "JBSAG2": "BRAVO", "JBSAG3": "CHARLIE"}
    folders = {"JBSAG1": "3/captures", "JBSAG2": "1", "JBSAG3": "2"}
    truth = write_case(tmp_path, minutes=MINUTES, rename=names, folders=folders, ping=True, reverse=True)
    assert (truth.primary, truth.asynchronous) == ("BRAVO", "CHARLIE")
    assert truth.hosts.keys() == {"ALPHA", "BRAVO", "CHARLIE"}
    assert "1/ping_CHARLIE.txt" in truth.files
    for file in truth.files:
        data = (tmp_path / file).read_bytes()
        assert b"JBSAG1" not in data.replace(b"\0", b""), file
        assert b"jbsag" not in data, file
    assert Perfmon(tmp_path / "3" / "captures" / "DataCollector01.csv").host == "ALPHA"


def test_another_seed_keeps_the_cause(tmp_path: Path) -> None:
    truth = write_case(tmp_path, minutes=MINUTES, seed=7)
    far = truth.hosts["JBSAG3"]
    assert sum(far.last_send_queue_kb.values()) > sum(far.first_send_queue_kb.values())
    assert far.peaks["wire"] < 0.65e6
