"""What of a notebook reaches a page: its outputs, never its code, nothing that could run."""

from __future__ import annotations

import json
import re

import nbformat.v4 as v4
import pandas as pd
import pytest

from agtrace.report import notebook
from agtrace.report.cells import PLOTLY, Block, blocks, embedded, prose
from agtrace.report.execution import ROWS_SHOWN
from agtrace.report.headings import headings
from agtrace.report.tables import is_empty, label_of, tables_of
from agtrace.say import words
from agtrace.say.figures import EMPTY
from agtrace.say.finding import Evidence
from tests.folded import folded

HOSTILE = "<img src=x onerror=alert(1)>"


def code(*outputs, tags=(), source="secret_code()"):
    return v4.new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags)})


def stdout(text):
    return v4.new_output("stream", name="stdout", text=text)


def shown(**data):
    return v4.new_output("display_data", {kind.replace("_", "/", 1): value for kind, value in data.items()})


def of(*cells) -> list[Block]:
    return blocks(v4.new_notebook(cells=list(cells)))


def figure(title="Queues", height=600, values=(1,)):
    values = list(values)
    spec = {
        "data": [{"name": HOSTILE, "y": values}],
        "layout": {"title": {"text": title}, "height": height},
        "config": {},
    }
    return v4.new_output("display_data", {PLOTLY: spec})


def test_code_and_parameters_are_not_shown():
    found = of(
        code(tags=["parameters"]), code(stdout("x"), tags=["injected-parameters"]), code(stdout("out"))
    )
    assert found == [Block("text", text="out")]


def test_the_title_stands_in_the_head_and_findings_on_their_cards():
    found = of(
        v4.new_markdown_cell("# Title\n\nQuestion?"),
        code(stdout("critical ..."), tags=["check", "findings"]),
        code(stdout("It failed over."), tags=["told"]),
        v4.new_markdown_cell("# Another"),
    )
    assert found == [Block("note", html="<h1>Another</h1>\n")]


def test_headings_and_notes_of_a_notebook_are_told_apart():
    found = of(v4.new_markdown_cell("# T"), v4.new_markdown_cell("## A <b>\n\nIt is.\n\n## B"))
    assert found == [
        Block("heading", html="A &lt;b&gt;"),
        Block("note", html="<p>It is.</p>\n"),
        Block("heading", html="B"),
    ]


def test_a_figure_without_a_value_is_named_and_not_drawn():
    two = code(figure("A"), figure("Nothing was captured", values=[None]))
    found = of(two, code(stdout("a: 1 point\n\nnothing to draw\n"), tags=["check"]))
    assert [(b.kind, b.title or b.text, b.text) for b in found] == [
        ("figure", "A", "a: 1 point"),
        ("nothing", "Nothing was captured", "Nothing was captured"),
    ]


@pytest.mark.parametrize("words", ["", " \n"])
def test_a_cell_that_says_nothing_is_not_shown(words):
    said = v4.new_output("execute_result", {"text/markdown": words}, execution_count=1)
    assert of(code(said)) == []


def test_a_figure_that_its_notebook_did_not_draw_is_named():
    empty = v4.new_output("display_data", {EMPTY: {"title": "R&D"}, "text/markdown": "*R&amp;D*"})
    assert of(code(empty)) == [Block("nothing", text="R&D")]


def test_numbers_that_a_notebook_shows_first_are_told_apart(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append(bundle))
    moved = Evidence("Disk <b>Read, p50", 2e6, "B/s", "n = 7")
    notebook.key_figures([moved])
    assert shown[0]["text/markdown"] == "**2&#46;0 MB&#47;s** Disk &#60;b&#62;Read, p50"
    assert of(code(v4.new_output("display_data", shown[0]))) == [Block("numbers", numbers=(moved,))]
    notebook.key_figures([])
    assert len(shown) == 1


def test_a_figure_names_the_types_of_its_traces():
    assert [block.traces for block in of(code(figure()))] == [("scatter",)]


def test_a_figure_takes_the_words_of_the_checked_cell_as_caption():
    found = of(code(figure()), code(stdout("JBSAG3: 535 points\n"), tags=["check"]))
    assert [(b.kind, b.title, b.text, b.id, b.height) for b in found] == [
        ("figure", "Queues", "JBSAG3: 535 points", "figure-0-0", 600)
    ]
    assert json.loads(found[0].figure) == {
        "data": [{"name": HOSTILE, "y": [1]}],
        "layout": {"title": {"text": "Queues"}, "height": 600},
    }
    assert "<" not in found[0].figure


def test_figures_of_one_cell_take_one_paragraph_each():
    two = code(figure("A"), figure("B"))
    found = of(two, code(stdout("a: 1 point\n\nb: 2 points\n"), tags=["check"]))
    assert [(b.title, b.text) for b in found] == [("A", "a: 1 point"), ("B", "b: 2 points")]
    found = of(code(figure("A")), code(stdout("one\n\ntwo\n"), tags=["check"]))
    assert [(b.title, b.text) for b in found] == [("A", "one\n\ntwo")]


def test_json_in_a_script_element_cannot_end_it():
    assert embedded({"a": "</script><!--\u2028&"}) == (
        '{"a":"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026"}'
    )


def test_a_failure_is_one_line_without_terminal_colours():
    error = v4.new_output(
        "error", ename="ValueError", evalue="\x1b[31mbad\x1b[0m\nsecond line", traceback=["t"]
    )
    assert of(code(error)) == [Block("failure", text="ValueError: bad")]


def test_standard_error_is_not_shown():
    assert of(code(v4.new_output("stream", name="stderr", text="a warning"))) == []


