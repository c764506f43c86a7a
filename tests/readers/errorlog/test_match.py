"""Wordings are found as RE2 finds each of them alone: no text is lost, and every field is the same."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pytest

from agtrace.readers.errorlog.match import Pattern, PatternSet
from agtrace.readers.errorlog.phases import phase_patterns
from agtrace.readers.errorlog.templates import message_patterns
from agtrace.tables import kernels as pc

_ODD = ("", "'", "’", " ", "  ", "\u00a0", ".", "。", "\n", "\t", "7", "ü", "Always On", ": ", "a")


def _texts(pattern: Pattern, chance: random.Random, count: int) -> list[str]:
    """Write texts that the pattern nearly matches: its literal pieces with something between them."""
    pieces = re.split(
        r"\(\?P<\w+>(?:\[[^\]]*\]|[^()])*\)|\.\*\?|\[[^\]]*\][*+?]*|\(\?s\)\^|\(\?:|[()|$^]", pattern.regex
    )
    literals = [re.sub(r"\\(.)", r"\1", piece) for piece in pieces if piece]
    texts = []
    for _ in range(count):
        fillers = chance.choice((["12"], [""], ["", "12"], [*_ODD, "12", "name", "1.5"]))
        words = [literal + chance.choice(fillers) for literal in literals]
        text = (
            chance.choice([head.decode() for head in pattern.heads] or [""]) if chance.random() < 0.2 else ""
        )
        text += "".join(words)
        for _change in range(max(chance.randrange(-2, 3), 0)):
            place = chance.randrange(len(text) + 1)
            text = text[:place] + chance.choice(_ODD) + text[place + chance.randrange(2) :]
        texts.append(text)
    return texts


def _alone(pattern: Pattern, texts: list[str]) -> dict[int, dict[str, str]]:
    """Find a pattern with RE2."""
    if "(?P<" not in pattern.regex:
        hits = pc.match_substring_regex(pa.array(texts), pattern.regex).to_pylist()
        return {row: {} for row, hit in enumerate(hits) if hit}
    found = pc.extract_regex(pa.array(texts), pattern.regex).to_pylist()
    return {row: fields for row, fields in enumerate(found) if fields is not None}


def _found(pattern: Pattern, texts: list[str]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for one in PatternSet((pattern,)).find(pa.array(texts)):
        columns = {name: column.to_pylist() for name, column in one.columns.items()}
        for place, row in enumerate(one.rows.tolist()):
            found[row] = {name: values[place] for name, values in columns.items()}
    return found


def _may_begin(pattern: Pattern, text: str) -> bool:
    """Return whether the text begins as the pattern does, and can be of its language.

    Of few patterns more than the first bytes are not compared.
    """
    raw = text.encode()
    if pattern.heads:
        return raw.startswith(tuple(head[:8] for head in pattern.heads)) and (
            pattern.ascii or not text.isascii()
        )
    return not text.isascii()


def _check(patterns: list[Pattern], count: int) -> int:
    chance = random.Random(49)
    matched = 0
    for pattern in patterns:
        texts = _texts(pattern, chance, count)
        expected = {
            row: one for row, one in _alone(pattern, texts).items() if _may_begin(pattern, texts[row])
        }
        assert _found(pattern, texts) == expected, pattern.regex
        matched += len(expected)
    return matched


def test_phases_are_found_as_by_the_patterns_alone() -> None:
    assert _check(list(phase_patterns().patterns), 40) > 150


def test_messages_are_found_as_by_the_patterns_alone() -> None:
    assert _check(list(message_patterns().patterns[::29]), 20) > 40


@pytest.mark.complete
def test_all_messages_are_found_as_by_the_patterns_alone() -> None:
    assert _check(list(message_patterns().patterns), 100) > 5_000
