"""What a page shows of its findings at first sight, and of its notebook under which heading."""

from __future__ import annotations

import pytest

from agtrace.diagnostics import Evidence, Finding
from agtrace.report.cells import Block
from agtrace.report.pages import _key_figures
from agtrace.report.scripts import bundle, policy
from agtrace.report.sections import first_sentence, sections
from agtrace.report.shown import LIKE, cards


def finding(severity="notice", kind="a.b", title="It is so", narrative="Because."):
    return Finding(kind, severity, title, narrative, evidence=(Evidence("n", 1, "s", "log"),))


def anchored(*found):
    return [(f"finding-{n}", each) for n, each in enumerate(found)]


def test_the_answer_is_unfolded_and_what_is_for_information_folded():
    answer, other, minor = finding("critical"), finding(kind="c.d"), finding("info")
    shown = cards(anchored(answer, other, minor), 100, answer)
    assert [(c.anchor, c.is_answer, c.is_open) for c in shown.first] == [
        ("finding-0", True, True),
        ("finding-1", False, False),
    ]
    assert [c.anchor for c in shown.minor] == ["finding-2"]


def test_warnings_are_unfolded_as_far_as_the_words_go():
    found = anchored(*(finding("warning", f"a.{n}") for n in range(3)))
    assert [c.is_open for c in cards(found, 60).first] == [True, True, False]


def test_findings_for_which_no_words_are_left_are_folded():
    found = anchored(*(finding(kind=f"a.{n}") for n in range(5)))
    shown = cards(found, 9)
    assert (len(shown.first), len(shown.more)) == (2, 3)


def test_of_many_findings_of_one_kind_one_stands_for_all():
    found = anchored(*[finding()] * (LIKE + 2), finding(kind="c.d"))
    shown = cards(found, 100)
    assert [(c.anchor, len(c.like)) for c in shown.first] == [
        ("finding-0", LIKE + 1),
        (f"finding-{LIKE + 2}", 0),
    ]


@pytest.mark.parametrize(("severity", "shown"), [("critical", 9), ("warning", 9), ("notice", 0)])
def test_severe_findings_are_neither_folded_nor_gathered(severity, shown):
    found = cards(anchored(*[finding(severity, title=f"Number {n}") for n in range(9)]), 0)
    assert [len(found.first), len(found.first) + sum(1 + len(each.like) for each in found.more)] == [shown, 9]


def test_a_notebook_is_sorted_by_its_headings():
    figure, table = Block("figure", title="F"), Block("table", html="<table>")
    found = sections(
        [
            Block("prose", html="<p>All. In all.</p>"),
            Block("heading", html="One"),
            Block("note", html="<p>What it is.</p>"),
            figure,
            Block("nothing", text="No queue was captured"),
            Block("heading", html="Two"),
            Block("numbers", numbers=(Evidence("n", 7, "", "it"),)),
            table,
            Block("prose", html="<p>Cut.</p>"),
            Block("heading", html="Three"),
            Block("note", html="<p>A note alone.</p>"),
            Block("heading", html="Four"),
            Block("prose", html="<p>Words.</p>"),
            Block("failure", text="ValueError"),
        ]
    )
    assert first_sentence(found.summary) == "All."
    assert [(s.title, s.figures) for s in found.with_figures] == [("One", [figure])]
    assert [(s.title, len(s.tables)) for s in found.with_tables] == [("Two", 2)]
    assert [s.title for s in found.with_words] == ["Four"]
    assert [each.value for each in found.numbers] == [7]
    assert found.without == ["No queue was captured"]
    assert [block.text for block in found.failures] == ["ValueError"]


def test_a_trace_that_the_small_script_does_not_draw_takes_the_whole_one():
    usual, other = Block("figure", traces=("bar", "scatter")), Block("figure", traces=("sankey",))
    assert len(bundle([usual], single_file=False).text) < 2_000_000
    assert len(bundle([usual, other], single_file=False).text) > 4_000_000
    assert bundle([usual], single_file=True).file == ""


def telling(severity, replica, numbers):
    evidence = tuple(Evidence(f"{severity} {n}", n, "s", "log") for n in range(numbers))
    return "", Finding("a.b", severity, "T", "", {"replica": replica}, evidence=evidence)


@pytest.mark.parametrize(
    ("own", "findings", "shown"),
    [
        (2, [], 2),  # the page's own
        (0, [telling("warning", "A", 5)], 5),  # those of the answer
        (4, [telling("warning", "A", 5)], 5),
        (2, [telling("warning", "A", 1)], 3),  # topped up with the page's own
        (0, [telling("info", "A", 5)], 5),  # of what is no answer, where there is nothing else
        (0, [telling("warning", "A", 1), telling("info", "A", 3), telling("info", "B", 9)], 4),
        (0, [telling("info", "A", 9)], 6),
    ],
)
def test_a_page_shows_four_to_six_numbers_where_there_are_so_many(own, findings, shown):
    numbers = [Evidence(f"own {n}", n, "", "it") for n in range(own)]
    answer = findings[0][1] if findings and findings[0][1].severity != "info" else None
    assert len(_key_figures(numbers, findings, answer)) == shown


def test_a_policy_names_each_script_and_nothing_else():
    assert "script-src 'none';" in policy()
    allowed = policy("a", nonce="n").split("script-src ")[1].split(";")[0]
    assert allowed == "'nonce-n' 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"
