"""The control for changes: what is chosen is asked, and its code asks the same."""

from __future__ import annotations

import pytest

import agtrace
from agtrace import extras
from agtrace.errors import AgtraceError
from agtrace.interactive.what_if import WhatIfControl


@pytest.fixture(scope="module")
def case(sample_store):
    with agtrace.open_case(agtrace.sample("log_send_queue"), store=sample_store("log_send_queue")) as opened:
        yield opened


@pytest.mark.complete
def test_what_is_chosen_is_asked_and_its_code_asks_the_same(case):
    pytest.importorskip("ipywidgets")
    control = case.explore_changes()
    control.replica.value = "JBSAG3"
    control.factors["capacity"].value = 2.0
    control.factors["load"].value = 1.25
    assert control.asked == "case.what_if('JBSAG3', capacity=2.0, load=1.25)"
    assert control.answer().after == eval(control.asked, {"case": case}).after
    assert control.answer().after.send_queue_p95_bytes > 0


@pytest.mark.complete
def test_compression_and_a_seeding_beside_it_are_asked_as_a_case_is(case):
    pytest.importorskip("ipywidgets")
    control = case.explore_changes()
    control.replica.value, control.compression.value, control.seeding.value = "JBSAG3", "off", 0.2
    assert control.asked == "case.what_if('JBSAG3', compression=False, seeding=200000.0)"


@pytest.mark.complete
def test_nothing_is_changed_at_first(case):
    pytest.importorskip("ipywidgets")
    control = case.explore_changes()
    assert (control.replica.value, control.change) == ("JBSAG1", {})


def test_a_case_without_replicas_is_one_line(case):
    pytest.importorskip("ipywidgets")
    with pytest.raises(AgtraceError, match="no replica's stream and no log blocks were captured"):
        WhatIfControl(case, [])


def test_without_ipywidgets_it_is_one_line(case, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "ipywidgets" else True)
    with pytest.raises(AgtraceError, match=r"case\.explore_changes needs the lab extra"):
        WhatIfControl(case, ["JBSAG1"])
