"""Values as cells: nothing is lost, and nothing that a stranger wrote is computed."""

from __future__ import annotations

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import pytest

from agtrace.export.cells import cell, safe_text
from agtrace.say.markdown import prose, text
from tests.folded import folded

NOON = dt.datetime(2024, 3, 5, 12, 0)


@folded(
    ("value", "given"),
    [
        (float("nan"), None), (pd.NaT, None), (None, None), (pd.NA, None), (True, True), (np.int32(7), 7),
        (float("inf"), "inf"), (decimal.Decimal(2**63), 2**63), (b"\x00\xff", "00ff"),
        (dt.timedelta(seconds=90), 90.0), ([1, "a"], '[1, "a"]'),
        ({"at": NOON}, '{"at": "2024-03-05T12:00:00"}'),
        (np.array([1, 2]), "[1, 2]"), (pd.Timestamp(NOON), NOON),
        (pd.Timestamp(NOON, tz="Asia/Seoul"), NOON.replace(hour=3, tzinfo=dt.UTC)),
        (np.datetime64(NOON, "us"), NOON),
    ],
)  # fmt: skip
def test_a_value_is_of_a_kind_that_files_know(value, given):
    found = cell(value)
    assert (found, type(found)) == (given, type(given))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\uff1d"])
def test_text_that_a_spreadsheet_would_compute_is_marked(start):
    assert safe_text(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"
    assert safe_text(f"a{start}b") == f"a{start}b"


@pytest.mark.parametrize(
    "hidden", ["\u202e", "\u2066", "\u200b", "\u200d", "\u200e", "\ufeff", "\u00ad", "\u061c"]
)
def test_bidirectional_and_zero_width_characters_are_escaped_in_csv(hidden):
    assert safe_text(f"SQL{hidden}1") == f"SQL\\u{ord(hidden):04x}1"
    assert safe_text(f"{hidden}=1+1") == f"\\u{ord(hidden):04x}=1+1"


def test_letters_of_any_script_stay():
    assert safe_text("größe 会社 Москва שלום مرحبا नमस्ते") == "größe 会社 Москва שלום مرحبا नमस्ते"


def test_names_stay_names_in_a_ticket():
    hostile = "a|b *c* [d](http://e) <img> www.f # `g`"
    assert text(hostile) == r"a\|b \*c\* \[d\](http&#58;//e) &lt;img&gt; www&#46;f \# \`g\`"
    assert text("log_send_queue") == "log_send_queue"
    assert prose("Run `netsh a_b` on *it*.") == r"Run `netsh a_b` on \*it\*."
    assert prose("one ` alone") == r"one \` alone"
