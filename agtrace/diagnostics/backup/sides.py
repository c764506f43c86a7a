"""backup.reader_limited and backup.writer_limited: what either side did while backups ran, and which of them caps it.

A backup reads the database and writes the backup, a restore the other way round. What a side was seen to do is
measured here once; findings, the table and the figure of the sides take it from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from agtrace.diagnostics.backup import studies as st
from agtrace.diagnostics.backup import volumes as vs
from agtrace.diagnostics.backup.studies import BackupStudy, Configuration, Sure
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side, Volume, Watched
from agtrace.history import View
from agtrace.measures import Measure, Measured
from agtrace.say import words
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

READER, WRITER, UNDECIDED = "reader", "writer", "undecided"
SHOWN = 5


@dataclass(eq=False, kw_only=True)
class Seen:
    """What perfmon saw on both sides while a configuration ran alone on its server.

    Parameters
    ----------
    verdict, reason
        Which side caps it, and a key of ``reasons`` in said/limited.toml.
    cpu
        Of the processors, %.
    card_busy
        Of its bandwidth, %, of the busiest card in the direction in which the backup goes.
    network_rate
        Bytes on the wire per second in that direction, all cards.
    is_inferred
        True where the files of the database are not known, and the volumes that were read (written
        by a restore) stand for them.
    mb_per_s
        Mean throughput of the runs that perfmon saw, MB of 2^20 bytes.
    """

    configuration: Configuration
    read: Side
    write: Side
    cpu: float | None
    card_busy: float | None
    network_rate: float | None
    is_inferred: bool
    samples: int
    runs: int
    mb_per_s: float
    verdict: str = UNDECIDED
    reason: str = ""

    @property
    def ways(self) -> tuple[Side, Side]:
        """Both sides, reading first."""
        return self.read, self.write


@dataclass(frozen=True)
class NullTest:
    """A configuration against a backup to the null device with the same buffers."""

    configuration: Configuration
    null: Configuration
    share: float

    def verdict(self, limits: Thresholds) -> str:
        """Nothing is written to NUL: what is as fast is held back by reading."""
        return READER if self.share >= limits.backup_nul_share else WRITER


@dataclass(eq=False)
class StudySides:
    """A study with what is known about its sides.

    Parameters
    ----------
    names_test
        What to test next names the test that separates reading from writing: it stands there once.
    """

    study: BackupStudy
    sides: list[Seen]
    nulls: list[NullTest]
    names_test: bool = False

    @property
    def undecided(self) -> list[Seen]:
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

    def most(self) -> list[tuple[Measure, Seen, Volume]]:
        """Give, for each way, the volume that moved most over several configurations."""
        found = []
        for way in (READ, WRITE) if len(self.sides) > 1 else ():
            moved = [(v, s) for s in self.sides for side in s.ways if side.way == way for v in side.volumes]
            volume, seen = max(moved, key=lambda each: each[0].rate, default=(None, None))
            if volume is not None and seen is not None and volume.rate > 0:
                found.append((vs.MOST[way], seen, volume))
        return found

    def how_to_decide(self, *, told: bool) -> str:
        """Say how to decide what the counters leave open; the test itself stands in one place.

        Parameters
        ----------
        told
            A finding on the same study has named the test.
        """
        where = "next" if self.names_test else "finding" if told else ""
        return st.SAID.text(f"deciding.{where}", {}) if where else deciding_test(self.study)


def deciding_test(study: BackupStudy) -> str:
    """Give the test that reads as the study does and writes nothing."""
    return st.SAID.text(f"deciding.{study.act}", {"database": study.database or "..."})


def study_sides(
    view: View, studies: Iterable[BackupStudy], alone: list[dict[str, Any]], limits: Thresholds
) -> list[StudySides]:
    """Give each study with what perfmon and backups to NUL say about its sides; ``alone`` is of alone.sql."""
    seen = vs.watch(view, alone)
    places = {row["operation_id"]: row for row in alone}
    return [
        StudySides(
            study,
            [
                _judge(study, c, own, seen, places, limits)
                for c in fastest(study)
                if (own := _own(study, c, seen))
            ],
            null_tests(study),
        )
        for study in studies
    ]


def _own(study: BackupStudy, configuration: Configuration, seen: Mapping[int, object]) -> list[int]:
    """Give the operations of a configuration that perfmon saw."""
    ids = study.columns["operation_id"][configuration.runs]
    return [int(i) for i in ids if int(i) in seen]


def fastest(study: BackupStudy) -> list[Configuration]:
    """Give the configurations that wrote a backup, the fastest first."""
    return sorted(study.real, key=lambda c: -c.median)


def _judge(
    study: BackupStudy, configuration: Configuration, own: list[int], seen: Watched,
    places: Mapping[int, dict[str, Any]], limits: Thresholds,
) -> Seen:  # fmt: skip
    """Put together what was seen of all runs of a configuration, each sample of the same weight, and judge it."""
    found = [each for i in own for each in seen[i]]
    files, devices = places[own[0]]["file_names"] or [], (places[own[0]]["device_names"] or "").split("|")
    is_restore = study.act == st.RESTORE
    of_database, of_backup = (WRITE, READ) if is_restore else (READ, WRITE)
    backup = [v for v in vs.volumes(found, of_backup) if any(vs.lies_on(path, v.name) for path in devices)]
    lies = [v for v in vs.volumes(found, of_database) if any(vs.lies_on(path, v.name) for path in files)]
    is_inferred = not lies
    if is_inferred:
        # What moves a tenth of the busiest volume and holds no backup is taken for the database's.
        rest = [v for v in vs.volumes(found, of_database) if v.name not in {each.name for each in backup}]
        most = max((v.rate for v in rest), default=0.0)
        lies = [v for v in rest if v.rate >= most / 10 > 0]
    direction = "received" if is_restore else "sent"
    judged = Seen(
        configuration=configuration,
        read=Side(READ, tuple(backup if is_restore else lies)),
        write=Side(WRITE, tuple(lies if is_restore else backup)),
        cpu=vs.mean(found, "cpu"),
        card_busy=vs.mean(found, f"card_{direction}_busy"),
        network_rate=vs.mean(found, f"network_{direction}"),
        is_inferred=is_inferred,
        samples=sum(max(each.n for each in seen[i]) for i in own),
        runs=len(own),
        mb_per_s=float(study.columns["mb_per_s"][np.isin(study.columns["operation_id"], own)].mean()),
    )
    judged.verdict, judged.reason = _verdict(judged, study.act, devices, limits)
    return judged


def _verdict(seen: Seen, act: str, devices: list[str], limits: Thresholds) -> tuple[str, str]:
    if seen.samples < limits.usage_samples:
        return UNDECIDED, "few"
    remote = any(path.startswith(("\\\\", "http")) for path in devices)
    if remote and seen.card_busy is not None and seen.card_busy / 100 >= limits.backup_card_share:
        return READER if act == st.RESTORE else WRITER, "card"
    read, write = seen.read.ms, seen.write.ms
    if read is None or write is None:
        return UNDECIDED, f"{act} without {READ if read is None else WRITE}"
    if read >= limits.backup_busy_ms and read >= limits.backup_side_ratio * write:
        return READER, f"{act} {READ}"
    if write >= limits.backup_busy_ms and write >= limits.backup_side_ratio * read:
        return WRITER, f"{act} {WRITE}"
    return UNDECIDED, "neither"


def null_tests(study: BackupStudy) -> list[NullTest]:
    """Compare every configuration with the backup to NUL that has its buffers."""
    nulls = [c for c in study.configurations if c.factors["media"] == st.NUL]
    names = ("buffer_count", "max_transfer_size_kb", "compression")
    return [
        NullTest(c, null, c.median / null.median)
        for c in study.real
        for null in nulls
        if all(c.factors[name] == null.factors[name] for name in names)
    ]


def limited(judged: list[StudySides], limits: Thresholds) -> list[Judged]:
    """Judge each study and side that was seen to cap it."""
    found = []
    for each in judged:
        told = False
        for verdict in (READER, WRITER):
            sides = [s for s in each.sides if s.verdict == verdict]
            nulls = [t for t in each.nulls if t.verdict(limits) == verdict]
            if sides or nulls:
                found.append(_judged(each, verdict, sides, nulls, each.how_to_decide(told=told)))
                told = True
    return found


def _judged(each: StudySides, verdict: str, sides: list[Seen], nulls: list[NullTest], how: str) -> Judged:
    study = each.study
    ratios = [
        vs.OF_NUL.of("ratio")(
            st.rounded(t.share),
            f"ERRORLOG, n = {t.configuration.n} and {t.null.n}",
            study.named(t.configuration),
        )
        for t in nulls[:SHOWN]
    ]
    seen = Sure.INFERRED if any(s.is_inferred for s in sides) else Sure.WAITED_FOR
    return Judged(
        said="limited",
        id=f"backup.{verdict}_limited",
        severity="notice",
        subject=study.subject,
        evidence=(*ratios, *(of for s in sides[:SHOWN] for of in _evidence(study, s)), *_most(each)),
        confidence=(Sure.WRITES_NOTHING if nulls else seen).value,
        facts={
            "side": f"{study.act} {verdict}", "study": study.name, "is_restore": study.act == st.RESTORE,
            "nulls": [(study.named(t.configuration), t.share, t.configuration.median, t.null.median) for t in nulls[:SHOWN]],
            "seen": sides[0] if sides else None, "name": study.named(sides[0].configuration) if sides else "",
            "others": [study.named(s.configuration) for s in sides[1:]], "over_all": over_all(each),
            "rest": [study.named(s.configuration) for s in each.undecided], "how": how,
        },
    )  # fmt: skip


def over_all(each: StudySides) -> str:
    """Say what one volume moved at most, over all configurations that were seen."""
    most = [(of.name, volume.mb_per_s, each.study.named(s.configuration)) for of, s, volume in each.most()]
    return st.SAID.text("limited.over_all", {"most": most})


def say_sides(judged: list[StudySides], limits: Thresholds) -> list[str]:
    """Say of each study that perfmon saw how many of its configurations which side caps."""
    told = []
    for each in judged:
        if each.sides:
            verdicts = [each.verdict(s.configuration, limits) for s in each.sides]
            caps = [(f"{each.study.act} {side}", verdicts.count(side)) for side in (READER, WRITER)]
            facts = {
                "study": each.study.name, "n": len(each.sides), "over_all": over_all(each),
                "caps": [(side, n) for side, n in [*caps, ("", len(each.undecided))] if n],
            }  # fmt: skip
            told.append(st.SAID.text("limited.by_study", facts))
    return told


def _most(each: StudySides) -> list[Measured]:
    return [
        of.of("B/s")(
            st.rounded(volume.rate),
            f"perfmon, {st.flat(volume.name)}, {each.study.named(seen.configuration)}, n = {seen.samples}",
        )
        for of, seen, volume in each.most()
    ]


def _evidence(study: BackupStudy, seen: Seen) -> list[Measured]:
    name = study.named(seen.configuration)
    found = []
    for side in seen.ways:
        volumes = words.listing(side.names, 8)
        source = f"perfmon, {volumes}, n = {seen.samples}"
        if side.ms is not None:
            found.append(vs.TIME[side.way](st.rounded(side.ms), source, name))
        if side.rate is not None:
            rate = vs.RATE[side.way].about(volumes=volumes).of("B/s")
            found.append(rate(st.rounded(side.rate), source, name))
    if seen.cpu is not None:
        found.append(vs.CPU(st.rounded(seen.cpu), f"perfmon, % Processor Time, n = {seen.samples}", name))
    if seen.card_busy is not None:
        source = f"perfmon, network cards, n = {seen.samples}"
        found.append(vs.CARD.of("ratio")(st.rounded(seen.card_busy / 100), source, name))
    return found
