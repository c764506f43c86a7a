"""What a redacted case is to who opens it, and what its maker is shown."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

import agtrace
from agtrace.cli import main
from agtrace.ingest import ingest
from agtrace.redact import redact
from agtrace.redact.secret import held, read
from simulation.formats.errorlog import Log
from tests.redact.searching import found


@pytest.fixture
def case(tmp_path) -> Path:
    folder = tmp_path / "case"
    folder.mkdir()
    log = Log()
    log.start(host="CONTOSO7")
    log.add("spid30s", "Starting up database 'Payroll'.")
    log.add("Logon", "Login failed for user 'CONTOSO\\huber'. [CLIENT: 10.1.2.3]")
    lines = [line for entry in log.entries for line in entry.original()]
    (folder / "ERRORLOG").write_text("\r\n".join(lines), "utf-16")
    ingest(folder, jobs=1)
    return folder


def said(capsys, *words: object) -> tuple[int, str, str]:
    status = main([str(word) for word in words])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_the_folder_says_what_it_is_and_names_nobody(case, tmp_path):
    redact(case, tmp_path / "send")
    assert sorted(path.name for path in (tmp_path / "send").iterdir()) == ["README.txt", "facts"]
    text = (tmp_path / "send" / "README.txt").read_text("utf-8")
    assert "agtrace case without names" in text
    assert "1 host" in text
    assert found(tmp_path / "send", ["contoso7", "huber", "payroll", "10.1.2.3"]) == {}


def test_names_are_counted_by_kind_and_lines_are_shown_to_who_redacts(case, tmp_path, capsys):
    status, _out, told = said(capsys, "redact", case, "-o", tmp_path / "send")
    assert status == 0
    assert "1 host" in told
    assert "- Login failed for user 'CONTOSO\\huber'. [CLIENT: 10.1.2.3]" in told
    after = next(line for line in told.splitlines() if "+ Login failed for user '" in line)
    assert "huber" not in after
    assert "10.1.2.3" not in after


@pytest.mark.parametrize("options", [[], ["--store", "elsewhere"]])
@pytest.mark.complete
def test_it_is_answered_like_any_case(case, tmp_path, capsys, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    redact(case, tmp_path / "send")
    capsys.readouterr()
    status, out, _ = said(capsys, "findings", tmp_path / "send", "--json", *options)
    assert status == 0
    assert [each["id"] for each in json.loads(out)] == [
        each["id"] for each in json.loads(said(capsys, "findings", case, "--json")[1])
    ]


@pytest.mark.complete
def test_two_cases_without_names_compare(case, tmp_path, capsys):
    for name in ("one", "other"):
        redact(case, tmp_path / name)
    assert said(capsys, "compare", tmp_path / "one", tmp_path / "other")[0] == 0


def test_two_redactions_with_one_secret_keep_both_maps(tmp_path):
    secret = tmp_path / "secret.json"
    begun = threading.Event()

    def other() -> None:
        begun.set()
        with held(secret) as kept:
            pseudonyms = kept.pseudonyms()
            pseudonyms.name("SECOND", "HOST")
            kept.keep(pseudonyms)

    with held(secret) as kept:
        thread = threading.Thread(target=other)
        thread.start()
        assert begun.wait(10)
        pseudonyms = kept.pseudonyms()
        pseudonyms.name("FIRST", "HOST")
        kept.keep(pseudonyms)
    thread.join(20)
    assert sorted(read(secret).originals.values()) == ["FIRST", "SECOND"]


def test_around_a_moment_is_what_was_logged_then(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    log = Log()
    log.start(host="CONTOSO7", utc="0:00")
    for minutes in (60, 120, 180):
        at = log.time.replace(minute=0, second=0, microsecond=0)
        log.add("spid30s", "Starting up database 'Payroll'.", at=at.replace(hour=at.hour + minutes // 60))
    lines = [line for entry in log.entries for line in entry.original()]
    (folder / "ERRORLOG").write_text("\r\n".join(lines), "utf-16")
    ingest(folder, jobs=1)
    moment = log.time.replace(minute=0, second=0, microsecond=0)
    made = redact(folder, tmp_path / "send", around=moment.replace(hour=moment.hour + 2), minutes=5)
    with agtrace.open_case(made.folder) as opened:
        rows = opened.view.rows("SELECT time FROM errorlog")
        hosts = opened.view.rows("SELECT host_id FROM hosts")
    assert [f"{row['time']:%H:%M}" for row in rows] == [f"{moment.hour + 2:02}:00"]
    assert len(hosts) == 1


def test_the_moment_of_a_minimal_case_may_name_its_zone(case, tmp_path, capsys):
    status, _out, _told = said(
        capsys,
        "redact",
        case,
        "-o",
        tmp_path / "send",
        "--around",
        "2024-01-25T10:06:27-06:00",
        "--minutes",
        "1",
    )
    assert status == 0
    with agtrace.open_case(tmp_path / "send") as opened:
        assert opened.view.rows("SELECT count(*) AS n FROM errorlog")[0]["n"] > 0
    status, _out, _told = said(
        capsys, "redact", case, "-o", tmp_path / "none", "--around", "2023-01-25 10:06:27"
    )
    with agtrace.open_case(tmp_path / "none") as opened:
        assert opened.view.rows("SELECT count(*) AS n FROM errorlog")[0]["n"] == 0
