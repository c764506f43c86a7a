"""The HTML of a report: one index, one page per notebook, each a single file that needs no network."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics import wording, words
from agtrace.diagnostics.finding import SEVERITY_ORDER, Finding
from agtrace.errors import NotebookError
from agtrace.report.cells import Block

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class Page:
    """One entry of the report's contents.

    Parameters
    ----------
    name, title, question
        Of the analysis.
    file
        The page's file; empty when the notebook was not run.
    missing
        Why it was not run.
    failed
        Whether the notebook stopped early.
    """

    name: str
    title: str
    question: str
    file: str = ""
    missing: tuple[str, ...] = ()
    failed: bool = False


@dataclass(frozen=True)
class Shell:
    """What all pages of a report share.

    Parameters
    ----------
    case
        Name of the case.
    made
        When, in words.
    pages
        The contents.
    summary, damage
        Two sentences (safe HTML) that every page opens with.
    damaged
        Whether data was lost.
    settings
        A line (safe HTML) about the settings files that lie in the case; empty without any.
    """

    case: str
    made: str
    pages: tuple[Page, ...]
    summary: str
    damage: str
    damaged: bool
    settings: str = ""

    def context(self, current: str) -> dict[str, Any]:
        """Give the variables that the base template wants."""
        from markupsafe import Markup

        from agtrace import __version__

        overview = next((p.file for p in self.pages if p.name == "overview" and p.file), "")
        return {
            "case": words.plain(self.case),
            "made": self.made,
            "version": __version__,
            "pages": self.pages,
            "current": current,
            "settings": Markup(self.settings),
            "style": Markup(_template("style.css")),
            "captured": {
                "summary": Markup(self.summary),
                "damage": Markup(self.damage),
                "damaged": self.damaged,
                "page": overview if current != "overview" else "",
            },
        }


Anchored = tuple[str, Finding]
"""A finding with the name by which pages link to its card on the index."""


def anchored(findings: Sequence[Finding]) -> list[Anchored]:
    """Name the place of each finding on the index."""
    return [(f"finding-{place}", finding) for place, finding in enumerate(findings, 1)]


def index_page(
    shell: Shell, findings: Sequence[Anchored], failures: Sequence[NotebookError]
) -> str:
    """Write the index: the findings first, then the way to the pages."""
    counts = Counter(finding.severity for _, finding in findings)
    return _environment().get_template("index.html").render(
        shell.context("index"),
        policy=_policy(),
        findings=findings,
        tally=[(severity, counts[severity]) for severity in reversed(SEVERITY_ORDER) if counts[severity]],
        failures=[str(failure) for failure in failures],
    )  # fmt: skip


def notebook_page(
    shell: Shell,
    page: Page,
    blocks: Sequence[Block],
    findings: Sequence[Anchored],
    failure: NotebookError | None,
) -> str:
    """Write the page of a notebook: its narrative, the findings, then figures and tables."""
    plotly = loader = ""
    if any(block.kind == "figure" for block in blocks):
        plotly, loader = _plotly(), _template("figures.js")
    first = next((n for n, b in enumerate(blocks) if b.kind != "prose"), len(blocks))
    # Headings in the leading prose belong to what follows them.
    first = next((n for n, b in enumerate(blocks[:first]) if b.html.startswith("<h2")), first)
    return _environment().get_template("page.html").render(
        shell.context(page.name),
        policy=_policy(*filter(None, (plotly, loader))),
        page=page,
        narrative=blocks[:first],
        blocks=blocks[first:],
        findings=findings,
        failure=str(failure) if failure else "",
        plotly=plotly,
        loader=loader,
    )  # fmt: skip


def render(template: str, *, script: str = "", **variables: Any) -> str:
    """Write a page that belongs to no report: that of a broken case, or over all cases.

    Parameters
    ----------
    template
        Its template; what it inherits from the base may be left out of the variables.
    script
        Name of the one script that it may run; the template finds its text as ``search``.
    variables
        What it shows; all of it is escaped.
    """
    from markupsafe import Markup

    from agtrace import __version__

    text = _template(script) if script else ""
    shell = {
        "version": __version__,
        "pages": (),
        "current": "index",
        "settings": "",
        "style": Markup(_template("style.css")),
        "search": Markup(text),
        "policy": _policy(*filter(None, (text,))),
    }
    return _environment().get_template(template).render(shell | variables)


def _policy(*scripts: str) -> str:
    """Allow exactly these scripts, and neither the network nor any script in an attribute."""
    digests = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "plain": words.plain,
        "value_of": wording.value_of,
        "amount_and_unit": wording.amount_and_unit,
        "key_figures": wording.key_figures,
        "window_of": wording.window_of,
        "confidence": wording.confidence_of,
        "running_text": wording.running_text,
    }
    return environment


@cache
def _template(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    # The text between the tags is what browsers hash: no end tag, no line end that they normalise.
    return (
        str(get_plotlyjs())
        .replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("</script", "<\\/script")
    )
