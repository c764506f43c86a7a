"""Several cases opened together: each by its name, and one query over all of them."""

from __future__ import annotations

import duckdb
import pytest

import agtrace
from agtrace.errors import CaseError, StoreError
from tests.ingest import texts


def write(folder, host, rows):
    (folder / host).mkdir(parents=True)
    (folder / host / "perfmon.csv").write_bytes(texts.perfmon(rows, host=host))
    (folder / host / "ERRORLOG").write_bytes(texts.errorlog(5, server=host))
    return folder


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    home = tmp_path_factory.mktemp("many")
    folders = [write(home / "one", "SQL1", 20), write(home / "two", "SQL2", 30)]
    with agtrace.open_cases(folders) as opened:
        yield opened


def test_each_is_there_by_the_name_of_its_folder(cases):
    assert list(cases) == ["one", "two"]
    assert len(cases) == 2
    assert "one" in cases
    assert cases["two"].hosts["host_id"].tolist() == ["SQL2"]


def test_one_that_is_not_there_is_an_error_that_names_them(cases):
    with pytest.raises(CaseError, match="there is no case 'three' - there are: one, two"):
        cases["three"]
    assert "three" not in cases
    assert cases.get("one") is cases["one"]


@pytest.mark.complete
@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ('select "case", host_id from hosts order by all', [("one", "SQL1"), ("two", "SQL2")]),
        ('select "case", count(*) from ticks group by all order by all', [("one", 20), ("two", 30)]),
        ("select count(*) from captures", [(4,)]),
        # What happened is computed in each when it is first named.
        ('select "case", count(*) from coverage group by all order by 1', [("one", 2), ("two", 2)]),
        ('select distinct "case" from FINDINGS order by 1', [("one",), ("two",)]),
        ("select count(*) from failovers", [(0,)]),
        ("with a as (from hosts) select count(*) from a, a b", [(4,)]),
    ],
)
def test_a_query_asks_all_of_them(cases, query, rows):
    assert cases.sql(query).fetchall() == rows
    assert cases.sql(query).fetchall() == rows


def test_joined_by_case_and_id_it_is_what_each_says(cases):
    query = """select "case", count(*) from samples join counters using ("case", counter_id)
        group by all order by all"""
    alone = "select count(*) from samples join counters using (counter_id)"
    each = [(name, *case.sql(alone).fetchall()[0]) for name, case in cases.items()]
    assert cases.sql(query).fetchall() == each


@pytest.mark.parametrize("name", ["counter_id", "content_id", '"counter_id", tick'])
def test_a_join_by_an_id_alone_would_mix_them_and_is_refused(cases, name):
    with pytest.raises(
        CaseError, match='is of one case, and a join by it alone mixes them - write: using \\("case", '
    ):
        cases.sql(f"select * from samples join counters using ({name})")


def test_parameters_are_taken(cases):
    query = 'select "case" from hosts where host_id = $host'
    assert cases.sql(query, {"host": "SQL2"}).fetchall() == [("two",)]


@pytest.mark.complete
def test_all_findings_name_their_case(cases):
    found = cases.findings()
    own = {name: len(case.findings()) for name, case in cases.items()}
    assert {name: sum(f.subject["case"] == name for f in found) for name in own} == own
    assert set(found.to_df()["case"]) == {"one", "two"}


@pytest.mark.complete
def test_a_case_answers_as_it_does_alone(cases):
    alone = agtrace.open_case(cases["one"].folder)
    assert cases["one"].findings() == alone.findings()
    assert cases["one"].perfmon("*").equals(alone.perfmon("*"))
    assert (
        cases["one"].sql("select count(*) from samples").fetchall()
        == alone.sql("select count(*) from samples").fetchall()
    )


def test_nothing_outside_of_the_stores_is_read_or_written(cases, tmp_path):
    (tmp_path / "a.csv").write_text("x\n1\n", encoding="utf-8")
    for query in (f"from read_csv('{tmp_path}/a.csv')", f"copy (select 1) to '{tmp_path}/b.csv'"):
        for asked in (cases, cases["one"]):
            with pytest.raises((duckdb.PermissionException, CaseError)):
                asked.sql(query).fetchall()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv"]


def test_it_shows_what_they_hold(cases):
    assert repr(cases) == (
        "2 cases; cases.sql(..) asks all of them, cases[NAME] is one\n"
        "  one: 2 captures of 1 host\n"
        "  two: 2 captures of 1 host"
    )
    assert "<td" in cases._repr_html_()


@pytest.mark.complete
def test_events_that_one_of_them_captured_are_there(tmp_path):
    folders = [agtrace.sample("direct_seeding"), write(tmp_path / "plain", "SQL1", 5)]
    with agtrace.open_cases(folders, tmp_path / "stores") as opened:
        query = 'select distinct "case" from events_hadr_physical_seeding_progress'
        assert opened.sql(query).fetchall() == [("direct_seeding",)]
        assert sorted(path.name for path in (tmp_path / "stores").iterdir()) == ["direct_seeding", "plain"]


