"""The verbs: what is written where, who may open it, and the way back."""

from __future__ import annotations

import json
import shutil
import stat
import sys
from pathlib import Path

import pytest

import agtrace
from agtrace import answer_key
from agtrace.cli import main
from agtrace.errors import AgtraceError, CaseError
from agtrace.ingest import ingest
from agtrace.redact import redact, redacted_case
from tests.ingest import texts
from tests.ready import copied, read_in
from tests.redact.searching import found, secrets_of


@pytest.fixture(scope="module")
def read(tmp_path_factory) -> Path:
    """One small case with its store."""
    return read_in("failover_planned", tmp_path_factory.mktemp("read"))


@pytest.fixture
def case(read, tmp_path) -> Path:
    """A copy of it, which is not read again; its folder names a customer as well."""
    return copied(read, tmp_path / "contoso-outage")


def said(capsys, *words: object) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    output = capsys.readouterr()
    return status, output.out, output.err


@pytest.mark.complete
def test_the_folder_is_a_case_of_its_own_and_the_answer_is_translated_back(case, tmp_path, capsys):
    send, answer = tmp_path / "send", tmp_path / "answer.txt"
    status, _out, told = said(capsys, "redact", case, "-o", send)
    assert status == 0
    assert "dropped nothing" in told
    assert said(capsys, "findings", case)[0] == 0
    _status, theirs, _ = said(capsys, "findings", send)
    assert "SalesAG" not in theirs
    answer.write_text(theirs, encoding="utf-8")
    _status, translated, _ = said(capsys, "redact", case, "--map", answer)
    assert "SalesAG: planned failover from HASQL1 to HASQL2" in " ".join(translated.split())


@pytest.mark.complete
@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights of files in another way")
def test_the_secret_lies_in_the_users_data_folder_and_nobody_else_reads_it(case, tmp_path):
    ingest(case)
    made = redact(case, tmp_path / "send")
    assert stat.S_IMODE(made.secret.stat().st_mode) == 0o600
    assert case not in made.secret.parents
    assert made.folder not in made.secret.parents


@pytest.mark.complete
def test_two_redactions_by_one_secret_compare_and_by_another_do_not(case, tmp_path):
    ingest(case)

    def hosts(out: str, secret: str) -> list[str]:
        made = redact(case, tmp_path / out, secret=tmp_path / secret)
        with agtrace.open_case(made.folder) as opened:
            return [row["host_id"] for row in opened.view.rows("SELECT host_id FROM hosts ORDER BY host_id")]

    first = hosts("one", "a.json")
    assert hosts("two", "a.json") == first
    assert set(hosts("three", "b.json")).isdisjoint(first)


@pytest.mark.complete
def test_a_redacted_case_is_redacted_once(case, tmp_path):
    ingest(case)
    made = redact(case, tmp_path / "send")
    with redacted_case(made.folder) as (folder, again):
        assert (folder, again) == (made.folder, None)
    with pytest.raises(CaseError, match="redacted already"):
        redact(made.folder, tmp_path / "twice")


@pytest.mark.complete
@pytest.mark.parametrize("out", ["contoso-outage/send", "full"])
def test_what_is_handed_out_lies_alone(case, tmp_path, out):
    ingest(case)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine")
    with pytest.raises(CaseError, match=r"lies in the case|holds something else"):
        redact(case, tmp_path / out)
    assert (tmp_path / "full" / "note.txt").read_text() == "mine"


@pytest.mark.complete
def test_the_secret_never_lies_in_what_is_handed_out(case, tmp_path):
    ingest(case)
    with pytest.raises(CaseError, match="is to be handed out"):
        redact(case, tmp_path / "send", secret=tmp_path / "send" / "secret.json")


@pytest.mark.complete
def test_a_file_that_is_no_secret_is_refused_and_left_alone(case, tmp_path):
    ingest(case)
    (tmp_path / "notes.json").write_text('{"mine": 1}')
    with pytest.raises(AgtraceError, match="not a secret of agtrace redact"):
        redact(case, tmp_path / "send", secret=tmp_path / "notes.json")
    assert (tmp_path / "notes.json").read_text() == '{"mine": 1}'


