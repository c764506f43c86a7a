"""Samples in texts that are no tables."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers import detect
from agtrace.readers.counter_rows import READER
from agtrace.testing import check_flips, read_all

CONSOLE = """
Timestamp                 CounterSamples
---------                 --------------
2/16/2024 10:00:00 AM     \\\\srv1\\memory\\available mbytes :
                          4123

                          \\\\srv1\\system\\threads :
                          900,5


2/16/2024 10:00:01 AM     \\\\srv1\\memory\\available mbytes :
                          4120

"""
LINE = (
    r"sqlserver_performance,counter=Log\ Send\ Queue,counter_type=65792,instance=Sales,"
    r"object=SQLServer:Database\ Replica,sql_instance=SRV1 value=12 1707213600000000000" + "\n"
)
EXPOSED = (
    'sqlserver_performance_value{counter="Log Send Queue",instance="Sales",'
    'object="SQLServer:Database Replica",sql_instance="SRV1"} 12 1707213600000\n'
)


def samples(text: str) -> list[tuple]:
    assert detect(text.encode(), "x.txt")[0] is READER
    tables = read_all(READER, text.encode(), "x.txt")
    paths = {row["counter_no"]: row["path"] for row in tables["counters"].to_pylist()}
    ticks = {row["tick"]: row["time_local"] for row in tables["ticks"].to_pylist()}
    return [(paths[r["counter_no"]], ticks[r["tick"]], r["value"]) for r in tables["samples"].to_pylist()]


def test_the_console_of_get_counter():
    first, second = datetime(2024, 2, 16, 10), datetime(2024, 2, 16, 10, 0, 1)
    memory, threads = r"\\srv1\memory\available mbytes", r"\\srv1\system\threads"
    assert sorted(samples(CONSOLE)) == [
        (memory, first, 4123),
        (memory, second, 4120),
        (threads, first, 900.5),
    ]


@pytest.mark.parametrize("text", [LINE, EXPOSED])
def test_samples_of_telegraf_are_those_of_the_server_in_utc(text):
    path = r"\\SRV1\SQLServer:Database Replica(Sales)\Log Send Queue"
    assert samples(text) == [(path, datetime(2024, 2, 6, 10), 12.0)]
    (fact,) = read_all(READER, text.encode(), "x")["facts"].to_pylist()
    assert (fact["key"], fact["value"]) == ("bias_minutes", "0")


@pytest.mark.complete
@pytest.mark.parametrize("text", [CONSOLE, LINE, EXPOSED])
def test_damage_never_crashes(text):
    check_flips(READER, text.encode() * 3, "x.txt", 500)
