"""A name that matches nothing is an error with the nearest, unless there is nothing to match."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.cli import main
from agtrace.errors import CaseError
from simulation.formats.pdh_text import write_pdh
from simulation.formats.xel import Event, XelFile, event_schema
from tests.ingest import texts

SAMPLE = "log_send_queue"
LOG = agtrace.sample(SAMPLE) / "JBSAG3" / "DataCollector01.csv"


def xel(path, *names, rows=1):
    schemas = [event_schema(name, {"log_block_id": "uint64"}) for name in names]
    events = [Event(each, 10_000_000, {"log_block_id": 1}) for each in schemas for _ in range(rows)]
    path.write_bytes(XelFile().write(events))
    return path


@pytest.fixture(scope="module")
def case(sample_store):
    with agtrace.open_case(agtrace.sample(SAMPLE), store=sample_store(SAMPLE)) as opened:
        yield opened


def told(ask):
    with pytest.raises(CaseError) as error:
        ask()
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("read", [agtrace.read_xel, lambda *a, **k: list(agtrace.iter_batches(*a, **k))])
def test_an_unknown_event_or_column_of_an_xel_is_an_error(tmp_path, read):
    path = xel(tmp_path / "a.xel", "log_flush_start", "commit")
    assert told(lambda: read(path, events="log_flush_strt")) == (
        "no event is called 'log_flush_strt' - nearest: log_flush_start"
    )
    assert told(lambda: read(path, columns=["_time", "log_blok_id"])) == (
        "no column is called 'log_blok_id' - nearest: log_block_id"
    )
    assert told(lambda: read(path, events=["commit", "x"])).endswith("there are: commit, log_flush_start")


def test_an_event_of_one_of_several_files_is_known(tmp_path):
    paths = [xel(tmp_path / "a.xel", "commit"), xel(tmp_path / "b.xel", "log_flush_start")]
    assert agtrace.read_xel(paths, events="commit")["commit"].num_rows == 1
    assert told(lambda: agtrace.read_xel(paths, events="comit")).endswith("nearest: commit")


def test_an_xel_without_definitions_is_no_evidence_of_a_wrong_name(tmp_path):
    path = xel(tmp_path / "a.xel", "commit")
    path.write_bytes(path.read_bytes()[:512])
    assert agtrace.read_xel(path, events="log_flush_start") == {}


@pytest.mark.parametrize("read", [agtrace.read_pdh, lambda *a, **k: list(agtrace.iter_batches(*a, **k))])
def test_an_unknown_counter_of_a_log_is_an_error(read):
    assert told(lambda: read(LOG, counters="*Log Snd Queue")).startswith(
        "no counter matches '*Log Snd Queue' - nearest: Log Send Queue"
    )
    several = ["*Log Send Queue", r"\Memory\Nope"]
    assert told(lambda: read(LOG, counters=several)).startswith(r"no counter matches '\\Memory\\Nope'")


def test_counters_may_be_called_by_name_alone():
    named = agtrace.read_pdh(LOG, counters="Log Send Queue")
    assert named.num_rows == agtrace.read_pdh(LOG, counters=r"*\Log Send Queue").num_rows == 2140


def test_a_log_without_counters_is_no_evidence_of_a_wrong_name(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(write_pdh([], [[]], times=[texts.START]))
    assert agtrace.read_pdh(path, counters="*Nope*").num_rows == 0


def test_unknown_values_of_parameters_are_errors(case):
    assert told(lambda: case.transport.only(replica="JBSAG4")).startswith(
        "no replica is called 'JBSAG4' - nearest: JBSAG"
    )
    assert told(lambda: case.transport.fig_chain("NOPE")).endswith("there are: JBSAG1, JBSAG2, JBSAG3")
    for analysis in (case.transport, case.backup, case.seeding):
        assert "no database is called 'JBD' - nearest: JBDB" in told(
            lambda ask=analysis: type(ask)(case.view, database="JBD")
        )
    assert told(lambda: case.percentiles("Log Snd Queue")).startswith(
        "no counter 'Log Snd Queue' was captured - nearest: Log Send Queue"
    )
    assert told(lambda: case.percentiles("Log Send Queue", per="Pages")).startswith(
        "no counter 'Pages' to divide by was captured - "
    )


def test_a_wrong_instance_is_not_reported_as_a_wrong_host(case):
    wrong = told(lambda: case.percentiles("Log Send Queue", host="JBSAG3", instance="JBDBX"))
    assert wrong == "no series is of instance 'JBDBX' - nearest: JBDB, JBSDBDW"


def test_names_are_known_in_any_spelling(case):
    assert case.transport.only(replica="jbsag3.contoso.com", database="jbdb").findings()


def test_a_case_without_databases_has_no_wrong_one(tmp_path):
    (tmp_path / "JBSAG3").mkdir()
    (tmp_path / "JBSAG3" / "perf.csv").write_bytes(write_pdh([r"\\A\Memory\Pages/sec"], [[1.0]]))
    with agtrace.open_case(tmp_path) as case:
        case.analysis("backup").check(case.view, database="nope")


@pytest.mark.parametrize(
    ("notebook", "value", "said"),
    [
        ("transport", "replica=NOPE", "no replica is called 'NOPE' - there are: JBSAG1, JBSAG2, JBSAG3"),
        ("backup", "database=JBD", "no database is called 'JBD' - nearest: JBDB"),
        ("percentiles", "counter=Log Snd Queue", "nearest: Log Send Queue"),
        ("percentiles", "by=hours", "cannot group by 'hours' - group by: host, instance, hour"),
    ],
)
def test_a_report_refuses_an_unknown_value_before_it_writes(
    tmp_path, sample_store, capsys, notebook, value, said
):
    folder, out = agtrace.sample(SAMPLE), tmp_path / "out"
    asked = ["--only", notebook, "-p", value, "--store", str(sample_store(SAMPLE)), "--out", str(out)]
    assert main(["report", str(folder), *asked]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_an_unknown_baseline_is_an_error_with_the_runs(sample_store):
    name = "direct_seeding"
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        comparison = case.analysis("comparison")
        assert told(lambda: comparison.check(case.view, baseline="9")).startswith(
            "no run is called '9' - there"
        )
        comparison.check(case.view, baseline="2")


def test_hours_are_numbers(case):
    hours = case.percentiles("Log Send Queue", host="JBSAG3", by=["host", "hour"])["hour"]
    assert hours.tolist() == [13, 14]
    assert hours.dtype == "int64"
