"""Change rules and words, one at a time, and tell which changes no test notices.

    python tools/mutate_rules.py [PATH ...] [--sample N] [--seed S] [--jobs N] [--tests PATH ..]
                                 [--within N] [--kept DIR] [--list]

Paths are files, or folders of files that judge and say: by default every module, query and template of
agtrace/diagnostics, and agtrace/thresholds.py. `tools/mutations.py` says what is changed. For each change the
tests of its question run (tests/diagnostics/<question>; of other code its mirrored folder) until one fails:
those that executed the changed line, the ones that noticed others of its file and the fastest first; of what
is computed as a module loads, and of words of a question whose tests are quick, then all. A change that
breaks the import, or lets the tests run far longer than they do, is noticed, too. What no test executes is
told without a run.

What nothing noticed is printed as a table and with its diff; the status is 1 where there is any. It works on
a copy of the tree; a process for each job holds the tests found and forks for each change (tools/
run_gathered.py). ``--kept`` names a folder that keeps what was seen: who runs it again tries those that
nothing noticed, and those of files that differ. ``--within 25`` lets each change be met by so many tests: who
has little time finds most of what is noticed first, and runs it again without for the rest.
``--sample 50`` tries some, the same for the same ``--seed``.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import queue
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from tools.mutations import Change, changes, is_in_a_function  # noqa: E402

COPIED = ("agtrace", "bench", "docs", "notebooks", "sample_data", "simulation", "tests", "tools")
LEFT = ignore_patterns("__pycache__", ".agtrace", "agtrace-report", ".ipynb_checkpoints")
JUDGE_OR_SAY = (".py", ".sql", ".toml", ".md")
BELOW = ("agtrace.readers", "agtrace.store", "agtrace.resolve", "agtrace.measure", "agtrace.history",
    "agtrace.ingest",
         "agtrace.measures", "agtrace.say")  # fmt: skip
LIBRARIES = ("numpy", "pandas", "pyarrow.parquet", "duckdb", "plotly.graph_objects", "jinja2", "pytest",
    "_pytest.assertion.rewrite",
             "_pytest.python", "scipy.stats", "hypothesis")  # fmt: skip
CAN_FORK = hasattr(os, "fork")
PATIENCE_S = 30.0
WHOLE_S = 60.0
"""All tests of a question meet a change of words that took no longer without it."""
SLOWER = 5.0
"""A change may take this many times as long as the tests did without it, and `PATIENCE_S`."""


@dataclass(frozen=True)
class Mutant:
    """A change of one file."""

    path: str
    change: Change
    text: str

    @property
    def key(self) -> str:
        """What it is: the same as long as its file is."""
        told = f"{self.path}\0{self.change.start}\0{self.change.new}\0{self.text}"
        return hashlib.sha256(told.encode()).hexdigest()[:24]

    @property
    def is_live(self) -> bool:
        """Whether it can be met by tests that were found before: it is read or run when they do."""
        return not self.path.endswith(".py") or is_in_a_function(self.text, self.change.start)

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
    places = [Path(each).resolve() for each in given] or [
        ROOT / "agtrace" / "diagnostics",
        ROOT / "agtrace" / "thresholds.py",
    ]
    found = [path for place in places for path in (place.rglob("*") if place.is_dir() else [place])]
    return sorted(path.relative_to(ROOT).as_posix() for path in found if path.suffix in JUDGE_OR_SAY)


def tests_of(path: str) -> str:
    """Give the tests that should notice a change of a file: its own, else the mirrored folder."""
    own = Path("tests", *Path(path).parent.parts[1:], f"test_{Path(path).stem}.py")
    if not path.startswith("agtrace/diagnostics/") and (ROOT / own).is_file():
        return own.as_posix()
    folder = own.parent
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

    def gather(self, places: tuple[str, ...], modules: list[str]) -> set[str]:
        """Have tests found, and kept so, for changes that can be met by them; name them."""
        self._gathered = {"gather": list(places), "modules": modules}
        return set(self.ask(**self._gathered)["tests"])

    def meet(self, mutant: Mutant, watched: Watched, tests: list[str], limit: float) -> dict[str, Any]:
        """Have tests meet a change."""
        asked = {"path": mutant.path, "text": mutant.change.applied(mutant.text), "limit": limit}
        if not (mutant.is_live and CAN_FORK):
            return self.ask(tests=tests, **asked)
        answer = self.ask(live=True, tests=[] if tests == watched.places else tests, **asked)
        if answer["status"] is None:
            # What it held when it was ended may be left half done.
            self.ask(**self._gathered)
        return answer

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
        self.noticed: Counter[str | tuple[str, str]] = Counter()
        self._by_line: dict[tuple[str, int], list[str]] = {}
        for test in sorted(self.seconds, key=self.seconds.__getitem__):
            for name, line in told[test].get("lines", []):
                self._by_line.setdefault((name, line), []).append(test)

    def stages(self, mutant: Mutant, within: int | None = None) -> list[tuple[list[str], float]]:
        """Give the tests that executed the changed lines, the likeliest and the fastest first; with their
        seconds. Of what is computed as a module loads, all others after them; of words, too, where that does
        not take long. No more than so many tests, where that is given.

        All at once, and not by their names, for only then are words that no test is told any more a failure.
        """
        lines = mutant.lines if mutant.path.endswith(".py") else [0]
        met = {test for line in lines for test in self._by_line.get((mutant.path, line), [])}
        first = sorted(met, key=lambda test: (*self._likely(mutant, test), self.seconds[test]))
        found = [(first, first)]
        if within is not None:
            first = first[:within]
            return [(first, sum(map(self.seconds.__getitem__, first)))] if first else []
        every = list(self.seconds)
        is_short = sum(self.seconds.values()) <= WHOLE_S
        if not mutant.is_live or (is_short and mutant.path.endswith((".toml", ".md"))):
            found.append(
                ([test for test in every if test not in met] if self.failing else self.places, every)
            )
        return [(stage, sum(map(self.seconds.__getitem__, own))) for stage, own in found if stage]

    def _likely(self, mutant: Mutant, test: str) -> tuple[int, int]:
        return -self.noticed[mutant.path, test], -self.noticed[test]


def noticed(server: Server, mutant: Mutant, watched: Watched, within: int | None) -> tuple[str | None, float]:
    """Give who noticed a change, None where nobody did, and how long it took."""
    spent = 0.0
    for tests, seconds in watched.stages(mutant, within):
        limit = PATIENCE_S + SLOWER * seconds
        answer = server.meet(mutant, watched, tests, limit)
        spent += answer["seconds"]
        if answer["status"] is None:
            return f"more than {limit:.0f} s", spent
        if answer["status"] != 0:
            by = (answer["by"] or [f"status {answer['status']}"])[0]
            watched.noticed.update([by, (mutant.path, by)])
            return by, spent
    return None, spent


class Kept:
    """What was seen before, in a folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._seen: dict[str, str | None] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for line in self._results.read_text("utf-8").splitlines() if self._results.exists() else ():
                held = json.loads(line)
                self._seen[held["key"]] = held["by"]

    @property
    def _results(self) -> Path:
        assert self._folder is not None
        return self._folder / "results.jsonl"

    def by(self, mutant: Mutant) -> str | None:
        """Give who noticed a change before."""
        return self._seen.get(mutant.key)

    def keep(self, mutant: Mutant, by: str | None) -> None:
        """Keep who did."""
        if self._folder is not None:
            held = {"key": mutant.key, "path": mutant.path, "line": mutant.line, "kind": mutant.change.kind}
            with self._results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(held | {"by": by}) + "\n")

    def watched(self, places: tuple[str, ...], files: list[str], server: Server) -> dict[str, Any]:
        """Give what tests do without a change, watched anew where they or the code are others."""
        digest = hashlib.sha256(json.dumps([places, files]).encode())
        for place in ("agtrace", "simulation", *places):
            found = [ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*"))
            for path in found:
                if path.suffix in (*JUDGE_OR_SAY, ".txt"):
                    digest.update(path.read_bytes())
        kept = self._folder and self._folder / f"watched-{digest.hexdigest()[:24]}.json"
        if kept and kept.exists():
            return json.loads(kept.read_text("utf-8"))
        answer = server.ask(tests=list(places), limit=7200, watched=files)
        if kept and answer["status"] in (0, 1):
            kept.write_text(json.dumps(answer), "utf-8")
        return answer


def run(
    chosen: list[Mutant], tests: list[str], jobs: int, folder: Path, kept: Kept, within: int | None
) -> list[Mutant]:
    """Meet every change, tell each as it goes, and give those that nobody noticed."""
    with_tests: dict[tuple[str, ...], list[Mutant]] = {}
    for mutant in chosen:
        with_tests.setdefault(tuple(tests) or (tests_of(mutant.path),), []).append(mutant)
    # What lies below the questions can be loaded ahead where they alone are changed.
    below = BELOW if all(mutant.path.startswith("agtrace/diagnostics/") for mutant in chosen) else ()
    warm = (*LIBRARIES, *below)
    servers = [Server(folder / str(n), warm) for n in range(jobs)]
    survived = []
    try:
        for places, own in with_tests.items():
            files = sorted({mutant.path for mutant in own})
            answer = kept.watched(places, files, servers[0])
            watched = Watched(answer["told"], places)
            if not watched.seconds:
                raise SystemExit(f"{', '.join(places)}: no test passes\n{answer.get('log')}")
            total = sum(watched.seconds.values())
            print(f"{', '.join(places)}: {len(watched.seconds)} tests, {total:.0f} s", flush=True)
            for test in watched.failing:
                print(f"  left out, for it fails as it is: {test}", flush=True)
            # All are found by their names, in every copy, before anything is changed.
            for server in servers:
                if missed := sorted(watched.seconds.keys() - server.gather(places, answer["modules"])):
                    raise SystemExit(f"{', '.join(places)}: tests are not found by name: {missed[0]}")
            # Those that need a session of pytest each come last.
            own.sort(key=lambda mutant: not mutant.is_live)
            for mutant, by, seconds in _met(servers, own, watched, within):
                told = f"noticed by {by}" if by else "NOT NOTICED"
                print(f"{mutant.path}:{mutant.line} {mutant.change.kind} {seconds:.1f} s {told}", flush=True)
                kept.keep(mutant, by)
                survived += [] if by else [mutant]
    finally:
        for server in servers:
            server.close()
    return sorted(survived, key=lambda mutant: (mutant.path, mutant.change.start, mutant.change.new))


def _met(
    servers: list[Server], own: list[Mutant], watched: Watched, within: int | None
) -> Iterator[tuple[Mutant, str | None, float]]:
    """Meet changes, as many at once as there are processes."""
    free: queue.SimpleQueue[Server] = queue.SimpleQueue()
    for server in servers:
        free.put(server)

    def meet(mutant: Mutant) -> tuple[Mutant, str | None, float]:
        server = free.get()
        try:
            return mutant, *noticed(server, mutant, watched, within)
        finally:
            free.put(server)

    with ThreadPoolExecutor(len(servers)) as pool:
        for done in as_completed([pool.submit(meet, mutant) for mutant in own]):
            yield done.result()


def main(arguments: list[str] | None = None) -> int:
    """Meet the changes, and give the exit status."""
    parser = argparse.ArgumentParser(description="Tell which changes of rules and words no test notices.")
    parser.add_argument(
        "files", nargs="*", help="files or folders to change (default: agtrace/diagnostics and thresholds)"
    )
    parser.add_argument("--sample", type=int, help="try so many changes at random")
    parser.add_argument("--seed", type=int, default=27, help="which ones")
    parser.add_argument("--jobs", type=int, default=2, help="processes that run tests")
    parser.add_argument(
        "--tests", nargs="+", default=[], help="the tests to run instead of the question's own"
    )
    parser.add_argument("--within", type=int, help="tests that meet a change at most (default: all)")
    parser.add_argument("--kept", type=Path, help="folder that keeps what was seen")
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
    kept = Kept(given.kept)
    left = [mutant for mutant in chosen if not kept.by(mutant)]
    if len(left) < len(chosen):
        print(f"{len(chosen) - len(left)} were noticed before")
    survived: list[Mutant] = []
    if left:
        with tempfile.TemporaryDirectory(prefix="mutated-") as folder:
            survived = run(
                left, given.tests, max(1, min(given.jobs, len(left))), Path(folder), kept, given.within
            )
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
