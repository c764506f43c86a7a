"""Tell whether two states of the code say the same of every sample case and real capture.

    python tools/compare_findings.py COMMIT [--words] [--pages] [--only CASE,..]

asks the code of COMMIT and that of this tree about each case of sample_data/ and about the real capture
failover_2017, where it is at hand (a copy without its answers, ``expected``), and prints what they tell
differently: facts (ids, severities, subjects, windows, confidences, values and units, exactly) apart from
words. ``--words`` asks for tables, figures, key figures and narrative text, too, whose numbers are facts,
and shows the words that differ; ``--pages`` makes the whole report and compares the text of its pages,
which takes minutes. Both use the decoders (xelib) and the packages that are installed.

Status 0 when all facts are equal ("equal but for words" where words differ), 1 when they are not; with
``--words`` or ``--pages`` also 1 when words differ.

Answers are kept in a temporary folder by what they rest on: every file of the code, the case, the decoders.
So a commit, or a tree that has not changed, is asked once.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from tools.compare_said import compare  # noqa: E402

SHARED = Path(os.environ.get("AGTRACE_CAPTURES", ROOT.parent / "shared"))
KEPT = Path(tempfile.gettempdir()) / "agtrace-compared"
CODE = ("agtrace", "notebooks", "pyproject.toml")
ASKED_BY = ("say_cases.py", "record_said.py", "said_values.py")
PROCESSES = 2


@dataclass(frozen=True)
class Tree:
    """A state of the code."""

    name: str
    root: Path

    def digest(self) -> str:
        """Give the digest of what its answers rest on besides the case."""
        import xelib

        asking = [Path(__file__).with_name(name) for name in ASKED_BY]
        decoders = sorted(Path(xelib.__file__).parent.iterdir())
        parts = [files(self.root / name) for name in CODE]
        return digest([*(entry for part in parts for entry in part), *named([*asking, *decoders])])


def named(paths: Iterable[Path]) -> list[tuple[str, Path]]:
    """Give files by their names alone."""
    return [(path.name, path) for path in paths if path.is_file()]


def files(folder: Path) -> list[tuple[str, Path]]:
    """Give the files of a folder by their paths in it, in order, without what Python or agtrace left
    there.
    """
    left = {"__pycache__", ".agtrace", "agtrace-report", ".ipynb_checkpoints"}
    found = (path for path in folder.rglob("*") if path.is_file() and not left & set(path.parts))
    return sorted((path.relative_to(folder).as_posix(), path) for path in found)


def digest(entries: Iterable[tuple[str, Path]]) -> str:
    """Digest files with their names."""
    found = hashlib.sha256()
    for name, path in entries:
        found.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return found.hexdigest()[:24]


def cases() -> list[Path]:
    """Give the folders of the sample cases, and of the real case where it is at hand."""
    samples = sorted(path for path in (ROOT / "sample_data").iterdir() if path.is_dir())
    real = SHARED / "captures" / "failover_2017"
    return [path for path in samples if path.name[0] not in "._"] + [real] * real.is_dir()


def copied(case: Path) -> tuple[str, Path]:
    """Copy a case to a place that is the same for all trees, without answers; give its digest, too."""
    entries = [(name, path) for name, path in files(case) if not name.startswith("expected/")]
    key = digest(entries)
    place = KEPT / "cases" / key / case.name
    if not place.exists():
        place.parent.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as scratch:
            for name, path in entries:
                (Path(scratch) / "case" / case.name / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, Path(scratch) / "case" / case.name / name)
            try:
                (Path(scratch) / "case").rename(place.parent)
            except OSError:
                if not place.exists():
                    raise
    return key, place


def checked_out(commit: str, folder: Path) -> Path:
    """Give the code of a commit, without a working tree that somebody would have to remove."""
    packed = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--format=tar", commit, *CODE], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def kept(key: str, options: list[str]) -> Path | None:
    """Give answers that were kept and hold at least what is asked."""
    wanted = set(options)
    for more in (wanted, wanted | {"--words"}, {"--words", "--pages"}):
        if (path := kept_as(key, sorted(more))).exists():
            return path
    return None


def kept_as(key: str, options: list[str]) -> Path:
    """Name the file that keeps answers."""
    return KEPT / "answers" / f"{key}{''.join(sorted(options))}.jsonl"


def ask(trees: list[Tree], chosen: list[Path], options: list[str], scratch: Path) -> dict[str, list[Path]]:
    """Give the file with the answers of each tree to each case; what is not kept is asked in two
    processes.
    """
    (KEPT / "answers").mkdir(parents=True, exist_ok=True)
    places = [copied(case) for case in chosen]
    answers: dict[str, list[Path]] = {}
    jobs: list[tuple[int, Tree, Path, Path]] = []
    for tree in trees:
        code = tree.digest()
        for key, case in places:
            path = kept(own := f"{code}-{key}", options) or kept_as(own, options)
            answers.setdefault(tree.name, []).append(path)
            if not path.exists():
                size = sum(each.stat().st_size for _name, each in files(case))
                jobs.append((size, tree, case, path))
    # The largest first, each to the one that has least to do: processes that start cost more than small
    # cases.
    batches: dict[tuple[str, int], list[tuple[int, Tree, Path, Path]]] = {}
    shares = range(max(1, PROCESSES // max(1, len({tree.name for _size, tree, _case, _path in jobs}))))
    for job in sorted(jobs, key=lambda job: -job[0]):
        load = {n: sum(size + 10**6 for size, *_ in batches.get((job[1].name, n), [])) for n in shares}
        batches.setdefault((job[1].name, min(load, key=load.__getitem__)), []).append(job)
    with ThreadPoolExecutor(PROCESSES) as pool:
        for done in pool.map(lambda batch: _run(batch, options, scratch), batches.values()):
            if done.returncode:
                raise SystemExit(done.stderr)
    return answers


def _run(
    batch: list[tuple[int, Tree, Path, Path]], options: list[str], scratch: Path
) -> subprocess.CompletedProcess[str]:
    tree = batch[0][1]
    triples = []
    for _size, _tree, case, path in batch:
        store = Path(tempfile.mkdtemp(prefix="store-", dir=scratch)) / "store"
        triples += [str(case), str(store), str(path)]
    return subprocess.run(
        [sys.executable, str(Path(__file__).with_name("say_cases.py")), *options, *triples],
        cwd=scratch,
        env=os.environ | {"PYTHONPATH": str(tree.root)},
        capture_output=True,
        text=True,
        check=False,
    )


def lines_of(path: Path, options: list[str]) -> list[dict[str, Any]]:
    """Read kept answers, without what was not asked for."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if _level(line) in ("", *options)]


