"""Databases of a server: two rowsets of one output tell of them."""

from __future__ import annotations

from simulation.formats import rowsets as make
from tests.history.outputs import relation
from tests.readers.query_results.small import SCRIPT


def test_virtual_log_files_recovery_model_and_what_keeps_the_log(tmp_path):
    text = (
        SCRIPT
        + make.rowset(
            "sys.databases_ex",
            (("name", 128), ("database_id", -11), ("recovery_model_desc", 60), ("log_reuse_wait_desc", 60)),
            [("master", 1, "SIMPLE", "NOTHING"), ("Büro 1", 5, "FULL", "AVAILABILITY_REPLICA")],
        )
        + make.rowset(
            "sys_dm_db_log_info",
            (("database_id", -11), ("database_name", 128), ("vlf_count", -11), ("vlf_status", -10)),
            [(5, "Büro 1", 4, 0), (5, "Büro 1", 1812, 2)],
        )
        # A later look counts by itself.
        + make.rowset(
            "sys_dm_db_log_info",
            (("database_id", -11), ("database_name", 128), ("vlf_count", -11), ("vlf_status", -10)),
            [(5, "Büro 1", 9, 0), (5, "Büro 1", 1900, 2)],
        )
    )
    columns = "database, database_id, vlf_count, recovery_model, log_reuse_wait, host_id"
    query = f"select {columns} from databases order by 2"
    assert relation(tmp_path, query, misc__out=text.encode("cp850")) == [
        ("master", 1, None, "SIMPLE", "NOTHING", "SRV1"),
        ("Büro 1", 5, 1816, "FULL", "AVAILABILITY_REPLICA", "SRV1"),
    ]


def test_a_query_without_ids_names_its_databases(tmp_path):
    rows = relation(
        tmp_path,
        "select database, database_id, vlf_count, log_reuse_wait from databases order by database",
        reuse__csv="name,log_reuse_wait_desc\nOne,AVAILABILITY_REPLICA\nTwo,NOTHING\n",
        vlfs__csv="name,vlf_count\nThree,7\n",
    )
    assert rows == [
        ("One", None, None, "AVAILABILITY_REPLICA"),
        ("Three", None, 7, None),
        ("Two", None, None, "NOTHING"),
    ]
