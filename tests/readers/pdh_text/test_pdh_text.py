"""Rows of PDH text logs: times, values, blanks, and what is not a row."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from xelib.pdh_text import Decoder

from agtrace.errors import CaptureError
from agtrace.readers.base import ReadOptions, Source
from agtrace.readers.pdh_text import READER
from agtrace.testing import Tables, read_all
from simulation.formats.pdh_text import BLANK, START, write_pdh
from tests.folded import folded

A, B = r"\\HOST\Memory\Available MBytes", r"\\HOST\Processor(_Total)\% Processor Time"
HEADER = rf'"(PDH-CSV 4.0) (Pacific Standard Time)(480)","{A}","{B}"'
STAMP = "09/19/2017 09:54:59.072"


def read(data: bytes, **options) -> Tables:
    return read_all(READER, data, "log.csv", ReadOptions(**options))


def samples(tables: Tables) -> list[tuple[int, int, float]]:
    if "samples" not in tables:
        return []
    return [tuple(row.values()) for row in tables["samples"].to_pylist()]


def issues(tables: Tables) -> list[tuple[str, str, int | None, int]]:
    if "issues" not in tables:
        return []
    rows = tables["issues"].to_pylist()
    return [(row["kind"], row["severity"], row["offset"], row["count"]) for row in rows]


def log(*lines: str, header: str = HEADER) -> bytes:
    return ("\n".join([header, *lines]) + "\n").encode()


def test_values_are_sorted_by_series_then_row():
    tables = read(write_pdh([A, B], [[1995, BLANK], [2020, 8.1668773157007823]]))
    assert samples(tables) == [(0, 0, 1995.0), (0, 1, 2020.0), (1, 1, 8.1668773157007823)]
    assert "issues" not in tables


def test_times_are_local_and_numbered_from_zero():
    tables = read(write_pdh([A, B], [[1, 2], [3, 4]]))
    assert tables["ticks"].to_pylist() == [
        {"tick": 0, "time_local": dt.datetime(2017, 9, 19, 9, 54, 59, 72_000)},
        {"tick": 1, "time_local": dt.datetime(2017, 9, 19, 9, 55, 14, 72_000)},
    ]


def test_times_that_step_back_stay_in_file_order():
    times = [dt.datetime(2017, 10, 29, 1, 59, 59, 562_000), dt.datetime(2017, 10, 29, 1, 0, 14, 562_000)]
    tables = read(write_pdh([A], [[1], [2]], times=times))
    assert tables["ticks"]["time_local"].to_pylist() == times


@pytest.mark.parametrize("blank", [" ", "", "   "])
def test_a_blank_is_absent_and_not_zero(blank):
    tables = read(write_pdh([A, B], [[BLANK, BLANK], [0, BLANK]], blank=blank))
    assert samples(tables) == [(0, 1, 0.0)]
    assert tables["ticks"].num_rows == 2
    assert "issues" not in tables


@folded(
    "written",
    {
        "1.5": 1.5,
        "-1": -1.0,
        "0.0019876778911682054": 0.0019876778911682054,
        "16.177316769893700155": 16.177316769893700155,
        "7.0600000000000001e-005": 7.06e-05,
        "1E3": 1000.0,
        "238133020971008": 238133020971008.0,
        " 5 ": 5.0,
        "4.9406564584124654e-324": 5e-324,
        "1.7976931348623157e+308": 1.7976931348623157e308,
    }.items(),
)
def test_numbers(written):
    text, value = written
    assert samples(read(log(f'"{STAMP}","{text}"," "'))) == [(0, 0, value)]


@folded("line_end", ["\r\n", "\n"])
@folded("quote", ['"', ""])
@folded("kind", ["CSV", "TSV"])
def test_separators_quotes_and_line_ends(kind, quote, line_end):
    data = write_pdh([A, B], [[1, BLANK], [3, 4]], kind=kind, quote=quote, line_end=line_end)
    assert samples(read(data)) == [(0, 0, 1.0), (0, 1, 3.0), (1, 1, 4.0)]


@pytest.mark.parametrize(
    ("kind", "quote", "separator"), [("CSV", '"', ","), ("TSV", "", "\t"), ("CSV", "", ";")]
)
def test_a_single_comma_is_a_decimal_comma(kind, quote, separator):
    data = write_pdh([A, B], [["1,5", "2"]], kind=kind, quote=quote, separator=separator)
    tables = read(data)
    assert samples(tables) == [(0, 0, 1.5), (1, 0, 2.0)]
    assert [(kind, severity, count) for kind, severity, _at, count in issues(tables)] == [
        ("decimal_comma", "info", 1)
    ]


@folded("text", ["-1.#IND", "1.#QNAN", "1.#INF", "NaN", "inf", "1e999", "1,234,567", "1,234.5", "x", "0x10"])
def test_what_is_no_number_is_absent_and_reported(text):
    data = log(f'"{STAMP}","1","2"', f'"{STAMP}","{text}","4"')
    tables = read(data)
    assert samples(tables) == [(0, 0, 1.0), (1, 0, 2.0), (1, 1, 4.0)]
    assert issues(tables) == [("bad_value", "warning", data.index(b'"' + text.encode()), 1)]


@pytest.mark.parametrize(
    "torn", ["STAMP,1", "STAMP,1,2,3", '"STAMP","1","2', '"STAMP","1"x"2"', '"09/19/20', '5","6"', ",,,"]
)
def test_rows_with_another_number_of_cells_are_left_out(torn):
    torn = torn.replace("STAMP", STAMP)
    good = log(f"{STAMP},1,2")
    tables = read(good + f"{torn}\n{torn}\n{STAMP},3,4\n".encode())
    assert samples(tables) == [(0, 0, 1.0), (0, 1, 3.0), (1, 0, 2.0), (1, 1, 4.0)]
    assert issues(tables) == [("torn_row", "data_loss", len(good), 2)]


def test_a_quote_that_is_never_closed_costs_one_row():
    data = log(f'"{STAMP}","1","2"', f'"{STAMP}","3,"4"', f'"{STAMP}","5","6"')
    assert samples(read(data)) == [(0, 0, 1.0), (0, 1, 5.0), (1, 0, 2.0), (1, 1, 6.0)]


@pytest.mark.parametrize(
    "stamp",
    ["13/19/2017 09:54:59.072", "02/30/2017 09:54:59.072", "09/19/2017 24:00:00.000", "yesterday 1", ""],
)
def test_rows_without_a_time_are_left_out(stamp):
    data = log(f'"{STAMP}","1","2"', f'"{stamp}","3","4"')
    tables = read(data)
    assert samples(tables) == [(0, 0, 1.0), (1, 0, 2.0)]
    assert issues(tables) == [("bad_time", "data_loss", data.index(f'"{stamp}"'.encode()), 1)]


def test_what_typeperf_prints_around_the_rows():
    data = b"\r\n" + log(
        f'"{STAMP}","1","2"', "", "Exiting, please wait...", "The command completed successfully.", ""
    )
    tables = read(data)
    assert samples(tables) == [(0, 0, 1.0), (1, 0, 2.0)]
    assert issues(tables) == [("noise_lines", "info", data.index(b"Exiting"), 2)]


@folded(
    ("end", "rows", "issue"),
    [
        (f'"{STAMP}","3","4"', 2, ("no_line_end", "info")),
        (f'"{STAMP}","3","4', 1, ("torn_row", "data_loss")),
        (f'"{STAMP}","3","', 1, ("torn_row", "data_loss")),
        (f'"{STAMP}","3",', 1, ("torn_row", "data_loss")),
        (f"{STAMP},3,4", 1, ("torn_row", "data_loss")),
        (f"{STAMP},3,4\r", 2, ("no_line_end", "info")),
        (f'"{STAMP[:9]}', 1, ("torn_row", "data_loss")),
        ('"', 1, ("torn_row", "data_loss")),
    ],
)
def test_a_last_line_without_line_end_counts_only_when_it_is_whole(end, rows, issue):
    good = log(f'"{STAMP}","1","2"')
    tables = read(good + end.encode())
    assert tables["ticks"].num_rows == rows
    assert issues(tables) == [(*issue, len(good), 1)]


@pytest.mark.parametrize("first_time", ["18:41.5", "8:41.5", '"18:41.5"'])
@pytest.mark.parametrize("separator", [",", ";"])
def test_a_log_that_a_spreadsheet_saved_is_refused(separator, first_time):
    header = separator.join(["(PDH-CSV 4.0) (Pacific Standard Time)(480)", A, B])
    data = log(separator.join([first_time, "3526", " "]), header=header)
    assert READER.detect(data, "log.csv").kind == "perfmon text log"
    with pytest.raises(CaptureError, match=r"spreadsheet.*date and hour are lost") as caught:
        read(data)
    assert caught.value.offset == len(header) + 1


@pytest.mark.parametrize(
    "first_time", ["01/03/2023 09:00", "3/1/2023 9:00 AM", '"2023-03-01 09:00"', "01.03.23 09:00"]
)
def test_a_log_whose_times_are_whole_minutes_was_saved_again(first_time):
    header = ";".join(["(PDH-CSV 4.0) (Pacific Standard Time)(480)", A, B])
    data = log(";".join([first_time, "1", "2"]), header=header)
    assert issues(read(data)) == [("resaved", "data_loss", len(header) + 1, 1)]


def test_a_spreadsheet_that_kept_the_times_is_read():
    data = write_pdh([A, B], [[1, BLANK], ["2,5", 3]], separator=";", quote="", blank="")
    assert samples(read(data)) == [(0, 0, 1.0), (0, 1, 2.5), (1, 1, 3.0)]


def test_the_same_header_again_is_skipped():
    half = write_pdh([A, B], [[1, 2]])
    tables = read(half + half)
    assert tables["ticks"].num_rows == 2
    assert issues(tables) == [("repeated_header", "info", len(half), 1)]


def test_another_header_ends_the_log():
    first, second = write_pdh([A, B], [[1, 2]]), write_pdh([B, A], [[3, 4]])
    tables = read(first + second)
    assert samples(tables) == [(0, 0, 1.0), (1, 0, 2.0)]
    assert issues(tables) == [("other_header", "data_loss", len(first), 1)]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_offsets_in_utf16_are_bytes_on_disk(encoding):
    data = write_pdh([A, B], [[1, 2], [3, "4"]], encoding=encoding, after="torn")
    assert issues(read(data + "5,".encode(encoding)))[0] == (
        "torn_row",
        "data_loss",
        data.index("torn".encode(encoding)),
        1,
    )


def test_a_log_of_several_slabs(monkeypatch):
    monkeypatch.setattr("agtrace.readers.pdh_text.slabs.SLAB_CELLS", 6)
    monkeypatch.setattr("agtrace.readers.pdh_text.reader.BLOCK_BYTES", 64)
    data = write_pdh([A, B], [[n, -n] for n in range(1, 8)])
    batches = list(READER.read(Source.of_bytes(data, "log.csv"), ReadOptions()))
    names = [name for name, _batch in batches]
    assert names[:4] == ["counters", "facts", "ticks", "samples"]
    assert names.count("samples") > 1
    assert names[2::2] == ["ticks"] * names.count("samples")
    for name, batch in batches:
        if name == "samples":
            keys = list(zip(*(batch[key].to_pylist() for key in ("counter_no", "tick")), strict=True))
            assert keys == sorted(keys)
    whole = read_all(READER, data, "log.csv")
    assert whole["ticks"]["tick"].to_pylist() == list(range(7))
    assert whole["ticks"]["time_local"].to_pylist()[-1] == START + dt.timedelta(seconds=90)
    assert sorted(samples(whole)) == sorted(
        [(0, n - 1, float(n)) for n in range(1, 8)] + [(1, n - 1, float(-n)) for n in range(1, 8)]
    )


def test_a_consumer_that_stops_early_leaves_no_thread_behind(monkeypatch):
    monkeypatch.setattr("agtrace.readers.pdh_text.slabs.SLAB_CELLS", 2)
    monkeypatch.setattr("agtrace.readers.pdh_text.reader.BLOCK_BYTES", 64)
    data = write_pdh([A], [[n] for n in range(100)])
    batches = READER.read(Source.of_bytes(data, "log.csv"), ReadOptions())
    assert next(name for name, _batch in batches if name == "samples")
    batches.close()
    assert not [t for t in threading.enumerate() if t.name.startswith("pdh_text")]


def test_short_lines_under_a_wide_header_stay_cheap():
    paths = [rf"\\H\Process(p#{n})\ID Process" for n in range(20_000)]
    torn = f'"{STAMP}","1"\n'.encode() * 50_000
    tables = read(write_pdh(paths, []) + torn)
    assert [(kind, count) for kind, _severity, _at, count in issues(tables)] == [("torn_row", 50_000)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"wanted": [0]},
        {"wanted": [3]},
        {"wanted": [2, 1]},
        {"wanted": [1, 1]},
        {"wanted": [1], "separator": '"'},
        {"wanted": [1], "separator": "->"},
        {"wanted": [1], "encoding": "utf-32"},
    ],
)
def test_the_decoder_refuses_what_makes_no_sense(wrong):
    with pytest.raises(ValueError, match="must"):
        Decoder(3, wrong.pop("wanted"), **wrong)
