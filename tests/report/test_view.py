"""What a page lets a reader do: follow the cause, read a group at a glance, search, share the view."""

from __future__ import annotations

import base64
import json
import zlib
from itertools import pairwise

import pytest

from agtrace.report.cells import embedded
from agtrace.report.pages import Front, Listed, Page, Shell, Timeline, index_page, notebook_page
from agtrace.report.scripts import bundle
from agtrace.report.sections import Sections
from agtrace.say.finding import Evidence, Finding
from agtrace.say.group_card import Cell, GroupCard
from agtrace.say.incident import Incident, Incidents, Line, Link
from tests.report import browser as browsers
from tests.report.axe import axe_script, violations

pytestmark = pytest.mark.complete

MARKUP = "<img src=x onerror=alert(1)>"
AT = 1_709_640_000_000  # 2024-03-05 12:00:00 UTC, ms


def iso(seconds: int) -> str:
    return f"2024-03-05T12:{seconds // 60:02}:{seconds % 60:02}.000000Z"


def timeline() -> Timeline:
    drawn = {
        "hosts": ["A", "B"], "whole": [AT, AT + 600_000], "shown": [AT, AT + 600_000], "findings": [],
        "lanes": [], "groups": [], "apart": [0, 0],
        "spans": [], "roles": [], "looks": {"leases": ["x", "#b34700"]},
        "marks": [[0, "leases", (AT + 60_000) * 1000, "lease lost"]],
    }  # fmt: skip
    seconds = [30, 60, 120, 180]
    steps = [(AT + seconds[0] * 1000) * 1000, *(1_000_000 * (b - a) for a, b in pairwise(seconds))]
    # The cluster log has the message of the ERRORLOG, 10 ms later, and a word before it.
    steps[2:3] = [10_000, steps[2] - 10_000]
    lost = f"lease {MARKUP} lost"
    lines = {"files": ["A/ERRORLOG", "A/cluster.log"], "sources": ["ERRORLOG", "cluster log"], "t": steps,
             "o": [None] * 5, "h": [0] * 5, "f": [0, 0, 1, 0, 0], "s": [0, 0, 1, 0, 0],
             "n": [10, 11, 90, 12, 13], "p": [1, 2, 3, 4, 5],
             "x": ["first", f"Server {lost}", f"ERR [RES] AG: [hadrag] {lost}", "third", "fourth"],
             }  # fmt: skip
    packed = base64.b64encode(zlib.compress(json.dumps(lines).encode())).decode()
    return Timeline(embedded(drawn), packed)


def link(role, seconds, what, line, number="", after=""):
    return Link(
        role, number, after, Line(iso(seconds), "12:00:00.0", "", "A", what, f"A/ERRORLOG line {line}")
    )


def finding(title=f"The lease {MARKUP} expired", severity="critical"):
    return Finding("health.failover", severity, title, "It happened.", {"ag": "AG"}, {}, [
        Evidence("time without a primary", 8.0, "s", "A/ERRORLOG line 11")], "1. Check A.", 0.9)  # fmt: skip


CHAIN = (
    link("Cause", 55, "processors busy", 11, "97 % busy"),
    link("Trigger", 60, f"lease {MARKUP}", 11, "", "5 s"),
    link("New primary", 120, "takes over", 12, "8 s without a primary", "1 min"),
)


def shell(pages):
    clocks = [{"offset": -300, "hosts": "A and B"}]
    return Shell("case", "now", pages, "", "", damaged=False, clocks=clocks, timeline=timeline())


