"""Every example of README, docs and the help pages runs, pasted as it stands."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
from pathlib import Path

import pytest

from agtrace import plugins
from agtrace.batch import Options, batch
from agtrace.cli import main
from agtrace.cli.group import VERBS
from tests.folded import folded
from tests.ingest import texts
from tests.ready import copied, copy_captures

pytestmark = pytest.mark.complete

ROOT = Path(__file__).resolve().parent.parent
RUN_ELSEWHERE = {"cookbook.md"}
"""tests/test_cookbook.py runs it, with what each task gives."""
DOCUMENTS = [
    path
    for path in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    if path.name not in RUN_ELSEWHERE
]

CLUSTER_LOG = (
    b"[=== Cluster Logs ===]\r\n"
    b"00000a1c.00000b2c::2024/02/06-14:45:25.500 ERR   [RHS] Resource SalesAG failed\r\n"
)
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
INDENTED = re.compile(r"(?<=\n\n)((?: {4}\S.*\n)+)")

NOT_RUN = {
    "make report": "sets up .venv from the network; what it then runs is an example of its own",
    "make test": "runs these very tests",
    "conda env create": "needs the network, and conda",
    "conda activate": "needs conda",
    "logman": "is a command of Windows",
    "netsh": "is a command of Windows",
    "robocopy": "is a command of Windows",
    "ping -n": "is the ping of Windows, to a host of the reader's",
    "agtrace lab": "opens a browser and runs until it is stopped; tests/lab runs it",
    "agtrace mcp": "waits for an assistant; tests/mcp talks with it",
    "dask scheduler": "runs until it is stopped; tests/engines runs it",
    "agtrace what-if": "names a replica of the reader's; tests/cli/test_what_if.py runs it on a sample's",
    "agtrace report to-send": "reports what an example before it made; tests/redact runs the like",
    "agtrace redact case-1234 --map": "translates what came of another example; tests/redact runs the like",
    "agtrace watch": "runs until it is stopped; tests/batch/test_watch.py runs it",
}
"""Commands that are no examples for every machine, each with why."""

AWAY = {
    "s3://": "asks a service of the reader's; tests/storage runs the like on this machine",
    "abfs://": "asks a service of the reader's; tests/storage runs the like on this machine",
    "tcp://": "asks a cluster of the reader's; tests/engines runs the like on this machine",
}
"""What commands name that lies on other machines."""

NO_COMMANDS = ("case-1234\\", "label,", "\\SQLServer:", "CREATE EVENT SESSION", "SELECT", "SET NOCOUNT")
"""How indented texts begin that show a folder, a file, a list of counters, or SQL for the server."""


def blocks(path: Path) -> list[tuple[str, str]]:
    """Return the language and text of each block of a document."""
    text = path.read_text(encoding="utf-8")
    indented = [("", block) for block in INDENTED.findall(FENCED.sub("", text))]
    return [*FENCED.findall(text), *indented]


def commands() -> list[tuple[str, str]]:
    """Return the command lines of the documents and help pages, each with its place."""
    found = []
    for path in DOCUMENTS:
        for language, block in blocks(path):
            if language in ("", "sh", "bash", "console"):
                lines = [line.strip() for line in block.splitlines() if line.strip()]
                if not lines[0].startswith(NO_COMMANDS):
                    found += [(path.name, line) for line in lines]
    for verb in VERBS:
        found += [(f"{verb} --help", line) for line in help_examples(verb)]
    return found


def help_examples(verb: str) -> list[str]:
    import importlib

    command = importlib.import_module(f"agtrace.cli.{verb.replace('-', '_')}").command
    lines = [line.strip() for line in command.help.splitlines()]
    return [line for line in lines if line.startswith("agtrace ")]


def scripts() -> list[tuple[str, str]]:
    return [
        (path.name, block)
        for path in DOCUMENTS
        for language, block in blocks(path)
        if language == "python" and path.name != "extend.md"
    ]


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The reports of a folder of cases, without pages."""
    folder = tmp_path_factory.mktemp("many")
    write_case(folder / "cases" / "1234")
    batch([folder / "cases"], folder / "reports", Options(pages=False))
    return folder / "reports"


