"""Replay log blocks hop by hop, to estimate commit times after a change.

Each hop is a server that processes blocks one after the other, or a pure delay with many blocks in flight.
The blocks that arrived while another was in the hop show which. The captured times of each block are
resampled from neighbours, all hops of a block together, so that their correlation is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from agtrace.measure.grid import Values
from agtrace.replay.change import ASYNCHRONOUS, Change
from agtrace.replay.packing import PLAIN, Packing
from agtrace.replay.queueing import chunks, departures, in_order, services
from agtrace.tables.rows import numbers

CAPTURE, COMPRESSION, SEND, FORWARD = "capture", "compression", "send", "network"
RECEIVE, DECOMPRESSION, HARDEN = "receive", "decompression", "remote harden"
ACKNOWLEDGEMENT, RETURN, LOCAL, REMOTE = "acknowledgement", "network back", "local harden", "remote"
WAY = (CAPTURE, COMPRESSION, SEND, FORWARD, RECEIVE, DECOMPRESSION, HARDEN, RETURN, ACKNOWLEDGEMENT)
OF_PRIMARY = (CAPTURE, COMPRESSION, SEND, REMOTE, ACKNOWLEDGEMENT)
"""Hops that only the primary can measure."""
WAYS = (FORWARD, RETURN, REMOTE)
SERVERS = frozenset({CAPTURE, COMPRESSION, SEND, RECEIVE, DECOMPRESSION, HARDEN, LOCAL})
"""Hops that are assumed to be servers if too few blocks met to decide."""
MET = 8
"""Minimum number of blocks that arrived while another was in a hop, to determine the kind of the hop."""
LANES = (1, 2, 4, 8)
ALIKE = 1.6
"""With the right number of lanes, times of blocks that met others differ from the rest by less than this
factor."""
FEW = 50
"""Fewer blocks are not replayed."""
SEED = 3218
CELLS = 6_000_000
LEAST_DRAWS, MOST_DRAWS = 6, 60
SERVICE_SPREAD = 0.03
"""Relative error of service times (one sigma); near the limit of a server its effect is large."""
MODEL_SPREAD = (0.012, 0.02, 0.03)
"""Error of the model itself (one sigma) at p50, p95 and p99; measured on simulated groups."""
LOAD_SPREAD = 0.06
"""Additional error per factor of e in load, since blocks may then arrive alone or with others."""
LOCAL_SPREAD = 0.01
"""Additional error if a commit waits only for its local disk, without an unchanged delay beside it."""
STRETCH, PARTS = 40, 12
"""Blocks that are drawn together, and into how many parts a capture is divided for what is near."""

QUICK = 0.05
"""Share of the blocks that cross the wire with no more than the round trip itself, or nearly so."""

COLUMNS = """
    select group_database_id as db, replica_id, coalesce(bytes, 0)::double as bytes,
           compressed_bytes::double as compressed_bytes, epoch_us(t_first)::double as first_us,
           epoch_us(t_flush_start)::double as flush_start_us, epoch_us(t_flushed)::double as flushed_us,
           capture_ms, compression_ms, send_ms, network_ms, network_forward_ms, receive_ms, decompression_ms,
           remote_harden_ms, acknowledgement_ms, remote_ms, commit_ms,
           epoch_us(t_ack_processed)::double as processed_us
    from log_blocks where commit_ms is not null and (joined = $joined) and replica_id = $replica_id
    order by group_database_id, log_block_id, attempt
"""
"""The blocks of a replica whose commit is known, in the order of the log."""


@dataclass(frozen=True, eq=False)
class Hop:
    """Times of a hop, block by block.

    Parameters
    ----------
    took
        Microseconds per block: service time of a server, else time in flight.
    lanes
        Number of blocks processed at once; 0 for a delay without a limit.
    base
        Microseconds that every block takes in any case: the round trip in a network.
    """

    name: str
    took: Values
    lanes: int
    base: float = 0.0
    met: int = 0

    def after(
        self, arrivals: Values, places: np.ndarray, factor: float, base: float | None = None,
        more: Values | float = 0.0,
    ) -> Values:  # fmt: skip
        """Return when blocks leave it; ``more`` is each block's time on top of the captured one."""
        took = np.maximum(self.took[places] * factor + more, 0.0) if self.lanes else (
            self.took[places] * factor + more
        )  # fmt: skip
        fixed = self.base if base is None else base
        if self.lanes:
            return departures(arrivals + fixed, took, self.lanes)
        return in_order(arrivals + fixed, took)

    def a_byte(self, wire: Values) -> float:
        """Return the time per byte on the wire, microseconds: how much longer larger blocks are in it."""
        took = np.minimum(self.took, np.quantile(self.took, 0.99))
        varies = float(wire.var())
        if varies <= 0:
            return 0.0
        slope = float(((took - took.mean()) * (wire - wire.mean())).mean()) / varies
        return min(max(slope, 0.0), max(float(took.mean()), 0.0) / float(wire.mean()))


