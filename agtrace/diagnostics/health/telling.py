"""Stories of incidents in words, ready to be shown: plain text, which whoever shows it escapes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agtrace.diagnostics.health.failed_over import SURE
from agtrace.diagnostics.health.measures import WITHOUT_PRIMARY
from agtrace.diagnostics.health.story import Moment, Story
from agtrace.diagnostics.health.told import kind_of
from agtrace.measures import Measure, frame
from agtrace.say import words
from agtrace.say.incident import Incident, Incidents, Line, Moved
from agtrace.say.said import Said

if TYPE_CHECKING:
    import pandas as pd

CAPTIONS = {"health.failover": "caption", "health.no_primary": "caption_lost"}
"""Field of said/story.toml that names an incident, by the id of its finding."""

STORY = (
    *(Measure("incident"), Measure("time", meaning="UTC, by one clock for all hosts")),
    Measure("host_time", "host's time", meaning="as the clock of the host shows it, local"),
    *(Measure("host"), Measure("what"), Measure("where", meaning="file and line")),
)


def told(stories: Sequence[Story], opened: Story | None, said: Said) -> Incidents:
    """Give stories in words, with the table of failovers where there are several."""
    moved = [_moved(each, said) for each in stories if each.failover is not None]
    return Incidents(
        tuple(moved) if len(moved) > 1 else (),
        tuple(_incident(each, said) for each in stories),
        opened.key if opened else "",
    )


def table(stories: Sequence[Story], said: Said) -> pd.DataFrame:
    """Give the moments of all stories, one per row; times are UTC."""
    rows = [
        (_caption(each, said), one.time, one.local, one.host, _what(one, said), one.place)
        for each in stories
        for one in each.moments
    ]
    return frame(STORY, rows)


def _incident(story: Story, said: Said) -> Incident:
    impact, not_known, ask = (
        said.text(f"story.{each}", story.facts) for each in ("impact", "not_known", "ask")
    )
    return Incident(
        story.key,
        _caption(story, said),
        story.judged.severity,
        impact,
        not_known,
        ask,
        tuple(_line(one, said) for one in story.shown),
        tuple(_line(one, said) for one in story.folded),
    )


def _caption(story: Story, said: Said) -> str:
    return said.text(f"story.{CAPTIONS.get(story.judged.id, 'caption_doubled')}", story.facts)


def _line(one: Moment, said: Said) -> Line:
    local = f"{one.local:%H:%M:%S}.{one.local.microsecond // 100_000}" if one.local else ""
    host = words.plain(one.host, 60) if one.host else ""
    return Line(_iso(one.time), words.clock(one.time), local, host, _what(one, said), one.place)


def _what(one: Moment, said: Said) -> str:
    return said.text(f"story.{one.said}", one.facts)


def _moved(story: Story, said: Said) -> Moved:
    row, facts = story.failover or {}, story.facts
    seconds = row["seconds_without_primary"]
    is_sure = (row["confidence"] or 0.0) >= SURE
    return Moved(
        story.key,
        _iso(story.start),
        words.moment(story.start).removesuffix(" UTC"),
        words.plain(row["ag"], 60),
        words.plain(row["from_host"], 60) if row["from_host"] else "not known",
        words.plain(row["to_host"], 60) if row["to_host"] else "not known",
        kind_of(row["mode"]),
        said.text(f"causes.{facts['root']}", facts) if is_sure else "not shown",
        words.amount(seconds, WITHOUT_PRIMARY.unit) if seconds is not None else "",
    )


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
