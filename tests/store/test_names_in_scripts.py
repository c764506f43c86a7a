"""Which words of a script may be tables: those make relations be computed."""

from __future__ import annotations

import pytest

from agtrace.store.naming import named
from tests.folded import folded


@folded(
    "script",
    [
        "create table x as select a from backups where b = $b",
        "select 'B/s', 'it''s'\nFROM backups",
        "select 1 from a, backups b",
        'from a asof join "backups" using (x)',
        "select * from memory.backups",
        'select * from "memory".main.BACKUPS',
        "delete from x using backups",
        """select "it's" from backups where a = 'x'""",
        r"select e'it\'s' from backups where a = 'x'",
        "select $$it's$$ from backups where a = 'x'",
        "with x as (from backups) from x",
        "select count(*) from (select 1 -- no more\n from backups)",
    ],
)
def test_a_table_is_named(script):
    assert named(script, ["seedings", "backups"]) == ["backups"]


@pytest.mark.parametrize(
    "script",
    [
        "-- Which series are there: of perfmon, and from backups?\nselect 1",
        "select 'from backups' as backups from counters",
        "/* join backups */ select a as backups from x",
        "select $$ from backups $$, backups.a from x",
    ],
)
def test_a_word_is_no_table(script):
    assert named(script, ["backups"]) == []
