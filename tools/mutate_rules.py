"""Change rules and words, one at a time, and tell which changes no test notices.

    python tools/mutate_rules.py [FILE ...] [--sample N] [--seed S] [--jobs N] [--tests PATH ..] [--list]

Files are those that judge and say by default: every module, query and template of agtrace/diagnostics, and
agtrace/thresholds.py. `tools/mutations.py` says what is changed. For each change the tests of its question
run (tests/diagnostics/<question>; of other code its mirrored folder) until one fails: those first that
executed the changed line, the fastest of them first, then all. A change that breaks the import, or lets the
tests run far longer than they do, is noticed, too.

What nothing noticed is printed as a table and with its diff; the status is 1 where there is any. It works on
a copy of the tree, a process for each job holds the libraries loaded and forks for each change, so that one
costs a second or two where a test fails soon, and the time of the question's tests where none does. All of
a large question take an hour: ``--sample 50`` tries some, the same for the same ``--seed``.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from tools.mutations import Change, changes  # noqa: E402

COPIED = ("agtrace", "bench", "docs", "notebooks", "sample_data", "simulation", "tests", "tools")
LEFT = ignore_patterns("__pycache__", ".agtrace", "agtrace-report", ".ipynb_checkpoints")
JUDGE_OR_SAY = (".py", ".sql", ".toml", ".md")
BELOW = ("agtrace.readers", "agtrace.store", "agtrace.resolve", "agtrace.measure", "agtrace.history",
    "agtrace.ingest",
         "agtrace.measures", "agtrace.say")  # fmt: skip
PATIENCE_S = 30.0
SLOWER = 5.0
"""A change may take this many times as long as the tests did without it, and `PATIENCE_S`."""


@dataclass(frozen=True)
class Mutant:
    """A change of one file."""

    path: str
    change: Change
    text: str

    @property
    def line(self) -> int:
        """Where it stands."""
        return self.change.line(self.text)

    @property
    def lines(self) -> range:
        """All lines of what is changed."""
        return range(self.line, self.line + self.text[self.change.start : self.change.end].count("\n") + 1)

    def diff(self) -> str:
        """Show it as a diff without context."""
        after = self.change.applied(self.text).splitlines()
        lines = difflib.unified_diff(self.text.splitlines(), after, n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def targets(given: list[str]) -> list[str]:
    """Give the files to change, relative to the tree."""
    if given:
        return [Path(each).resolve().relative_to(ROOT).as_posix() for each in given]
    found = [path for path in (ROOT / "agtrace" / "diagnostics").rglob("*") if path.suffix in JUDGE_OR_SAY]
    return sorted(path.relative_to(ROOT).as_posix() for path in [*found, ROOT / "agtrace" / "thresholds.py"])


def tests_of(path: str) -> str:
    """Give the folder of tests that should notice a change of a file."""
    folder = Path("tests", *Path(path).parent.parts[1:])
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    # What stands beside the questions decides in all of them.
    return "tests/diagnostics" if folder == Path("tests") else folder.as_posix()


def mutants(paths: list[str]) -> list[Mutant]:
    """Give every change of some files."""
    found = []
    for path in paths:
        text = (ROOT / path).read_text(encoding="utf-8")
        found += [Mutant(path, change, text) for change in changes(path, text)]
    return found


class Server:
    """A copy of the tree with a process that runs tests in it."""

    def __init__(self, folder: Path, warm: tuple[str, ...]) -> None:
        for name in COPIED:
            if (ROOT / name).is_dir():
                copytree(ROOT / name, folder / name, ignore=LEFT)
        (folder / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
        captures = os.environ.get("AGTRACE_CAPTURES", str(ROOT.parent / "shared"))
        self._process = subprocess.Popen(
            [sys.executable, str(folder / "tools" / "run_mutated.py"), *warm],
            cwd=folder,
            env=os.environ
            | {"PYTHONPATH": str(folder), "AGTRACE_CAPTURES": captures, "AGTRACE_TESTS_SEED": "27"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """Have tests run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


# Which tests, in which order.


class Watched:
    """What the tests of a folder did without any change."""

    def __init__(self, told: dict[str, dict[str, Any]], places: tuple[str, ...]) -> None:
        self.places = list(places)
        self.seconds = {
            test: each.get("seconds", 0.0) for test, each in told.items() if not each.get("failed")
        }
        self.failing = sorted(test for test, each in told.items() if each.get("failed"))
        self._by_line: dict[tuple[str, int], list[str]] = {}
        for test in sorted(self.seconds, key=self.seconds.__getitem__):
            for name, line in told[test].get("lines", []):
                self._by_line.setdefault((name, line), []).append(test)

    def stages(self, mutant: Mutant) -> list[tuple[list[str], float]]:
        """Give the tests that executed the changed lines, the fastest first, then all; with their seconds.

        All at once, and not by their names, for only then are words that no test is told any more a failure.
        """
        lines = mutant.lines if mutant.path.endswith(".py") else [0]
        first = [test for line in lines for test in self._by_line.get((mutant.path, line), [])]
        first = list(dict.fromkeys(first))
        every = sorted(self.seconds, key=self.seconds.__getitem__)
        rest = [test for test in every if test not in set(first)] if self.failing else self.places
        found = (first, first), (rest, every)
        return [(stage, sum(map(self.seconds.__getitem__, own))) for stage, own in found if stage]


