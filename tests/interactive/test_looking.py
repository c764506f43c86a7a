"""What a case shows, lists and completes."""

from __future__ import annotations

import time

import pytest

import agtrace
from agtrace.errors import CaseError
from agtrace.interactive.completion import typed_name
from simulation.formats.xel import Event, XelFile, event_schema
from tests.folded import folded
from tests.ingest import texts
from tests.ingest.test_ingest import put


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    folder = tmp_path_factory.mktemp("looking") / "<b>case"
    (folder / "JBSAG3").mkdir(parents=True)
    put(folder, perf__csv=texts.perfmon(4), other__txt=b"no capture")
    schema = event_schema("state_change", {"n": "int32"})
    put(folder / "JBSAG3", x__xel=XelFile().write([Event(schema, 0, {"n": 1})], sizes=[1]))
    with agtrace.open_case(folder) as opened:
        yield opened


@pytest.mark.complete
def test_it_shows_hosts_spans_captures_and_findings(case):
    lines = repr(case).splitlines()
    assert lines[0] == "<b>case: 2 captures of 1 host, 1 file not read"
    assert lines[1].startswith("  JBSAG3: 2019-03-02 01:00:00 to 2024-01-25 10:00:00 UTC")
    assert "Extended Events file" in lines[1]
    assert "case.findings()" in lines[-1]


def test_in_a_notebook_names_are_escaped(case):
    page = case._repr_html_()
    assert "&lt;b&gt;case" in page
    assert "<b>case" not in page
    assert "JBSAG3" in page


@pytest.mark.analysis_fails
def test_an_analysis_that_fails_does_not_keep_a_case_from_being_shown(case, monkeypatch):
    def broken():
        raise RuntimeError("broken")

    for name, unasked in {"_judged": None, "_kept": None, "_found": {}, "failures": {}}.items():
        monkeypatch.setattr(case, name, unasked)
    monkeypatch.setattr(case.overview, "findings", broken)
    assert "failed: overview" in repr(case)


def test_a_closed_case_is_shown_without_a_traceback(tmp_path):
    put(tmp_path, perf__csv=texts.perfmon(2))
    with agtrace.open_case(tmp_path, store=tmp_path / "store") as opened:
        pass
    assert repr(opened).startswith(f"<Case {tmp_path.name}: ")


def test_it_is_not_counted_through(case):
    with pytest.raises(TypeError):
        list(case)


def test_a_name_that_would_end_its_quotes_is_not_offered():
    class Hostile:
        def _names_in_call(self, _method, _keyword):
            return ["fine", 'a"); import os #', "b'", "c\\", "d\n"]

    assert typed_name('case.plot("', {"case": Hostile()}) == (["fine"], "")


def test_hosts_and_captures_are_frames(case):
    assert case.hosts["host_id"].tolist() == ["JBSAG3"]
    assert case.hosts["captures"].tolist() == [2]
    assert sorted(case.captures["status"]) == ["ingested", "ingested", "not_understood"]


def test_counters_are_listed_without_sql(case):
    listed = case.counters("Log Send*")
    assert listed[["host_id", "counter", "instance", "unit"]].values.tolist() == [
        ["JBSAG3", "Log Send Queue", "JBDB", "KB"]
    ]
    assert len(case.counters()) == 2
    with pytest.raises(CaseError, match="nearest"):
        case.counters("Log Sned Queue")


def test_a_case_without_perfmon_has_no_counters(tmp_path):
    put(tmp_path, ERRORLOG=texts.errorlog(2))
    with agtrace.open_case(tmp_path, store=tmp_path / "store") as opened:
        assert len(opened.counters()) == 0
        assert "counter" in opened.counters().columns


def test_a_name_gives_its_frame(case):
    assert case["state_change"]["n"].tolist() == [1]
    assert len(case["Log Send Queue"]) == 4
    assert "role" in case["roles"].columns
    assert case["backups"].attrs["units"]["duration_s"] == "s"
    with pytest.raises(CaseError):
        case["no such thing"]


def test_events_know_their_host(case):
    assert case.events("state_change")["_host_id"].tolist() == ["JBSAG3"]


