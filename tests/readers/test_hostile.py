"""Every reader stays linear and small on texts that were made to make it slow or large."""

from __future__ import annotations

import pytest

from tests.effort import IS_THOROUGH, thorough
from tests.folded import folded
from tests.readers.hostile import Hostile, apart, cost, hostile_captures, read
from tests.readers.small import small_captures

MISC = "SRV1_20260301T1015331124_MiscDiagInfo.out"
READERS = tuple(dict.fromkeys(small.reader for small in small_captures()))
SIZES = [size * 1024 for size in (8, 32, 128, 512)]
"""Four times the text, again and again."""
SUSPICIOUS_SECONDS = 0.15
"""Below this a reader can be quadratic and read its largest file in time all the same."""
UNEVEN_SECONDS = 0.003
"""A text of 32 KB that costs this much more than its quarters may be a suspicious one of 128 KB."""
UNEVEN = 0.1
"""What a quadratic reader costs more than its quarters: a larger share of each larger text."""
SECONDS_PER_MB = 6.0
TIMES = 9
"""Four times the text takes sixteen times as long where a reader is quadratic."""
FEW = 40
"""So many texts of a reader at most, spread over all kinds of them; `make thorough` reads every one."""
MEMORY = 300 << 20
SHARE = 4
GROWTH = (300 - 136) // SHARE << 20
"""Of a share of the text: a process that has read nothing to speak of has 136 MB."""
BUFFERED = ("ERRORLOG.1: line 3", "seeding_dmv0.txt: over and over", f"{MISC}: over and over")
"""Read up to a limit that a share of the text does not reach."""


@pytest.fixture(autouse=True)
def everything_given_is_declared():
    """Nobody watches: it would be measured, too."""


def is_even(reader: str, hostile: Hostile, size: int) -> bool:
    """Return whether a text takes about as long as its quarters, and neither long."""
    name, whole_text, quarter_text = hostile.small.name, hostile.data(size), hostile.data(size // 4)
    whole = read(reader, whole_text, name)
    if whole < UNEVEN_SECONDS:
        return True
    quarter = read(reader, quarter_text, name)
    for _ in range(2):
        if whole - 4 * quarter < max(UNEVEN_SECONDS, UNEVEN * whole):
            break
        whole = min(whole, read(reader, whole_text, name))
        quarter = min(quarter, read(reader, quarter_text, name))
    else:
        return False
    return whole / (size / 2**20) < SECONDS_PER_MB


@thorough
@folded("reader", READERS)
def test_time_grows_as_the_text_does(reader):
    texts = list(hostile_captures(reader))
    for hostile in texts if IS_THOROUGH else texts[:: 1 + len(texts) // FEW]:
        # Most show at a sixteenth of the size that they are harmless.
        if not IS_THOROUGH and any(is_even(reader, hostile, size) for size in SIZES[1:3]):
            continue
        name, small = hostile.name, hostile.data(SIZES[2])
        seconds = read(reader, small, hostile.small.name)
        if seconds < SUSPICIOUS_SECONDS:
            continue
        large = hostile.data(SIZES[3])
        longest = read(reader, large, hostile.small.name)
        for _ in range(2):
            if longest < TIMES * seconds:
                break
            # The best of several, as other programs slow all of them down.
            seconds = min(seconds, read(reader, small, hostile.small.name))
            longest = min(longest, read(reader, large, hostile.small.name))
        assert longest < TIMES * seconds, f"{name}: {seconds:.2f} s, of four times {longest:.2f} s"
        assert longest / (SIZES[3] / 2**20) < SECONDS_PER_MB, f"{name}: {longest:.2f} s"


@thorough
@folded(
    ("reader", "what", "megabytes"),
    [
        ("errorlog", "ERRORLOG.1: line ends after half", 32),
        ("errorlog", "ERRORLOG.1: line 3", 17),
        ("netsh_tcp", "netsh_tcp0.txt: line ends after half", 64),
        ("netsh_tcp", "netsh_tcp0.txt: over and over", 4),
        ("ping", "ping0.txt: line 8", 4),
        ("robocopy", "robocopy0.txt: over and over", 4),
        ("hammerdb", "hammerdb0.txt: over and over", 4),
        ("hammerdb", "hammerdb3.txt: empty objects after half", 64),
        ("sqlquerystress", "sqlquerystress0.txt: over and over", 6),
        ("sqlquerystress", "sqlquerystress0.txt: one endless line after half", 64),
        ("query_results", "seeding_dmv0.txt: over and over", 16),
        ("query_results", f"{MISC}: over and over", 32),
        ("query_results", f"{MISC}: dashes and blanks after half", 32),
        ("pdh_text", "perf.csv: one endless line after half", 64),
    ],
)
def test_memory_is_bounded(reader, what, megabytes):
    (hostile,) = [each for each in hostile_captures(reader) if each.name == what]
    if IS_THOROUGH or what in BUFFERED:
        assert apart(cost, hostile, megabytes << 20).peak_bytes < MEMORY
    else:
        assert apart(cost, hostile, (megabytes << 20) // SHARE).grown_bytes < GROWTH
