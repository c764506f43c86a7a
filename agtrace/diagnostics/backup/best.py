"""backup.best_configuration: the best tested combination, what each factor does, what to test next.

Limits of backups to URL: "SQL Server Backup to URL" (2012 to 2014: one page blob) and "Backing up a
VLDB to Azure Blob Storage", SQL Server customer advisory team, 2017 (from 2016 on: block blobs).
"""

from __future__ import annotations

import math
from typing import Any

from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup.sides import READER, StudySides, deciding_test
from agtrace.diagnostics.backup.studies import (
    BUILT_IN,
    BackupStudy,
    Configuration,
    Sure,
    buffers_text,
    rounded,
)
from agtrace.history.runs import shown
from agtrace.measure.statistics import Interval, ratio
from agtrace.measures import Measure, Measured
from agtrace.say import words
from agtrace.say.said import Judged

STUDIES = 5
CHANGES = 12
SPOKEN = 5
"""Changes that the narrative tells; the evidence holds more."""
NEAR = 0.95
"""A cheaper configuration at least this share as fast as the best one is worth naming."""
NOTABLE = 1.1
"""A gain over the default beyond this ratio is worth a notice."""

MEDIA, URL = "media", "URL"
BLOCKS = 50_000
"""Blocks of a block blob, each of MAXTRANSFERSIZE."""
MOST_KB = 4096
"""Largest MAXTRANSFERSIZE."""
BLOCK_BLOBS = 13
"""First major version that writes block blobs."""

GAIN = Measure(
    "gain", "gain over the default", "%", "median of the best configuration against that of the default"
)
CHANGE = Measure("change", "change of the median", "%", "what the change of one factor does, all else equal")


def compared(judged: list[StudySides]) -> list[StudySides]:
    """Give the studies with several configurations, those with the most time first."""
    return [each for each in judged if len(each.study.real) > 1][:STUDIES]


def best_of(study: BackupStudy) -> Configuration:
    """Choose the configuration with the highest median; one run alone wins against no other."""
    repeated = [c for c in study.real if c.n > 1] or study.real
    return max(repeated, key=lambda c: (c.median, c.n))


def cheapest_near(configurations: list[Configuration], best: Configuration) -> Configuration:
    """Choose the configuration with the least memory that comes near the best one."""
    near = [c for c in configurations if c.memory_mb is not None and c.median >= NEAR * best.median]
    return min(near, key=lambda c: (c.memory_mb or 0, -c.median), default=best)


def configurations(judged: list[StudySides]) -> list[Judged]:
    """Judge each study with several configurations, those with the most time first."""
    return [_judged(each) for each in compared(judged)]


def _judged(each: StudySides) -> Judged:
    study = each.study
    best, default = best_of(study), study.default
    gain = ratio(default.sample, best.sample) if default is not None and default is not best else None
    changes, rule = fx.changes(fx.effects(study)), fx.stripe_rule(study)
    told = sorted(changes, key=lambda of: (not of.reverses, not _is_of_media(study, of), -of.size))[:CHANGES]
    evidence = [study.measured(best)]
    if gain is not None:
        evidence.append(GAIN(rounded(100 * (gain.value - 1)), _interval(gain)))
    evidence += [measured for of in told for measured in _evidence(study, of)]
    return Judged(
        said="best_configuration",
        id="backup.best_configuration",
        severity="notice" if gain is not None and gain.value > NOTABLE else "info",
        subject=study.subject,
        evidence=tuple(evidence),
        confidence=Sure.COUNTED.value if gain is not None and gain.away_from(1) else Sure.INFERRED.value,
        facts={
            "study": study.name, "best": _told(study, best), "default": default and _told(study, default), "gain": gain,
            "cheap": _cheap(study, best),
            "media": [_change(study, of) for of in changes if of.factor == MEDIA],
            "contrast": _contrast(study, changes),
            "urls": [_change(study, of) for of in changes if of.factor != MEDIA and _is_of_media(study, of)],
            "changes": [_change(study, of) for of in told if not _is_of_media(study, of)][:SPOKEN],
            "stripes": rule, "around": rule.most.around(study.varying) if rule is not None and rule.most is not None else "",
            "test": "" if each.nulls else deciding_test(study), "proposal": _proposal(study, best),
            "is_read_limited": any(s.verdict == READER and s.configuration is best for s in each.sides),
            "url": _url(study),
        },
    )  # fmt: skip


