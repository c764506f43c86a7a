"""The facts behind a finding or a page, for tests of rules: they assert facts, and never a sentence.

Sentences are rendered once, from literal facts: tests/diagnostics/test_said.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from agtrace.say.finding import Finding
from agtrace.say.said import Judged, Said

_finding, _page, _text = Said.finding, Said.page, Said.text
_asked: deque[tuple[str, Mapping[str, Any]]] = deque(maxlen=1000)


def judged(finding: Finding) -> Judged:
    """Return the verdict that a finding was made from; its ``said`` names the template."""
    verdict: Judged = vars(finding)["_judged"]
    return verdict


def behind(finding: Finding) -> Mapping[str, Any]:
    """Return the facts that the words of a finding were filled in with."""
    return judged(finding).facts


def texts(call: Callable[..., Any], *given: Any, **named: Any) -> dict[str, Mapping[str, Any]]:
    """Return the facts of each page and line that a call fills in; of several by one name, the last.

    >>> texts(question.say_summary)["summary.md"]["replicas"]
    """
    _asked.clear()
    call(*given, **named)
    return dict(_asked)


def listen() -> None:
    """Keep what findings, pages and lines are made from; tests/conftest.py calls it once."""

    def finding(said: Said, verdict: Judged) -> Finding:
        made = _finding(said, verdict)
        object.__setattr__(made, "_judged", verdict)
        return made

    def page(said: Said, name: str, facts: Mapping[str, Any]) -> str:
        _asked.append((f"{name}.md", facts))
        return _page(said, name, facts)

    def text(said: Said, name: str, facts: Mapping[str, Any], *place: str) -> str:
        _asked.append((name, facts))
        return _text(said, name, facts, *place)

    Said.finding, Said.page, Said.text = finding, page, text  # type: ignore[method-assign]


def plain(value: Any) -> Any:
    """Return a fact as a literal: a value without measure, the length of a list of rows, True for a row."""
    value = getattr(value, "value", value) if hasattr(value, "measure") else value
    if hasattr(value, "item") and not getattr(value, "shape", ()):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "_fields"):
        every = [plain(each) for each in (sorted(value) if isinstance(value, set | frozenset) else value)]
        return len(every) if any(each is True for each in every) else every
    return True


def assert_facts(of: Finding | Mapping[str, Any], **facts: Any) -> None:
    """Assert some of the facts behind a finding, or of those of a page; `plain` says how they are written."""
    every = behind(of) if isinstance(of, Finding) else of
    assert {name: plain(every.get(name)) for name in facts} == facts
