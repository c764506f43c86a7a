"""Perfmon text logs written again: what relog writes."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from agtrace.convert import Selection, convert
from agtrace.convert.pdh_text import header_cell
from agtrace.errors import CaseError

ROOT = Path(__file__).resolve().parent.parent.parent
CAPTURES = Path(os.environ.get("AGTRACE_CAPTURES", ROOT.parent / "shared")) / "captures"

CSV = (
    '"(PDH-CSV 4.0) (Korea Standard Time)(-540)","\\\\H\\SQLServer:Databases(db)\\Log Bytes Flushed/sec",'
    '"\\\\H\\MSSQL$TWO:Databases(d,b)\\Log Bytes Flushed/sec","\\\\H\\Memory\\Pages/sec"\r\n'
    '"03/14/2026 09:00:00.001"," ","0.10000000000000001"," "\r\n'
    '"03/14/2026 09:00:05.020","5200000","-1","1.0000000000000001e-05"\r\n'
    '"03/14/2026 09:00:10.015","5.5"," ","3"\r\n'
    '"03/14/2026 09:00:15.000","12345678901234567000","0","4"\r\n'
)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes(CSV.encode())
    return path


def written(path: Path, out: Path, **selection) -> str:
    convert(path, out, Selection(**selection))
    return out.read_bytes().decode()


def test_same_header_columns_order_stamps_blanks_and_numbers(log, tmp_path):
    assert written(log, tmp_path / "again.csv") == CSV.replace(
        "12345678901234567000", "1.2345678901234567e+19"
    )


def test_tsv(log, tmp_path):
    lines = written(log, tmp_path / "log.tsv").split("\r\n")
    assert lines[0].split("\t")[0] == '"(PDH-TSV 4.0) (Korea Standard Time)(-540)"'
    assert lines[1] == '"03/14/2026 09:00:00.001"\t" "\t"0.10000000000000001"\t" "'
    back = tmp_path / "back.csv"
    assert written(tmp_path / "log.tsv", back) == written(log, tmp_path / "again.csv")


def stamps(text: str) -> list[str]:
    return [line[18:25] for line in text.split("\r\n")[1:-1]]


@pytest.mark.parametrize(
    ("selection", "seconds"),
    [
        ({"every": 2}, ["00.001", "10.015"]),
        ({"every": 3}, ["00.001", "15.000"]),
        ({"begin": datetime(2026, 3, 14, 9, 0, 5, 20_000)}, ["05.020", "10.015", "15.000"]),
        ({"end": datetime(2026, 3, 14, 9, 0, 5, 20_000)}, ["00.001", "05.020"]),
        ({"begin": datetime(2026, 3, 14, 9, 0, 1), "every": 2}, ["05.020", "15.000"]),
        ({"begin": datetime(2027, 1, 1)}, []),
    ],
)
def test_rows_selected(log, tmp_path, selection, seconds):
    text = written(log, tmp_path / "part.csv", **selection)
    assert [stamp.rstrip('"') for stamp in stamps(text)] == seconds
    assert text.split("\r\n")[0] == CSV.split("\r\n")[0]


def test_series_selected(log, tmp_path):
    text = written(log, tmp_path / "part.csv", counters=("*two*", "*PAGES*"))
    assert text.split("\r\n")[:2] == [
        '"(PDH-CSV 4.0) (Korea Standard Time)(-540)",'
        '"\\\\H\\MSSQL$TWO:Databases(d,b)\\Log Bytes Flushed/sec","\\\\H\\Memory\\Pages/sec"',
        '"03/14/2026 09:00:00.001","0.10000000000000001"," "',
    ]


def test_no_series_matches(log, tmp_path):
    with pytest.raises(CaseError, match=r"no counter matches '\*nothing\*' - there are: "):
        convert(log, tmp_path / "part.csv", Selection(counters=("*nothing*",)))
    assert list(tmp_path.iterdir()) == [log]


def test_parquet_has_a_row_per_value(log, tmp_path):
    convert(log, tmp_path / "log.parquet", Selection(every=2))
    rows = pq.read_table(tmp_path / "log.parquet").to_pylist()
    two = {"host": "H", "sql_instance": "TWO", "object": "SQLServer:Databases", "instance": "d,b"}
    default = two | {"sql_instance": "MSSQLSERVER", "instance": "db"}
    memory = {"host": "H", "sql_instance": None, "object": "Memory", "instance": None}
    first, third = datetime(2026, 3, 14, 9, 0, 0, 1000), datetime(2026, 3, 14, 9, 0, 10, 15_000)
    flushed = "Log Bytes Flushed/sec"

    def times(local):
        return {"time": (local - timedelta(hours=9)).replace(tzinfo=UTC), "time_local": local}

    assert rows == [
        {**times(third), **default, "counter": flushed, "value": 5.5},
        {**times(first), **two, "counter": flushed, "value": 0.1},
        {**times(third), **memory, "counter": "Pages/sec", "value": 3.0},
    ]


@pytest.mark.parametrize(
    ("facts", "cell"),
    [
        ({"zone_name": "GMT Standard Time", "bias_minutes": "-60"}, "(PDH-CSV 4.0) (GMT Standard Time)(-60)"),
        ({"zone_name": "RTZ 2 ("}, "(PDH-CSV 4.0) (RTZ 2 ("),
        ({"bias_minutes": "0"}, "(PDH-CSV 4.0) ()(0)"),
        ({}, "(PDH-CSV 4.0)"),
    ],
)
def test_first_cell_says_what_the_capture_says(facts, cell):
    assert header_cell({("pdh_header", key): value for key, value in facts.items()}, ".csv") == cell


@pytest.mark.parametrize(
    ("encoding", "encoding_out"),
    [("cp1251", "cp1251"), ("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-8")],
)
def test_names_keep_their_encoding(tmp_path, encoding, encoding_out):
    text = CSV.replace("Memory", "Память процессора").replace("12345678901234567000", "7")
    (tmp_path / "log.csv").write_bytes(text.encode(encoding))
    convert(tmp_path / "log.csv", tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes().decode(encoding_out) == text


def test_slabs_are_joined_without_a_seam(tmp_path, monkeypatch):
    monkeypatch.setattr("agtrace.convert.SLAB_CELLS", 1)
    rows = "".join(f'"03/14/2026 09:{m:02}:00.000","{m}"\r\n' for m in range(60))
    text = f'"(PDH-CSV 4.0) (UTC)(0)","\\\\H\\Memory\\Pages/sec"\r\n{rows}'
    (tmp_path / "log.csv").write_bytes(text.encode())
    monkeypatch.setattr("agtrace.readers.pdh_text.reader.BLOCK_BYTES", 100)
    assert written(tmp_path / "log.csv", tmp_path / "again.csv") == text
    assert written(tmp_path / "log.csv", tmp_path / "part.csv", every=7).count("\r\n") == 1 + 9
    convert(tmp_path / "log.csv", tmp_path / "log.parquet")
    assert pq.read_table(tmp_path / "log.parquet")["value"].to_pylist() == list(range(60))


@pytest.mark.skipif(not CAPTURES.is_dir(), reason="no captures beside the project")
@pytest.mark.parametrize("name", ["PowerShell_CounterSamples.csv", "PowerShell_CounterSamples.tsv"])
def test_what_windows_wrote_comes_back_byte_for_byte(tmp_path, name):
    """But for the line ends, which the repository it comes from has turned into LF."""
    original = CAPTURES / "blg" / name
    convert(original, tmp_path / name)
    assert (tmp_path / name).read_bytes().replace(b"\r", b"") == original.read_bytes().replace(b"\r", b"")
