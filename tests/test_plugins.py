"""Readers and diagnostics of other packages and folders: found where the user put them, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import agtrace
from agtrace import import_path, plugins
from agtrace.cli import main
from agtrace.diagnostics import analyses
from agtrace.engines import connected
from agtrace.errors import CaseError
from agtrace.ingest import ingest
from agtrace.readers import detect, errorlog, reader_names, readers, topics
from tests.engines.clusters import cluster

ROOT = Path(__file__).resolve().parent.parent

CLOCKS = """
from agtrace.readers.fact_text import Decoded, Fact, FactReader, decode_runs
from agtrace.readers.text_lines import lines_of
from agtrace.tables.topics import Value, facts

TOPICS = (facts("clocks", "line of a clock", Value("says", "what it says")),)


class Line:
    is_complete, truncation = True, ""

    def __init__(self, text):
        self.text = text

    def facts(self, item):
        yield Fact("clocks", item, "says", self.text, line=item + 1)


def recognise(text):
    return text.startswith("clock says ")


def decode(text):
    return decode_runs(Line(line[11:]) for _number, line, _ended in text if line.startswith("clock says "))


READER = FactReader("clocks", VERSION, "clocks of the test", recognise, decode, TOPICS)
"""
QUESTION = """
from agtrace.diagnostics.base import Analysis
from agtrace.say.finding import Evidence, Finding


class Clocks(Analysis):
    name, title, question = "told_clocks", "Clocks", "What do clocks say?"

    def findings(self):
        rows = self.view.rows("select value from facts where topic = 'clocks' order by value")
        return [
            Finding("told_clocks.said", "warning", f"A clock says {row['value']}", "", evidence=(
                Evidence("clock", row["value"], "", "clocks.txt"),))
            for row in rows
        ]


