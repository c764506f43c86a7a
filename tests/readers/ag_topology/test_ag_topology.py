"""Names behind ids, as LogScout exports them."""

from __future__ import annotations

import pytest

from agtrace.errors import CaptureError
from agtrace.readers.ag_topology import READER
from agtrace.testing import (
    check_empty,
    check_flips,
    check_read_twice,
    check_same_in_any_block_size,
    facts,
    is_detected,
    read_all,
)
from tests.readers.ag_topology.small import DATABASES, GROUP, REPLICAS, topology
from tests.shared import CAPTURES, needs_captures


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_contract(encoding):
    data = topology().encode(encoding)
    check_same_in_any_block_size(READER, data, "x.xml")
    check_read_twice(READER, data, "x.xml")
    check_empty(READER, "x.xml")
    check_flips(READER, data, "x.xml", 2_000)


def test_a_cut_file_tells_its_rows_and_says_so():
    whole = topology().encode()
    for place in range(20, len(whole) - 20, 37):
        try:
            tables = read_all(READER, whole[:place], "x.xml")
        except CaptureError:
            continue
        assert [row["kind"] for row in tables["issues"].to_pylist()] == ["unreadable_xml"]
        found = facts(tables, "ag_name")
        assert found == facts(read_all(READER, whole, "x.xml"), "ag_name")[: len(found)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_each_id_has_its_name_once(encoding):
    found = facts(read_all(READER, topology().encode(encoding), "x.xml"), "ag_name")
    named = {(each["kind"], each["id"]): each["name"] for each in found}
    assert len(found) == len(named) == 5
    assert named["group", GROUP.lower()] == "AG1"
    assert [named["replica", guid.lower()] for guid in REPLICAS.values()] == list(REPLICAS)
    assert [named["database", guid.lower()] for guid in DATABASES.values()] == list(DATABASES)
    assert [each.get("database_id") for each in found if each["kind"] == "database"] == ["5", "6"]


def test_every_attribute_of_every_row_is_kept():
    rows = facts(read_all(READER, topology().encode(), "x.xml"), "ag_topology")
    assert len(rows) == 4
    assert rows[0]["role_desc"] == "PRIMARY"
    assert rows[3]["database_name"] == "Größe"


def test_a_group_without_databases_names_none():
    text = (
        f'<AGInfoRoot><row group_name="AG2" group_id="{GROUP}" database_name="***EMPTY AG****" '
        f'group_database_id="{GROUP}"/></AGInfoRoot>'
    )
    found = facts(read_all(READER, text.encode(), "x.xml"), "ag_name")
    assert [(each["kind"], each["name"]) for each in found] == [("group", "AG2")]


BOMB = (
    '<!DOCTYPE AGInfoRoot [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<AGInfoRoot><row group_name="&b;"/></AGInfoRoot>'
)


def test_entities_are_refused():
    assert not is_detected(READER, BOMB)
    inside = "<AGInfoRoot>" + BOMB
    tables = read_all(READER, inside.encode(), "x.xml")
    assert "facts" not in tables
    unknown = topology().replace("AG1", "&b;", 1)
    tables = read_all(READER, unknown.encode(), "x.xml")
    assert [row["kind"] for row in tables["issues"].to_pylist()] == ["unreadable_xml"]


def test_elements_within_elements_end_the_reading():
    tables = read_all(READER, ("<AGInfoRoot>" + "<a>" * 100_000).encode(), "x.xml")
    assert [row["kind"] for row in tables["issues"].to_pylist()] == ["unreadable_xml"]


@needs_captures
def test_the_example_of_logscout():
    file = CAPTURES / "support_folder/output/CONTOSO1_20260301T1015401133_GetAGTopology.xml"
    tables = read_all(READER, file.read_bytes(), file.name)
    assert [(each["kind"], each["id"], each["name"]) for each in facts(tables, "ag_name")] == [
        ("group", "a1a1a1a1-1111-4222-8333-0123456789ab", "AG1"),
        ("replica", "b2b2b2b2-1111-4222-8333-0123456789ab", "CONTOSO1"),
        ("database", "d4d4d4d4-1111-4222-8333-0123456789ab", "Sales000"),
    ]
    assert "issues" not in tables
