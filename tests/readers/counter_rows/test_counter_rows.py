"""Counters one sample a row."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.counter_rows import READER
from agtrace.testing import check_reader, read_all
from tests.readers.counter_rows.small import QUEUE, SAMPLES, VIEW

HEAD = "sample_time,object_name,counter_name,instance_name,cntr_value"
READINGS = f"""Timestamp,Readings
"3/1/2026 9:00:00 AM","{QUEUE} :
12.5

\\\\srv2\\memory\\available mbytes :
900

"
"""


def read(text: str):
    return read_all(READER, text.encode(), "x.csv")


def values(text: str) -> dict[str, list[tuple[int, float]]]:
    tables = read(text)
    names = tables["counters"]["counter_written"].to_pylist()
    found: dict[str, list[tuple[int, float]]] = {}
    for row in tables["samples"].to_pylist():
        found.setdefault(names[row["counter_no"]], []).append((row["tick"], row["value"]))
    return found


@pytest.mark.complete
@pytest.mark.parametrize("text", [SAMPLES, VIEW])
def test_contract(text):
    check_reader(READER, text.encode(), "x.csv", "samples", flips=2_000)


def test_samples_of_get_counter_are_those_of_a_log():
    assert values(SAMPLES) == {"log send queue": [(n, 5 * n + 0.5) for n in range(12)]}


def test_a_series_has_its_canonical_name_and_its_host():
    (row,) = read(SAMPLES)["counters"].to_pylist()
    assert (row["host"], row["counter"], row["unit"]) == ("srv2", "Log Send Queue", "KB")


def test_times_are_local():
    assert read(SAMPLES)["ticks"]["time_local"].to_pylist()[1] == datetime(2026, 3, 1, 9, 0, 5)


def test_readings_of_a_time_are_in_one_cell():
    assert values(READINGS) == {"log send queue": [(0, 12.5)], "available mbytes": [(0, 900.0)]}


def test_a_sample_that_failed_is_left_out():
    assert "samples" not in read(
        f"Timestamp,Path,CookedValue,Status\n3/1/2026 9:00:00 AM,{QUEUE},0,3221228474\n"
    )


def test_a_decimal_comma_is_a_point():
    text = f'"Timestamp";"Path";"CookedValue"\n"01.03.2026 09:00:00";"{QUEUE}";"1,5"\n'
    assert values(text) == {"log send queue": [(0, 1.5)]}


def test_raw_values_are_cooked_by_their_type():
    assert values(VIEW) == {
        "Log Send Queue": [(n, 40.0 + 10 * n) for n in range(6)],
        "Log Bytes Received/sec": [(n, 1000.0) for n in range(1, 6)],
    }


def test_a_ratio_is_divided_by_its_base():
    rows = (
        "2026-03-01 09:00:00,SQLServer:Buffer Manager,Buffer cache hit ratio,,30,537003264\n"
        "2026-03-01 09:00:00,SQLServer:Buffer Manager,Buffer cache hit ratio base,,40,1073939712\n"
    )
    assert values(f"{HEAD},cntr_type\n{rows}") == {"Buffer cache hit ratio": [(0, 75.0)]}


def test_without_types_a_rate_that_only_grows_is_cumulative():
    rows = "".join(
        f"2026-03-01 09:00:{10 * n},SQLServer:Databases,Log Bytes Flushed/sec,Sales,{500 * n}\n"
        for n in (1, 2)
    )
    assert values(f"{HEAD}\n{rows}") == {"Log Bytes Flushed/sec": [(1, 50.0)]}


def test_a_counter_that_fell_was_reset():
    rows = "".join(
        f"2026-03-01 09:00:{10 + n},SQLServer:Databases,Log Bytes Flushed/sec,Sales,{value},272696576\n"
        for n, value in enumerate((500, 0, 7))
    )
    assert values(f"{HEAD},cntr_type\n{rows}") == {"Log Bytes Flushed/sec": [(2, 7.0)]}


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", "timestamp,path\n1,2\n", '"(PDH-CSV 4.0)","\\\\A\\B\\C"\n']
)
def test_other_tables_are_none(text):
    assert READER.detect(text.encode(), "x.csv") is None
