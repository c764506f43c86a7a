"""What a browser makes of the pages, opened from a folder: no network, no complaint, a picture first."""

from __future__ import annotations

import base64
import json
import zlib

import nbformat.v4 as v4
import pytest

import agtrace
from agtrace.report import report
from agtrace.report.cells import PLOTLY, blocks, embedded
from agtrace.report.pages import Page, Shell, Timeline, notebook_page
from agtrace.report.scripts import bundle
from agtrace.report.sections import sections
from tests.effort import IS_THOROUGH, thorough
from tests.report import browser as browsers
from tests.report.axe import axe_script, violations
from tests.report.conftest import pages_of
from tests.report.looks import DRAWN, UNTOLD, faults, samples
from tests.report.stored import write_stored_pages

pytestmark = pytest.mark.complete


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsers.browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def transport(browser, sample_report):
    """The page with the most figures and tables, shown."""
    browser.open(sample_report.pages["transport"])
    return browser


@pytest.mark.parametrize("name", ["sample_report", "hostile_report"])
def test_pages_show_a_picture_first_without_network_or_complaint(browser, name, request):
    assert [each for page in pages_of(request.getfixturevalue(name)) for each in faults(browser, page)] == []


def test_nothing_overflows_on_a_phone(browser, sample_report):
    assert [each for page in pages_of(sample_report) for each in faults(browser, page, width=390)] == []


def test_whole_commands_can_be_copied_and_those_with_a_gap_cannot(browser, sample_report):
    browser.open(sample_report.index)
    offered = browser.run(
        "[...document.querySelectorAll('.do button.copy')].map((each) => each.previousSibling.textContent)"
    )
    assert offered[:2] == [
        "netsh interface tcp show global",
        "netsh interface tcp set global rss=enabled autotuninglevel=normal",
    ]
    assert not [each for each in offered if "..." in each or "<" in each]


def test_each_step_of_a_remedy_has_a_check_box_with_a_name(browser, sample_report):
    browser.open(sample_report.index)
    boxes = browser.run(
        "[...document.querySelectorAll('.do .steps > li')].map((step) => "
        "[step.firstChild.type, step.firstChild.getAttribute('aria-label')])"
    )
    assert boxes == [["checkbox", f"Step {number} is done"] for number in range(1, len(boxes) + 1)]
    assert len(boxes) == 5


CLICKED = "document.querySelector('button[data-copies=ticket]').click()"


def test_the_index_copies_its_ticket(browser, sample_report):
    browser.open(sample_report.index)
    browser.run(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (t) => { got = t; } } })"
    )
    browser.run(CLICKED)
    text = browser.run("window.got")
    assert text.startswith("# ")
    assert "\n1. On JBSAG3, save the settings" in text
    assert browser.complaints == []


def test_a_ticket_is_copied_where_the_clipboard_is_closed_to_pages(browser, sample_report):
    browser.open(sample_report.index)
    browser.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    browser.run("document.execCommand = () => { window.got = String(getSelection()); }")
    browser.run(CLICKED)
    assert browser.run("new Promise((done) => setTimeout(() => done(window.got), 50))").startswith(
        "# An unscaled"
    )


def test_everybody_can_read_the_index_and_a_page_of_each_analysis(browser, sample_report, tmp_path):
    axe = axe_script()
    one_of_each = {each.severity: each for each in sample_report.findings}.values()
    pages = [sample_report.index, *write_stored_pages(tmp_path, list(one_of_each))]
    assert [each for page in pages for each in violations(browser, page, axe)] == []


@thorough
@pytest.mark.complete
@pytest.mark.parametrize("name", samples() if IS_THOROUGH else [])
def test_every_page_of_every_sample_is_fine(browser, name, tmp_path):
    made = report(agtrace.sample(name), tmp_path / "out", store=tmp_path / "store")
    assert [each for page in pages_of(made) for each in faults(browser, page)] == []


def test_pages_that_hold_their_script_need_no_file_beside_them(browser, tmp_path):
    spec = {"data": [{"type": "scatter", "y": [1, 2]}], "layout": {"title": {"text": "T"}}}
    shown = v4.new_output("display_data", {PLOTLY: spec})
    cells = [v4.new_code_cell("", outputs=[shown])]
    drawn = blocks(v4.new_notebook(cells=cells))
    page = Page("overview", "Overview", "What?", "overview.html")
    shell = Shell("case", "now", (page,), "", "", damaged=False)
    text = notebook_page(shell, page, sections(drawn), [], None, bundle(drawn, single_file=True))
    (tmp_path / "overview.html").write_text(text, encoding="utf-8")
    browser.open(tmp_path / "overview.html")
    assert (browser.complaints, browser.foreign_requests(), browser.run(DRAWN)) == ([], [], True)
    assert [url for url in browser.requests if url.endswith(".js")] == []


