"""Estimates for changes of a stream, replayed on the basis of its verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from agtrace.diagnostics.transport.signs import LogWrite, Signs, log_write
from agtrace.diagnostics.transport.study import LinkStudy, Study
from agtrace.diagnostics.transport.verdict import (
    FLOW_CONTROL,
    FULL_CARD,
    GATE_ALONE,
    LOG_DISK_SLOW,
    LOSSY_PATH,
    NETWORK_LIMITED,
    PROCESSORS_BUSY,
    REDO_BLOCKED,
    REDO_LIMITED,
    SEND_LIMITED,
    WINDOW_LIMITED,
    Verdict,
    VerdictKind,
)
from agtrace.history.streams import SYNCHRONOUS, UNSCALED_WINDOW, StreamFacts, read_stream
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import together
from agtrace.replay import limits as hops
from agtrace.replay import offers, packing
from agtrace.replay.blocks import Blocks
from agtrace.replay.change import Change
from agtrace.replay.limits import Beside
from agtrace.replay.load import Load, read
from agtrace.replay.outcome import WhatIf
from agtrace.replay.packing import Packing
from agtrace.replay.what_if import what_if

HOPS: dict[VerdictKind, str] = {
    NETWORK_LIMITED: hops.NETWORK, FULL_CARD: hops.NETWORK, LOSSY_PATH: hops.LOSS,
    WINDOW_LIMITED: hops.WINDOW, SEND_LIMITED: hops.SENDER, FLOW_CONTROL: hops.GATE,
    GATE_ALONE: hops.GATE, LOG_DISK_SLOW: hops.DISK, PROCESSORS_BUSY: hops.PROCESSORS,
}  # fmt: skip
"""The limit of a verdict, as a hop of the replayed chain."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A stream that can be asked, with what its replay rests on; kept, for reading it takes the time."""

    studied: LinkStudy
    load: Load | str
    beside: Beside


def asked(study: Study, links: list[LinkStudy]) -> Asked | None:
    """Choose the stream of a replica that is asked about: one that is held back, else the longest."""
    with_replica = [each for each in links if each.link.secondary is not None] or links
    if not with_replica:
        return None
    chosen = max(with_replica, key=lambda each: (_held_back(each) is not None, len(each.link.times)))
    link = chosen.link
    sending = study.known.sending(link)
    read_load = read(link, chosen.parts, read_stream(link, sending.counted), study.limits)
    return Asked(chosen, read_load, _beside(study.known, chosen, read_load))


@dataclass(frozen=True, eq=False)
class Remedies:
    """A stream that is held back, and what was estimated of changes to it: its remedy, and others."""

    replica: str
    limit: str
    remedy: WhatIf | None
    others: list[WhatIf]

    @property
    def all(self) -> list[WhatIf]:
        return [*([self.remedy] if self.remedy is not None else []), *self.others]


def remedies(found: Asked, blocks: Blocks | None, study: Study) -> Remedies | None:
    """Estimate the remedy of a stream, and what else could be changed; None where nothing holds it back."""
    redo = any(verdict.kind in (REDO_LIMITED, REDO_BLOCKED) for verdict in found.studied.verdicts)
    limit = found.beside.limit or (hops.REDO if redo else "")
    if not limit:
        return None
    times = offers.needed(found.load)
    first = offers.remedy(limit, times)
    replica = found.studied.link.replica
    told = [ask(found, blocks, replica, change, study) for change in offers.of_stream(limit, times)]
    return Remedies(replica, limit, told[0] if first is not None else None, told[first is not None :])


def ask(
    found: Asked | None,
    blocks: Blocks | None,
    replica: str,
    change: Change,
    study: Study,
    packed: Packing | None = None,
) -> WhatIf:
    """Put a change to a stream and its blocks.

    Parameters
    ----------
    packed
        What log blocks show of compression; only a change of that needs it.
    """
    if found is None:
        return what_if(replica, None, Beside(packing=packed), blocks, change, study.limits)
    link, beside = found.studied.link, found.beside
    if change.compression is not None:
        beside = replace(beside, packing=packing.together(_packed(found, study), packed))
    return what_if(link.replica, found.load, beside, blocks, change, study.limits, is_local=link.is_local)


def _packed(found: Asked, study: Study) -> Packing | None:
    """Return this stream's compression, else that of the longest compressed one in its group."""
    own = packing.packed_stream(found.load, found.studied.link.replica)
    if own is not None:
        return own
    others = [
        each
        for each in study.links
        if each.link.secondary is not None
        and each.link.group.name == found.studied.link.group.name
        and each.link.replica != found.studied.link.replica
    ]
    for each in sorted(others, key=lambda each: -len(each.link.times)):
        counted = study.known.sending(each.link).counted
        load = read(each.link, each.parts, read_stream(each.link, counted), study.limits)
        other = packing.packed_stream(load, each.link.replica)
        if other is not None:
            return other
    return None


def _held_back(studied: LinkStudy) -> Verdict | None:
    """Return the verdict on what holds a stream back before it is hardened."""
    return next((verdict for verdict in studied.verdicts if verdict.kind in HOPS), None)


def _beside(known: StreamFacts, studied: LinkStudy, load: Load | str) -> Beside:
    link = studied.link
    held = _held_back(studied)
    judged = held or next((verdict for verdict in studied.verdicts), None)
    version = known.sending(link).version
    mode = known.modes.of(link, known.limits)
    names = list(link.group.databases.values())
    write = log_write(link.secondary, link.of_secondary(slice(None)), names, known.machines)
    signs = judged.signs if judged is not None else None
    copied_to, copy = _copy(signs)
    cards = [card.bandwidth for card in signs.cards] if signs is not None else []
    trip = signs.round_trip if signs is not None else None
    return Beside(
        limit=HOPS[held.kind] if held is not None else "",
        round_trip=trip,
        window=float(UNSCALED_WINDOW) if signs is not None and signs.may_be_unscaled else None,
        copy=copy,
        copied_to=copied_to,
        card=min(cards, default=None),
        message_bytes=_message(studied),
        harden_s=write.ms / 1000 if write is not None and write.is_log else None,
        has_larger_gates=None if version is None else version >= hops.LARGER_GATES,
        disk_at_least=_disk(write, load),
        is_synchronous=None if mode is None else mode.mode == SYNCHRONOUS,
        databases=len(names),
    )


def _copy(signs: Signs | None) -> tuple[str, float | None]:
    """Return the bulk copy that exceeds the stream; one as slow is held back in the same way."""
    if signs is None:
        return "", None
    if signs.copy is not None and signs.copy_fast:
        return "", signs.copy
    top, ratio = signs.top, signs.limits.copy_fast_ratio
    faster = {to: speed for to, speed in signs.other_copies.items() if top is None or speed >= ratio * top}
    return next(iter(faster.items()), ("", None))


def _message(studied: LinkStudy) -> float | None:
    """Return the mean bytes of a log write of the primary: what is sent in one message."""
    link = studied.link
    names = list(link.group.databases)
    flushed = together([v for db in names if (v := link.on_primary(c.FLUSHED, db)) is not None])
    flushes = together([v for db in names if (v := link.on_primary(c.FLUSHES, db)) is not None])
    if flushed is None or flushes is None:
        return None
    n, whole = float(np.nansum(flushes)), float(np.nansum(flushed))
    return whole / n if n > 0 and whole > 0 else None


def _disk(write: LogWrite | None, load: Load | str) -> float | None:
    """Return the least rate of the replica's log disk: sequential writes."""
    if write is None or not write.busy or isinstance(load, str):
        return None
    return load.received_rate / min(write.busy, 1.0)
