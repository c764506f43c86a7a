"""Makes the sample cases and their manifest, the same bytes every time.

    python sample_data/make.py [--into FOLDER]

Run it after a change of what simulation/ writes a sample with; tests/test_sample_*.py compare.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from simulation.samples import (  # noqa: E402
    backup_tuning,
    commit_cases,
    direct_seeding,
    direct_seeding_cores,
    health_cases,
    log_send_queue_fixed,
    seeding_case_about,
    seeding_compression,
)
from simulation.samples.log_send_queue import SEED, Truth, write_case  # noqa: E402
from simulation.samples.read_only_routing import write_case as write_read_only_routing  # noqa: E402
from simulation.samples.seeding_case import Truth as SeedingTruth  # noqa: E402
from simulation.samples.told import TOLD  # noqa: E402

HEAD = """\
# What the sample cases show, how they were made, and what is true of them.
# Written by sample_data/make.py; edit that instead.
# Rates are in bytes per second, MB/s in 10^6 bytes. Queues are in KB of the counter (1024 bytes):
# 768000 KB are the 750 MB of the article.
"""
SHOWS = (
    "The log send queue of an asynchronous replica far away grows without end, while the synchronous one "
    "keeps up: with receive window auto-tuning disabled, one TCP connection carries one window of 64 KB per "
    "round trip, and that is less than the log generated."
)
SOURCE = (
    "Blog article 'Always ON - Growing LOG SEND QUEUE on Asynchronous replica'. It shows no captures; its "
    "peaks, "
    "final queues, TCP settings and robocopy speeds are reproduced by a simulation."
)
DROPPED = (
    "0.4+ MB/s sent to JBSAG3 on average against 200+ KB/s received and redone there: less arrives than was "
    "sent, "
    "for as long as it lasted",
    (
        "1 MB/s flushed on JBSAG2 on average against 500+ KB/s received and redone on JBSAG1, whose queue "
        "does not grow"
    ),
    "'we sent 5 MB/sec, but we received just 1 MB/sec' of JBSAG3, where the counter of bytes sent shows 0.6 "
    "MB/s: "
    "5 MB/s is what was flushed",
)
NOTES = (
    "The log stream to JBSAG3 is compressed (the default of asynchronous replicas), so log bytes received "
    "exceed wire "
    "bytes; SQL Server 2014 counts wire bytes as sent to transport.",
    "The robocopy at 1 MB/s is kept as the article has it; one window of 64 KB per round trip of 115 ms "
    "carries 0.57 MB/s, "
    "so the copy must have had about two windows in flight.",
)
SAMPLES: dict[str, dict[str, Any]] = {
    "log_send_queue": {"ping": False},
    "log_send_queue_ping": {"ping": True},
}

FIXED = "log_send_queue_fixed"
FIXED_SHOWS = (
    "The same replicas before and after: twenty minutes with the unscaled window, in which the log send "
    "queue grows, "
    "and twenty minutes in which auto-tuning was switched on and the endpoints were reconnected: the queue "
    "drains "
    "within a minute and stays empty. runs.csv labels both windows."
)
FIXED_SOURCE = (
    "The same article: its remedy, and that the queue came under control. It gives no figures of the time "
    "after; "
    "the rate is that of a copy over the mended path."
)
FIXED_NOTES = (
    "The trace of the handshakes is text of tshark: before, the answers of both secondaries offer no window "
    "scaling, "
    "afterwards a factor of 256.",
    "The copied file has 1 GB, not the article's 10: at 1 MB/s those take three hours.",
)

ROUTING = "read_only_routing"
ROUTING_SHOWS = (
    "A basic availability group with and without read-only routing under growing load: by transactions per "
    "minute routing "
    "wins from 8 users, by run time from 4, and SQLQueryStress loses with it at 10 and 12 threads although "
    "the "
    "disks deliver more. The figures contradict each other, and the secondary of a basic group is not "
    "readable."
)
ROUTING_SOURCE = (
    "Blog article on read-only routing and SQL Server Basic Availability Groups. Its three tables are "
    "reproduced "
    "exactly, by the tools' own files and perfmon; it shows no captures."
)
ROUTING_NOTES = (
    "Run times of HammerDB are whole minutes, as the timer of its script prints them; transactions per "
    "minute are the "
    "median of the transaction counter.",
    "The article gives one SSD throughput per test and not per host. Its group is called a basic one, whose "
    "secondary "
    "is not readable, so here every read stays on the primary in both configurations.",
    "Disk throughput during HammerDB, CPU, batches and log are made up in proportion to the transactions.",
    "The article reads a million rows in 19 s with and without routing and shows no log of it: runs.csv "
    "gives the value. "
    "It shows the build of the database and a smaller max server memory as pictures without figures: 20 "
    "warehouses by 4 "
    "users in 18 minutes and 16,384 MB are made up.",
    (
        "The statements and the routing list are those that the article sets; whether a basic group takes "
        "them is not known."
    ),
)


def main() -> None:
    """Write every sample and the manifest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path, default=HERE, help="folder to write to (default: sample_data)")
    into: Path = parser.parse_args().into
    parts = [HEAD]
    for name, options in SAMPLES.items():
        truth = write_case(into / name, **options)
        parts += sample_text(name, truth, into / name, ping=options["ping"])
    parts += fixed_text(into / FIXED)
    parts += backup_tuning_text(into / "backup_tuning")
    parts += routing_text(into / ROUTING)
    for name, made in (
        ("direct_seeding", direct_seeding),
        ("direct_seeding_cores", direct_seeding_cores),
        ("seeding_compression", seeding_compression),
    ):
        parts += seeding_text(name, made.SEED, made.write_case(into / name), into / name)
    for name in health_cases.STORIES:
        parts += health_text(name, into / name)
    for name in commit_cases.STORIES:
        parts += commit_text(name, into / name)
    for name, told in TOLD.items():
        parts += table_text(f"{name}.told", asdict(told))
    (into / "manifest.toml").write_bytes("\n".join(parts).encode())


