"""Settings files that lie in a case: told with the answers, compared with the defaults, never the end of
it.
"""

from __future__ import annotations

import json
import os
from dataclasses import fields
from types import SimpleNamespace

import pytest

import agtrace
from agtrace.cli import main
from agtrace.interactive.case_settings import ID, SAID, Turned, turned_verdicts
from agtrace.store.given import GivenSettings
from tests.ingest import texts
from tests.ingest.test_ingest import put
from tests.ready import copied

pytestmark = pytest.mark.complete

TURNING = b"[thresholds]\ngrowing_minutes = 100000\n"


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, perf__csv=texts.perfmon(30))
    return folder


@pytest.fixture
def short_case(tmp_path):
    """A case that little can be asked of: its findings take a moment."""
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, ERRORLOG=texts.errorlog())
    return folder


@pytest.fixture(scope="module")
def turned(read_sample, tmp_path_factory):
    """A sample case with a threshold that turns its verdict."""
    folder = tmp_path_factory.mktemp("turned") / "case"
    copied(read_sample, folder)
    put(folder, agtrace__toml=TURNING)
    return folder


def told(opened):
    return [f for f in opened.findings() if f.id == ID]


def issues(opened) -> list[str]:
    query = "SELECT message FROM issues WHERE kind = 'case_settings' ORDER BY message"
    return [message for (message,) in opened.sql(query).fetchall()]


def test_a_threshold_that_turns_a_verdict_is_a_warning_that_names_both(turned):
    with agtrace.open_case(turned) as opened:
        (finding,) = told(opened)
        summary = opened.say_settings()
    assert finding.severity == "warning"
    evidence = {e.label: (e.value, e.unit, e.source) for e in finding.evidence}
    assert evidence["threshold growing_minutes"] == (
        100000, "min", "agtrace.toml; the default is 5",
    )  # fmt: skip
    (verdict,) = [v for k, (v, *_) in evidence.items() if k.startswith("transport.window_limited")]
    assert verdict == "absent; without the settings critical"
    assert "growing&#95;minutes" in summary
    assert "`--no-case-settings`" in summary


def test_without_case_settings_the_answers_are_those_of_the_captures(turned):
    with agtrace.open_case(turned, case_settings=False) as opened:
        assert told(opened) == []
        assert next(f.id for f in opened.findings()) == "transport.window_limited"
        assert opened.say_settings() == ""


def test_a_case_without_settings_says_nothing_and_compares_nothing(case):
    with agtrace.open_case(case) as opened:
        assert told(opened) == []
        assert opened.view.given is None


def test_settings_are_told_by_the_case_and_judged_by_no_question(case):
    put(case, hosts__toml=b'[paths]\n"perf.csv" = "SQL1"\n')
    with agtrace.open_case(case) as opened:
        assert told(opened) == [each for each in opened.answers("overview") if each.id == ID] != []
        assert [each for each in opened.overview.findings() if each.id == ID] == []
    kept = {each.name for each in fields(GivenSettings)}
    assert kept == {"paths", "aliases", "runs", "faults", "mine"}, "no function goes down to the store"


def test_settings_at_their_defaults_are_none(case):
    put(case, agtrace__toml=b"[thresholds]\ngrowing_minutes = 5\n")
    with agtrace.open_case(case) as opened:
        assert told(opened) == []


