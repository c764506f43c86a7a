"""backup.reader_limited and backup.writer_limited: activity of both sides during backups, and which is the
limit.

A backup reads the database and writes the backup, a restore the other way round. The activity of a side is
measured here once, for findings, table and figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from agtrace.diagnostics.backup import studies as st
from agtrace.diagnostics.backup import volumes as vs
from agtrace.diagnostics.backup.rows import Alone
from agtrace.diagnostics.backup.studies import BackupStudy, Configuration, Sure
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side, Volume, Watched
from agtrace.history import View
from agtrace.measures import Measure, Measured
from agtrace.say import words
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

READER, WRITER, UNDECIDED = "reader", "writer", "undecided"
SHOWN = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class Seen:
    """Perfmon measurements of both sides while a configuration ran alone on its server.

    Parameters
    ----------
    verdict, reason
        The limiting side, and a key of ``reasons`` in said/limited.toml.
    cpu
        Processor utilisation, %.
    card_busy
        Utilisation of the busiest network card in the direction of the backup, % of its bandwidth.
    network_rate
        Bytes on the wire per second in that direction, all cards.
    is_inferred
        True if the files of the database are unknown; the volumes read (or written by a restore) are used
        instead.
    mb_per_s
        Mean throughput of the runs covered by perfmon, MB of 2^20 bytes.
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
    verdict: str
    reason: str

    @property
    def ways(self) -> tuple[Side, Side]:
        """Both sides, reading first."""
        return self.read, self.write


@dataclass(frozen=True)
class NullTest:
    """A configuration against a backup to the null device with the same buffers.

    Nothing is written to NUL: a configuration of the same speed is limited by reading.
    """

    configuration: Configuration
    null: Configuration
    share: float
    verdict: str


