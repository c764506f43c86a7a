"""The frame of a case's pages: their headers, and the first page's chain and timeline."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from agtrace import interrupts
from agtrace.errors import NotebookError
from agtrace.history.coverage import Coverage, coverage
from agtrace.history.reference_clock import ReferenceClock, reference_clock
from agtrace.history.unrelated import GroupSet, group_sets, names_of, separated
from agtrace.report.cells import embedded, prose
from agtrace.report.lines import lines
from agtrace.report.marks import marks
from agtrace.report.metrics import drawn_metrics
from agtrace.report.pages import Front, Listed, Page, Shell, Timeline
from agtrace.report.sections import first_sentence
from agtrace.report.timeline import Marked, TimelineRows, drawn
from agtrace.resolve.names import host_name
from agtrace.say.headline import headline
from agtrace.say.summary import Watched, summary
from agtrace.say.ticket import ticket
from agtrace.say.words import listing, moment, plain, span
from agtrace.store.sql_files import beside

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.diagnostics import Analysis, Finding
    from agtrace.diagnostics.checks import Checked
    from agtrace.report.execution import Executed
    from agtrace.say.finding import Evidence
    from agtrace.say.group_card import GroupCard
    from agtrace.say.strip import Strip


T = TypeVar("T")

_sql = beside(__file__)


class Asked:
    """Calls analyses for the frame around their findings; a failure becomes a line in the report.

    Parameters
    ----------
    missing
        Analyses without input, which are not called.
    failures
        Collects the lines.
    """

    def __init__(self, missing: Collection[str], failures: list[NotebookError]) -> None:
        self._missing = missing
        self._failures = failures

    def of(self, analysis: Analysis, ask: Callable[[], T], otherwise: T) -> T:
        """Return an analysis's answer."""
        if analysis.name in self._missing:
            return otherwise
        try:
            return ask()
        except Exception as error:
            interrupts.raise_again(error)
            text = " ".join(str(error).split())
            told = f"the head of {analysis.name} failed: {type(error).__name__}: {text}"
            self._failures.append(NotebookError(told))
            return otherwise


@dataclass(frozen=True)
class Head:
    """The header of an analysis above its findings.

    Parameters
    ----------
    verdict
        Its answer, if the worst finding is not the answer.
    figures
        Its key figures.
    strips
        Its rows of the first page's chain.
    nothing
        Why its page is not an answer, if there are no findings.
    """

    verdict: str
    figures: tuple[Evidence, ...]
    strips: tuple[Strip, ...]
    nothing: str = ""


def head(analysis: Analysis, asked: Asked, *, has_found: bool) -> Head:
    """Ask an analysis for its head."""
    return Head(
        asked.of(analysis, analysis.say_verdict, ""),
        tuple(asked.of(analysis, analysis.key_figures, [])),
        tuple(asked.of(analysis, analysis.strips, [])),
        "" if has_found else asked.of(analysis, analysis.say_nothing, ""),
    )


def aside(heads: Mapping[str, Head], missing: Collection[str]) -> dict[str, str]:
    """Return the pages that are not answers, with the reason; empty if only the overview is one."""
    found = {name: each.nothing for name, each in heads.items() if each.nothing}
    answers = set(heads) - set(found) - set(missing) - {"overview"}
    return found if answers else {}


def front(case: Case, heads: Iterable[Head], findings: Sequence[Finding], asked: Asked) -> Front:
    """Return the contents of the first page besides the findings."""
    strips = [strip for each in heads for strip in each.strips]
    none: list[Checked] = []
    checked = asked.of(case.overview, case.checked, none)
    captures = first_sentence(prose(asked.of(case.overview, case.overview.say_captured, "")))
    lacking = next((each.text for each in checked if each.state == "not-captured"), "")
    told = summary(findings, Watched(captures, lacking))
    # Hosts are known even if the question about the group's health has no answer.
    groups: list[GroupCard] = asked.of(case.overview, case.health.group_cards, [])
    sets: list[GroupSet] = asked.of(case.overview, lambda: group_sets(case.view), [])
    return Front(
        strips, ticket_of(case, findings, strips, asked), told, checked, groups, headlines(sets, findings)
    )


HOSTS = ("host", "from", "to", "replica", "primary", "source", "target")
"""Keys of subjects that contain a host."""


def headlines(sets: Sequence[GroupSet], findings: Iterable[Finding]) -> dict[str, Finding]:
    """Return the headline of each set of unrelated groups by name; empty if all are related."""
    if len(sets) < 2:
        return {}

    def of(finding: Finding) -> tuple[str | None, str | None]:
        subject = finding.subject
        named = (host_name(str(subject[key])) for key in HOSTS if subject.get(key))
        known = (host for host in named if any(host in one.hosts for one in sets))
        return next(known, None), subject.get("ag")

    about = [one for one in findings if any(of(one))]
    own = zip(names_of(sets), separated(sets, about, of), strict=True)
    return {name: first for name, each in own if (first := headline(each))}


