"""The timeline of a case as a drawing: captures, roles, events and findings, a lane for each host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from agtrace.say import words
from agtrace.say.finding import Finding

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_EVENTS, MOST_FINDINGS, MOST_HOSTS = 400, 40, 12
HEAD, LANE, FOOT = 34, 46, 22
"""Heights in pixels: of the lane of findings, of a host's lane, of the axis."""
NARROW = 0.1
"""Share of the captures' time below which only the time that the findings tell of is shown."""

Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Marked:
    """A finding that has a time, and where it is told."""

    finding: Finding
    link: str


@dataclass(frozen=True)
class Told:
    """What a timeline shows.

    Parameters
    ----------
    captures
        Rows of the overview's captures: host, kind, shown_first, shown_last, local_only.
    roles
        Rows of the relation ``roles``: host_id, role, start, end.
    events
        Rows of the relation ``timeline``: time, host_id, kind.
    findings
        Those with a window.
    """

    captures: Sequence[Mapping[str, Any]]
    roles: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]
    findings: Sequence[Marked]


def draw(told: Told) -> Markup | None:
    """Draw a timeline; None where nothing has a time in UTC."""
    from markupsafe import Markup

    timed = [
        row for row in told.captures if row["shown_first"] and row["shown_last"] and not row["local_only"]
    ]
    marked = [(mark, span) for mark in told.findings if (span := window(mark.finding))]
    if not timed:
        return None
    whole = _shown(timed, [span for _, span in marked])
    hosts = sorted({row["host"] or "host not known" for row in timed})[:MOST_HOSTS]
    height = HEAD + LANE * len(hosts) + FOOT
    drawn = [_axis(whole, height), *_findings(marked[:MOST_FINDINGS], whole, height)]
    for place, host in enumerate(hosts):
        own = [row for row in timed if (row["host"] or "host not known") == host]
        roles = [row for row in told.roles if row["host_id"] == host]
        events = [row for row in told.events if row["host_id"] == host]
        drawn.append(_lane(host, HEAD + LANE * place, whole, own, roles, events))
    label = f"Timeline of {words.count(len(hosts), 'host')}, {_moment(whole[0])} to {_moment(whole[1])} UTC"
    return Markup(
        f'<svg class="timeline" width="100%" height="{height}" role="group" '
        f'aria-label="{_text(label)}">{"".join(drawn)}</svg>'
    )


def window(finding: Finding) -> Span | None:
    """Give the window of a finding in UTC; None where it has none, or no zone."""
    try:
        start, end = (datetime.fromisoformat(finding.window[key]) for key in ("start", "end"))
    except (KeyError, ValueError, TypeError):
        return None
    if finding.window.get("local") or start.tzinfo is None or end.tzinfo is None:
        return None
    return start.astimezone(UTC), max(end, start).astimezone(UTC)


def _shown(captures: Sequence[Mapping[str, Any]], windows: Sequence[Span]) -> Span:
    first = min(utc(row["shown_first"]) for row in captures)
    last = max(utc(row["shown_last"]) for row in captures)
    if windows:
        # Logs that go back for months would make a failover a dot at the edge.
        begin, end = min(w[0] for w in windows), max(w[1] for w in windows)
        margin = max((end - begin) / 4, timedelta(minutes=5))
        if (end - begin + 2 * margin) < NARROW * (last - first):
            first, last = max(first, begin - margin), min(last, end + margin)
    return first, max(last, first + timedelta(seconds=1))


def _axis(whole: Span, height: int) -> str:
    drawn = []
    long = whole[1] - whole[0]
    shape = (
        "%m-%d %H:%M"
        if long > timedelta(hours=20)
        else "%H:%M:%S"
        if long < timedelta(minutes=5)
        else "%H:%M"
    )
    for part in range(4):
        share, anchor = part / 3, ("start", "middle", "middle", "end")[part]
        moment = whole[0] + share * long
        text = f"{moment:%Y-%m-%d %H:%M} UTC" if not part else f"{moment:{shape}}"
        drawn.append(
            f'<line class="grid" x1="{_pc(share)}" x2="{_pc(share)}" y1="{HEAD}" y2="{height - FOOT}"/>'
            f'<text class="tick" x="{_pc(share)}" y="{height - 6}" text-anchor="{anchor}">{text}</text>'
        )
    return "".join(drawn)


