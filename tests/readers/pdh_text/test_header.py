"""The header of PDH text logs: signature, zone, encodings, names, and which columns are read."""

from __future__ import annotations

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.base import ReadOptions
from agtrace.readers.pdh_text import READER
from agtrace.readers.pdh_text.columns import path_filter, sort_columns
from agtrace.readers.pdh_text.encoding import guess_ansi
from agtrace.testing import Tables, read_all
from simulation.formats.pdh_text import BLANK, write_pdh
from tests.folded import folded

PATH = r"\\HOST\Memory\Available MBytes"
SEND_QUEUE = r"\\JBSAG3\SQLServer:Database Replica(AGDB)\Log Send Queue"
REDO_QUEUE = r"\\JBSAG3\SQLServer:Database Replica(AGDB)\Recovery Queue"
NIC = r"\\jbsag3\network interface(intel[r] 82574l)\bytes total/sec"


def read(data: bytes, **options) -> Tables:
    return read_all(READER, data, "log.csv", ReadOptions(**options))


def facts(tables: Tables) -> dict[str, str]:
    rows = tables["facts"].to_pylist()
    assert {row["topic"] for row in rows} == {"pdh_header"}
    return {row["key"]: row["value"] for row in rows}


def kinds(tables: Tables) -> list[tuple[str, str, int]]:
    rows = tables["issues"].to_pylist() if "issues" in tables else []
    return [(row["kind"], row["severity"], row["count"]) for row in rows]


@folded(
    "head",
    [
        b'"(PDH-CSV 4.0) (Tokyo Standard Time)(-540)","',
        b'"(PDH-TSV 4.0) (Pacific Daylight Time)(420)"\t"',
        b"(PDH-CSV 4.0);\\\\HOST\\",
        b'\xef\xbb\xbf"(PDH-CSV 4.0)"',
        b'\r\n\r\n  "(PDH-CSV 4.0)"',
        '\ufeff\r\n"(PDH-CSV 4.0)"'.encode("utf-16-le"),
        '\ufeff"(PDH-CSV 4.0)"'.encode("utf-16-be"),
        '"(PDH-TSV 4.0)"'.encode("utf-16-le"),
    ],
)
def test_the_signature_is_recognised(head):
    assert READER.detect(head, "anything").kind == "perfmon text log"


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\n",
        b'"(PDH-XSV 4.0)"',
        b"time,(PDH-CSV 4.0)",
        b"# (PDH-CSV 4.0)",
        b'"(PDH-CSV 3.0)"',
        b"\xff\xfe",
    ],
)
def test_nothing_else_is(head):
    assert READER.detect(head, "DataCollector01.csv") is None


@folded(
    ("zone", "name", "bias"),
    [
        (" (India Standard Time)(-330)", "India Standard Time", "-330"),
        (" (Eastern Daylight Time)(240)", "Eastern Daylight Time", "240"),
        (" (RTZ 2 (зима))(-180)", "RTZ 2 (зима)", "-180"),
        (" (RTZ 2 (", "RTZ 2 (", None),
        (" (Paris, Madrid (heure d", "Paris, Madrid (heure d", None),
        (" (", None, None),
        ("", None, None),
        (" (UTC)(0)", "UTC", "0"),
        (" (Tokyo Standard Time)(-99999)", "Tokyo Standard Time", None),
    ],
)
def test_the_zone_as_much_of_it_as_was_written(zone, name, bias):
    tables = read(write_pdh([PATH], [[1]], zone=zone))
    known = facts(tables)
    assert known["format"] == "PDH-CSV"
    assert (known.get("zone_name"), known.get("bias_minutes")) == (name, bias)
    assert kinds(tables) == ([] if bias else [("bias_missing", "info", 1)])


def test_a_tsv_says_so():
    assert facts(read(write_pdh([PATH], [[1]], kind="TSV")))["format"] == "PDH-TSV"


