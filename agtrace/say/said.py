"""The texts of a question: templates in its folder ``said``, one file per finding or page.

A finding's file is TOML: ``title``, ``why`` and ``do`` are Jinja2 templates with the judge's facts. So is
``brief``, the summary of a case: the event, its cost or limit, and in a third sentence the change to make,
unless it is the first step of the remedy. It may use ``window_start``. Sections are variants and inherit
missing fields; ``[terms]`` has names for values. A ``.md`` file is the Markdown of a ``say_*`` method. Texts
shared by several are separate fields, here or in another file: ``{{ part("seen", "path.loss") }}`` joins the
non-empty ones, and ``parts([..])`` returns them one by one. Both accept further facts by name. Steps of a
remedy are lines that start with ``1. ``; they are numbered in order. A file missing in the folder is read
from ``agtrace/say/said``.
"""

from __future__ import annotations

import itertools
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from agtrace.measures import Measured
from agtrace.moments import iso
from agtrace.say import places, words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.wording import LONG

FIELDS = ("title", "why", "do", "brief")
TERMS = "terms"
SHARED = resources.files("agtrace.say") / "said"
"""Texts used by several questions."""
LINE = re.compile(r"- |\* |\||#|\d{1,2}\. ")
"""The start of a Markdown block; a line that starts otherwise continues the previous one."""
STEP = re.compile(r"^\d{1,2}\. ", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A verdict: its subject, window, confidence, and deciding measures.

    Parameters
    ----------
    said
        Name of its texts: the file, then after a dot a section of it ("restart.died").
    id, severity, subject, window, confidence
        Of the finding.
    evidence
        Its evidence, in display order.
    facts
        Further values used in its texts.
    """

    said: str
    id: str
    severity: str
    evidence: tuple[Measured, ...]
    subject: dict[str, str] = field(default_factory=dict)
    window: dict[str, Any] = field(default_factory=dict)
    confidence: float = 1.0
    facts: Mapping[str, Any] = field(default_factory=dict)


MOST_OF_TITLE = 90
"""Longest title, in characters; in a longer one, hosts are named without their domain."""


class Said:
    """The texts of one question.

    Parameters
    ----------
    package
        The question's package; its folder ``said`` contains the templates.
    """

    def __init__(self, package: str) -> None:
        self._folder = resources.files(package) / "said"
        self._place = self._folder if isinstance(self._folder, Path) and not sys.dont_write_bytecode else None
        self._files: dict[str, dict[str, Any]] = {}
        self._pages: dict[str, str] = {}
        self._held_terms: dict[str, dict[str, Any]] = {}

    @cached_property
    def names(self) -> list[str]:
        """Return the names of the texts: ``restart``, ``restart.died``; pages end in ``.md``."""
        found: list[str] = []
        for path in sorted(self._folder.iterdir(), key=lambda path: path.name):
            if path.name.endswith(".md"):
                found.append(path.name)
            elif path.name.endswith(".toml"):
                name = path.name.removesuffix(".toml")
                held = self._file(name)
                sections = [key for key, value in held.items() if isinstance(value, dict) and key != TERMS]
                found += [f"{name}.{section}" for section in sections] or [name]
        return found

    def finding(self, judged: Judged) -> Finding:
        """Return a verdict as a finding with texts.

        Raises
        ------
        jinja2.UndefinedError
            A template uses a value that the judge does not set.
        KeyError
            There are no such texts.
        """
        if not self.template(judged.said, "title"):
            raise KeyError(f"{judged.said}: there are no words for it in {self._folder}")
        facts = {"window_start": iso(judged.window.get("start")), **judged.facts}
        title, why, do, brief = (self.text(f"{judged.said}.{name}", facts) for name in FIELDS)
        return Finding(
            id=judged.id,
            severity=judged.severity,
            title=short_hosts(title, judged.subject),
            narrative=why,
            subject=judged.subject,
            window=judged.window,
            evidence=tuple(entries(judged.evidence)),
            recommendation=do,
            confidence=judged.confidence,
            brief=brief,
        )

    def findings(self, judged: Iterable[Judged]) -> list[Finding]:
        """Return verdicts as findings with texts, in order."""
        return [self.finding(each) for each in judged]

    def text(self, name: str, facts: Mapping[str, Any], place: str = places.PLAIN) -> str:
        """Return one text by field: ``"limits.heading"`` is ``heading`` of said/limits.toml."""
        return _numbered(self._part(name, facts, place))

    def page(self, name: str, facts: Mapping[str, Any]) -> str:
        """Return a Markdown page by name, filled in; pages are in the same folder as the findings' texts."""
        if name not in self._pages:
            self._pages[name] = (self._folder / f"{name}.md").read_text(encoding="utf-8")
        parts = self._parts(name, "", facts, places.MARKDOWN)
        return _paragraphs(places.filled(self._pages[name], {**parts, **facts}, places.MARKDOWN, self._place))

    def template(self, name: str, field_name: str) -> str:
        """Return a template as it is written, "" for a missing title, reason or remedy.

        Raises
        ------
        LookupError
            There is no such part.
        """
        file, _, section = name.partition(".")
        held = self._file(file)
        found = held.get(section, {}).get(field_name, held.get(field_name))
        if found is None and field_name not in FIELDS:
            raise LookupError(f"{self._folder}: {file}.toml says no {field_name}")
        return str(found or "")

    def _line(
        self, file: str, section: str, name: str, facts: Mapping[str, Any], place: str = places.PLAIN
    ) -> str:
        source = self.template(f"{file}.{section}" if section else file, name)
        ours = self._terms(file) | self._parts(file, section, facts, place)
        return _paragraphs(places.filled(source, {**ours, **facts}, place, self._place))

    def _part(self, name: str, facts: Mapping[str, Any], place: str) -> str:
        file, _, field_name = name.rpartition(".")
        file, _, section = file.partition(".")
        return self._line(file, section, field_name, facts, place)

    def _parts(self, file: str, section: str, facts: Mapping[str, Any], place: str) -> dict[str, Any]:
        """Return functions that put other fields into a template, with the same facts."""
        from markupsafe import Markup

        def parts(names: Iterable[str], **more: Any) -> list[Markup]:
            own = f"{file}.{section}" if section else file
            whole = (name if "." in name else f"{own}.{name}" for name in names)
            return [Markup(text) for name in whole if (text := self._part(name, {**facts, **more}, place))]

        def part(*names: str, **more: Any) -> Markup:
            return Markup(" ").join(parts(names, **more))

        return {"parts": parts, "part": part, "terms": self._terms}

    def _terms(self, file: str) -> dict[str, Any]:
        if file not in self._held_terms:
            from markupsafe import Markup

            self._held_terms[file] = {
                name: {key: Markup(text) for key, text in term.items()}
                if isinstance(term, dict)
                else Markup(term)
                for name, term in self._file(file).get(TERMS, {}).items()
            }
        return self._held_terms[file]

    def _file(self, name: str) -> dict[str, Any]:
        if name not in self._files:
            path = self._folder / f"{name}.toml"
            held = path if path.is_file() else SHARED / f"{name}.toml"
            self._files[name] = tomllib.loads(held.read_text(encoding="utf-8"))
        return self._files[name]


def entries(measured: Iterable[Measured]) -> list[Evidence]:
    """Return measured values as entries of evidence, or as key figures."""
    return [_evidence(each) for each in measured]


def _evidence(measured: Measured) -> Evidence:
    """Return an entry of evidence; text from a capture is one line without control characters."""
    value = measured.value
    if isinstance(value, str):
        value = words.plain(value, words.TEXT_LIMIT if not measured.measure.name else LONG)
    label, source = words.plain(measured.label, LONG), words.plain(measured.source, LONG)
    return Evidence(label, value, measured.unit, source)


def _paragraphs(text: str) -> str:
    """Join each paragraph into one line, except lists and tables: line breaks in templates are free."""
    lines = (_flat(paragraph) for paragraph in re.split(r"\n\s*\n", text))
    return "\n\n".join(line for line in lines if line)


def _flat(paragraph: str) -> str:
    lines: list[str] = []
    for line in (" ".join(each.split()) for each in paragraph.splitlines() if each.strip()):
        if lines and not LINE.match(line):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _numbered(text: str) -> str:
    """Write numbers before the steps of a text, each step on its own line."""
    numbers = itertools.count(1)
    joined = re.sub(r"\n+(?=\d{1,2}\. )", "\n", text)
    return STEP.sub(lambda _: f"{next(numbers)}. ", joined)


def short_hosts(title: str, subject: Mapping[str, Any]) -> str:
    """Return a title of more than 90 characters with the hosts of its subject by their first DNS label.

    A label that two hosts share names neither, so these stay whole.
    """
    if len(title) <= MOST_OF_TITLE:
        return title
    hosts = {str(subject[key]) for key in ("host", "from", "to", "replica", "source") if subject.get(key)}
    labels = [host.partition(".")[0].upper() for host in hosts]
    for host in sorted(hosts, key=len, reverse=True):
        label = host.partition(".")[0]
        if label != host and " " not in host and not label.isdecimal() and labels.count(label.upper()) == 1:
            title = title.replace(host, label)
    return title
