"""What powercfg says of the power plan of a host."""

from __future__ import annotations

import pytest

from agtrace.readers.power_schemes import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds
from tests.readers.power_schemes.small import ACTIVE, PLANS


def test_contract():
    check_text_reader(READER, "\n" * 20 + ACTIVE + "\n" * 20, "power_plan", complete=len(ACTIVE) + 19)


def test_the_marked_plan_of_a_list_is_in_force():
    assert facts_of(READER, PLANS, "power_plan") == [
        {"active": "High performance", "guid": "8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c"}
    ]


def test_a_single_plan_is_in_force_whatever_the_language():
    text = "GUID des Energieschemas: 381B4222-f694-41f0-9685-ff5bb260df2e  (Ausbalanciert)\n"
    assert facts_of(READER, text, "power_plan") == [
        {"active": "Ausbalanciert", "guid": "381b4222-f694-41f0-9685-ff5bb260df2e"}
    ]


def test_a_list_without_a_mark_tells_of_none():
    text = PLANS.replace(" *", "")
    assert facts_of(READER, text, "power_plan") == []
    assert issue_kinds(READER, text) == ["no_active_plan"]


def test_a_list_that_was_cut_off_tells_of_none():
    assert issue_kinds(READER, PLANS[:-1]) == ["unfinished_line"]


@pytest.mark.parametrize("text", ["", "Group: x\nId: 381b4222-f694-41f0-9685-ff5bb260df2e\n"])
def test_other_texts_are_none(text):
    assert not is_detected(READER, text)
