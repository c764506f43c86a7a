"""The HTML of a report: one index, and one page per notebook, usable without a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from agtrace.diagnostics.checks import STATES
from agtrace.errors import NotebookError
from agtrace.report import scripts
from agtrace.report.cells import embedded, prose
from agtrace.report.error_notes import explained
from agtrace.report.scripts import Bundle
from agtrace.report.sections import Section, Sections, first_sentence
from agtrace.report.shown import PAGE_WORDS, Anchored, FoldedText, cards
from agtrace.say import wording, words
from agtrace.say.finding import SEVERITY_ORDER, Evidence, Finding
from agtrace.say.group_card import GroupCard
from agtrace.say.headline import is_answer, read_first
from agtrace.say.places import compiled_beside
from agtrace.say.strip import Strip
from agtrace.say.summary import Summary

if TYPE_CHECKING:
    from jinja2 import Environment

    from agtrace.diagnostics.checks import Checked
    from agtrace.report.cells import Block


@dataclass(frozen=True)
class Page:
    """One entry of the report's contents.

    Parameters
    ----------
    name, title, question
        Name, title and question of the analysis.
    file
        The page's file; empty if the notebook was not run.
    missing
        Why it was not run.
    failed
        Whether the notebook stopped early.
    verdict
        The answer in one sentence (Markdown); empty if the worst finding is the answer.
    key_figures
        Numbers to show first if the worst finding has few.
    nothing
        Why it is not an answer, if there are no findings: it is then linked, but not listed among the pages.
    """

    name: str
    title: str
    question: str
    file: str = ""
    missing: tuple[str, ...] = ()
    failed: bool = False
    verdict: str = ""
    key_figures: tuple[Evidence, ...] = ()
    nothing: str = ""


@dataclass(frozen=True)
class Timeline:
    """The timeline data of the case, the same on every page.

    Parameters
    ----------
    drawn
        The drawing (JSON, safe in a script element); "" if nothing has a time in UTC.
    lines
        Log entries around its marks, compressed (`agtrace.report.lines.lines`).
    """

    drawn: str = ""
    lines: str = ""


@dataclass(frozen=True)
class Shell:
    """Data shared by all pages of a report.

    Parameters
    ----------
    case
        Name of the case.
    made
        Time of creation, as text.
    pages
        The contents.
    summary, damage
        Two sentences (safe HTML) that every page opens with.
    damaged
        Whether data was lost.
    notes
        A line (safe HTML) about unrelated groups and the settings files in the case; empty without any.
    marks
        Marks on every time axis (`agtrace.report.marks`).
    clocks
        UTC offsets (minutes) of hosts, with their names: figures can show these clocks.
    timeline
        The case's time.
    clock
        The sentence that names the reference clock.
    """

    case: str
    made: str
    pages: tuple[Page, ...]
    summary: str
    damage: str
    damaged: bool
    notes: str = ""
    marks: Sequence[dict[str, Any]] = ()
    clocks: Sequence[dict[str, Any]] = ()
    timeline: Timeline = Timeline()
    clock: str = ""

    def context(self, current: str) -> dict[str, Any]:
        """Return the variables that the base template wants."""
        from markupsafe import Markup

        from agtrace import __version__

        overview = next((p.file for p in self.pages if p.name == "overview" and p.file), "")
        return {
            "case": words.plain(self.case),
            "made": self.made,
            "version": __version__,
            "pages": self.pages,
            "current": current,
            "clock": self.clock,
            "has_search": True,
            "notes": Markup(self.notes),
            "style": Markup(scripts.template("style.css")),
            "timeline": self.timeline,
            "times": embedded({"marks": self.marks, "clocks": self.clocks}),
            "captured": {
                "summary": Markup(self.summary),
                "damage": Markup(self.damage),
                "damaged": self.damaged,
                "page": overview if current != "overview" else "",
            },
        }


def anchored(findings: Sequence[Finding]) -> list[Anchored]:
    """Name the place of each finding, the same on every page."""
    return [(f"finding-{place}", finding) for place, finding in enumerate(findings, 1)]


@dataclass(frozen=True)
class Listed:
    """A finding in the index, with the link to its card; "" without one."""

    anchor: str
    finding: Finding
    link: str
    page: str

    @property
    def place(self) -> str:
        """Return its anchor in the index."""
        return f"to-{self.anchor}" if self.link else self.anchor


NO_SUMMARY = Summary("", "", "")


@dataclass(frozen=True)
class Front:
    """Contents of the index besides its findings.

    Parameters
    ----------
    strips
        Chains, with the slow step marked.
    ticket
        The case as Markdown, for copying.
    summary
        The case in three sentences.
    checked
        The checks, in the order of the pages.
    groups
        Its availability groups at a glance, or its hosts.
    headlines
        Headline of each group, by name, if the case contains unrelated ones.
    """

    strips: Sequence[Strip] = ()
    ticket: str = ""
    summary: Summary = NO_SUMMARY
    checked: Sequence[Checked] = ()
    groups: Sequence[GroupCard] = ()
    headlines: Mapping[str, Finding] = field(default_factory=dict)

    def named(self, finding: Finding) -> str:
        """Return the title of a headline, with its group if there are several."""
        return self.about(finding, wording.verdict_of(finding))

    def about(self, finding: Finding, title: str) -> str:
        """Return a title, with the group of its headline if there are several."""
        of = next((name for name, first in self.headlines.items() if first is finding), "")
        return title if title.startswith(of) else f"{of}: {title}"

    @property
    def group_headlines(self) -> list[str]:
        """The headline of each group."""
        return list(map(self.named, self.headlines.values()))


def index_page(
    shell: Shell, findings: Sequence[Listed], failures: Sequence[NotebookError], front: Front
) -> str:
    """Write the index: the case in one sentence, its findings, its time, the way to the pages."""
    counts = Counter(each.finding.severity for each in findings)
    tally = [
        (name, counts[name], next(e.place for e in findings if e.finding.severity == name))
        for name in reversed(SEVERITY_ORDER)
        if counts[name]
    ]
    findings = read_first(findings, lambda each: each.finding)
    worst = findings[0].finding if findings else None
    own_scripts = _scripts(shell, "page.js")
    around = [shell.case, shell.notes, shell.summary, shell.damage]
    around += [each.title for each in [*shell.pages, *shell.pages]]  # links, and unanswered questions
    around += [f"{each.name} {each.as_of} {each.unknown}" for each in front.groups[:MOST_GROUPS]]
    left = PAGE_WORDS - _FRONT_WORDS - words.words_in(" ".join(around))
    advice = FoldedText.of(worst.recommendation if worst else "", PAGE_WORDS)
    left -= advice.words
    told = cards([(e.anchor, e.finding) for e in findings if e.link], left, unfold=False)
    answer = worst if worst and is_answer(worst) else None
    own = cards([(e.anchor, e.finding) for e in findings if not e.link], left, answer)
    return (
        _environment()
        .get_template("index.html")
        .render(
            shell.context("index"),
            policy=scripts.policy(*own_scripts),
            own_scripts=own_scripts,
            what=front.about(worst, front.summary.what) if worst else front.summary.what,
            headlines=[each for each in front.group_headlines if worst is None or each != front.named(worst)],
            worst=worst,
            told=told,
            own=own,
            links={each.anchor: each.link for each in findings},
            advice=advice,
            tally=tally,
            front=front,
            most_groups=MOST_GROUPS,
            ticket=embedded(front.ticket),
            checked=_check_rows(front.checked, findings, shell.pages),
            pages_findings=Counter((e.page, e.finding.severity) for e in findings),
            severities=tuple(reversed(SEVERITY_ORDER)),
            failures=[str(failure) for failure in failures],
        )
    )


class CheckRow(NamedTuple):
    """A check in the index, with links to its page and its finding."""

    state: str
    title: str
    text: str
    page: str
    link: str


def _check_rows(
    checked: Sequence[Checked], findings: Sequence[Listed], pages: Sequence[Page]
) -> list[CheckRow]:
    """Return the checks, problems first, as they are listed."""
    files = {page.name: page.file for page in pages}

    def link(each: Checked) -> str:
        found = next((one for one in findings if one.finding == each.finding), None)
        return "" if found is None else found.link or f"#{found.anchor}"

    order = sorted(checked, key=lambda each: STATES.index(each.state))
    return [
        CheckRow(each.state, each.title, each.text, files.get(each.question, ""), link(each))
        for each in order
    ]


_FRONT_WORDS = 110
"""Words of every index besides these: its sentence, links, headings, the legend and the footer."""


MOST_GROUPS = 3
"""Groups shown unfolded on the index."""


def notebook_page(
    shell: Shell,
    page: Page,
    shown: Sections,
    findings: Sequence[Anchored],
    failure: NotebookError | None,
    bundle: Bundle,
) -> str:
    """Write the page of a notebook: the answer and its figure, then the details."""
    findings = read_first(findings, lambda each: each[1])
    worst = findings[0][1] if findings else None
    answer = None if page.verdict or worst is None or not is_answer(worst) else worst
    verdict = _verdict(page, shown, answer)
    key_figures = _key_figures([*page.key_figures, *shown.numbers], findings, answer)
    with_figures = shown.with_figures
    hero = with_figures[0].figures[0] if with_figures else None
    around = [
        shell.case, shell.notes, page.title, page.question, verdict, shell.damage if shell.damaged else "",
        *(each.title for each in shell.pages if each.file), *shown.without,
        *(f"{each.label} {wording.value_of(each)}" for each in key_figures),
        *(f"{each.title} About this figure" for each in with_figures),
        *(each.title for each in [*shown.with_tables, *shown.with_words]),
    ]  # fmt: skip
    left = PAGE_WORDS - _AROUND_WORDS - words.words_in(" ".join(around))
    left -= shown.incidents.words if shown.incidents else 0
    advice = FoldedText.of(answer.recommendation if answer else "", PAGE_WORDS)
    left -= advice.words
    own = _scripts(
        shell, "page.js", *(["tables.js"] if shown.with_tables else []), *(["figures.js"] if hero else [])
    )
    inside = [bundle.text] if hero and not bundle.file else []
    nonce = scripts.new_nonce() if hero and bundle.file else ""
    return (
        _environment()
        .get_template("page.html")
        .render(
            shell.context(page.name),
            policy=scripts.policy(*inside, *own, nonce=nonce),
            page=page,
            verdict=verdict,
            answer=answer,
            key_figures=key_figures,
            hero=hero,
            advice=advice,
            shown=shown,
            others=_without_first(with_figures),
            cards=cards(findings, left, answer),
            failure=str(failure) if failure else "",
            bundle=bundle if hero else None,
            nonce=nonce,
            own_scripts=own,
        )
    )


def _scripts(shell: Shell, *names: str) -> list[str]:
    """Return the scripts of a page in the order in which they run: the shared zoom first."""
    of_time = ["timeline.js", "lines.js"] if shell.timeline.drawn else []
    return [scripts.template(name) for name in ("zoom.js", *of_time, *names, "search.js")]


_AROUND_WORDS = 64
"""Words of every page: links, headings, the footer."""


def _key_figures(
    own: Sequence[Evidence], findings: Sequence[Anchored], answer: Finding | None
) -> list[Evidence]:
    """Return the numbers of the answer, and the page's own if they are few.

    A page without any uses further evidence on the subject of the worst finding.
    """
    found = wording.key_figures(answer, numbers=MOST_FIGURES - 1) if answer else []
    if len(found) >= LEAST_FIGURES:
        return found
    if own or not findings:
        return [*found, *own][:MOST_FIGURES]
    worst = findings[0][1]
    told = [each for _, each in findings if each.subject == worst.subject]
    chosen = {n.label: n for each in told for n in wording.key_figures(each, settings=0)}
    return list(chosen.values())[:MOST_FIGURES]


LEAST_FIGURES, MOST_FIGURES = 4, 6
"""Fewest and most key figures of a page."""


def _verdict(page: Page, shown: Sections, answer: Finding | None) -> str:
    if answer is not None:
        return wording.verdict_of(answer)
    said = first_sentence(prose(page.verdict)) or first_sentence(shown.summary)
    return words.plain(said, wording.VERDICT_LENGTH)


def _without_first(found: Sequence[Section]) -> list[Section]:
    """Return the sections without the figure already shown at the top."""
    others = [(each, each.figures[1:] if not place else each.figures) for place, each in enumerate(found)]
    return [Section(each.title, each.words, figures) for each, figures in others if figures]


def render(template: str, *, script: str = "", figures: Sequence[Block] = (), **variables: Any) -> str:
    """Write a page that belongs to no report: that of a broken case, or over all cases.

    Parameters
    ----------
    template
        Its template; variables used only by the base may be left out.
    script
        Name of the one script that it may run; the template finds its text as ``search``.
    figures
        What it draws: then it holds the scripts that do, ``bundle`` and ``own_scripts``.
    variables
        What it shows; all of it is escaped.
    """
    from markupsafe import Markup

    from agtrace import __version__

    text = scripts.template(script) if script else ""
    bundle = scripts.bundle(figures, single_file=True).text if figures else ""
    own = [scripts.template(name) for name in ("zoom.js", "page.js", "figures.js")] if figures else []
    shell = {
        "version": __version__,
        "pages": (),
        "current": "index",
        "has_search": False,
        "clock": "",
        "notes": "",
        "style": Markup(scripts.template("style.css")),
        "search": Markup(text),
        "policy": scripts.policy(*filter(None, (text, bundle, *own))),
        "bundle": bundle,
        "own_scripts": own,
        "figures": figures,
    }
    return _environment().get_template(template).render(shell | variables)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(scripts.TEMPLATES),
        bytecode_cache=compiled_beside("page", scripts.TEMPLATES),
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
        "explained": explained,
        "running_text": wording.running_text,
        "subject": wording.subject_of,
    }
    return environment
