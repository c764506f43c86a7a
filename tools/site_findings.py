"""The page of the site that tells each finding: its rule, its words, its thresholds, where it is made.

Put together of what is there: the tables of docs/diagnostics.md, the sections of docs/words.md, and
agtrace/thresholds.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path

from agtrace.thresholds import Thresholds

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ROW = re.compile(r"^\| ((?:`?[a-z]+\.[a-z_]+`?(?:, )?)+) \| (.+) \|$", re.M)
HEAD = """# Each finding

What must hold for it to be told, the words that it is told in, its thresholds, and where it is made.
Put together of [the rules](diagnostics.md), [the words](words.md) and the table of thresholds.
"""


@dataclass(frozen=True)
class Told:
    """A finding: its id, the rule, and the sections of the words that it is told in."""

    id: str
    rule: str
    words: tuple[str, ...]


def findings() -> list[Told]:
    """Give every finding that a table of docs/diagnostics.md has a rule for, in the order of the page."""
    rules = (DOCS / "diagnostics.md").read_text(encoding="utf-8")
    found = {}
    for ids, rule in ROW.findall(rules):
        for each in ids.replace("`", "").split(", "):
            found.setdefault(each, rule)
    return [Told(each, rule, tuple(_words(each))) for each, rule in found.items()]


def page() -> str:
    """Give the page."""
    return "\n".join([HEAD, *(_section(each) for each in findings())])


def _section(told: Told) -> str:
    lines = [f"## {told.id}", "", f"**When:** {told.rule}", ""]
    named = [name for name in _thresholds() if f"`{name}`" in told.rule]
    if named:
        lines += ["| threshold | default | unit | meaning |", "|---|---|---|---|"]
        lines += [_thresholds()[name] for name in named] + [""]
    lines += [*told.words, ""] if told.words else ["**Words:** [all of them](words.md)", ""]
    question = _question(told.id)
    where = f"`agtrace/diagnostics/{question}/`" if question else "several questions"
    return "\n".join([*lines, f"Made in {where}; what the question weighs: [rules](diagnostics.md).", ""])


def _question(finding: str) -> str:
    prefix = finding.partition(".")[0]
    called = {
        "quality": "overview",
        "settings": "overview",
        "commit": "commit_latency",
        "compare": "comparison",
    }
    name = called.get(prefix, prefix)
    return name if (ROOT / "agtrace" / "diagnostics" / name).is_dir() else ""


def _words(finding: str) -> list[str]:
    """Give the sections of words that are named as the finding is, without their headings."""
    suffix = finding.partition(".")[2]
    text = (DOCS / "words.md").read_text(encoding="utf-8")
    question = _question(finding)
    of = text.partition(f"\n## {question}\n")[2].partition("\n## ")[0] if question else ""
    found = []
    for section in of.split("\n### ")[1:]:
        name, _, body = section.partition("\n")
        if suffix in name.strip().split("."):
            found.append(body.strip() + "\n")
    return found


def _thresholds() -> dict[str, str]:
    found = {}
    for each in fields(Thresholds):
        unit, meaning = each.metadata["unit"], each.metadata["meaning"]
        found[each.name] = f"| `{each.name}` | {each.default:g} | {unit} | {meaning} |"
    return found
