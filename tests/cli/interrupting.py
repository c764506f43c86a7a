"""Interrupt a command at random moments, as a person or a machine that shuts down would.

By hand: ``python -m tests.cli.interrupting 20`` interrupts ``agtrace report`` 20 times.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import agtrace
from tests.ready import copy_captures

MOST_S = 2.0


@dataclass(frozen=True)
class Interrupted:
    """How a command ended that was sent a signal."""

    status: int
    seconds: float
    """From the signal to the end of the process."""
    err: str
    left: list[str]
    """Processes and temporary files that outlived it."""


def started(*words: object, temporary: Path, terminal: bool = False) -> subprocess.Popen[str]:
    """Start the command in a process group of its own, its temporary files apart."""
    temporary.mkdir(exist_ok=True)
    root = str(Path(agtrace.__file__).parents[1])
    environment = os.environ | {"TMPDIR": str(temporary), "PYTHONPATH": root}
    return subprocess.Popen(
        [sys.executable, "-m", "agtrace", *map(str, words)],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell may have started these tests deaf to Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    )


def interrupt(process: subprocess.Popen[str], temporary: Path, number: int, *, group: bool) -> Interrupted:
    """Send a signal, to the process or as a terminal does to its group, and see what remains."""
    begin = time.monotonic()
    if group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    try:
        _out, err = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        _out, err = process.communicate()
    seconds = time.monotonic() - begin
    # Those that the system is just about to end need a moment to be gone from its list.
    for _ in range(20):
        if not (running := processes_of(temporary)):
            break
        time.sleep(0.1)
    left = running + sorted(p.name for p in temporary.iterdir())
    return Interrupted(process.returncode, seconds, err, left)


def processes_of(temporary: Path) -> list[str]:
    """Return the command lines of the processes that use a folder for temporary files (Linux)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            variables = (entry / "environ").read_bytes()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if str(temporary).encode() in variables and command and int(entry.name) != os.getpid():
            found.append(command)
    return found


def digest(folder: Path) -> dict[str, str]:
    """Hash every file in a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def interrupt_reports(count: int, seed: int | None = None, captures: Path | None = None) -> list[str]:
    """Interrupt ``agtrace report`` at random moments; give what was not as it should be.

    Parameters
    ----------
    count
        How often.
    seed
        Of the moments; printed, when anything is wrong.
    captures
        What the reports are of, copied; default a sample.
    """
    seed = random.randrange(1 << 30) if seed is None else seed
    dice = random.Random(seed)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="agtrace-interrupts-") as name:
        case, temporary = Path(name) / "case", Path(name) / "tmp"
        copy_captures(captures or agtrace.sample("log_send_queue"), case)
        shutil.rmtree(case / ".agtrace", ignore_errors=True)
        begin = time.monotonic()
        process = started("report", case, "--only", "overview,transport", temporary=temporary)
        _out, err = process.communicate()
        length = time.monotonic() - begin
        if process.returncode:
            return [f"the report itself failed: {err}"]
        before = digest(case / "agtrace-report")
        done = 0
        while done < count:
            words = ["report", case, "--only", "overview,transport"]
            if dice.random() < 0.3:
                shutil.rmtree(case / ".agtrace", ignore_errors=True)
                words += ["--jobs", 2]
            number = dice.choice([signal.SIGINT, signal.SIGINT, signal.SIGTERM])
            group, moment = dice.random() < 0.5, dice.uniform(0.3, length)
            process = started(*words, temporary=temporary)
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                pass
            else:
                # It was quicker than the one that was measured.
                process.communicate()
                before = digest(case / "agtrace-report")
                continue
            ended = interrupt(process, temporary, number, group=group)
            done += 1
            told = f"seed {seed}, {number.name} after {moment:.2f} s of {length:.1f}: {ended}"
            after = digest(case / "agtrace-report")
            # Ended with 0, the report was complete in that very moment, and is another one.
            if (ended.status, after == before) not in {(130, True), (0, False)}:
                wrong.append(told)
            before = after
            half = list((case / "agtrace-report").glob(".new-*"))
            lines = ended.err.strip().splitlines()
            if ended.seconds > MOST_S or ended.left or half or len(lines) != (ended.status != 0):
                wrong.append(f"{told} {half}")
            shutil.rmtree(temporary)
    return wrong


if __name__ == "__main__":
    faults = interrupt_reports(int(sys.argv[1]), *map(int, sys.argv[2:3]))
    sys.stdout.write("\n".join([*faults, f"{len(faults)} faults"]) + "\n")
    sys.exit(bool(faults))
