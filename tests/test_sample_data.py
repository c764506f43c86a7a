"""The sample cases: the same bytes each time, and the physics and the article's figures in them.

Nothing here uses agtrace's own readers: a reader's mistake must not confirm itself.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tomllib
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agtrace.bundled import notebooks, sample
from agtrace.errors import AgtraceError
from simulation.samples.log_send_queue_plain import Perfmon, percentile

pytestmark = pytest.mark.complete

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "sample_data"
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))
NAMES = ("log_send_queue", "log_send_queue_ping")
DATABASES = ("JBDB", "JBSDBDW", "StackOverflow2010")
HOSTS = ("JBSAG1", "JBSAG2", "JBSAG3")


@pytest.fixture(scope="module")
def perfmon() -> dict[str, Perfmon]:
    return {host: Perfmon(SAMPLES / "log_send_queue" / host / "DataCollector01.csv") for host in HOSTS}


# The same bytes


def test_make_py_gives_the_committed_bytes_again(tmp_path: Path) -> None:
    script = [sys.executable, str(SAMPLES / "make.py"), "--into", str(tmp_path)]
    subprocess.run(script, check=True, cwd=tmp_path)
    assert (tmp_path / "manifest.toml").read_bytes() == (SAMPLES / "manifest.toml").read_bytes()
    for name in NAMES:
        for file, expected in MANIFEST[name]["sha256"].items():
            assert hashlib.sha256((tmp_path / name / file).read_bytes()).hexdigest() == expected, file


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_files_are_those_of_the_manifest(name: str) -> None:
    for file, expected in MANIFEST[name]["sha256"].items():
        assert hashlib.sha256((SAMPLES / name / file).read_bytes()).hexdigest() == expected, file


def test_the_variant_adds_nothing_but_the_ping_files() -> None:
    plain, with_ping = (MANIFEST[name]["sha256"] for name in NAMES)
    added = {"JBSAG2/ping_JBSAG1.txt", "JBSAG2/ping_JBSAG3.txt"}
    assert {file: with_ping[file] for file in with_ping if file not in added} == plain
    assert added <= with_ping.keys()


def test_a_sample_stays_below_three_megabytes() -> None:
    for name in NAMES:
        assert sum((SAMPLES / name / file).stat().st_size for file in MANIFEST[name]["sha256"]) < 3e6


# The article's figures


def test_the_primary_flushes_five_megabytes_a_second_at_most(perfmon: dict[str, Perfmon]) -> None:
    flushed = perfmon["JBSAG2"].summed("SQLServer:Databases({})\\Log Bytes Flushed/sec")
    assert 5.0e6 <= max(flushed) <= 5.9e6
    assert 0.7e6 <= sum(flushed) / len(flushed) <= 1.0e6


@pytest.mark.parametrize(
    "counter",
    [
        "SQLServer:Database Replica({})\\Log Bytes Received/sec",
        "SQLServer:Database Replica({})\\Redone Bytes/sec",
        "SQLServer:Databases({})\\Log Bytes Flushed/sec",
    ],
)
def test_the_near_replica_receives_hardens_and_redoes_all_of_it(
    perfmon: dict[str, Perfmon], counter: str
) -> None:
    assert 5.0e6 <= max(perfmon["JBSAG1"].summed(counter)) <= 5.9e6
    for database in DATABASES:
        here = perfmon["JBSAG1"].total(counter.format(database))
        there = perfmon["JBSAG2"].total(f"SQLServer:Databases({database})\\Log Bytes Flushed/sec")
        assert here == pytest.approx(there, rel=0.01)


def test_the_far_replica_receives_and_redoes_one_megabyte_a_second_at_most(
    perfmon: dict[str, Perfmon],
) -> None:
    for counter in ("Log Bytes Received/sec", "Redone Bytes/sec"):
        values = perfmon["JBSAG3"].summed("SQLServer:Database Replica({})\\" + counter)
        assert 1.0e6 <= max(values) <= 1.2e6, counter


@pytest.mark.parametrize("counter", ["Bytes Sent to Replica/sec", "Bytes Sent to Transport/sec"])
def test_the_wire_to_the_far_replica_has_a_ceiling(perfmon: dict[str, Perfmon], counter: str) -> None:
    path = f"SQLServer:Availability Replica(JBSAG:JBSAG3)\\{counter}"
    values = perfmon["JBSAG2"].present(path)
    assert 0.60e6 <= max(values) <= 0.64e6
    assert percentile(values, 0.95) / percentile(values, 0.5) < 1.3
    near = perfmon["JBSAG2"].present(path.replace("JBSAG3", "JBSAG1"))
    assert percentile(near, 0.95) / percentile(near, 0.5) > 1.3


def test_the_ceiling_is_one_unscaled_window_per_round_trip(perfmon: dict[str, Perfmon]) -> None:
    path = "SQLServer:Availability Replica(JBSAG:JBSAG3)\\Bytes Sent to Transport/sec"
    ceiling = percentile(perfmon["JBSAG2"].present(path), 0.5)
    rtt_ms = MANIFEST["log_send_queue"]["truth"]["hosts"]["JBSAG3"]["rtt_ms"]
    assert rtt_ms == pytest.approx(115, abs=1)
    assert ceiling * rtt_ms / 1000 == pytest.approx(65535, rel=0.02)


def test_what_leaves_the_primary_arrives(perfmon: dict[str, Perfmon]) -> None:
    for host in ("JBSAG1", "JBSAG3"):
        sent = perfmon["JBSAG2"].total(
            f"SQLServer:Availability Replica(JBSAG:{host})\\Bytes Sent to Transport/sec"
        )
        received = perfmon[host].total(
            "SQLServer:Availability Replica(JBSAG:JBSAG2)\\Bytes Received from Replica/sec"
        )
        assert received == pytest.approx(sent, rel=0.01)


def test_the_final_queues_are_750_mb_and_120_kb(perfmon: dict[str, Perfmon]) -> None:
    def last(host: str) -> float:
        return perfmon[host].present("SQLServer:Database Replica(_Total)\\Log Send Queue")[-1]

    assert last("JBSAG3") / 1024 == pytest.approx(750, abs=1)
    assert last("JBSAG1") == pytest.approx(120, abs=6)
    for database in DATABASES:
        queue = f"SQLServer:Database Replica({database})\\Log Send Queue"
        assert set(perfmon["JBSAG2"].present(queue)) == {0}


def test_the_far_queue_grows_all_the_time_and_is_never_empty(perfmon: dict[str, Perfmon]) -> None:
    total = perfmon["JBSAG3"].present("SQLServer:Database Replica(_Total)\\Log Send Queue")
    fifth = len(total) // 5
    quarters = [sum(total[i : i + fifth]) for i in range(0, fifth * 5, fifth)]
    assert quarters == sorted(quarters)
    for database in DATABASES:
        values = perfmon["JBSAG3"].present(f"SQLServer:Database Replica({database})\\Log Send Queue")
        assert min(values) > 30_000
        assert values[-1] > values[0]


@pytest.mark.parametrize("host", ["JBSAG1", "JBSAG3"])
@pytest.mark.parametrize("database", DATABASES)
def test_a_queue_changes_by_what_is_flushed_and_not_received(
    perfmon: dict[str, Perfmon], host: str, database: str
) -> None:
    truth = MANIFEST["log_send_queue"]["truth"]["hosts"]
    here, primary = perfmon[host], perfmon["JBSAG2"]
    # The rows of the two hosts, on one true clock.
    to_true = timedelta(
        minutes=truth[host]["utc_offset_minutes"] + 240, milliseconds=truth[host]["clock_offset_ms"]
    )
    start, end = here.times[0] - to_true, here.times[-1] - to_true
    flushed = primary.total(f"SQLServer:Databases({database})\\Log Bytes Flushed/sec", start, end)
    received = here.total(f"SQLServer:Database Replica({database})\\Log Bytes Received/sec")
    queue = here.present(f"SQLServer:Database Replica({database})\\Log Send Queue")
    change = (queue[-1] - queue[0]) * 1024
    scale = change if host == "JBSAG3" else flushed
    assert abs(change - (flushed - received)) <= 0.02 * abs(scale)


def test_redo_keeps_up_on_both_secondaries(perfmon: dict[str, Perfmon]) -> None:
    for host in ("JBSAG1", "JBSAG3"):
        for database in DATABASES:
            queue = perfmon[host].present(f"SQLServer:Database Replica({database})\\Recovery Queue")
            assert queue[-1] < 300
            assert max(queue) < 6_000


def test_total_and_tempdb_hold_more_than_the_group(perfmon: dict[str, Perfmon]) -> None:
    primary = perfmon["JBSAG2"]
    counter = "SQLServer:Databases({})\\Log Bytes Flushed/sec"
    group = sum(primary.total(counter.format(database)) for database in DATABASES)
    assert primary.total(counter.format("tempdb")) > 0.2 * group
    assert primary.total(counter.format("_Total")) > 1.2 * group


# What makes captures hard


def test_headers_say_less_or_more_as_windows_does(perfmon: dict[str, Perfmon]) -> None:
    assert perfmon["JBSAG2"].header[0] == "(PDH-CSV 4.0) (Eastern Daylight Time)(240)"
    assert perfmon["JBSAG1"].header[0] == "(PDH-CSV 4.0) ("
    assert perfmon["JBSAG3"].header[0] == "(PDH-CSV 4.0) (Korea Standard Time)(-540)"
    assert perfmon["JBSAG1"].header[-1] == "Log send queue: SQL Server and network counters every 5 seconds"
    assert [len(log.header) - 1 - len(log.cells) for log in perfmon.values()] == [1, 0, 0]


def test_rates_are_blank_in_the_first_row_only(perfmon: dict[str, Perfmon]) -> None:
    for log in perfmon.values():
        for path, cells in log.cells.items():
            blanks = [number for number, cell in enumerate(cells) if cell == " "]
            assert blanks == ([0] if path.endswith("/sec") else blanks[:1]), path


def test_rows_jitter_and_one_host_has_a_gap(perfmon: dict[str, Perfmon]) -> None:
    for host, log in perfmon.items():
        steps = [
            round((b - a).total_seconds() * 1000) for a, b in zip(log.times, log.times[1:], strict=False)
        ]
        assert len(set(steps)) > 30
        long = [step for step in steps if step > 5100]
        assert len(long) == (1 if host == "JBSAG3" else 0)
        assert all(29_900 < step < 30_100 for step in long)
        assert min(steps) > 4_900
    assert [len(perfmon[host].times) for host in HOSTS] == [540, 540, 535]


def errorlog_times(host: str, text: str) -> list[datetime]:
    """Return the true times of an ERRORLOG's entries that contain a text."""
    truth = MANIFEST["log_send_queue"]["truth"]["hosts"][host]
    raw = (SAMPLES / "log_send_queue" / host / "ERRORLOG").read_bytes()
    assert raw.startswith(b"\xff\xfe")
    found = []
    for line in raw.decode("utf-16").split("\r\n"):
        if text in line:
            local = datetime.fromisoformat(line[:22])
            offset = timedelta(minutes=truth["utc_offset_minutes"])
            found.append(local - offset)
    return found


