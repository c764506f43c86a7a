"""What a case lacks: host by host, and only of questions that it begins to answer."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.cli import main
from agtrace.kit.lacking import lacking
from tests.ingest import texts

pytestmark = pytest.mark.complete


@pytest.fixture
def case(tmp_path):
    """Perfmon and ERRORLOG of one host; nothing else."""
    (tmp_path / "case" / "SQL1").mkdir(parents=True)
    (tmp_path / "case" / "SQL1" / "perfmon.csv").write_bytes(texts.perfmon(20, host="SQL1"))
    (tmp_path / "case" / "SQL1" / "ERRORLOG").write_bytes(texts.errorlog(5, server="SQL1"))
    return tmp_path / "case"


def test_a_kit_for_a_case_collects_what_it_lacks_and_no_more(case, tmp_path, capsys):
    assert main(["kit", "transport", "--for", str(case), "-o", str(tmp_path / "kit")]) == 0
    told = capsys.readouterr().out
    with agtrace.open_case(case) as opened:
        (found,) = lacking(opened, ["transport"])
    names = [piece.name for piece in found.plan.pieces]
    assert ("tcp_settings" in names, "errorlog" in names) == (True, False)
    readme = (tmp_path / "kit" / "README.txt").read_text("ascii")
    assert "WHAT IS STILL MISSING" in readme
    assert "  SQL1\n" in readme.replace("\r\n", "\n")
    assert "    - TCP settings" in readme
    assert "  SQL1: " in told
    assert "copy_errorlogs" not in (tmp_path / "kit" / "collect.sh").read_text("ascii")


def test_without_a_name_each_question_that_is_begun_has_a_folder(case, tmp_path, capsys):
    assert main(["kit", "--for", str(case), "-o", str(tmp_path / "kits")]) == 0
    names = sorted(path.name for path in (tmp_path / "kits").iterdir())
    with agtrace.open_case(case) as opened:
        assert names == sorted(each.plan.kind.name for each in lacking(opened))
    assert "seeding" not in names


def test_the_version_is_that_of_the_oldest_server(case):
    with agtrace.open_case(case) as opened:
        (found,) = lacking(opened, ["transport"])
        years = [row["value"] for row in opened.view.rows("select value from facts where key = 'product'")]
    assert [str(found.plan.version)] == years


def test_a_kit_may_be_had_without_a_case(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["kit"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("transport  why a replica falls behind")
    assert main(["kit", "seeding", "--version", "2019"]) == 0
    assert "SQL Server 2019" in (tmp_path / "agtrace-kit-seeding" / "README.txt").read_text()
    assert main(["kit", "seeding", "--version", "2014", "-o", "x"]) == 2
    assert "is for SQL Server 2016 and later" in capsys.readouterr().err
