"""Tutorials: their parts, what they import, and numbers in the text that a cell has printed."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from agtrace.bundled import notebooks
from tools.tutorial_pages import page, pages

FOLDER = notebooks() / "tutorials"
PATHS = sorted(FOLDER.glob("*.ipynb"))
PARTS = ["Question", "Data", "A wrong turn", "Plot", "Reading"]
MODULES = {"agtrace", "pandas", "shutil", "tempfile", "pathlib"}
NUMBER = re.compile(r"(?<![\w.`-])[+-]?\d[\d,]*(?:\.\d+)?(?![\w`])")
PLACE = re.compile(r"/(?:home|tmp|var|Users|root|work|mnt|opt)/|[A-Za-z]:\\\\|0x[0-9a-f]{6}")

each = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def prose(path: Path) -> str:
    return "\n".join("".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown")


def code(path: Path) -> list[dict]:
    return [cell for cell in cells(path) if cell["cell_type"] == "code"]


def numbers(text: str) -> set[float]:
    """Return the numbers of a text without their signs; 14:45:25 has three."""
    return {abs(float(found.replace(",", ""))) for found in NUMBER.findall(text.replace(":", " "))}


def test_there_are_eight_and_the_list_names_each():
    listed = re.findall(r"\]\((\d\d_\w+\.ipynb)\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert listed == [path.name for path in PATHS]
    assert len(listed) == 8


@each
def test_a_tutorial_has_its_parts_in_order(path):
    text = prose(path)
    assert text.startswith("# ")
    assert re.findall(r"^## (.+)$", text, re.M) == PARTS
    assert 8 <= len(cells(path)) <= 15
    assert 290 <= len(text.split()) <= 600


@each
def test_a_tutorial_uses_public_names_only_and_imports_at_its_top(path):
    first, *others = code(path)
    imports = [node for node in ast.walk(ast.parse("".join(first["source"]))) if hasattr(node, "names")]
    assert {getattr(node, "module", None) or node.names[0].name for node in imports} <= MODULES
    for cell in (first, *others):
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            assert cell is first or not isinstance(node, ast.Import | ast.ImportFrom)
            name = getattr(node, "attr", None) or getattr(node, "id", "")
            assert not name.startswith("_"), name


@each
def test_each_cell_ran_in_order_and_outputs_name_no_machine(path):
    assert [cell["execution_count"] for cell in code(path)] == list(range(1, len(code(path)) + 1))
    shown = json.dumps([cell["outputs"] for cell in code(path)])
    assert '"output_type": "error"' not in shown
    assert not PLACE.search(shown)
    assert "application/vnd.plotly.v1+json" in shown
    assert len(shown) < 100_000


@each
def test_each_number_of_the_text_is_in_an_output_or_in_the_code(path):
    known = set()
    for cell in code(path):
        known |= numbers(re.sub(r'\D"|"\D', " ", "".join(cell["source"])))
        for output in cell["outputs"]:
            data = output.get("data", {})
            known |= numbers("".join(output.get("text", [])))
            known |= numbers(
                re.sub(r"<[^>]*>", " ", "".join(data.get("text/html", data.get("text/plain", []))))
            )
    text = re.sub(r"`[^`]*`|^#.*$", " ", prose(path), flags=re.M)
    assert sorted(each for each in numbers(text) - known if each > 2) == []


@each
def test_a_page_has_every_cell_and_no_markup_from_an_output(path):
    text = page(path)
    assert text.count("```python\n") == len(code(path))
    assert text.count('<div class="figure"') == json.dumps(cells(path)).count(
        '"application/vnd.plotly.v1+json"'
    )
    assert text.count("<script src=") == 2


def test_text_of_an_output_cannot_become_markup(tmp_path, monkeypatch):
    monkeypatch.setattr("tools.tutorial_pages.ROOT", tmp_path)
    hostile = "</script><script>alert(1)</script>\n\n# no heading"
    figure = {"data": [{"name": hostile}], "layout": {}}
    outputs = [
        {"output_type": "stream", "text": hostile},
        {"output_type": "display_data", "data": {"application/vnd.plotly.v1+json": figure}},
    ]
    path = tmp_path / "hostile.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": "1", "outputs": outputs}]}))
    text = page(path)
    assert "<script>alert" not in text
    assert "\n# no heading" not in text


def test_pages_have_the_names_of_the_notebooks():
    assert list(pages()) == [f"tutorials/{path.stem}.md" for path in PATHS]
