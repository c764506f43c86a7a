"""Write what the agtrace on the path says of cases: a program of `tools/compare_findings.py`.

    python tools/say_cases.py [--words] [--pages] CASE STORE OUT [CASE STORE OUT ...]

STORE is read into where it does not exist. Each OUT gets lines as `tools/record_said.py` writes them, one
for each finding; with ``--words`` also for each table, figure and text that can be asked for without
naming anything, with ``--pages`` the text of each page of the report.
"""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from record_said import recorded_kind
from said_values import VALUES, plain

import agtrace
from agtrace.errors import AgtraceError

MADE = re.compile(r"^(agtrace \S+,) \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", re.MULTILINE)
"""The line that says when a page was made."""
NO_TEXT = ("script", "style", "svg", "template", "head")
BLOCKS = {
    "p",
    "div",
    "li",
    "tr",
    "h1",
    "h2",
    "h3",
    "h4",
    "section",
    "summary",
    "details",
    "table",
    "pre",
    "br",
    "figure",
    "td",
    "th",
    "article",
    "header",
    "footer",
    "main",
    "nav",
    "aside",
    "dt",
    "dd",
    "ul",
    "ol",
}


class PageText(HTMLParser):
    """The text of a page, a line for each block."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line at a block, silence at what is no text."""
        self._silent += tag in NO_TEXT
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """End what began."""
        self._silent -= tag in NO_TEXT and self._silent > 0
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Take text."""
        if not self._silent:
            self.parts.append(data)

    def __str__(self) -> str:
        lines = (" ".join(line.split()) for line in "".join(self.parts).split("\n"))
        return "\n".join(line for line in lines if line)


def said(case: Any) -> Iterator[tuple[str, str, Any]]:
    """Give what the analyses of an opened case say besides findings: kind, what was asked, answer."""
    from agtrace.diagnostics import analyses

    for name in analyses():
        analysis = case.analysis(name)
        yield "missing", f"{name}.missing", (lacks := analysis.missing())
        for method, member in inspect.getmembers(type(analysis), inspect.isfunction):
            kind = recorded_kind(method, member)
            if lacks or kind in (None, "finding", "missing") or not _asks_nothing(member):
                continue
            try:
                yield kind, f"{name}.{method}", VALUES[kind](getattr(analysis, method)())
            except AgtraceError as error:
                yield "say", f"{name}.{method}", f"{type(error).__name__}: {error}"


def _asks_nothing(method: Any) -> bool:
    parameters = list(inspect.signature(method).parameters.values())[1:]
    return all(each.default is not each.empty or each.kind in (2, 4) for each in parameters)


def pages(case: Path, store: Path, trust: list[str]) -> Iterator[tuple[str, str, str]]:
    """Make the report of a case and give the text of each page."""
    with tempfile.TemporaryDirectory(prefix="report-") as folder:
        command = [
            sys.executable,
            "-m",
            "agtrace",
            "report",
            str(case),
            "--store",
            str(store),
            "--out",
            folder,
        ]
        done = subprocess.run([*command, *trust], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{case.name}: the report ended with status {done.returncode}\n{done.stderr}")
        for page in sorted(Path(folder).glob("*.html")):
            text = str(PageText(page.read_text(encoding="utf-8")))
            yield "page", page.stem, MADE.sub(r"\1 <moment>", text)


def answers(case: Path, store: Path, *, words: bool, report: bool) -> Iterator[dict[str, Any]]:
    """Give what is said of a case, as lines of a recording."""
    knows_trust = "trust_store" in inspect.signature(agtrace.open_case).parameters
    try:
        # A store that was copied is this program's own.
        with agtrace.open_case(case, store=store, **{"trust_store": True} if knows_trust else {}) as opened:
            found: list[tuple[str, str, Any]] = [
                ("finding", each.id, each.to_dict()) for each in opened.findings()
            ]
            if words:
                found += said(opened)
    except AgtraceError as error:
        found = [("say", "findings", f"{type(error).__name__}: {error}")]
    if report:
        found += pages(case, store, ["--trust-store"] if knows_trust else [])
    for kind, of, value in found:
        yield {"test": case.name, "kind": kind, "of": of, "value": plain(value)}


def main() -> None:
    """Write what is said of each case."""
    options = [each for each in sys.argv[1:] if each.startswith("--")]
    paths = [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    for case, store, out in zip(paths[::3], paths[1::3], paths[2::3], strict=True):
        lines = answers(case, store, words="--words" in options, report="--pages" in options)
        text = "".join(sorted(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in lines))
        out.with_suffix(".part").write_text(text, encoding="utf-8")
        out.with_suffix(".part").replace(out)
        shutil.rmtree(store, ignore_errors=True)


if __name__ == "__main__":
    main()
