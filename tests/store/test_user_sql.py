"""What users write is meant as they mean it, and what is not there is told with the nearest name."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.store.user_sql import RANKED, ranked


@pytest.fixture(scope="module")
def case(sample_store):
    with agtrace.open_case(
        agtrace.sample("log_send_queue"), sample_store("log_send_queue"), ingest=False
    ) as case:
        yield case


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("select severity >= 'warning' from f", "select severity >= 'warning'{} from f"),
        ("select f.severity<'notice'", "select f.severity<'notice'{}"),
        ('select "Severity" > \'info\'', 'select "Severity" > \'info\'{}'),
        ("select 'warning' <= f.severity", "select 'warning'{} <= f.severity"),
        ("where severity between 'info' and 'notice'", "where severity between 'info'{} and 'notice'{}"),
        ("select 'é', severity > 'info' -- severity > 'info'",
         "select 'é', severity > 'info'{} -- severity > 'info'"),
        ("select severity = 'warning'", "select severity = 'warning'"),
        ("select severity > 'data_loss'", "select severity > 'data_loss'"),
        ("select 'severity > ''warning'''", "select 'severity > ''warning'''"),
        ("select title >= 'warning'", "select title >= 'warning'"),
        ("severity >", "severity >"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_severity_is_compared_by_its_rank(query, expected):
    assert ranked(query) == expected.replace("{}", RANKED)


@pytest.mark.complete
def test_what_is_critical_is_at_least_a_warning(case):
    counted = "select count(*) from findings where severity >= 'warning'"
    assert case.sql(counted).fetchall() == [(2,)]
    assert case.sql("select max(severity) from findings").fetchall() == [("critical",)]
    assert case["findings"]["severity"].max() == "critical"


@pytest.mark.complete
@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("select * from rols", "no relation is called 'rols' - nearest: roles, trials, groups"),
        ("select rol from roles", "no column is called 'rol' - nearest: role"),
        ("select 1; select 2", "not one query - ask with a single SELECT; nothing can be changed"),
        (
            "selec 1",
            'this query cannot be asked: Parser Error: syntax error at or near "selec" - LINE 1: selec 1',
        ),
    ],
)
def test_what_is_not_there_is_told_in_a_line(case, query, told):
    with pytest.raises(CaseError) as error:
        case.sql(query)
    assert str(error.value) == told


@pytest.mark.complete
def test_parameters_are_bound_by_place_and_by_name(case):
    assert case.sql("select ? + ?", [5, 6]).fetchall() == [(11,)]
    assert case.sql("select $n + 1", {"n": 5}).fetchall() == [(6,)]


@pytest.mark.complete
@pytest.mark.parametrize(
    ("path", "series"),
    [
        (r"\\JBSAG3\SQLServer:Database Replica(JBDB)\Log Send Queue", 1),
        (r"\SQLServer:Database Replica(JBDB)\Log Send Queue", 3),
        (r"SQLServer:Database Replica\Log Send Queue", 12),
        (r"\\*\Processor(_Total)\% Processor Time", 3),
    ],
)
def test_a_path_of_perfmon_names_its_series(case, path, series):
    assert len(case.counters(path)) == series


@pytest.mark.complete
def test_samples_are_a_relation_like_every_other(case):
    assert len(case["samples"]) == case.sql("select count(*) from samples").fetchall()[0][0]
