"""What the log of SQL LogScout says of the collection."""

from __future__ import annotations

from html import unescape

import pytest

import agtrace
from agtrace.readers.collector_log import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds
from tests.readers.collector_log.small import TEXT


def test_contract():
    check_text_reader(READER, TEXT, "collection", complete=TEXT.index("2026-03-01 10:14:41"))


def test_version_scenarios_and_server():
    assert facts_of(READER, TEXT, "collection") == [
        {
            "tool_version": "6.24.11.02",
            "scenarios": "GeneralPerf AlwaysOn Basic",
            "server_name": "CONTOSO1\\SALES",
        }
    ]


def test_a_collection_that_was_left_before_the_scenarios_says_so():
    assert issue_kinds(READER, TEXT[: TEXT.index("2026-03-01 10:14:32.208")]) == ["no_scenarios"]


@pytest.mark.parametrize("text", ["", "he said SQL LogScout version: 6.24\n"])
def test_other_texts_are_none(text):
    assert not is_detected(READER, text)


def test_it_tells_host_instance_and_scenario_of_its_folder(tmp_path):
    internal = tmp_path / "output" / "internal"
    internal.mkdir(parents=True)
    (internal / "##SQLLOGSCOUT.LOG").write_text(TEXT)
    (tmp_path / "output" / "CONTOSO1_SALES_20260301T1015558810_PowerPlan.out").write_text(
        "--- Power Plan ---\nActivePlanName\n--------------\nBalanced\n"
    )
    with agtrace.open_case(tmp_path, jobs=1) as case:
        said = case.overview.say_collected()
        found = case.sql("select distinct host_id, sql_instance from captures").fetchall()
    assert found == [("CONTOSO1", "SALES")]
    assert unescape(said).startswith(
        "**Collected by SQL LogScout 6.24.11.02** on CONTOSO1 (scenarios GeneralPerf, AlwaysOn and Basic): "
    )
