"""What every analysis gives: its pleas, its methods by name, its notebook, and whether it can be used."""

from __future__ import annotations

import inspect

import pytest

from agtrace import diagnostics
from agtrace.diagnostics import base
from agtrace.diagnostics.base import Analysis


class Editions(Analysis):
    name, title, question = "editions", "Editions", "Which editions?"

    def fig_editions(self):
        return "a figure"

    def tbl_editions(self):
        return "a table"


class Bare(Analysis):
    name, title, question = "bare", "Bare", "Nothing?"


def test_an_analysis_names_what_it_gives_and_nothing_that_it_does_not():
    assert repr(Editions(None)).splitlines() == [
        "editions: Which editions?", "  findings: findings", "  tables: tbl_editions",
        "  figures: fig_editions", "  words: say_nothing, say_verdict",
    ]  # fmt: skip
    assert "figures" not in repr(Bare(None))
    assert "tables" not in repr(Bare(None))


def test_a_figure_alone_needs_the_extra_that_draws(monkeypatch):
    asked = []
    monkeypatch.setattr(base, "need", lambda *what: asked.append(what))
    made = Editions(None)
    assert (made.tbl_editions(), made.fig_editions(), made.title) == ("a table", "a figure", "Editions")
    assert asked == [("report", "a figure (fig_editions)", "plotly")]


class Nameless(Analysis):
    title, question = "x", "x"


class Numbered(Analysis):
    name, title, question = "numbered", 5, "x"


NONE = "it is no subclass of agtrace.diagnostics.Analysis (docs/extend.md)"


@pytest.mark.parametrize(
    ("offered", "why"),
    [
        (7, NONE),
        (Bare(None), NONE),
        (dict, NONE),
        (Nameless, "it has no name (docs/extend.md)"),
        (Numbered, "it has no title (docs/extend.md)"),
        (Bare, "it calls itself 'bare'"),
        (Editions, ""),
    ],
)
def test_what_is_no_analysis_of_its_name_is_told_why(offered, why):
    assert diagnostics._why_none(offered, "editions") == why


def test_every_question_has_its_notebook():
    own = diagnostics.notebook_of("health")
    assert own is not None
    assert own.name == "health.ipynb"
    assert own.parent.name == "notebooks"


@pytest.mark.parametrize("is_there", [True, False])
def test_the_notebook_of_a_plugin_lies_beside_it(is_there, tmp_path, monkeypatch):
    monkeypatch.setattr(inspect, "getfile", lambda of: str(tmp_path / f"{of.__name__.lower()}.py"))
    monkeypatch.setattr(diagnostics, "analyses", lambda: {"editions": Editions})
    path = tmp_path / "editions.ipynb"
    if is_there:
        path.write_text("{}")
    assert diagnostics.notebook_of("editions") == (path if is_there else None)


def test_only_folders_are_questions():
    assert not {"base", "need", "failed", "turned"} & set(diagnostics._OWN)
    assert {"access", "health"} <= set(diagnostics._OWN)


def test_a_plugin_takes_no_place_of_a_question_and_one_that_cannot_be_used_is_left_out(monkeypatch):
    class Plugin:
        def __init__(self, name, offered):
            self.name, self.offered = name, offered

    given = [Plugin("health", Bare), Plugin("editions", Editions), Plugin("broken", None)]
    refused = []
    monkeypatch.setattr(diagnostics.plugins, "found", lambda kind: {one.name: one for one in given})
    monkeypatch.setattr(diagnostics.plugins, "refuse", lambda one, why: refused.append((one.name, why)))
    monkeypatch.setattr(diagnostics.plugins, "load", lambda one, check: one.offered)
    found = diagnostics._analyses.__wrapped__(0)
    assert set(found) == {*diagnostics._OWN, "editions"}
    assert found["editions"] is Editions
    assert refused == [("health", "agtrace has one of that name")]
