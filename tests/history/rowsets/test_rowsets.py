"""Cells of rowsets that nobody knows."""

from __future__ import annotations

from simulation.formats import rowsets as make
from tests.history.outputs import relation
from tests.readers.query_results.small import MISC, PERF

COLUMNS = (("id", -4), ("name", 12))
ALL = 'select name, "row", "column", value, line from rowsets order by line, "column"'


def test_each_cell_with_its_place(tmp_path):
    text = make.rowset("mine", COLUMNS, [(1, "x"), (2, None)])
    assert relation(tmp_path, ALL, some__out=text) == [
        ("mine", 0, "id", "1", 4),
        ("mine", 0, "name", "x", 4),
        ("mine", 1, "id", "2", 5),
        ("mine", 1, "name", None, 5),
    ]


def test_what_relations_and_facts_tell_is_not_among_them(tmp_path):
    text = make.look("2026-03-01 10:15:31.017") + make.replicas() + make.states(["Sales"])
    assert relation(tmp_path, ALL, misc__out=MISC, perf__out=PERF, look__out=text) == []


def test_known_rowsets_stay_within_reach(tmp_path):
    query = """
        select list_transform(columns[1:2], lambda c: lower(c)), cells[1:2]
        from rowset_rows join rowset_heads using (capture_id, rowset)
    """
    assert relation(tmp_path, query, look__out=make.replicas())[0] == (
        ["group_name", "replica_server_name"],
        ["AG1", "SRV1"],
    )
