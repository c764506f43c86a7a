"""No circles between the modules of xelib: each can be read after those that it uses.

A module uses another where it names it, or something defined there, in a `use` line or in a path
that begins with `crate`, `self` or `super`. What a parent only declares (`mod x;`) or hands on
(`pub use x::Y;`) is no use by the parent: who names `Y` by the parent uses `x`. A parent whose own
code speaks of `Y` uses `x`. Tests do not count, and methods are not followed: the method of a type
may stand in a module that the module of the type knows nothing of.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.folded import folded
from tests.xelib import module_graph

SOURCE = Path(__file__).resolve().parents[2] / "xelib" / "src"
EDGES = module_graph.graph(SOURCE)
PARENTS = sorted({name[:-1] for name in EDGES if name})

Crate = Callable[[dict[str, str]], Path]


@pytest.fixture
def crate(tmp_path: Path) -> Crate:
    """Write a crate from the text of each file."""

    def write(files: dict[str, str]) -> Path:
        for name, text in {"lib.rs": "", **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path

    return write


def test_no_module_of_xelib_is_used_by_what_it_uses() -> None:
    assert module_graph.circle(EDGES) is None


@folded("parent", PARENTS)
def test_no_folder_of_xelib_is_used_by_what_it_uses(parent: module_graph.Name) -> None:
    assert module_graph.circle(module_graph.folded(EDGES, parent)) is None


def test_the_graph_of_xelib_is_read() -> None:
    assert EDGES["xel", "metadata", "package"] >= {
        ("xel", "metadata", "event"),
        ("xel", "error"),
        ("xel", "timestamp"),
    }
    assert ("pdh_text", "long") in EDGES["blg", "long"]
    assert len(EDGES) > 60


def test_a_circle_is_told_in_the_order_of_its_uses(crate: Crate) -> None:
    source = crate(
        {
            "a.rs": "use super::b::B;",
            "b.rs": "use crate::{\n    c::{self, C as D},\n};",
            "c.rs": "fn f() { super::a::g() }",
        }
    )
    told = module_graph.circle(module_graph.graph(source))
    assert told in ("a -> b -> c -> a", "b -> c -> a -> b", "c -> a -> b -> c")


def test_what_a_parent_hands_on_leads_to_where_it_is_defined(crate: Crate) -> None:
    source = crate(
        {"p/mod.rs": "mod a;\nmod b;\npub use a::A;\npub use b::B;", "p/a.rs": "use super::B;", "p/b.rs": ""}
    )
    edges = module_graph.graph(source)
    assert edges["p",] == set()
    assert edges["p", "a"] == {("p", "b")}


def test_a_parent_whose_code_speaks_of_its_child_uses_it(crate: Crate) -> None:
    source = crate(
        {"p/mod.rs": "mod a;\npub use a::A;\npub fn make() -> A { A }", "p/a.rs": "use super::make;"}
    )
    assert module_graph.circle(module_graph.graph(source)) in ("p -> p::a -> p", "p::a -> p -> p::a")


def test_tests_comments_and_texts_use_nothing(crate: Crate) -> None:
    source = crate(
        {
            "a.rs": '/// See [`super::b::B`].\nconst A: &str = "super::b";\n'
            "#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}",
            "b.rs": "",
            "b/tests.rs": "use crate::a::A;",
        }
    )
    assert set().union(*module_graph.graph(source).values()) == set()


def test_folders_can_use_each_other_where_no_files_do(crate: Crate) -> None:
    source = crate(
        {
            "p/a.rs": "use crate::q::a::A;",
            "p/b.rs": "",
            "p/mod.rs": "",
            "q/a.rs": "",
            "q/b.rs": "use crate::p::b::B;",
            "q/mod.rs": "",
        }
    )
    edges = module_graph.graph(source)
    assert module_graph.circle(edges) is None
    assert module_graph.circle(module_graph.folded(edges, ())) in ("p -> q -> p", "q -> p -> q")
