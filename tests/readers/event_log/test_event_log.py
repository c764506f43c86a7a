"""Windows event logs in the words of those who collected them."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.event_log import READER
from agtrace.testing import check_reader, facts, is_detected, read_all
from simulation.formats.event_log import (
    EVENTS,
    REMOVED,
    SLOW,
    STOPPED,
    export_csv,
    german,
    logscout_csv,
    logscout_out,
    sdp_csv,
    sdp_txt,
    us,
)
from tests.folded import folded
from tests.shared import CAPTURES, needs_captures

TEXTS = {
    "list of LogScout": logscout_csv(),
    "table of LogScout": logscout_out(),
    "SDP": sdp_csv(),
    "table of SDP": sdp_txt(),
    "Export-Csv": export_csv(),
}


def events(data: bytes | str, name: str = "A_EventLog_System.csv") -> list[dict[str, object]]:
    raw = data.encode() if isinstance(data, str) else data
    return read_all(READER, raw, name)["os_events"].to_pylist()


def issues(data: bytes | str, name: str = "A_EventLog_System.csv") -> dict[str, int]:
    raw = data.encode() if isinstance(data, str) else data
    tables = read_all(READER, raw, name)
    if "issues" not in tables:
        return {}
    return {row["kind"]: row["count"] for row in tables["issues"].to_pylist()}


@pytest.mark.complete
@pytest.mark.parametrize("name", TEXTS)
def test_contract(name):
    many = [event._replace(at=event.at.replace(day=day)) for day in (25, 26, 27) for event in EVENTS]
    writer = {"list of LogScout": logscout_csv, "table of LogScout": logscout_out,
              "SDP": sdp_csv, "table of SDP": sdp_txt, "Export-Csv": export_csv}[name]  # fmt: skip
    check_reader(READER, writer(many).encode(), "A_System.csv", "os_events", flips=2_000)


@folded("name", TEXTS)
@folded("encoding", ["utf-8", "utf-16"])
def test_every_dialect_tells_the_same_events(name, encoding):
    rows = events(TEXTS[name].encode(encoding))
    told = [(r["level"], r["time_local"], r["source"], r["event_id"], r["message"]) for r in rows]
    assert told == [(e.level, e.at, e.source, e.number, e.message) for e in EVENTS]
    assert {row["log"] for row in rows} == {"System"}
    assert issues(TEXTS[name]) == {}


def test_a_table_of_fixed_width_has_computer_category_and_user():
    row = events(logscout_out())[0]
    assert row["computer"] == "CONTOSO1"
    assert row["category"] == "(3)"
    assert row["user"] == "NT AUTHORITY\\SYSTEM"


def test_a_computer_name_longer_than_its_column_runs_into_the_number():
    long = REMOVED._replace(computer="CONTOSO1.contoso.lan")
    (row, other) = events(logscout_out([long, STOPPED]))
    assert (row["computer"], row["event_id"], row["source"]) == (long.computer, 1135, long.source)
    assert (row["user"], row["message"]) == (long.user, long.message)
    assert (other["computer"], other["message"]) == ("CONTOSO1", STOPPED.message)


def test_a_long_category_moves_what_follows():
    long = REMOVED._replace(category="Credential Validation of Users")
    (row,) = events(logscout_out([long]))
    assert (row["event_id"], row["message"]) == (1135, long.message)


def test_german_times_and_letters_beyond_ascii():
    event = REMOVED._replace(user="NT-AUTORITÄT\\SYSTEM", message="Knoten „CONTOSO2“ wurde entfernt.")
    for text in (logscout_out([event, SLOW], german), export_csv([event, SLOW], german)):
        row, other = events(text.encode("utf-16"))
        assert (row["time_local"], row["user"]) == (event.at, event.user)
        assert (row["message"], other["message"]) == (event.message, SLOW.message)


@folded(
    ("written", "read"),
    [
        ("2/28/2026 10:10:44 PM", datetime(2026, 2, 28, 22, 10, 44)),
        ("2/28/2026 12:10:44 AM", datetime(2026, 2, 28, 0, 10, 44)),
        ("28.02.2026 22:10:44", datetime(2026, 2, 28, 22, 10, 44)),
        ("28/02/2026 22:10:44", datetime(2026, 2, 28, 22, 10, 44)),
        ("28-02-2026 22:10:44", datetime(2026, 2, 28, 22, 10, 44)),
        ("2026/02/28 22:10:44", datetime(2026, 2, 28, 22, 10, 44)),
        ("2026-02-28 22:10:44", datetime(2026, 2, 28, 22, 10, 44)),
        ("2026. 02. 28. 22:10:44", datetime(2026, 2, 28, 22, 10, 44)),
        ("2026/2/28 下午 10:10:44", datetime(2026, 2, 28, 22, 10, 44)),
        ("28/02/2026 10:10:44 p. m.", datetime(2026, 2, 28, 22, 10, 44)),
        ("2/28/2026 10:10:44\u202fPM", datetime(2026, 2, 28, 22, 10, 44)),
        ("1/24/2018 11:33", datetime(2018, 1, 24, 11, 33)),
        ("2/30/2026 10:10:44 PM", None),
        ("2/28/2026 13:10:44 PM", None),
    ],
)
def test_times_of_many_cultures(written, read):
    (row,) = events(export_csv([REMOVED], lambda _at: written))
    assert row["time_local"] == read


def test_one_date_of_one_meaning_decides_for_all():
    early, late = datetime(2026, 3, 2, 8), datetime(2026, 2, 28, 22)
    both = [REMOVED._replace(at=early), REMOVED._replace(at=late)]
    assert [row["time_local"] for row in events(logscout_csv(both))] == [early, late]

    def british(at: datetime) -> str:
        return f"{at:%d/%m/%Y %H:%M:%S}"

    assert [row["time_local"] for row in events(logscout_csv(both, british))] == [early, late]


def test_dates_of_two_meanings_are_settled_by_the_name_of_the_file_or_guessed():
    text = logscout_csv([REMOVED._replace(at=datetime(2026, 2, 3, 22))], lambda at: f"{at:%d/%m/%Y %H:%M:%S}")
    collected = "CONTOSO1_20260204T1016102291_EventLog_System.csv"
    (row,) = events(text, collected)
    assert row["time_local"] == datetime(2026, 2, 3, 22)
    assert issues(text, collected) == {}
    assert issues(text) == {"date_order_guessed": 1}


def test_hours_without_their_half_of_the_day_are_no_time():
    (row, _other) = events(
        logscout_csv([REMOVED, SLOW._replace(at=REMOVED.at)], lambda at: f"{at:%m.%d.%Y %I:%M:%S} ")
    )
    assert row["time_local"] is None
    assert issues(logscout_csv([REMOVED], lambda at: f"{at:%m.%d.%Y %I:%M:%S} ")) == {
        "half_of_day_missing": 1,
        "bad_time": 1,
    }


@pytest.mark.parametrize(
    ("word", "level"),
    [
        ("Fehler", "Error"),
        ("Warnung", "Warning"),
        ("Informationen", "Information"),
        ("Critical", "Error"),
        ("SuccessAudit", "Information"),
        ("FailureAudit", "Warning"),
        ("0", None),
    ],
)
def test_levels(word, level):
    (row,) = events(logscout_csv([REMOVED._replace(level=word)]))
    assert row["level"] == level


def test_a_message_of_several_lines_in_a_list_with_quotes():
    text = export_csv([REMOVED._replace(message='one "quoted"\r\n7036,two\r\n\r\nthree'), SLOW])
    first, second = events(text)
    assert first["message"] == 'one "quoted"\n7036,two\n\nthree'
    assert (first["record"], first["log"], second["event_id"]) == (97575, "System", 153)


def test_a_list_that_a_spreadsheet_saved_again():
    text = (
        "#TYPE System.Diagnostics.EventLogEntry#System/DCOM/10028,,,,,,,,,,,,,,,\r\n"
        "EventID,MachineName,Data,Index,Category,CategoryNumber,EntryType,Message,Source,ReplacementStrings,"
        "InstanceId,TimeGenerated,TimeWritten,UserName,Site,Container\r\n"
        '1085,h1.contoso.lan,System.Byte[],97562,0,0,Warning,"click on the ""More"" link, please.",'
        "Microsoft-Windows-GroupPolicy,System.String[],1085,1/24/2018 11:01,1/24/2018 11:01,NT "
        "AUTHORITY\\SYSTEM,,\r\n"
    )
    (row,) = events(text)
    assert (row["message"], row["level"]) == ('click on the "More" link, please.', "Warning")
    assert (row["time_local"], row["computer"]) == (datetime(2018, 1, 24, 11, 1), "h1.contoso.lan")


def test_a_damaged_row_is_left_out_and_counted():
    text = logscout_csv().replace('"7036","None","The', '"7036" The')
    assert [row["event_id"] for row in events(text)] == [1135, 153]
    assert issues(text) == {"damaged_row": 1}


def test_the_file_names_the_machine_of_most_events():
    moved = [*EVENTS, REMOVED._replace(computer="WIN-SETUP")]
    (file,) = facts(read_all(READER, logscout_out(moved).encode(), "x.out"), "event_log")
    assert (file["computer"], file["events"], file["date_order"]) == ("CONTOSO1", "4", "month")
    assert "log" not in file


def test_other_lists_are_no_event_logs():
    assert not is_detected(READER, "Name,Value,Time,Date\n1,2,3,4\n")
    assert not is_detected(READER, '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Memory\\Pages/sec"\n')
    assert not is_detected(READER, us(REMOVED.at))
    with pytest.raises(CaptureError, match="no header of an event log"):
        list(read_all(READER, b"nothing of the kind\n", "x.csv"))


@needs_captures
@pytest.mark.parametrize("end", ["csv", "out"])
def test_the_examples_of_logscout(end):
    name = f"CONTOSO1_20260301T1016102291_EventLog_System.{end}"
    (row,) = events((CAPTURES / "support_folder/output" / name).read_bytes(), name)
    assert row["time_local"] == datetime(2026, 2, 28, 22, 10, 44)
    assert (row["log"], row["level"], row["event_id"]) == ("System", "Error", 1135)
    assert row["source"] == "Microsoft-Windows-FailoverClustering"
    assert row["message"].startswith("Cluster node 'CONTOSO2' was removed from the active failover")
