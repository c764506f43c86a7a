"""The effect of a case's settings files on its findings.

Such files may come from someone else and change a finding unnoticed: the findings with and without them
are compared, and the differences are listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agtrace.measures import Measure, Measured, quoted
from agtrace.say import places, words
from agtrace.say.finding import SEVERITY_ORDER, Finding
from agtrace.say.said import Judged, Said
from agtrace.store.given import GivenSettings
from agtrace.thresholds import Thresholds, changed

ID = "quality.case_settings"
OWN = "quality.own_settings"
MOST_EVIDENCE = 10
"""Most lines of evidence of each kind; a further line gives the number left out."""
GRAVE = ("warning", "critical")
SAID = Said(__package__ or "")
THRESHOLD = Measure("threshold", "threshold {name}")
FURTHER = Measure("further_lines", "further lines like these")


@dataclass(frozen=True)
class Turned:
    """A finding that the settings change.

    Parameters
    ----------
    id, subject
        Of the finding.
    given, default
        Its severity with the settings and without them; empty where the finding is absent.
    """

    id: str
    subject: tuple[tuple[str, str], ...]
    given: str
    default: str

    @property
    def is_grave(self) -> bool:
        """Return whether the finding is a problem or warning, with or without the settings."""
        return self.given in GRAVE or self.default in GRAVE

    @property
    def name(self) -> str:
        """Return the id, with the subject in brackets."""
        about = ", ".join(f"{key} {value}" for key, value in self.subject if value)
        return f"{self.id}{f' ({about})' if about else ''}"


def turned_verdicts(given: Iterable[Finding], default: Iterable[Finding]) -> list[Turned]:
    """Compare findings by id and subject; return the differences, most severe first."""
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


def line(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> str:
    """Return a line of Markdown with the settings of a case and the findings they change; "" without any."""
    facts, mine = _facts(given, limits, verdicts), _own(given, limits)
    lines = [
        SAID.text("case_settings.line", facts, places.MARKDOWN) if facts else "",
        SAID.text("own_settings.line", {"changed": mine}, places.MARKDOWN) if mine else "",
    ]
    return "\n\n".join(filter(None, lines))


def findings(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> list[Finding]:
    """Return findings on the case's settings and on the user's thresholds.

    The first lists the settings with the findings that they change.
    """
    return [*_of_case(given, limits, verdicts), *_of_who_asks(given, limits)]


def sets(given: GivenSettings, limits: Thresholds) -> bool:
    """Return whether the case's files change settings that affect findings."""
    return bool(_by_case(given, limits) or given.paths or given.aliases or given.runs)


def _of_who_asks(given: GivenSettings, limits: Thresholds) -> list[Finding]:
    mine = _own(given, limits)
    if not mine:
        return []
    judged = Judged(
        said="own_settings",
        id=OWN,
        # The user set them on purpose; severity info fails no pipeline.
        severity="info",
        evidence=tuple(
            _first(
                THRESHOLD.about(name=name).of(unit)(value, f"set by you; the default is {default:g}")
                for name, value, default, unit in mine
            )
        ),
        facts={"changed": mine},
    )
    return [SAID.finding(judged)]


def _own(given: GivenSettings, limits: Thresholds) -> list[tuple[str, float, float, str]]:
    return [each for each in changed(limits) if each[0] in given.mine]


def _by_case(given: GivenSettings, limits: Thresholds) -> list[tuple[str, float, float, str]]:
    return [each for each in changed(limits) if each[0] not in given.mine]


def _of_case(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> list[Finding]:
    facts = _facts(given, limits, verdicts)
    if not facts:
        return []
    judged = Judged(
        said="case_settings",
        id=ID,
        severity="warning" if facts["turned"] or given.faults else "notice",
        evidence=tuple(_evidence(given, limits, verdicts)),
        facts=facts,
    )
    return [SAID.finding(judged)]


def _facts(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> dict[str, Any]:
    """Return the values used in the texts; empty if nothing is set."""
    is_set = sets(given, limits)
    if not is_set and not given.faults:
        return {}
    return {
        "sets": is_set,
        "changed": [(name, value) for name, value, _default, _unit in _by_case(given, limits)],
        "n_paths": len(given.paths),
        "n_aliases": len(given.aliases),
        "n_runs": len(given.runs),
        "faults": len(given.faults),
        "verdicts": verdicts,
        "turned": sum(each.is_grave for each in verdicts),
    }


def _evidence(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> Iterable[Measured]:
    yield from _first(
        THRESHOLD.about(name=name).of(unit)(value, f"agtrace.toml; the default is {default:g}")
        for name, value, default, unit in _by_case(given, limits)
    )
    yield from _first(
        quoted(f"host of {glob}", host, "hosts.toml, [paths]") for glob, host in given.paths.items()
    )
    yield from _first(
        quoted(f"other names of {host}", ", ".join(names), "hosts.toml, [aliases]")
        for host, names in given.aliases.items()
    )
    yield from _first(
        quoted(
            f"run {run['label']}",
            f"{words.moment(run['start'])} to {words.moment(run['end'])}",
            run["source"],
        )
        for run in given.runs
    )
    yield from _first(quoted("not used", each, "settings files") for each in given.faults)
    yield from _first(
        quoted(
            each.name,
            f"{each.given or 'absent'}; without the settings {each.default or 'absent'}",
            "findings with and without the settings files",
        )
        for each in verdicts
    )


def _first(lines: Iterable[Measured]) -> Iterable[Measured]:
    listed = list(lines)
    yield from listed[:MOST_EVIDENCE]
    if (rest := len(listed) - MOST_EVIDENCE) > 0:
        yield FURTHER(rest, listed[-1].source)
