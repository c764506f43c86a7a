"""What fltmc says of the file system filters of a host."""

from __future__ import annotations

import pytest

from agtrace.readers import detect
from agtrace.readers.filter_drivers import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds
from tests.readers.filter_drivers.small import FILTERS, INSTANCES

ONE = "\n".join(FILTERS.splitlines()[:4]) + "\n"
ONE_INSTANCE = "\n".join(INSTANCES.splitlines()[:4]) + "\n"


@pytest.mark.parametrize(("text", "topic"), [(ONE, "filter_driver"), (ONE_INSTANCE, "filter_instance")])
def test_contract(text, topic):
    check_text_reader(READER, text + "\n" * 12, topic, complete=len(text) - 1)


def test_filters():
    assert facts_of(READER, FILTERS, "filter_driver") == [
        {"name": "WdFilter", "instances": "5", "altitude": "328010", "frame": "0"},
        {"name": "bindflt", "instances": "0", "altitude": "409800", "frame": "0"},
        {"name": "AVLegacy", "altitude": "389998.99", "frame": "<Legacy>"},
    ]


def test_instances_with_and_without_a_volume():
    assert facts_of(READER, INSTANCES, "filter_instance") == [
        {"filter": "WdFilter", "volume": "C:", "altitude": "328010", "instance": "WdFilter Instance"},
        {"filter": "UCPD", "altitude": "385250.5", "instance": "UCPD - Top Instance"},
        {"filter": "WdFilter", "volume": "\\Device\\Mup", "altitude": "328010",
         "instance": "WdFilter Instance"},
    ]  # fmt: skip


def test_titles_in_another_language_and_both_tables_in_one_file():
    text = FILTERS.replace("Filter Name  ", "Filtername   ") + INSTANCES.replace("Volume Name", "Volumename ")
    assert len(facts_of(READER, text, "filter_driver", "cp850")) == 3
    assert len(facts_of(READER, text, "filter_instance", "cp850")) == 3


def test_a_long_volume_runs_into_the_altitude():
    volume = "\\Device\\HarddiskVolumeShadowCopy1234567"
    row = f"WdFilter              {volume} 328010     WdFilter Instance         0     0000000f\n"
    text = "\n".join(INSTANCES.splitlines()[:3]) + "\n" + row
    (found,) = facts_of(READER, text, "filter_instance")
    assert (found["volume"], found["altitude"]) == (volume, "328010")


def test_a_row_that_is_cut_off_is_told():
    assert issue_kinds(READER, FILTERS[:-5]) == ["unfinished_line"]


@pytest.mark.parametrize(
    "text",
    [
        "name       state\n---------- -----\nx          1\n",
        "Module  Size\n--------  ---  ---  ---\nnothing of the kind\n",
        "",
    ],
)
def test_other_tables_are_none(text):
    assert not is_detected(READER, text)


def test_it_wins_over_the_name_that_says_it_is_not_needed():
    found = detect(FILTERS.encode(), "SQL1_20260301T1015558810_FLTMC_Filters.out")
    assert found is not None
    assert found[0] is READER
