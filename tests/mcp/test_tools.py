"""What each tool answers about a sample."""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest

from agtrace.diagnostics import Finding
from agtrace.errors import StoreError
from agtrace.mcp import answers, figures
from agtrace.mcp.served import Served
from agtrace.mcp.tools import call
from agtrace.report import browser
from agtrace.say.finding import Evidence


def test_cases_are_listed_and_one_need_not_be_named(ask):
    assert ask("list_cases")[0]["cases"] == [{"case": "planned", "is_read": False}]
    data, cut = ask("summary")
    assert (data["case"], cut) == ("planned", None)
    assert ask("list_cases")[0]["cases"] == [{"case": "planned", "is_read": True}]
    assert data["summary"].startswith("SalesAG failed over from HASQL1 to HASQL2 at 2024-02-21 03:35:40 UTC")
    assert [row["host_id"] for row in data["hosts"]] == ["HASQL1", "HASQL2"]
    assert list(data["findings"]) == ["critical", "warning", "notice", "info"]
    assert "transport" in data["not_answered"]


def test_findings_have_their_evidence_and_come_in_parts(ask):
    whole, cut = ask("findings")
    assert cut is None
    assert whole["findings"][0]["id"] == "health.failover"
    assert whole["findings"][0]["evidence"][0]["source"]
    part, cut = ask("findings", first=1, most=1)
    assert part["findings"] == whole["findings"][1:2]
    assert (cut["first"], cut["rows"], cut["of"]) == (1, 1, len(whole["findings"]))
    assert ask("findings", severity="critical")[0]["findings"] == []
    assert {each["id"] for each in ask("findings", id="health.*")[0]["findings"]} == {"health.failover"}


def test_much_evidence_of_a_finding_is_counted(planned, ask, monkeypatch):
    many = tuple(Evidence(f"host {n}", n, "ms", "log") for n in range(500))
    found = [Finding("mine.many", "warning", "Many", "Many.", evidence=many)]
    monkeypatch.setattr(planned.case("planned"), "findings", lambda: found)
    (told,) = ask("findings")[0]["findings"]
    assert (len(told["evidence"]), told["evidence_left_out"]) == (answers.MOST_EVIDENCE, 460)


def test_checks_are_told_by_result(ask):
    states = {each["state"] for each in ask("checked")[0]["checked"]}
    assert {"fine", "not-captured"} <= states
    only = ask("checked", state="fine")[0]["checked"]
    assert {each["state"] for each in only} == {"fine"}
    assert {"title": "Failovers and outages", "finding": "health.failover"}.items() <= only[2].items()


def test_relations_and_their_columns(ask):
    names = {each["relation"] for each in ask("relations")[0]["relations"]}
    assert {"roles", "errorlog", "findings", "events_alwayson_ddl_executed"} <= names
    columns = {each["column"]: each for each in ask("relations", name="backups")[0]["columns"]}
    assert columns["bytes"]["unit"] == "B"
    assert columns["host_id"] == {"column": "host_id", "type": "VARCHAR", "unit": None}


def test_log_lines_around_a_moment_are_the_nearest_in_order(ask):
    data, cut = ask("log_around", time="2024-02-21 03:35:40", minutes=1, most=5)
    times = [row["time"] for row in data["lines"]]
    assert times == sorted(times)
    assert all(time.startswith("2024-02-21T03:35:4") for time in times)
    assert (cut["rows"], cut["of"] > 20) == (5, True)
    assert data["window"] == "2024-02-21 03:34:40 to 2024-02-21 03:36:40 UTC"
    local, _ = ask("log_around", time="2024-02-20 22:35:40", local=True, host="HASQL1", most=5)
    assert {row["host_id"] for row in local["lines"]} == {"HASQL1"}


