"""What a case shows, as files for other programs."""

from __future__ import annotations

import csv
import re
import zipfile
from datetime import UTC, datetime

import pytest

import agtrace
from agtrace import extras
from agtrace.errors import AgtraceError, CaseError
from agtrace.export import ExportResult, export_case, pictures, workbook
from agtrace.export.contents import Table
from agtrace.export.text import write_csv
from agtrace.report import browser
from agtrace.report.folder import ReportFolder
from tests.ingest import texts
from tests.ingest.test_ingest import put

pytestmark = pytest.mark.complete

HOSTILE = '=HYPERLINK("http://evil")'


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export") / "case"
    (folder / "JBSAG3").mkdir(parents=True)
    put(folder / "JBSAG3", perf__csv=texts.perfmon(60), ERRORLOG=texts.errorlog(3))
    (folder / "JBSAG3" / HOSTILE.replace("/", "")).write_bytes(b"")
    with agtrace.open_case(folder) as opened:
        yield opened


def rows(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_findings_evidence_and_tables_are_files(case, tmp_path):
    result = export_case(case, tmp_path / "out")
    assert result.failures == []
    assert {"summary.md", "findings.csv", "evidence.csv", "overview.hosts.csv"} <= set(result.files)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".agtrace-report", *result.files]
    found = rows(tmp_path / "out" / "findings.csv")
    assert [row["id"] for row in found] == [finding.id for finding in result.findings]
    told = rows(tmp_path / "out" / "evidence.csv")
    assert len(told) == sum(len(finding.evidence) for finding in result.findings)


def test_samples_of_perfmon_are_copied_when_asked_for_alone(case, tmp_path):
    assert "counter_values.csv" not in export_case(case, tmp_path / "all").files
    asked = export_case(case, tmp_path / "asked", only=["counter_values"])
    assert len(rows(tmp_path / "asked" / "counter_values.csv")) == 2 * 60, asked.files


def test_what_was_written_is_told_in_a_line(tmp_path):
    found = ExportResult(tmp_path, ["summary.md", "findings.csv"], failures=["x: no data"])
    assert repr(found) == f"2 files in {tmp_path}\nx: no data"


def test_it_is_one_line_in_python():
    assert agtrace.export_case is export_case


def test_a_page_for_a_ticket_is_short(case, tmp_path):
    export_case(case, tmp_path / "out", formats=())
    page = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    assert page.startswith("# case: ")
    assert "- JBSAG3: " in page
    assert len(page.split()) < 500


def test_only_what_is_asked_for(case, tmp_path):
    result = export_case(case, tmp_path / "out", only=["findings", "overview.h*"])
    assert result.files == ["findings.csv", "overview.hosts.csv", "summary.md"]
    with pytest.raises(CaseError, match="no table or figure is called 'fidnings'"):
        export_case(case, tmp_path / "out", only=["fidnings"])


def test_what_was_there_before_is_replaced_as_a_whole(case, tmp_path):
    export_case(case, tmp_path / "out", only=["findings", "evidence"])
    export_case(case, tmp_path / "out", only=["findings"])
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [".agtrace-report", "findings.csv", "summary.md"]


def test_nothing_of_somebody_elses_is_touched(case, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "findings.csv").write_bytes(b"mine")
    with pytest.raises(CaseError, match="not empty and not an export"):
        export_case(case, tmp_path / "mine")
    with pytest.raises(CaseError, match="lies in the case"):
        export_case(case, case.folder / "out")
    assert (tmp_path / "mine" / "findings.csv").read_bytes() == b"mine"


def test_neither_report_nor_export_takes_the_place_of_the_other(case, tmp_path):
    export_case(case, tmp_path / "export", formats=())
    with pytest.raises(CaseError, match="not a report"):
        ReportFolder(tmp_path / "export")
    with ReportFolder(tmp_path / "report") as target:
        target.write("index.html", "")
        target.finish()
    with pytest.raises(CaseError, match="not an export"):
        export_case(case, tmp_path / "report")


def test_an_analysis_that_fails_costs_its_own_alone(case, tmp_path, monkeypatch):
    def broken(_self):
        raise RuntimeError("broken")

    monkeypatch.setattr(type(case.overview), "tbl_hosts", broken)
    result = export_case(case, tmp_path / "out")
    assert result.failures == [found := result.failures[0]]
    assert found.startswith("overview.hosts failed: internal error: RuntimeError: broken")
    assert "overview.clocks.csv" in result.files


HOSTILE_TABLE = (
    (HOSTILE, 1, datetime(2024, 3, 5, 12, 0), None),
    ("-1+1", 2**60, datetime(2024, 3, 5, 12, 0, tzinfo=UTC), "@SUM(A1)"),
    ("fine", -1.5, None, "a\x00b\nc"),
)
COLUMNS = ("=name", "n", "at", "text")