def test_frames_know_the_units_of_their_columns(case):
    frame = case.perfmon("Log *")
    assert [frame.attrs["units"][counter] for _host, _object, _instance, counter in frame] == ["B/s", "KB"]


def test_series_are_brought_onto_one_grid(case):
    frame = case.perfmon("Log *", every="10s")
    # Samples at 0, 5, 10 and 15 s; the grid starts at the full 10 s.
    assert frame.iloc[:, 1].tolist() == [0.5, 2.5]
    assert [moment.second for moment in frame.index] == [0, 10]
    assert frame.attrs["units"]
    with pytest.raises(CaseError, match="no length of time"):
        case.perfmon("Log *", every="soon")
    with pytest.raises(CaseError, match="no length of time"):
        case.perfmon("Log *", every="-5s")


def test_percentiles_of_a_counter_by_the_hour_are_one_call(case):
    frame = case.percentiles("Log Send Queue", by="hour")
    assert frame[["hour", "unit", "n", "highest"]].values.tolist() == [[1, "KB", 4, 3.0]]


INTERNALS = {"adopt", "view", "store", "resolved", "ingested", "analysis", "answers", "say_settings"}


def test_what_is_listed_is_for_people(case):
    listed = set(dir(case))
    assert {"transport", "health", "perfmon", "plot", "around", "findings"} <= listed
    assert not listed & INTERNALS
    assert not [name for name in listed if name.startswith("_")]
    public = {name for name in vars(type(case)) if not name.startswith("_")}
    assert public - listed <= INTERNALS | {"writable_connection"}


def test_names_complete_in_brackets(case):
    started = time.process_time()
    names = case._ipython_key_completions_()
    assert time.process_time() - started < 1
    assert {"roles", "state_change", "Log Send Queue"} <= set(names)


@folded(
    ("before", "names"),
    [
        ('case.perfmon("Log S', ["Log Send Queue"]),
        ("case.plot('Log Send Queue', 'log b", ["Log Bytes Received/sec"]),
        ('x = case.plot("Log Send Queue", host="', ["JBSAG3"]),
        ('case.plot("Log Send Queue", host=["jb', ["JBSAG3"]),
        ('case.plot("a", mark="ro', ["roles"]),
        ('case.events("', ["state_change"]),
        ('case.around("', []),
        ('case.perfmon("Log S")', None),
        ('other.perfmon("Log S', None),
        ("case.perfmon(", None),
    ],
)
def test_names_complete_in_a_call(case, before, names):
    found = typed_name(before, {"case": case, "other": 7})
    assert (found[0] if found else None) == names


@pytest.mark.complete
@pytest.mark.parametrize("by_jedi", [False, True])
def test_a_notebook_completes_attributes_keys_and_calls(case, by_jedi):
    from IPython.core.completer import provisionalcompleter
    from IPython.core.interactiveshell import InteractiveShell

    from agtrace.case import Case
    from agtrace.interactive import completion

    shell = InteractiveShell.instance()
    try:
        completion.join_in(Case)
        completion.join_in(Case)
        shell.user_ns["case"] = case
        shell.Completer.use_jedi = by_jedi

        def completed(text: str) -> set[str]:
            started = time.process_time()
            with provisionalcompleter():
                found = list(shell.Completer.completions(text, len(text)))
            # Jedi reads sources before it knows anything: the lab does without it.
            assert by_jedi or time.process_time() - started < 1
            return {text[: each.start] + each.text + text[each.end :] for each in found}

        attributes = completed("case.")
        assert {"case.transport", "case.plot", "case.hosts"} <= attributes
        assert not {f"case.{name}" for name in INTERNALS} & attributes
        assert any("Log Send Queue" in each for each in completed('case["Log S'))
        assert 'case.perfmon("Log Send Queue' in completed('case.perfmon("Log S')
        assert 'case.perfmon("Log Send Queue' in completed('case.perfmon("Log Send Q')
        assert "case.transport.findings" in completed("case.transport.find")
    finally:
        InteractiveShell.clear_instance()
