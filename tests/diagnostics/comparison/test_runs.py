"""Runs are found by themselves: by hand, by seeding, and by the labels that people give."""

from __future__ import annotations

from tests.diagnostics.comparison.cases import by_hand, found, joined, made, restored

PAGES = 12_800_000
BAK, SHARED = r"E:\Backup\db.bak", r"\\A\Backup\db.bak"
BACKUP = made("db", 415, 415, PAGES, BAK)
RESTORE = restored("db", 1445, 1030, PAGES, SHARED)


# Backup, restore and join


def test_where_the_begin_of_the_backup_was_not_captured_it_cannot_be_timed():
    runs, told = found(by_hand(BACKUP[:1], RESTORE + joined("db", 1446)))
    assert runs == []
    assert told == [
        "A backup of db on A was restored on B; when the backup began was not captured (message 3014, or "
        "trace flags "
        "3004 and 3605)."
    ]
