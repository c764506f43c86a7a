"""The same log as every platform and tool writes it (docs/formats/errorlog.md, section 1)."""

from __future__ import annotations

import datetime as dt

import pytest

from simulation.formats.errorlog import Log
from tests.readers.errorlog.errorlog_rows import entries, issues, tables

LOG = Log().start(instance="SQL17", flags=(1117, 1118))
LOG.error("Logon", 18456, 14, 38, "Login failed for user 'Zoë'. [CLIENT: 10.0.0.1]")
LOG.add("spid14s", "FlushCache: cleaned up", "\t\taverage writes: 1", "", "\t\tthroughput: 2")
LOG.backup("Müller 数据")
ORIGINAL = LOG.windows()


@pytest.mark.parametrize(
    "copy",
    [
        LOG.windows(bom=False),
        LOG.linux(),
        LOG.linux(bom=True),
        LOG.xp_readerrorlog(),
        LOG.xp_readerrorlog("    "),
        b"\xfe\xff" + "".join(f"{line}\r\n" for line in LOG.lines()).encode("utf-16-be"),
    ],
    ids=["UTF-16LE without BOM", "UTF-8", "UTF-8 with BOM", "TSV", "blanks", "UTF-16BE"],
)
def test_every_copy_gives_the_same_entries_and_messages(copy):
    original, read = tables(ORIGINAL), tables(copy)
    assert read["errorlog"].equals(original["errorlog"])
    assert read["messages"].equals(original["messages"])
    assert "issues" not in read


def test_an_ansi_copy_keeps_western_letters():
    log = Log().add("Server", "Größe é").add("Server", "x")
    data = "".join(f"{line}\r\n" for line in log.lines()).encode("cp1252")
    assert entries(data)[0]["message"] == "Größe é"


def test_a_newest_first_export_is_read_in_file_order_and_said_so():
    log = Log()
    for number in range(6):
        log.error("Logon", 18456, 14, number, f"Login failed {number}.")
    data = log.xp_readerrorlog(newest_first=True)
    rows = entries(data)
    # The text stands above its number; the row has the line of the number.
    assert [(row["line"], row["state"], row["message"]) for row in rows] == [
        (2 * place + 2, number, f"Login failed {number}.") for place, number in enumerate(reversed(range(6)))
    ]
    assert issues(data) == {"reversed_order": 1}


def test_a_step_back_in_an_original_is_no_export():
    log = Log()
    for number in range(20):
        log.add("spid5", "x")
        if number % 5 == 0:
            log.add("spid6", "late", at=log.time - dt.timedelta(milliseconds=510))
    assert issues(log.windows()) == {}


def test_characters_beyond_the_first_plane_survive_any_block_size():
    log = Log().add("Server", "a 𝔘 b").add("Server", "𝔘" * 50)
    whole = tables(log.windows())["errorlog"]
    assert [row["message"] for row in whole.to_pylist()] == ["a 𝔘 b", "𝔘" * 50]
    for size in (1, 2, 3, 5, 64):
        assert tables(log.windows(), size)["errorlog"].combine_chunks().equals(whole.combine_chunks())
