"""An analysis that fails costs its own answer: a finding says so and what to report, and the rest is done."""

from __future__ import annotations

import contextlib
import json

import pytest

import agtrace
from agtrace import interrupts
from agtrace.cli import main
from agtrace.diagnostics import analyses, failed
from agtrace.errors import RelationError, StoreError
from agtrace.history import offering
from agtrace.report import report
from tests.ingest import texts

pytestmark = [pytest.mark.complete, pytest.mark.analysis_fails]

SECRET = "JBSAG3\\contoso"


@pytest.fixture
def folder(tmp_path):
    case = tmp_path / "JBSAG3"
    case.mkdir()
    (case / "perf.csv").write_bytes(texts.perfmon(20))
    (case / "ERRORLOG").write_bytes(texts.errorlog(20))
    return tmp_path


@pytest.fixture
def broken(monkeypatch):
    """Make the findings of health end with an error that quotes what was captured."""

    def findings(self):
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(analyses()["health"], "findings", findings)
    monkeypatch.setattr(analyses()["health"], "missing", lambda self: [])


@pytest.fixture
def no_roles(monkeypatch):
    """Make the relation roles fail; return how often it is read."""
    tried = []

    def make(view):
        tried.append(1)
        raise KeyError(SECRET)

    (maker,) = (each for each in offering.makers() if "roles" in each.relations)
    others = tuple(each for each in offering.makers() if each is not maker)
    sources = type(maker.sources)(tables=("errorlog",))
    mine = type(maker)(maker.relations, make, sources)
    monkeypatch.setattr(offering, "makers", lambda: (*others, mine))
    return tried


def test_the_others_are_answered(folder, broken):
    with agtrace.open_case(folder) as case:
        found = case.findings()
        assert list(case.failures) == ["health"]
        assert case.findings() != []
        assert "health" not in case.unanswered()
    ids = {finding.id for finding in found}
    assert failed.ID in ids
    assert len(ids) > 1


def test_the_finding_says_what_to_report_and_nothing_of_the_captures(folder, broken):
    with agtrace.open_case(folder) as case:
        (told,) = case.answers("health")
    assert (told.severity, told.subject) == ("warning", {"analysis": "health"})
    evidence = {each.label: each.value for each in told.evidence}
    assert evidence["analysis"] == "health"
    assert evidence["error"] == "ZeroDivisionError"
    assert evidence["place"].startswith("agtrace.case:")
    assert len(evidence["mark"]) == 8
    assert agtrace.__version__ in told.recommendation
    assert SECRET not in str(told.to_dict())


def test_equal_failures_bear_one_mark(folder, monkeypatch):
    def findings(self):
        raise ZeroDivisionError

    for name in ("health", "transport"):
        monkeypatch.setattr(analyses()[name], "findings", findings)
        monkeypatch.setattr(analyses()[name], "missing", lambda self: [])
    with agtrace.open_case(folder) as case:
        told = [each for each in case.findings() if each.id == failed.ID]
    assert [each.subject["analysis"] for each in told] == ["health", "transport"]
    assert len({each.evidence[3].value for each in told}) == 1


def test_what_rests_on_a_relation_that_fails_says_so_and_it_is_tried_once(folder, no_roles):
    with agtrace.open_case(folder) as case:
        told = [each for each in case.findings() if each.id == failed.ID]
        assert all(isinstance(error, RelationError) for error in case.failures.values())
        assert "relation roles" in told[0].narrative
        assert {each.evidence[1].value for each in told} == {"KeyError"}
        assert len({each.evidence[3].value for each in told}) == 1
        assert case.sql("select count(*) from backups").fetchall() == [(0,)]
        with pytest.raises(RelationError, match="the relation roles cannot be computed"):
            case.sql("select * from roles")
    assert no_roles == [1]


def test_a_connection_of_ones_own_lacks_only_the_relation_that_fails(folder, no_roles):
    with agtrace.open_case(folder) as case, contextlib.closing(case.writable_connection()) as own:
        names = {
            name for (name,) in own.execute("select table_name from information_schema.tables").fetchall()
        }
    assert "backups" in names
    assert "roles" not in names


def test_findings_end_with_status_1_and_verbose_shows_how_it_came_about(folder, broken, capsys):
    assert main(["findings", str(folder), "--json"]) == 1
    printed = capsys.readouterr()
    assert failed.ID in [each["id"] for each in json.loads(printed.out)]
    assert printed.err == ""
    assert main(["--verbose", "findings", str(folder), "--json"]) == 1
    assert f"ZeroDivisionError: {SECRET}" in capsys.readouterr().err


def test_a_report_says_it_on_its_pages_and_in_its_findings(folder, broken, tmp_path):
    made = report(folder, pages=False)
    assert [str(each) for each in made.failures] == [
        f"the findings of health failed: ZeroDivisionError: {SECRET}"
    ]
    assert "The analysis health failed" in made.index.read_text(encoding="utf-8")
    told = json.loads((made.index.parent / "findings.json").read_text(encoding="utf-8"))
    assert failed.ID in [each["id"] for each in told]


def test_a_report_is_made_without_the_relations_that_its_first_page_shows(folder, no_roles):
    made = report(folder, pages=False)
    assert made.index.is_file()
    assert made.failures


def test_a_report_is_made_without_the_analysis_that_its_pages_begin_with(folder, monkeypatch):
    def fail(self):
        raise ValueError

    for name in ("findings", "say_collected", "say_captured", "say_damage"):
        monkeypatch.setattr(analyses()["overview"], name, fail)
    made = report(folder, pages=False)
    assert "The analysis overview failed" in made.index.read_text(encoding="utf-8")


def test_an_interrupt_is_no_failed_analysis(folder, monkeypatch):
    def findings(self):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(analyses()["health"], "findings", findings)
    monkeypatch.setattr(analyses()["health"], "missing", lambda self: [])
    with agtrace.open_case(folder) as case:
        for ask in (case.findings, lambda: repr(case)):
            with pytest.raises(KeyboardInterrupt):
                ask()
        assert case.failures == {}


def test_an_interrupt_is_no_failed_relation(folder, no_roles, monkeypatch):
    with agtrace.open_case(folder) as case:
        monkeypatch.setattr(interrupts, "raise_again", _raise)
        with pytest.raises(KeyboardInterrupt):
            case.sql("select * from roles")


def _raise(error):
    raise KeyboardInterrupt from error


def test_a_store_that_is_gone_is_one_error_and_no_failure_of_each(folder, monkeypatch):
    def findings(self):
        raise StoreError("gone")

    monkeypatch.setattr(analyses()["health"], "findings", findings)
    monkeypatch.setattr(analyses()["health"], "missing", lambda self: [])
    with agtrace.open_case(folder) as case, pytest.raises(StoreError, match="gone"):
        case.findings()


def test_a_relation_error_survives_the_way_from_another_process():
    import pickle

    error = pickle.loads(pickle.dumps(RelationError("roles", KeyError("x"))))
    assert (error.relation, type(error.__cause__)) == ("roles", KeyError)


def test_a_closed_case_is_one_error_and_no_failure_of_each(folder):
    case = agtrace.open_case(folder)
    case.close()
    with pytest.raises(StoreError, match="closed - open it again"):
        case.findings()
    assert case.failures == {}
