"""Kill agtrace at random moments, and look at what is left: ``python -m tests.kills 300 SEED report``.

Each round kills one verb with ``--jobs 2``, alone and not its children, waits for them to end, and
compares the store with that of an undisturbed run after ingesting once more. The test suite runs a
few rounds of the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil

import agtrace
from agtrace.ingest import ingest
from agtrace.store import Store
from tests.ingest import texts

VERBS = ("ingest",) * 6 + ("findings",) * 3 + ("report",)
END_S = 10.0
"""Children have so long to notice that their parent has gone."""


@dataclass
class Kills:
    """What was killed, and what was found wrong afterwards."""

    rounds: Counter[str] = field(default_factory=Counter)
    finished: int = 0
    """Rounds in which the verb had ended before it was killed."""
    children: int = 0
    longest_s: float = 0.0
    """The longest that a child outlived its parent."""
    faults: list[str] = field(default_factory=list)


def make_case(folder: Path) -> Path:
    """Write captures that take a moment to decode."""
    for number in range(3):
        host = folder / f"SQL{number}"
        host.mkdir(parents=True)
        (host / "perf.csv").write_bytes(texts.perfmon(500 + number, host=f"SQL{number}"))
        (host / "ERRORLOG").write_bytes(texts.errorlog(200 + number))
        (host / "netsh.txt").write_bytes(texts.NETSH)
    (folder / "unknown.txt").write_text("no capture")
    return folder


def stored(store: Path) -> dict[str, object]:
    """Return the contents of a store, whatever its part names."""
    kept = Store(store)
    found: dict[str, object] = {"captures": [(c.path, c.content_id) for c in kept.captures()]}
    for content, record in kept.records().items():
        digest = hashlib.sha256()
        for listed in record.files.values():
            for file in listed:
                digest.update((kept.parts / str(record.part) / file.name).read_bytes())
        text = json.loads(record.to_json()) | {"part": None}
        found[content] = (json.dumps(text, sort_keys=True), digest.hexdigest())
    return found


def kill(count: int, seed: int | None = None, verbs: tuple[str, ...] = VERBS) -> Kills:
    """Run so many rounds in a scratch folder of their own."""
    chance = random.Random(seed)
    result = Kills()
    tempdir = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        scratch = Path(name)
        tempfile.tempdir = str(scratch / "tmp")
        Path(tempfile.tempdir).mkdir()
        try:
            case = make_case(scratch / "case")
            expected = stored(ingest(case, scratch / "expected").store)
            seconds = {verb: _seconds(verb, case, scratch) for verb in dict.fromkeys(verbs)}
            for number in range(count):
                _unsettle(case, chance)
                verb = chance.choice(verbs)
                _round(verb, chance.random() * seconds[verb], case, scratch, result)
                if stored(ingest(case).store) != expected:
                    result.faults.append(f"round {number}, {verb}: the store is another")
                if number % 10 == 9:
                    sys.stderr.write(f"{number + 1} {dict(result.rounds)} {result.faults[:3]}\n")
            if "report" in verbs:
                _seconds("report", case, scratch)
            _look_for_leftovers(case, scratch, result)
        finally:
            tempfile.tempdir = tempdir
    return result


def _command(verb: str, case: Path) -> list[str]:
    return [sys.executable, "-m", "agtrace", verb, str(case), "--jobs", "2"]


def _start(verb: str, case: Path, scratch: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        _command(verb, case),
        env=os.environ | {"TMPDIR": str(scratch / "tmp")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _seconds(verb: str, case: Path, scratch: Path) -> float:
    begin = time.monotonic()
    assert _start(verb, case, scratch).wait() == 0, verb
    return time.monotonic() - begin


def _unsettle(case: Path, chance: random.Random) -> None:
    """Leave something for the next run to decode: all of it, or some."""
    if chance.random() < 0.5:
        shutil.rmtree(case / ".agtrace")
        return
    for record in (case / ".agtrace" / "commits").iterdir():
        if chance.random() < 0.5:
            record.unlink()


def _round(verb: str, after_s: float, case: Path, scratch: Path, result: Kills) -> None:
    running = _start(verb, case, scratch)
    children: dict[int, psutil.Process] = {}
    end = time.monotonic() + after_s
    while time.monotonic() < end and running.poll() is None:
        _add_children(running.pid, children)
        time.sleep(0.01)
    _add_children(running.pid, children)
    running.kill()
    result.finished += running.wait() == 0
    result.rounds[verb] += 1
    result.children += len(children)
    begin = time.monotonic()
    _, alive = psutil.wait_procs(children.values(), END_S)
    result.longest_s = max(result.longest_s, time.monotonic() - begin)
    for process in alive:
        result.faults.append(f"{verb}: process {process.pid} is still there")
        process.kill()
    for page in (case / "agtrace-report").glob("*.html"):
        if not page.read_text(encoding="utf-8").rstrip().endswith("</html>"):
            result.faults.append(f"{verb}: {page.name} is half a page")


def _add_children(pid: int, children: dict[int, psutil.Process]) -> None:
    try:
        for child in psutil.Process(pid).children(recursive=True):
            children.setdefault(child.pid, child)
    except psutil.Error:
        return


def _look_for_leftovers(case: Path, scratch: Path, result: Kills) -> None:
    """After an undisturbed run nothing of the killed ones is left."""
    agtrace.open_case(case).close()
    store = case / ".agtrace"
    left = [
        *store.rglob("*.tmp"),
        *store.glob("parts/*.partial"),
        *store.glob("lock*"),
        *case.glob("agtrace-report*/.new-*"),
        *case.glob("agtrace-report-*"),
        *(scratch / "tmp").iterdir(),
    ]
    result.faults += [f"left behind: {path.relative_to(scratch)}" for path in left]


def main(arguments: list[str]) -> int:
    """Kill as often as the first argument says, with the seed and the verbs that follow."""
    count = int(arguments[0]) if arguments else 300
    seed = int(arguments[1]) if len(arguments) > 1 else random.randrange(10**6)
    result = kill(count, seed, tuple(arguments[2:]) or VERBS)
    sys.stdout.write(f"seed {seed}: {result}\n")
    return bool(result.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
