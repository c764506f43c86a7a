"""Events as tools show them are the events of the log."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers import detect
from agtrace.readers.event_log import READER
from agtrace.testing import check_declared, check_flips, check_read_twice, read_all
from simulation.formats.query_results import LAYOUTS, Result
from tests.folded import folded

TEXT = "The SQL Server (MSSQLSERVER) service terminated unexpectedly."
SOURCE = "Service Control Manager"
AT = datetime(2024, 2, 6, 10, 0, 1)
XML = (
    "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System>"
    f"<Provider Name='{SOURCE}' Guid='{{555908d1-a6d7-4695-8e1e-26931d2012f4}}'/>"
    "<EventID Qualifiers='49152'>7034</EventID><Level>2</Level>"
    "<TimeCreated SystemTime='2024-02-06T10:00:01.0Z'/>"
    "<EventRecordID>9</EventRecordID><Channel>System</Channel><Computer>SRV1</Computer></System><EventData>"
    "<Data Name='param1'>SQL Server (MSSQLSERVER)</Data><Data Name='param2'>1</Data></EventData></Event>"
)
COLUMNS = (("TimeCreated", 23), ("ProviderName", 40), ("Id", -11), ("LevelDisplayName", 12), ("Message", 90))
SHOWN = Result(COLUMNS, ((AT, SOURCE, 7034, "Error", TEXT),))
OF_POWERSHELL = ("export_csv", "format_table", "format_list", "convert_to_json", "convert_to_html")
FORMS = {
    "wevtutil text": "Event[0]:\r\n  Log Name: System\r\n"
        f"  Source: {SOURCE}\r\n  Date: 2024-02-06T10:00:01.000\r\n  Event ID: 7034\r\n  Task: N/A\r\n"
        f"  Level: Error\r\n  Computer: SRV1\r\n  Description: \r\n{TEXT}\r\n\r\n",
    "copy of the viewer": f"Log Name:      System\nSource:        {SOURCE}\n"
        "Date:          2/6/2024 10:00:01 AM\n"
        f"Event ID:      7034\nLevel:         Error\nComputer:      SRV1\nDescription:\n{TEXT}\n",
    "viewer CSV without a header": f'Error,2/6/2024 10:00:01 AM,{SOURCE},7034,None,"{TEXT}"\n',
    "Get-WinEvent": f"\n   ProviderName: {SOURCE}\n\n"
        "TimeCreated           Id LevelDisplayName Message\n"
        "-----------           -- ---------------- -------\n"
        f"2/6/2024 10:00:01 AM 7034 Error            {TEXT}\n\n",
    "Get-EventLog": "Index              : 9\nEntryType          : Error\nInstanceId         : 3221232506\n"
        f"Message            : {TEXT}\nSource             : {SOURCE}\n"
        "TimeGenerated      : 2/6/2024 10:00:01 AM\n\n",
    **{name: LAYOUTS[name](SHOWN) for name in OF_POWERSHELL},
}  # fmt: skip


def events(text: str) -> list[dict]:
    reader, _found = detect(text.encode()[:65_536], "events.txt")
    assert reader is READER
    return read_all(READER, text.encode(), "events.txt")["os_events"].to_pylist()


@folded("form", list(FORMS))
def test_each_form_gives_the_event(form):
    (event,) = events(FORMS[form])
    wanted = (AT, "Error", SOURCE, 7034, TEXT)
    found = tuple(event[name] for name in ("time_local", "level", "source", "event_id", "message"))
    assert found == wanted


@pytest.mark.parametrize("text", [XML * 2, f'<?xml version="1.0"?>\n<Events>{XML}{XML}</Events>'])
def test_xml_has_the_values_of_an_event_and_utc(text):
    event = events(text)[0]
    assert (event["time_local"], event["record"], event["computer"]) == (AT, 9, "SRV1")
    assert event["message"] == "param1: SQL Server (MSSQLSERVER); param2: 1"
    assert len(events(text)) == 2


def test_xml_that_is_damaged_costs_its_event():
    tables = read_all(READER, (XML + XML.replace("</Level>", "") + XML).encode(), "x")
    assert tables["os_events"].num_rows == 2
    assert tables["issues"]["kind"].to_pylist() == ["damaged_record"]


def test_entities_of_its_own_are_not_expanded():
    text = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>' + XML.replace("<Level>2", "<Level>&a;")
    assert "issues" in read_all(READER, text.encode(), "x")


@pytest.mark.complete
@pytest.mark.parametrize("form", [*FORMS, "xml"])
def test_contract(form):
    data = {**FORMS, "xml": XML}[form].encode()
    check_read_twice(READER, data, "x")
    check_declared(READER, data, "x")
    check_flips(READER, data, "x", 500)