@pytest.mark.parametrize(("host", "clock_ms"), [("JBSAG1", -350), ("JBSAG3", 1800)])
def test_connections_are_logged_on_both_ends_a_clock_offset_apart(host: str, clock_ms: int) -> None:
    assert MANIFEST["log_send_queue"]["truth"]["hosts"][host]["clock_offset_ms"] == clock_ms
    here = errorlog_times(host, "to 'JBSAG2' with id")
    there = errorlog_times("JBSAG2", f"to '{host}' with id")
    assert len(here) == len(there) >= 4
    for mine, other in zip(here, there, strict=True):
        assert (mine - other).total_seconds() * 1000 == pytest.approx(clock_ms, abs=75)


@pytest.mark.parametrize(
    ("host", "adjustment"), [("JBSAG1", "-4:00"), ("JBSAG2", "-4:00"), ("JBSAG3", "9:00")]
)
def test_an_errorlog_tells_zone_name_and_version(host: str, adjustment: str) -> None:
    text = (SAMPLES / "log_send_queue" / host / "ERRORLOG").read_bytes().decode("utf-16")
    assert "Microsoft SQL Server 2014 (SP3) (KB4022619) - 12.0.6024.0 (X64)" in text.split("\r\n")[0]
    assert f"Server      UTC adjustment: {adjustment}\r\n" in text
    assert f"spid7s      Server name is '{host}'. " in text


