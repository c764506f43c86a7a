"""Escaping by output format: how names and numbers are written into a finding, Markdown or HTML.

A template's own text stays unchanged; every inserted value is written by `finalize` of the format, which
flattens and escapes it. Templates contain no escaping, so none can be forgotten.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import moving
from agtrace.measures import Measured
from agtrace.say import commands, words

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment, Template
    from jinja2.bccache import Bucket

PLAIN, MARKDOWN, HTML = "plain", "markdown", "html"
DIGEST_BYTES = hashlib.sha256().digest_size
_WRITERS: dict[str, Callable[..., str]] = {PLAIN: words.plain, MARKDOWN: words.md, HTML: words.html}


def filled(source: str, facts: Mapping[str, Any], place: str, folder: Path | None = None) -> str:
    """Fill in a template; texts without placeholders are returned without loading the engine.

    Parameters
    ----------
    place
        Output format: `PLAIN`, `MARKDOWN` or `HTML`.
    folder
        Folder of the template; None if code is not run from that folder.
    """
    return _template(source, place, folder).render(facts) if "{" in source else source


@cache
def _template(source: str, place: str, folder: Path | None) -> Template:
    """Compile a template, once for each distinct text."""
    name = hashlib.sha256(source.encode()).hexdigest()
    _SOURCES[name] = source
    return _environment(place, folder).get_template(name)


_SOURCES: dict[str, str] = {}
"""Templates by the names they are compiled under: as plain text, since they become part of the code."""


@cache
def _environment(place: str, folder: Path | None) -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    write = _WRITERS[place]
    made = Environment(
        loader=DictLoader(_SOURCES),
        bytecode_cache=compiled_beside(place, folder) if folder else None,
        autoescape=True,  # agtrace's own text is Markup, so that it is not escaped twice
        undefined=StrictUndefined,
        finalize=lambda value: written(value, write),
        trim_blocks=True,
        lstrip_blocks=True,
        optimized=False,  # a template is rendered few times; constant folding takes an eighth of it
    )
    made.filters.update(_filters(write))
    return made


def compiled_beside(place: str, folder: Path) -> BytecodeCache:
    """Cache compiled templates as Python caches modules: in ``__pycache__`` beside them, if allowed.

    They are as trusted as the modules there. A plugin's cache is in its own folder, never in a case, store or
    home.
    """
    from jinja2 import BytecodeCache, __version__

    class Beside(BytecodeCache):
        directory = folder / "__pycache__"

        def load_bytecode(self, bucket: Bucket) -> None:
            try:
                data = self._path(bucket).read_bytes()
                digest, code = data[:DIGEST_BYTES], data[DIGEST_BYTES:]
                # Python does not check unmarshalled data: damaged code could crash the process.
                if digest == hashlib.sha256(code).digest():
                    bucket.load_bytecode(io.BytesIO(code))
            except Exception:  # a truncated file, left by a full disk, can contain anything
                bucket.reset()

        def dump_bytecode(self, bucket: Bucket) -> None:
            path = self._path(bucket)
            temporary = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
            code = bucket.bytecode_to_string()
            with contextlib.suppress(OSError):
                self.directory.mkdir(exist_ok=True)
                try:
                    temporary.write_bytes(hashlib.sha256(code).digest() + code)
                    moving.replace(temporary, path)
                finally:
                    moving.remove(temporary)

        def _path(self, bucket: Bucket) -> Path:
            return self.directory / f"{bucket.key}.{made}"

    made = f"{sys.implementation.cache_tag}.jinja-{__version__}.{place}"
    return Beside()


def written(value: Any, write: Callable[..., str] = words.plain, limit: int = words.TEXT_LIMIT) -> Any:
    """Return a value as text: numbers, times and durations in agtrace's style, escaped for the format."""
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
    """Return the types of our own text and of already escaped text; jinja2 loads slowly."""
    from jinja2 import Undefined
    from markupsafe import Markup

    return Markup, (Markup, Undefined)


def _filters(write: Callable[..., str]) -> dict[str, Callable[..., Any]]:
    """Return the filters of templates; each returns text that needs no more escaping."""
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

    return {
        "amount": amount,
        "bits": ours(words.bits),
        "capital": lambda value: Markup(words.capital(str(written(value, write)))),
        "change": ours(words.change),
        "clock": ours(words.clock),
        "count": ours(words.count),
        "gain": ours(words.gain),
        "identifier": ours(commands.identifier),
        "instant": ours(words.instant),
        "listing": listing,
        "literal": ours(commands.literal),
        "moment": ours(words.moment),
        "named": lambda values, terms: [terms[value] for value in values],
        "number": ours(words.number),
        "percent": ours(words.percent),
        "rate": ours(words.rate),
        "share": ours(words.share),
        "size": ours(words.size),
        "span": ours(words.span),
        "stamp": ours(words.stamp),
        "text": text,
        "whole": ours(lambda n: f"{n:,}"),
        "wire_rate": ours(words.wire_rate),
    }


def _bare(value: Any) -> Any:
    return value.value if isinstance(value, Measured) else value