# What dragging over a part of a figure changes: all axes that match.
ZOOMED = """
  const axes = (plot) => Object.keys(plot._fullLayout).filter((name) => /^xaxis\\d*$/.test(name));
  const zoomed = (plot) => Object.fromEntries(axes(plot).map((name) =>
    [`${name}.range`, ['2019-08-20 13:40:00', '2019-08-20 13:50:00']]));"""


def test_zoom_of_one_figure_is_that_of_all_that_show_the_time(transport):
    zoomed = transport.run(f"""(async () => {{{ZOOMED}
      const plots = [...document.querySelectorAll('.plot')];
      await Plotly.relayout(plots[0], zoomed(plots[0]));
      await new Promise((done) => setTimeout(done, 500));
      return plots.map((plot) => plot._fullLayout.xaxis.range.map((each) => each.slice(0, 16)).join());
    }})()""")
    assert set(zoomed) == {"2019-08-20 13:40,2019-08-20 13:50"}


def test_a_moment_in_a_table_leads_to_the_figures_of_its_time(browser, tmp_path):
    """Each of a table's times that the figures show is a link; they show what was around it."""
    times = [f"2024-03-05 12:{minute:02}:00" for minute in range(60)]
    spec = {
        "data": [{"type": "scatter", "x": times, "y": list(range(60))}],
        "layout": {"title": {"text": "T"}, "xaxis": {"type": "date", "title": {"text": "UTC"}}},
    }
    cells = "".join(
        f"<tr><td>{text}</td><td>{n}</td></tr>"
        for n, text in enumerate(("2024-03-05 12:30:00.250000+00:00", "2024-03-06 12:30:00+00:00",
            "2024-03-05 12:31:00"))
    )  # fmt: skip
    table = f"<table><thead><tr><th>time</th><th>n</th></tr></thead><tbody>{cells}</tbody></table>"
    outputs = [
        v4.new_output("display_data", {PLOTLY: spec}),
        v4.new_output("display_data", {"text/html": table}),
    ]
    drawn = blocks(v4.new_notebook(cells=[v4.new_code_cell("", outputs=outputs)]))
    page = Page("overview", "Overview", "What?", "overview.html")
    shell = Shell("case", "now", (page,), "", "", damaged=False)
    text = notebook_page(shell, page, sections(drawn), [], None, bundle(drawn, single_file=True))
    (tmp_path / "overview.html").write_text(text, encoding="utf-8")
    browser.open(tmp_path / "overview.html")
    told = browser.run("""(async () => {
      const wait = () => new Promise((done) => setTimeout(done, 500));
      await wait();
      const links = [...document.querySelectorAll('table.data td a')];
      links[0].click();
      await wait();
      const range = document.querySelector('.plot')._fullLayout.xaxis.range.map((each) => each.slice(0, 19));
      return {links: links.map((each) => each.getAttribute('href')), range};
    })()""")
    assert told["links"] == ["#at=2024-03-05T12:30:00.250Z"]
    assert [each[:16] for each in told["range"]] in (
        ["2024-03-05T12:28", "2024-03-05T12:31"],
        ["2024-03-05 12:28", "2024-03-05 12:31"],
    )
    assert browser.complaints == []


def test_figures_follow_light_and_dark_and_print_light(browser, sample_report):
    ink = "getComputedStyle(document.querySelector('.plot .gtitle')).fill"
    browser.open(sample_report.pages["transport"])
    light = browser.run(ink)
    browser.open(sample_report.pages["transport"], dark=True)
    assert (light, browser.run(ink)) == ("rgb(31, 41, 51)", "rgb(228, 232, 236)")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run(ink) == light
    width, height = (
        f"document.querySelector('.plot .main-svg').getBoundingClientRect().{each}"
        for each in ("width", "height")
    )
    assert (round(browser.run(width)), browser.run(height) <= 450) == (700, True)
    browser.run("dispatchEvent(new Event('afterprint'))")
    assert browser.run(width) > 1000


