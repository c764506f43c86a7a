"""What holds of the report of every sample and of a real case, as a browser shows it."""

from __future__ import annotations

from datetime import datetime

import pytest
from pypdf import PdfReader

import agtrace
from agtrace.report import report
from agtrace.say import words
from agtrace.say.headline import headline
from agtrace.say.summary import LEAST_WORDS, MOST_WORDS
from tests.ready import made_once
from tests.report import browser as browsers
from tests.report import on_page
from tests.report.axe import axe_script, violations
from tests.report.conftest import pages_of
from tests.report.looks import OVERFLOW, samples
from tests.shared import CAPTURES

pytestmark = pytest.mark.complete

REAL = "failover_2017"
FIRST_SCREEN_MS = 1000
TRIES = 5
SUBJECTS = ("host", "from", "replica", "to")


@pytest.fixture(scope="module", params=[*samples(), REAL])
def made(request, tmp_path_factory):
    """The report of a case with its PDF, made once."""
    name = request.param
    case = CAPTURES / REAL if name == REAL else agtrace.sample(name)
    if not case.is_dir():
        pytest.skip("the real captures are not here (AGTRACE_CAPTURES names their folder)")
    return made_once(
        tmp_path_factory,
        f"report of {name}",
        lambda folder: report(case, folder / "out", store=folder / "store", pdf=True),
    )


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browsers.browser(tmp_path_factory.mktemp("profile")) as started:
        started.before_each_page(on_page.WATCH_FIRST_SCREEN)
        yield started


def headline_page(made):
    """Return the page that the index links the headline to; the index where none has it."""
    page = {
        place: name
        for name, path in made.pages.items()
        for place in on_page.anchors(path.read_text(encoding="utf-8"))
    }.get(f"finding-{made.findings.index(headline(made.findings)) + 1}")
    return made.pages[page] if page else made.index


def test_the_index_opens_with_a_summary(made, tab):
    tab.open(made.index)
    text, top = tab.run(on_page.SUMMARY)
    assert LEAST_WORDS <= len(text.split()) <= MOST_WORDS
    assert top < 400
    assert "…" not in text


def test_the_title_of_every_critical_finding_and_warning_is_visible(made, tab):
    tab.open(made.index)
    shown = tab.run(on_page.VISIBLE_TITLES)
    severe = [each for each in made.findings if each.severity in ("critical", "warning")]
    assert [each.title for each in severe if words.plain(each.title, 400) not in shown] == []


def test_every_page_opens_its_timeline_on_the_subject_of_the_headline(made, tab):
    first = headline(made.findings)
    ends = [datetime.fromisoformat(end).timestamp() * 1000 for end in map(str, first.span or ())]
    for page in pages_of(made):
        tab.open(page)
        opened = tab.run(on_page.OPENED)
        assert opened["drawn"] == opened["asked"], page.name
        subject = [first.subject[key] for key in SUBJECTS if first.subject.get(key) in opened["hosts"]]
        assert opened["hosts"][0] in (subject or opened["hosts"]), page.name
        whole = opened["whole"]
        inside = [max(min(end, whole[1]), whole[0]) for end in ends]
        assert all(opened["from"] <= end <= opened["to"] for end in inside), page.name


def test_each_link_of_the_cause_opens_its_line(made, tab):
    if "health" not in made.pages:
        pytest.skip("the case says nothing of a group's health")
    tab.open(made.pages["health"])
    links = tab.run(on_page.CHAIN)
    if not links:
        pytest.skip("no incident of the case has a cause to draw")
    assert len(links) >= 3
    for place, link in enumerate(links):
        assert tab.run(on_page.opened_line(place)) == link


def test_search_finds_the_headline(made, tab):
    tab.open(headline_page(made))
    word = max(headline(made.findings).title.replace("'", " ").split(), key=len)
    found = tab.run(on_page.search(word))
    assert found["focused"]
    assert found["hits"] > 0
    assert found["marked"].lower() == word.lower()


def test_the_address_restores_period_clock_mark_and_finding(made, tab):
    page = headline_page(made)
    tab.open(page)
    left = tab.run(on_page.CHANGE_ALL)
    assert left["hash"].count("=") >= 3
    tab.open(page, at=left["hash"])
    tab.wait("!document.querySelector('#lines').hidden", 5)
    assert tab.run(on_page.STATE) == left


def test_one_pdf_has_every_page(made):
    out = made.index.parent
    assert [path.name for path in out.glob("*.pdf")] == ["report.pdf"]
    outline = PdfReader(out / "report.pdf").outline
    titles = [on_page.title(page.read_text(encoding="utf-8")) for page in pages_of(made)]
    assert sorted(each.title for each in outline) == sorted(titles)


def test_no_word_of_a_printed_table_is_broken(made, tab):
    broken = []
    for page in pages_of(made):
        tab.open(page)
        tab.on_paper(width=on_page.PORTRAIT)
        broken += [f"{page.name}: {each}" for each in tab.run(on_page.BROKEN_WORDS)]
        tab.on_paper(width=on_page.LANDSCAPE)
        broken += [f"{page.name}: {each}" for each in tab.run(on_page.BROKEN_WORDS_TURNED)]
    assert broken == []


@pytest.mark.parametrize("width", [1440, 390])
def test_no_page_overflows(made, tab, width):
    wider = {}
    for page in pages_of(made):
        tab.open(page, width=width)
        wider[page.name] = tab.run(OVERFLOW)
    assert {name: by for name, by in wider.items() if by > 0} == {}


def test_no_page_writes_to_the_console(made, tab):
    said = []
    for page in pages_of(made):
        tab.open(page)
        said += [f"{page.name}: {each}" for each in tab.complaints]
    assert said == []


def test_everybody_can_read_every_page(made, tab):
    axe = axe_script()
    assert [each for page in pages_of(made) for each in violations(tab, page, axe)] == []


def test_the_first_screen_is_drawn_within_a_second(made, tab):
    assert {
        page.name: ms for page in pages_of(made) if (ms := first_screen_ms(tab, page)) > FIRST_SCREEN_MS
    } == {}


def first_screen_ms(tab, page):
    """Return when the first screen is drawn: the best of some tries."""
    best = float("inf")
    for _ in range(TRIES):
        tab.open(page)
        best = min(best, tab.run(on_page.FIRST_SCREEN))
        if best <= FIRST_SCREEN_MS:
            break
    return best


def test_error_numbers_of_log_lines_are_explained(made, tab):
    """Where a line names an error whose text it does not have, the pane says what the product does."""
    tab.open(made.index)
    named = tab.run(on_page.NAMED_ERRORS)
    if not named:
        pytest.skip("no line in the page names an error by its number alone")
    meaning, shown = named
    assert meaning in shown