def fixed_text(folder: Path) -> list[str]:
    """Write the case before and after the fix, and give the manifest's lines about it."""
    truth = log_send_queue_fixed.write_case(folder)
    facts = {key: value for key, value in asdict(truth).items() if key not in ("folder", "hosts", "files")}
    lines = [
        *table_text(
            FIXED, {"shows": FIXED_SHOWS, "made": f"sample_data/make.py, seed {SEED}", "source": FIXED_SOURCE}
        ),
        list_text("notes", FIXED_NOTES),
        *table_text(f"{FIXED}.truth", facts),
    ]
    for name, host_truth in truth.hosts.items():
        lines += table_text(f"{FIXED}.truth.hosts.{key_text(name)}", asdict(host_truth))
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in truth.files}
    return lines + table_text(f"{FIXED}.sha256", sums)


def routing_text(folder: Path) -> list[str]:
    """Write the read-only routing case and give the manifest's lines about it."""
    truth = write_read_only_routing(folder)
    facts = {key: value for key, value in asdict(truth).items() if key != "files"}
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in truth.files}
    about = {"shows": ROUTING_SHOWS, "made": f"sample_data/make.py, seed {SEED}", "source": ROUTING_SOURCE}
    return [
        *table_text(ROUTING, about),
        list_text("notes", ROUTING_NOTES),
        *table_text(f"{ROUTING}.truth", facts),
        *table_text(f"{ROUTING}.sha256", sums),
    ]


def seeding_text(name: str, seed: int, truth: SeedingTruth, folder: Path) -> list[str]:
    """Return the manifest's lines about a seeding case."""
    say = {
        part: getattr(
            seeding_case_about, f"{name.replace('seeding', '').replace('__', '_').strip('_').upper()}_{part}"
        )
        for part in ("SHOWS", "SOURCE", "NOTES", "DROPPED")
    }
    about = {"shows": say["SHOWS"], "made": f"sample_data/make.py, seed {seed}", "source": say["SOURCE"]}
    lines = [*table_text(name, about), list_text("notes", say["NOTES"]), list_text("dropped", say["DROPPED"])]
    facts = {k: v for k, v in asdict(truth).items() if k not in ("runs", "ratios", "files")}
    lines += table_text(f"{name}.truth", facts)
    lines += table_text(f"{name}.truth.ratios", truth.ratios)
    for label, run in truth.runs.items():
        lines += table_text(f"{name}.truth.runs.{label}", asdict(run))
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in truth.files}
    return lines + table_text(f"{name}.sha256", sums)


def health_text(name: str, folder: Path) -> list[str]:
    """Write a case of a group's health and give the manifest's lines about it."""
    truth, story = health_cases.write_case(folder, name), health_cases.STORIES[name]
    about = {
        "shows": story.shows,
        "made": f"sample_data/make.py, seed {health_cases.SEED}",
        "source": health_cases.SOURCE,
    }
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in truth.files}
    return [
        *table_text(name, about),
        list_text("notes", story.notes),
        *table_text(f"{name}.truth", truth.facts),
        *table_text(f"{name}.truth.clock_ms", truth.hosts),
        *table_text(f"{name}.sha256", sums),
    ]


def commit_text(name: str, folder: Path) -> list[str]:
    """Write a case of what commits wait for and give the manifest's lines about it."""
    truth, story = commit_cases.write_case(folder, name), commit_cases.STORIES[name]
    about = {
        "shows": story.shows,
        "made": f"sample_data/make.py, seed {commit_cases.SEED}",
        "source": commit_cases.SOURCE,
    }
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in truth.files}
    return [
        *table_text(name, about),
        list_text("notes", story.notes),
        *table_text(f"{name}.truth", truth.facts),
        *table_text(f"{name}.truth.mean_ms", truth.hops),
        *table_text(f"{name}.sha256", sums),
    ]


