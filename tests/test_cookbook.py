"""Thirty tasks of people who write Python, SQL and pipelines; docs/cookbook.md is made of them.

Each test is a task: its docstring says what is wanted, `show` is what a notebook shows of its last line,
`shell` is what somebody types in a terminal, and the assertions stand here alone.
"""

from __future__ import annotations

import re
import zipfile

import pandas as pd
import pyarrow.parquet as pq
import pytest

import agtrace
from tests.cookbook import shell, show

pytestmark = pytest.mark.complete
FAILOVER_DAYS = 45328 + (15 + (45 + 11.55 / 60) / 60) / 24
"""2024-02-06 15:45:11.55, in days as a workbook counts them."""


@pytest.fixture(scope="module")
def folder(read_sample):
    return read_sample


@pytest.fixture(scope="module")
def case(folder):
    with agtrace.open_case(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def failover(sample_store):
    name = "failover_lease_cpu"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as opened:
        yield opened


@pytest.fixture
def work(tmp_path):
    return tmp_path


def numbers_in(workbook) -> list[float]:
    """Return the numbers of the first row of a workbook's first sheet."""
    with zipfile.ZipFile(workbook) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    return [float(each) for each in re.findall(r'<c r="[AC]2"[^>]*><v>([^<]+)</v>', sheet)]


def test_look_at_a_case(case):
    """Open a folder of captures, after its new files are read, and inspect it."""
    show(case)
    assert case.hosts["host_id"].tolist() == ["JBSAG1", "JBSAG2", "JBSAG3"]


def test_read_the_answer_with_its_numbers(case):
    """Read the answer with its evidence."""
    worst = case.findings()[0]
    show(worst.title)
    show([(each.label, each.value, each.unit) for each in worst.evidence[:3]])
    assert worst.id == "transport.window_limited"


def test_take_findings_as_a_frame(case):
    """Get the findings as a frame, with a column for each part of the subject."""
    found = case.findings().to_df()
    show(found[found["severity"] != "info"][["id", "severity", "host", "start"]].head(4))
    assert {"title", "confidence", "recommendation"} <= set(found)


def test_see_which_counters_there_are(case):
    """List the captured counters with their units."""
    show(case.counters("Log *", host="JBSAG3", instance="JBDB")[["host_id", "counter", "unit"]].head(3))
    assert case.counters("Log Send Queue")["unit"].unique().tolist() == ["KB"]


def test_take_a_counter_as_a_frame(case):
    """Get a counter as a frame, with columns by host, object, instance and counter."""
    queue = case.perfmon("Log Send Queue", host="JBSAG3", instance="JBDB")
    show(queue["JBSAG3"].head(3))
    assert queue.columns.names == ["host", "object", "instance", "counter"]


def test_bring_hosts_onto_one_grid(case):
    """Put the counters of several hosts on one grid of ten minutes, with the 95th percentile of each."""
    grid = case.perfmon("Log Send Queue", ["JBSAG1", "JBSAG3"], "JBDB", every="10min", how="p95")
    show(grid.droplevel(["object", "instance", "counter"], axis="columns").round(0))
    assert grid.attrs["units"] == {"Log Send Queue": "KB"}


def test_take_the_long_form(case):
    """Get the long form, for seaborn, plotly express or a database."""
    tidy = case.perfmon("Log Send Queue", instance="JBDB", every="30min", tidy=True)
    show(tidy[["time", "host_id", "counter", "value", "unit"]].round({"value": 1}).head(2))
    assert tidy["value"].notna().all()


def test_draw_counters_of_two_hosts(case):
    """Draw counters of two hosts with the role changes; the last line of a cell shows a figure."""
    figure = case.plot("Log Send Queue", "Log Bytes Received/sec", host=["JBSAG2", "JBSAG3"], mark="roles")
    show(figure.layout.title.text)
    assert len(figure.data) > 2


def test_compare_hours_in_the_time_of_the_office(case):
    """Compare hours in the time zone of an office."""
    hours = case.percentiles("Log Send Queue", host="JBSAG3", by="hour", q=[0.5, 0.95], tz="Europe/Berlin")
    show(hours[["hour", "n", "p50", "p95", "unit"]].round(0))
    assert hours.attrs["tz"] == "Europe/Berlin"


def test_ask_for_a_rare_percentile(case):
    """Compute a rare percentile of each database."""
    rare = case.percentiles("Log Send Queue", host="JBSAG3", by=["host", "instance"], q=0.999)
    show(rare[["host_id", "instance", "p99.9", "unit"]].round(0))
    assert (rare["p99.9"] <= rare["highest"]).all()


def test_say_who_was_primary(case):
    """List the primaries over time."""
    roles = case.roles()
    show(roles[roles["role"] == "PRIMARY"][["ag", "host_id", "start", "end"]])
    assert roles[roles["role"] == "PRIMARY"]["host_id"].tolist() == ["JBSAG2"]


def test_list_what_happened_to_a_host(case):
    """List the events of a host in some minutes, in the time zone of New York."""
    told = case.timeline(
        host="JBSAG2", start="2019-08-20 05:25", end="2019-08-20 05:45", tz="America/New_York"
    )
    show(told[["time", "kind", "replica"]].head(4))
    assert str(told["time"].dt.tz) == "America/New_York"


def test_read_what_every_host_logged_around_a_moment(case):
    """Read the log entries of every host around a moment, also in local time."""
    logged = case.around("2019-08-20 12:21:27", minutes=0.1)
    show(logged[["time", "time_local", "host_id", "path", "line"]].head(3))
    assert {"JBSAG1", "JBSAG2"} <= set(logged["host_id"])


def test_search_the_errorlogs(case):
    """Search the ERRORLOGs of all hosts."""
    lost = case.errorlog(like=["*connection timeout*", "*has been terminated*"])
    show(lost.groupby("host_id").size())
    assert len(lost) > 2


def test_look_at_ten_minutes_alone(case):
    """Limit a case to ten minutes of one host, for every method."""
    part = case.window("2019-08-20 13:50", "2019-08-20 14:00", host="JBSAG3")
    show(len(part.perfmon("Log Send Queue")))
    show(part.findings()[0].window)
    assert part.hosts["host_id"].tolist() == ["JBSAG3"]


def test_compare_two_windows(case):
    """Compare the findings of two windows."""
    before, after = case.window(end="2019-08-20 13:45"), case.window("2019-08-20 13:45")
    ids = [{finding.id for finding in part.findings()} for part in (before, after)]
    show(sorted(ids[0] - ids[1]))
    show(sorted(ids[0] & ids[1])[:3])
    assert "transport.window_limited" in ids[0] & ids[1]


def test_ask_with_limits_of_your_own(folder):
    """Use your own thresholds: findings list them, and they fail no pipeline."""
    with agtrace.open_case(folder, thresholds={"rpo_s": 3600}) as case:
        limits = case.thresholds
        show(limits.loc[["rpo_s"], ["value", "unit", "default", "set_by"]])
        severities = {finding.severity for finding in case.findings() if finding.id == "transport.rpo"}
        show(severities)
    assert severities == {"info"}


def test_add_a_finding_of_your_own(folder):
    """Add your own finding, also to SQL and exports."""
    with agtrace.open_case(folder) as case:
        mine = agtrace.Evidence("latency of the array", 41.0, "ms", "storage team")
        case.add_finding(
            "mine.storage", "The array was rebuilding", severity="warning", evidence=mine, host="JBSAG3"
        )
        show(case.sql("select id, severity, title from findings where id like 'mine%'").df())
        assert [finding.id for finding in case.findings()][1] == "mine.storage"


def test_name_the_causes_of_failovers(failover):
    """Name the causes of failovers (here of the sample `failover_lease_cpu`)."""
    show(failover.failovers()[["from_host", "to_host", "mode", "trigger", "cause"]])
    assert failover.failovers()["mode"].tolist() == ["automatic"]


def test_align_counters_on_events(failover):
    """Align counters on failovers, in seconds from the event."""
    epochs = failover.around_events("failovers", "% Processor Time", "HASQL1", before="40s", after="20s")
    show(epochs[["event", "t_s", "value"]].head(2))
    assert epochs["t_s"].tolist() == [-29.513, -14.513, 0.487, 15.487]
    assert len(epochs.plot().data) == 1


def test_join_a_time_series_of_your_own(failover):
    """Join your own time series; its times are those of Berlin."""
    times = pd.to_datetime(["2024-02-06 15:45:05", "2024-02-06 15:45:20"])
    ping = pd.Series([80.0, 4.0], times, name="ping_ms")
    both = failover.join(ping, "% Processor Time", "HASQL1", tz="Europe/Berlin")
    show(both["own", "", "", "ping_ms"].dropna())
    assert both["HASQL1"].notna().all(axis=None)


def test_write_a_workbook(failover, work):
    """Write a workbook in the time zone of an office; Excel has no zones."""
    found = failover.failovers(tz="Europe/Berlin")[["failover_id", "to_host", "start"]]
    found["start"] = found["start"].dt.tz_localize(None)
    found.to_excel(work / "failovers.xlsx", index=False)
    assert numbers_in(work / "failovers.xlsx") == [1.0, pytest.approx(FAILOVER_DAYS, abs=1e-8)]


def test_take_extended_events(failover):
    """Get an Extended Event of all files, in time order."""
    leases = failover.events("availability_group_lease_expired")
    show(leases[["_host_id", "_time", "availability_group_name"]])
    assert len(leases) == 1


def test_ask_in_sql(case):
    """Query in SQL: every relation of docs/store.md is available, and computed when a query names it."""
    query = """
        select host_id, counter, round(quantile_cont(value, 0.95)) as p95, any_value(unit) as unit
        from samples join counters using (counter_id)
        where counter = 'Log Send Queue' and instance = $database group by all order by host_id
    """
    show(case.sql(query, {"database": "JBDB"}).df())
    assert len(case.sql(query, {"database": "JBDB"}).df()) == 3


def test_read_many_rows_without_holding_them(case):
    """Read many rows without holding them in memory; other queries can run meanwhile."""
    reader = case.sql("select time, value from samples where value > 0").to_arrow_reader(10_000)
    rows = sum(len(batch) for batch in reader)
    show(rows)
    assert rows > 10_000


def test_join_a_frame_of_your_own(case, work):
    """Join your own frame, and write the result with a writable connection."""
    known = pd.DataFrame({"host_id": ["JBSAG1", "JBSAG3"], "site": ["Berlin", "Sydney"]})
    with case.writable_connection() as connection:
        connection.register("sites", known)
        joined = "select site, count(*) as series from counters join sites using (host_id) group by all"
        connection.sql(f"copy ({joined}) to '{work}/series.parquet'")
    show(pq.read_table(work / "series.parquet").to_pandas().sort_values("site"))
    assert (work / "series.parquet").exists()


def test_read_a_file_whatever_it_is(folder):
    """Read a file without a case; agtrace.read detects the format of any."""
    log = agtrace.read_errorlog(folder / "JBSAG3" / "ERRORLOG")
    show(log.column_names)
    show(log.num_rows)
    assert log == agtrace.read(folder / "JBSAG3" / "ERRORLOG")


def test_read_several_perfmon_logs(folder):
    """Read selected counters of several perfmon logs."""
    queues = agtrace.read_pdh(folder / "*" / "*.csv", counters="*(JBDB)*Log Send Queue*")
    show(queues.group_by(["host", "counter"]).aggregate([("value", "max")]).to_pandas())
    assert "path" in queues.column_names


def test_turn_a_log_larger_than_memory_into_parquet(folder, work):
    """Convert a log larger than memory to Parquet, batch by batch."""
    batches = agtrace.iter_batches(folder / "JBSAG3" / "*.csv", counters="*Log Send Queue*")
    first = next(batches)[1]
    with pq.ParquetWriter(work / "queue.parquet", first.schema) as writer:
        writer.write_batch(first)
        for _name, batch in batches:
            writer.write_batch(batch)
    show(pq.read_metadata(work / "queue.parquet").num_rows)
    assert pq.read_metadata(work / "queue.parquet").num_rows > 1000


def test_stop_a_pipeline_that_found_something(folder):
    """Stop a pipeline at a severe finding: the status is 3."""
    ran = shell(f"agtrace findings {folder} --json --fail-on critical", lines=4)
    show(ran.status)
    assert ran.status == 3


def test_judge_by_the_limits_of_the_team(folder, work):
    """Use the thresholds of a team from its repository."""
    (work / "team.toml").write_text("[thresholds]\nrpo_s = 3600\n")
    ran = shell(f"agtrace findings {folder} --settings {work}/team.toml --fail-on warning", lines=0)
    show(ran.status)
    assert (ran.status, "set for this answer" in ran.out) == (3, True)


def test_ask_sql_from_a_script(folder):
    """Run SQL from a script, with a parameter, and get JSON."""
    ran = shell(
        f"""agtrace sql {folder} 'select role, start from roles where host_id = $h' -p h=JBSAG2 --json"""
    )
    assert '"PRIMARY"' in ran.out


def test_hand_results_to_another_program(folder, work):
    """Pass results to another program: rows of a query as Parquet, with their types."""
    shell(f'agtrace sql {folder} "from timeline" --parquet {work}/timeline.parquet')
    show(pq.read_schema(work / "timeline.parquet").field("time").type)
    assert pq.read_metadata(work / "timeline.parquet").num_rows > 0


def test_cut_a_log_as_relog_does(folder, work):
    """Cut a perfmon log as relog does, on any operating system."""
    out = work / "queue.csv"
    ran = shell(
        f"agtrace convert {folder}/JBSAG3/DataCollector01.csv -o {out} --counters '*Send Queue*' --every 12"
    )
    show(len(out.read_text().splitlines()))
    assert ran.status == 0


def test_write_a_notebook_for_papermill(folder, work):
    """Write the notebook of a case; papermill runs it on the next one: `papermill .. -p case FOLDER`."""
    import nbformat

    shell(f"agtrace lab {folder} --no-server --out {work}/notes", lines=0)
    (path,) = (work / "notes").glob("*.ipynb")
    parameters = nbformat.read(path, as_version=4).cells[1]
    show(parameters.metadata["tags"], [line.partition(" =")[0] for line in parameters.source.splitlines()])
    assert parameters.metadata["tags"] == ["parameters"]