@pytest.mark.complete
def test_who_gets_it_says_once_that_it_is_to_be_believed(case, tmp_path, monkeypatch):
    ingest(case)
    made = redact(case, tmp_path / "send")
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "theirs"))
    with pytest.raises(CaseError, match="made elsewhere"):
        agtrace.open_case(made.folder)
    with agtrace.open_case(made.folder, trust_store=True) as opened:
        assert [finding.id for finding in opened.findings()].count("health.failover") == 1
    with agtrace.open_case(made.folder) as opened:
        assert opened.findings()


@pytest.mark.complete
def test_captures_that_lie_in_a_redacted_case_are_named_and_hidden_by_no_strangers_word(
    case, tmp_path, monkeypatch
):
    ingest(case)
    made = redact(case, tmp_path / "send")
    (made.folder / "ERRORLOG").write_bytes(texts.errorlog())
    with pytest.raises(CaseError, match="ERRORLOG lies in it"):
        agtrace.open_case(made.folder)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "theirs"))
    report = ingest(made.folder)
    assert ("ERRORLOG", "ingested") in [(each.path, each.status) for each in report.captures]


@pytest.mark.complete
def test_settings_come_along_without_names(case, tmp_path):
    (case / "hosts.toml").write_text('[aliases]\nHASQL1 = ["CONTOSO-VIRTUAL"]\n')
    (case / "agtrace.toml").write_text("# of Contoso\n[health]\nlong_io_notice = 3\n")
    (case / "runs.csv").write_text(
        "label,factors,start,end\nContoso 1,cache=ON,2024-02-21T03:00:00+00:00,2024-02-21T03:10:00+00:00\n"
    )
    ingest(case)
    made = redact(case, tmp_path / "send")
    written = "".join(path.read_text() for path in made.folder.glob("*.toml"))
    assert "contoso" not in written.casefold()
    assert "HASQL1" not in written
    with agtrace.open_case(made.folder) as opened:
        (host,) = opened.view.rows("SELECT * FROM hosts WHERE len(aliases) > 0")
        assert host["host_id"].startswith("HOST-")
        (run,) = opened.view.rows("SELECT * FROM runs")
        assert json.loads(run["factors"]) == {"cache": "ON"}


@pytest.mark.complete
def test_pages_notebooks_and_exports_hold_no_name(case, tmp_path, capsys):
    assert said(capsys, "report", case, "--redact", "--only", "health")[0] == 0
    pages = case / "agtrace-report-redacted"
    assert (pages / "health.ipynb").is_file()
    assert said(capsys, "export", case, "--redact", "--out", tmp_path / "out", "--format", "csv,xlsx")[0] == 0
    secrets = secrets_of(case, case / ".agtrace").all | {
        "contoso-outage",
        str(tmp_path).casefold(),
        "redacted-",
    }
    assert found(pages, secrets) == {}
    assert found(tmp_path / "out", secrets) == {}
    _status, plain, _ = said(capsys, "findings", case, "--json")
    assert "SalesAG" in plain


@pytest.mark.complete
def test_a_batch_names_neither_cases_nor_what_is_in_them(case, tmp_path, capsys):
    inbox, out = tmp_path / "inbox", tmp_path / "reports"
    inbox.mkdir()
    shutil.move(case, inbox / case.name)
    for told in ("1 reported", "1 unchanged"):
        status, text, _ = said(capsys, "batch", inbox, "--out", out, "--findings-only", "--redact")
        assert status == 0
        assert told in text
    ingest(inbox / case.name)
    secrets = secrets_of(inbox / case.name, inbox / case.name / ".agtrace").all | {"contoso-outage"}
    assert found(out, secrets) == {}


@pytest.mark.complete
def test_a_case_without_names_is_decided_by_its_contents_too(case, tmp_path, capsys, monkeypatch):
    inbox, out = tmp_path / "inbox", tmp_path / "reports"
    inbox.mkdir()
    shutil.move(case, inbox / case.name)
    for told, fresh_for_ns in (("1 reported", 10**15), ("1 unchanged", 0)):
        monkeypatch.setattr(answer_key, "_granularity_ns", lambda time_ns, most=fresh_for_ns: most)
        assert told in said(capsys, "batch", inbox, "--out", out, "--findings-only", "--redact")[1]
