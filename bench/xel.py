"""Extended Events files to Arrow: xelib beside the plain decoder, on 200 MB files.

``python bench/xel.py`` repeats the data blocks of the real files in the folder that AGTRACE_CAPTURES
names (of written files where there are none) up to 200 MB, decodes all columns with xelib on all cores (best
of ``--repeat``, file in the page cache), and prints a Markdown block. The baseline is
``simulation/formats/plain_xel.py``, one dict per event, on the first megabytes of the same file: speeds are
compared per byte of file. Each side runs in a process of its own, one after the other; so does the file of
2 GB whose resident memory is measured.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import xelib

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.machine import machine
from simulation.formats import plain_xel
from simulation.formats.xel import Event, Map, XelFile, blocks, event_schema
from simulation.formats.xel_sessions import SCHEMAS
from tests.shared import CAPTURES

MB = 200
BIG_MB = 2_000
PLAIN_MB = 40
MAX_RSS_MB = 300.0


class Kind(NamedTuple):
    """A kind of file: where a real one is, and how many times the baseline is due."""

    real: str
    least: float


KINDS = {
    "system_health": Kind("xel/FirstWebApp__system_health_*.xel", 10.0),
    "system_health, Linux": Kind("xel/LibraryMS_SQL_Data__system_health_*.xel", 10.0),
    "system_health, mixed": Kind("failover_2017/ze-2016-v2/system_health_*586347860000.xel", 10.0),
    "AlwaysOn_health": Kind("failover_2017/ze-2016-v2/AlwaysOn_health_*578226200000.xel", 10.0),
    "XML-heavy": Kind("failover_2017/ze-2016-v2/*_SQLDIAG_*679695110000.xel", 3.0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the bytes (default 1)")
    parser.add_argument("--repeat", type=int, default=5, help="runs, best counts (default 5)")
    parser.add_argument("--kind", choices=[*KINDS, "all"], default="all")
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    parser.add_argument("--run", nargs=3, metavar=("SIDE", "FILE", "REPEAT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        side, file, repeat = arguments.run
        print(json.dumps(SIDES[side](Path(file), int(repeat))))
        return
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="agtrace-bench-"))
    folder.mkdir(parents=True, exist_ok=True)
    kinds = list(KINDS) if arguments.kind == "all" else [arguments.kind]
    try:
        print(report(kinds, folder, arguments.scale, arguments.repeat))
    finally:
        if not arguments.folder:
            shutil.rmtree(folder, ignore_errors=True)


# The files


def model(kind: str) -> tuple[bytes, str]:
    """Return the file to repeat, and its origin."""
    found = sorted(CAPTURES.glob(KINDS[kind].real))
    if found:
        return found[0].read_bytes(), found[0].name
    return written(kind), "written"


def repeat_blocks(data: bytes, megabytes: float, out: Path) -> None:
    """Write the header, the metadata, and the data blocks again and again."""
    first = next(block for block in blocks(data) if block.is_data)
    body = data[first.start :]
    with out.open("wb") as file:
        file.write(data[: first.start])
        for _ in range(max(1, round(megabytes * 1e6 / len(body)))):
            file.write(body)
        # Writing to the disk must not go on beside what is measured.
        file.flush()
        os.fsync(file.fileno())


RESOURCE = Map("memory_broker_resource", {n: f"MEMORYBROKER_{n}" for n in range(8)})
COMPONENT = Map("component", {0: "SYSTEM", 1: "RESOURCE", 2: "QUERY_PROCESSING"}, size=1)
MEMORY = event_schema(
    "memory_broker_ring_buffer_recorded",
    {
        "id": "uint32",
        "timestamp": "uint64",
        "pool_metadata_id": "uint32",
        **{f"value_{n}": "int64" for n in range(8)},
        "broker": RESOURCE,
        "notification": "unicode_string",
        "call_stack": "callstack",
    },
)
DIAGNOSTICS = event_schema(
    "sp_server_diagnostics_component_result",
    {"component": COMPONENT, "state": Map("state", {1: "CLEAN", 2: "WARNING"}, 1), "data": "xml"},
)


def written(kind: str) -> bytes:
    """Write a file of a kind, for where no real one is."""
    share = {"AlwaysOn_health": 0.0, "XML-heavy": 0.9}.get(kind, 0.05)
    xml = "<queryProcessing maxWorkers='512'>" + "<wait type='CXPACKET' n='17'/>" * 800
    events = []
    for n in range(2_000):
        if n % 100 < 100 * share:
            value = {"component": n % 3, "state": 1, "data": xml if kind == "XML-heavy" else xml[:900]}
            events.append(Event(DIAGNOSTICS, n * 10_000, value))
        elif kind == "AlwaysOn_health":
            events.append(group_event(n))
        else:
            value = {f"value_{k}": n * 8192 * k for k in range(8)}
            value |= {"id": n, "timestamp": n, "broker": n % 8, "notification": "RESOURCE_MEM_STEADY"}
            events.append(Event(MEMORY, n * 10_000, value))
    return XelFile().write(events)


def group_event(number: int) -> Event:
    if number % 10:
        text = f"The availability group database {number} is changing roles from RESOLVING."
        value = {"error_number": 1480, "severity": 10, "state": 2, "message": text}
        value |= {"category": 2, "destination": 12}
        return Event(SCHEMAS["error_reported"], number * 10_000, value)
    value = {"previous_state": 0, "current_state": 4, "availability_group_name": "AG1"}
    value |= {"availability_group_id": UUID(int=7), "availability_replica_name": r"HOST\INSTANCE"}
    return Event(SCHEMAS["availability_replica_state_change"], number * 10_000, value)


# Either side, in a process of its own


def run_xelib(path: Path, repeat: int) -> dict:
    """Decode all events, then one of them; each the best of the runs."""
    count, size = Counter(), Counter()
    for name, batch in xelib.open_xel(path):
        count[name] += batch.num_rows
        size[name] += batch.nbytes
    by_count = [name for name, _ in count.most_common()]
    one = by_count[len(by_count) // 2]
    all_seconds, one_seconds = [], []
    for _ in range(repeat):
        all_seconds.append(seconds(lambda: rows(path)))
        one_seconds.append(seconds(lambda: rows(path, [one])))
    return {
        "events": sum(count.values()),
        "seconds": min(all_seconds),
        "spread": max(all_seconds) / min(all_seconds),
        "one": one,
        "one_share": size[one] / sum(size.values()),
        "one_seconds": min(one_seconds),
        "rss_mb": peak_rss_mb(),
    }


def run_plain(path: Path, repeat: int) -> dict:
    """Decode the same blocks with the plain decoder."""

    def count() -> int:
        return sum(1 for _ in plain_xel.events(path.read_bytes()))

    return {"seconds": min(seconds(count) for _ in range(repeat)), "bytes": path.stat().st_size}


def run_memory(path: Path, repeat: int) -> dict:
    """Go through a file; nothing is kept of a batch."""
    count = sum(rows(path) for _ in range(repeat))
    return {"rows": count, "rss_mb": peak_rss_mb()}


SIDES = {"xelib": run_xelib, "plain": run_plain, "memory": run_memory}


def rows(path: Path, events: list[str] | None = None) -> int:
    """Decode to Arrow batches, all columns; nothing is kept."""
    return sum(batch.num_rows for _, batch in xelib.open_xel(path, events=events))


def seconds(run: Callable[[], int]) -> float:
    start = time.perf_counter()
    assert run() > 0
    return time.perf_counter() - start


def peak_rss_mb() -> float:
    """Return the peak resident memory of this process, in MB (10^6 bytes)."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    import psutil

    memory = psutil.Process().memory_info()
    return getattr(memory, "peak_wset", memory.rss) / 1e6


