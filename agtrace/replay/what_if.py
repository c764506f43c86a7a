"""Estimate a change from all captured data of a replica: the samples of its stream and its log blocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from agtrace.history.base import View
from agtrace.replay.blocks import COLUMNS, FEW, Blocks, percentiles, read_blocks
from agtrace.replay.change import ASYNCHRONOUS, SYNCHRONOUS, Change
from agtrace.replay.check import COMMIT, errors, holds
from agtrace.replay.limits import Beside
from agtrace.replay.load import Load
from agtrace.replay.outcome import After, Figures, WhatIf
from agtrace.replay.stream import Streamed, streamed
from agtrace.thresholds import Thresholds

ALWAYS_LEFT_OUT = ("open_load",)
PATH_CHANGES = ("window", "loss")
"""Changes that log blocks cannot estimate, because only samples show the capacity of a path."""


def what_if(
    replica: str,
    load: Load | str | None,
    beside: Beside,
    blocks: Blocks | None,
    change: Change,
    limits: Thresholds,
    *,
    is_local: bool = False,
) -> WhatIf:
    """Return the effect of a change, as far as the captures support it.

    Parameters
    ----------
    load
        The stream's samples, or the key of why they are missing.
    blocks
        The replica's log blocks; None if they were not captured.
    """
    found = streamed(load, beside, change, limits) if isinstance(load, Load) else Streamed()
    whys = list(found.whys)
    if isinstance(load, str):
        whys.append(load)
    elif load is None:
        whys.append("no_samples")
    captured, replayed, after = dict(vars(found.captured)), dict(vars(found.replayed)), dict(found.after)
    errors_, leaves_out = dict(found.errors), [*ALWAYS_LEFT_OUT, *found.leaves_out]
    assumes = list(found.assumes)
    if blocks is not None and blocks.n >= FEW:
        _commits(
            blocks, change, beside, limits, captured, replayed, after, errors_, whys, leaves_out, assumes
        )
    else:
        whys.append("no_blocks")
    if change.commit is not None and beside.is_synchronous == (change.commit == SYNCHRONOUS):
        assumes.append("commits_so")
    elif change.commit == ASYNCHRONOUS:
        assumes.append("asynchronous_loses")
    times = load.times if isinstance(load, Load) else None
    course = None if found.course is None else replace(found.course, is_local=is_local)
    return WhatIf(
        replica, change,
        None if times is None else float(times[0]), None if times is None else float(times[-1]), is_local,
        Figures(**captured), Figures(**replayed), errors_, After(**after), beside.limit,
        tuple(dict.fromkeys(whys)), tuple(dict.fromkeys(leaves_out)), tuple(dict.fromkeys(assumes)),
        tuple(found.capacities), course, blocks.n if blocks is not None else 0,
        0 if times is None else len(times), limits,
    )  # fmt: skip


def _commits(
    blocks: Blocks, change: Change, beside: Beside, limits: Thresholds, captured: dict[str, float | None],
    replayed: dict[str, float | None], after: dict[str, float | None], errors_: dict[str, float],
    whys: list[str], leaves_out: list[str], assumes: list[str],
) -> None:  # fmt: skip
    waits = blocks.commit_mode != ASYNCHRONOUS and beside.is_synchronous is not False
    sees_flush = all(chain.local is not None for chain in blocks.chains)
    if not sees_flush and (change.commit == ASYNCHRONOUS or not waits):
        whys.append("no_flush")
        return
    mode = SYNCHRONOUS if waits else ASYNCHRONOUS
    was = percentiles(blocks, Change(commit=mode), beside.round_trip, drawn=True)
    replayed |= {"commit_p50_ms": was.p50, "commit_p95_ms": was.p95, "commit_p99_ms": was.p99}
    times = np.quantile(blocks.commits if waits else blocks.flushes, (0.5, 0.95, 0.99))
    captured |= {name: float(value) for name, value in zip(COMMIT, times, strict=True)}
    own = errors(
        Figures(**{name: replayed[name] for name in COMMIT}),
        Figures(**{name: captured[name] for name in COMMIT}),
        1.0,
    )
    errors_ |= own
    if not holds(own, ("commit_p50_ms", "commit_p99_ms"), limits):
        whys.append("commits_differ")
        return
    joined = all(chain.is_joined for chain in blocks.chains)
    if change.disk is not None and not joined:
        whys.append("replica_blocks")
        return
    if change.rtt_ms is not None and not joined and beside.round_trip is None:
        whys.append("no_round_trip")
        return
    is_packed = any(chain.is_packed for chain in blocks.chains)
    if change.compression is not None and change.compression == is_packed:
        assumes.append("already_compressed" if is_packed else "not_compressed")
    elif change.compression:
        if beside.packing is None:
            whys.append("compression_not_seen")
            return
        assumes.append("packed_alike")
        if beside.packing.pack_s is None:
            leaves_out.append("compression_cost")
    if change.commit is None:
        change = replace(change, commit=mode)
    if not joined:
        leaves_out.append("one_side")
    told = percentiles(blocks, change, beside.round_trip, packing=beside.packing)
    names = ("p50", "p95", "p99")
    middles = (told.p50, told.p95, told.p99)
    for name, middle, low, high in zip(names, middles, told.low, told.high, strict=True):
        off = own[f"commit_{name}_ms"] * middle
        after[f"commit_{name}_ms"] = middle
        after[f"commit_{name}_low_ms"] = max(middle - float(np.hypot(middle - low, off)), 0.0)
        after[f"commit_{name}_high_ms"] = middle + float(np.hypot(high - middle, off))


def blocks_of(view: View, replica: str) -> Blocks | None:
    """Read the log blocks of a replica, by its name or id; None if no block has a known commit."""
    if not view.has_rows("log_blocks"):
        return None
    rows = view.rows(
        """select replica_id, any_value(commit_mode) as commit_mode,
                  count(*) filter (joined and commit_ms is not null) as joined,
                  count(*) filter (not joined and commit_ms is not null) as alone
           from log_blocks where lower(coalesce(replica, replica_host, replica_id)) = lower($replica)
              or lower(replica_host) = lower($replica) or lower(replica_id) = lower($replica)
           group by replica_id order by 2 desc, 3 desc limit 1""",
        {"replica": replica},
    )
    if not rows or not (rows[0]["joined"] or rows[0]["alone"]):
        return None
    joined = rows[0]["joined"] >= FEW
    table = view.table(COLUMNS, {"joined": joined, "replica_id": rows[0]["replica_id"]})
    mode = rows[0]["commit_mode"]
    whole = read_blocks(table, joined=joined, commit_mode=mode)
    if not whole.chains:
        return None
    if not joined or len(set(table["db"].to_pylist())) < 2:
        return whole
    # Databases share the disk and the path, or hardly meet: what gives the commits back says which.
    apart = read_blocks(table, joined=joined, together=False, commit_mode=mode)
    return min((whole, apart), key=_off) if apart.n == whole.n else whole


def _off(blocks: Blocks) -> float:
    """Return the error of a replay of blocks."""
    found = percentiles(blocks, None, drawn=True)
    came = np.quantile(blocks.commits, (0.5, 0.99))
    return float(np.abs(np.log(np.array([found.p50, found.p99]) / came)).max())
