"""backup.best_configuration: the best tested combination, what each factor does, what to test next."""

from __future__ import annotations

from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup import media
from agtrace.diagnostics.backup.limited import Judged, deciding_test
from agtrace.diagnostics.backup.limits import READER
from agtrace.diagnostics.backup.measured import rounded
from agtrace.diagnostics.backup.studies import BackupStudy, Configuration, buffers_text
from agtrace.diagnostics.backup.wording import (
    around,
    between,
    change,
    changed,
    factor_name,
    level,
    mb_s,
    percent,
)
from agtrace.history.runs import shown
from agtrace.measure.statistics import Interval, ratio
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

STUDIES = 5
CHANGES = 12
SPOKEN = 5
"""Changes that the narrative tells; the evidence holds more."""
NEAR = 0.95
"""A cheaper configuration at least this share as fast as the best one is worth naming."""


def compared(judged: list[Judged]) -> list[Judged]:
    """Give the studies with several configurations, those with the most time first."""
    return [each for each in judged if len(each.study.real) > 1][:STUDIES]


def findings(judged: list[Judged]) -> list[Finding]:
    """Give one finding for each study with several configurations, those with the most time first."""
    return [_finding(each) for each in compared(judged)]


def best_of(study: BackupStudy) -> Configuration:
    """Choose the configuration with the highest median; one run alone wins against no other."""
    repeated = [c for c in study.real if c.n > 1] or study.real
    return max(repeated, key=lambda c: (c.median, c.n))


def _finding(each: Judged) -> Finding:
    study = each.study
    best, default = best_of(study), study.default
    middle = best.sample.interval(0.5)
    evidence = [
        Evidence(f"{study.named(best)}, p50", rounded(middle.value), "MB/s", _source(best, between(middle)))
    ]
    told = [f"{study.named(best)} has the highest median, {mb_s(best.median)} (n = {best.n})."]
    gain: Interval | None = None
    if default is not None and default is not best:
        gain = ratio(default.sample, best.sample)
        told.append(
            f"Against the default, {study.named(default)} ({mb_s(default.median)}, n = {default.n}), that is {change(gain)}."
        )
        evidence.append(
            Evidence("gain over the default", rounded(100 * (gain.value - 1)), "%", _interval(gain))
        )
    elif default is None:
        told.append("No configuration with default buffers was run, so the gain over it is open.")
    told += say_memory(study, best)
    found = fx.changes(fx.effects(study))
    told += media.say_media(study, found)
    spoken = 0
    for of in _important(study, found)[:CHANGES]:
        if not media.is_told(study, of) and spoken < SPOKEN:
            told.append(say_change(study, of))
            spoken += 1
        evidence += [
            Evidence(
                f"{changed(of)} ({around(e, study.varying)})" if around(e, study.varying) else changed(of),
                rounded(100 * (e.ratio.value - 1)), "%", _interval(e.ratio),
            )
            for e in of.effects
        ]  # fmt: skip
    rule = fx.stripe_rule(study)
    if rule is not None:
        told.append(say_stripes(study, rule))
    sure = 0.9 if gain is not None and gain.away_from(1) else 0.6
    title = f"{study.named(best)} is the fastest tested for the {study.name}"
    if gain is not None:
        title += f": {percent(gain.value)} over the default"
    return Finding(
        "backup.best_configuration", "notice" if gain is not None and gain.value > 1.1 else "info", title,
        " ".join(told), study.subject, {}, tuple(evidence), say_next(each, best), sure,
    )  # fmt: skip


def _source(configuration: Configuration, more: str) -> str:
    return ", ".join(filter(None, ("ERRORLOG, MB of 2^20 bytes", f"n = {configuration.n}", more)))