def test_a_csv_holds_no_formula(tmp_path):
    write_csv(tmp_path / "x.csv", Table("x", COLUMNS, HOSTILE_TABLE))
    with (tmp_path / "x.csv").open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [
            ["'=name", "n", "at", "text"],
            [f"'{HOSTILE}", "1", "2024-03-05T12:00:00", ""],
            ["'-1+1", str(2**60), "2024-03-05T12:00:00Z", "'@SUM(A1)"],
            ["fine", "-1.5", "", "a\x00b\nc"],
        ]


def test_a_workbook_holds_no_formula_and_no_link(tmp_path):
    pytest.importorskip("xlsxwriter")
    tables = [Table("a/b", COLUMNS, HOSTILE_TABLE, frozenset({"at"})), Table("A b", ("x",), ())]
    workbook.write_workbook(tmp_path / "x.xlsx", tables)
    with zipfile.ZipFile(tmp_path / "x.xlsx") as book:
        names = book.namelist()
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        titles = re.findall('<sheet name="([^"]*)"', book.read("xl/workbook.xml").decode())
    assert titles == ["a b", "A b 2"]
    assert "<f>" not in sheet
    assert "hyperlink" not in sheet.lower().replace("=hyperlink(", "")
    assert not [name for name in names if "rels/sheet" in name]
    assert "<v>-1.5</v>" in sheet
    assert f"<t>{2**60}</t>" in sheet
    assert "at (UTC)" in sheet


def test_a_workbook_holds_the_case(case, tmp_path):
    pytest.importorskip("xlsxwriter")
    result = export_case(case, tmp_path / "out", formats=["xlsx"], only=["findings", "evidence"])
    assert result.files == ["case.xlsx", "summary.md"]


def test_what_is_not_installed_is_one_line(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(AgtraceError, match=r"XLSX needs the export extra.*agtrace\[export\]"):
        workbook.check_installed()
    with pytest.raises(AgtraceError, match=r"PNG needs the export extra.*agtrace\[export\]"):
        pictures.check_installed()


def test_without_a_browser_it_is_one_line(monkeypatch):
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    monkeypatch.setattr(browser, "PLACES", ())
    with pytest.raises(AgtraceError, match="no browser .* apt-get install chromium"):  # noqa: RUF043
        browser.find_browser()
    monkeypatch.setenv(browser.NAMED, "/nowhere/chrome")
    with pytest.raises(AgtraceError, match="AGTRACE_BROWSER=/nowhere/chrome"):
        browser.find_browser()


def test_a_browser_in_the_folder_where_one_works_is_not_started(tmp_path, monkeypatch):
    (tmp_path / "chromium").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(browser.shutil, "which", lambda name: str(tmp_path / name))
    monkeypatch.setattr(browser, "PLACES", ())
    with pytest.raises(AgtraceError, match="no browser"):
        browser.find_browser()


def test_a_format_that_nobody_knows_is_said(case, tmp_path):
    with pytest.raises(CaseError, match="no format is called 'docx'"):
        export_case(case, tmp_path / "out", formats=["docx"])
    assert not (tmp_path / "out").exists()


@pytest.fixture
def chromium() -> str:
    try:
        return browser.find_browser()
    except AgtraceError as error:
        pytest.skip(str(error))


def test_a_page_is_printed(chromium, tmp_path):
    (tmp_path / "a page.html").write_text("<h1>Hello</h1>", encoding="utf-8")
    browser.print_page(chromium, tmp_path / "a page.html", tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")


def test_a_page_that_is_not_printed_is_said(tmp_path):
    with pytest.raises(AgtraceError, match="did not print it"):
        browser.print_page("/bin/true", tmp_path / "page.html", tmp_path / "page.pdf")


@pytest.mark.complete
def test_figures_are_pictures(case, chromium, tmp_path):
    pytest.importorskip("kaleido")
    result = export_case(case, tmp_path / "out", formats=["png"], only=["overview.captures"])
    assert result.files == ["overview.captures.png", "summary.md"]
    assert (tmp_path / "out" / "overview.captures.png").read_bytes().startswith(b"\x89PNG")


def test_as_parquet_tables_keep_their_types(tmp_path):
    import pyarrow.parquet as pq

    folder = tmp_path / "case"
    (folder / "JBSAG3").mkdir(parents=True)
    put(folder / "JBSAG3", perf__csv=texts.perfmon(60), ERRORLOG=texts.errorlog(3))
    with agtrace.open_case(folder) as case:
        case.add_finding("mine.x", "=1+1", evidence=agtrace.Evidence("latency", 41.5, "ms", "me"))
        made = export_case(case, tmp_path / "out", "parquet", only=["findings", "evidence", "coverage"])
    assert made.files == ["coverage.parquet", "evidence.parquet", "findings.parquet", "summary.md"]
    coverage = pq.read_table(tmp_path / "out" / "coverage.parquet")
    assert str(coverage.schema.field("first").type).startswith("timestamp[us, tz=")
    assert coverage["host_id"].to_pylist()[0] == "JBSAG3"
    # No spreadsheet reads it: text stays what it is.
    assert "=1+1" in pq.read_table(tmp_path / "out" / "findings.parquet")["title"].to_pylist()