def test_tcp_settings_and_file_copies_are_the_articles() -> None:
    folder = SAMPLES / "log_send_queue"

    def level(host: str) -> str:
        lines = (folder / host / "netsh.txt").read_text(encoding="ascii").splitlines()
        return next(line.split(":")[1].strip() for line in lines if "Auto-Tuning" in line)

    def speed(host: str) -> int:
        lines = (folder / "JBSAG2" / f"robocopy_{host}.log").read_text(encoding="ascii").splitlines()
        return int(next(line.split()[2] for line in lines if "Bytes/sec" in line))

    assert [level(host) for host in HOSTS] == ["disabled", "normal", "disabled"]
    assert speed("JBSAG1") == 23_041_123
    assert speed("JBSAG3") == 1_021_123


def test_ping_shows_the_round_trip_of_the_generator() -> None:
    folder = SAMPLES / "log_send_queue_ping" / "JBSAG2"
    far = (folder / "ping_JBSAG3.txt").read_text(encoding="ascii")
    average = int(far.rsplit("Average = ", 1)[1].split("ms")[0])
    assert average == pytest.approx(115, abs=4)
    assert "time<1ms" in (folder / "ping_JBSAG1.txt").read_text(encoding="ascii")


def test_the_manifest_names_what_of_the_article_was_dropped() -> None:
    dropped = MANIFEST["log_send_queue"]["dropped"]
    assert len(dropped) == 3
    assert dropped[0].startswith("0.4+ MB/s sent to JBSAG3 on average against 200+ KB/s received")
    assert dropped[1].startswith("1 MB/s flushed on JBSAG2 on average against 500+ KB/s received")
    assert dropped[2].startswith("'we sent 5 MB/sec, but we received just 1 MB/sec' of JBSAG3")


# Found wherever agtrace lies


def test_samples_are_found_by_name() -> None:
    assert sample("log_send_queue") == SAMPLES / "log_send_queue"
    assert notebooks() == ROOT / "notebooks"


@pytest.mark.parametrize("name", ["nothing", "", ".", "../agtrace", "log_send_queue/JBSAG1"])
def test_an_unknown_sample_lists_those_there_are(name: str) -> None:
    with pytest.raises(AgtraceError) as error:
        sample(name)
    known = ", ".join(sorted(MANIFEST))
    assert {"backup_tuning", "log_send_queue"} <= MANIFEST.keys()
    assert str(error.value) == f"there is no sample {name!r} - samples: {known}"


def test_samples_are_found_inside_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import agtrace.bundled

    package = tmp_path / "site-packages" / "agtrace"
    samples = package.with_name("agtrace_samples")
    (samples / "log_send_queue").mkdir(parents=True)
    (samples / "__init__.py").touch()
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr(agtrace.bundled, "PACKAGE", package)
    assert sample("log_send_queue") == samples / "log_send_queue"
    with pytest.raises(AgtraceError, match="notebooks was not installed with agtrace"):
        notebooks()
