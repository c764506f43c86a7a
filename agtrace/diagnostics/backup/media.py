"""Disk against URL: what the media do, all else equal and at their best, and what a URL allows.

Limits of backups to URL: "SQL Server Backup to URL" (2012 to 2014: one page blob) and "Backing up a
VLDB to Azure Blob Storage", SQL Server customer advisory team, 2017 (from 2016 on: block blobs).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup.studies import BUILT_IN, BackupStudy, Configuration
from agtrace.diagnostics.backup.wording import around, change, changed, mb_s, percent
from agtrace.measure.statistics import ratio
from agtrace.say import words

MEDIA, URL = "media", "URL"
BLOCKS = 50_000
"""Blocks of a block blob, each of MAXTRANSFERSIZE."""
MOST_KB = 4096
"""Largest MAXTRANSFERSIZE."""
MOST_URLS = 64
PAGE_BLOB_TB = 1
BLOCK_BLOBS = 13
"""First major version that writes block blobs."""


@dataclass(frozen=True)
class Contrast:
    """The fastest configuration of one media against the fastest of another, whatever else differs."""

    slow: Configuration
    fast: Configuration


def contrast(study: BackupStudy) -> Contrast | None:
    """Compare the media at their best; None where only one was tested more than once."""
    best: dict[str, Configuration] = {}
    for c in sorted(study.real, key=lambda c: c.median):
        if c.factors[MEDIA] is not None and c.n > 1:
            best[c.factors[MEDIA]] = c
    ordered = sorted(best.values(), key=lambda c: c.median)
    return Contrast(ordered[0], ordered[-1]) if len(ordered) > 1 else None


def is_told(study: BackupStudy, of: fx.Change) -> bool:
    """Say whether a change is told with the media: that of the media, and what was changed of a URL only."""
    if of.factor == MEDIA:
        return True
    if MEDIA not in study.varying or of.factor in BUILT_IN:
        return False
    return all(e.first.factors[MEDIA] == URL for e in of.effects)


def say_media(study: BackupStudy, found: list[fx.Change]) -> list[str]:
    """Say what the media do where all else is equal, whether that holds at their best, and what of a URL matters."""
    told = [_say_change(study, of) for of in found if of.factor == MEDIA]
    best = contrast(study) if told else None
    if best is not None:
        told.append(_say_best(study, best, found))
    told += [
        f"To URL, {changed(of)}: {mb_s(e.second.median)} against {mb_s(e.first.median)}, {change(e.ratio)}."
        for of in found
        if of.factor != MEDIA and is_told(study, of)
        for e in of.effects
    ]
    return told


def _say_change(study: BackupStudy, of: fx.Change) -> str:
    first, second = of.levels
    parts = [
        f"{mb_s(e.second.median)} against {mb_s(e.first.median)}, {change(e.ratio)}, at {around(e, study.varying)}"
        for e in of.effects
    ]
    return f"{words.plain(second)} against {words.plain(first)}, all else equal: {'; '.join(parts)}."


def _say_best(study: BackupStudy, best: Contrast, found: list[fx.Change]) -> str:
    slow, fast = best.slow, best.fast
    gain = ratio(slow.sample, fast.sample)
    text = (
        f"At their best, {study.named(fast)} reaches {mb_s(fast.median)} and {study.named(slow)} "
        f"{mb_s(slow.median)}: {percent(gain.value)}"
    )
    # What wins all else equal may still lose to what only the other media allows, as stripes do.
    winners = {
        str((e.second if e.ratio.value > 1 else e.first).factors[MEDIA])
        for of in found
        if of.factor == MEDIA
        for e in of.effects
        if e.ratio.away_from(1)
    }
    if winners == {str(slow.factors[MEDIA])}:
        text += f", so {words.plain(slow.factors[MEDIA])} is not the faster one in general"
    return text + "."


def say_url_limits(study: BackupStudy) -> str:
    """Say what a backup to URL allows in the version that was tested; "" where none was tested."""
    if study.operation != "backup" or not any(c.factors[MEDIA] == URL for c in study.real):
        return ""
    major = _major(study.version)
    told = []
    if major is None or major < BLOCK_BLOBS:
        told.append(
            f"a page blob ({'up to 2014' if major is None else 'all that this version writes'}) takes one URL and "
            f"{PAGE_BLOB_TB} TB, and neither MAXTRANSFERSIZE nor BLOCKSIZE"
        )
    told.append(_say_blocks(study, major))
    text = f"Limits of URL: {'; '.join(told)}. An existing blob is only overwritten (WITH FORMAT), never appended to"
    return text + ", and traffic that leaves the data centre is billed."


def _say_blocks(study: BackupStudy, major: int | None) -> str:
    since = "" if major is not None and major >= BLOCK_BLOBS else " (from 2016 on)"
    text = (
        f"block blobs{since} take up to {MOST_URLS} URLs and MAXTRANSFERSIZE up to {MOST_KB // 1024} MB, each URL "
        f"{BLOCKS:,} blocks of it: {_blob_gb(1024)} GB at 1 MB, {_blob_gb(MOST_KB)} GB at 4 MB"
    )
    sizes = study.columns["bytes"]
    largest = float(sizes.max()) if len(sizes) and not math.isnan(sizes.max()) else 0.0
    if largest:
        text += (
            f" ({_needed(largest, 1024)} for the {largest / 2**30:,.1f} GB here at 1 MB, before compression)"
        )
    return text


def _blob_gb(size_kb: int) -> str:
    return words.number(BLOCKS * size_kb / 2**20)


def _needed(largest: float, size_kb: int) -> str:
    return words.count(math.ceil(largest / (BLOCKS * size_kb * 1024)), URL)


def _major(version: str | None) -> int | None:
    head = (version or "").split(".")[0]
    return int(head) if head.isdigit() else None