def test_tables_can_be_sorted_filtered_and_saved(browser, sample_report):
    browser.open(sample_report.pages["overview"])
    told = browser.run("""(async () => {
      const table = [...document.querySelectorAll('table.data')].find((each) => each.rows.length > 5 && each.tHead.textContent.includes('size (B)'));
      const column = [...table.tHead.rows[0].cells].findIndex((head) => head.textContent === 'size (B)');
      const values = () => [...table.tBodies[0].rows].map((row) => Number(row.cells[column].textContent.replaceAll(',', '')));
      table.tHead.rows[0].cells[column].querySelector('button').click();
      const up = values();
      table.tHead.rows[0].cells[column].querySelector('button').click();
      const bar = table.closest('.scroll').previousElementSibling;
      const filter = bar.querySelector('input');
      filter.value = 'errorlog'; filter.dispatchEvent(new Event('input'));
      let saved;
      URL.createObjectURL = (blob) => { saved = blob; return 'blob:none'; };
      HTMLAnchorElement.prototype.click = function () {};
      bar.querySelector('button').click();
      return {up, down: values(), shown: bar.querySelector('[role=status]').textContent, csv: await saved.text()};
    })()""")  # noqa: E501
    assert told["up"] == sorted(told["up"])
    assert told["down"] == told["up"][::-1]
    rows = told["csv"].strip("\r\n\ufeff").split("\r\n")
    assert told["shown"] == f"{len(rows) - 1} of 11 rows"
    assert "host" in rows[0].split(",")
    assert all("ERRORLOG" in row for row in rows[1:])


def test_a_link_of_the_index_unfolds_the_card_that_it_leads_to(browser, sample_report):
    browser.open(sample_report.index)
    link = browser.run("[...document.querySelectorAll('.minor a[href]')].at(-1).getAttribute('href')")
    page, _, anchor = link.partition("#")
    browser.open(sample_report.index.parent / page)
    browser.run(f"location.hash = {json.dumps(anchor)}")
    opened = (
        f"[...document.querySelectorAll('#{anchor} > details')].every((d) => d.open && d.checkVisibility())"
    )
    assert browser.run(f"new Promise((done) => setTimeout(() => done({opened}), 200))")


def test_the_chain_and_the_timeline_are_on_the_index(browser, sample_report):
    browser.open(sample_report.index)
    assert browser.run("document.querySelector('.strip .slow').textContent.includes('received')")
    assert browser.run("document.querySelectorAll('.timeline [data-time]').length") > 3


SHOWN = "document.querySelector('#timeline output').textContent"


def test_the_zoom_stands_in_the_address_and_goes_along_from_page_to_page(browser, sample_report):
    browser.open(sample_report.index)
    whole = browser.run(SHOWN)
    browser.run("document.querySelector('#timeline .bar button[title=\"Show half as much\"]').click()")
    zoomed, link = browser.run(f"[{SHOWN}, document.querySelector('nav a[href^=transport]').href]")
    assert "#from=2019-08-20T" in link
    assert "&to=2019-08-20T" in link
    assert browser.run("location.hash") == link[link.index("#") :]
    browser.open(sample_report.pages["transport"])
    assert browser.run(SHOWN) == whole
    browser.run(f"location.hash = {json.dumps(link[link.index('#') :])}")
    browser.wait(f"{SHOWN} === {json.dumps(zoomed)}", 5)
    figure = "document.querySelector('.plot')._fullLayout.xaxis.range[0].replace(' ', 'T').slice(0, 19)"
    browser.wait(f"{figure} === {json.dumps(link[link.index('from=') + 5 :][:19])}", 5)


def test_what_is_zoomed_in_a_figure_is_zoomed_in_the_timeline(transport):
    plot = "document.querySelector('.plot')"
    transport.run(f"(() => {{{ZOOMED} void Plotly.relayout({plot}, zoomed({plot})); }})()")
    transport.wait(f"{SHOWN} === '2019-08-20 13:40:00 to 13:50:00 UTC'", 5)


def test_marks_and_their_lines_are_reached_without_a_mouse(browser, sample_report):
    browser.open(sample_report.pages["health"])
    told = browser.run("""(async () => {
      const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
      const stops = document.querySelectorAll('#timeline [data-time][tabindex="0"]');
      stops[0].focus();
      press('ArrowRight');
      const {time} = document.activeElement.dataset;
      press('Enter');
      for (let n = 0; n < 100 && document.querySelector('#lines').hidden; n += 1) await new Promise((done) => setTimeout(done, 20));
      const inside = document.querySelector('#lines').contains(document.activeElement);
      const middle = document.querySelector('#lines .here, #lines .moment').dataset.time;
      press('Escape');
      return {stops: stops.length, inside, same: middle === time, back: document.activeElement.dataset.time === time,
        hidden: document.querySelector('#lines').hidden};
    })()""")  # noqa: E501
    assert told == {"stops": 1, "inside": True, "same": True, "back": True, "hidden": True}


