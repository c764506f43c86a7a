"""Install the wheels of a folder into empty environments, and try there what each is to do.

python tools/check_wheels.py dist                    all environments
python tools/check_wheels.py dist --only core,xelib  some of them

Each environment has the wheels that it is named for and what they ask for, at the versions of
requirements.lock, as wheels alone: no Rust is on the PATH. Prints a row per environment (packages,
bytes), then what failed; status 1 when anything did. Needs uv beside the Python that runs this.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = "log_send_queue"
MOST_PACKAGES, MOST_BYTES = 15, 430_000_000
"""What ``pip install agtrace`` may be, compiled as pip compiles."""
DECODE = "import xelib.pdh_text, xelib.xel, xelib.blg, xelib.rowsets, xelib.entries; print(xelib.__name__)"


@dataclass(frozen=True)
class Try:
    """A command in an environment, and what is to be seen of it."""

    words: tuple[str, ...]
    says: str = ""
    status: int = 0


def _lacks(extra: str, *words: str) -> Try:
    return Try(words, f"needs the {extra} extra: pip install 'agtrace[{extra}]'", 1)


CORE = (
    Try(("findings", "CASE"), "An unscaled TCP window"),
    Try(("sql", "CASE", "select count(*) from findings"), "\n"),
    Try(("around", "CASE", "2019-08-20 12:21"), "JBSAG1"),
    Try(("info", "CASE/JBSAG1/ERRORLOG"), "ERRORLOG"),
    Try(("ingest", "CASE"), "unchanged"),
    Try(("convert", "CASE/JBSAG1/ERRORLOG", "-o", "OUT/errorlog.jsonl")),
    Try(("export", "CASE", "--out", "OUT/exported"), "files: "),
    Try(("export", "CASE", "--ticket"), "**Do**"),
    Try(("batch", "CASE", "--cases", "--out", "OUT/batch"), "1 reported"),
)
LACKS = {
    "report": (_lacks("report", "report", "CASE"),),
    "lab": (_lacks("lab", "lab", "CASE", "--no-server"),),
    "export": (_lacks("export", "export", "CASE", "--out", "OUT/x", "--format", "xlsx"),),
    "s3": (_lacks("s3", "ingest", "s3://bucket/case"),),
    "azure": (_lacks("azure", "ingest", "abfs://container/case"),),
    "cluster": (_lacks("cluster", "batch", "CASE", "--cases", "--out", "OUT/c", "--scheduler", "tcp://127.0.0.1:9"),),
    "mcp": (_lacks("mcp", "mcp", "CASE"),),
    "samples": (Try(("sample",), "pip install agtrace-samples", 1),),
}  # fmt: skip
HAS = {
    "report": (Try(("report", "CASE", "--out", "OUT/report"), "Report: "),),
    "lab": (Try(("lab", "CASE", "--no-server", "--out", "OUT/lab"), "Notebook: "),),
    "export": (Try(("export", "CASE", "--out", "OUT/x", "--format", "xlsx"), "files: "),),
    # No storage and no scheduler is asked: another lack than that of the extra is all that can be seen.
    "cluster": (
        Try(
            ("batch", "CASE", "--cases", "--out", "OUT/c", "--scheduler", "tcp://127.0.0.1:9"),
            "no Dask scheduler answers",
            1,
        ),
    ),
    # Its standard input is empty: the server starts, and ends.
    "mcp": (Try(("mcp", "CASE")),),
    "samples": (
        Try(("sample", SAMPLE, "--out", "OUT/sample"), "11 captures"),
        Try(("sample", "tutorials", "--out", "OUT/tutorials"), "8 notebooks"),
    ),
}
IMPORTS = {"s3": "import s3fs", "azure": "import adlfs"}

EXTRAS = ("report", "lab", "export", "s3", "azure", "cluster", "mcp", "all")

ENVIRONMENTS = {
    "xelib": ("xelib",),
    "core": ("agtrace",),
    "samples": ("agtrace", "agtrace-samples"),
    **{extra: (f"agtrace[{extra}]",) for extra in EXTRAS},
}


class Environment:
    """An empty environment with some wheels in it, in a folder of its own."""

    def __init__(self, folder: Path, wheels: Path, wanted: tuple[str, ...], python: str) -> None:
        self.folder = folder
        self._uv = Path(sysconfig.get_path("scripts")) / ("uv.exe" if os.name == "nt" else "uv")
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.bin / ("python.exe" if os.name == "nt" else "python")
        self._run_uv("venv", "--python", python, folder / "env")
        constraint = folder / "constraints.txt"
        # Without hashes: those of our own wheels are not in that list.
        pinned = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
        lines = [line.rstrip(" \\") for line in pinned if line[:1].isalnum()]
        constraint.write_text("\n".join(lines), encoding="utf-8")
        self._run_uv(
            "pip", "install", "--python", self.python, "--compile-bytecode", "--no-build",
            "--find-links", wheels, "--constraints", constraint, *wanted,
        )  # fmt: skip

    def _run_uv(self, *words: str | Path) -> None:
        subprocess.run([self._uv, *words, "--quiet"], check=True, env=without_rust())

    def packages(self) -> list[str]:
        """Name what is installed."""
        told = subprocess.run(
            [self._uv, "pip", "list", "--quiet", "--format", "json", "--python", self.python],
            check=True, capture_output=True,
        )  # fmt: skip
        return [each["name"] for each in json.loads(told.stdout)]

    def bytes(self) -> int:
        """Sum up the files of its site-packages, bytecode included."""
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        place = subprocess.run([self.python, "-c", code], check=True, capture_output=True, text=True).stdout
        return sum(path.stat().st_size for path in Path(place.strip()).rglob("*") if path.is_file())

    def fault_of(self, each: Try) -> str:
        """Run a command of agtrace; say what was not as it is to be, or nothing."""
        case, out = self.folder / SAMPLE, self.folder / "out"
        if not case.exists():
            shutil.copytree(ROOT / "sample_data" / SAMPLE, case, ignore=shutil.ignore_patterns(".agtrace*"))
            out.mkdir()
        words = [word.replace("CASE", str(case)).replace("OUT", str(out)) for word in each.words]
        done = self.run([self.bin / "agtrace", *words])
        told = done.stdout + done.stderr
        if done.returncode == each.status and each.says in told and "Traceback" not in told:
            return ""
        return f"agtrace {' '.join(each.words)}: status {done.returncode}: {' '.join(told.split())[-300:]}"

    def run(self, command: list[str | Path]) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, away from this checkout."""
        return subprocess.run(
            [str(word) for word in command], cwd=self.folder, env=without_rust(), capture_output=True,
            stdin=subprocess.DEVNULL, text=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip


def without_rust() -> dict[str, str]:
    """Return the environment without variables that lead to a Rust compiler or this checkout."""
    dropped = ("PYTHONPATH", "VIRTUAL_ENV", "CARGO_HOME", "RUSTUP_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    places = [
        place
        for place in environment["PATH"].split(os.pathsep)
        if not any((Path(place) / name).exists() for name in ("cargo", "rustc", "cargo.exe", "rustc.exe"))
    ]
    return {**environment, "PATH": os.pathsep.join(places)}


def faults(name: str, environment: Environment) -> list[str]:
    """Try what an environment is for."""
    if name == "xelib":
        found = environment.packages()
        decoded = environment.run([environment.python, "-c", DECODE])
        return [f"xelib brings {found}"] * (sorted(found) != ["pyarrow", "xelib"]) + [decoded.stderr] * bool(
            decoded.returncode
        )
    has = {"core": (), "all": tuple(HAS | IMPORTS)}.get(name, (name,))
    told = []
    if name == "core":
        if (n := len(environment.packages())) > MOST_PACKAGES or environment.bytes() > MOST_BYTES:
            told.append(
                f"{n} packages, {environment.bytes():,} bytes: more than {MOST_PACKAGES}, {MOST_BYTES:,}"
            )
        tries = [*CORE, *(each for lacks in LACKS.values() for each in lacks)]
    else:
        tries = [
            each
            for extra in has
            if extra in HAS and (extra, name) != ("samples", "all")
            for each in HAS[extra]
        ]
    for extra in has:
        done = environment.run([environment.python, "-c", IMPORTS.get(extra, "")])
        told += [f"{extra}: {done.stderr}"] * bool(done.returncode)
    told += filter(None, map(environment.fault_of, tries))
    if name == "report" and not told:
        page = environment.folder / "out" / "report" / "index.html"
        opened = environment.run([environment.python, ROOT / "tools" / "open_report.py", page])
        told += [f"its page: {opened.stdout}{opened.stderr}"] * bool(opened.returncode)
    return told


def main(arguments: list[str] | None = None) -> int:
    """Make the environments one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheels", type=Path)
    parser.add_argument("--only", default=",".join(ENVIRONMENTS), help="names of environments, with commas")
    parser.add_argument("--python", default=sys.executable, help="the Python of the environments")
    options = parser.parse_args(arguments)
    told: list[str] = []
    print("| environment | packages | MB, with bytecode | tried |\n|---|--:|--:|---|", flush=True)
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory(prefix="agtrace-wheels-", ignore_cleanup_errors=True) as folder:
            environment = Environment(
                Path(folder), options.wheels.resolve(), ENVIRONMENTS[name], options.python
            )
            found = faults(name, environment)
            told += [f"{name}: {fault}" for fault in found]
            row = f"| {name} | {len(environment.packages())} | {environment.bytes() / 1e6:.1f} |"
            print(row, "works |" if not found else "**fails** |", flush=True)
    print(*told, sep="\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
