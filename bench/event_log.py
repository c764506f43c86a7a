"""Windows event logs (.evtx) to rows: our decoder beside the Python package ``evtx``, on 200 MB files.

``python bench/event_log.py`` repeats the chunks of the real logs in the folder that AGTRACE_CAPTURES
names (of a written log where there are none) up to 200 MB and reads each, file in the page cache, every
side in a process of its own: the least processor time of ``--repeat`` runs counts. The peer gives the
same logs as JSON, which is not parsed; where it is not installed (``pip install evtx``) its column stays
empty.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agtrace.readers.base import Source
from agtrace.readers.event_log import READER
from bench.machine import machine
from bench.xel import peak_rss_mb
from simulation.formats.event_log import EVENTS
from simulation.formats.evtx import evtx_of_templates
from tests.shared import CAPTURES

MB = 200
PEER_MB = 40
LEAST = 190.0
"""MB/s of processor time that are due of every log."""
HEAD = 4096
LOGS = {
    "System": "field/evtx/2-vss_7-System.evtx",
    "System, a server": "field/evtx/system.evtx",
    "Security": "field/evtx/security_bad_string_cache.evtx",
    "an operational log": "field/evtx/sample-with-irregular-bool-values.evtx",
}
WRITTEN = "written"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="share of the bytes (default 1)")
    parser.add_argument("--repeat", type=int, default=5, help="runs, best counts (default 5)")
    parser.add_argument("--run", nargs=3, metavar=("SIDE", "FILE", "REPEAT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        side, file, repeat = arguments.run
        print(json.dumps(measured(side, Path(file), int(repeat))))
        return
    folder = Path(tempfile.mkdtemp(prefix="agtrace-bench-"))
    try:
        print(report(folder, arguments.scale, arguments.repeat))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def models() -> dict[str, bytes]:
    """Return the logs whose chunks are repeated."""
    found = {name: CAPTURES / path for name, path in LOGS.items() if (CAPTURES / path).is_file()}
    if not found:
        return {WRITTEN: evtx_of_templates(EVENTS * 60)}
    return {name: path.read_bytes() for name, path in found.items()}


def repeated(data: bytes, megabytes: float) -> bytes:
    body = data[HEAD:]
    return data[:HEAD] + body * max(1, round(megabytes * 1e6 / len(body)))


# Either side, in a process of its own


def ours(path: Path) -> int:
    batches = READER.read(Source.of_path(path))
    return sum(batch.num_rows for table, batch in batches if table == "os_events")


def theirs(path: Path) -> int:
    from evtx import PyEvtxParser

    return sum(1 for _ in PyEvtxParser(str(path), number_of_threads=1).records_json())


SIDES = {"ours": ours, "theirs": theirs}


def measured(side: str, path: Path, repeat: int) -> dict[str, float]:
    seconds, rows = [], 0
    for _ in range(repeat):
        start = time.process_time()
        rows = SIDES[side](path)
        seconds.append(time.process_time() - start)
    return {"rows": rows, "seconds": min(seconds), "rss_mb": peak_rss_mb()}


def spawn(side: str, path: Path, repeat: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--run", side, str(path), str(repeat)]
    answer: dict[str, float] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return answer


# The report


def report(folder: Path, scale: float, repeat: int) -> str:
    peer = "evtx" if find_spec("evtx") else ""
    lines = [
        f"### Windows event logs to Arrow ({dt.datetime.now(dt.UTC):%Y-%m-%d})",
        "",
        machine("xelib", "pyarrow", *filter(None, [peer])) + "; processor time.",
        "",
        f"| log | MB | events | ours, MB/s (min. {LEAST:g}) | evtx to JSON, MB/s | ratio | peak MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, data in models().items():
        lines.append(line(name, data, folder, scale, repeat, has_peer=bool(peer)))
    return "\n".join(lines)


def line(name: str, data: bytes, folder: Path, scale: float, repeat: int, *, has_peer: bool) -> str:
    whole, part = folder / "whole.evtx", folder / "part.evtx"
    whole.write_bytes(repeated(data, MB * scale))
    part.write_bytes(repeated(data, min(PEER_MB, MB * scale)))
    result = spawn("ours", whole, repeat)
    megabytes = whole.stat().st_size / 1e6
    speed = megabytes / result["seconds"]
    cells = [name, f"{megabytes:,.0f}", f"{result['rows']:,}", f"**{speed:,.0f}**"]
    if has_peer:
        baseline = part.stat().st_size / 1e6 / spawn("theirs", part, min(repeat, 3))["seconds"]
        cells += [f"{baseline:,.0f}", f"{speed / baseline:.1f}"]
    else:
        cells += ["", ""]
    cells.append(f"{result['rss_mb']:,.0f}")
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
