"""Kill a batch or a watch at random moments, and look at what is left.

By hand: ``python -m tests.batch.killing 100``. Each round unsettles the reports, kills a run with
SIGKILL, finishes it with another one, and compares the results with those of an undisturbed run. A
reader that asks all the while never sees half a file. The test suite runs a few rounds of the same.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from agtrace.batch import Options, batch, open_results
from agtrace.batch.places import STATE, Reports
from tests.batch.cases import FINDINGS_ONLY, make_case
from tests.ingest import texts

CASES = 4
QUERIES = (
    'select "case", id, severity, title, narrative from findings order by all',
    'select "case", status, files, bytes, critical, warning from cases order by all',
    "select count(*) from backups",
)


@dataclass
class Kills:
    """What was killed, and what was found wrong afterwards."""

    rounds: int = 0
    finished: int = 0
    """Rounds in which the run had ended before it was killed."""
    asked: int = 0
    """How often the reader asked meanwhile."""
    faults: list[str] = field(default_factory=list)


def asked(out: Path) -> list[list[tuple[object, ...]]]:
    """Return answers from the results."""
    with open_results(out) as results:
        return [results.sql(query).fetchall() for query in QUERIES]


def kill(count: int, seed: int | None = None) -> Kills:
    """Run so many rounds in a scratch folder of their own."""
    chance = random.Random(seed)
    result = Kills()
    with tempfile.TemporaryDirectory(prefix="many-kills-") as name:
        scratch = Path(name)
        (scratch / "tmp").mkdir()
        inbox, out = scratch / "in", scratch / "out"
        for number in range(CASES):
            make_case(inbox / f"case{number}", rows=6 + 3 * number)
        (inbox / "case1" / "ERRORLOG").write_bytes(texts.errorlog(20))
        begin = time.monotonic()
        _start("batch", inbox, scratch / "expected", scratch).wait()
        seconds = time.monotonic() - begin
        expected = asked(scratch / "expected")
        shutil.copytree(scratch / "expected", out)
        Reports(out).create(trust=True)
        with _Reader(out, result):
            for number in range(count):
                _unsettle(out, chance)
                verb = chance.choice(("batch", "watch"))
                _round(verb, chance.random() * seconds, inbox, out, scratch, result)
                done = batch([inbox], out, FINDINGS_ONLY)
                if done.broken or done.postponed or asked(out) != expected:
                    result.faults.append(f"round {number}, {verb}: {done}, or other results")
                if number % 10 == 9:
                    sys.stderr.write(f"{number + 1} {result.faults[:3]}\n")
        _look_for_leftovers(out, result)
    return result


def _start(verb: str, inbox: Path, out: Path, scratch: Path) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "agtrace", verb, inbox, "--out", out, "--findings-only"]
    words += ["--settle", "0.1"] if verb == "watch" else []
    return subprocess.Popen(
        [str(word) for word in words],
        env=os.environ | {"TMPDIR": str(scratch / "tmp")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _unsettle(out: Path, chance: random.Random) -> None:
    """Leave work for the next run: some cases were never recorded, some have no store."""
    for record in sorted((out / STATE / "cases").iterdir()):
        if chance.random() < 0.6:
            record.unlink()
            if chance.random() < 0.5:
                for store in (out / STATE / "stores").glob(f"{record.stem}-*"):
                    shutil.rmtree(store)


def _round(verb: str, after_s: float, inbox: Path, out: Path, scratch: Path, result: Kills) -> None:
    running = _start(verb, inbox, out, scratch)
    try:
        result.finished += running.wait(after_s) == 0
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
    result.rounds += 1
    for page in out.glob("**/*.html"):
        if not page.read_text(encoding="utf-8").rstrip().endswith("</html>"):
            result.faults.append(f"{verb}: {page.relative_to(out)} is half a page")


def _look_for_leftovers(out: Path, result: Kills) -> None:
    """After an undisturbed run nothing of the killed ones is left."""
    batch([out.parent / "in"], out, Options(pages=False))
    named = {path.stem for path in (out / STATE / "cases").iterdir()}
    left = [*out.rglob("*.tmp"), *out.rglob("*.partial"), *out.rglob("lock*"), *out.rglob(".new-*")]
    left += list((out / STATE / "tries").iterdir())
    left += [path for path in (out / STATE / "rows").iterdir() if path.name not in named]
    left += [path for path in (out / STATE / "rows").iterdir() if len(list(path.iterdir())) != 1]
    result.faults += [f"left behind: {path.relative_to(out)}" for path in left]


class _Reader:
    """Asks the results all the while; whatever it is told, no file is half."""

    def __init__(self, out: Path, result: Kills) -> None:
        self._out, self._result = out, result
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def _ask(self) -> None:
        while not self._over.wait(0.2):
            try:
                asked(self._out)
                self._result.asked += 1
            except Exception as error:
                self._result.faults.append(f"a reader was told: {error}")


def main(arguments: list[str]) -> int:
    """Kill as often as the first argument says, with the seed that the second one says."""
    count = int(arguments[0]) if arguments else 100
    seed = int(arguments[1]) if len(arguments) > 1 else random.randrange(10**6)
    result = kill(count, seed)
    sys.stdout.write(f"seed {seed}: {result}\n")
    return bool(result.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