def clock_line(clock: ReferenceClock) -> str:
    """Return the sentence that names the reference clock and how far the other clocks are from it."""
    if not clock.host:
        return ""
    if clock.others and not clock.ahead:
        return "Times: UTC by the clock of each host; no two clocks were compared."
    shown = {
        plain(host, 40): ahead.total_seconds()
        for host, ahead in sorted(clock.ahead.items())
        if host not in clock.others and ahead
    }
    apart = [f"{host} is {span(abs(s))} {'ahead' if s > 0 else 'behind'}" for host, s in shown.items()]
    if clock.others:
        names = listing([plain(host, 40) for host in clock.others], 3)
        apart.append(f"{names} {'was' if len(clock.others) == 1 else 'were'} not compared")
    return "; ".join([f"Times: UTC by the clock of {plain(clock.host, 40)}", *apart]) + "."


def timeline(case: Case, findings: list[Listed], asked: Asked, clock: ReferenceClock) -> Timeline:
    """Return the timeline that all pages share, and the log entries around its marks."""
    told = TimelineRows(
        asked.of(case.overview, lambda: case.overview.captured.captures, []),
        asked.of(case.overview, lambda: _roles(case), []),
        asked.of(case.overview, lambda: case.view.rows(_sql("events.sql")), []),
        [Marked(each.finding, each.link or f"index.html#{each.anchor}") for each in findings],
        clock,
        asked.of(case.overview, lambda: coverage(case.view), Coverage()),
        asked.of(case.overview, lambda: group_sets(case.view), []),
    )
    shown = drawn(told)
    if shown is None:
        return Timeline()
    no_metrics: list[dict[str, Any]] = []
    metrics = partial(drawn_metrics, case.view, told.first, told.hosts, told.whole, told.opened)
    shown["metrics"] = asked.of(case.overview, metrics, no_metrics)
    said = asked.of(case.overview, lambda: lines(case.view, told.hosts, told.moments, told.about_first), "")
    return Timeline(embedded(shown), said)


def ticket_of(case: Case, findings: Sequence[Finding], strips: Sequence[Strip], asked: Asked) -> str:
    """Return a case as Markdown for a ticket: headline, chain or story, actions, what to collect."""
    first = headline(findings)
    is_health = first is not None and first.id.startswith("health.")
    incident = asked.of(case.health, lambda: case.health.incidents().first, None) if is_health else None
    return ticket(case.folder.resolve().name, findings, strips, incident)


def _roles(case: Case) -> list[dict[str, Any]]:
    return case.view.rows(
        'SELECT ag, host_id, role, start, "end", evidence FROM roles '
        "WHERE start_local IS NULL AND end_local IS NULL ORDER BY ALL"
    )


def _clocks(case: Case) -> list[dict[str, Any]]:
    """Return the UTC offsets that a case's hosts have, and which hosts."""
    rows = case.view.rows(
        "SELECT offset_minutes AS offset, list(DISTINCT host_id ORDER BY host_id) AS hosts "
        "FROM clocks JOIN captures USING (capture_id) "
        "WHERE offset_minutes <> 0 AND host_id IS NOT NULL GROUP BY ALL ORDER BY ALL"
    )
    return [row | {"hosts": listing([plain(host, 40) for host in row["hosts"]], 3)} for row in rows]


def page(
    analysis: Analysis, executed: Executed | None, missing: list[str], head: Head, nothing: str = ""
) -> Page:
    """Return the entry of a page."""
    file = f"{analysis.name}.html" if executed else ""
    failed = bool(executed and executed.failure)
    return Page(
        analysis.name,
        analysis.title,
        analysis.question,
        file,
        tuple(missing),
        failed,
        head.verdict,
        head.figures,
        nothing,
    )


def shell(
    case: Case, pages: list[Page], findings: list[Finding], listed: list[Listed], asked: Asked
) -> Shell:
    """Return the data shared by all pages."""
    overview = case.overview

    def said_by(*say: Callable[[], str]) -> str:
        return prose(" ".join(asked.of(overview, each, "") for each in say).lstrip())

    clock = asked.of(overview, lambda: reference_clock(case.view), ReferenceClock())

    def is_damaged() -> bool:
        return bool(overview.captured.losses or overview.captured.not_read)

    return Shell(
        case=case.folder.resolve().name,
        made=moment(datetime.now(UTC)),
        pages=tuple(pages),
        summary=said_by(overview.say_collected, overview.say_captured, overview.say_unread),
        damage=said_by(overview.say_damage),
        damaged=asked.of(overview, is_damaged, True),
        notes=said_by(overview.say_unrelated, case.say_settings),
        marks=marks(findings, asked.of(overview, lambda: _roles(case), [])),
        clocks=_clocks(case),
        timeline=timeline(case, listed, asked, clock),
        clock=clock_line(clock),
    )