def spawn(side: str, path: Path, repeat: int) -> dict:
    command = [sys.executable, __file__, "--run", side, str(path), str(repeat)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


# The report


def report(kinds: list[str], folder: Path, scale: float, repeat: int) -> str:
    lines = [
        f"### Extended Events to Arrow ({dt.datetime.now(dt.UTC):%Y-%m-%d})",
        "",
        machine("xelib", "pyarrow") + ".",
        "",
        "| file | MB | events | xelib, MB/s | plain Python, MB/s | ratio | one event of all, min. 3 "
        "| peak MB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [measure(kind, folder, scale, repeat) for kind in kinds]
    lines += ["", *sources(kinds), "", memory(kinds[0], folder, scale)]
    return "\n".join(lines)


def measure(kind: str, folder: Path, scale: float, repeat: int) -> str:
    data, _ = model(kind)
    name = kind.replace(", ", "-").replace(" ", "-")
    whole, part = folder / f"{name}.xel", folder / f"{name}-part.xel"
    repeat_blocks(data, MB * scale, whole)
    repeat_blocks(data, min(PLAIN_MB, MB * scale), part)
    ours, plain = spawn("xelib", whole, repeat), spawn("plain", part, min(repeat, 3))
    megabytes = whole.stat().st_size / 1e6
    whole.unlink()
    speed, baseline = megabytes / ours["seconds"], plain["bytes"] / 1e6 / plain["seconds"]
    return (
        f"| {kind} | {megabytes:,.0f} | {ours['events']:,} "
        f"| {speed:,.0f} ({ours['seconds']:.2f} s, slowest {ours['spread']:.1f} times that) "
        f"| {baseline:,.1f} | **{speed / baseline:,.1f}** (min. {KINDS[kind].least:g}) "
        f"| {ours['seconds'] / ours['one_seconds']:.1f} times faster "
        f"({ours['one']}, {ours['one_share']:.1%} of the bytes) | {ours['rss_mb']:,.0f} |"
    )


def sources(kinds: list[str]) -> list[str]:
    names = {kind: model(kind)[1] for kind in kinds}
    return ["Blocks repeated of: " + "; ".join(f"{kind}: {names[kind]}" for kind in kinds) + "."]


def memory(kind: str, folder: Path, scale: float) -> str:
    """Measure the memory of going through a file of 2 GB."""
    path = folder / "big.xel"
    repeat_blocks(model(kind)[0], BIG_MB * scale, path)
    result = spawn("memory", path, 1)
    megabytes = path.stat().st_size / 1e6
    path.unlink()
    return (
        f"Resident memory going through {megabytes:,.0f} MB ({kind}, {result['rows']:,} events): "
        f"at most {result['rss_mb']:,.0f} MB (max. {MAX_RSS_MB:g})."
    )


if __name__ == "__main__":
    main()
