"""Sample cases with hostile values, and what is said of them: ``python -m tests.hostile_values 2000``.

A case is a sample in which a few values are others: numbers and dates that no server writes, columns that
never change, lines that are doubled, swapped or missing, files that are missing or another host's, bytes of
Extended Events. Whatever it holds, its findings are valid JSON with status 0 or 1, no analysis fails, and
none takes more than `SECONDS_EACH` of processor time. The test suite looks at a hundred such cases, of a new
seed each time.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import agtrace
from agtrace.cli import main as agtrace_main
from tests.ready import copy_captures

SECONDS_EACH = 20.0
SAMPLES = (
    "failover_planned", "failover_io_stall", "failover_lease_cpu", "secondary_lost",
    "endpoint_certificate", "commit_network", "commit_redo",
    "commit_local_disk", "commit_remote_disk", "seeding_compression", "read_only_routing",
    "direct_seeding", "direct_seeding_cores", "backup_tuning", "log_send_queue", "log_send_queue_fixed",
    "log_send_queue_ping",
)  # fmt: skip
NUMBERS = (
    "0", "-0.0", "-1", "1e308", "-1e308", "1.7976931348623157e308", "5e-324", "1e155", "1e30", "-1e19",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "99999999999999999999",
    "2147483648",
    "1e999", "NaN", "Infinity", "1" * 400, "0." + "0" * 320 + "1", "-999999999999", "1,5", "",
)  # fmt: skip
YEARS = ("0001", "1600", "1601", "1899", "1970", "2038", "2200", "9998", "9999", "0000", "10000")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

Lines = list[str]
Alter = Callable[[Lines, random.Random], None]


def _some(found: list[int], chance: random.Random) -> list[int]:
    """Return one of them, a few, a range or all."""
    if not found:
        return []
    match chance.randrange(5):
        case 0:
            return found
        case 1:
            begin = chance.randrange(len(found))
            return found[begin : begin + chance.choice((2, 10, 100))]
        case _:
            return chance.sample(found, min(len(found), chance.choice((1, 1, 2, 10))))


def _replaced(line: str, found: list[re.Match[str]], text: str, chance: random.Random) -> str:
    hit = chance.choice(found)
    return line[: hit.start()] + text + line[hit.end() :]


def numbers(lines: Lines, chance: random.Random) -> None:
    """Put numbers in the place of others."""
    text = chance.choice(NUMBERS)
    for place in _some(list(range(len(lines))), chance)[:400]:
        if found := list(_NUMBER.finditer(lines[place])):
            lines[place] = _replaced(lines[place], found, text, chance)


def years(lines: Lines, chance: random.Random) -> None:
    """Move lines to another year."""
    text = chance.choice(YEARS)
    for place in _some(list(range(len(lines))), chance):
        if found := list(_YEAR.finditer(lines[place])):
            lines[place] = _replaced(lines[place], found[:1], text, chance)


def months(lines: Lines, chance: random.Random) -> None:
    """Move lines to another month or day, which breaks the order of times."""
    for place in _some(list(range(len(lines))), chance):
        day = f"{chance.randrange(14):02}-{chance.randrange(33):02}"
        lines[place] = re.sub(r"(?<=\d{4}-)\d\d-\d\d", day, lines[place], count=1)
        lines[place] = re.sub(r"\d\d/\d\d(?=/\d{4})", day.replace("-", "/"), lines[place], count=1)


def doubled(lines: Lines, chance: random.Random) -> None:
    """Repeat a stretch of lines."""
    begin = chance.randrange(len(lines) + 1)
    lines[begin:begin] = lines[begin : begin + chance.choice((1, 3, 50))] * chance.choice((1, 1, 10))


def swapped(lines: Lines, chance: random.Random) -> None:
    """Swap lines, or reverse all of them."""
    if chance.randrange(5) == 0:
        lines[1:] = reversed(lines[1:])
    for _ in range(chance.choice((1, 5, 50))):
        a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]


def missing(lines: Lines, chance: random.Random) -> None:
    """Leave lines out: a stretch, every other one, or all but the first few."""
    match chance.randrange(4):
        case 0:
            begin = chance.randrange(len(lines) + 1)
            del lines[begin : begin + chance.choice((1, 10, 1000))]
        case 1:
            del lines[chance.choice((1, 2, 3, 10)) :]
        case 2:
            del lines[chance.choice((1, 2)) :: 2]
        case _:
            kept = [line for line in lines if chance.random() < 0.9]
            lines[:] = kept or lines[:1]


def constant(lines: Lines, chance: random.Random) -> None:
    """Make a column of a table constant, or blank."""
    if len(lines) < 2:
        return
    width = lines[0].count('","') + 1
    text = chance.choice((*NUMBERS, " "))
    for column in chance.sample(range(1, width), min(width - 1, chance.choice((1, 1, 5, 1000)))):
        for place in range(1, len(lines)):
            cells = lines[place].split('","')
            if column < len(cells):
                cells[column] = text + ('"\n' if cells[column].endswith("\n") else "")
                lines[place] = '","'.join(cells)


LINES: tuple[Alter, ...] = (numbers, numbers, numbers, years, months, doubled, swapped, missing)


def altered_text(data: bytes, chance: random.Random) -> bytes:
    """Alter the values of a text, in the encoding that it has."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
    lines = data.decode(encoding, "surrogatepass").splitlines(keepends=True)
    ways = (*LINES, constant, constant) if lines and lines[0].count('","') else LINES
    if lines:
        chance.choice(ways)(lines, chance)
    return "".join(lines).encode(encoding, "surrogatepass")