def test_the_lines_around_a_moment_stand_by_host_with_both_times_and_their_place(browser, sample_report):
    browser.open(sample_report.pages["health"])
    shown = browser.run("""(async () => {
      document.querySelector('#timeline [title="Show the whole time"]').click();
      document.querySelector('#timeline [data-family=connections]').dispatchEvent(new MouseEvent('click', {bubbles: true}));
      for (let n = 0; n < 100 && document.querySelector('#lines').hidden; n += 1) await new Promise((done) => setTimeout(done, 20));
      const row = document.querySelector('#lines .here');
      return {...row.dataset, when: row.querySelector('.when').innerText.split('\\n'), place: row.querySelector('.place').innerText,
        said: row.querySelector('.said').innerText, hosts: [...document.querySelectorAll('.names b')].map((each) => each.innerText)};
    })()""")  # noqa: E501
    assert shown["hosts"] == [
        "JBSAG3 clock 1.9 s ahead", "JBSAG1 clock 0.355 s behind", "JBSAG2"
    ]  # fmt: skip
    assert shown["place"] == f"{shown['file']}:{shown['line']}"
    utc, own = shown["when"]
    assert utc == shown["time"][11:23]
    assert (int(own[:2]) - int(utc[:2])) % 24 == {"JBSAG3": 9}.get(shown["host"], 20)
    # The host's own time is as its log has it.
    assert round(float(own[6:]) - float(utc[6:]), 3) % 60 == {"JBSAG3": 1.86, "JBSAG1": 59.645}.get(
        shown["host"], 0
    )
    assert "35202" in shown["said"] or "35206" in shown["said"] or "connection" in shown["said"].lower()


def test_what_a_log_says_is_text_on_the_page(browser, tmp_path):
    made = {"hosts": ["<img src=x>"], "whole": [0, 60_000], "shown": [0, 60_000], "findings": []}
    made |= {
        "lanes": [],
        "groups": [],
        "apart": [0],
        "spans": [],
        "roles": [],
        "looks": {"other events": ["dot", "#7b8794"]},
    }
    made |= {"marks": [[0, "other events", 30_000_000, "<b>it</b>"]]}
    packed = {"files": ["<i>"], "sources": ["<i>"], "t": [30_000_000], "o": [None], "h": [0], "f": [0],
              "s": [0], "n": [7], "p": [1], "x": ["<img src=y onerror=alert(1)></script>"]}  # fmt: skip
    packed = base64.b64encode(zlib.compress(json.dumps(packed).encode())).decode()
    page = Page("overview", "Overview", "What?", "overview.html")
    shell = Shell("case", "now", (page,), "", "", damaged=False, timeline=Timeline(embedded(made), packed))
    text = notebook_page(shell, page, sections([]), [], None, bundle([], single_file=True))
    (tmp_path / "overview.html").write_text(text, encoding="utf-8")
    browser.open(tmp_path / "overview.html")
    assert browser.run(UNTOLD) == []
    assert (
        browser.run("document.querySelectorAll('#lines img, #lines i, #timeline b, #timeline img').length")
        == 0
    )
    assert "<img src=y onerror=alert(1)></script>" in browser.run(
        "document.querySelector('#lines .here .said').textContent"
    )
    assert browser.complaints == []


def test_times_are_shown_by_the_local_clock_where_it_is_one(transport):
    shown = """(() => {
      const plot = document.querySelector('.plot');
      const titles = Object.keys(plot.layout).filter((key) => key.startsWith('xaxis')).map((key) => plot.layout[key].title?.text || '');
      return [Date.parse(plot._fullLayout.xaxis.range[0].replace(' ', 'T') + 'Z'), titles.join('')];
    })()"""  # noqa: E501
    utc, title = transport.run(shown)
    clocks = "[...document.querySelectorAll('.clock option')].map((option) => option.textContent)"
    assert transport.run(clocks) == [
        "Times in UTC", "Local time of JBSAG1 and JBSAG2 (UTC-04:00)", "Local time of JBSAG3 (UTC+09:00)"
    ]  # fmt: skip
    assert title == "time (UTC)"
    transport.run("""(async () => {
      const choice = document.querySelector('.clock');
      const range = () => document.querySelector('.plot')._fullLayout.xaxis.range[0];
      const before = range();
      choice.selectedIndex = 1;
      choice.dispatchEvent(new Event('change'));
      for (let tries = 0; tries < 100 && range() === before; tries++) {
        await new Promise((done) => setTimeout(done, 200));
      }
    })()""")
    local, title = transport.run(shown)
    assert (title, (utc - local) / 3_600_000) == ("time (local time, UTC-04:00)", 4)
