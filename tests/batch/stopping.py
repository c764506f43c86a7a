"""Drop many cases into an inbox at once, stop the watch twice, and see what was reported.

By hand: ``python -m tests.batch.stopping 500``. The test suite does the same with a few.
"""

from __future__ import annotations

import html
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from agtrace.batch import open_results
from tests.batch.cases import make_case

REPORTED = re.compile(r"^\S+ (case\d+): reported in ", re.MULTILINE)
STOP_S = 10.0
"""Services are killed that take longer to end."""


def stop_twice(count: int, scratch: Path) -> list[str]:
    """Watch so many cases with two SIGTERM on the way; give what was not as it should be."""
    inbox, out, log = scratch / "in", scratch / "out", scratch / "log"
    for number in range(count):
        make_case(inbox / f"case{number}", rows=4)
    faults: list[str] = []
    for wanted in (count // 3, 2 * count // 3, count):
        with log.open("ab") as told:
            running = _start(inbox, out, scratch, told)
        while len(REPORTED.findall(log.read_text())) < wanted and running.poll() is None:
            time.sleep(0.02)
        if wanted == count:
            # With nothing left to do, it brings the results over all up to date.
            _wait_for(lambda: _in_results(out) == count)
        begin = time.monotonic()
        running.send_signal(signal.SIGTERM)
        status = running.wait(60)
        took = time.monotonic() - begin
        said = REPORTED.findall(log.read_text())
        shown = _on_page(out)
        sys.stdout.write(f"{len(said)} reported, {len(shown)} on the page, {took:.1f} s to stop\n")
        if status != 0 or took > STOP_S:
            faults.append(f"after {wanted}: status {status}, {took:.1f} s")
        if sorted(said) != sorted(shown):
            faults.append(f"after {wanted}: {len(said)} reported, {len(shown)} on the page")
    faults += [f"{name}: reported {n} times" for name, n in Counter(said).items() if n != 1]
    if _in_results(out) != count:
        faults.append(f"{_in_results(out)} of {count} in the results")
    faults += [f"left behind: {path.name}" for path in (scratch / "tmp").iterdir()]
    faults += [f"left behind: {path}" for path in out.rglob(".new-*")]
    return faults


def _start(inbox: Path, out: Path, scratch: Path, told: object) -> subprocess.Popen[bytes]:
    (scratch / "tmp").mkdir(exist_ok=True)
    words = ["watch", inbox, "--out", out, "--findings-only", "--settle", 0.1, "--jobs", 2]
    return subprocess.Popen(
        [sys.executable, "-m", "agtrace", *map(str, words)],
        env=os.environ | {"TMPDIR": str(scratch / "tmp")},
        stdout=told,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _on_page(out: Path) -> list[str]:
    """Return the cases whose report the overall page links."""
    text = (out / "index.html").read_text(encoding="utf-8")
    return sorted(set(re.findall(r'href="(case\d+)/index\.html"', html.unescape(text))))


def _in_results(out: Path) -> int:
    with open_results(out) as results:
        return len(results.sql('select distinct "case" from cases').fetchall())


def _wait_for(done: object) -> None:
    end = time.monotonic() + 60
    while not done() and time.monotonic() < end:
        time.sleep(0.2)


def main(arguments: list[str]) -> int:
    """Do it with as many cases as the first argument says."""
    with tempfile.TemporaryDirectory(prefix="stopping-") as name:
        faults = stop_twice(int(arguments[0]) if arguments else 500, Path(name))
    sys.stdout.write("\n".join([*faults, f"{len(faults)} faults"]) + "\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