ANALYSIS = Clocks
"""


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def clocks(version: int = 1) -> dict[str, str]:
    return {
        "readers/clocks/__init__.py": CLOCKS.replace("VERSION", str(version)),
        "diagnostics/told_clocks/__init__.py": QUESTION,
    }


def package(entries: str, name: str = "contoso", version: str = "1.2") -> dict[str, str]:
    """Return what an installed package of that name leaves beside its modules."""
    home = f"{name}-{version}.dist-info"
    return {
        f"{home}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{home}/entry_points.txt": entries,
    }


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch):
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    monkeypatch.setattr(plugins, "_faults", {})
    before = sys.path[:]
    yield
    plugins.take_over(())
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    plugins.tell(plugins._warn)
    sys.path[:] = before


@pytest.fixture
def home(tmp_path) -> Path:
    return put(tmp_path / "plugins", clocks())


@pytest.fixture
def case(tmp_path) -> Path:
    return put(
        tmp_path / "case", {"SQL1/clocks.txt": "clock says 12:00\n", "SQL2/a.txt": "clock says 12:01\n"}
    )


def test_a_folder_brings_a_reader_its_topic_and_a_diagnostic(home, case):
    plugins.use(home)
    assert "clocks" in reader_names()
    assert ("facts", "clocks") in topics()
    with agtrace.open_case(case) as opened:
        assert [finding.title for finding in opened.told_clocks.findings()] == [
            "A clock says 12:00",
            "A clock says 12:01",
        ]
        assert [f.id for f in opened.findings() if f.severity == "warning"] == ["told_clocks.said"] * 2


def test_without_it_nothing_of_it_is_there(case):
    assert "clocks" not in reader_names()
    assert "told_clocks" not in analyses()
    assert {each.status for each in ingest(case).captures} == {"not_understood"}


@pytest.mark.complete
def test_worker_processes_find_it(home, case):
    plugins.use(home)
    report = ingest(case, jobs=2)
    assert [each.kind for each in report.captures] == ["clocks of the test"] * 2


@pytest.mark.complete
def test_the_workers_of_a_cluster_find_it_in_the_same_folder(home, case, tmp_path):
    plugins.use(home)
    with cluster(tmp_path / "scratch", 1) as running, connected(running.address) as engine:
        report = ingest(case, tmp_path / "store", engine=engine)
    assert [each.kind for each in report.captures] == ["clocks of the test"] * 2


def test_a_part_names_the_version_of_its_reader_and_a_new_one_reads_again(home, case, tmp_path):
    plugins.use(home)
    first = ingest(case, tmp_path / "store")
    assert first.ingested == 2
    assert len(list((tmp_path / "store").glob("parts/*-clocks-1-*"))) == 2
    assert ingest(case, tmp_path / "store").ingested == 0
    plugins.take_over(())
    plugins.use(put(tmp_path / "newer", clocks(version=2)))
    assert ingest(case, tmp_path / "store").ingested == 2
    with agtrace.open_case(case, tmp_path / "store", ingest=False) as opened:
        versions = opened.sql("select distinct reader_version from captures").fetchall()
    assert versions == [(2,)]


def test_a_store_that_is_opened_without_it_holds_what_is_known_without_it(home, case, tmp_path):
    plugins.use(home)
    ingest(case, tmp_path / "store")
    plugins.take_over(())
    with agtrace.open_case(case, tmp_path / "store") as opened:
        assert opened.sql("select count(*) from facts where topic = 'clocks'").fetchall() == [(0,)]


def test_a_package_that_is_installed_brings_them_by_its_entry_points(case, tmp_path):
    files = {
        "contoso_clocks/__init__.py": CLOCKS.replace("VERSION", "3"),
        "contoso_told.py": QUESTION,
        **package(
            "[agtrace.readers]\nclocks = contoso_clocks:READER\n\n"
            "[agtrace.diagnostics]\ntold_clocks = contoso_told:ANALYSIS\n"
        ),
    }
    plugins.use(put(tmp_path / "site", files))
    assert str(plugins.found("readers")["clocks"]) == "the reader clocks of contoso 1.2"
    with agtrace.open_case(case) as opened:
        assert len(opened.told_clocks.findings()) == 2


def test_the_version_with_verbose_names_each(home, capsys):
    assert main(["--plugins", str(home), "--version", "-v"]) == 0
    place = os.path.realpath(home)
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"the reader clocks of {place}/readers/clocks",
        f"the diagnostic told_clocks of {place}/diagnostics/told_clocks",
    ]


def test_a_verb_takes_the_folder_too(home, case, capsys):
    assert main(["findings", str(case), "--plugins", str(home)]) == 0
    assert "A clock says 12:00" in capsys.readouterr().out


BROKEN = {
    "import": ("import nowhere\n", "ModuleNotFoundError: No module named 'nowhere'"),
    "exit": ("raise SystemExit(3)\n", "SystemExit: 3"),
    "nothing": ("", "AttributeError: module 'agtrace.readers.clocks' has no attribute 'READER'"),
    "other": (
        "READER = 7\n",
        "it is no reader: it has no name, version, topics, detect, read (docs/extend.md)",
    ),
    "name": (CLOCKS.replace("VERSION", "1").replace('"clocks", 1', '"ticks", 1'), "it calls itself 'ticks'"),
    "version": (CLOCKS.replace("VERSION", "0"), "its version is 0, and no whole number from 1 on"),
}


@pytest.mark.parametrize(("text", "why"), BROKEN.values(), ids=BROKEN)
def test_one_that_cannot_be_used_is_one_line_and_the_rest_works(text, why, case, tmp_path, capsys):
    home = put(tmp_path / "plugins", clocks() | {"readers/clocks/__init__.py": text})
    assert main(["findings", str(case), "--plugins", str(home)]) in (1, 2)
    place = os.path.realpath(home / "readers" / "clocks")
    line = f"agtrace: the reader clocks of {place} cannot be used: {why} - the rest works without it"
    assert capsys.readouterr().err.splitlines().count(line) == 1
    assert "told_clocks" in analyses()


@pytest.mark.complete
def test_a_diagnostic_that_cannot_be_used_makes_status_1_and_the_others_answer(tmp_path, capsys):
    home = put(tmp_path / "plugins", {"diagnostics/told_clocks/__init__.py": "ANALYSIS = dict\n"})
    store = str(tmp_path / "store")
    case = str(agtrace.sample("log_send_queue"))
    assert main(["findings", case, "--store", store, "--plugins", str(home)]) == 1
    told = capsys.readouterr()
    assert "is no subclass of agtrace.diagnostics.Analysis" in told.err
    assert "transport.window_limited" in told.out


def test_from_python_it_is_a_warning(tmp_path):
    plugins.use(put(tmp_path / "plugins", {"readers/clocks/__init__.py": "import nowhere\n"}))
    with pytest.warns(plugins.PluginWarning, match="the reader clocks of .* cannot be used"):
        assert "clocks" not in [each.name for each in readers()]


def test_nothing_takes_the_place_of_what_agtrace_has(tmp_path):
    plugins.tell(lambda line: None)
    plugins.use(put(tmp_path / "plugins", {"readers/errorlog/__init__.py": "raise SystemExit\n"}))
    own = [each for each in readers() if each.name == "errorlog"]
    assert own[0].topics is errorlog.topics.TOPICS
    (fault,) = plugins.faults()
    assert "agtrace has one of that name" in fault


def test_of_two_of_one_name_the_first_counts(home, tmp_path):
    plugins.use(home)
    plugins.use(put(tmp_path / "more", clocks(version=9)))
    plugins.tell(lambda line: None)
    assert next(each.version for each in readers() if each.name == "clocks") == 1
    (fault,) = plugins.faults()
    assert f"cannot be used: {home.resolve()}/readers/clocks has one of that name" in fault


def test_a_reader_that_fails_to_recognise_keeps_nobody_else_from_it(tmp_path):
    broken = CLOCKS.replace("VERSION", "1").replace('return text.startswith("clock says ")', "return 1 / 0")
    plugins.use(put(tmp_path / "plugins", {"readers/clocks/__init__.py": broken}))
    plugins.tell(lambda line: None)
    log = (agtrace.sample("log_send_queue") / "JBSAG1" / "ERRORLOG").read_bytes()
    found = detect(log[: 64 * 1024], "ERRORLOG")
    assert found
    assert found[0].name == "errorlog"
    assert detect(b"clock says 12:00\n", "a.txt") is None
    assert len(plugins.faults()) == 1


@pytest.mark.parametrize("files", [{}, {"a.txt": "", "clocks/__init__.py": "raise SystemExit"}])
def test_a_folder_without_any_is_an_error_that_says_where_they_lie(files, tmp_path):
    (tmp_path / "plugins").mkdir()
    with pytest.raises(CaseError, match="no plugins in it - they lie in its folders readers and diagnostics"):
        plugins.use(put(tmp_path / "plugins", files))


def test_a_folder_that_is_not_there_is_an_error(tmp_path, capsys):
    assert main(["--plugins", str(tmp_path / "nowhere"), "--version"]) == 2
    assert "no such folder - name the folder that holds the plugins" in capsys.readouterr().err


RUNS = "import pathlib\npathlib.Path(__file__).with_name('ran').touch()\n"


@pytest.fixture
def prepared(tmp_path) -> Path:
    """A case of a stranger that looks like plugins in every way."""
    files = {
        "readers/evil/__init__.py": RUNS,
        "diagnostics/evil/__init__.py": RUNS,
        "evil_module.py": RUNS,
        "SQL1/ERRORLOG": "",
        **package("[agtrace.readers]\nevil = evil_module:READER\n", "evil"),
    }
    log = agtrace.sample("log_send_queue") / "JBSAG1" / "ERRORLOG"
    case = put(tmp_path / "case", files)
    (case / "SQL1" / "ERRORLOG").write_bytes(log.read_bytes())
    return case


@pytest.mark.complete
@pytest.mark.parametrize("named", [{}, {"PYTHONPATH": "."}, {"AGTRACE_PLUGINS": "."}], ids=str)
def test_nothing_in_a_folder_of_captures_is_run(prepared, named):
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"} | named
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [named.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "agtrace", "findings", ".", "--jobs", "2"],
        cwd=prepared,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ("AGTRACE_PLUGINS" in named), done.stderr
    assert list(prepared.rglob("ran")) == []
    assert "evil" not in done.stderr


def test_a_folder_among_captures_is_refused(prepared):
    import_path.avoid(prepared)
    with pytest.raises(CaseError, match="lies among captures, and nothing there is run"):
        plugins.use(prepared)


@pytest.mark.complete
def test_a_folder_that_turns_out_to_lie_among_captures_is_not_run(prepared):
    assert main(["findings", str(prepared), "--plugins", str(prepared)]) == 1
    assert list(prepared.rglob("ran")) == []
    assert any("it lies among captures, and nothing there is run" in each for each in plugins.faults())