def write_case(case, host="SQL1"):
    (case / host).mkdir(parents=True)
    (case / "perfmon.csv").write_bytes(texts.perfmon(20, host=host))
    (case / host / "ERRORLOG").write_bytes(texts.errorlog(5, server=host))


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with what the examples name; small, so that a report takes a moment."""
    case = tmp_path / "case-1234"
    write_case(case)
    # With fewer pages: those of a case like the other are made above.
    for each in ("cases/1234", "sample_data/log_send_queue", "first-case"):
        shutil.copytree(case / "SQL1", tmp_path / each)
    for each, host in (("case-1235", "DB7"), ("before-change", "SQL1"), ("after-change", "SQL1")):
        write_case(tmp_path / each, host)
    # The bytes say what a capture is, not its name.
    for name in ("perfmon.csv", "perfmon.blg", "node1.blg", "node2.blg"):
        (tmp_path / name).write_bytes(texts.perfmon(20))
    (tmp_path / "ERRORLOG").write_bytes(texts.errorlog(5))
    (tmp_path / "cluster.log").write_bytes(CLUSTER_LOG)
    shutil.make_archive(str(tmp_path / "customer"), "zip", case)
    sample = ROOT / "sample_data" / "direct_seeding" / "AGDS1"
    for path in sample.glob("AlwaysOn_health*.xel"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "agtrace-plugins" / "readers").mkdir(parents=True)
    yield tmp_path
    plugins.take_over(())


def why_not(line: str) -> str | None:
    whys = [why for start, why in NOT_RUN.items() if line.startswith(start)]
    return next(iter([*whys, *(why for place, why in AWAY.items() if place in line)]), None)


def once() -> list[tuple[str, str]]:
    """Return each command line with its first place: it does the same at every other."""
    return [(where, line) for line, where in {line: where for where, line in reversed(commands())}.items()]


@pytest.mark.parametrize(("where", "line"), once())
def test_a_command_runs(here, reports, capsys, where, line):
    if why := why_not(line):
        pytest.skip(f"{line.split(maxsplit=1)[0]} {why}")
    words = shlex.split(line.partition(" > ")[0], comments=True)
    if words[:3] == ["agtrace", "sql", "reports"]:
        # Another home made them: to this one they are somebody else's.
        shutil.copytree(reports, "reports")
        words.append("--trust-store")
    if words[:2] == ["agtrace", "sample"]:
        # The copy that the lines behind it look at.
        shutil.rmtree("first-case")
    assert Path(words[0]).name == "agtrace", f"{where}: nobody knows how to run {line!r}"
    status = main([str(Path(word).expanduser()) if word[0] == "~" else word for word in words[1:]])
    # 3: a finding is as severe as --fail-on asks.
    assert status == (3 if "--fail-on" in words and status else 0), capsys.readouterr().err


@pytest.mark.parametrize(("where", "script"), scripts())
def test_a_script_runs(here, read_sample, where, script):
    import agtrace

    others = ("direct_seeding", "failover_lease_cpu", "log_send_queue_fixed")
    samples = {name: here / "samples" / name for name in ("log_send_queue", *others)}
    with contextlib.ExitStack() as patched:
        monkey = patched.enter_context(pytest.MonkeyPatch.context())
        copied(read_sample, samples["log_send_queue"])
        for name in others:
            copy_captures(agtrace.sample(name), samples[name])
        # The sample itself is not to be written beside by a test.
        monkey.setattr(agtrace, "sample", lambda name: samples[name], raising=False)
        # Pages about an opened case call it `case`.
        with agtrace.open_case(samples["log_send_queue"]) as opened:
            exec(compile(script, where, "exec"), {"case": opened})


def test_there_are_examples():
    assert len(commands()) > 15
    assert len(scripts()) >= 1


@folded("start", NOT_RUN)
def test_what_is_not_run_is_still_written_somewhere(start):
    assert any(line.startswith(start) for _where, line in commands())


@pytest.mark.parametrize("place", AWAY)
def test_what_lies_away_is_still_written_somewhere(place):
    assert any(place in line for _where, line in commands())
