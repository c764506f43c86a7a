"""Simulated groups, watched, changed and watched again: is what came what was predicted? And how fast?

Run ``python bench/what_if.py [--count 200] [--seed N] [--speed]``. Prints the seed, errors and bands by kind
of change, every wrong answer, and a summary; the exit status is 1 where the median error of the queue or of
the time until it is gone is above 10 %, of commit p50 or p99 above 15 %, or fewer than 90 % of what came lies
in its 90 % band. ``--speed`` times a day of ten databases and a million blocks instead. The groups are those
of simulation/what_if, which shares no code with the replay.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import SystemRandom

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import pyarrow as pa

from agtrace.replay.blocks import percentiles, read_blocks
from agtrace.replay.change import Change
from agtrace.replay.limits import NETWORK, Beside
from agtrace.replay.load import Load, Redone
from agtrace.replay.stream import streamed
from agtrace.thresholds import Thresholds
from simulation.what_if.answers import CAUGHT_UP, FROM_END, P50, P99, QUEUE, Score, answer
from simulation.what_if.draw import KINDS

MOST = {QUEUE: 0.1, CAUGHT_UP: 0.1, FROM_END: 0.1, P50: 0.15, P99: 0.15}


def main() -> int:
    """Run the cases, or the clock, and print what they show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    parser.add_argument("--kinds", help="only these kinds of change, separated by commas")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--each", action="store_true", help="print every answer, not only the wrong ones")
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    if given.speed:
        return speed()
    kinds = tuple(given.kinds.split(",")) if given.kinds else KINDS
    print(f"seed {given.seed}", flush=True)
    begun = time.perf_counter()
    score = Score([])
    with ProcessPoolExecutor(given.processes, get_context("spawn")) as pool:
        asked = partial(answer, seed=given.seed, kinds=kinds)
        # A run takes minutes: what is known so far is on the terminal.
        for each in pool.map(asked, range(given.count)):
            score.answers.append(each)
            if given.each:
                print(each.line(), flush=True)
    print(score.table())
    for each in score.answers:
        if not given.each and (each.wrong or not each.told):
            print(each.line())
    failed = False
    for name, most in MOST.items():
        if score.errors(name):
            failed |= score.median(name) > most
            print(f"{name}: median error {score.median(name):.1%} of {len(score.errors(name))}")
    figures = sum(len(each.told) for each in score.answers)
    print(
        f"{given.count} cases in {time.perf_counter() - begun:.0f} s: {score.within:.1%} of {figures} "
        f"figures in their band, {len(score.wrong)} wrong, {len(score.untold)} without an estimate"
    )
    return 1 if failed or score.within < 0.9 else 0


def speed() -> int:
    """Time a day of samples of ten databases, and a million blocks."""
    rng = np.random.default_rng(1)
    times = np.arange(0.0, 86_400.0, 5.0)
    rate = 2e6 * np.exp(0.3 * np.sin(times / 7000) + 0.1 * rng.normal(size=len(times)))
    came = np.concatenate([[0.0], np.cumsum(rate[1:] * 5)])
    queue = came - np.minimum(came, 1.9e6 * times)
    each = [Redone(f"db{n}", 0.0, came / 10, came / 10, queue * 0 + 1e6) for n in range(10)]
    load = Load(times, came, came - queue, 0.6 * (came - queue), queue, tuple(each), True)
    begun = time.process_time()
    streamed(load, Beside(limit=NETWORK), Change(capacity=2.0, redo=2.0), Thresholds())
    print(f"24 h of ten databases, every 5 s: {time.process_time() - begun:.2f} s of processor (max. 2)")
    blocks = million(rng)
    begun = time.process_time()
    read = read_blocks(blocks, joined=True)
    percentiles(read, Change(), drawn=True)
    percentiles(read, Change(rtt_ms=5.0, load=1.2))
    print(f"1,000,000 blocks: {time.process_time() - begun:.1f} s of processor (max. 10)")
    return 0


def million(rng: np.random.Generator) -> pa.Table:
    """Return a million blocks of an hour."""
    n = 1_000_000
    first = np.cumsum(rng.exponential(3600.0, n)).round()
    hop = {
        name: rng.lognormal(np.log(ms), 0.3, n)
        for name, ms in (
            ("capture_ms", 0.01), ("send_ms", 0.1), ("network_ms", 2.0), ("receive_ms", 0.03),
            ("decompression_ms", 0.03), ("remote_harden_ms", 0.8), ("acknowledgement_ms", 0.2),
        )
    }  # fmt: skip
    whole = sum(hop.values())
    return pa.table(
        {
            "db": pa.array(["db"] * n),
            "bytes": np.full(n, 8192.0),
            "compressed_bytes": np.full(n, np.nan),
            "first_us": first,
            "flush_start_us": first + 30,
            "flushed_us": first + 1000,
            "processed_us": first + 1e3 * whole,
            "compression_ms": np.zeros(n),
            "network_forward_ms": hop["network_ms"] / 2,
            "remote_ms": whole,
            "commit_ms": whole,
            **hop,
        }
    )


if __name__ == "__main__":
    raise SystemExit(main())
