"""The shape of the package: no circles, and questions that stay small enough to be read."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "agtrace" / "diagnostics"
EARLY = ("backup", "commit_latency", "comparison", "health", "overview", "seeding", "transport", "workload")
"""Questions that judged when the bound was set (percentiles, of 7, does not); later ones have 6 to 12."""
SINCE = (
    "seeding/by_hop.py", "health/families.py", "health/frozen.py", "health/logins.py", "health/role.py",
    "health/spanned.py", "health/unrecognised.py", "health/untimed.py", "health/chain.py",
    "health/group_card.py", "health/rows.py",
)  # fmt: skip
"""What was added to them for something new since then."""


def modules() -> dict[str, Path]:
    """Give each module of the package by its name."""
    found = {}
    for path in (ROOT / "agtrace").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def arrows(paths: dict[str, Path]) -> dict[str, set[str]]:
    """Give what each module imports: as it loads, in functions, and for type checkers."""
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        named = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                whole = {f"{node.module}.{each.name}" for each in node.names}
                named |= {each if each in paths else node.module for each in whole}
        found[name] = (named & paths.keys()) - {name}
    return found


def circle(of: dict[str, set[str]]) -> list[str]:
    """Give the modules that are left when those that rest on none that is left are taken away."""
    left = dict(of)
    while ends := [name for name, named in left.items() if not named & left.keys()]:
        for name in ends:
            del left[name]
    return sorted(left)


@pytest.mark.complete
def test_no_module_rests_on_itself_by_way_of_others():
    assert circle(arrows(modules())) == []


def test_a_circle_is_named():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


def lines(folder: Path, pattern: str) -> int:
    """Give how many lines of modules a pattern is found in."""
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    return sum(bool(re.search(pattern, line)) for text in texts for line in text.splitlines())


@pytest.mark.parametrize(
    ("pattern", "most"), [(r"\bEvidence\(", 30), (r"\bFinding\(", 10), (r"\b(?:plain|md)\(", 60)]
)
def test_questions_give_rows_and_leave_what_is_said_to_the_engine(pattern, most):
    assert lines(QUESTIONS, pattern) <= most


def test_few_places_are_not_formatted():
    assert lines(ROOT / "agtrace", r"# fmt: skip$") <= 150


def test_questions_have_no_more_modules_than_one_can_know():
    of = {folder.name: len(list(folder.glob("*.py"))) for folder in QUESTIONS.iterdir()}
    assert of["transport"] <= 22
    early = sum(of[name] for name in EARLY) + len(list(QUESTIONS.glob("*.py")))
    assert early - len(SINCE) <= 120


def test_written_times_are_parsed_in_two_modules():
    """What a person or agtrace wrote, and what a capture holds."""
    parse = re.compile(r"\.(?:fromisoformat|strptime)\(")
    found = {name for name, path in modules().items() if parse.search(path.read_text(encoding="utf-8"))}
    assert found == {"agtrace.moments", "agtrace.readers.written_times"}


LOOKED_UP_THEMSELVES = {
    "agtrace.history.seedings.nearby", "agtrace.history.seedings.copying",
    "agtrace.diagnostics.seeding.study", "agtrace.diagnostics.health.told",
}  # fmt: skip
"""To be emptied."""


def test_one_module_looks_up_what_happened_near_a_moment():
    found = {
        name for name, path in modules().items()
        if name.startswith(("agtrace.history.", "agtrace.diagnostics."))
        and re.search(r"^from bisect import", path.read_text(encoding="utf-8"), re.MULTILINE)
    }  # fmt: skip
    assert found - LOOKED_UP_THEMSELVES == {"agtrace.history.timed"}


def test_classes_and_functions_are_named_for_what_they_contain():
    bare = re.compile(r"^class (?:Told|Kind|Known)\b|^ *def told\b", re.MULTILINE)
    found = {name for name, path in modules().items() if bare.search(path.read_text(encoding="utf-8"))}
    to_be_renamed = (
        "agtrace.diagnostics.health.",
        "agtrace.diagnostics.seeding.",
        "agtrace.history.seedings.",
    )
    assert {name for name in found if not name.startswith(to_be_renamed)} == set()


def test_how_often_a_log_was_sampled_is_measured_in_one_place():
    paths = (ROOT / "agtrace" / "measure").glob("*.sql")
    assert [path.name for path in paths if "lag(" in path.read_text() and "ticks" in path.read_text()] == [
        "log_steps.sql"
    ]
