"""Write agtrace/redact/words.txt: the words that are the product's or agtrace's own, and no customer's.

They are those of the messages, counters and wait types that agtrace knows, and those that its readers and
rules look for. A word of a text that is not among them may be a name, and is replaced in a redacted case.

    python tools/document_vocabulary.py [--check]
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

AGTRACE = Path(__file__).resolve().parents[1] / "agtrace"
WORDS = AGTRACE / "redact" / "words.txt"
ROOMS = ("readers", "history", "measure", "diagnostics", "tables", "resolve")
TABLES = (
    "readers/errorlog/templates.tsv",
    "tables/counters.tsv",
    "tables/counters_localised.tsv",
    "tables/wait_types.tsv",
)

LEFT_OUT = frozenset(("dev", "hr", "orders", "test"))
"""Words that rules use and people call their databases and servers."""

_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_ESCAPED = re.compile(r"\\[bsdwSDWnrt]")
_COMMENT = re.compile(r"--[^\n]*")


def texts() -> Iterator[str]:
    """Yield every text that the product or a rule uses, except texts for people."""
    for path in sorted(AGTRACE.rglob("*.sql")):
        # Recipes name databases and servers of examples.
        if path.parent.name == "recipes":
            continue
        yield _COMMENT.sub("", path.read_text("utf-8"))
    for name in TABLES:
        yield (AGTRACE / name).read_text("utf-8")
    for room in ROOMS:
        place = AGTRACE / room
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            yield from _literals(ast.parse(path.read_text("utf-8")))


def _literals(tree: ast.AST) -> Iterator[str]:
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def words() -> list[str]:
    """Return the words, in lower case; those with a digit are in `agtrace.redact.vocabulary` instead."""
    found = set()
    for text in texts():
        for word in _WORD.findall(_ESCAPED.sub(" ", text)):
            if not _DIGIT.search(word) and len(word) > 1 and word.lower() not in LEFT_OUT:
                found.add(word.lower())
    return sorted(found)


def main() -> int:
    """Write the file, or tell that it is not what it ought to be."""
    text = "".join(word + "\n" for word in words())
    if "--check" not in sys.argv[1:]:
        WORDS.write_text(text, encoding="utf-8", newline="\n")
        return 0
    missing = set(text.split()) - set(WORDS.read_text("utf-8").split())
    if missing:
        print(f"{WORDS.name} lacks {', '.join(sorted(missing)[:10])}; run: python {sys.argv[0]}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