def test_text_keeps_its_indentation_and_loses_controls():
    assert of(code(stdout("a\n    b\x1b[31m\x07c\n"))) == [Block("text", text="a\n    bc")]


def test_markdown_is_rendered_and_its_html_is_text():
    assert prose("**a** `x` " + HOSTILE) == (
        "<p><strong>a</strong> <code>x</code> &lt;img src=x onerror=alert(1)&gt;</p>\n"
    )
    assert prose("<script>alert(1)</script>") == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"
    assert "javascript:" not in prose("[a](javascript:alert(1))")


@folded("name", [HOSTILE, "a_b_c", "[x](y)", "# h", "1. x", "`a`", "&lt;", "http://x.y"])
def test_names_escaped_for_markdown_show_as_written(name):
    import html

    rendered = prose(words.md(name))
    assert html.unescape(rendered) == f"<p>{name}</p>\n"
    assert rendered.count("<") == 2


def test_a_frame_becomes_a_plain_table():
    frame = pd.DataFrame({"host": [HOSTILE, "B"], "rows": [1200, -3.5], "first": ["2026-03-05 14:00:00", ""]})
    [block] = of(code(shown(text_html=frame._repr_html_())))
    assert block.kind == "table"
    assert block.html.startswith('<table class="data"><thead><tr><th scope="col">host</th>')
    assert "<td>&lt;img src=x onerror=alert(1)&gt;</td>" in block.html
    assert '<td class="n">-3.5</td>' in block.html
    assert '<td class="t">2026-03-05 14:00:00</td>' in block.html
    assert "style" not in block.html


def test_a_long_frame_is_whole_and_a_longer_one_says_what_is_missing():
    with pd.option_context("display.max_rows", ROWS_SHOWN):
        whole = of(code(shown(text_html=pd.DataFrame({"n": range(475)})._repr_html_())))
        cut = of(code(shown(text_html=pd.DataFrame({"n": range(1475)})._repr_html_())))
    assert [(block.kind, block.html.count("<tr>")) for block in whole] == [("table", 476)]
    assert [block.kind for block in cut] == ["table", "prose"]
    assert "The first and last of 1,475 rows." in cut[1].html


def test_only_tables_pass_and_only_their_text():
    hostile = (
        "<p onclick=x()>gone</p><script>alert(1)</script><table onload=x() class=c><tr><td onclick=x() "
        "colspan=2>"
        f"a<b>b</b>{HOSTILE}<script>bad()</script></td><td "
        f"colspan='2;x'>c</td></tr><style>x</style></table><td>out</td>"
    )
    assert (
        tables_of(hostile)
        == '<table class="data"><tr><td colspan="2" class="t">ab</td><td class="t">c</td></tr></table>'
    )


@pytest.mark.parametrize(
    "hidden", ["\u202e", "\u2066", "\u200b", "\u200d", "\u200e", "\ufeff", "\u00ad", "\u061c"]
)
def test_bidirectional_and_zero_width_characters_are_escaped_in_tables(hidden):
    html = pd.DataFrame({f"a{hidden}b": [f"SQL{hidden}1"]})._repr_html_()
    shown = tables_of(html)
    assert hidden not in shown
    assert f"SQL\\u{ord(hidden):04x}1" in shown
    assert f"a\\u{ord(hidden):04x}b" in shown


def test_tags_left_open_are_closed():
    told = tables_of("<table><tr><td>a")
    assert told == '<table class="data"><tr><td class="t">a</td></tr></table>'


def test_what_is_not_there_is_an_empty_cell():
    frame = pd.DataFrame({"a": [1.5, None], "b": ["x", "NaN of it"]})
    table = tables_of(frame._repr_html_())
    assert "<td></td>" in table
    assert "NaN of it" in table


def test_an_empty_frame_says_so():
    assert is_empty(tables_of(pd.DataFrame({"a": []})._repr_html_()))
    assert of(code(shown(text_html=pd.DataFrame({"a": []})._repr_html_()))) == [Block("nothing")]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("send_queue_kb", "log send queue (KB)"),
        ("flushed_p50", "flushed p50"),
        ("host", "host"),
        ("MB/s", "MB/s"),
        ("&lt;b_s&gt;", "&lt;b_s&gt;"),
    ],
)
def test_a_column_is_called_as_its_measure_or_by_its_own_words(name, label):
    assert label_of(name, {"send_queue_kb": "log send queue (KB)"}) == label


@pytest.mark.parametrize(
    ("question", "name", "heading"),
    [
        ("commit_latency", "share_percent", "share of a mean commit (%)"),
        ("commit_latency", "remote_harden_ms", "remote harden (ms)"),
        ("overview", "memory_mb", "memory (MB)"),
        ("no question", "log_send_queue_kb", "log send queue (KB)"),
    ],
)
def test_a_heading_has_label_and_unit_of_the_measure_of_the_question_or_the_relation(question, name, heading):
    assert headings(question)[name] == heading


def test_what_all_rows_have_in_common_is_said_once():
    frame = pd.DataFrame({"ag": ["A <b>"] * 3, "n": [1, 2, 3], "note": [""] * 3})
    table = tables_of(frame._repr_html_())
    assert "<caption>In every row: ag: A &lt;b&gt;</caption>" in table
    assert re.findall(r"<th scope[^>]*>(.*?)</th>", table) == ["n"]
    assert "<caption>" not in tables_of(frame.head(2)._repr_html_())


def test_a_frame_of_equal_rows_stays():
    table = tables_of(pd.DataFrame({"a": ["x"] * 3}, index=["k", "k", "k"])._repr_html_())
    assert table.count("<td") == 6
