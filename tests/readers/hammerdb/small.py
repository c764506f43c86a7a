"""Small captures of HammerDB logs: what damage starts from, and texts that say the rest of what it can
say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from simulation.formats.workload_tools import build_console, count_log, driver_console, timed_log
from tests.readers.hammerdb.test_hammerdb import PROFILE, REPORT

STARTED = datetime(2019, 3, 2, 10, 11, 12)


def captures() -> Iterator[tuple[str, bytes]]:
    texts = (
        timed_log(STARTED, users=4, nopm=101_789, tpm=468_610),
        driver_console(users=2, minutes=3, readings=[0, 70_700, 70_788]),
        count_log(STARTED, [0, 324_540, 324_300]),
        json.dumps(REPORT, indent=2),
        build_console(STARTED, warehouses=5, users=2, seconds=90),
    )
    for number, text in enumerate(texts):
        yield f"hammerdb{number}.txt", text.encode()


def said() -> Iterator[tuple[str, bytes]]:
    console = driver_console(users=2, minutes=3, readings=[])
    yield ("console.txt", console.replace("Vuser 2:F", "Error in Virtual User 2: x\r\nVuser 2:F").encode())
    yield "hdbxtprofile.log", PROFILE.encode()
