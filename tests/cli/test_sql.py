"""``agtrace sql``: rows of a case or of many, as text."""

from __future__ import annotations

import io
import json
import shutil
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from agtrace.batch import batch
from agtrace.cli import main, terminal
from agtrace.cli.rows import write_csv, write_table
from tests.batch.cases import FINDINGS_ONLY, make_case


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    make_case(folder / "in" / "one")
    batch([folder / "in"], folder / "out", FINDINGS_ONLY)
    return folder / "out"


def test_a_case_is_asked_with_what_is_new_in_it(agtrace, tmp_path):
    case = make_case(tmp_path / "case")
    ran = agtrace(
        "sql",
        case,
        "select counter, count(*) as n from samples join counters using (counter_id) group by all order by 1",
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "counter,n\nLog Bytes Received/sec,6\nLog Send Queue,6\n"


@pytest.mark.complete
@pytest.mark.parametrize("inside", ["", "results"])
def test_results_are_asked_by_case(agtrace, reports, inside):
    ran = agtrace("sql", reports / inside, 'select "case", status from cases')
    assert (ran.status, ran.out, ran.err) == (0, "case,status\none,reported\n", "")


@pytest.mark.complete
def test_every_relation_is_there_with_its_columns(agtrace, reports):
    ran = agtrace("sql", reports, 'select "case", "database", mb_per_s from backups')
    assert (ran.status, ran.out) == (0, "case,database,mb_per_s\n")


@pytest.mark.complete
def test_csv_rounds_nothing_and_leaves_null_empty(agtrace, reports):
    query = (
        "select 0.1::double + 0.2 as a, null as b, [1, 2] as c, timestamptz '2024-03-05 17:00:00+00' as d, "
        "true as e, 'a,\"b' as f"
    )
    ran = agtrace("sql", reports, query)
    assert ran.out == ('a,b,c,d,e,f\n0.30000000000000004,,"[1, 2]",2024-03-05T17:00:00+00:00,true,"a,""b"\n')


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select nothing", "the query: Binder Error"),
        ("selec 1", "the query: Parser Error"),
        ("drop view findings", "not one query"),
        ("copy findings to 'x.csv'", "not one query"),
        ("explain analyze copy findings to 'x.csv'", "not one query"),
        ("with a as (copy findings to 'x.csv') from a", "not one query"),
        ("select 1; select 2", "not one query"),
        ("", "not one query"),
        ("select * from read_text('/etc/hostname')", "the query: Permission Error"),
    ],
)
def test_a_query_only_reads_and_its_faults_are_one_line(agtrace, reports, query, said):
    ran = agtrace("sql", reports, query)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"agtrace: {said}")
    assert ran.err.count("\n") == 1


def planted(tmp_path, reports):
    """Return a case that came with results that answer in its place."""
    case = make_case(tmp_path / "case")
    for name in (".agtrace-cases", "results"):
        shutil.copytree(reports / name, case / name)
    return case


STATUS = "select status from captures where path = 'perf.csv'"


def test_results_that_came_with_a_case_do_not_answer_for_it(agtrace, tmp_path, reports):
    case = planted(tmp_path, reports)
    ran = agtrace("sql", case, STATUS)
    assert (ran.status, ran.out) == (0, "status\ningested\n")
    assert ran.err.startswith(f"agtrace: {case / 'results'}: results that were made by another user")
    assert ran.err.count("\n") == 1


def test_results_of_others_answer_where_the_user_trusts_them(agtrace, tmp_path, reports):
    ran = agtrace("sql", planted(tmp_path, reports), 'select "case" from cases', "--trust-store")
    assert (ran.status, ran.out, ran.err) == (0, "case\none\n", "")


@pytest.mark.parametrize("inside", ["", "results"])
def test_a_link_in_place_of_results_is_not_followed(agtrace, tmp_path, reports, inside):
    case = planted(tmp_path, reports)
    shutil.rmtree(case / "results")
    (case / "results").symlink_to(reports / "results")
    ran = agtrace("sql", case / inside, 'select "case" from cases', "--trust-store")
    assert (ran.status, ran.out) == (2, "")
    assert f"{case / 'results'}: not a folder itself" in ran.err


def test_a_folder_that_is_nothing_says_so(agtrace, tmp_path):
    ran = agtrace("sql", tmp_path / "none", "select 1")
    assert (ran.status, ran.err.count("\n")) == (2, 1)


def table_of(monkeypatch, rows, **named):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    write_table(pa.table(rows).to_reader(), **named)
    return sys.stdout.getvalue()


def test_a_table_has_numbers_to_the_right_and_nothing_that_steers_the_terminal(monkeypatch):
    shown = table_of(monkeypatch, {"name": ["a\x1b[31m", "b"], "mb": [1.23456, None]})
    assert shown == "name        mb\na\\x1b[31m  1.235\nb\n2 rows\n".replace(
        "name        mb", "name          mb"
    )


