"""The page over all cases."""

from __future__ import annotations

import base64
import hashlib
import html
import re

import pytest

from agtrace.batch import CaseRecord, Reports
from agtrace.batch.status import write_page
from tests.report.browser import browser


def page(tmp_path, *records, waiting=None):
    reports = Reports(tmp_path / "out")
    reports.create()
    for record in records:
        reports.keep(record)
    write_page(reports, waiting or {})
    return (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def record(name, status="reported", **named):
    return CaseRecord(name, f"/in/{name}", "", status, **named)


def test_the_worst_comes_first(tmp_path):
    text = page(
        tmp_path,
        record("quiet"),
        record("told", findings={"info": 3}),
        record("warned", findings={"warning": 1, "info": 9}),
        record("broken", "broken", reason="nothing in it"),
        record("worst", findings={"critical": 2}),
        record("bad", findings={"critical": 1, "warning": 7}),
    )
    assert re.findall(r'<td><a href="(\w+)/index.html">', text) == [
        *("worst", "bad", "warned", "broken", "told", "quiet")
    ]


def test_nothing_of_a_case_is_markup(tmp_path):
    text = page(
        tmp_path,
        record("a", worst='<img src=x onerror="alert(1)">', ids=('"><script>',), reason="<em>"),
        waiting={"<i>": "<u>"},
    )
    assert not re.findall(r"<(?:img|em>|i>|u>)", text)
    assert text.count("<script") == 1


@pytest.mark.complete
def test_a_long_name_or_finding_does_not_widen_it(tmp_path):
    long = {"worst": "redo of " + "d" * 128, "findings": {"warning": 1}}
    page(tmp_path, record("n" * 120, **long), record("b", "broken", reason="r" * 300))
    with browser(tmp_path / "profile") as shown:
        shown.open(tmp_path / "out" / "index.html", width=1280)
        assert shown.run("document.querySelector('.cases table').offsetWidth - innerWidth") < 0
        assert shown.run("((e) => e.scrollWidth - e.clientWidth)(document.querySelector('.cases'))") <= 0


def test_its_one_script_is_the_one_that_the_policy_allows(tmp_path):
    text = html.unescape(page(tmp_path, record("a")))
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text
    assert "default-src 'none'" in text


def test_it_shows_what_a_case_takes_and_who_waits(tmp_path):
    text = page(tmp_path, record("a", store_bytes=2_500_000), waiting={"b": "still growing"})
    assert ">2.5 MB<" in text
    assert "b: still growing" in text


def test_a_row_is_found_by_what_its_case_says(tmp_path):
    text = page(tmp_path, record("a", ids=("transport.window_limited",)))
    assert re.search(r'<tr [^>]*data-more="[^"]*transport\.window_limited', text)
