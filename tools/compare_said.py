"""Say what two recordings of `tools/record_said.py` tell differently, facts apart from words."""

from __future__ import annotations

import difflib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from tools.said_values import numbers, texts

MOST_SHOWN = 40
"""Differences that are printed of each sort."""

MOST_LINES = 8
"""Lines that are printed of a text that differs."""


def facts(line: dict[str, Any]) -> Any:
    """Give what of a recorded line may not change when words do; None where it has only words."""
    kind, value = line["kind"], line["value"]
    if kind == "finding":
        told = {name: value[name] for name in ("id", "severity", "subject", "window", "confidence")}
        return told | {"evidence": [[each["value"], each["unit"]] for each in value["evidence"]]}
    if kind == "key_figures":
        return [[each["value"], each["unit"]] for each in value]
    if kind == "table":
        return {"n": value.get("n", len(value["rows"]))} | {
            "numbers": value.get("numbers") or numbers(value["rows"])
        }
    if kind == "figure":
        # "name: 12 points, 3 to 5 MB/s, 0 gaps": the name is words.
        return [_NUMBER.findall(told.rpartition(": ")[2]) for told in value.splitlines() if ": " in told]
    return None


_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


def words(line: dict[str, Any]) -> Any:
    """Give the words of a recorded line, by the field in which they stand."""
    kind, value = line["kind"], line["value"]
    if kind == "finding":
        told = {name: value[name] for name in ("title", "narrative", "recommendation")}
        return told | _evidence_words(value["evidence"])
    if kind == "key_figures":
        return _evidence_words(value)
    if kind == "table":
        text = value["texts"] if "texts" in value else texts(value["rows"])
        return {"headings": value["columns"], "text": text}
    return {kind: value}


def _evidence_words(evidence: list[dict[str, Any]]) -> dict[str, Any]:
    return {"labels": [each["label"] for each in evidence], "sources": [each["source"] for each in evidence]}


Said = dict[tuple[str, str, str], dict[str, set[str]]]
"""For each test, kind and what was asked: words of each fact, both as JSON."""


def _split(lines: Iterable[dict[str, Any]]) -> Said:
    said: Said = defaultdict(lambda: defaultdict(set))
    for line in lines:
        what = _name(line["kind"], line["of"])
        said[line["test"], *what][_json(facts(line))].add(_json(words(line)))
    return said


def _name(kind: str, of: str) -> tuple[str, str]:
    # A finding bears its own name, which may be what differs.
    return (kind, of.partition(".")[0] if kind == "finding" else of)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


class Difference:
    """What two recordings tell differently, each with how many tests met it."""

    def __init__(self) -> None:
        self.facts: dict[str, list[str]] = defaultdict(list)
        self.words: dict[str, list[str]] = defaultdict(list)

    def take(
        self, test: str, what: tuple[str, str], before: dict[str, set[str]], after: dict[str, set[str]]
    ) -> None:
        """Compare what one test was told of one thing."""
        if "null" in {*before, *after}:
            # It has no facts: where there is nothing left of it, words went.
            before, after = ({"null": told.get("null", set())} for told in (before, after))
        named = " ".join(what)
        gone = [json.loads(each) for each in before if each not in after]
        new = [json.loads(each) for each in after if each not in before]
        for told in _paired(gone, new):
            self.facts[f"{named}: {told}"].append(test)
        for fact in before.keys() & after.keys():
            lost = [json.loads(each) for each in before[fact] - after[fact]]
            come = [json.loads(each) for each in after[fact] - before[fact]]
            about = _name_of(json.loads(fact))
            for told in _paired(lost, come):
                self.words[f"{named}: {about}{told}"].append(test)

    def shown(self, *, with_words: bool, tests: bool = True) -> Iterator[str]:
        """Say what differs, what most tests met first; with a test that met it."""
        for name, met in (("facts", self.facts), ("words", self.words)):
            yield f"{name}: {'equal' if not met else f'{len(met):,} DIFFERENT'}"
            if name == "words" and not with_words:
                continue
            ranked = sorted(met.items(), key=lambda item: (-len(item[1]), item[0]))
            for told, met_by in ranked[:MOST_SHOWN]:
                yield f"  {told}"
                if tests:
                    yield f"    in {len(met_by)}: {met_by[0]}"
            if len(ranked) > MOST_SHOWN:
                yield f"  ... and {len(ranked) - MOST_SHOWN:,} more"


