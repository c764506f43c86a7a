"""The sections of a page: the contents under each heading of a notebook, sorted by kind."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from agtrace.diagnostics import Evidence
from agtrace.report.cells import Block
from agtrace.say.incident import Incidents


@dataclass
class Section:
    """The contents of a notebook under one heading.

    Parameters
    ----------
    title
        The heading, safe HTML; empty before the first one.
    words
        Notes of the notebook and texts of its cells.
    figures, tables
        Figures and tables with data; a table is followed by its text.
    without
        Titles of figures without data.
    """

    title: str = ""
    words: list[Block] = field(default_factory=list)
    figures: list[Block] = field(default_factory=list)
    tables: list[Block] = field(default_factory=list)
    without: list[str] = field(default_factory=list)

    @property
    def says(self) -> bool:
        """Return whether any of its texts are about this case, not just notes of the notebook."""
        return any(block.kind != "note" for block in self.words)


@dataclass
class Sections:
    """The sections of a notebook, in its order.

    Parameters
    ----------
    summary
        Its first text, safe HTML.
    numbers
        The numbers to read first.
    failures
        The errors that stopped it.
    incidents
        The incidents, moment by moment.
    """

    summary: str = ""
    numbers: list[Evidence] = field(default_factory=list)
    all: list[Section] = field(default_factory=list)
    failures: list[Block] = field(default_factory=list)
    incidents: Incidents | None = None

    @property
    def with_figures(self) -> list[Section]:
        return [section for section in self.all if section.figures]

    @property
    def with_tables(self) -> list[Section]:
        return [section for section in self.all if section.tables]

    @property
    def with_words(self) -> list[Section]:
        """Return the sections that show only text."""
        return [s for s in self.all if s.says and not s.figures and not s.tables]

    @property
    def without(self) -> list[str]:
        """Titles of the figures that have nothing to draw."""
        return list(dict.fromkeys(title for section in self.all for title in section.without))


def sections(blocks: Iterable[Block]) -> Sections:
    """Sort the blocks of a page by the headings they are under."""
    found, section = Sections(), Section()
    found.all.append(section)
    for block in blocks:
        if block.kind == "heading":
            section = Section(block.html)
            found.all.append(section)
        elif block.kind == "failure":
            found.failures.append(block)
        elif block.kind == "figure":
            section.figures.append(block)
        elif block.kind == "numbers":
            found.numbers += block.numbers
        elif block.kind == "incidents":
            found.incidents = block.incidents
        elif block.kind == "nothing":
            section.without += [block.text] if block.text else []
        elif block.kind == "table":
            section.tables.append(block)
        elif block.kind == "prose" and not found.summary and not section.title:
            found.summary = block.html
        elif block.kind == "prose" and section.tables:
            section.tables.append(block)
        else:
            section.words.append(block)
    return found


def first_sentence(safe: str) -> str:
    """Return the first sentence of safe HTML as plain text."""
    paragraph = re.search(r"<p>(.*?)</p>", safe, re.DOTALL)
    text = " ".join(re.sub(r"<[^>]*>", "", paragraph[1] if paragraph else "").split())
    return re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", html.unescape(text), maxsplit=1)[0]