def sample_text(name: str, truth: Truth, folder: Path, *, ping: bool) -> list[str]:
    """Return the manifest's lines about one sample."""
    shows = SHOWS + (
        " With ping output, the window shows in numbers: ceiling times round trip." if ping else ""
    )
    lines = [
        *table_text(name, {"shows": shows, "made": f"sample_data/make.py, seed {SEED}", "source": SOURCE}),
        list_text("notes", NOTES),
        list_text("dropped", DROPPED),
    ]
    facts = {key: value for key, value in asdict(truth).items() if key not in ("folder", "hosts", "files")}
    lines += table_text(f"{name}.truth", facts)
    for host, host_truth in truth.hosts.items():
        lines += table_text(f"{name}.truth.hosts.{host}", asdict(host_truth))
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in truth.files}
    return lines + table_text(f"{name}.sha256", sums)


def backup_tuning_text(folder: Path) -> list[str]:
    """Write the sample of backup tuning, and give the manifest's lines about it."""
    truth = backup_tuning.write_case(folder)
    about = {
        "shows": "Backup throughput against BUFFERCOUNT, MAXTRANSFERSIZE, number of targets, media, write "
        "cache and "
        "place of the target: 19 configurations with 25 runs each, three of them cold: begun within a "
        "quarter of an hour of "
        "the first run behind an idle hour.",
        "made": f"sample_data/make.py, seed {backup_tuning.SEED}",
        "source": "Blog article 'SQL Server Database Backup in Azure IaaS: performance tests'. It shows a "
        "table of MB/s "
        "ranges and one block of trace flag 3213; single runs are drawn so that their 5th and 95th "
        "percentiles are the "
        "ends of the ranges.",
    }
    notes = (
        "The ranges are taken as p5 to p95 in MB of 2^20 bytes, symmetric about their middle. The ERRORLOG "
        "is a copy "
        "saved in UTF-8. Write cache and location stand in runs.csv, for no log knows them, and so do size "
        "of the machine, "
        "cache of the data disks, allocation unit and recovery model, the same in all runs. A machine of "
        "size XL had 8 "
        "cores and 14 GB.",
        "The three slowest runs of each configuration are its cold ones: those that begin within 15 minutes "
        "of the first "
        "run behind a pause of 61 minutes or more, where the article saw disks cold after about 60 minutes "
        "and warm after "
        "10 to 20. Breaks of 12 to 44 minutes leave them warm. Runs on weekends take the values farther from "
        "the middle, as "
        "the article says that variation was higher then.",
        "perfmon saw the first session only, which holds every configuration; a data disk delivers at most "
        "about 42 MB/s "
        "there, as in the article, and a target whatever is asked of it in 7.5 ms (2 ms with the write "
        "cache).",
    )
    dropped = (
        "'very high variation' with the write cache on: the ranges of its table, 127 to 138 and 97 to 109 "
        "MB/s, are as "
        "narrow as those with it off",
        (
            "'consistently 15% more efficient' of URL against DISK: its table gives 110 to 112 against 90 "
            "to 95 MB/s, 20 % more"
        ),
        "'100-110 MB/sec writing to target backup file' with the best parameters: its table gives 135 to 146 "
        "MB/s to one "
        "target, and 164 to 170 MB/s to eight are 21 MB/s each",
        (
            "'no more than 1 target disk for each 2 source files': its table gains from 2 to 4 and to 8 "
            "targets with 4 files"
        ),
    )
    lines = table_text("backup_tuning", about)
    lines += [list_text("notes", notes), list_text("dropped", dropped)]
    for name, values in truth.runs.items():
        p5, p50, p95 = (round(quantile(values, q), 3) for q in (0.05, 0.5, 0.95))
        numbers = {"runs": len(values), "cold": len(truth.cold[name]), "p5": p5, "p50": p50, "p95": p95}
        lines += table_text(f"backup_tuning.truth.{key_text(name)}", numbers)
    sums = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in truth.files}
    return lines + table_text("backup_tuning.sha256", sums)


def quantile(values: list[float], q: float) -> float:
    """Return a quantile of sorted values, linear between them."""
    place = (len(values) - 1) * q
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def table_text(name: str, values: dict[str, Any]) -> list[str]:
    """Write a TOML table; what is unknown (None) or nothing (all 0) is left out."""
    lines = ["", f"[{name}]"]
    for key, value in values.items():
        nothing = isinstance(value, dict) and not any(value.values())
        if value is not None and not nothing:
            lines.append(f"{key_text(key)} = {value_text(value)}")
    return lines


def key_text(key: str) -> str:
    return key if key.replace("_", "").isalnum() else quoted(key)


def value_text(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key_text(key)} = {value_text(item)}" for key, item in value.items()) + " }"
    return repr(value)


def list_text(name: str, items: tuple[str, ...]) -> str:
    return f"{name} = [\n" + "".join(f"    {quoted(item)},\n" for item in items) + "]"


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


if __name__ == "__main__":
    main()
