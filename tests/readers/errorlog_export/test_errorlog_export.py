"""Error logs that tools saved as rows are read as the ERRORLOG they were."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.base import Source
from agtrace.readers.errorlog_export.reader import READING
from simulation.formats.query_results import LAYOUTS, Result
from tests.folded import folded

TEXT = "Always On: The local replica of availability group 'AG' is preparing to transition."
LOG = Result(
    (("LogDate", 23), ("ProcessInfo", 12), ("Text", 400)),
    ((datetime(2024, 3, 5, 12, 0, 0, 120_000), "spid9s", TEXT),),
)
FORMS = {
    "sp_readerrorlog.csv": f'LogDate,ProcessInfo,Text\r\n2024-03-05 12:00:00.120,spid9s,"{TEXT}"\r\n',
    "sp_readerrorlog.tsv": f'LogDate\tProcessInfo\tText\r\n2024-03-05 12:00:00.120\tspid9s\t"{TEXT}"\r\n',
    "viewer.csv": f'Date,Source,Severity,Message\r\n03/15/2024 12:00:00,spid9s,Unknown,"{TEXT}"\r\n',
    "german.csv": f'Date;Source;Severity;Message\r\n05.03.2024 12:00:00;spid9s;Unknown;"{TEXT}"\r\n',
    "without a header.csv": f'2024-03-05 12:00:00.120,spid9s,"{TEXT}"\r\n',
    "viewer in another language.csv": f"Datum,Quelle,Schweregrad,Meldung\r\n"
        f"05.03.2024 12:00:00,spid9s,Unbekannt,{TEXT}\r\n",
    **{name: LAYOUTS[name](LOG) for name in LAYOUTS if name not in ("sqlcmd", "ssms_text")},
    "viewer.log": f"Date\t\t03/15/2024 12:00:00\r\nLog\t\tSQL Server (Current)\r\n\r\n"
        f"Source\t\tspid9s\r\n\r\nMessage\r\n{TEXT}\r\n\r\n",
}  # fmt: skip


def read(text: str) -> list[dict[str, object]]:
    batches = READING.read(Source.of_bytes(text.encode(), "x"))
    return [row for name, batch in batches if name == "errorlog" for row in batch.to_pylist()]


@folded("name", list(FORMS))
def test_each_form_is_recognised_and_gives_its_entry(name):
    text = FORMS[name]
    detected = READING.detect(text.encode(), name)
    assert detected is not None
    assert detected.kind == "SQL Server ERRORLOG"
    (row,) = read(text)
    assert (row["source"], row["message"]) == ("spid9s", TEXT)
    assert row["time_local"] in (
        datetime(2024, 3, 5, 12, 0, 0, 120_000),
        datetime(2024, 3, 15, 12),
        datetime(2024, 3, 5, 12),
    )


def test_newest_first_is_turned_so_that_an_error_joins_its_text():
    rows = read(
        "Date,Source,Severity,Message\n"
        "03/15/2024 12:00:00,Server,Unknown,The lease has expired.\n"
        '03/15/2024 12:00:00,Server,Unknown,"Error: 19407, Severity: 16, State: 1."\n'
        "03/15/2024 11:00:00,spid9s,Unknown,before\n"
    )
    assert [(row["error"], row["message"]) for row in rows] == [
        (None, "before"),
        (19407, "The lease has expired."),
    ]


def test_quotes_are_taken_off_and_lines_within_a_cell_continue_it():
    rows = read('LogDate,ProcessInfo,Text\n2024-03-05 12:00:00.120,Server,"one ""two""\nthree"\n')
    assert rows[0]["message"].startswith('one "two"')
    assert rows[0]["continuation_lines"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\n1,2,3\n",
        "Date,Amount\n",
        "2024-03-05 12:00:00,spid9s\n",
        "2024-03-05 12:00:00.12 spid9s     text\n",
    ],
)
def test_another_table_is_not_recognised(text):
    assert READING.detect(text.encode(), "x.csv") is None


def test_rows_without_a_time_are_counted_and_a_file_of_them_is_an_error():
    batches = list(READING.read(Source.of_bytes(
        b"LogDate,ProcessInfo,Text\n2024-03-05 12:00:00.120,Server,a\nx,Server,b\n", "x"
    )))  # fmt: skip
    issues = [row for name, batch in batches if name == "issues" for row in batch.to_pylist()]
    assert [(row["kind"], row["count"]) for row in issues] == [("bad_time", 1)]
    with pytest.raises(CaptureError, match="no row has a time"):
        list(READING.read(Source.of_bytes(b"LogDate,ProcessInfo,Text\nx,Server,b\n", "x")))
