"""What the settings files of a case do to its verdicts, told in one way everywhere.

Such files may come from a stranger and turn a verdict unseen: the findings with and without them
are compared, and what differs is named.
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
"""Lines of evidence of each sort; a line says how many more there are."""
GRAVE = ("warning", "critical")
SAID = Said(__package__ or "")
THRESHOLD = Measure("threshold", "threshold {name}")
FURTHER = Measure("further_lines", "further lines like these")


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

    @property
    def name(self) -> str:
        """Its id, and in brackets what it is about."""
        about = ", ".join(f"{key} {value}" for key, value in self.subject if value)
        return f"{self.id}{f' ({about})' if about else ''}"


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


def line(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> str:
    """Return a short line of Markdown with the settings of a case and what they turn; empty without any."""
    facts, mine = _facts(given, limits, verdicts), _own(given, limits)
    lines = [
        SAID.text("case_settings.line", facts, places.MARKDOWN) if facts else "",
        SAID.text("own_settings.line", {"changed": mine}, places.MARKDOWN) if mine else "",
    ]
    return "\n\n".join(filter(None, lines))


def findings(given: GivenSettings, limits: Thresholds, verdicts: list[Turned]) -> list[Finding]:
    """Return the finding that names the settings of a case and the verdicts that they turn, and the one that
    names the thresholds of whoever asks.
    """
    return [*_of_case(given, limits, verdicts), *_of_who_asks(given, limits)]


def sets(given: GivenSettings, limits: Thresholds) -> bool:
    """Check whether the files of the case set something that answers rest on."""
    return bool(_by_case(given, limits) or given.paths or given.aliases or given.runs)


def _of_who_asks(given: GivenSettings, limits: Thresholds) -> list[Finding]:
    mine = _own(given, limits)
    if not mine:
        return []
    judged = Judged(
        said="own_settings",
        id=OWN,
        # Whoever set them knows; it stands in the way of no pipeline.
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
    """Return what the words name; nothing where nothing is set."""
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