PAGES = (
    Page("health", "Health", "Why?", "health.html"),
    Page("overview", "Overview", "What?", "overview.html"),
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A folder with the page of health and the index, of literal values."""
    folder = tmp_path_factory.mktemp("pages")
    lines = (CHAIN[0].line, CHAIN[2].line)
    incident = Incident(
        "failover-1", "AG: failover", "critical", "No primary for 8 s.", "", "", lines, (), CHAIN
    )
    shown = Sections(incidents=Incidents((), (incident,), "failover-1"))
    found = [("finding-1", finding()), ("finding-2", finding("Another thing", "notice"))]
    text = notebook_page(shell(PAGES), PAGES[0], shown, found, None, bundle([], single_file=True))
    (folder / "health.html").write_text(text, encoding="utf-8")
    rows = ((Cell("A"), Cell("10 s")), (Cell("B"), Cell("5 s", differs=True)), (Cell("C"), Cell("10 s")))
    card = GroupCard(f"Availability group {MARKUP}", "As of the last snapshot.", ("Replica", "Session"),
                     rows, (("Quorum", "node majority"),), "Not captured: listener.")  # fmt: skip
    listed = [Listed(anchor, each, f"health.html#{anchor}", "health") for anchor, each in found]
    index = index_page(shell(PAGES), listed, [], Front(groups=[card]))
    (folder / "index.html").write_text(index, encoding="utf-8")
    without = index_page(Shell("case", "now", PAGES, "", "", damaged=False), [], [], Front())
    (folder / "bare.html").write_text(without, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsers.browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


def shows_lines(browser, iso_of):
    browser.wait(f"document.querySelector('#lines').dataset.of === {json.dumps(iso_of)}", 5)


def searched(browser, text):
    browser.run(f"document.querySelector('#search').value = {json.dumps(text)}")
    browser.run("document.querySelector('#search').dispatchEvent(new Event('input'))")
    browser.wait("document.querySelector('#hits').innerText !== ''", 5)
    return browser.run(
        "[...document.querySelectorAll('#hits .count, #hits h2')].map((each) => each.textContent)"
    )


def test_each_link_of_the_cause_opens_its_line_of_the_log(browser, pages):
    browser.open(pages / "health.html")
    assert browser.run("[...document.querySelectorAll('#chain [data-time]')].map((e) => e.dataset.time)") == [
        iso(55), iso(60), iso(120),
    ]  # fmt: skip
    assert browser.run("document.querySelector('#chain [data-time]').checkVisibility()")
    assert browser.run("document.querySelector('#chain b').textContent") == "97 % busy"
    for place, line in enumerate(["11", "11", "12"]):
        browser.run(f"document.querySelectorAll('#chain [data-time]')[{place}].click()")
        shows_lines(browser, iso([55, 60, 120][place]))
        assert browser.run("document.querySelector('#lines .here').dataset.line") == line
    browser.run("document.querySelector('#lines button').click()")
    assert browser.run("document.activeElement.dataset.time") == iso(120)
    assert browser.complaints == []


def test_a_message_of_several_logs_is_shown_once_with_its_sources(browser, pages):
    browser.open(pages / "health.html")
    browser.run("document.querySelectorAll('#chain [data-time]')[1].click()")
    shows_lines(browser, iso(60))
    rows = "[...document.querySelectorAll('#lines li[data-file]')].map((each) => each.dataset.line)"
    assert browser.run(rows) == ["10", "11", "12", "13"]
    assert browser.run("document.querySelector('#lines .also').innerText").strip() == (
        "also cluster log, 12:01:00.010, A/cluster.log:90"
    )
    assert browser.run("document.querySelectorAll('#lines .gap').length") == 0


def test_the_address_holds_period_clock_mark_and_finding_and_restores_them(browser, pages):
    browser.open(pages / "health.html")
    browser.run("document.querySelectorAll('#chain [data-time]')[1].click()")
    shows_lines(browser, iso(60))
    browser.run("document.querySelector('#timeline [title=\"Show half as much\"]').click()")
    browser.run("document.querySelector('select.clock').value = -300")
    browser.run("document.querySelector('select.clock').dispatchEvent(new Event('change'))")
    browser.run("document.querySelector('#finding-2 summary').click()")
    address = browser.run("location.hash")
    assert address == (
        f"#finding-2&from=2024-03-05T12:02:30.000Z&to=2024-03-05T12:07:30.000Z&clock=UTC-05:00&mark={iso(60)}"
    )
    shown = "document.querySelector('#timeline output').textContent"
    before = browser.run(shown)
    assert before == "2024-03-05 07:02:30 to 07:07:30 UTC-05:00"
    carried = browser.run("document.querySelector('nav a[href^=overview]').getAttribute('href')")
    assert (
        carried == "overview.html#from=2024-03-05T12:02:30.000Z&to=2024-03-05T12:07:30.000Z&clock=UTC-05:00"
    )
    browser.open(pages / "index.html")
    browser.call("Page.navigate", url=(pages / "health.html").as_uri() + address)
    browser.wait("location.href.includes('health.html') && document.readyState === 'complete'", 10)
    shows_lines(browser, iso(60))
    assert browser.run(shown) == before
    assert browser.run("document.querySelector('select.clock').value") == "-300"
    assert browser.run("document.querySelector('#finding-2 > details').open")
    browser.run("document.querySelector('#lines button').click()")
    assert "mark=" not in browser.run("location.hash")
    # A link within the page names no period: that stays.
    browser.run("location.hash = 'finding-1'")
    browser.wait("location.hash.startsWith('#finding-1&from=')", 5)
    assert browser.complaints == []


def test_the_search_finds_findings_tables_and_lines_and_says_when_nothing_matches(browser, pages):
    browser.open(pages / "health.html")
    assert searched(browser, "LEASE lost") == ["2 matches", "Log lines (2)"]
    assert browser.run("document.querySelectorAll('#hits mark').length") == 4
    browser.run("document.querySelector('#hits a').click()")
    shows_lines(browser, iso(60))
    # The story's row, the evidence of both findings, and the line itself.
    assert searched(browser, "errorlog 11") == ["4 matches", "Tables (3)", "Log lines (1)"]
    assert searched(browser, "another") == ["1 match", "Findings (1)"]
    browser.run("document.querySelector('#hits a').click()")
    assert browser.run("document.querySelector('#finding-2 > details').open")
    assert browser.run("location.hash").startswith("#finding-2")
    assert searched(browser, "nowhere") == ["No match for “nowhere” on this page"]
    assert browser.run("document.querySelectorAll('#hits img').length") == 0
    assert browser.complaints == []


def test_the_search_is_reached_and_left_by_keys(browser, pages):
    browser.open(pages / "index.html")
    browser.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}))")
    assert browser.run("document.activeElement.id") == "search"
    assert searched(browser, "expired") == ["1 match", "Findings (1)"]
    press = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: %s, bubbles: true}))"
    browser.run(press % "'ArrowDown'")
    href = browser.run("document.activeElement.getAttribute('href')")
    assert href == "health.html#finding-1"
    browser.run(press % "'Escape'")
    assert browser.run("[document.activeElement.id, document.querySelector('#search').value]") == [
        "search",
        "",
    ]
    browser.wait("document.querySelector('#hits').hidden", 5)


def test_a_group_is_shown_with_what_differs_in_words(browser, pages):
    browser.open(pages / "index.html")
    cells = "[...document.querySelectorAll('#group .differs')].map((each) => each.textContent)"
    assert browser.run(cells) == ["5 s differs"]
    assert MARKUP in browser.run("document.querySelector('#group h2').textContent")
    assert "Not captured: listener." in browser.run("document.querySelector('#group').innerText")
    assert browser.complaints == []
    browser.open(pages / "bare.html")
    assert "Nothing is known of the hosts." in browser.run("document.querySelector('#group').innerText")
    assert searched(browser, "overview")[0] == "1 match"
    assert browser.complaints == []


def test_chain_group_and_hits_can_be_read_by_everybody_and_fit_a_phone(browser, pages):
    axe = axe_script()
    for name in ("health.html", "index.html"):
        assert violations(browser, pages / name, axe) == []
        browser.open(pages / name, width=390)
        searched(browser, "a")
        assert browser.run("document.documentElement.scrollWidth - innerWidth") <= 0