def _level(line: dict[str, Any]) -> str:
    if line["kind"] == "page":
        return "--pages"
    return "" if line["kind"] == "finding" or line["of"] == "findings" else "--words"


def main(arguments: list[str] | None = None) -> int:
    """Compare, print, and give the exit status."""
    parser = argparse.ArgumentParser(
        description="Compare what is said of cases with what another commit says."
    )
    parser.add_argument("commit")
    parser.add_argument(
        "--words", action="store_true", help="tables, figures and narrative text, too; show words"
    )
    parser.add_argument("--pages", action="store_true", help="the text of the report's pages, too (minutes)")
    parser.add_argument("--only", default="", metavar="CASE,..", help="these cases alone")
    given = parser.parse_args(arguments)
    only = {name for name in given.only.split(",") if name}
    if unknown := only - {case.name for case in cases()}:
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    chosen = [case for case in cases() if not only or case.name in only]
    options = [f"--{name}" for name in ("words", "pages") if getattr(given, name)]
    facts = words = 0
    with tempfile.TemporaryDirectory(prefix="compared-") as folder:
        other = checked_out(given.commit, Path(folder) / "other")
        trees = [Tree("before", other), Tree("after", ROOT)]
        answers = ask(trees, chosen, options, Path(folder))
        for case, before, after in zip(chosen, answers["before"], answers["after"], strict=True):
            difference, _about = compare(lines_of(before, options), lines_of(after, options))
            facts += bool(difference.facts)
            words += bool(difference.words)
            said = "DIFFERENT" if difference.facts else "equal but for words" if difference.words else "equal"
            print(f"{case.name}: {said}", flush=True)
            if difference.facts or (options and difference.words):
                for line in difference.shown(with_words=bool(options), tests=False):
                    print(f"  {line}")
    total = f"{len(chosen)} cases: "
    print(total + (f"{facts} DIFFERENT" if facts else "equal but for words" if words else "equal"))
    return 1 if facts or (options and words) else 0


if __name__ == "__main__":
    sys.exit(main())