def test_the_extra_last_column_is_a_fact_and_no_data():
    text = "Generate a report, detailing the status"
    tables = read(write_pdh([PATH, text], [[1, BLANK], [2, "no number"]]))
    assert facts(tables)["collector_text"] == text
    assert facts(tables)["columns"] == "1"
    assert tables["counters"]["path"].to_pylist() == [PATH]
    assert tables["samples"]["value"].to_pylist() == [1.0, 2.0]
    assert kinds(tables) == []


def test_other_columns_that_are_no_counters_are_left_out_and_reported():
    tables = read(write_pdh(["CPU", PATH, "RAM", ""], [[1, 2, 3, BLANK]]))
    assert tables["samples"]["value"].to_pylist() == [2.0]
    assert kinds(tables) == [("not_a_counter", "warning", 2)]
    assert "collector_text" not in facts(tables)


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        (r"\Processor(_Total)\% Processor Time", ("Processor", "_Total", "% Processor Time")),
        (r"Process(Idle)\% Processor Time", ("Process", "Idle", "% Processor Time")),
        (r"Memory\Available MBytes", ("Memory", None, "Available MBytes")),
        (r"Prozess(Idle)\Prozessorzeit (%)", ("Prozess", "Idle", "Prozessorzeit (%)")),
        (r"Память\Доступно МБ", ("Память", None, "Доступно МБ")),
        (r"SQLServer:Availability Replica(AG:H\I)\Sends/sec",
         ("SQLServer:Availability Replica", r"AG:H\I", "Sends/sec")),
    ],
)  # fmt: skip
def test_local_paths_name_no_machine(path, parts):
    tables = read(write_pdh([path, r"Process(x)\y"], [[1, 2]]))
    row = tables["counters"].to_pylist()[0]
    assert (row["object_written"], row["instance"], row["counter_written"]) == parts
    assert (row["host"], row["path"]) == (None, path)
    assert tables["samples"]["value"].to_pylist() == [1.0, 2.0]
    assert kinds(tables) == []


@pytest.mark.parametrize(
    ("last", "is_counter"),
    [
        (r"Process(Idle)\% Processor Time", True),
        (r"Memory\Available MBytes", True),
        (r"Generate a report in C:\PerfLogs", False),
        (r"Generate a report, see share\reports", False),
        (r"Generate a report in \\server\share", False),
    ],
)
def test_the_last_column_is_a_local_path_only_where_it_is_one(last, is_counter):
    tables = read(write_pdh([PATH, last], [[1, 2]]))
    assert (len(tables["counters"]) == 2) is is_counter
    assert ("collector_text" in facts(tables)) is not is_counter


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("quote", ['"', ""])
def test_the_separator_is_what_stands_before_the_first_path(quote, separator):
    zone = " (Madrid; Paris, Rome (Sommer)(-120)"
    if not quote:
        zone = zone.replace(separator, " ")
    data = write_pdh([PATH, NIC], [[1, 2]], zone=zone, quote=quote, separator=separator)
    tables = read(data)
    assert tables["samples"]["value"].to_pylist() == [1.0, 2.0]
    assert facts(tables)["bias_minutes"] == "-120"


def test_a_counter_path_in_parts_and_its_canonical_names():
    (row,) = read(write_pdh([SEND_QUEUE], [[1]]))["counters"].to_pylist()
    assert row == {
        "counter_no": 0,
        "host": "JBSAG3",
        "sql_instance": "MSSQLSERVER",
        "object": "SQLServer:Database Replica",
        "instance": "AGDB",
        "counter": "Log Send Queue",
        "object_written": "SQLServer:Database Replica",
        "counter_written": "Log Send Queue",
        "path": SEND_QUEUE,
        "unit": "KB",
        "counter_type": None,
    }