def test_names_may_be_given_and_folders_of_one_name_are_numbered(tmp_path):
    first, second = write(tmp_path / "a" / "case", "SQL1", 5), write(tmp_path / "b" / "case", "SQL2", 5)
    with agtrace.open_cases([first, second]) as opened:
        assert list(opened) == ["case", "case-2"]
    with agtrace.open_cases({"before": first, "it's after": second}) as opened:
        query = 'select "case" from hosts order by host_id'
        assert opened.sql(query).fetchall() == [("before",), ("it's after",)]


@pytest.mark.complete
def test_an_offset_counts_for_the_case_that_has_the_host(tmp_path):
    folders = [write(tmp_path / name, host, 5) for name, host in (("one", "SQL1"), ("two", "SQL2"))]
    for folder in folders:
        next(folder.rglob("ERRORLOG")).unlink()
        log = next(folder.rglob("perfmon.csv"))
        log.write_bytes(log.read_bytes().replace(b" (Korea Standard Time)(-540)", b""))
    query = 'select distinct "case" from ticks where time is not null'
    with agtrace.open_cases(folders) as opened:
        assert opened.sql(query).fetchall() == []
    with pytest.raises(CaseError, match="no case has a host 'SQL9' - their hosts are: SQL1, SQL2"):
        agtrace.open_cases(folders, utc_offsets={"SQL9": "-5:00"})
    with agtrace.open_cases(folders, utc_offsets={"SQL1": "-5:00"}) as opened:
        assert opened.sql(query).fetchall() == [("one",)]
    # A comparison opens both in the same way.
    found = agtrace.compare(*folders, utc_offsets={"SQL2": "-5:00"})
    assert [(host.before, host.after) for host in found.pairing.hosts] == [("SQL1", "SQL2")]


def test_they_are_compared_as_they_are(cases):
    found = agtrace.compare(cases["one"], cases["two"])
    assert [(host.before, host.after, host.by) for host in found.pairing.hosts] == [("SQL1", "SQL2", "role")]


def test_without_any_it_is_an_error():
    with pytest.raises(CaseError, match="no case was named - name the folders that hold the captures"):
        agtrace.open_cases([])


def test_closed_they_say_so(tmp_path):
    opened = agtrace.open_cases(write(tmp_path / "one", "SQL1", 5))
    opened.close()
    with pytest.raises(StoreError, match="the case was closed"):
        opened.sql("from hosts")


@pytest.fixture(scope="module")
def fixed(sample_store):
    names = ("before", "after")
    stores = {name: sample_store(f"log_send_queue_fixed/{name}") for name in names}
    folder = next(iter(stores.values())).parent
    folders = {store.name: agtrace.sample("log_send_queue_fixed") / name for name, store in stores.items()}
    with agtrace.open_cases(folders, store=folder, ingest=False) as opened:
        yield opened


BEFORE, AFTER = "log_send_queue_fixed before", "log_send_queue_fixed after"


def test_a_counter_of_all_cases_is_one_long_frame(fixed):
    queues = fixed.perfmon("Log Send Queue", "JBSAG3", "JBDB", every="1h", how="median")
    assert queues.columns.tolist()[:3] == ["case", "time", "host_id"]
    assert queues[["case", "value"]].values.tolist() == [[BEFORE, 104426.5], [AFTER, 58.5]]
    assert set(queues["unit"]) == {"KB"}


def test_cases_without_the_counter_are_left_out_and_none_at_all_is_an_error(cases, tmp_path):
    assert set(cases.perfmon("*", "SQL1")["case"]) == {"one"}
    with pytest.raises(CaseError, match="no counter 'Log Sned Queue' was captured - nearest: Log Send Queue"):
        cases.perfmon("Log Sned Queue")
    with pytest.raises(CaseError, match="how='avg'"):
        cases.perfmon("*", every="1min", how="avg")


def test_a_figure_of_all_cases_has_a_line_for_each_host_of_each_case(fixed):
    asked = {"host": "JBSAG3", "instance": "JBDB"}
    figure = fixed.plot("Log Send Queue", **asked)
    assert [trace.name for trace in figure.data] == [f"{AFTER}: JBSAG3 (JBDB)", f"{BEFORE}: JBSAG3 (JBDB)"]
    assert len({trace.line.color for trace in figure.data}) == 2
    aligned = fixed.plot("Log Send Queue", from_start=True, **asked)
    assert [trace.x[0] for trace in aligned.data] == [0.0, 0.0]
    assert aligned.layout.xaxis.title.text == "seconds from the first sample of each case"
    boxes = fixed.plot("Log Send Queue", kind="box", log_y=True, **asked)
    assert [trace.type for trace in boxes.data] == ["box", "box"]


def test_failovers_of_all_cases_are_one_frame(sample_store):
    names = "failover_lease_cpu", "failover_planned", "commit_redo"
    folders = {name: agtrace.sample(name) for name in names}
    stores = [sample_store(name) for name in names]
    with agtrace.open_cases(folders, stores[0].parent, ingest=False) as opened:
        found = opened.failovers()
        assert found[["case", "to_host", "mode"]].values.tolist() == [
            ["failover_lease_cpu", "HASQL2", "automatic"],
            ["failover_planned", "HASQL2", "planned"],
        ]
        assert len(opened.failovers(end="2000-01-01")) == 0
