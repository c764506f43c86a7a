"""backup.best_configuration: the best tested combination, the effect of each factor, and the next test.

Limits of backups to URL: "SQL Server Backup to URL" (2012 to 2014: one page blob) and "Backing up a
VLDB to Azure Blob Storage", SQL Server customer advisory team, 2017 (from 2016 on: block blobs).
"""

from __future__ import annotations

import math
from typing import Any

from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup.sides import READER, StudySides
from agtrace.diagnostics.backup.studies import (
    BUILT_IN,
    COUNT,
    MEDIA,
    SIZE,
    BackupStudy,
    Configuration,
    Sure,
    rounded,
)
from agtrace.measure.statistics import Interval, ratio
from agtrace.measures import Measure, Measured
from agtrace.say import words
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

STUDIES = 5
CHANGES = 12
SPOKEN = 5
"""Changes listed in the narrative; the evidence contains more."""

URL = "URL"
BLOCKS = 50_000
"""Most blocks of a block blob, each of MAXTRANSFERSIZE."""
MOST_MB = 4
"""Largest MAXTRANSFERSIZE."""
BLOCK_BLOBS = 13
"""First major version that supports block blobs."""

GAIN = Measure(
    "gain", "gain over the default", "%", "median of the best configuration against that of the default"
)
CHANGE = Measure("change", "change of the median", "%", "what the change of one factor does, all else equal")


def compared(judged: list[StudySides]) -> list[StudySides]:
    """Return the studies with several configurations, those with the most time first."""
    return [each for each in judged if len(each.study.real) > 1][:STUDIES]


def best_of(study: BackupStudy) -> Configuration:
    """Choose the configuration with the highest median; one run alone wins against no other."""
    repeated = [c for c in study.real if c.n > 1] or study.real
    return max(repeated, key=lambda c: (c.median, c.n))


def cheapest_near(
    configurations: list[Configuration], best: Configuration, limits: Thresholds
) -> Configuration:
    """Choose the configuration with the least memory that comes near the best one."""
    least = limits.backup_near_share * best.median
    near = [c for c in configurations if c.memory_mb is not None and c.median >= least]
    return min(near, key=lambda c: (c.memory_mb or math.inf, -c.median), default=best)


def configurations(judged: list[StudySides], limits: Thresholds) -> list[Judged]:
    """Judge each study with several configurations, those with the most time first."""
    return [_judged(each, limits) for each in compared(judged)]


def _judged(each: StudySides, limits: Thresholds) -> Judged:
    study = each.study
    best, default = best_of(study), study.default
    gain = ratio(default.sample, best.sample) if default is not None and default is not best else None
    cheap = _cheap(study, best, limits)
    use = cheap or best
    changes = fx.changes(fx.effects(study))
    of_media = [of for of in changes if of.factor == MEDIA]
    of_url = [of for of in changes if of.factor != MEDIA and _is_of_url(study, of)]
    told = sorted(changes, key=lambda of: (not of.reverses, of not in of_media + of_url, -of.size))[:CHANGES]
    evidence = [study.measured(best)]
    if gain is not None:
        evidence.append(GAIN(rounded(100 * (gain.value - 1)), _interval(gain)))
    evidence += [measured for of in told for measured in _evidence(study, of)]
    return Judged(
        said="best_configuration",
        id="backup.best_configuration",
        severity="notice" if gain is not None and gain.value > limits.backup_notable_ratio else "info",
        subject=study.subject,
        evidence=tuple(evidence),
        confidence=Sure.COUNTED.value if gain is not None and gain.away_from(1) else Sure.INFERRED.value,
        facts={"study": study, "best": best, "default": default, "gain": gain, "media": of_media}
        | {"cheap": cheap, "use": use, "buffers": _options(use), "host": study.subject.get("host")}
        | {"contrast": _contrast(study, of_media), "urls": of_url}
        | {"changes": [of for of in told if of not in of_media + of_url][:SPOKEN]}
        | {"stripes": fx.stripe_rule(study), "proposal": fx.next_test(study, best), "url": _url(study)}
        | {"is_read_limited": any(s.verdict == READER and s.configuration is best for s in each.sides)}
        | {"is_separated": bool(each.nulls), "is_single": best.n < 2},
    )


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


def _cheap(study: BackupStudy, best: Configuration, limits: Thresholds) -> Configuration | None:
    """Return the cheapest configuration near the best one, run more than once and with less memory."""
    if best.memory_mb is None:
        return None
    less = [c for c in study.real if c.memory_mb is not None and c.memory_mb < best.memory_mb and c.n > 1]
    cheap = cheapest_near(less, best, limits)
    return None if cheap is best else cheap


def _options(of: Configuration) -> str:
    """Return a configuration's buffers as options of BACKUP and RESTORE; "" if unknown."""
    count, kb = of.factors[COUNT], of.factors[SIZE]
    return "" if count is None or kb is None else f"BUFFERCOUNT = {count}, MAXTRANSFERSIZE = {kb * 1024}"


def _is_of_url(study: BackupStudy, of: fx.Change) -> bool:
    """Return whether a change was only measured for URLs, although other media were tested."""
    is_label = MEDIA in study.varying and of.factor not in BUILT_IN
    return is_label and all(e.first.factors[MEDIA] == URL for e in of.effects)


def _contrast(study: BackupStudy, of_media: list[fx.Change]) -> dict[str, Any] | None:
    """Compare the media at their best, regardless of other factors; None if only one was repeated."""
    repeated = [c for c in study.real if c.factors[MEDIA] is not None and c.n > 1]
    best = {c.factors[MEDIA]: c for c in sorted(repeated, key=lambda c: c.median)}
    if not of_media or len(best) < 2:
        return None
    slow, *_, fast = sorted(best.values(), key=lambda c: c.median)
    # The best with all else equal can still lose to a choice that only other media allow, such as stripes.
    sure = [e for of in of_media for e in of.effects if e.ratio.away_from(1)]
    winners = {str((e.second if e.ratio.value > 1 else e.first).factors[MEDIA]) for e in sure}
    loses = winners == {str(slow.factors[MEDIA])}
    gain = ratio(slow.sample, fast.sample).value
    return {
        "slow": slow,
        "fast": fast,
        "gain": gain,
        "not_in_general": slow.factors[MEDIA] if loses else None,
    }


def _url(study: BackupStudy) -> dict[str, Any] | None:
    """Return the limits of a backup to URL in the tested version; None if none was tested."""
    if study.first_run.operation != "backup" or not any(c.factors[MEDIA] == URL for c in study.real):
        return None
    head = (study.first_run.version or "").split(".")[0]
    major = int(head) if head.isdigit() else None
    sizes = study.columns.bytes
    largest = float(sizes.max()) if len(sizes) and not math.isnan(sizes.max()) else 0.0
    gb_at_1 = BLOCKS / 1024
    return {
        "is_known": major is not None,
        "has_blocks": major is not None and major >= BLOCK_BLOBS,
        **{"blocks": BLOCKS, "most_mb": MOST_MB, "gb_at_1": gb_at_1, "gb_at_most": MOST_MB * gb_at_1},
        **{"gb": largest / 2**30, "needed": math.ceil(largest / (BLOCKS * 2**20))},
    }
