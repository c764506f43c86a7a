"""What the settings files of a case do to its verdicts, told in one way everywhere.

Such files may come from a stranger and turn a verdict unseen: the findings with and without them
are compared, and what differs is named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from agtrace.say import words
from agtrace.say.finding import SEVERITY_ORDER, Evidence, Finding
from agtrace.say.words import count, md, number, plain
from agtrace.thresholds import Thresholds, changed

ID = "quality.case_settings"
MOST_EVIDENCE = 10
"""Lines of evidence of each sort; a line says how many more there are."""
GRAVE = ("warning", "critical")


@dataclass(frozen=True)
class Turned:
    """A verdict that differs.

    Parameters
    ----------
    id, subject
        Of the finding.
    given, default
        Its severity with the settings and without them; empty where it is not said at all.
    """

    id: str
    subject: tuple[tuple[str, str], ...]
    given: str
    default: str

    @property
    def is_grave(self) -> bool:
        """Whether one of the two asks for somebody's attention."""
        return self.given in GRAVE or self.default in GRAVE

    def __str__(self) -> str:
        about = ", ".join(f"{plain(key)} {plain(value)}" for key, value in self.subject if value)
        return f"{self.id}{f' ({about})' if about else ''}"


@dataclass(frozen=True)
class GivenSettings:
    """What an opened case carries about the settings files that lie in it.

    Parameters
    ----------
    paths, aliases, runs
        What hosts.toml and the labelled runs say (`agtrace.resolve.settings.CaseSettings`).
    faults
        What in the files does not hold, one line each.
    turned
        Compares the findings with those without the settings; costs as much as the findings, once.
    """

    paths: dict[str, str]
    aliases: dict[str, list[str]]
    runs: list[dict[str, Any]]
    faults: tuple[str, ...]
    turned: Callable[[], list[Turned]]


def turned_verdicts(given: Iterable[Finding], default: Iterable[Finding]) -> list[Turned]:
    """Compare findings by id and subject; the gravest differences first."""
    by_key: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[list[int], list[int]]] = defaultdict(
        lambda: ([], [])
    )
    for side, findings in enumerate((given, default)):
        for finding in findings:
            key = (finding.id, tuple(sorted(finding.subject.items())))
            by_key[key][side].append(SEVERITY_ORDER.index(finding.severity))
    found = []
    for (name, subject), (mine, plain_ones) in by_key.items():
        if sorted(mine) != sorted(plain_ones):
            worst = (SEVERITY_ORDER[max(side)] if side else "" for side in (mine, plain_ones))
            found.append(Turned(name, subject, *worst))
    return sorted(found, key=lambda t: (-_rank(t), t.id, t.subject))


def _rank(turned: Turned) -> int:
    severities = [s for s in (turned.given, turned.default) if s]
    return max(SEVERITY_ORDER.index(severity) for severity in severities)


def of(view: Any) -> GivenSettings | None:
    """Give what an opened case carries; None where no settings were found."""
    found = getattr(view, "given", None)
    return found if isinstance(found, GivenSettings) else None


def say(view: Any, limits: Thresholds) -> str:
    """Say in a short line what the settings of a case are and turn, in Markdown; empty without any."""
    given = of(view)
    if given is None or (not (told := _parts(given, limits)) and not given.faults):
        return ""
    text = "**Settings that lie in the case**"
    text += f": {words.listing([md(each) for each in told])}." if told else " cannot be used."
    if told:
        verdicts = given.turned()
        text += f" {_summary(verdicts)[0].upper()}{md(_summary(verdicts))[1:]}."
    if given.faults and told:
        text += f" {count(len(given.faults), 'line')} of them cannot be used."
    return f"{text} `--no-case-settings` leaves them out."


