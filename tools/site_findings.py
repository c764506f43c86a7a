"""The page of the site about each finding: its rule, example words, its thresholds, where it is made.

It joins the tables of docs/diagnostics/, the first rendering of each text in
tests/diagnostics/*/said.snap, and agtrace/thresholds.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path

from agtrace.thresholds import Thresholds

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
ROW = re.compile(r"^\| ((?:`?[a-z]+\.[a-z_]+`?(?:, )?)+) \| (.+) \|$", re.M)
FIELD = re.compile(r"^  (title|why|do): (?=.)")
HEAD = """# Each finding

The condition of each finding, an example of its text, its thresholds and its code.
[Diagnostics](diagnostics.md) explains the rules.
"""


@dataclass(frozen=True)
class Told:
    """A finding: its id, its rule, and an example of each of its texts."""

    id: str
    rule: str
    words: tuple[str, ...]


def findings() -> list[Told]:
    """Return every finding that a table of docs/diagnostics/ has a rule for, in the order of the pages."""
    pages = re.findall(r"\((diagnostics/\w+\.md)\)", (DOCS / "diagnostics.md").read_text(encoding="utf-8"))
    rules = "\n".join((DOCS / page).read_text(encoding="utf-8") for page in pages)
    found = {}
    # The rules are in a folder of docs/, the page of the site is not.
    for ids, rule in ROW.findall(rules.replace("](../", "](")):
        for each in ids.replace("`", "").split(", "):
            found.setdefault(each, rule)
    return [Told(each, rule, tuple(_words(each))) for each, rule in found.items()]


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(_section(each) for each in findings())])


def _section(told: Told) -> str:
    lines = [f"## {told.id}", "", f"**When:** {told.rule}", ""]
    named = [name for name in _thresholds() if f"`{name}`" in told.rule]
    if named:
        lines += ["| threshold | default | unit | meaning |", "|---|---|---|---|"]
        lines += [_thresholds()[name] for name in named] + [""]
    lines += [*told.words, ""] if told.words else []
    question = _question(told.id)
    where = f"`agtrace/diagnostics/{question}/`" if question else "several questions"
    return "\n".join([*lines, f"Code: {where}. [Rules](diagnostics.md).", ""])


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
    """Return an example of each text of a finding: of the snapshots' sections that are named as it is."""
    snapshot = ROOT / "tests" / "diagnostics" / _question(finding) / "said.snap"
    if not _question(finding) or not snapshot.is_file():
        return []
    found = []
    for section in snapshot.read_text(encoding="utf-8").split("\n\n"):
        name, *lines = section.partition("\n  variant")[0].splitlines()
        is_own = finding.partition(".")[2] in name.split(".")
        if is_own and lines and lines[0].startswith("  title: "):
            found.append(
                "\n".join(FIELD.sub(r"- **\1:** ", line) for line in lines if FIELD.match(line)) + "\n"
            )
    return found


def _thresholds() -> dict[str, str]:
    found = {}
    for each in fields(Thresholds):
        unit, meaning = each.metadata["unit"], each.metadata["meaning"]
        found[each.name] = f"| `{each.name}` | {each.default:g} | {unit} | {meaning} |"
    return found
