"""The examples of docstrings run, on a sample, as they stand."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import agtrace
from agtrace.case import Case
from agtrace.cases import Cases
from agtrace.diagnostics.percentiles import Percentiles

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def case(sample_store):
    store = sample_store("log_send_queue")
    with agtrace.open_case(agtrace.sample("log_send_queue"), store) as opened:
        yield opened


OPENING = re.compile(r'^ *r?"""(Give|Have|Let|Say|Tell|Word)\b', re.MULTILINE)


def sources() -> list[Path]:
    """Return the Python files that we write."""
    folders = ("agtrace", "bench", "sample_data", "simulation", "tests", "tools", "xelib/python")
    return [path for folder in folders for path in (ROOT / folder).rglob("*.py")]


def test_docstrings_open_with_what_a_function_does():
    found = {path.name: OPENING.findall(path.read_text(encoding="utf-8")) for path in sources()}
    assert {name: words for name, words in found.items() if words} == {}


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(recurse=False)
    found = []
    for owner in (Case, Cases, Percentiles):
        for name, member in inspect.getmembers(owner):
            member = member.fget if isinstance(member, property) else member
            if inspect.isfunction(member) and member.__doc__:
                found += finder.find(member, f"{owner.__name__}.{name}", globs={})
    return [test for test in found if test.examples]


EXAMPLES = examples()


@pytest.mark.complete
@pytest.mark.parametrize("test", EXAMPLES, ids=[test.name for test in EXAMPLES])
def test_an_example_gives_what_it_says(case, test, capsys):
    test.globs = {"case": case, "agtrace": agtrace}
    failed, _tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert not failed, capsys.readouterr().out


def test_what_a_person_calls_has_an_example():
    names = {test.name for test in EXAMPLES}
    asked = (
        "around",
        "captures",
        "counters",
        "findings",
        "hosts",
        "perfmon",
        "plot",
        "relations",
        "timeline",
    )
    assert {f"Case.{name}" for name in asked} <= names
    assert "Percentiles.__call__" in names