def _interval(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "ratio of medians; too few runs for an interval"
    return f"ratio of medians, 95 % interval {percent(interval.low)} to {percent(interval.high)}"


def _important(study: BackupStudy, found: list[fx.Change]) -> list[fx.Change]:
    """Put what depends on the rest first, then what is told with the media, then what changes most."""
    return sorted(
        found,
        key=lambda of: (
            not of.reverses,
            not media.is_told(study, of),
            -max(abs(e.ratio.value - 1) for e in of.effects),
        ),
    )


def say_change(study: BackupStudy, of: fx.Change) -> str:
    """Say what a change of one factor does, and whether that depends on the others."""
    parts = []
    for effect in of.effects:
        where = around(effect, study.varying)
        parts.append(change(effect.ratio) + (f" at {where}" if where else ""))
    text = f"{changed(of)[0].upper()}{changed(of)[1:]}: {'; '.join(parts)}"
    if of.reverses:
        text += ". What it does depends on the rest, so no effect of its own is claimed"
        if of.interaction is not None and of.interaction.is_known:
            low, high = of.interaction.low or 0.0, of.interaction.high or 0.0
            text += (
                f" (interaction: a factor of {words.number(of.interaction.value)} between the two, 95 % interval "
                f"{words.number(low)} to {words.number(high)})"
            )
    elif not any(e.ratio.away_from(1) for e in of.effects):
        text += ", which is no difference that these runs can show"
    return text + "."


def say_memory(study: BackupStudy, best: Configuration) -> list[str]:
    """Say what memory the best one takes, and which cheaper one comes near it."""
    if best.memory_mb is None:
        return []
    told = [f"Its buffers take {words.number(best.memory_mb, 'MB')}."]
    near = [
        c
        for c in study.real
        if c.memory_mb is not None
        and c.memory_mb < best.memory_mb
        and c.n > 1
        and c.median >= NEAR * best.median
    ]
    if near:
        cheap = min(near, key=lambda c: (c.memory_mb or 0, -c.median))
        told.append(
            f"{study.named(cheap)} takes {words.number(cheap.memory_mb, 'MB')} and reaches "
            f"{mb_s(cheap.median)}, {100 * cheap.median / best.median:.0f} % of it."
        )
    return told


def say_stripes(study: BackupStudy, rule: fx.Stripes) -> str:
    """Say whether more targets than the rule of thumb allows were faster."""
    text = (
        f"The rule of thumb of one target for each two source files would stop at "
        f"{words.count(rule.recommended, 'target')} for {words.count(rule.files, 'file')}; "
    )
    if not rule.gains:
        return text + "more targets were not faster, so these runs agree with it."
    most = max(rule.gains, key=lambda e: e.ratio.value)
    return (
        text
        + f"these runs do not confirm it: from {most.levels[0]} to {most.levels[1]} targets {change(most.ratio)} "
        f"at {around(most, study.varying)} ({len(rule.gains)} of {words.count(len(rule.beyond), 'comparison')} beyond "
        "the rule gained)."
    )


def say_next(each: Judged, best: Configuration) -> str:
    """Say which test is worth most."""
    study = each.study
    capped = any(s.verdict == READER and s.configuration is best for s in each.sides)
    told = []
    if not each.nulls:
        told.append(f"Separate reading from writing: {deciding_test(study)}.")
    proposal = fx.next_test(study, best)
    if proposal is not None:
        value = level(proposal.changed, shown(proposal.factors[proposal.changed]))
        changed_to = f"{factor_name(proposal.changed)} {value}"
        name = f"{proposal.factors['stripes']} x {words.plain(proposal.factors['media'])}, {buffers_text(proposal.factors)}"
        told.append(
            f"Next combination worth a test: {name} (the best one with {changed_to}); factors without interactions "
            f"let expect about {mb_s(proposal.expected)}"
            + (f" with {words.number(proposal.memory_mb, 'MB')} of buffers." if proposal.memory_mb else ".")
        )
    if capped:
        told.append(
            "The best one is held back by reading: test more or faster data volumes rather than more buffers."
        )
    limits = media.say_url_limits(study)
    return " ".join([*told, limits] if limits else told)
