"""report, ingest, findings and convert: what they print, what they hand on, how they end."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from agtrace.errors import NotebookError
from agtrace.say.finding import Evidence, Finding
from tests.batch.cases import make_case

LOG = (
    b"2026-03-14 09:00:00.10 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) \r\n"
    b"2026-03-14 09:00:00.11 Server      UTC adjustment: -6:00\r\n"
)


def finding(severity: str, id_: str = "transport.healthy") -> Finding:
    evidence = (Evidence("queue", 120_000, "B", "Database Replica(db)"),)
    return Finding(id_, severity, f"a {severity} title", "A narrative.", evidence=evidence)


@pytest.fixture
def case(tmp_path):
    (tmp_path / "ERRORLOG").write_bytes(LOG)
    return tmp_path


@pytest.fixture
def reported(monkeypatch):
    """Replace the report by one that notes what it was given."""
    import agtrace.report

    fake = SimpleNamespace(given={}, findings=[finding("notice")], failures=[])

    def report(case, told, **options):
        told(fake.findings)
        fake.given = {"case": case, **options}
        index = Path(case) / "agtrace-report" / "index.html"
        made = {"pages": {}, "missing": {}, "files": [], "findings": fake.findings}
        return SimpleNamespace(index=index, failures=fake.failures, **made)

    monkeypatch.setattr(agtrace.report, "report", report)
    return fake


def test_report_prints_findings_and_the_page(agtrace, case, reported):
    ran = agtrace("report", case)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"{case}: 1 file: 1 read",
        "",
        "NOTICE    a notice title: queue 120 KB.",
        "",
        "NOTICE  transport.healthy",
        "  a notice title",
        "  A narrative.",
        "  agtrace findings CASE --all prints the evidence of each finding.",
        f"Report: {case}/agtrace-report/index.html",
    ]
    assert reported.given == {
        "case": case,
        "out": None,
        "only": (),
        "notebooks": (),
        "thresholds": {},
        "parameters": {},
        "store": None,
        "jobs": None,
        "progress": False,
        "follow_links": False,
        "trust_store": False,
        "ingest": False,
        "pdf": False,
        "case_settings": True,
        "single_file": False,
    }


def test_report_hands_its_options_on(agtrace, case, reported):
    words = ["--out", case / "o", "--only", "overview,transport", "--only", "x", "--jobs", 1]
    words += ["-p", "host=JBSAG3", "-p", "limit=2.5", "-p", "n=3", "-p", "deep=true", "-p", "end=null"]
    words += ["--store", case / "s", "--utc-offset", "2"]
    assert agtrace("report", case, *words).status == 0
    assert reported.given == {
        "case": case,
        "out": case / "o",
        "only": ("overview", "transport", "x"),
        "notebooks": (),
        "thresholds": {},
        "parameters": {"host": "JBSAG3", "limit": 2.5, "n": 3, "deep": True, "end": None},
        "store": str(case / "s"),
        "jobs": 1,
        "progress": False,
        "follow_links": False,
        "trust_store": False,
        "ingest": False,
        "pdf": False,
        "case_settings": True,
        "single_file": False,
    }


@pytest.mark.parametrize(
    ("severities", "fail_on", "status"),
    [
        (["critical", "info"], "critical", 3),
        (["critical", "info"], "WARNING", 3),
        (["notice"], "warning", 0),
        (["notice"], "notice", 3),
        ([], "info", 0),
    ],
)
def test_fail_on(agtrace, case, reported, severities, fail_on, status):
    reported.findings = [finding(severity) for severity in severities]
    assert agtrace("report", case, "--fail-on", fail_on).status == status


def test_a_notebook_that_failed_is_named_and_status_1(agtrace, case, reported):
    reported.failures = [NotebookError("transport: cell 3: KeyError: 'x'")]
    ran = agtrace("report", case)
    assert (ran.status, ran.err) == (1, "agtrace: transport: cell 3: KeyError: 'x'\n")
    assert ran.out.splitlines()[-1].startswith("Report: ")
    assert agtrace("report", case, "--fail-on", "notice").status == 3


def test_a_capture_that_failed_is_status_1_and_the_report_is_made(agtrace, case, reported):
    (case / "bad.zip").write_bytes(b"PK\x03\x04")
    ran = agtrace("report", case)
    assert ran.status == 1
    assert ran.out.splitlines()[-1].startswith("Report: ")


@pytest.fixture
def found(monkeypatch):
    """Replace the findings of every case."""
    from agtrace.case import Case

    told = [finding("info"), finding("critical", "transport.network_limited")]
    monkeypatch.setattr(Case, "findings", lambda self: told)
    return told


def test_findings_as_text_the_headline_last(agtrace, case, found):
    ran = agtrace("findings", case)
    assert (ran.status, ran.err) == (0, "")
    heads = [line.split()[0] for line in ran.out.splitlines() if line[:1].isupper()]
    assert heads == ["INFO", "CRITICAL", "CRITICAL"]


def test_findings_as_json(agtrace, case, found):
    ran = agtrace("findings", case, "--json", "--fail-on", "critical")
    assert ran.status == 3
    told = json.loads(ran.out)
    assert [t["id"] for t in told] == ["transport.network_limited", "transport.healthy"]
    assert told[0]["evidence"] == [
        {"label": "queue", "value": 120_000, "unit": "B", "source": "Database Replica(db)"}
    ]


def test_findings_json_is_ascii(agtrace, case, monkeypatch):
    from agtrace.case import Case

    odd = Finding("a.b", "info", "データ\x1b\x7f\x9b", "n", evidence=finding("info").evidence)
    monkeypatch.setattr(Case, "findings", lambda self: [odd])
    ran = agtrace("findings", case, "--json")
    assert ran.out.isascii()
    assert "\x7f" not in ran.out
    assert json.loads(ran.out)[0]["title"] == "データ\x1b\x7f\x9b"


def test_ingest_of_several_goes_on_after_a_bad_one(agtrace, case, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "ERRORLOG").write_bytes(LOG)
    ran = agtrace("ingest", case / "no", case, other)
    assert ran.status == 2
    assert ran.err.startswith(f"agtrace: {case}/no: no such folder")
    assert ran.out.splitlines() == [f"{case}: 1 file: 1 read", f"{other}: 1 file: 1 read"]


def test_ingest_keeps_the_offset_for_later(agtrace, case):
    from agtrace.store import open_store

    (case / "SQLA").mkdir()
    (case / "ERRORLOG").rename(case / "SQLA" / "ERRORLOG")
    assert agtrace("ingest", case, "--utc-offset", "sqla.corp.example=5:45").status == 0
    assert open_store(case, None).utc_offsets() == {"SQLA": 345}


@pytest.mark.parametrize("verb", ["ingest", "findings", "report"])
def test_an_offset_of_a_host_that_is_not_there_is_refused_and_not_kept(agtrace, case, verb):
    from agtrace.store import open_store

    (case / "SQLA").mkdir()
    (case / "ERRORLOG").rename(case / "SQLA" / "ERRORLOG")
    ran = agtrace(verb, case, "--utc-offset", "SQLB=5:45", "--utc-offset", "SQLA=1:00")
    assert ran.status == 2
    assert ran.err == "agtrace: the case has no host 'SQLB' - its hosts are: SQLA\n"
    assert open_store(case, None).utc_offsets() == {}


@pytest.fixture
def useless(tmp_path):
    (tmp_path / "notes.txt").write_bytes(b"call them back\n")
    return tmp_path


@pytest.mark.parametrize("verb", ["report", "findings"])
def test_a_folder_with_nothing_usable_is_said_in_a_line(agtrace, useless, verb):
    ran = agtrace(verb, useless)
    assert ran.status == 1
    assert ran.err.startswith(f"agtrace: {useless}: nothing in it is a capture that agtrace can read - ")
    assert "No findings" not in ran.out
    assert "not understood  notes.txt" in ran.out
    assert not (useless / "agtrace-report").exists()


def test_findings_of_nothing_usable_are_still_json(agtrace, useless):
    ran = agtrace("findings", useless, "--json")
    assert (ran.status, json.loads(ran.out)) == (1, [])


def test_store_elsewhere(agtrace, case, tmp_path_factory):
    store = tmp_path_factory.mktemp("elsewhere") / "store"
    assert agtrace("ingest", case, "--store", store).status == 0
    assert store.is_dir()
    assert [path.name for path in case.iterdir()] == ["ERRORLOG"]


def test_no_progress_when_nobody_watches(agtrace, case):
    assert agtrace("ingest", case).err == ""


def test_convert(agtrace, case):
    ran = agtrace(
        "convert", case / "ERRORLOG", "-o", case / "log.jsonl", "--begin", "2026-03-14T09:00:00.105"
    )
    assert (ran.status, ran.out, ran.err) == (0, f"{case}/log.jsonl: 1 records\n", "")
    again = agtrace("convert", case / "ERRORLOG", "-o", case / "log.jsonl")
    assert again.status == 2
    assert "exists already" in again.err
    assert (
        agtrace("convert", case / "ERRORLOG", "-o", case / "log.jsonl", "--force").out
        == f"{case}/log.jsonl: 2 records\n"
    )


def test_convert_names_the_damage(agtrace, case):
    (case / "log.csv").write_bytes(
        b'"(PDH-CSV 4.0) (UTC)(0)","\\\\H\\Memory\\Pages/sec"\r\n'
        b'"03/14/2026 09:00:00.000","1"\r\n"03/14/2026 09:00:05.000","2","3"\r\n'
    )
    ran = agtrace("convert", case / "log.csv", "-o", case / "log.tsv")
    assert ran.status == 0
    assert ran.out == f"{case}/log.tsv: 1 records\n"
    assert ran.err.startswith(f"agtrace: {case}/log.csv: rows with another number of cells")


def test_convert_merges_what_it_is_given(agtrace, tmp_path):
    for name, zone, row in (("a.csv", "(UTC)(0)", "09:00:00.000"), ("b.csv", "(CET)(-60)", "10:00:05.000")):
        (tmp_path / name).write_bytes(
            f'"(PDH-CSV 4.0) {zone}","\\\\H\\Memory\\Pages/sec"\r\n"03/14/2026 {row}","1"\r\n'.encode()
        )
    a, b, out = (tmp_path / name for name in ("a.csv", "b.csv", "all.csv"))
    ran = agtrace("convert", a, b, "-o", out)
    assert (ran.status, ran.out) == (0, f"{out}: 2 records\n")
    assert ran.err == f"agtrace: {b}: times moved by -60 minutes, into the zone of {a}\n"
    assert agtrace("convert", "-o", out).status == 2


def test_findings_name_ten_files_that_were_not_read_the_failed_ones_first(agtrace, case, found):
    for n in range(12):
        (case / f"a{n:02}.txt").write_bytes(b"hello %d\n" % n)
    (case / "z.zip").write_bytes(b"PK\x03\x04")
    lines = agtrace("findings", case).out.splitlines()
    assert lines[1].startswith("  failed  z.zip")
    assert lines[2:11] == [f"  not understood  a{n:02}.txt: no reader knows this format" for n in range(9)]
    assert lines[11] == "  and 3 more that 'agtrace ingest' names"
    assert len(agtrace("ingest", case).out.splitlines()) == 1 + 13


@pytest.mark.complete
def test_a_batch_fails_on_findings_of_any_of_its_cases_reported_now_or_before(agtrace, tmp_path):
    make_case(tmp_path / "in" / "one")
    words = ("batch", tmp_path / "in", "--out", tmp_path / "out", "--findings-only", "--jobs", "1")
    assert [agtrace(*words, "--fail-on", least).status for least in ("info", "info", "critical")] == [3, 3, 0]
