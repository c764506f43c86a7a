"""Options of groups and of their replicas, as statements set them and looks show them."""

from __future__ import annotations

import pytest

from agtrace.history.group_options.statement import options_of
from simulation.formats import rowsets
from tests.diagnostics.tiny import case
from tests.history.looks.test_looks import GROUPS
from tests.history.looks.test_looks import LOOK as LOOKED_AT
from tests.history.outputs import relation

CREATE = (
    "CREATE AVAILABILITY GROUP [My]]AG] WITH (BASIC, DB_FAILOVER = ON) FOR DATABASE [BASIC] REPLICA ON "
    "N'SQL1' WITH (ENDPOINT_URL = N'TCP://a:5022', AVAILABILITY_MODE = SYNCHRONOUS_COMMIT), "
    "N'SQL2\\I' WITH (AVAILABILITY_MODE = ASYNCHRONOUS_COMMIT, SECONDARY_ROLE(ALLOW_CONNECTIONS = NO)) "
    "LISTENER N'L' (WITH IP ((N'10.0.0.9', N'255.0.0.0')), PORT = 1433)"
)


def told(statement: str) -> list[tuple[str | None, str, str]]:
    return [(each.replica, each.option, each.value) for each in options_of(statement)]


def test_a_statement_sets_options_of_its_group_and_of_each_replica():
    assert told(CREATE) == [
        (None, "basic", "ON"),
        (None, "db_failover", "ON"),
        ("SQL1", "endpoint_url", "TCP://a:5022"),
        ("SQL1", "availability_mode", "SYNCHRONOUS_COMMIT"),
        ("SQL2\\I", "availability_mode", "ASYNCHRONOUS_COMMIT"),
        ("SQL2\\I", "allow_connections", "NO"),
        (None, "port", "1433"),
        (None, "listener", "L 10.0.0.9"),
    ]


@pytest.mark.parametrize(
    ("written", "name"), [("[My]]AG]", "My]AG"), ("[two words]", "two words"), ("plain", "plain")]
)
def test_a_name_is_told_without_its_brackets(written, name):
    (option,) = options_of(f"ALTER AVAILABILITY GROUP {written} SET (DB_FAILOVER = ON)")
    assert option.ag == name


@pytest.mark.parametrize("statement", ["ALTER AVAILABILITY GROUP [a] FAILOVER", "select 1", "set x = 1", ""])
def test_a_statement_without_options_of_a_group_tells_none(statement):
    assert told(statement) == []


def test_an_option_that_is_switched_off_is_not_on():
    assert told("CREATE AVAILABILITY GROUP a WITH (BASIC = OFF) FOR") == [(None, "basic", "OFF")]


DDL = (
    "P | {} | alwayson_ddl_executed | statement=ALTER AVAILABILITY GROUP AG MODIFY REPLICA ON N'S' WITH "
    "(AVAILABILITY_MODE = {}_COMMIT)"
)
LOOK = "P | {} | replicas | ag=AG; replica=S; availability_mode={}_COMMIT; session_timeout_s=10"


def test_statements_and_looks_are_in_order_of_time_and_those_without_a_time_come_last():
    made = case(
        events=f"{DDL.format(60, 'SYNCHRONOUS')}\n{DDL.format(-60, 'ASYNCHRONOUS')}",
        relations=f"{LOOK.format(30, 'ASYNCHRONOUS')}\n{LOOK.format('-', 'SYNCHRONOUS')}",
    )
    rows = made.rows(
        "select option_id, value, is_look, time is null as is_late from group_options "
        "where option = 'availability_mode' and replica = 'S' order by option_id"
    )
    assert [(row["value"], row["is_look"], row["is_late"]) for row in rows] == [
        ("ASYNCHRONOUS_COMMIT", False, False),
        ("ASYNCHRONOUS_COMMIT", True, False),
        ("SYNCHRONOUS_COMMIT", False, False),
        ("SYNCHRONOUS_COMMIT", True, True),
    ]


def test_a_look_shows_options_under_their_names_in_statements():
    made = case(relations=LOOK.format(30, "ASYNCHRONOUS"))
    rows = made.rows("select ag, replica, option, value from group_options order by option")
    assert [tuple(row.values()) for row in rows] == [
        ("AG", "S", "availability_mode", "ASYNCHRONOUS_COMMIT"),
        ("AG", "S", "session_timeout", "10"),
    ]


def test_a_support_output_shows_the_options_of_a_group_and_of_its_replicas(tmp_path):
    look = LOOKED_AT + GROUPS + rowsets.replicas()
    query = (
        "select ag, replica, option, value from group_options where is_look order by replica nulls first, "
        "option"
    )
    assert relation(tmp_path, query, look__out=look) == [
        ("AG1", None, "failure_condition_level", "3"),
        ("AG1", None, "health_check_timeout", "30000"),
        ("AG1", "SRV1", "availability_mode", "SYNCHRONOUS_COMMIT"),
        ("AG1", "SRV1", "failover_mode", "AUTOMATIC"),
        ("AG1", "SRV1", "session_timeout", "10"),
        ("AG1", "SRV2", "availability_mode", "ASYNCHRONOUS_COMMIT"),
        ("AG1", "SRV2", "failover_mode", "AUTOMATIC"),
        ("AG1", "SRV2", "session_timeout", "10"),
    ]


def test_a_case_without_either_has_no_rows():
    assert case().rows("select * from group_options") == []
