"""Why a backup failed: the operating system's error before 3041, or the role of its server."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.backup import Backup
from agtrace.diagnostics.backup.failures import BY_ERROR, Cause, cause_of
from tests.diagnostics.backup.cases import backup_case, log
from tests.shared import SHARED, needs_captures

CLOSING = (
    "BACKUP failed to complete the command BACKUP {}. Check the backup application log for detailed messages."
)


def failed(*texts: str, command: str = "DATABASE Sales", relations: str = ""):
    entries = [(n, "Backup", text) for n, text in enumerate([*texts, CLOSING.format(command)])]
    (found,) = Backup(backup_case(log(*entries), relations=relations)).findings()
    return found


@pytest.mark.parametrize("text", ["", None, "creation date(time): 2024/01/02(03:04:05)", "LSN 39:760:1"])
def test_numbers_that_are_no_error_are_none(text):
    assert cause_of([text], [3041], "full backup", None) is None


def test_no_space_is_told_by_its_message_too():
    assert cause_of(["..."], [3257, 3041], "full backup", None) == Cause("full")


@needs_captures
def test_the_messages_that_end_in_an_error_are_those_of_the_product():
    rows = (SHARED / "facts" / "messages_en.tsv").read_text(encoding="utf-8").splitlines()
    texts = {row.split("\t")[0]: row.split("\t")[3] for row in rows}
    for number in ("3201", "3202", "3203", "3271", "18204", "18210"):
        text = texts[number]
        for place in range(1, 5):
            text = text.replace(f"%{place}!s!", "5(Access is denied.)")
        assert cause_of([text], [int(number)], "full backup", None).kind == BY_ERROR[5], number
