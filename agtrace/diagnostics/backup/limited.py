"""backup.reader_limited and backup.writer_limited: which side caps the throughput."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.diagnostics.backup.formula import MB
from agtrace.diagnostics.backup.limits import (
    READER,
    RESTORE,
    UNDECIDED,
    WRITER,
    NullTest,
    Sides,
    Volume,
    busiest,
)
from agtrace.diagnostics.backup.measured import rounded
from agtrace.diagnostics.backup.studies import BackupStudy, Configuration
from agtrace.diagnostics.backup.wording import mb_s
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.thresholds import Thresholds

SHOWN = 5


@dataclass(eq=False)
class Judged:
    """A study with what is known about its sides.

    Parameters
    ----------
    names_test
        What to test next names the test that separates reading from writing: it stands there once.
    """

    study: BackupStudy
    sides: list[Sides]
    nulls: list[NullTest]
    names_test: bool = False

    @property
    def undecided(self) -> list[Sides]:
        """What neither the counters nor a backup to NUL decide."""
        decided = {t.configuration.number for t in self.nulls}
        return [s for s in self.sides if s.verdict == UNDECIDED and s.configuration.number not in decided]

    def verdict(self, configuration: Configuration, limits: Thresholds) -> str | None:
        """Say which side caps a configuration: a backup to NUL decides, else perfmon; None where neither saw it."""
        number = configuration.number
        for test in self.nulls:
            if test.configuration.number == number:
                return test.verdict(limits)
        return next((s.verdict for s in self.sides if s.configuration.number == number), None)

    @property
    def has_finding(self) -> bool:
        """Say whether a side was seen to cap any of it; a backup to NUL always decides."""
        return len(self.undecided) < len(self.sides) or bool(self.nulls)


def null_statement(database: str | None) -> str:
    """Word the test that separates reading from writing."""
    name = words.plain(database) if database else "..."
    return (
        f"BACKUP DATABASE [{name.replace(']', ']]')}] TO DISK = 'NUL' WITH COPY_ONLY, with the same BUFFERCOUNT and "
        "MAXTRANSFERSIZE"
    )


def decide(each: Judged, *, told: bool) -> str:
    """Say how to decide what the counters leave open; the test itself stands in one place.

    Parameters
    ----------
    told
        A finding on the same study has named the test.
    """
    if each.names_test:
        return "the test that separates reading from writing, under What to test next"
    if told:
        return "the test that the finding on its sides names"
    return deciding_test(each.study)


def deciding_test(study: BackupStudy) -> str:
    """Word the test that reads as the study does and writes nothing."""
    if study.operation == RESTORE:
        return "RESTORE VERIFYONLY FROM the same devices, with the same BUFFERCOUNT and MAXTRANSFERSIZE"
    return null_statement(study.database)


_WHERE = {
    (READER, False): "reading the database",
    (WRITER, False): "writing the backup",
    (READER, True): "reading the backup",
    (WRITER, True): "writing the database",
}
"""By side, and whether it is a restore."""
_REMEDY = {
    (
        READER,
        False,
    ): "More or faster targets, and more buffers, cannot help beyond this; spread the data files over "
    "more or faster volumes, or back up less (differential, compression where CPU is free).",
    (
        WRITER,
        False,
    ): "Use faster targets or more of them, on disks of their own, or compress where CPU is free.",
    (
        READER,
        True,
    ): "Faster data volumes, and more buffers, cannot help beyond this; read the backup from faster disks "
    "or from more of them (stripes), or compress it.",
    (WRITER, True): "Spread the data files over more or faster volumes, none of which holds the backup.",
}


def findings(judged: list[Judged], limits: Thresholds) -> list[Finding]:
    """Give one finding for each study and side that was seen to cap it."""
    found = []
    for each in judged:
        told = False
        for verdict in (READER, WRITER):
            sides = [s for s in each.sides if s.verdict == verdict]
            nulls = [t for t in each.nulls if t.verdict(limits) == verdict]
            if sides or nulls:
                found.append(_finding(each, verdict, sides, nulls, decide(each, told=told)))
                told = True
    return found


def say_sides(judged: list[Judged], limits: Thresholds) -> list[str]:
    """Say of each study that perfmon saw how many of its configurations which side caps."""
    told = []
    for each in judged:
        if not each.sides:
            continue
        verdicts = [each.verdict(s.configuration, limits) for s in each.sides]
        is_restore = each.study.operation == RESTORE
        counts = [(verdicts.count(v), _WHERE[v, is_restore]) for v in (READER, WRITER)]
        parts = [f"{where} caps {n:,}" for n, where in counts if n]
        if each.undecided:
            parts.append(f"{len(each.undecided):,} not decided")
        name = each.study.name
        text = f"{name[0].upper()}{name[1:]}, {words.count(len(each.sides), 'configuration')} seen by perfmon: {words.listing(parts)}."
        told.append(" ".join([text, *say_most(each.study, each.sides)]))
    return told


def _finding(each: Judged, verdict: str, sides: list[Sides], nulls: list[NullTest], how: str) -> Finding:
    study = each.study
    told, evidence = [], []
    for test in nulls[:SHOWN]:
        name = study.named(test.configuration)
        told.append(
            f"{name} reaches {100 * test.share:.0f} % of what a backup to NUL with the same buffers does "
            f"({mb_s(test.configuration.median)} against {mb_s(test.null.median)}), and to NUL nothing is written."
        )
        source = f"ERRORLOG, n = {test.configuration.n} and {test.null.n}"
        evidence.append(Evidence(f"{name}: share of the backup to NUL", rounded(test.share), "ratio", source))
    told += [_side_text(study, side) for side in sides[:1]]
    if len(sides) > 1:
        others = words.listing([study.named(s.configuration) for s in sides[1:]], 3)
        told.append(f"The same side caps {others}.")
    told += say_most(study, each.sides)
    for side in sides[:SHOWN]:
        evidence += _side_evidence(study, side)
    evidence += _most_evidence(study, each.sides)
    rest = [study.named(s.configuration) for s in each.undecided]
    if rest:
        told.append(f"For {words.listing(rest, 3)} it stays undecided.")
    kind = (verdict, study.operation == RESTORE)
    where, remedy = _WHERE[kind], _REMEDY[kind]
    if rest:
        remedy += f" To decide the others: {how}."
    sure = 0.85 if nulls else 0.6 if any(s.is_inferred for s in sides) else 0.75
    return Finding(
        f"backup.{verdict}_limited",
        "notice",
        f"{where.capitalize()} caps the {study.name}",
        " ".join(told),
        study.subject,
        {},
        tuple(evidence),
        remedy,
        sure,
    )


def say_most(study: BackupStudy, sides: list[Sides]) -> list[str]:
    """Say what one volume delivered at most, and what one took, over all configurations that were seen."""
    if len(sides) < 2:
        return []
    told = []
    for way, verb in (("read", "delivered"), ("write", "took")):
        most = busiest(sides, way)
        if most is not None:
            rate = mb_s(getattr(most[1], f"{way}_rate") / MB)
            told.append(f"{verb} {rate} at most ({study.named(most[0].configuration)})")
    return [f"Over all of them, one volume {' and one '.join(told)}."] if told else []


def _most_evidence(study: BackupStudy, sides: list[Sides]) -> list[Evidence]:
    found = []
    for way in ("read", "write"):
        most = busiest(sides, way) if len(sides) > 1 else None
        if most is not None:
            side, volume = most
            source = f"perfmon, {words.plain(volume.name, 40)}, {study.named(side.configuration)}, n = {side.samples}"
            rate = rounded(getattr(volume, f"{way}_rate"))
            found.append(Evidence(f"most {way} of one volume, mean of a configuration", rate, "B/s", source))
    return found  # fmt: skip


def _side_text(study: BackupStudy, side: Sides) -> str:
    text = f"{study.named(side.configuration)} at {mb_s(side.mb_per_s)}: {side.reason}: "
    text += f"{_volumes(side.sources, 'read')}; {_volumes(side.targets, 'write')}"
    if side.cpu is not None:
        text += f"; CPU {side.cpu:.0f} %"
    if side.card_share is not None:
        text += f"; network card {100 * side.card_share:.0f} %"
    if side.is_inferred:
        moved = "written" if study.operation == RESTORE else "read"
        text += f"; which disks hold the database is inferred from what was {moved}"
    return text + f" ({words.count(side.runs, 'run')}, {words.count(side.samples, 'sample')})."


def _volumes(volumes: list[Volume], way: str) -> str:
    known = [v for v in volumes if getattr(v, f"{way}_s") is not None]
    if not known:
        return f"{way}s were not captured"
    latency = _range([getattr(v, f"{way}_s") * 1000 for v in known], "ms")
    rates = [getattr(v, f"{way}_rate") / MB for v in known]
    text = f"{words.count(len(known), 'volume')}, {latency} a {way}, {_range(rates, 'MB/s')}"
    return text + (f" each, {mb_s(sum(rates))} in all" if len(known) > 1 else "")


def _range(values: list[float], unit: str) -> str:
    low, high = words.number(min(values)), words.number(max(values))
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def _side_evidence(study: BackupStudy, side: Sides) -> list[Evidence]:
    name = study.named(side.configuration)
    found = []
    for volumes, way, seconds in ((side.sources, "read", side.read_s), (side.targets, "write", side.write_s)):
        named = words.listing([words.plain(v.name, 40) for v in volumes], 8)
        source = f"perfmon, {named}, n = {side.samples}"
        if seconds is not None:
            label = f"{name}: time of a {way}, mean"
            found.append(Evidence(label, rounded(seconds * 1000), "ms", source))
        if volumes:
            rate = sum(getattr(v, f"{way}_rate") for v in volumes)
            label = f"{name}: {way} by all of {named}, mean"
            found.append(Evidence(label, rounded(rate), "B/s", source))
    if side.cpu is not None:
        source = f"perfmon, % Processor Time, n = {side.samples}"
        found.append(Evidence(f"{name}: CPU, mean", rounded(side.cpu), "%", source))
    if side.card_share is not None:
        source = f"perfmon, network cards, n = {side.samples}"
        label = f"{name}: network card, share of its bandwidth"
        found.append(Evidence(label, rounded(side.card_share), "ratio", source))
    return found