def finding(view: Any, limits: Thresholds) -> list[Finding]:
    """Give the finding that names the settings of a case and the verdicts that they turn."""
    given = of(view)
    if given is None:
        return []
    told = _parts(given, limits)
    if not told and not given.faults:
        return []
    verdicts = given.turned() if told else []
    grave = any(each.is_grave for each in verdicts)
    sentences = []
    if told:
        sentences.append(
            f"Files in the folder of the case set what the answers rest on: {words.listing(told)}. "
            f"They are no captures; who put them there decides: {_summary(verdicts)}."
        )
    if given.faults:
        sentences.append(
            f"{count(len(given.faults), 'thing')} in the settings files cannot be used and "
            f"{'is' if len(given.faults) == 1 else 'are'} left out; the rest holds."
        )
    if grave:
        n = sum(each.is_grave for each in verdicts)
        title = f"Settings that lie in the case turn {count(n, 'verdict')}"
    elif told:
        title = f"Settings that lie in the case are in force: {words.listing(told)}"
    else:
        title = "Settings that lie in the case cannot be used"
    return [
        Finding(
            id=ID,
            severity="warning" if grave or given.faults else "notice",
            title=title,
            narrative=" ".join(sentences),
            evidence=tuple(_evidence(given, limits, verdicts)),
            recommendation=(
                "Check that whoever sent the captures meant these settings; `--no-case-settings` "
                "gives the answers without them."
            ),
        )
    ]


def _parts(given: GivenSettings, limits: Thresholds) -> list[str]:
    """Say in a few words what each file sets."""
    found = []
    if set_here := changed(limits):
        named = [f"{name} = {number(value)}" for name, value, _default, _unit in set_here[:3]]
        more = f" and {len(set_here) - 3:,} more" if len(set_here) > 3 else ""
        found.append(f"agtrace.toml sets {count(len(set_here), 'threshold')} ({', '.join(named)}{more})")
    if given.paths:
        found.append(f"hosts.toml says whose {count(len(given.paths), 'path')} are")
    if given.aliases:
        found.append(f"hosts.toml gives other names of {count(len(given.aliases), 'host')}")
    if given.runs:
        found.append(f"{count(len(given.runs), 'run')} labelled")
    return found


def _summary(verdicts: list[Turned]) -> str:
    if not verdicts:
        return "without them every verdict is the same"
    named = [f"{each} is {each.given or 'not said'} instead of {each.default or 'not said'}"
             for each in verdicts[:3]]  # fmt: skip
    more = f", and {len(verdicts) - 3:,} more" if len(verdicts) > 3 else ""
    return f"{count(len(verdicts), 'verdict')} would differ without them: {'; '.join(named)}{more}"


def _evidence(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> Iterable[Evidence]:
    yield from _first(
        Evidence(f"threshold {name}", value, unit, f"agtrace.toml; the default is {default:g}")
        for name, value, default, unit in changed(limits)
    )
    yield from _first(
        Evidence(f"host of {plain(glob)}", plain(host), "", "hosts.toml, [paths]")
        for glob, host in given.paths.items()
    )
    yield from _first(
        Evidence(f"other names of {plain(host)}", plain(", ".join(names)), "", "hosts.toml, [aliases]")
        for host, names in given.aliases.items()
    )  # fmt: skip
    yield from _first(
        Evidence(
            f"run {plain(run['label'])}",
            f"{words.moment(run['start'])} to {words.moment(run['end'])}",
            "",
            plain(run["source"]),
        )
        for run in given.runs
    )
    yield from _first(Evidence("not used", plain(each), "", "settings files") for each in given.faults)
    yield from _first(
        Evidence(
            f"{each}",
            f"{each.given or 'not said'}; without the settings {each.default or 'not said'}",
            "",
            "findings with and without the settings files",
        )
        for each in verdicts
    )


def _first(lines: Iterable[Evidence]) -> Iterable[Evidence]:
    listed = list(lines)
    yield from listed[:MOST_EVIDENCE]
    if (rest := len(listed) - MOST_EVIDENCE) > 0:
        yield Evidence("further lines like these", rest, "", listed[-1].source)
