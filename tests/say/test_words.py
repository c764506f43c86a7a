"""How numbers and strangers' text are worded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pandas as pd
import pytest

from agtrace.measure.statistics import Interval
from agtrace.say import wording, words
from agtrace.say.finding import Evidence, Finding
from tests.folded import folded

MINUS_FIVE = timezone(timedelta(hours=-5))


@folded(
    ("bytes_per_s", "text"),
    [
        (0, "0 B/s"),
        (12, "12 B/s"),
        (999.4, "999 B/s"),
        (999.6, "1.0 KB/s"),
        (620_000, "620 KB/s"),
        (5_240_000, "5.2 MB/s"),
        (9_960_000, "10 MB/s"),
        (23_400_000, "23 MB/s"),
        (-3_200_000, "-3.2 MB/s"),
        (-0.2, "0 B/s"),
        (4.5e15, "4,500 TB/s"),
        (None, "not captured"),
        (float("nan"), "not captured"),
    ],
)
def test_rate_is_decimal_with_two_digits_or_more(bytes_per_s, text):
    assert words.rate(bytes_per_s) == text


def test_size_is_decimal():
    assert words.size(750_000_000) == "750 MB"
    assert words.size(1_234_000_000) == "1.2 GB"
    assert words.size(None) == "not captured"


@folded(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (0.0004, "0.4 ms"),
        (0.35, "350 ms"),
        (0.9996, "1 s"),
        (5.25, "5.2 s"),
        (45, "45 s"),
        (59.7, "1 min"),
        (90, "1 min 30 s"),
        (2700, "45 min"),
        (3599.6, "1 h"),
        (7500, "2 h 5 min"),
        (86_000, "23 h 53 min"),
        (86_399, "1 d"),
        (93_600, "1 d 2 h"),
        (-90, "-1 min 30 s"),
        (None, "not captured"),
    ],
)
def test_span_names_the_two_largest_units(seconds, text):
    assert words.span(seconds) == text


@folded(
    ("value", "text"),
    [
        (0, "0 ms"),
        (1234, "1,234 ms"),
        (1234.6, "1,235 ms"),
        (12.345, "12.3 ms"),
        (0.30000000000000004, "0.3 ms"),
        (0.012345, "0.0123 ms"),
        (1e-12, "1e-12 ms"),
        (999.6, "1,000 ms"),
        (None, "not captured"),
    ],
)
def test_number_has_three_significant_digits(value, text):
    assert words.number(value, "ms") == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (1.43, "+43 %"),
        (0.973, "-2.7 %"),
        (0.9999, "+0 %"),
        (Interval(1.5, 1.46, 1.55), "+50 % (95 % interval +46 % to +55 %)"),
        (Interval(1.5, None, None), "+50 % (too few runs for an interval)"),
    ],
)
def test_a_ratio_is_told_as_a_gain(ratio, text):
    assert words.gain(ratio) == text


def test_moment_says_which_clock():
    assert words.moment(datetime(2026, 3, 5, 9, 2, 11, tzinfo=MINUS_FIVE)) == "2026-03-05 14:02:11 UTC"
    assert words.moment(datetime(2026, 3, 5, 9, 2, 11, 900_000)) == "2026-03-05 09:02:11 local time"
    assert words.moment(pd.Timestamp("2026-03-05 14:02:11", tz=UTC)) == "2026-03-05 14:02:11 UTC"
    assert words.moment(pd.NaT) == "not captured"
    assert words.moment(None) == "not captured"


def test_an_instant_without_a_zone_is_local_time():
    assert words.instant(datetime(2024, 2, 6, 14, 45, 2, 340_000)) == "2024-02-06 14:45:02.3 local time"


def test_count_and_listing_make_sentences():
    assert words.count(1, "capture") == "1 capture"
    assert words.count(1200, "capture") == "1,200 captures"
    assert words.count(2, "entry", "entries") == "2 entries"
    assert words.listing([]) == ""
    assert words.listing(["a"]) == "a"
    assert words.listing(["a", "b"]) == "a and b"
    assert words.listing(["a", "b", "c"]) == "a, b and c"
    assert words.listing(list("abcdefg")) == "a, b, c, d, e and 2 more"


def test_plain_is_one_line_without_controls():
    assert words.plain("a\r\n\tb\x1b[31m\u202ec\x00") == "a b[31mc"
    assert words.plain("\ud800x") == "\\ud800x"
    assert words.plain("x" * 300) == "x" * 199 + "…"
    assert words.plain(None) == "not captured"


def test_html_is_safe_in_content_and_attributes():
    assert words.html("<a href=\"x\" y='z'>&\n") == "&lt;a href=&quot;x&quot; y=&#x27;z&#x27;&gt;&amp;"


@pytest.mark.complete
@folded(
    "hostile",
    [
        "<img src=x onerror=alert(1)>",
        "[click](javascript:alert(1))",
        "http://example.com/x",
        "www.example.com",
        "a_b_c *d* `e` ~~f~~ $x^2$ | g",
        "# heading",
        "- item",
        "1. item",
        "> quote",
        "line one\n\n<script>alert(1)</script>",
        "&lt;b&gt; &amp; \\< \\`",
        "![x](http://example.com/y.png)",
        "-----",
    ],
)
def test_md_shows_as_written_and_has_no_structure(hostile):
    """The text comes back as one paragraph of plain text from the renderer that the report uses."""
    import html

    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    rendered = markdown2html_mistune(words.md(hostile)).strip()
    assert rendered.startswith("<p>")
    assert rendered.endswith("</p>")
    inside = rendered[3:-4]
    assert "<" not in inside
    assert html.unescape(inside) == " ".join(hostile.split())


def test_told_rounds_numbers_and_flattens_names():
    finding = Finding(
        "quality.gap",
        "notice",
        "t",
        "n",
        subject={"replica": "B\x1b", "ag": "AG1"},
        evidence=(
            Evidence("missing", 1234.567, "s", "x.csv"),
            Evidence("share", 0.123456, "", "x.csv"),
            Evidence("setting", "disabled", "", "tcp.txt"),
            Evidence("ping", None, "ms", "none"),
        ),
    )
    assert wording.findings_text([finding]) == (
        "notice   quality.gap: ag AG1, replica B\n"
        "    missing: 1,235 s\n"
        "    share: 0.123\n"
        "    setting: disabled\n"
        "    ping: not captured"
    )
    assert wording.findings_text([]) == "no findings"