@dataclass(frozen=True, eq=False)
class Chain:
    """Blocks on their way to one replica, of one database or of all.

    Parameters
    ----------
    begun
        Microseconds since the first.
    commit, flushed
        When each commit was over, and its local flush alone, microseconds since it began.
    sizes
        Bytes of log of each block.
    quick_way
        Both ways of the wire, of quick blocks, microseconds: what a ping would have shown.
    """

    database: str
    begun: Values
    hops: tuple[Hop, ...]
    local: Hop | None
    local_delay: Values
    commit: Values
    flushed: Values
    sizes: Values
    is_joined: bool
    quick_way: float = 0.0
    wire_per_log: float = 1.0

    @property
    def n(self) -> int:
        return len(self.begun)

    @property
    def is_packed(self) -> bool:
        """The stream is compressed."""
        return self.wire_per_log < PLAIN

    def hop(self, name: str) -> Hop | None:
        return next((hop for hop in self.hops if hop.name == name), None)


@dataclass(frozen=True)
class Percentiles:
    """Percentiles of the commits, ms, with the 90 % band of each."""

    p50: float
    p95: float
    p99: float
    low: tuple[float, float, float] = (0.0, 0.0, 0.0)
    high: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Blocks:
    """All chains of a replica."""

    chains: tuple[Chain, ...]
    commit_mode: str | None = None

    @property
    def n(self) -> int:
        return sum(chain.n for chain in self.chains)

    @property
    def commits(self) -> Values:
        """Times of commits that waited for the replica, ms."""
        return np.concatenate([chain.commit for chain in self.chains]) / 1e3

    @property
    def flushes(self) -> Values:
        """Times of commits that wait only for the local flush, ms."""
        return np.concatenate([chain.flushed for chain in self.chains]) / 1e3


def read_blocks(
    table: pa.Table, *, joined: bool, together: bool = True, commit_mode: str | None = None
) -> Blocks:
    """Take the hops of blocks apart; the table is what `COLUMNS` gives.

    Parameters
    ----------
    together
        All databases share network, disk and order; else each is a chain of its own.
    """
    names = [name for name in table.column_names if name not in ("db", "replica_id")]
    columns = {name: numbers(table[name]).astype(np.float64) for name in names}
    if together:
        order = np.argsort(columns["first_us"], kind="stable")
        columns = {name: values[order] for name, values in columns.items()}
        n = len(columns["first_us"])
        chains = [_chain("", columns, joined=joined)] if n >= FEW else []
        return Blocks(tuple(chains), commit_mode)
    databases = table["db"].dictionary_encode().combine_chunks()
    codes = databases.indices.to_numpy(zero_copy_only=False)
    chains = []
    for code, name in enumerate(databases.dictionary.to_pylist()):
        rows = codes == code
        own = {key: values[rows] for key, values in columns.items()}
        if rows.sum() >= FEW:
            chains.append(_chain(str(name), own, joined=joined))
    return Blocks(tuple(chains), commit_mode)