def test_a_long_table_is_cut_and_says_so(monkeypatch):
    shown = table_of(monkeypatch, {"n": list(range(5))}, most=2)
    assert shown.splitlines() == ["n", "0", "1", "the first 2 rows; --csv prints all"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


STEERS = {"na\x1bme": ["a\x1b[2J", "b\x9b\u202e\r", "two\nlines"], "l": [["\x1b"], None, ["\x9b"]]}


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_csv_is_raw_into_a_pipe_and_steers_no_terminal(monkeypatch, stream):
    monkeypatch.setattr(sys, "stdout", stream())
    write_csv(pa.table(STEERS).to_reader())
    raw = 'na\x1bme,l\na\x1b[2J,"[""\\u001b""]"\nb\x9b\u202e\r,\n"two\nlines","[""\x9b""]"\n'
    assert sys.stdout.getvalue() == (terminal.visible(raw) if stream is Terminal else raw)


def test_csv_that_is_asked_for_on_a_terminal_does_not_steer_it(reports, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert main(["sql", str(reports), "select chr(27) || '[2J' as a", "--csv"]) == 0
    assert sys.stdout.getvalue() == "a\n\\x1b[2J\n"


def test_json_is_a_list_of_rows_that_rounds_nothing(agtrace, reports):
    query = "select 0.1::double + 0.2 as a, null as b, [1, 2] as c, 'é' as d union all select 1, 2, [], 'x'"
    ran = agtrace("sql", reports, query, "--json")
    assert ran.status == 0
    assert json.loads(ran.out) == [
        {"a": 0.30000000000000004, "b": None, "c": [1, 2], "d": "é"},
        {"a": 1.0, "b": 2, "c": [], "d": "x"},
    ]
    assert ran.out.isascii()
    assert agtrace("sql", reports, "select 1 as a where false", "--json").out == "[]\n"


def test_json_has_sums_maps_and_columns_of_one_name(agtrace, reports):
    query = "select sum(n) as s, 1.50::decimal(9,2) as d, map {'a': 1} as m, 2 as s from range(3) r(n)"
    assert json.loads(agtrace("sql", reports, query, "--json").out) == [
        {"s": 3, "d": 1.5, "m": {"a": 1}, "s_1": 2}
    ]


def test_parquet_keeps_types(agtrace, reports, tmp_path):
    target = tmp_path / "rows.parquet"
    ran = agtrace(
        "sql", reports, "select 1::int as a, timestamptz '2024-03-05 17:00:00+00' as b", "--parquet", target
    )
    assert (ran.status, ran.out) == (0, f"{target}: 1 rows\n")
    table = pq.read_table(target)
    assert (table.schema.field("a").type, table["b"].to_pylist()[0].isoformat()) == (
        pa.int32(), "2024-03-05T17:00:00+00:00",
    )  # fmt: skip


def test_a_query_comes_from_a_file_or_standard_input(agtrace, reports, tmp_path, monkeypatch):
    (tmp_path / "q.sql").write_text("select 7 as n -- é\n", encoding="utf-8")
    assert agtrace("sql", reports, "--file", tmp_path / "q.sql").out == "n\n7\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"select 8 as n")))
    assert agtrace("sql", reports, "-f", "-").out == "n\n8\n"


def test_parameters_are_numbers_where_they_are_and_text_else(agtrace, reports):
    ran = agtrace("sql", reports, "select $a + 1 as a, $b as b", "-p", "a=2.5", "-p", "b='; drop table x")
    assert ran.out == "a,b\n3.5,'; drop table x\n"
    ran = agtrace("sql", reports, "select typeof($a) as a, $b as b", "-p", "a='2019'", "-p", "b=007")
    assert ran.out == "a,b\nVARCHAR,007\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say one query"),
        (("select 1", "-f", "-"), "say one query"),
        (("select 1", "--csv", "--json"), "exclude each other"),
        (("select 1", "-p", "a"), "'a' is not NAME=VALUE"),
        (("select $a", ), "the query: "),
    ],
)  # fmt: skip
def test_what_is_asked_wrongly_is_told_in_a_line(agtrace, reports, words, said):
    ran = agtrace("sql", reports, *words)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


def test_findings_are_a_relation_of_a_case(agtrace, tmp_path):
    case = make_case(tmp_path / "case")
    ran = agtrace(
        "sql", case, "select id, severity, subject['host'] as host from findings order by 1 limit 1"
    )
    assert (ran.status, ran.out.splitlines()[0]) == (0, "id,severity,host")
    assert ran.out.count("\n") == 2