@dataclass(eq=False)
class StudySides:
    """A study with the measurements of its sides.

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
        """Return the configurations decided neither by counters nor by a backup to NUL."""
        decided = [t.configuration for t in self.nulls]
        return [s for s in self.sides if s.verdict == UNDECIDED and s.configuration not in decided]

    def verdict(self, configuration: Configuration) -> str | None:
        """Return the side that caps a configuration, by a backup to NUL, else perfmon; None if unseen."""
        told: list[NullTest | Seen] = [*self.nulls, *self.sides]
        return next((each.verdict for each in told if each.configuration is configuration), None)

    @property
    def has_finding(self) -> bool:
        """Return whether a side limits any of its configurations; a backup to NUL always decides."""
        return len(self.undecided) < len(self.sides) or bool(self.nulls)

    def most(self) -> list[tuple[Measure, Seen, Volume]]:
        """Return, for each way, the volume that moved most over several configurations."""
        found = []
        for way in (READ, WRITE) if len(self.sides) > 1 else ():
            moved = [(v, s) for s in self.sides for side in s.ways if side.way == way for v in side.volumes]
            volume, seen = max(moved, key=lambda each: each[0].rate, default=(None, None))
            if volume is not None and seen is not None and volume.rate > 0:
                found.append((vs.MOST[way], seen, volume))
        return found

    def how_to_decide(self, *, told: bool) -> str:
        """Explain how to decide cases that counters cannot; refers to the test if ``told`` before."""
        where = "next" if self.names_test else "finding" if told else self.study.act
        return st.SAID.text(f"deciding.{where}", {"database": self.study.database})


def study_sides(
    view: View, studies: Iterable[BackupStudy], alone: list[Alone], limits: Thresholds
) -> list[StudySides]:
    """Return each study with its sides per perfmon and backups to NUL; ``alone`` is of alone.sql."""
    watched = vs.watch(view, alone)
    places = {row.operation_id: row for row in alone}
    found = []
    for study in studies:
        # The operations of each configuration that perfmon saw.
        ids = {c: study.columns.operation_id[c.runs].astype(int).tolist() for c in fastest(study)}
        own = {c: [number for number in numbers if number in watched] for c, numbers in ids.items()}
        seen = [_judge(study, c, seen, watched, places[seen[0]], limits) for c, seen in own.items() if seen]
        found.append(StudySides(study, seen, null_tests(study, limits)))
    return found


def fastest(study: BackupStudy) -> list[Configuration]:
    """Return the configurations that wrote a backup, fastest first."""
    return sorted(study.real, key=lambda c: -c.median)


def _judge(
    study: BackupStudy,
    configuration: Configuration,
    own: list[int],
    watched: Watched,
    place: Alone,
    limits: Thresholds,
) -> Seen:
    """Combine the samples of a configuration with equal weights, and judge it."""
    found = [each for number in own for each in watched[number]]
    files, devices = place.file_names or [], (place.device_names or "").split("|")
    is_restore = study.act == st.RESTORE
    of_database, of_backup = (WRITE, READ) if is_restore else (READ, WRITE)
    backup = [v for v in vs.volumes(found, of_backup) if any(vs.lies_on(path, v.name) for path in devices)]
    candidates = vs.volumes(found, of_database)
    lies = [v for v in candidates if any(vs.lies_on(path, v.name) for path in files)]
    if is_inferred := not lies:
        # A volume without backup files that carries much of the busiest volume's traffic counts as the
        # database's.
        rest = [v for v in candidates if v.name not in {each.name for each in backup}]
        least = limits.backup_volume_share * max((v.rate for v in rest), default=math.inf)
        lies = [v for v in rest if v.rate >= least > 0]
    direction = "received" if is_restore else "sent"
    read = Side(READ, tuple(backup if is_restore else lies))
    write = Side(WRITE, tuple(lies if is_restore else backup))
    card_busy = vs.mean(found, f"card_{direction}_busy")
    samples = sum(max(each.n for each in watched[number]) for number in own)
    is_full = card_busy is not None and card_busy / 100 >= limits.backup_card_share
    is_remote = any(path.startswith(("\\\\", "http")) for path in devices)
    if samples < limits.usage_samples:
        verdict, reason = UNDECIDED, "few"
    elif is_remote and is_full:
        verdict, reason = (READER if is_restore else WRITER), "card"
    else:
        verdict, reason = _slower(read.ms, write.ms, study.act, limits)
    return Seen(
        configuration=configuration,
        read=read,
        write=write,
        cpu=vs.mean(found, "cpu"),
        card_busy=card_busy,
        network_rate=vs.mean(found, f"network_{direction}"),
        is_inferred=is_inferred,
        samples=samples,
        runs=len(own),
        mb_per_s=float(study.columns.mb_per_s[np.isin(study.columns.operation_id, own)].mean()),
        verdict=verdict,
        reason=reason,
    )


def _slower(read: float | None, write: float | None, act: str, limits: Thresholds) -> tuple[str, str]:
    """Return which side waits by the duration of reads and writes (ms), and why."""
    if read is None or write is None:
        return UNDECIDED, f"{act} without {READ if read is None else WRITE}"
    for verdict, way, own, other in ((READER, READ, read, write), (WRITER, WRITE, write, read)):
        if own >= limits.backup_busy_ms and own >= limits.backup_side_ratio * other:
            return verdict, f"{act} {way}"
    return UNDECIDED, "neither"


def null_tests(study: BackupStudy, limits: Thresholds) -> list[NullTest]:
    """Compare every configuration with the backup to NUL that has its buffers."""
    names, found = ("buffer_count", "max_transfer_size_kb", "compression"), []
    for c, null in product(study.real, (c for c in study.configurations if c.factors[st.MEDIA] == st.NUL)):
        if all(c.factors[name] == null.factors[name] for name in names):
            share = c.median / null.median
            verdict = READER if share >= limits.backup_nul_share else WRITER
            found.append(NullTest(c, null, share, verdict))
    return found


def limited(judged: list[StudySides]) -> list[Judged]:
    """Return a verdict for each study and limiting side."""
    found = []
    for each in judged:
        told = False
        for verdict in (READER, WRITER):
            sides = [s for s in each.sides if s.verdict == verdict]
            nulls = [t for t in each.nulls if t.verdict == verdict]
            if sides or nulls:
                found.append(_judged(each, verdict, sides, nulls, each.how_to_decide(told=told)))
                told = True
    return found


def _judged(each: StudySides, verdict: str, sides: list[Seen], nulls: list[NullTest], how: str) -> Judged:
    study = each.study
    ratios = [_ratio(study, test) for test in nulls[:SHOWN]]
    seen = Sure.INFERRED if any(s.is_inferred for s in sides) else Sure.WAITED_FOR
    return Judged(
        said="limited",
        id=f"backup.{verdict}_limited",
        severity="notice",
        subject=study.subject,
        evidence=(*ratios, *(of for s in sides[:SHOWN] for of in _evidence(study, s)), *_most(each)),
        confidence=(Sure.WRITES_NOTHING if nulls else seen).value,
        facts={"side": f"{study.act} {verdict}", "study": study, "how": how, "over_all": over_all(each)}
        | {"nulls": nulls[:SHOWN], "seen": sides[0] if sides else None}
        | {"others": [study.named(s.configuration) for s in sides[1:]]}
        | {"rest": [study.named(s.configuration) for s in each.undecided]},
    )


def over_all(each: StudySides) -> str:
    """Return a text on the highest traffic of one volume, over all measured configurations."""
    return st.SAID.text("limited.over_all", {"most": each.most(), "study": each.study})


def say_sides(judged: list[StudySides]) -> list[str]:
    """Return a line per study covered by perfmon: the number of configurations limited by each side."""
    told = []
    for each in (each for each in judged if each.sides):
        verdicts = [each.verdict(s.configuration) for s in each.sides]
        caps = {f"{each.study.act} {side}": verdicts.count(side) for side in (READER, WRITER)}
        counts = [(side, n) for side, n in {**caps, "": len(each.undecided)}.items() if n]
        facts = {"study": each.study, "n": len(each.sides), "over_all": over_all(each), "caps": counts}
        told.append(st.SAID.text("limited.by_study", facts))
    return told


def _ratio(study: BackupStudy, test: NullTest) -> Measured:
    source = f"ERRORLOG, n = {test.configuration.n} and {test.null.n}"
    return vs.OF_NUL.of("ratio")(st.rounded(test.share), source, study.named(test.configuration))


def _most(each: StudySides) -> list[Measured]:
    found = []
    for of, seen, volume in each.most():
        where = f"{st.flat(volume.name)}, {each.study.named(seen.configuration)}"
        found.append(of.of("B/s")(st.rounded(volume.rate), f"perfmon, {where}, n = {seen.samples}"))
    return found


def _evidence(study: BackupStudy, seen: Seen) -> list[Measured]:
    found: list[tuple[Measure, float | None, str]] = []
    for side in seen.ways:
        volumes = words.listing(side.names, 8)
        rate = vs.RATE[side.way].about(volumes=volumes).of("B/s")
        found += [(vs.TIME[side.way], side.ms, volumes), (rate, side.rate, volumes)]
    share = None if seen.card_busy is None else seen.card_busy / 100
    found += [(vs.CPU, seen.cpu, "% Processor Time"), (vs.CARD.of("ratio"), share, "network cards")]
    name = study.named(seen.configuration)
    return [
        measure(st.rounded(value), f"perfmon, {source}, n = {seen.samples}", name)
        for measure, value, source in found
        if value is not None
    ]
