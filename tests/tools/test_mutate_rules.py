"""Changes of rules and words are single and valid, and those that no test notices are named."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from shutil import copytree

import pytest

from tools import mutate_rules
from tools.mutations import changes, is_in_a_function

ROOT = Path(__file__).parents[2]


def changed(name: str, text: str) -> set[str]:
    return {each.applied(text) for each in changes(name, text)}


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("a < b", {"a >= b"}),
        ("a is not b", {"a is b"}),
        ("a not  in b", {"a in b"}),
        ("a < b <= c", {"a >= b <= c", "a < b > c"}),
        ("a and b or c", {"a or b or c", "a and b and c"}),
        ("x = not (a)", {"x = (a)"}),
        ("x = 1 if a else b", {"x = 2 if a else b", "x = 0 if a else b", "x = 1 if (not (a)) else b"}),
        ("[x for x in a if x]", {"[x for x in a if (not (x))]"}),
        ("x: int = a[0]", set()),
        ("class Page:\n    order = 20", set()),
        ("class Page:\n    most = 20", {"class Page:\n    most = 21", "class Page:\n    most = 19"}),
        ('if TYPE_CHECKING:\n    x = "1 < 2"', set()),
        ("(a  # a < b\n == b)", {"(a  # a < b\n != b)"}),
        ("f'{a}' '{b}' f'ß {a < b}'", {"f'{a}' '{b}' f'ß {a >= b}'"}),
    ],
)
def test_python_is_changed_where_it_decides(text, others):
    found = changed("judge.py", text)
    assert found <= others if "f'" in text else found == others
    for other in found:
        ast.parse(other)


def test_sizes_and_places_of_a_figure_are_no_rules():
    assert changed("figures.py", "if a > 1: line(width=2)") == {"if a <= 1: line(width=2)"}


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("select a = b from t where c = d", {"select a = b from t where c <> d"}),
        ("from t join u on a = b where c is null", {"from t join u on a = b where c is not null"}),
        ("where a between 1 and 2 and b", {"where a between 1 and 2 or b"}),
        ("-- where a = b\nwhere x > '<'", {"-- where a = b\nwhere x <= '<'"}),
        ("select case when a < b then c = d end = e", {"select case when a >= b then c = d end = e"}),
        ("where f(x => 1) or y", {"where f(x => 1) and y"}),
        ("where (select a = b from t) and c", {"where (select a = b from t) or c"}),
    ],
)
def test_a_query_is_changed_where_it_chooses_rows(text, others):
    assert changed("rule.sql", text) == others


WORDS = '''# "no words"
title = """
{% if n > 1 %}{{ n }} hosts are slow if asked{% else %}slow{% endif %}
"""
why = "{{ 'ahead' if early else 'behind' }}"
[terms."a.b"]
"" = 'none'
'''


def test_words_are_blanked_and_their_conditions_inverted():
    texts = [tomllib.loads(each) for each in changed("slow.toml", WORDS)]
    whole = tomllib.loads(WORDS)
    assert sorted(
        (key, each[key]["a.b"][""] if key == "terms" else each[key]) for each in texts for key in each if each[key] != whole[key]  # noqa: E501
    ) == [
        ("terms", ""),
        ("title", ""),
        ("title", whole["title"].replace("n > 1", "not (n > 1)")),
        ("why", ""),
        ("why", whole["why"].replace("if early", "if not (early)")),
    ]  # fmt: skip


JUDGE = '''"""Judge."""

SLOW = 10

def is_slow(value):
    return value > SLOW

def unread(value):
    return not value
'''
TEST = """
from pathlib import Path
from agtrace.diagnostics.small.judge import is_slow

def test_slow():
    assert is_slow(20)

def test_fast():
    assert not is_slow(10)

def test_words():
    words = Path(__file__).parents[3] / "agtrace/diagnostics/small/said/slow.toml"
    assert words.read_text() == 'title = "Slow"'
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "small"
    for name, text in {
        "agtrace/diagnostics/small/judge.py": JUDGE,
        "agtrace/diagnostics/small/said/slow.toml": 'title = "Slow"',
        "agtrace/thresholds.py": "",
        "tests/diagnostics/small/test_judge.py": TEST,
        "pyproject.toml": "[tool.pytest.ini_options]",
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    for name in ("agtrace", "agtrace/diagnostics", "agtrace/diagnostics/small", "tests", "tests/diagnostics",
                 "tests/diagnostics/small"):  # fmt: skip
        (project / name / "__init__.py").touch()
    copytree(ROOT / "tools", project / "tools")
    monkeypatch.setattr(mutate_rules, "ROOT", project)
    # Its tests import nothing else.
    monkeypatch.setattr(mutate_rules, "LIBRARIES", ("pytest", "_pytest.python"))
    return project


@pytest.mark.complete
def test_what_no_test_notices_is_named_with_its_place(small, capsys):
    assert mutate_rules.main(["--jobs", "1"]) == 1
    told = capsys.readouterr().out
    assert "5 changes, 2 not noticed" in told
    assert (
        "| agtrace/diagnostics/small/judge.py:3 | number |\n"
        "| agtrace/diagnostics/small/judge.py:9 | condition |" in told
    )
    assert "-SLOW = 10\n+SLOW = 11" in told
    assert (small / "agtrace/diagnostics/small/judge.py").read_text() == JUDGE


@pytest.mark.complete
def test_what_was_noticed_once_is_not_tried_again_until_its_file_differs(small, tmp_path, capsys):
    judge, kept = (
        small / "agtrace/diagnostics/small/judge.py",
        ["--jobs", "1", "--kept", str(tmp_path / "kept")],
    )
    mutate_rules.main([*kept, str(judge)])
    capsys.readouterr()
    assert mutate_rules.main([*kept, str(judge)]) == 1
    told = capsys.readouterr().out
    assert "2 were noticed before" in told
    assert "4 of 4 changes, 2 not noticed" in told
    judge.write_text(JUDGE.replace("SLOW", "AT_MOST"))
    mutate_rules.main([*kept, str(judge)])
    assert "were noticed before" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "changed", "is_live"),
    [
        ("LIMIT = 10", "10", False),
        ("def limit(value=10): return value", "10", False),
        ("def is_slow(value): return value > 10", "10", True),
        ("def limit():\n    'ß'; return 10", "10", True),
        ("LIMITS = [lambda value: value > 10]", "10", True),
        ("class Limits:\n    slow: int = 10", "10", False),
    ],
)
def test_only_what_runs_when_it_is_called_is_met_by_tests_found_before(text, changed, is_live):
    assert is_in_a_function(text, text.index(changed)) == is_live


def test_the_tests_of_a_question_are_its_own_and_those_of_a_module_lie_beside_it():
    assert mutate_rules.tests_of("agtrace/diagnostics/health/judge.py") == "tests/diagnostics/health"
    assert mutate_rules.tests_of("agtrace/diagnostics/health/said/restart.toml") == "tests/diagnostics/health"
    assert mutate_rules.tests_of("agtrace/diagnostics/base.py") == "tests/diagnostics"
    assert mutate_rules.tests_of("agtrace/thresholds.py") == "tests/test_thresholds.py"