def _findings(marked: Iterable[tuple[Marked, Span]], whole: Span, height: int) -> list[str]:
    drawn = []
    for mark, (start, end) in reversed(list(marked)):
        begin, stop = _share(start, whole), _share(end, whole)
        finding = mark.finding
        title = f"<title>{_text(finding.title)} ({finding.severity})</title>"
        shape = (
            f'<rect class="band" x="{_pc(begin)}" width="{_pc(max(stop - begin, 0.002))}" y="12" '
            f'height="{height - FOOT - 12}"/>'
            if stop - begin < 0.5 and finding.severity in ("critical", "warning")
            else ""
        )
        bar = (
            f'<rect class="mark" x="{_pc(begin)}" width="{_pc(max(stop - begin, 0.012))}" '
            f'y="{_row(finding)}" height="7" rx="3"/>'
        )
        drawn.append(
            f'<a class="{finding.severity}" href="{_text(mark.link)}" '
            f'aria-label="{_text(finding.title)}">{title}{shape}{bar}</a>'
        )
    return drawn


def _row(finding: Finding) -> int:
    return {"critical": 4, "warning": 12, "notice": 20}.get(finding.severity, 26)


def _lane(
    host: str,
    top: int,
    whole: Span,
    captures: Sequence[Mapping[str, Any]],
    roles: Sequence[Mapping[str, Any]],
    events: Sequence[Mapping[str, Any]],
) -> str:
    drawn = [f'<text class="host" x="0" y="{top + 13}">{_text(host)}</text>']
    for row in roles:
        drawn.append(
            _bar(
                f"role {_role(row['role'])}",
                row["start"],
                row["end"],
                whole,
                top + 18,
                6,
                f"{row['role']}".lower(),
            )
        )
    spans: dict[str, list[Span]] = {}
    for row in captures:
        spans.setdefault(_family(row["kind"]), []).append((utc(row["shown_first"]), utc(row["shown_last"])))
    for kind, place in (("perfmon", 0), ("events", 1), ("log", 2)):
        drawn += [
            _bar(f"capture {kind}", start, end, whole, top + 26 + 5 * place, 4, f"{kind} of {host}")
            for start, end in _united(spans.get(kind, []))
        ]
    step = max(-(-len(events) // MOST_EVENTS), 1)
    for row in events[::step]:
        share = _share(utc(row["time"]), whole)
        if 0 <= share <= 1:
            drawn.append(
                f'<circle class="event" cx="{_pc(share)}" cy="{top + 21}" '
                f'r="3"><title>{_text(row["kind"]).replace("_", " ")}, '
                f"{_moment(utc(row['time']))} UTC</title></circle>"
            )
    return "".join(drawn)


def _bar(style: str, start: Any, end: Any, whole: Span, top: int, height: int, title: str) -> str:
    begin = max(_share(utc(start), whole), 0.0) if start else 0.0
    stop = min(_share(utc(end), whole), 1.0) if end else 1.0
    if stop < 0 or begin > 1:
        return ""
    return (
        f'<rect class="{style}" x="{_pc(begin)}" width="{_pc(max(stop - begin, 0.003))}" y="{top}" '
        f'height="{height}">'
        f"<title>{_text(title)}</title></rect>"
    )


def _united(spans: Iterable[Span]) -> list[Span]:
    """Unite what overlaps."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _family(kind: object) -> str:
    text = str(kind).lower()
    if "perfmon" in text or "counter" in text:
        return "perfmon"
    return "events" if "event" in text and "log" not in text else "log"


def _role(role: object) -> str:
    text = str(role).lower()
    return text if text in ("primary", "secondary", "resolving") else "other"


def _share(moment: datetime, whole: Span) -> float:
    return (moment - whole[0]) / (whole[1] - whole[0])


def utc(moment: Any) -> datetime:
    """Give an instant with its zone; without one it is UTC."""
    found: datetime = moment if isinstance(moment, datetime) else datetime.fromisoformat(str(moment))
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _pc(share: float) -> str:
    return f"{100 * share:.3f}%"


def _text(text: object) -> str:
    return words.html(text)