def altered_bytes(data: bytes, chance: random.Random) -> bytes:
    """Alter bytes of Extended Events: single ones, or what is a number of eight."""
    copy = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 3, 30))):
        place = chance.randrange(len(copy))
        if chance.randrange(3):
            copy[place] = chance.choice((0, 1, 0xFF, 0x7F, chance.randrange(256)))
        else:
            text = chance.choice((b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\0" * 8, b"\0" * 7 + b"\x80"))
            copy[place : place + 8] = text
    return bytes(copy[: len(data)])


def altered(case: Path, chance: random.Random) -> list[str]:
    """Alter a case in one way or some; give what was altered."""
    told = []
    for _ in range(chance.choice((1, 1, 2, 4))):
        files = sorted(path for path in case.rglob("*") if path.is_file() and ".agtrace" not in path.parts)
        if not files:
            break
        file = chance.choice(files)
        name = file.relative_to(case).as_posix()
        match chance.randrange(20):
            # A folder without a capture is wrong usage, and is told so.
            case 0 if sum(each.name != "runs.csv" for each in files) > 1:
                file.unlink()
                told.append(f"{name} removed")
            case 1:
                other = chance.choice([each for each in files if each.name == file.name] or files)
                file.write_bytes(other.read_bytes())
                told.append(f"{name} is {other.relative_to(case).as_posix()}")
            case _:
                data = file.read_bytes()
                alter = altered_bytes if file.suffix in (".xel", ".blg") else altered_text
                file.write_bytes(alter(data, chance) if data else data)
                told.append(f"{name} altered")
    return told


@dataclass
class Tally:
    """What came of the cases."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0
    slowest_case: str = ""
    faults: list[str] = field(default_factory=list)


def read(name: str, scratch: Path) -> Path:
    """Return a copy of a sample with its store: only what is altered of it is read again."""
    case = scratch / name
    copy_captures(agtrace.sample(name), case)
    agtrace.open_case(case, jobs=1).close()
    return case


def restore(name: str, case: Path) -> None:
    """Reset a copy of a sample to the contents of the sample."""
    sample = agtrace.sample(name)
    for path in (each for each in sample.rglob("*") if each.is_file()):
        copy, data = case / path.relative_to(sample), path.read_bytes()
        if not copy.exists() or copy.read_bytes() != data:
            copy.write_bytes(data)


Ask = Callable[[Path], tuple[int, str, str]]
"""Takes the findings of a case: the status, what was printed, and what was complained of."""


def look(seed: int, number: int, tally: Tally, ask: Ask, samples: dict[str, Path]) -> None:
    """Make the case of that number, of one of these samples, and take its findings."""
    chance = random.Random(f"{seed} {number}")
    sample = chance.choice(sorted(samples))
    case = samples[sample]
    name = f"seed {seed}, case {number}: {sample}, {'; '.join(altered(case, chance))}"
    begin = time.process_time()
    try:
        status, printed, complained = ask(case)
    finally:
        restore(sample, case)
    seconds = time.process_time() - begin
    if seconds > tally.slowest:
        tally.slowest, tally.slowest_case = seconds, name
    tally.statuses[status] += 1
    tally.cases += 1
    if fault := said_wrong(status, printed, complained, seconds):
        tally.faults.append(f"{name}: {fault}")


def by_command(case: Path) -> tuple[int, str, str]:
    """Ask as a user does."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = agtrace_main(["findings", str(case), "--json", "--jobs", "1"])
    return status, out.getvalue(), err.getvalue()


def said_wrong(status: int, printed: str, complained: str, seconds: float) -> str:
    """Return what is wrong with an answer; empty if it is as it has to be."""
    if status not in (0, 1) or "internal error" in complained or "please report" in complained:
        return f"status {status}: {complained.strip()[-600:]}"
    if seconds > SECONDS_EACH:
        return f"{seconds:.1f} s"
    try:
        found = json.loads(printed, parse_constant=_no_json)
    except ValueError as error:
        return f"no JSON: {error}; {complained.strip()[-300:]}"
    failed = [each for each in found if each["id"] == "quality.analysis_failed"]
    if failed or "please report" in printed:
        return f"an analysis failed: {[(each['title'], each['evidence']) for each in failed]}"
    return ""


def _no_json(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def main(arguments: list[str]) -> int:
    """Look at cases, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=2000)
    parser.add_argument("seed", nargs="?", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", type=int, help="the number of the one case to look at")
    parser.add_argument("--samples", nargs="+", default=SAMPLES, help="of these samples")
    options = parser.parse_args(arguments)
    wanted = range(options.count) if options.only is None else [options.only]
    tally, told = Tally(), 0
    sys.stdout.write(f"seed {options.seed}\n")
    with tempfile.TemporaryDirectory(prefix="samples-") as scratch:
        samples = {name: read(name, Path(scratch)) for name in options.samples}
        for number in wanted:
            look(options.seed, number, tally, by_command, samples)
            for fault in tally.faults[told:]:
                sys.stdout.write(f"  {fault}\n")
            if tally.cases % 20 == 0 or tally.faults[told:]:
                sys.stderr.write(f"{tally.cases:,} cases, slowest {tally.slowest:.1f} s\n")
                sys.stdout.flush()
            told = len(tally.faults)
    sys.stdout.write(
        f"seed {options.seed}: {tally.cases:,} cases, statuses {dict(tally.statuses)}, {len(tally.faults)} "
        f"faults; "
        f"slowest {tally.slowest:.1f} s ({tally.slowest_case})\n"
    )
    return bool(tally.faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
