"""Every link of the README and of docs/ leads to a file that is there, and to a heading of it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from tests.folded import folded

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|^(?: {4}.*\n)+|`[^`\n]*`", re.M | re.S)
HEADING = re.compile(r"^#{1,6} (.+)$", re.M)


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as a repository makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    found: dict[str, int] = {}
    names = set()
    for heading in HEADING.findall(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        kept = (c for c in unicodedata.normalize("NFC", plain).lower() if c.isalnum() or c in " -_")
        slug = "".join(kept).strip().replace(" ", "-")
        number = found.get(slug, 0)
        found[slug] = number + 1
        names.add(f"{slug}-{number}" if number else slug)
    return frozenset(names)


def links() -> list[object]:
    return [
        pytest.param(page, target, id=f"{page.relative_to(ROOT)}:{target}")
        for page in PAGES
        for target in dict.fromkeys(LINK.findall(CODE.sub("", page.read_text("utf-8"))))
        if "://" not in target and not target.startswith("mailto:")
    ]


@folded(("page", "target"), links())
def test_a_link_leads_somewhere(page, target):
    place, _, anchor = target.partition("#")
    found = (page.parent / place).resolve() if place else page
    assert found.exists()
    assert not anchor or found.suffix != ".md" or anchor in anchors(found)


def test_a_link_to_nowhere_would_be_found():
    assert "a-diagnostic" in anchors(ROOT / "docs" / "extend.md")
    assert "no-such-heading" not in anchors(ROOT / "docs" / "extend.md")
    assert len(links()) > 50