@folded(
    ("path", "expected"),
    {
        r"\\sp2013\sqlserver:availability replica(spmag:sql2012x)\bytes sent to replica/sec": (
            "sp2013",
            "MSSQLSERVER",
            "SQLServer:Availability Replica",
            "spmag:sql2012x",
            "Bytes Sent to Replica/sec",
        ),
        r"\\H\MSSQL$RED:Availability Replica(AG1:HOST2\RED)\Bytes Sent to Replica/sec": (
            "H",
            "RED",
            "SQLServer:Availability Replica",
            r"AG1:HOST2\RED",
            "Bytes Sent to Replica/sec",
        ),
        r"\\H\MSSQL$RED:Database Replica(AGDB)\Cola de envío de registro": (
            "H",
            "RED",
            "SQLServer:Database Replica",
            "AGDB",
            "Log Send Queue",
        ),
        r"\\H\Processor Information(0,3)\% Processor Time": (
            "H",
            None,
            "Processor Information",
            "0,3",
            "% Processor Time",
        ),
        r"\\H\Process(sqlservr#1)\Working Set": ("H", None, "Process", "sqlservr#1", "Working Set"),
        r"\Memory\Available MBytes": (None, None, "Memory", None, "Available MBytes"),
        r"\\H\SQLServer:Nonsense(x)\Things": ("H", "MSSQLSERVER", None, "x", None),
        r"\\H\Nonsense\Things": ("H", None, None, None, None),
    }.items(),
)
def test_names(path, expected):
    (row,) = read(write_pdh([path], [[1]]))["counters"].to_pylist()
    assert tuple(row[k] for k in ("host", "sql_instance", "object", "instance", "counter")) == expected
    assert row["path"] == path


def test_a_counter_that_comes_twice_is_kept_once():
    tables = read(write_pdh([PATH, NIC, PATH.lower()], [[1, 2, 3], [4, 5, 6]]))
    assert tables["counters"]["path"].to_pylist() == [PATH, NIC]
    assert tables["samples"]["value"].to_pylist() == [1.0, 4.0, 2.0, 5.0]
    assert kinds(tables) == [("duplicate_series", "warning", 1)]


@folded(
    ("globs", "kept"),
    [
        ([r"*\Log Send Queue"], [SEND_QUEUE]),
        ([r"*\log send queue", r"*\recovery*"], [SEND_QUEUE, REDO_QUEUE]),
        ([r"\SQLServer:Database Replica(*)\*"], [SEND_QUEUE, REDO_QUEUE]),
        ([r"\\jbsag?\sqlserver:*"], [SEND_QUEUE, REDO_QUEUE]),
        ([r"*intel[r]*"], [NIC]),
        ([r"\network interface(intel[r] 82574l)\bytes total/sec"], [NIC]),
        (["Log Send Queue"], [SEND_QUEUE]),
        (["log*"], [SEND_QUEUE]),
        (["Send Queue"], []),
        (["*"], [SEND_QUEUE, NIC, REDO_QUEUE]),
    ],
)
def test_only_wanted_counters_are_decoded(globs, kept):
    paths = [SEND_QUEUE, NIC, REDO_QUEUE]
    tables = read(write_pdh(paths, [[0, 1, 2], [10, BLANK, 12]]), counters=tuple(globs))
    assert tables["counters"]["path"].to_pylist() == kept
    assert tables["counters"]["counter_no"].to_pylist() == list(range(len(kept)))
    got = [(r["counter_no"], r["value"]) for r in tables["samples"].to_pylist()]
    series = {SEND_QUEUE: [0.0, 10.0], NIC: [1.0], REDO_QUEUE: [2.0, 12.0]}
    assert got == [(n, value) for n, path in enumerate(kept) for value in series[path]]
    assert tables["ticks"].num_rows == 2
    assert facts(tables)["columns"] == "3"


def test_many_stars_in_a_glob_stay_cheap():
    assert path_filter(["*" * 5_000 + "z"]).match("\\" + "a" * 5_000) is None


def test_hundred_thousand_columns_are_told_apart_once_each():
    cells = ["(PDH-CSV 4.0)", *(rf"\\H\Process(p#{n})\ID Process" for n in range(100_000))]
    columns = sort_columns(cells, ())
    assert (len(columns.wanted), columns.duplicates, columns.nameless) == (100_000, [], [])