def noticed(server: Server, mutant: Mutant, watched: Watched) -> tuple[str | None, float]:
    """Give who noticed a change, None where nobody did, and how long it took."""
    spent = 0.0
    for tests, seconds in watched.stages(mutant):
        limit = PATIENCE_S + SLOWER * seconds
        answer = server.ask(
            path=mutant.path, text=mutant.change.applied(mutant.text), tests=tests, limit=limit
        )
        spent += answer["seconds"]
        if answer["status"] is None:
            return f"more than {limit:.0f} s", spent
        if answer["status"] != 0:
            return (answer["by"] or [f"status {answer['status']}"])[0], spent
    return None, spent


def run(chosen: list[Mutant], tests: list[str], jobs: int, folder: Path) -> list[Mutant]:
    """Meet every change, tell each as it goes, and give those that nobody noticed."""
    with_tests: dict[tuple[str, ...], list[Mutant]] = {}
    for mutant in chosen:
        with_tests.setdefault(tuple(tests) or (tests_of(mutant.path),), []).append(mutant)
    # What lies below the questions can be loaded ahead where they alone are changed.
    warm = BELOW if all(mutant.path.startswith("agtrace/diagnostics/") for mutant in chosen) else ()
    servers = [Server(folder / str(n), warm) for n in range(jobs)]
    work: queue.SimpleQueue[tuple[Mutant, Watched]] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Mutant, str | None, float] | Exception] = queue.SimpleQueue()
    survived = []
    try:
        for places, own in with_tests.items():
            files = sorted({mutant.path for mutant in own})
            answer = servers[0].ask(tests=list(places), limit=7200, watched=files)
            watched = Watched(answer["told"], places)
            if not watched.seconds:
                raise SystemExit(f"{', '.join(places)}: no test passes\n{answer['log']}")
            total = sum(watched.seconds.values())
            print(f"{', '.join(places)}: {len(watched.seconds)} tests, {total:.0f} s", flush=True)
            for test in watched.failing:
                print(f"  left out, for it fails as it is: {test}", flush=True)
            # All are found by their names, and compiled in every copy, before anything is changed.
            for server in servers:
                answer = server.ask(tests=["--collect-only", *watched.seconds], limit=600)
                if answer["status"] != 0:
                    raise SystemExit(f"{', '.join(places)}: tests are not found by name\n{answer['log']}")
            for mutant in own:
                work.put((mutant, watched))

            def meet(server: Server) -> None:
                with contextlib.suppress(queue.Empty):
                    while True:
                        mutant, watched = work.get_nowait()
                        try:
                            done.put((mutant, *noticed(server, mutant, watched)))
                        except Exception as error:
                            done.put(error)

            threads = [threading.Thread(target=meet, args=(server,), daemon=True) for server in servers]
            for thread in threads:
                thread.start()
            for _mutant in own:
                met = done.get()
                if isinstance(met, Exception):
                    raise met
                mutant, by, seconds = met
                told = f"noticed by {by}" if by else "NOT NOTICED"
                print(f"{mutant.path}:{mutant.line} {mutant.change.kind} {seconds:.1f} s {told}", flush=True)
                survived += [] if by else [mutant]
            for thread in threads:
                thread.join()
    finally:
        for server in servers:
            server.close()
    return sorted(survived, key=lambda mutant: (mutant.path, mutant.change.start, mutant.change.new))


def main(arguments: list[str] | None = None) -> int:
    """Meet the changes, and give the exit status."""
    parser = argparse.ArgumentParser(description="Tell which changes of rules and words no test notices.")
    parser.add_argument(
        "files", nargs="*", help="files to change (default: agtrace/diagnostics and thresholds)"
    )
    parser.add_argument("--sample", type=int, help="try so many changes at random")
    parser.add_argument("--seed", type=int, default=27, help="which ones")
    parser.add_argument("--jobs", type=int, default=2, help="processes that run tests")
    parser.add_argument(
        "--tests", nargs="+", default=[], help="the tests to run instead of the question's own"
    )
    parser.add_argument("--list", action="store_true", help="print the changes only")
    given = parser.parse_args(arguments)
    found = mutants(targets(given.files))
    chosen = found
    if given.sample is not None and given.sample < len(found):
        chosen = random.Random(given.seed).sample(found, given.sample)
        chosen.sort(key=lambda mutant: (mutant.path, mutant.change.start, mutant.change.new))
    if given.list:
        for mutant in chosen:
            print(f"{mutant.path}:{mutant.line} {mutant.change.kind}\n{mutant.diff()}")
        print(f"{len(chosen)} of {len(found)} changes")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutated-") as folder:
        survived = run(chosen, given.tests, max(1, min(given.jobs, len(chosen))), Path(folder))
    print(f"\n{len(chosen)} of {len(found)} changes, {len(survived)} not noticed")
    if survived:
        print("\n| where | what |\n|---|---|")
        for mutant in survived:
            print(f"| {mutant.path}:{mutant.line} | {mutant.change.kind} |")
        for mutant in survived:
            print(f"\n{mutant.path}:{mutant.line}\n{mutant.diff()}")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
