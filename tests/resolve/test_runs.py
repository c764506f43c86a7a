"""The labelled windows of a case: runs.csv and runs.toml."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from agtrace import open_case
from agtrace.errors import CaseError
from agtrace.resolve.runs import valid_runs
from tests.folded import folded
from tests.ingest.texts import errorlog

CSV = """\
label,factors,start,end
default,write_cache=OFF; location=LOCAL,2013-06-01T07:35:00+02:00,2013-06-01T07:41:12.5+02:00
cached,write_cache=ON,2013-06-01T05:50:00,2013-06-01T05:55:00Z
"""
TOML = """\
[[runs]]
label = "default"
factors = { write_cache = "OFF", location = "LOCAL" }
start = 2013-06-01T07:35:00+02:00
end = 2013-06-01T07:41:12.5+02:00

[[runs]]
label = "cached"
factors = { write_cache = "ON" }
start = 2013-06-01T05:50:00
end = "2013-06-01T05:55:00Z"
"""


def at(hour: int, minute: int, second: float = 0) -> datetime:
    return datetime(2013, 6, 1, hour, minute, int(second), int(second % 1 * 1e6), tzinfo=UTC)


def read_runs(case):
    runs, faults = valid_runs(case)
    if faults:
        raise faults[0]
    return runs


def runs_of(tmp_path, text: str, name: str = "runs.csv"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_runs(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "sources"),
    [
        ("runs.csv", CSV, ("runs.csv, line 2", "runs.csv, line 3")),
        ("runs.toml", TOML, ("runs.toml, run 1", "runs.toml, run 2")),
    ],
)
def test_both_forms_say_the_same(tmp_path, name, text, sources):
    first, second = runs_of(tmp_path, text, name)
    assert (first["label"], first["start"], first["end"]) == ("default", at(5, 35), at(5, 41, 12.5))
    assert json.loads(first["factors"]) == {"write_cache": "OFF", "location": "LOCAL"}
    assert (second["start"], second["end"]) == (at(5, 50), at(5, 55))
    assert json.loads(second["factors"]) == {"write_cache": "ON"}
    assert (first["source"], second["source"]) == sources
    assert first["run_id"] != second["run_id"]


def test_other_columns_are_factors_and_empty_cells_are_none(tmp_path):
    text = "run_id,label,users,start,end,cache,source\n"
    text += "a,one,8,2013-06-01T05:00Z,2013-06-01T06:00Z,,notes of the test\n\n"
    (run,) = runs_of(tmp_path, text)
    assert (run["run_id"], run["source"]) == ("a", "notes of the test")
    assert json.loads(run["factors"]) == {"users": "8"}


def test_a_value_that_no_log_holds(tmp_path):
    text = "label,start,end,measured,value,unit,better\n"
    text += "one,2013-06-01T05:00Z,2013-06-01T06:00Z,read of 1M rows,19.0,s,\n"
    text += "two,2013-06-01T06:00Z,2013-06-01T07:00Z,,,,\n"
    text += "three,2013-06-01T06:00Z,2013-06-01T07:00Z,copy,350,MB/s,\n"
    text += "four,2013-06-01T06:00Z,2013-06-01T07:00Z,stalls,3,n,less\n"
    found = [tuple(run[k] for k in ("measured", "value", "value_step", "unit", "is_more_better"))
             for run in runs_of(tmp_path, text)]  # fmt: skip
    assert found == [
        ("read of 1M rows", 19.0, 0.1, "s", False),
        (None, None, None, None, None),
        ("copy", 350.0, 1.0, "MB/s", True),
        ("stalls", 3.0, 1.0, "n", False),
    ]
    assert json.loads(runs_of(tmp_path, text)[0]["factors"]) == {}


def test_a_value_in_the_other_form(tmp_path):
    text = TOML + 'measured = "read"\nvalue = 19\nunit = "s"\n'
    (_first, second) = runs_of(tmp_path, text, "runs.toml")
    assert (second["measured"], second["value"], second["unit"]) == ("read", 19.0, "s")


def test_without_a_column_measured_its_companions_are_factors(tmp_path):
    text = "label,start,end,value,unit\none,2013-06-01T05:00Z,2013-06-01T06:00Z,7,kg\n"
    (run,) = runs_of(tmp_path, text)
    assert json.loads(run["factors"]) == {"value": "7", "unit": "kg"}


@folded(
    ("cells", "message"),
    [
        ("read,fast,s,", "runs.csv, line 2: value = 'fast' is no number - write a number above 0"),
        ("read,0,s,", "value = '0' is no number"),
        ("read,-1,s,", "value = '-1' is no number"),
        ("read,nan,s,", "value = 'nan' is no number"),
        ("read,1e999,s,", "value = '1e999' is no number"),
        (",19,s,", "a value without measured - say in measured what it is"),
        ("read,19,rows,", "unit = 'rows' does not say what is better - add better = more or less"),
        ("read,19,s,most", "better = 'most' is not known - write more or less"),
    ],
)
def test_values_that_do_not_hold(tmp_path, cells, message):
    text = "label,start,end,measured,value,unit,better\n"
    text += f"one,2013-06-01T05:00Z,2013-06-01T06:00Z,{cells}\n"
    with pytest.raises(CaseError) as caught:
        runs_of(tmp_path, text)
    assert message in str(caught.value)


def test_a_case_without_runs_has_none(tmp_path):
    assert read_runs(tmp_path) == []


@folded(
    ("name", "text", "message"),
    [
        ("runs.csv", "label,start\n", "runs.csv: no column end - the first line names"),
        ("runs.csv", "", "runs.csv: no column label, start, end"),
        ("runs.csv", "label,start,end,start\n", "runs.csv: a column stands twice"),
        ("runs.csv", "label,start,end\na,b\n", "runs.csv, line 2: 3 cells are needed"),
        ("runs.csv", "label,start,end\na,5,6\n", "runs.csv, line 2: start = '5' is no time"),
        (
            "runs.csv",
            "label,start,end\na,2013-06-01T06:00,2013-06-01T06:00\n",
            "runs.csv, line 2: it ends as it starts (2013-06-01T06:00)",
        ),
        (
            "runs.csv",
            "label,start,end\na,2013-06-01T06:00,2013-06-01T05:00\n",
            "runs.csv, line 2: it ends (2013-06-01T05:00) before it starts",
        ),
        (
            "runs.csv",
            "label,start,end,factors\na,2013-06-01T06:00,2013-06-01T07:00,ON\n",
            "runs.csv, line 2: 'ON' is no factor - write name=value; name=value",
        ),
        (
            "runs.csv",
            "run_id,label,start,end\na,x,2013-06-01,2013-06-02\na,y,2013-06-01,2013-06-02\n",
            "run_id 'a' stands twice (runs.csv, line 3 and runs.csv, line 2)",
        ),
        ("runs.toml", "runs = 5", "runs.toml: it holds no [[runs]]"),
        ("runs.toml", "[[runs", "runs.toml: not valid"),
        ("runs.toml", '[[runs]]\nlabel="a"\n', "runs.toml, run 1: no start, end"),
        ("runs.toml", '[[runs]]\nlable="a"\n', "runs.toml, run 1: 'lable' is not known"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, name, text, message):
    with pytest.raises(CaseError) as error:
        runs_of(tmp_path, text, name)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_two_files_that_differ_are_one_too_many(tmp_path):
    (tmp_path / "runs.toml").write_text(TOML, encoding="utf-8")
    with pytest.raises(CaseError, match=r"both runs\.csv and runs\.toml are there"):
        runs_of(tmp_path, CSV.replace("cached", "other"))


def test_a_file_that_is_no_text_is_an_error_of_one_line(tmp_path):
    (tmp_path / "runs.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CaseError, match=r"runs\.csv: not valid"):
        read_runs(tmp_path)


def test_an_opened_case_offers_them_as_a_table(tmp_path):
    (tmp_path / "ERRORLOG").write_bytes(errorlog())
    (tmp_path / "runs.csv").write_text(CSV, encoding="utf-8")
    with open_case(tmp_path) as case:
        rows = case.sql(
            "SELECT label, factors ->> 'write_cache', epoch(\"end\" - start) FROM runs ORDER BY start"
        ).fetchall()
    assert rows == [("default", "OFF", 372.5), ("cached", "ON", 300.0)]