def test_more_columns_than_any_log_has_are_refused():
    with pytest.raises(CaptureError, match="too many columns"):
        read(b'"(PDH-CSV 4.0)"' + b',"\\a"' * 250_000 + b"\n")


def test_a_header_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("agtrace.readers.pdh_text.header.MAX_HEADER_BYTES", 10_000)
    endless = b'"(PDH-CSV 4.0)","' + b"x" * 50_000
    with pytest.raises(CaptureError, match="header line too long"):
        read(endless, block_bytes=1_000)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty file"),
        (b"\r\n \r\n", "ends inside its header line"),
        (b'"(PDH-CSV 4.0)","\\\\H\\Memory\\Availa', "ends inside its header line"),
        (b"time,value\n1,2\n", "no PDH header"),
        (b'"(PDH-CSV 4.0) nonsense","\\a"\n', "no PDH header"),
        (b'"(PDH-CSV 4.0) (' + b" " * 1_000_000 + b'x","\\a"\n', "no PDH header"),
        (b"\n" * 1_000_000 + b'"(PDH-CSV 4.0)","\\a"\n', "no PDH header"),
    ],
)
def test_what_has_no_whole_header_is_refused(data, reason):
    with pytest.raises(CaptureError, match=reason):
        read(data)


def test_a_header_alone_is_a_log_without_rows():
    tables = read(write_pdh([PATH], []))
    assert tables["counters"].num_rows == 1
    assert "samples" not in tables
    assert kinds(tables) == []


SPANISH, RUSSIAN = "Cola de envío de registro", "% загруженности процессора"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8", RUSSIAN), ("utf-8-sig", RUSSIAN), ("utf-16-le", RUSSIAN), ("utf-16-be", RUSSIAN)],
)
def test_certain_encodings(encoding, name):
    path = rf"\\HOST\Процесс(Idle)\{name}"
    tables = read(write_pdh([path], [[1.5], [BLANK]], encoding=encoding))
    assert tables["counters"]["path"].to_pylist() == [path]
    assert tables["samples"]["value"].to_pylist() == [1.5]
    assert facts(tables)["encoding"] == encoding.removesuffix("-sig")
    assert kinds(tables) == []


@folded(
    ("encoding", "name"),
    [
        ("cp1251", RUSSIAN),
        ("cp1252", SPANISH),
        ("cp1252", "Durchschn. Warteschlangenlänge des Datenträgers"),
        ("cp1252", "Durée moyenne d'écriture disque"),
        ("cp1250", "Średnia długość kolejki dysku"),
        ("cp1250", "Průměrná délka fronty disku, čtení řízení"),
        ("cp1254", "İşlemci Süresi Yüzdesi, Bağlı değil"),
        ("cp1253", "Χρόνος επεξεργαστή"),
        ("cp932", "プロセッサ時間 ディスクの読み取り"),
        ("cp936", "处理器时间 磁盘读取字节数 平均队列长度"),
        ("cp950", "處理器時間 磁碟讀取位元組 平均佇列長度"),
        ("cp949", "프로세서 시간 디스크 읽기 바이트"),
    ],
)
def test_ansi_code_pages_are_guessed_from_the_letters(encoding, name):
    path = rf"\\HOST\Object(x)\{name}"
    tables = read(write_pdh([path], [[1]], encoding=encoding))
    assert tables["counters"]["path"].to_pylist() == [path]
    assert facts(tables)["encoding"] == encoding
    assert kinds(tables) == [("encoding_guessed", "info", 1)]


def test_the_user_knows_better():
    data = write_pdh([r"\\H\O\ä"], [[1]], encoding="cp1252")
    tables = read(data, encoding="cp1250")
    assert facts(tables)["encoding"] == "cp1250"
    assert kinds(tables) == []
    for name in ("klingon", "base64"):
        with pytest.raises(CaptureError, match=f"unknown encoding '{name}'"):
            read(data, encoding=name)


def test_signs_that_are_no_letters_are_western():
    assert guess_ansi(b"Network Interface(Intel\xae 82574L)")[0] == "cp1252"
