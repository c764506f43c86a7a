"""How a finding is worded."""

from __future__ import annotations

import pytest

from agtrace.say import wording
from agtrace.say.finding import Evidence, Finding
from tests.folded import folded


def finding(*evidence: Evidence, **fields) -> Finding:
    given = {"id": "x.y", "severity": "notice", "title": "t", "narrative": "n"} | fields
    return Finding(**given, evidence=evidence or (Evidence("a", 1, "", "s"),))


@folded(
    ("value", "unit", "text"),
    [
        (5_240_000, "log B/s", "5.2 log MB/s"),
        (620_000, "wire B/s", "620 wire KB/s"),
        (750_000_000, "B", "750 MB"),
        (65_535, "B", "66 KB"),
        (958.2, "s", "15 min 58 s"),
        (5, "s", "5 s"),
        (3.214, "ms", "3.21 ms"),
        (0.97, "", "0.97"),
        ("disabled", "", "disabled"),
        (None, "ms", "not captured"),
        (True, "", "True"),
    ],
)
def test_values_are_worded_with_their_unit(value, unit, text):
    assert wording.value_of(Evidence("a", value, unit, "s")) == text


def test_numbers_stand_apart_from_their_units():
    pairs = [(5_240_000, "log B/s"), (958.2, "s"), ("not full", ""), (0.97, "")]
    assert [wording.amount_and_unit(Evidence("a", v, u, "s")) for v, u in pairs] == [
        ("5.2", "log MB/s"),
        ("15 min 58 s", ""),
        ("not full", ""),
        ("0.97", ""),
    ]


def test_key_figures_are_the_leading_numbers_then_settings():
    chosen = wording.key_figures(
        finding(
            Evidence("log received, mean", 1, "log B/s", "s"),
            Evidence("log received, p95", 2, "log B/s", "s"),
            Evidence("samples", 100, "", "s"),
            Evidence("send queue", 3, "B", "s"),
            Evidence("round trip", None, "ms", "s"),
            Evidence("auto-tuning", "disabled", "", "s"),
            Evidence("why", "a long text that explains it all", "", "s"),
        )
    )
    assert [each.label for each in chosen] == ["log received, mean", "send queue", "auto-tuning"]


def test_running_text_is_escaped_and_marks_commands():
    assert wording.running_text("run `netsh <x>`\nnow\n\nthen <b>") == (
        "<p>run <code>netsh &lt;x&gt;</code> now</p><p>then &lt;b&gt;</p>"
    )


@pytest.mark.parametrize(
    ("window", "text"),
    [
        ({}, ""),
        ({"start": "x", "end": "y"}, ""),
        (
            {"start": "2026-03-05T14:00:00Z", "end": "2026-03-05T14:45:00+00:00"},
            "2026-03-05 14:00:00 to 14:45:00 UTC (45 min)",
        ),
        (
            {"start": "2026-03-05T23:00:00", "end": "2026-03-06T01:00:00", "local": True},
            "2026-03-05 23:00:00 to 2026-03-06 01:00:00 local time (2 h)",
        ),
    ],
)
def test_windows_name_their_clock(window, text):
    assert wording.window_of(finding(window=window)) == text


def test_confidence_has_a_word():
    words = [wording.confidence_of(finding(confidence=c)) for c in (0.9, 0.7, 0.3)]
    assert words == ["high (90 %)", "medium (70 %)", "low (30 %)"]


@pytest.mark.parametrize(
    ("text", "most", "parts"),
    [
        ("One two.", 5, ("One two.", "")),
        ("One two. Three four. Five.", 4, ("One two. Three four.", "Five.")),
        ("One 1.5 two. Three four", 3, ("One 1.5 two.", "Three four")),
        ("One, two; three four. Five.", 3, ("One, two; three four.", "Five.")),
        ("one two three", 2, ("one two three", "")),
        ("Run `a. B c` now. Then wait.", 2, ("Run `a. B c` now.", "Then wait.")),
        ("A.\n\nB c d.", 2, ("A.", "B c d.")),
    ],
)
def test_a_text_is_parted_where_a_sentence_ends(text, most, parts):
    assert wording.shortened(text, most) == parts


def test_a_verdict_has_the_number_that_decides_and_no_other():
    lost = Evidence("log lost", 958.2, "s", "s")
    queue = Evidence("send queue", 786e6, "B", "s")
    assert wording.verdict_of(finding(lost, queue, title="The queue grows")) == (
        "The queue grows: log lost 15 min 58 s."
    )
    assert wording.verdict_of(finding(queue, lost, title="3 databases wait")) == "3 databases wait."
    assert len(wording.verdict_of(finding(queue, title="x " * 300))) <= wording.VERDICT_LENGTH


def test_a_number_of_something_else_is_not_printed_with_a_title():
    other = Evidence("Stock: log lost", 958.2, "s", "s")
    own = Evidence("Sales: log lost", 1.5, "s", "s")
    about = {"subject": {"database": "Sales"}, "title": "A failover loses log of Sales"}
    assert wording.verdict_of(finding(other, own, **about)) == "A failover loses log of Sales."
    assert wording.verdict_of(finding(own, other, **about)) == (
        "A failover loses log of Sales: log lost 1.5 s."
    )


@pytest.mark.parametrize(
    ("first", "more"),
    [
        (Evidence("mode", "synchronous", "", "s"), {}),
        (Evidence("ratio of both", 0.5, "", "s"), {}),
        (Evidence("entries", 3, "entries", "s"), {}),
        (Evidence("log flushed", 943e3, "log B/s", "s"), {"id": "quality.not_captured"}),
    ],
)
def test_what_decides_nothing_is_not_printed_with_a_title(first, more):
    lost = Evidence("log lost", 958.2, "s", "s")
    assert wording.verdict_of(finding(first, lost, title="The queue grows", **more)) == "The queue grows."


def test_a_number_that_the_title_tells_is_not_told_again():
    without = Evidence("time without a primary", 5.33, "s", "s")
    told = wording.verdict_of(finding(without, title="Failover, 5.3 s without a primary"))
    assert told == "Failover, 5.3 s without a primary."


def test_an_open_cause_is_shown_as_unknown_and_a_database_keeps_its_name():
    shown = wording.subject_of(finding(subject={"database": "open", "cause": "open", "to": ""}))
    assert shown == [("database", "open"), ("cause", "unknown")]


STEPS = "Do not hurry:\n1. On SQL1, run `a <b>`.\n2. Verify it.\n\nThen wait."


def test_steps_become_a_list_with_the_numbers_that_they_have():
    assert str(wording.running_text(STEPS)) == (
        '<p>Do not hurry:</p><ol class="steps" start="1"><li>On SQL1, run <code>a &lt;b&gt;</code>.</li>'
        "<li>Verify it.</li></ol><p>Then wait.</p>"
    )
    assert str(wording.running_text("3. Undo it.")) == '<ol class="steps" start="3"><li>Undo it.</li></ol>'


def test_a_list_of_steps_is_parted_between_two_of_them():
    steps = "1. one two three.\n2. four five six.\n3. seven."
    assert wording.shortened(steps, 8) == ("1. one two three.\n2. four five six.", "3. seven.")
    assert wording.shortened(steps, 1) == ("1. one two three.", "2. four five six.\n3. seven.")
