"""The explorer: what is chosen is shown, and its code shows the same."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import agtrace
from agtrace import extras
from agtrace.errors import AgtraceError
from agtrace.interactive.choice import Choice
from agtrace.interactive.explorer import Explorer, _script_text, options
from tests.ingest import texts
from tests.ingest.test_ingest import put


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("explorer")
    put(tmp_path, a__csv=texts.perfmon(40), b__csv=texts.perfmon(40, host="JBSAG1"))
    with agtrace.open_case(tmp_path, store=tmp_path / "store") as opened:
        yield opened


BEGIN = datetime(2019, 3, 2, 1, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        (Choice(("Log Send Queue",)), "case.plot('Log Send Queue')"),
        (
            Choice(("Log Send Queue", "Log Bytes Received/sec"), ("JBSAG1", "JBSAG3"), BEGIN, mark="roles"),
            "case.plot('Log Send Queue', 'Log Bytes Received/sec', host=['JBSAG1', 'JBSAG3'], "
            "mark='roles', start='2019-03-02 01:00:30')",
        ),
        (
            Choice(("Log Send Queue",), ("JBSAG3",), BEGIN, by="hour"),
            "case.percentiles('Log Send Queue', by='hour', start='2019-03-02 01:00:30', host='JBSAG3')",
        ),
    ],
)
def test_the_code_shows_what_is_chosen(case, choice, code):
    assert choice.code() == code
    shown, by_code = choice.shown(case), eval(code, {"case": case})
    assert (shown.equals if choice.by else shown.__eq__)(by_code)


def test_a_name_of_a_stranger_is_text_in_code_and_script():
    hostile = "x'); import os; os.system('id') #</script>\u202e"
    assert Choice((hostile,)).code() == f"case.plot({hostile!r})"
    assert "<" not in _script_text(hostile)
    assert options(["a\u202e", "a", "b"]) == [("a", "a\u202e"), ("a (2)", "a"), ("b", "b")]


def test_without_ipywidgets_it_is_one_line(case, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "ipywidgets" else True)
    with pytest.raises(AgtraceError, match=r"case\.explore needs the lab extra: .*agtrace\[lab\]"):
        Explorer(case)


def test_widgets_follow_what_is_chosen(case):
    pytest.importorskip("ipywidgets")
    explorer = case.explore()
    assert explorer.code.value == "case.plot('Log Bytes Received/sec')"
    explorer.counters.value = ("Log Send Queue",)
    explorer.hosts.value = ("JBSAG3",)
    explorer.window.index = (100, 300)
    assert "start='2019-03-02 01:00:" in explorer.code.value
    explorer.show.value = "hour"
    assert explorer.code.value.startswith("case.percentiles('Log Send Queue', by='hour'")


def test_a_case_without_counters_has_nothing_to_explore(tmp_path):
    pytest.importorskip("ipywidgets")
    put(tmp_path, ERRORLOG=texts.errorlog(2))
    with (
        agtrace.open_case(tmp_path, store=tmp_path / "store") as opened,
        pytest.raises(AgtraceError, match="no counters"),
    ):
        opened.explore()
