"""Plant a module of every name where captures lie, and run the verbs there: ``python -m tests.planted``.

Python puts the working directory first on the path of ``python -c`` and ``python -m``: a file of a
stranger's that is called as a module of ours would be run. Each module that is planted here leaves a
word of it. The test suite runs the verbs that start processes; by hand, all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.ingest import texts

COMMAND = Path(sys.executable).with_name("agtrace")
"""As users call it: what ``-m`` looks for first, no program can hold."""


def names() -> list[str]:
    """Return the name of every module that this Python could import, ours included."""
    found = {*sys.stdlib_module_names, *packages_distributions(), "sitecustomize", "usercustomize"}
    return sorted(name for name in found if name.isidentifier())


def plant(folder: Path, told: Path, *, as_folders: Iterable[str] = ()) -> None:
    """Write a module of each name into a folder; imported, it says so in another one."""
    told.mkdir(exist_ok=True)
    packages = set(as_folders)
    for name in names():
        word = f"open({str(told / name)!r}, 'a').close()\n"
        if name in packages:
            (folder / name).mkdir(parents=True)
            (folder / name / "__init__.py").write_text(word)
        else:
            (folder / f"{name}.py").write_text(word)


def make_case(folder: Path) -> Path:
    """Write captures of two hosts: enough for two processes."""
    for number in range(2):
        host = folder / f"SQL{number}"
        host.mkdir(parents=True)
        (host / "perf.csv").write_bytes(texts.perfmon(20 + number, host=f"SQL{number}"))
        (host / "ERRORLOG").write_bytes(texts.errorlog(20 + number))
    return folder


def run(*words: object, here: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    return subprocess.run(
        [str(COMMAND), *map(str, words)],
        cwd=here,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


def imported(told: Path) -> list[str]:
    """Return the names of planted modules that were run."""
    return sorted(path.name for path in told.iterdir())


def attack(scratch: Path) -> dict[str, list[str]]:
    """Run every verb in a case, an inbox and a working directory full of such modules."""
    found: dict[str, list[str]] = {}
    case, inbox, work = scratch / "case", scratch / "inbox", scratch / "work"
    told = scratch / "told"
    make_case(case)
    for number in range(4):
        make_case(inbox / f"case{number}")
    work.mkdir()
    plant(case, told)
    plant(inbox, told, as_folders=names())
    plant(work, told)
    log = case / "SQL0" / "perf.csv"
    runs: list[tuple[Path, tuple[object, ...]]] = []
    for here in (case, work):
        runs += [
            (here, ("ingest", case, "--jobs", 2)),
            (here, ("findings", case)),
            (here, ("report", case, "--jobs", 2, "--out", scratch / f"report-{here.name}")),
            (here, ("export", case, "--out", scratch / f"export-{here.name}", "--format", "csv,xlsx")),
            (here, ("sql", case, "select count(*) from samples")),
            (here, ("info", log)),
            (here, ("convert", log, "-o", scratch / f"{here.name}.parquet")),
        ]
    for here in (inbox, work):
        out = scratch / f"out-{here.name}"
        runs.append((here, ("batch", inbox, "--out", out, "--findings-only", "--jobs", 2)))
    for here, words in runs:
        ended = run(*words, here=here)
        _note(found, f"{words[0]} in {here.name} ({ended.returncode})", told)
        if "Traceback" in ended.stderr:
            found[f"{words[0]} in {here.name}: {ended.stderr[-500:]}"] = ["traceback"]
    for verb, words, here in (
        ("watch", (inbox, "--out", scratch / "out-watch", "--settle", 0.1, "--jobs", 2), inbox),
        ("lab", (case, "--no-browser", "--out", scratch / "notebooks"), case),
    ):
        running = subprocess.Popen(
            [str(each) for each in (COMMAND, verb, *words)],
            cwd=here,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(40)
        running.terminate()
        running.wait(30)
        _note(found, f"{verb} in {here.name}", told)
    return found


def _note(found: dict[str, list[str]], what: str, told: Path) -> None:
    found[what] = imported(told)
    for path in told.iterdir():
        path.unlink()


def main() -> int:
    """Print what each verb imported that was planted."""
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        found = attack(Path(name))
    sys.stdout.write(f"{len(names())} names\n")
    for what, modules in found.items():
        sys.stdout.write(f"{what}: {', '.join(modules) or 'none'}\n")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