def test_the_ticket_and_what_to_capture(ask):
    assert ask("ticket")[0]["markdown_lines"][0].startswith("# SalesAG: planned failover from HASQL1")
    data, _ = ask("what_to_capture")
    assert "commit_latency" in data["not_answered"]
    assert [kit["kit"] for kit in data["kits"]] == ["health"]
    assert data["kits"][0]["hosts"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("sqll", {}, "no tool is called 'sqll' - nearest: sql"),
        ("summary", {"case": "plannd"}, "no case is called 'plannd' - nearest: planned"),
        ("findings", {"id": "helth.failover"}, "no finding of this case has the id"),
        ("findings", {"severity": "eror"}, "severity='eror' is not known"),
        ("relations", {"name": "role"}, "no relation is called 'role' - nearest: roles"),
        ("log_around", {"time": "soon"}, "'soon' is no"),
        ("log_around", {"time": "2024-02-21 03:35:40", "host": "HASQL9"}, "the case has no host 'HASQL9'"),
        ("figure", {"name": "health.timelin"}, "no figure of this case is called 'health.timelin' - nearest"),
        ("figure", {"name": "health.timeline", "counters": ["x"]}, "name and counters exclude each other"),
        ("figure", {"name": "health.timeline", "host": "HASQL1"}, "host, start and end belong to counters"),
        ("figure", {"counters": ["Log Sent Queue"]}, "no counter 'Log Sent Queue' was captured"),
    ],
)
def test_errors_name_the_nearest(refused, tool, arguments, said):
    assert refused(tool, **arguments).startswith(said)


def test_several_cases_are_told_apart():
    with Served({"a": lambda: None, "b": lambda: None}, note=print) as served:
        said = call(served, "summary", {}).text
    assert "the argument case is missing - there are: a, b" in said


def test_figures_are_listed_and_drawn(planned, ask, monkeypatch):
    assert "health.timeline" in ask("figure")[0]["figures"]
    monkeypatch.setattr(figures, "_png", lambda drawn: drawn.layout.title.text.encode())
    reply = call(planned, "figure", {"name": "health.timeline"})
    assert reply.png == b"What happened to the group, by node"
    assert json.loads(reply.text)["untrusted_data"]["figure"] == "health.timeline"
    reply = call(planned, "figure", {"counters": ["% Processor Time"], "host": "HASQL1"})
    assert reply.png == b"% Processor Time"


def test_without_a_browser_a_figure_is_a_clear_error(refused, monkeypatch):
    monkeypatch.setenv(browser.NAMED, "/folder/of/alice/chrome")
    said = refused("figure", name="health.timeline")
    assert said.startswith("no browser that can draw figures was found - install Chromium, Chrome or Edge")
    assert "alice" not in said


def test_a_picture_that_is_too_large_is_refused(refused, monkeypatch):
    def drawn(pictures, scale):
        pictures[0][0].write_bytes(b"x" * 2_000)

    monkeypatch.setattr("agtrace.export.pictures.check_installed", lambda: "chromium")
    monkeypatch.setattr("agtrace.export.pictures.draw", drawn)
    monkeypatch.setattr(figures, "MOST_BYTES", 1_000)
    assert refused("figure", name="health.timeline").startswith("the picture is too large (2,000 bytes)")


@contextmanager
def broken():
    raise StoreError("/folder/of/alice/case: cannot be read")
    yield


def test_an_error_of_this_machine_is_told_of_cases_with_names_alone():
    noted: list[str] = []
    with Served({"a": broken}, note=noted.append) as served:
        assert "/folder/of/alice/case: cannot be read" in call(served, "summary", {}).text
    assert noted == []
    with Served({"case-1": broken}, is_redacted=True, note=noted.append) as served:
        reply = call(served, "summary", {})
    assert (reply.is_error, "alice" in reply.text) == (True, False)
    assert "case-1: cannot be opened - the server's standard error has the reason" in reply.text
    assert noted == ["case-1: /folder/of/alice/case: cannot be read"]


def test_so_is_an_error_of_an_answer(planned, monkeypatch):
    def fails():
        raise OSError(5, "Input/output error", "/folder/of/alice/store")

    monkeypatch.setattr(planned.case("planned"), "findings", fails)
    assert "/folder/of/alice/store" in call(planned, "findings", {}).text
    noted: list[str] = []
    monkeypatch.setattr(planned, "is_redacted", True)
    monkeypatch.setattr(planned, "note", noted.append)
    assert "alice" not in call(planned, "findings", {}).text
    assert noted == ["/folder/of/alice/store: Input/output error"]