def _chain(database: str, own: dict[str, Values], *, joined: bool) -> Chain:
    begun = own["first_us"] - own["first_us"].min()
    forward = own["network_forward_ms"]
    network = own["network_ms"]
    forward = np.where(np.isnan(forward), network / 2, forward)
    took = {
        CAPTURE: own["capture_ms"], COMPRESSION: own["compression_ms"], SEND: own["send_ms"],
        FORWARD: forward, RECEIVE: own["receive_ms"], DECOMPRESSION: own["decompression_ms"],
        HARDEN: own["remote_harden_ms"], RETURN: network - forward,
        ACKNOWLEDGEMENT: own["acknowledgement_ms"], REMOTE: own["remote_ms"],
    }  # fmt: skip
    if not joined:
        known = [np.nan_to_num(took[name]) for name in (CAPTURE, COMPRESSION, SEND, REMOTE)]
        whole = (own["processed_us"] - own["first_us"]) / 1e3
        took[ACKNOWLEDGEMENT] = np.maximum(np.nan_to_num(whole) - sum(known), 0.0)
    at, hops = begun, []
    for name in WAY if joined else OF_PRIMARY:
        spent = np.nan_to_num(took[name]) * 1e3
        leaving = at + spent
        hops.append(_hop(name, at, leaving))
        at = leaving
    started = own["flush_start_us"] - own["first_us"]
    flushed = own["flushed_us"] - own["first_us"]
    local, delay, ended = None, np.zeros(len(begun)), np.full(len(begun), np.nan)
    if not np.isnan(flushed).all():
        delay = np.nan_to_num(started, nan=0.0)
        usual = np.nanmedian(flushed)
        ended = np.where(np.isnan(flushed), usual, flushed)
        local = _hop(LOCAL, begun + delay, begun + np.maximum(ended, delay))
    packed = own["compressed_bytes"]
    sized = ~np.isnan(packed) & (own["bytes"] > 0) & (packed > 0)
    ratio = float(packed[sized].sum() / own["bytes"][sized].sum()) if sized.any() else 1.0
    commit = own["commit_ms"] * 1e3
    way = own["network_ms"] if joined else own["remote_ms"]
    quick_way = 1e3 * float(np.nanquantile(way, QUICK))
    return Chain(
        database, begun, tuple(hops), local, delay, commit, ended, own["bytes"], joined,
        quick_way, ratio,
    )  # fmt: skip


def _hop(name: str, arrivals: Values, leaving: Values) -> Hop:
    """Return the kind of hop by the blocks that came while others were in it.

    Of a server, what it works on such a block is as long as on one that came alone; where it is shorter,
    more than one is under way at a time.
    """
    base = 0.0
    residence = leaving - arrivals
    if name in WAYS:
        # The time of the fastest blocks is the delay of the path itself; the rest is waiting.
        base = float(np.quantile(residence, 0.01))
    came = arrivals + base
    lanes = 1 if name in SERVERS else 0
    alone = services(came, leaving)[1] == 0
    usual = float((residence - base)[alone].mean()) if alone.any() else 0.0
    off, met = np.inf, 0
    for each in LANES:
        took, waited = services(came, leaving, each)
        n = int((waited > 0).sum())
        if n < MET or int(alone.sum()) < MET or usual <= 0:
            if each > 1 and off > np.log(ALIKE):
                lanes = 0
            break
        met = max(met, n)
        ratio = max(float(took[waited > 0].mean()) / usual, 1e-6)
        if abs(np.log(ratio)) < off:
            off, lanes = abs(float(np.log(ratio))), each
        if ratio >= 1:
            break
    else:
        if off > np.log(ALIKE):
            lanes = 0
    took = services(came, leaving, lanes)[0] if lanes else np.maximum(residence - base, -base)
    return Hop(name, took, lanes, base, met)


