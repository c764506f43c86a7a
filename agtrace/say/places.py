"""Where text goes decides how names and numbers are written into it: a finding, Markdown, HTML.

A template's own words are ours and stay as they are; whatever it puts in is written by `finalize` of the
place, which flattens and escapes it. No template escapes, and none can forget to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from agtrace.measures import Measured
from agtrace.say import words

if TYPE_CHECKING:
    from jinja2 import Environment

PLAIN, MARKDOWN, HTML = "plain", "markdown", "html"
_WRITERS: dict[str, Callable[..., str]] = {PLAIN: words.plain, MARKDOWN: words.md, HTML: words.html}


@cache
def environment(place: str) -> Environment:
    """Give the environment whose templates write for a place: `PLAIN`, `MARKDOWN` or `HTML`."""
    from jinja2 import Environment, StrictUndefined

    write = _WRITERS[place]
    made = Environment(
        autoescape=True,  # text that is ours is Markup, so that nothing is escaped twice
        undefined=StrictUndefined,
        finalize=lambda value: written(value, write),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(_filters(write))
    return made


def written(value: Any, write: Callable[..., str] = words.plain, limit: int = words.TEXT_LIMIT) -> Any:
    """Write a value: numbers, moments and lengths of time in our words, text as the place takes it."""
    Markup, ready = _types()
    if isinstance(value, ready):
        return value
    if isinstance(value, Measured):
        return written(words.amount(value.value, value.unit), write, limit)
    if isinstance(value, str) or value is None:
        return Markup(write(value, limit))
    if isinstance(value, bool):
        return Markup("yes" if value else "no")
    if isinstance(value, int | float):
        return Markup(words.number(value))
    if isinstance(value, datetime):
        return Markup(words.moment(value))
    raise TypeError(f"a template cannot write {type(value).__name__}: choose a filter")


@cache
def _types() -> tuple[Any, tuple[type, ...]]:
    """Give the type of text that is ours, and those that are written already; jinja2 takes its time to
    load.
    """
    from jinja2 import Undefined
    from markupsafe import Markup

    return Markup, (Markup, Undefined)


def _filters(write: Callable[..., str]) -> dict[str, Callable[..., Any]]:
    """Give what templates may do with a value; each gives text that needs no escaping any more."""
    from markupsafe import Markup

    def ours(make: Callable[..., str]) -> Callable[..., Any]:
        return lambda value, *rest, **named: Markup(make(_bare(value), *rest, **named))

    def text(value: Any, limit: int = words.TEXT_LIMIT) -> Any:
        return written(value, write, limit)

    def listing(values: Iterable[Any], limit: int = 5, each: int = words.TEXT_LIMIT) -> Any:
        every = list(values)
        texts = [str(written(value, write, each)) for value in every[:limit]]
        return Markup(words.listing(texts + [""] * (len(every) - limit), limit))

    def amount(value: Any, unit: str = "") -> Any:
        bare = _bare(value)
        return written(bare, write) if isinstance(bare, str) else Markup(words.amount(bare, unit))

    def quoted(value: Any, before: str, after: str) -> Any:
        # The quotation mark that would end the name is doubled, as Transact-SQL and PowerShell have it.
        return Markup(before) + text(str(_bare(value)).replace(after, 2 * after)) + Markup(after)

    return {
        "amount": amount,
        "bits": ours(words.bits),
        "bracketed": lambda value: quoted(value, "[", "]"),
        "capital": lambda value: Markup(words.capital(str(written(value, write)))),
        "change": ours(words.change),
        "clock": ours(words.clock),
        "count": ours(words.count),
        "gain": ours(words.gain),
        "instant": ours(words.instant),
        "listing": listing,
        "literal": lambda value: quoted(value, "N'", "'"),
        "moment": ours(words.moment),
        "named": lambda values, terms: [terms[value] for value in values],
        "number": ours(words.number),
        "percent": ours(words.percent),
        "rate": ours(words.rate),
        "share": ours(words.share),
        "single": lambda value: quoted(value, "'", "'"),
        "size": ours(words.size),
        "span": ours(words.span),
        "text": text,
        "whole": ours(lambda n: f"{n:,}"),
        "wire_rate": ours(words.wire_rate),
    }


def _bare(value: Any) -> Any:
    return value.value if isinstance(value, Measured) else value
