"""Blocks of the docs that are no command and no script: excerpts of captures, SQL, services."""

from __future__ import annotations

import configparser
import json
import re
import xml.etree.ElementTree as ElementTree
from importlib import import_module

import agtrace
from agtrace.readers import reader
from tests.folded import folded
from tests.test_examples import DOCUMENTS, FENCED, ROOT

RUN = {
    "": "tests/test_examples.py",
    "console": "tests/test_examples.py, tests/test_cookbook.py",
    "python": "tests/test_examples.py, tests/test_extend.py",
    "toml": "tests/test_extend.py",
    "markdown": "tests/test_extend.py",
    "mermaid": "tests/test_docs_site.py",
}
"""Languages of blocks that other tests run."""
HERE = {"text", "sql", "json", "ini", "xml", "powershell"}


def blocks(language: str) -> list[tuple[str, str]]:
    found = ((path, FENCED.findall(path.read_text(encoding="utf-8"))) for path in DOCUMENTS)
    return [(path.stem, block) for path, each in found for kind, block in each if kind == language]


def test_every_language_is_run_somewhere():
    found = {kind for path in DOCUMENTS for kind, _ in FENCED.findall(path.read_text(encoding="utf-8"))}
    assert found == {*RUN, *HERE} - ({"console"} - found)


EXCERPTS = [each for each in blocks("text") if (ROOT / "docs" / "formats" / f"{each[0]}.md").is_file()]


@folded(("name", "block"), EXCERPTS)
def test_the_reader_of_a_format_knows_the_excerpt_on_its_page(name, block):
    found = reader(name)
    assert found is not None
    assert found.detect(block.encode(), "x.txt") is not None


def test_excerpts_stand_on_pages_of_formats_and_of_what_watch_prints():
    others = [block for name, block in blocks("text") if (name, block) not in EXCERPTS]
    (told,) = others
    assert re.findall(r"^\S+Z (?:watching|\S+:) ", told, re.M)


def test_sql_that_no_other_test_runs_runs(read_sample):
    (asked,) = [block for name, block in blocks("sql") if name != "extend"]
    with agtrace.open_case(read_sample) as case:
        assert case.sql(asked).columns == ["host_id", "time_local", "item", "key", "value"]


def test_what_runs_a_service_is_whole_and_names_options_that_there_are():
    (unit,) = [block for _, block in blocks("ini")]
    (service,) = [block for _, block in blocks("xml")]
    (task,) = [block for _, block in blocks("powershell")]
    parsed = configparser.ConfigParser(interpolation=None, strict=False)
    parsed.optionxform = str
    parsed.read_string(unit)
    started = parsed["Service"]["ExecStart"].partition(" ")[2]
    arguments = ElementTree.fromstring(service).findtext("arguments")
    (told,) = re.findall(r"-Argument '([^']+)'", task)
    options = {name for each in import_module("agtrace.cli.watch").command.params for name in each.opts}
    for line in (started, arguments, told):
        assert line.split()[0] == "watch"
        assert set(re.findall(r"--[\w-]+", line)) <= options


def test_json_is_json():
    first_keys = {name: next(iter(json.loads(block))) for name, block in blocks("json")}
    assert first_keys == {"extend": "nbformat", "mcp": "mcpServers"}