def percentiles(
    blocks: Blocks, change: Change | None = None, round_trip: float | None = None, *, drawn: bool = False,
    packing: Packing | None = None,
) -> Percentiles:  # fmt: skip
    """Replay all blocks of a replica and return the percentiles of their commits.

    Parameters
    ----------
    change
        The change; None replays them unchanged.
    round_trip
        Round-trip time of the path before the change, seconds; None: the time of the fastest blocks.
    drawn
        Use at each hop the time of a neighbouring block instead of the block's own, to test whether hops and
        load explain the commits. The band always comes from such draws.
    packing
        Measured compression of this log, for turning compression on.
    """
    rng = np.random.default_rng(SEED)
    draws = int(np.clip(CELLS // max(blocks.n, 1), LEAST_DRAWS, MOST_DRAWS))
    wanted = change or Change()

    def once(*, own: bool) -> Values:
        slower = 1.0 if own or drawn else float(np.exp(rng.normal(0.0, SERVICE_SPREAD)))
        each = [
            _replayed(chain, wanted, round_trip, rng, own=own, slower=slower, packing=packing)
            for chain in blocks.chains
        ]
        return np.quantile(np.concatenate(each) / 1e3, (0.5, 0.95, 0.99))

    found = np.array([once(own=False) for _ in range(draws)])
    usual, spread = np.median(found, axis=0), found.std(axis=0, ddof=1)
    middle = usual if drawn else once(own=True)
    # The future load is a random draw as well, and so was the captured one.
    model = np.array(MODEL_SPREAD) + LOAD_SPREAD * abs(np.log(wanted.times_load))
    if wanted.commit == ASYNCHRONOUS:
        model = model + LOCAL_SPREAD
    away = 1.645 * np.hypot(np.sqrt(2) * spread, model * middle)
    low, high = np.maximum(middle - away, 0.0), middle + away
    p50, p95, p99 = map(float, middle)
    return Percentiles(p50, p95, p99, _three(low), _three(high))


def _three(values: Values) -> tuple[float, float, float]:
    one, two, three = map(float, values)
    return one, two, three


def _replayed(
    chain: Chain,
    change: Change,
    round_trip: float | None,
    rng: np.random.Generator,
    *,
    own: bool,
    slower: float = 1.0,
    packing: Packing | None = None,
) -> Values:
    """Return the time of each commit, microseconds."""
    rows = _loaded(chain, change.times_load, rng)
    begun = chain.begun[rows] if change.load is None else _between(chain, rows, rng)

    def near() -> np.ndarray:
        return chunks(chain.n, STRETCH, max(chain.n // PARTS, 1), rng)[rows]

    places = rows if own else near()
    done = begun + chain.local_delay[places]
    if chain.local is not None:
        done = chain.local.after(done, places, 1.0)
    if change.commit == ASYNCHRONOUS:
        return done - begun
    over = done if chain.local is not None else np.full(len(rows), -np.inf)
    for _ in range(change.replicas or 1):
        over = np.maximum(over, _remote(chain, change, round_trip, begun, places, slower, packing))
        places = near()
    return over - begun


def _loaded(chain: Chain, times: float, rng: np.random.Generator) -> np.ndarray:
    """Return the blocks of a scaled load: some twice, or left out, each at its time."""
    whole, part = divmod(times, 1.0)
    copies = np.full(chain.n, int(whole)) + (rng.random(chain.n) < part)
    return np.repeat(np.arange(chain.n), copies)


def _between(chain: Chain, rows: np.ndarray, rng: np.random.Generator) -> Values:
    """Return start times if there are more blocks: each extra one is somewhere before the next."""
    gaps = np.append(np.diff(chain.begun), 0.0)[rows]
    is_further = np.concatenate([[False], np.diff(rows) == 0])
    begun: Values = np.sort(chain.begun[rows] + np.where(is_further, rng.random(len(rows)) * gaps, 0.0))
    return begun


def _longer(chain: Chain, change: Change, round_trip: float | None) -> float:
    """Return what a changed round trip adds to that of each block, microseconds.

    The delay of the path changes, and waiting on it stays. A ping is rounded and may be longer than the time
    of the fastest blocks, so no path becomes shorter than the requested round trip.
    """
    if change.rtt_ms is None:
        return 0.0
    was = round_trip * 1e6 if round_trip is not None else chain.quick_way
    after, fixed = change.rtt_ms * 1e3, sum(hop.base for hop in chain.hops if hop.name in WAYS)
    return max(after - was, min(fixed, after) - fixed)


def _on_wire(chain: Chain, hop: Hop, change: Change, packs: Packing | None) -> Values:
    """Return each block's extra time on the wire, by its size there and the wire's rate."""
    was = after = chain.wire_per_log
    if change.compression is False:
        after = 1.0
    elif packs is not None:
        after = packs.ratio
    times = after / (change.capacity or 1.0) - was
    wire = chain.sizes * was
    return np.zeros(chain.n) if times == 0 else hop.a_byte(wire) * chain.sizes * times


def _remote(
    chain: Chain, change: Change, round_trip: float | None, begun: Values, places: np.ndarray, slower: float,
    packing: Packing | None,
) -> Values:  # fmt: skip
    at = begun
    packs = packing if change.compression and not chain.is_packed else None
    longer = _longer(chain, change, round_trip)
    for hop in chain.hops:
        factor, base, more = slower if hop.lanes else 1.0, hop.base, np.zeros(len(places))
        if hop.name == HARDEN and change.disk:
            factor /= change.disk
        elif hop.name in (COMPRESSION, DECOMPRESSION) and change.compression is False:
            factor = 0.0
        elif hop.name == FORWARD:
            more = _on_wire(chain, hop, change, packs)[places]
        if hop.name in WAYS:
            part = 1.0 if hop.name == REMOTE else 0.5
            base = hop.base + part * longer
        at = hop.after(at, places, factor, base, more)
        spent = (
            None
            if packs is None
            else {COMPRESSION: packs.pack_s, DECOMPRESSION: packs.unpack_s}.get(hop.name)
        )
        if spent:
            at = departures(at, 1e6 * spent * chain.sizes[places])
    return at