def test_hosts_and_runs_are_told(case):
    put(
        case,
        hosts__toml=b'[paths]\n"perf.csv" = "SQL1"\n[aliases]\nSQL1 = ["OLD1"]\n',
        runs__csv=b"label,start,end\nfirst,2019-03-02T01:00Z,2019-03-02T01:01Z\n",
    )
    with agtrace.open_case(case) as opened:
        (finding,) = told(opened)
    evidence = [(e.label, e.value, e.source) for e in finding.evidence[:3]]
    assert evidence == [
        ("host of perf.csv", "SQL1", "hosts.toml, [paths]"),
        ("other names of SQL1", "OLD1", "hosts.toml, [aliases]"),
        ("run first", "2019-03-02 01:00:00 UTC to 2019-03-02 01:01:00 UTC", "runs.csv, line 2"),
    ]


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("agtrace.toml", b"a=" + b"[" * 50_000, "agtrace.toml: not valid (nested too deeply)"),
        ("agtrace.toml", b"[thresholds", "agtrace.toml: not valid"),
        ("agtrace.toml", b"\xff\xfe\x00", "agtrace.toml: not valid"),
        ("agtrace.toml", b"# " + b"x" * 300_000, "agtrace.toml: not valid (larger than 256 KiB)"),
        ("agtrace.toml", b"a." * 30_000 + b"b = 1", "agtrace.toml: not valid (more than 64 dots"),
        ("agtrace.toml", b"thresholds = 5", "agtrace.toml: thresholds is not a table"),
        ("agtrace.toml", b"[thresholds]\nrpo = 5", "agtrace.toml: no threshold is named 'rpo'"),
        ("agtrace.toml", b"[thresholds]\nrpo_s = []", "agtrace.toml: threshold rpo_s = []"),
        ("agtrace.toml", b"[thresholds]\nrpo_s = 1e300", "agtrace.toml: threshold rpo_s = 1e+300"),
        ("agtrace.toml", b"[thresholds]\nrpo_s = 0x1" + b"0" * 9000,
         "agtrace.toml: threshold rpo_s = a number"),
        ("agtrace.toml", b"[threshold]\nrpo_s = 5", "agtrace.toml: 'threshold' is not known"),
        ("hosts.toml", b"paths = 5", "hosts.toml: not valid ([paths])"),
        ("hosts.toml", b'[aliases]\nA = "B"', "hosts.toml: not valid ([aliases])"),
        ("hosts.toml", b'[path]\n"*" = "B"', "hosts.toml: not valid ('path' is not known)"),
        ("runs.csv", b"label,start\n", "runs.csv: no column end"),
        ("runs.csv", b"label,start,end\na,9999-12-31T23:00-08:00,9999-12-31T23:30-08:00\n",
         "runs.csv, line 2: start = '9999-12-31T23:00-08:00' is no time"),
        ("runs.csv", b'label,start,end\n"' + b"x" * 200_000, "runs.csv: not valid (field larger"),
        ("runs.toml", b"runs = [[[", "runs.toml: not valid"),
        ("runs.toml", b"[[runs]]\nlabel = 0x1" + b"0" * 9000 + b"\nstart = 2020-01-01\nend = 2020-01-02",
         "runs.toml, run 1: not valid"),
    ],
)  # fmt: skip
def test_what_is_not_valid_is_a_warning_and_left_out(short_case, capsys, name, data, fault):
    (short_case / name).write_bytes(data)
    with agtrace.open_case(short_case) as opened:
        (message,) = issues(opened)
        (finding,) = told(opened)
    assert fault in message
    assert "\n" not in message
    assert finding.severity == "warning"
    capsys.readouterr()
    assert main(["ingest", str(short_case)]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("agtrace: warning: ")
    assert fault in line
    assert main(["ingest", str(short_case), "--no-case-settings"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("runs", [{"runs__csv": b"label,start\n"}, {"runs__toml": b"runs = [[["}])
def test_findings_warn_of_what_is_not_valid_in_any_of_the_files(short_case, capsys, runs):
    put(short_case, agtrace__toml=b"[threshold]\nrpo_s = 5", hosts__toml=b"paths = 5", **runs)
    assert main(["findings", str(short_case)]) == 0
    lines = capsys.readouterr().err.splitlines()
    (name,) = (each.replace("__", ".") for each in runs)
    for line, fault in zip(
        lines, ["hosts.toml: not valid", f"{name}: n", "agtrace.toml: 'threshold'"], strict=True
    ):
        assert line.startswith("agtrace: warning: ")
        assert fault in line
    assert main(["findings", str(short_case), "--no-case-settings"]) == 0
    assert capsys.readouterr().err == ""


def test_the_rest_of_a_file_holds(case):
    put(
        case,
        agtrace__toml=b"[thresholds]\nrpo = 5\nrto_s = 7\n",
        runs__csv=b"label,start,end\na,x,y\nb,2019-03-02,2019-03-03\n",
    )
    with agtrace.open_case(case) as opened:
        assert opened.sql("SELECT label FROM runs").fetchall() == [("b",)]
        (finding,) = told(opened)
        assert len(issues(opened)) == 2
    assert finding.evidence[0].label == "threshold rto_s"
    assert finding.evidence[0].value == 7


def test_a_folder_a_pipe_or_a_link_out_is_no_settings_file(case, tmp_path):
    (case / "agtrace.toml").mkdir()
    os.mkfifo(case / "runs.csv")
    (tmp_path / "hosts.toml").write_text('[paths]\n"*" = "EVIL"\n')
    (case / "hosts.toml").symlink_to(tmp_path / "hosts.toml")
    with agtrace.open_case(case) as opened:
        found = issues(opened)
        assert opened.sql("SELECT DISTINCT host_id FROM counters").fetchall() == [("JBSAG3",)]
    assert [message.split(": ")[1].split(" - ")[0] for message in found] == [
        "is a folder, not a regular file",
        "a link that leaves the case",
        "is a pipe, not a regular file",
    ]


def test_the_json_of_findings_tells_it(turned, capsys):
    assert main(["findings", str(turned), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [f["severity"] for f in found if f["id"] == ID] == ["warning"]


def test_every_page_of_a_report_says_it_and_no_page_when_they_are_left_out(case, tmp_path):
    from agtrace.report import report

    put(case, agtrace__toml=b"[thresholds]\ngrowing_minutes = 7\n")
    line = "Settings found in the case folder"
    made = report(case, tmp_path / "with", only=["overview", "percentiles"])
    pages = [made.index, *made.pages.values()]
    assert [line in page.read_text(encoding="utf-8") for page in pages] == [True] * 3
    notebook = (tmp_path / "with" / "overview.ipynb").read_text(encoding="utf-8")
    assert "growing" in notebook
    made = report(case, tmp_path / "without", only=["overview"], case_settings=False)
    assert not made.failures
    written = "".join(p.read_text(encoding="utf-8") for p in (tmp_path / "without").iterdir())
    assert line not in written


def finding(severity, name="transport.redo_limited", **subject):
    return SimpleNamespace(id=name, severity=severity, subject=subject)


def test_verdicts_compare_by_id_and_subject():
    given = [finding("notice", host="A"), finding("info", host="B")]
    default = [finding("critical", host="A"), finding("info", host="B"), finding("info", host="C")]
    name = "transport.redo_limited"
    assert turned_verdicts(given, default) == [
        Turned(name, (("host", "A"),), "notice", "critical"),
        Turned(name, (("host", "C"),), "", "info"),
    ]


def test_the_title_and_the_line_count_the_same_verdicts():
    verdicts = [Turned(f"a.{n}", (), "warning" if n < 3 else "info", "") for n in range(8)]
    counted = {"changed": [], "n_paths": 0, "n_aliases": 0, "n_runs": 7, "faults": 0}
    facts = counted | {"sets": True, "verdicts": verdicts, "turned": 3}
    title = SAID.text("case_settings.title", facts)
    assert title == "Settings found in the case folder change 8 verdicts, 3 of them warnings or worse"
    line = SAID.text("case_settings.line", facts)
    assert "Without them 8 verdicts would differ: a.0 is warning instead of absent; a.1 is" in line
    assert "a.2 is warning instead of absent, and 5 more." in line
