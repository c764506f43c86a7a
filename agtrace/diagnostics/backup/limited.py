"""backup.reader_limited and backup.writer_limited: which side caps the throughput."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.diagnostics import words
from agtrace.diagnostics.backup.formula import MB
from agtrace.diagnostics.backup.limits import (
    READER,
    RESTORE,
    UNDECIDED,
    WRITER,
    NullTest,
    Sides,
    Volume,
)
from agtrace.diagnostics.backup.measured import rounded
from agtrace.diagnostics.backup.studies import BackupStudy
from agtrace.diagnostics.backup.wording import mb_s
from agtrace.diagnostics.finding import Evidence, Finding
from agtrace.thresholds import Thresholds

SHOWN = 5


@dataclass(eq=False)
class Judged:
    """A study with what is known about its sides."""

    study: BackupStudy
    sides: list[Sides]
    nulls: list[NullTest]

    @property
    def undecided(self) -> list[Sides]:
        return [s for s in self.sides if s.verdict == UNDECIDED]


def null_statement(database: str | None) -> str:
    """Word the test that separates reading from writing."""
    name = words.plain(database) if database else "..."
    return (
        f"BACKUP DATABASE [{name.replace(']', ']]')}] TO DISK = 'NUL' WITH COPY_ONLY, with the same BUFFERCOUNT and "
        "MAXTRANSFERSIZE"
    )


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
    (
        WRITER,
        True,
    ): "Spread the data files over more or faster volumes, none of which holds the backup.",
}


def findings(judged: list[Judged], limits: Thresholds) -> list[Finding]:
    """Give one finding for each study and side that was seen to cap it."""
    found = []
    for each in judged:
        for verdict in (READER, WRITER):
            sides = [s for s in each.sides if s.verdict == verdict]
            nulls = [t for t in each.nulls if t.verdict(limits) == verdict]
            if sides or nulls:
                found.append(_finding(each, verdict, sides, nulls, limits))
    return found


def _finding(
    each: Judged, verdict: str, sides: list[Sides], nulls: list[NullTest], limits: Thresholds
) -> Finding:
    study = each.study
    told, evidence = [], []
    for test in nulls[:SHOWN]:
        name = study.named(test.configuration)
        told.append(
            f"{name} reaches {100 * test.share:.0f} % of what a backup to NUL with the same buffers does "
            f"({mb_s(test.configuration.median)} against {mb_s(test.null.median)}), and to NUL nothing is written."
        )
        source = f"ERRORLOG, n = {test.configuration.n} and {test.null.n}"
        evidence.append(
            Evidence(f"{name}: share of the backup to NUL", rounded(test.share), "ratio", source)
        )
    for side in sides[:SHOWN]:
        told.append(_side_text(study, side))
        evidence += _side_evidence(study, side)
    rest = [study.named(s.configuration) for s in each.undecided]
    if rest:
        told.append(f"For {words.listing(rest, 3)} it stays undecided.")
    kind = (verdict, study.operation == RESTORE)
    where, remedy = _WHERE[kind], _REMEDY[kind]
    if rest:
        remedy += f" To decide the others: {deciding_test(study)}."
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
    for volumes, way, seconds in (
        (side.sources, "read", side.read_s),
        (side.targets, "write", side.write_s),
    ):
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