def _told(study: BackupStudy, of: Configuration) -> dict[str, Any]:
    return {"name": study.named(of), "median": of.median, "n": of.n, "memory": of.memory_mb}


def _interval(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "ratio of medians; too few runs for an interval"
    return f"ratio of medians, 95 % interval {words.gain(interval.low)} to {words.gain(interval.high)}"


def _evidence(study: BackupStudy, of: fx.Change) -> list[Measured]:
    found = []
    for effect in of.effects:
        around = effect.around(study.varying)
        label = f"{of.name} ({around})" if around else of.name
        found.append(CHANGE.called(label)(rounded(100 * (effect.ratio.value - 1)), _interval(effect.ratio)))
    return found


def _cheap(study: BackupStudy, best: Configuration) -> dict[str, Any] | None:
    """Give the cheapest configuration near the best one, run more than once and with less memory."""
    if best.memory_mb is None:
        return None
    less = [c for c in study.real if c.memory_mb is not None and c.memory_mb < best.memory_mb and c.n > 1]
    cheap = cheapest_near(less, best)
    return None if cheap is best else _told(study, cheap) | {"share": cheap.median / best.median}


def _change(study: BackupStudy, of: fx.Change) -> dict[str, Any]:
    return {
        "name": of.name, "levels": of.levels, "reverses": of.reverses, "is_shown": of.is_shown,
        "interaction": of.interaction if of.reverses else None,
        "parts": [
            {"ratio": e.ratio, "around": e.around(study.varying), "first": e.first.median, "second": e.second.median}
            for e in of.effects
        ],
    }  # fmt: skip


def _is_of_media(study: BackupStudy, of: fx.Change) -> bool:
    """Say whether a change is told with the media: that of the media, and what was changed of a URL only."""
    if of.factor == MEDIA:
        return True
    if MEDIA not in study.varying or of.factor in BUILT_IN:
        return False
    return all(e.first.factors[MEDIA] == URL for e in of.effects)


def _contrast(study: BackupStudy, changes: list[fx.Change]) -> dict[str, Any] | None:
    """Compare the media at their best, whatever else differs; None where only one was tested more than once."""
    effects = [e for of in changes if of.factor == MEDIA for e in of.effects]
    best: dict[str, Configuration] = {}
    for c in sorted(study.real, key=lambda c: c.median):
        if c.factors[MEDIA] is not None and c.n > 1:
            best[c.factors[MEDIA]] = c
    if not effects or len(best) < 2:
        return None
    slow, *_, fast = sorted(best.values(), key=lambda c: c.median)
    # What wins all else equal may still lose to what only the other media allows, as stripes do.
    winners = {
        str((e.second if e.ratio.value > 1 else e.first).factors[MEDIA])
        for e in effects
        if e.ratio.away_from(1)
    }
    return {
        "slow": _told(study, slow), "fast": _told(study, fast), "gain": ratio(slow.sample, fast.sample).value,
        "not_in_general": slow.factors[MEDIA] if winners == {str(slow.factors[MEDIA])} else None,
    }  # fmt: skip


def _proposal(study: BackupStudy, best: Configuration) -> dict[str, Any] | None:
    """Give the untested combination that is worth most."""
    found = fx.next_test(study, best)
    if found is None:
        return None
    return {
        "name": f"{found.factors['stripes']} x {found.factors['media']}, {buffers_text(found.factors)}",
        "changed": f"{fx.factor_name(found.changed)} {fx.level(found.changed, shown(found.factors[found.changed]))}",
        "expected": found.expected, "memory": found.memory_mb,
    }  # fmt: skip


def _url(study: BackupStudy) -> dict[str, Any] | None:
    """Give what a backup to URL allows in the version that was tested; None where none was tested."""
    if study.operation != "backup" or not any(c.factors[MEDIA] == URL for c in study.real):
        return None
    head = (study.version or "").split(".")[0]
    major = int(head) if head.isdigit() else None
    sizes = study.columns["bytes"]
    largest = float(sizes.max()) if len(sizes) and not math.isnan(sizes.max()) else 0.0
    return {
        "has_blocks": major is not None and major >= BLOCK_BLOBS, "is_known": major is not None, "blocks": BLOCKS,
        "most_mb": MOST_KB // 1024, "gb_at_1": BLOCKS * 1024 / 2**20, "gb_at_most": BLOCKS * MOST_KB / 2**20,
        "gb": largest / 2**30, "needed": math.ceil(largest / (BLOCKS * 2**20)),
    }  # fmt: skip
