"""An answer that was given is given again at once, and never where anything that it rests on has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agtrace import answer_key, cli, code_state, kept_answer
from agtrace.answer_key import TICK_NS, Asked
from agtrace.ingested import IngestedCapture, IngestReport
from agtrace.kept_answer import Answer, KeptAnswer, MadeReport
from agtrace.say.finding import Evidence, Finding
from agtrace.store import open_store
from agtrace.store.layout import CAPTURES, UTC_OFFSETS
from tests.ingest import texts

FOUND = Finding(
    "a.b", "warning", "title", "why", {"host": "A"}, {"start": "2024-03-05T12:00:00+00:00"},
    (Evidence("n", 0.1 + 0.2, "s", "file"), Evidence("m", 3, "", ""), Evidence("none", None, "", "")),
    "do", 0.9, "brief",
)  # fmt: skip


def settle():
    """Wait until the times of files that were just written show another change."""
    time.sleep(2 * TICK_NS / 1e9)


@pytest.fixture
def case(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "log.csv").write_bytes(b"12345")
    store = open_store(folder)
    (store.root / CAPTURES).write_text("[]")
    settle()
    return folder


def answer_of(case, **how):
    captures = [IngestedCapture("log.csv", "kind", "ingested", "", 5, 1, 0.5)]
    report = IngestReport(case / ".agtrace", captures)
    return Answer(report, ["fault"], [FOUND], {"redo": ["a log"]}, **how)


def keep(case, asked=Asked(), store=None, **how):  # noqa: B008
    KeptAnswer(case, store, asked).keep(answer_of(case, **how))


def kept(case, asked=Asked(), store=None):  # noqa: B008
    return KeptAnswer(case, store, asked).read()


def test_an_answer_is_given_as_it_was_with_nothing_read_now(case):
    keep(case)
    found = kept(case)
    assert (found.findings, found.findings[0].brief) == ([FOUND], "brief")
    assert (found.faults, found.lacking, found.report) == (["fault"], {"redo": ["a log"]}, None)
    assert found.ingested.counted == "1 file: 1 unchanged"


CHANGES = {
    "a file grows": lambda case: (case / "log.csv").write_bytes(b"123456"),
    "another content of the same size": lambda case: (case / "log.csv").write_bytes(b"54321"),
    "another file": lambda case: (case / "more.csv").write_bytes(b""),
    "a file in a folder": lambda case: (case / "in").mkdir() or (case / "in" / "x").write_bytes(b""),
    "a file goes": lambda case: (case / "log.csv").rename(case.parent / "gone"),
    "another name": lambda case: (case / "log.csv").rename(case / "log2.csv"),
    "settings of the case": lambda case: (case / "hosts.toml").write_text("[hosts]"),
    "thresholds of the case": lambda case: (case / "agtrace.toml").write_text(""),
    "an offset that was given": lambda case: (case / ".agtrace" / UTC_OFFSETS).write_text("{}"),
    "the store was read anew": lambda case: (case / ".agtrace" / CAPTURES).write_text("[1]"),
    "the store goes": lambda case: shutil.rmtree(case / ".agtrace"),
    "another case in its place": lambda case: case.rename(case.parent / "o") and shutil.copytree(
        case.parent / "o", case
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_no_answer_is_kept_once_something_has_changed(case, change):
    keep(case)
    change(case)
    settle()
    assert kept(case) is None


def test_a_content_that_was_changed_with_its_times_put_back_is_another(case):
    keep(case)
    before = (case / "log.csv").stat()
    (case / "log.csv").write_bytes(b"54321")
    os.utime(case / "log.csv", ns=(before.st_atime_ns, before.st_mtime_ns))
    settle()
    assert kept(case) is None


OPTIONS = {
    "settings": Asked(case_settings=False),
    "links": Asked(follow_links=True),
    "thresholds": Asked(thresholds={"growing_minutes": 3}),
    "report": Asked(report="{}"),
}


@pytest.mark.parametrize("asked", OPTIONS.values(), ids=OPTIONS)
def test_other_options_have_an_answer_of_their_own(case, asked):
    keep(case)
    assert kept(case, asked) is None
    keep(case, asked)
    assert kept(case) is not None
    assert kept(case, asked) is not None


def test_another_store_has_an_answer_of_its_own(case, tmp_path):
    keep(case)
    assert kept(case, store=str(tmp_path / "other")) is None


def test_another_version_of_agtrace_answers_anew(case, monkeypatch):
    keep(case)
    monkeypatch.setattr("agtrace.__version__", "0.0.0")
    assert kept(case) is None


@pytest.mark.parametrize("part", ["_own_code", "_plugins"])
def test_other_code_and_other_plugins_answer_anew(case, monkeypatch, part):
    keep(case)
    monkeypatch.setattr(code_state, part, lambda *_: "another")
    assert kept(case) is None


def test_the_code_is_known_by_the_times_and_sizes_of_its_files(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.sql").write_text("select 1")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("")
    before = list(code_state._listed(tmp_path))
    assert len(before) == 1
    (tmp_path / "in" / "a.sql").write_text("select 12")
    assert list(code_state._listed(tmp_path)) != before


def test_what_changed_while_it_was_answered_is_not_kept(case):
    asking = KeptAnswer(case, None, Asked())
    (case / "log.csv").write_bytes(b"123456")
    settle()
    asking.keep(answer_of(case))
    assert kept(case) is None


def test_a_file_that_has_just_been_written_is_looked_at_again(case):
    keep(case)
    (case / "log.csv").touch()
    asking = KeptAnswer(case, None, Asked())
    settle()
    asking.keep(answer_of(case))
    assert kept(case) is None


def test_what_could_not_be_read_is_tried_again(case):
    report = IngestReport(case / ".agtrace", [IngestedCapture("a", "", "unreadable", "disk", 5, 0, None)])
    KeptAnswer(case, None, Asked()).keep(Answer(report, [], [], {}))
    assert kept(case) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": 1}', "null"])
def test_a_damaged_answer_is_none(case, text):
    keep(case)
    KeptAnswer(case, None, Asked())._file.write_text(text)
    assert kept(case) is None


def test_answers_that_were_not_asked_for_longest_go_first(case, monkeypatch):
    monkeypatch.setattr(kept_answer, "MOST_ANSWERS", 4)
    for number in range(7):
        keep(case, Asked(report=str(number)))
        settle()
    there = [number for number in range(7) if kept(case, Asked(report=str(number)))]
    assert there == [4, 5, 6]


@pytest.fixture
def made(case, monkeypatch):
    folder = case / "agtrace-report"
    folder.mkdir()
    for name in ("index.html", "transport.html"):
        (folder / name).write_text(name)
    monkeypatch.setattr(
        kept_answer.owner,
        "is_own",
        lambda place, kind: (kind == "report" and place == folder) or kind == "store",
    )
    return MadeReport(
        str(folder), "index.html",
        {name: answer_key.stamp_of(folder / name) for name in ("index.html", "transport.html")},
    )  # fmt: skip


def test_a_report_that_lies_there_as_it_was_written_is_named(case, made):
    keep(case, made=made)
    assert kept(case).report == case / "agtrace-report" / "index.html"


@pytest.mark.parametrize("name", ["index.html", "transport.html"])
def test_a_report_with_a_changed_page_is_made_anew(case, made, name):
    keep(case, made=made)
    (case / "agtrace-report" / name).write_text("changed")
    assert kept(case).report is None


def test_a_report_without_a_page_is_made_anew(case, made):
    keep(case, made=made)
    (case / "agtrace-report" / "transport.html").unlink()
    assert kept(case).report is None


def test_a_report_that_is_not_ours_is_made_anew(case, made, monkeypatch):
    keep(case, made=made)
    monkeypatch.setattr(kept_answer.owner, "is_own", lambda place, kind: kind == "store")
    assert kept(case).report is None


@pytest.fixture
def small(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "log.csv").write_bytes(texts.perfmon())
    settle()
    return folder


@pytest.mark.complete
def test_the_command_gives_the_same_findings_again_without_opening_the_case(small, capsys, monkeypatch):
    cli.main(["findings", str(small), "--json"])
    first = capsys.readouterr().out
    monkeypatch.setattr("agtrace.opening.open_case", None)
    cli.main(["findings", str(small), "--json"])
    assert capsys.readouterr().out == first


@pytest.mark.complete
def test_a_kept_answer_loads_neither_duckdb_nor_arrow(small):
    cli.main(["findings", str(small)])
    script = (
        "import sys; from agtrace.cli import main; main(['findings', sys.argv[1]]); "
        "sys.exit(int(bool({'duckdb', 'pyarrow', 'numpy', 'pandas'} & set(sys.modules))))"
    )
    assert subprocess.run([sys.executable, "-c", script, str(small)], capture_output=True).returncode == 0


@pytest.mark.complete
def test_killed_at_whatever_moment_no_answer_is_wrong_or_partial(small):
    """Processes that keep an answer are killed, two hundred times."""
    script = (
        "import sys; from pathlib import Path; from tests.test_kept_answer import answer_of, keep\n"
        "case = Path(sys.argv[1]); keep(case); print('ready', flush=True)\n"
        "while True: keep(case)"
    )
    (open_store(small).root / CAPTURES).write_text("[]")
    settle()
    for number in range(200):
        with subprocess.Popen(
            [sys.executable, "-c", script, str(small)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[1]
        ) as process:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(number % 20 / 1000)
            process.kill()
        assert kept(small).findings == [FOUND]
