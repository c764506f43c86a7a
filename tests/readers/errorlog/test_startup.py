"""Start-up blocks and trace flags as facts (docs/formats/errorlog.md, section 3)."""

from __future__ import annotations

import datetime as dt

import pytest

from simulation.formats.errorlog import Log
from tests.readers.errorlog.errorlog_rows import facts, said, tables


def startup(log: Log) -> dict[tuple[int, str], str]:
    return {(item, key): value for topic, item, key, value in facts(log.windows()) if topic == "startup"}


def test_every_fact_of_a_start_on_windows():
    log = Log().start(host="JBSAG1", instance="SQL22", utc="-3:30", locked_pages=True)
    folder = r"C:\Program Files\Microsoft SQL Server\MSSQL16.SQL22\MSSQL"
    found = startup(log)
    assert found == {
        (0, "version_text"): "Microsoft SQL Server 2022 (RTM-CU11) (KB5032679) - 16.0.4105.2 (X64)",
        (0, "product"): "2022",
        (0, "level"): "RTM-CU11",
        (0, "kb"): "KB5032679",
        (0, "product_version"): "16.0.4105.2",
        (0, "build_date"): "Nov 14 2023 18:33:19",
        (0, "edition"): "Developer Edition (64-bit)",
        (0, "os"): "Windows Server 2022 Standard 10.0 <X64> (Build 20348: ) (Hypervisor)",
        (0, "utc_adjustment_minutes"): "-210",
        (0, "process_id"): "4321",
        (0, "system_manufacturer"): "VMware, Inc.",
        (0, "system_model"): "VMware7,1",
        (0, "authentication_mode"): "MIXED",
        (0, "errorlog_path"): rf"{folder}\Log\ERRORLOG",
        (0, "startup_parameter"): '-s "SQL22"',
        (0, "sockets"): "1",
        (0, "cores_per_socket"): "4",
        (0, "cores"): "4",
        (0, "logical_processors"): "8",
        (0, "licensed_processors"): "8",
        (0, "memory_mb"): "16384",
        (0, "locked_pages"): "true",
        (0, "default_collation"): "SQL_Latin1_General_CP1_CI_AS",
        (0, "language"): "us_english",
        (0, "language_lcid"): "1033",
        (0, "instant_file_initialization"): "enabled",
        (0, "server_name"): r"JBSAG1\SQL22",
        (0, "sql_instance"): "SQL22",
    }


def test_the_service_account_is_not_kept_as_a_fact():
    assert not any("CORP" in value for *_rest, value in facts(Log().start().windows()))


@pytest.mark.parametrize(
    ("written", "minutes"),
    [("0:00", "0"), ("3:00", "180"), ("-6:00", "-360"), ("5:45", "345"), ("-3:30", "-210"), ("-0:30", "-30")],
)
def test_utc_adjustment_is_local_minus_utc_in_minutes(written, minutes):
    assert startup(Log().add("Server", f"UTC adjustment: {written}")) == {
        (0, "utc_adjustment_minutes"): minutes
    }


def test_facts_have_line_time_and_unit():
    rows = tables(Log().start().windows())["facts"].to_pylist()
    [row] = [row for row in rows if row["key"] == "utc_adjustment_minutes"]
    assert (row["line"], row["time_local"], row["unit"]) == (
        6,
        dt.datetime(2024, 1, 25, 10, 6, 27, 860_000),
        "min",
    )


def test_each_banner_begins_the_next_item():
    log = Log().start(utc="-6:00").start(utc="-5:00")
    found = startup(log)
    assert [found[item, "utc_adjustment_minutes"] for item in (0, 1)] == ["-360", "-300"]


def test_an_old_banner_names_no_level():
    banner = "Microsoft SQL Server 2014 - 12.0.2000.8 (X64) "
    found = startup(Log().add("Server", banner, "\tFeb 20 2014 20:04:26 "))
    assert found[0, "product_version"] == "12.0.2000.8"
    assert found[0, "product"] == "2014"
    assert (0, "level") not in found


def test_the_edition_on_linux():
    found = startup(
        Log().add(
            "Server",
            "Microsoft SQL Server 2022 (RTM-CU11) (KB5032679) - 16.0.4105.2 (X64) ",
            "\tDeveloper Edition (64-bit) on Linux (Ubuntu 22.04.3 LTS) <X64>",
        )
    )
    assert (found[0, "edition"], found[0, "os"]) == (
        "Developer Edition (64-bit)",
        "Linux (Ubuntu 22.04.3 LTS) <X64>",
    )