def _paired(gone: list[Any], new: list[Any]) -> Iterator[str]:
    """Say what became of each: what of it differs where it is the same thing, else that it went or came."""
    rest = list(new)
    for each in gone:
        near = [other for other in rest if _same(each, other)] or (rest if len(gone) == len(new) == 1 else [])
        if not near:
            yield f"gone: {_short(each)}"
            continue
        other = min(near, key=lambda found: len(_leaves(each).items() ^ _leaves(found).items()))
        rest.remove(other)
        yield _name_of(each) + "; ".join(_changes(_leaves(each), _leaves(other)))
    yield from (f"new: {_short(each)}" for each in rest)


def _same(one: Any, other: Any) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return type(one) is type(other)
    return all(one.get(name) == other.get(name) for name in ("id", "subject"))


def _leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Give what a value holds by where it stands: "evidence 2 0", say."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return {at: leaf for key, each in items for at, leaf in _leaves(each, f"{path} {key}").items()}
    return {path.strip(): value}


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for at in dict.fromkeys([*before, *after]):
        one, other = (_json(leaves[at]) if at in leaves else "nothing" for leaves in (before, after))
        if one == other:
            continue
        if "\\n" in one + other and at in before and at in after:
            yield f"{at}: " + "; ".join(_line_changes(str(before[at]), str(after[at])))
        else:
            differs = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            same = max(0, differs - 30)
            yield f"{at or 'value'}: {_cut(one, same)} -> {_cut(other, same)}"


def _line_changes(before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    found = [_cut(line, 0) for line in lines if not line.startswith(("---", "+++", "@@"))]
    return found[:MOST_LINES] + [f"... and {len(found) - MOST_LINES} more"] * (len(found) > MOST_LINES)


def _cut(text: str, start: int, most: int = 160) -> str:
    return "..." * (start > 0) + text[start : start + most] + "..." * (len(text) > start + most)


def _name_of(fact: Any) -> str:
    """Name a finding; nothing else bears a name in itself."""
    if not isinstance(fact, dict) or "id" not in fact:
        return ""
    return f"{fact['id']} ({', '.join(map(str, fact['subject'].values()))}) "


def _short(value: Any) -> str:
    return _cut(_json(value), 0, 300)


def compare(
    before: Iterable[dict[str, Any]], after: Iterable[dict[str, Any]]
) -> tuple[Difference, list[str]]:
    """Compare two recordings.

    What a test that only the first has was told must be told to some test of the second: tests may move.

    Returns
    -------
    tuple
        What differs, and lines about tests that only one of the two has.
    """
    first, second = _split(before), _split(after)
    found = Difference()
    tests = [{key[0] for key in said} for said in (first, second)]
    anywhere: Said = defaultdict(lambda: defaultdict(set))
    for (_test, *what), told in second.items():
        for fact, own in told.items():
            anywhere["", *what][fact] |= own  # type: ignore[index]
    for key in sorted({*first, *second}):
        test, *what = key
        if test in tests[0] and test in tests[1]:
            found.take(test, (what[0], what[1]), first.get(key, {}), second.get(key, {}))
        elif test in tests[0]:
            pool = anywhere.get(("", what[0], what[1]), {})
            kept = {fact: own & pool[fact] for fact, own in first[key].items() if fact in pool}
            found.take(test, (what[0], what[1]), first[key], kept)
    lines = [
        f"tests of the {name} alone: {len(own)} "
        f"({', '.join(sorted(own)[:3])}{', ...' if len(own) > 3 else ''})"
        for name, own in (("first", tests[0] - tests[1]), ("second", tests[1] - tests[0]))
        if own
    ]
    return found, lines
