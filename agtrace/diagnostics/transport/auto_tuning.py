"""transport.auto_tuning_off: a receive window that does not scale, where no stream was captured."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from agtrace.history.streams.network_facts import OFF, UNSCALED_WINDOW
from agtrace.history.streams.paths import Settings
from agtrace.measures import quoted
from agtrace.say.said import Judged

ID = "transport.auto_tuning_off"
SHOWN = 0.9
"""The host itself says so; what was set after that is unknown."""


def auto_tuning_off(looks: Iterable[Settings]) -> list[Judged]:
    """Judge each host whose every snapshot shows auto-tuning off; and each file of an unknown host."""
    found = []
    levels = sorted(
        (one.host, "" if one.host else one.path, one.values["autotuning_level"], one.path)
        for one in looks
        if one.values.get("autotuning_level")
    )
    for (host, file), own in groupby(levels, key=lambda level: level[:2]):
        shown = [(level, path) for *_, level, path in own]
        if all(level.lower().replace(" ", "") in OFF for level, _ in shown):
            found.append(_off(host, file, shown))
    return found


def _off(host: str, file: str, shown: list[tuple[str, str]]) -> Judged:
    label = f"TCP receive window auto-tuning level on {host or 'an unknown host'}"
    return Judged(
        said="auto_tuning",
        id=ID,
        severity="notice",
        subject={"host": host} if host else {},
        confidence=SHOWN,
        evidence=tuple(quoted(label, level, path) for level, path in shown),
        facts={
            "host": host,
            "file": file,
            "level": shown[0][0],
            "window_bytes": UNSCALED_WINDOW,
            "scale": {"hosts": [host or "that host"], "system": "Windows", "is_unsure": False},
        },
    )