def instance(*texts: str) -> str | None:
    log = Log()
    for text in texts:
        first, *more = text.split("\n")
        log.add("Server", first, *more)
    return startup(log).get((0, "sql_instance"))


NAMED = r"Server name is 'HOST\INST'. This is an informational message only. No user action is required."
OPTION = 'Command Line Startup Parameters:\n\t -s "BYOPTION"'
FOLDER = r"Logging SQL Server messages in file 'D:\MSSQL15.BYFOLDER\MSSQL\Log\ERRORLOG'."


def test_the_instance_is_named_by_itself_then_by_option_then_by_folder():
    assert instance(NAMED, OPTION, FOLDER) == "INST"
    assert instance(OPTION, FOLDER) == "BYOPTION"
    assert instance(FOLDER) == "BYFOLDER"
    assert instance(NAMED.replace(r"\INST", "")) == "MSSQLSERVER"
    assert instance("nothing") is None


def flags(log: Log) -> list[tuple[int, str, str]]:
    rows = tables(log.windows())["facts"].to_pylist()
    return [(row["line"], row["key"], row["value"]) for row in rows if row["topic"] == "startup_flag"]


def test_trace_flags_stand_on_their_own_lines_and_may_be_glued():
    log = Log().add(
        "Server",
        "Registry startup parameters: ",
        r"	 -d C:\x\master.mdf",
        "\t -T 9567",
        "\t -T1118",
        "\t -T1117 -g512",
        "\t -T 3226 -T 1222",
    )
    assert flags(log) == [
        (3, "9567", "startup"),
        (4, "1118", "startup"),
        (5, "1117", "startup"),
        (6, "3226", "startup"),
        (6, "1222", "startup"),
    ]


def test_a_file_name_that_looks_like_a_flag_is_none():
    log = Log().add("Server", "Registry startup parameters: ", r"	 -d C:\a-T 1\b-T2.mdf")
    assert flags(log) == []


def test_viewers_that_give_every_parameter_a_header_of_its_own():
    log = (
        Log().add("Server", "Registry startup parameters: ").add("Server", "-T 9567").add("Server", "-T 1462")
    )
    log.add("Server", "something else").add("Server", "-T 4199")
    assert flags(log) == [(2, "9567", "startup"), (3, "1462", "startup")]


def test_dbcc_switches_flags_on_and_off():
    log = Log()
    for text in ("DBCC TRACEON 3004, 3605", "DBCC TRACEOFF 3004"):
        log.add(
            "spid51",
            f"{text}, server process ID (SPID) 51. This is an informational message only; no user action is "
            f"required.",
        )
    rows = [row for row in tables(log.windows())["facts"].to_pylist() if row["topic"] == "trace_flag"]
    assert [(row["item"], row["key"], row["value"], row["line"]) for row in rows] == [
        (0, "3004", "on", 1),
        (1, "3605", "on", 1),
        (2, "3004", "off", 2),
    ]


CONNECTED = (
    "2024-01-25 10:06:27.84 spid40s     A connection for availability group '{}' from availability replica "
    "'{}' with id  "
    "[377C9F54-E247-4741-A8A1-3DA0C814AE51] to 'SQL2' with id [BC9116F0-FB49-4376-9F2B-B254C6DBFA32] has "
    "been successfully "
    "established.  This is an informational message only. No user action is required.\n"
)


def test_the_replica_that_connects_is_the_one_that_writes_the_log():
    text = CONNECTED.format("AG", "SQL1\\PROD") * 3
    found = [fact for fact in facts(text) if fact[0] == "errorlog_replica"]
    assert found == [("errorlog_replica", 0, "name", "SQL1\\PROD")]


def test_a_group_that_is_a_replica_of_a_distributed_group_is_no_server():
    text = CONNECTED.format("AG", "SQL1") + CONNECTED.format("DISTRIBUTED", "AG")
    found = [fact[3] for fact in facts(text) if fact[0] == "errorlog_replica"]
    assert found == ["SQL1"]


@pytest.mark.parametrize(
    "text",
    [
        "Server shut down by request from login sa.",
        (
            "SQL Server shutdown due to Ctrl-C or Ctrl-Break signal. This is an informational message only. "
            "No user action is required."
        ),
    ],
)
def test_a_statement_and_a_signal_ask_for_a_stop_too(text):
    topic, _number, fields = said(text)
    assert topic == "stop"
    assert fields["reason"] in ("statement", "signal")
