"""Write docs/cookbook.md: the tasks of tests/test_cookbook.py with what they give.

python tools/document_cookbook.py           run the tasks and write it (a minute)
python tools/document_cookbook.py --check   say whether every task stands on it (status 1 when not)

A check runs nothing: it compares words and code. What the tasks give is held by their assertions.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

TASKS = ROOT / "tests" / "test_cookbook.py"
PAGE = ROOT / "docs" / "cookbook.md"
HEAD = """# Cookbook

Tasks in Python, SQL and pipelines, with their results. `case` is the sample `log_send_queue`, opened with `agtrace.open_case(folder)`; `agtrace sample log_send_queue` copies it.
Generated from [tests/test_cookbook.py](../tests/test_cookbook.py) by `make docs`; [lab.md](lab.md) explains the parameters.
"""  # noqa: E501
CODE = "```python"
MOST_LINES = 7
"""Lines of an output that are shown."""
CONSOLE = "```console"


@dataclass
class Part:
    """Code, or a command, and what it gave."""

    kind: str
    lines: list[str] = field(default_factory=list)
    gives: int = 0


@dataclass(frozen=True)
class Task:
    """One test."""

    name: str
    words: str
    parts: tuple[Part, ...]


def tasks() -> Iterator[Task]:
    """Read the tasks."""
    text = TASKS.read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Task(node.name, ast.get_docstring(node) or "", tuple(_parts(text, node.body[1:])))


def _parts(text: str, body: list[ast.stmt], indent: int = 4) -> list[Part]:
    parts: list[Part] = []

    def code(lines: str, gives: int = 0) -> None:
        if not parts or parts[-1].kind != "code" or parts[-1].gives:
            parts.append(Part("code"))
        parts[-1].lines += lines.splitlines()
        parts[-1].gives += gives

    for each in body:
        if isinstance(each, ast.Assert):
            continue
        source = "\n".join(text.splitlines()[each.lineno - 1 : each.end_lineno])
        source = textwrap.dedent(source)
        call = getattr(each, "value", None)
        called = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if called == "shell":
            assert isinstance(call, ast.Call)
            parts.append(Part("shell", [_command(text, call.args[0])], 1))
        elif called == "show":
            assert isinstance(call, ast.Call)
            code("\n".join(ast.get_source_segment(text, one) or "" for one in call.args), 1)
        elif isinstance(each, ast.With):
            # What is shown inside of it follows as a whole.
            shown = sum(
                isinstance(one, ast.Call) and getattr(one.func, "id", "") == "show" for one in ast.walk(each)
            )
            lines = [line for line in source.splitlines() if not line.strip().startswith("assert ")]
            code(re.sub(r"^(\s*)show\((.*)\)$", r"\1print(\2)", "\n".join(lines), flags=re.M), shown)
        else:
            code(source)
    return parts


def _command(text: str, word: ast.expr) -> str:
    source = ast.get_source_segment(text, word) or ""
    return (
        re.sub(r"^f?(\"\"\"|\"|')|(\"\"\"|\"|')$", "", source)
        .replace("{folder}", "case-1234")
        .replace("{work}/", "")
        .replace("{out}", "queue.csv")
    )


def page(given: Callable[[Task], list[str]]) -> str:
    """Return the page; ``given`` describes the outputs of a task."""
    told = [HEAD]
    for number, task in enumerate(tasks(), 1):
        title, _, rest = task.words.partition("\n")
        told.append(f"## {number}. {title.rstrip('.')}\n")
        if rest.strip():
            told.append(" ".join(rest.split()) + "\n")
        outputs = iter(given(task))
        for part in task.parts:
            shown = [next(outputs, "") for _ in range(part.gives)]
            text = _cut("\n".join(filter(None, shown)).rstrip())
            if part.kind == "shell":
                told.append("\n".join([CONSOLE, f"$ {part.lines[0]}", *([text] if text else []), "```\n"]))
                continue
            told.append("\n".join([CODE, *part.lines, "```\n"]))
            if text:
                told.append("\n".join(["```text", text, "```\n"]))
    return "\n".join(told)


def _cut(text: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:MOST_LINES], "..."] if len(lines) > MOST_LINES + 1 else lines)


def code_of(text: str) -> str:
    """Return a page without its outputs."""
    text = re.sub(r"```text\n.*?\n```\n\n?", "", text, flags=re.S)
    text = re.sub(r"(```console\n\$ [^\n]*\n).*?```", r"\1```", text, flags=re.S)
    # What stands on two lines in a function may fit on one of the page.
    return re.sub(r"[\s,]+", "", text)


def run(task: Task) -> list[str]:
    """Run a task, and give what it showed."""
    import agtrace
    from tests import cookbook, test_cookbook

    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        made: dict[str, object] = {}
        function = getattr(test_cookbook, task.name)
        for wanted in function.__code__.co_varnames[: function.__code__.co_argcount]:
            sample = "failover_lease_cpu" if wanted == "failover" else "log_send_queue"
            folder = place / "case-1234"
            if wanted != "work" and not folder.exists():
                left_out = shutil.ignore_patterns(".agtrace*", "agtrace-report")
                shutil.copytree(ROOT / "sample_data" / sample, folder, ignore=left_out)
            if wanted == "work":
                (place / "work").mkdir()
                made[wanted] = place / "work"
            else:
                made[wanted] = folder if wanted == "folder" else agtrace.open_case(folder)
        cookbook.told.clear()
        function(**made)
        shown = [each.replace(f"{place}/work/", "").replace(f"{place}/", "") for each in cookbook.told]
        for each in made.values():
            if isinstance(each, agtrace.Case):
                each.close()
    return ["\n".join(line.rstrip() for line in each.splitlines()) for each in shown]


def main() -> int:
    """Write or check, and give the exit status."""
    parser = argparse.ArgumentParser(description="Write the cookbook.")
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        if code_of(before) != code_of(page(lambda _task: [])):
            print("docs/cookbook.md is not up to date: run python tools/document_cookbook.py")
            return 1
        return 0
    PAGE.write_text(page(run), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
