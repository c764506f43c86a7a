"""Single changes of judging code and of words, each of which some test should notice.

Python is read with `ast`: comparisons and tests are inverted, ``and`` and ``or`` exchanged, ``not`` left
out, numbers moved, but in modules that draw, where they are sizes and places. SQL: comparisons, ``and``
and ``or``, ``is null`` in WHERE, HAVING, QUALIFY, FILTER and CASE. TOML: each text is blanked, and each
condition of the Jinja2 template that it is inverted; Markdown beside it as one such text.
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

INVERTED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==",
            "is": "is not", "is not": "is", "in": "not in", "not in": "in"}  # fmt: skip
INVERTED_SQL = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "<>", "<>": "=", "!=": "=",
                "and": "or", "or": "and", "is null": "is not null", "is not null": "is null"}  # fmt: skip

DRAWS = {"figures.py", "lanes.py"}
JUDGING = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant, ast.IfExp)


@dataclass(frozen=True)
class Change:
    """What stands at one place, and what is put there instead.

    Parameters
    ----------
    start, end
        Characters of the file.
    kind
        comparison, logic, condition, number or blank.
    """

    start: int
    end: int
    new: str
    kind: str

    def applied(self, text: str) -> str:
        """Give the file with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def line(self, text: str) -> int:
        """Give the line, from 1."""
        return text.count("\n", 0, self.start) + 1


def changes(name: str, text: str) -> list[Change]:
    """Give every change of a file that leaves it valid, in the order of the file."""
    makers = {".py": of_python, ".sql": of_sql, ".toml": of_toml, ".md": of_markdown}
    found = {each for each in makers[PurePath(name).suffix](text) if each.applied(text) != text}
    if PurePath(name).name in DRAWS:
        found = {each for each in found if each.kind != "number"}
    return sorted(found, key=lambda each: (each.start, each.new))


# Python.


@functools.cache
def _bodies(text: str) -> list[range]:
    """Give the characters that are run when a function is called, and not as its module loads."""
    starts = _starts(text)
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            begin, end = body[0], body[-1]
            found.append(
                range(
                    starts(begin.lineno, begin.col_offset),
                    starts(end.end_lineno or 0, end.end_col_offset or 0),
                )
            )
    return found


def is_in_a_function(text: str, place: int) -> bool:
    """Tell whether a place of a module is run when a function is called, and not as the module loads."""
    return any(place in body for body in _bodies(text))


def _starts(text: str) -> Callable[[int, int], int]:
    """Give what gives the character of a line and of a byte in it."""
    lines = text.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(map(len, lines))]
    return lambda line, column: starts[line - 1] + len(lines[line - 1].encode()[:column].decode())


def of_python(text: str) -> Iterator[Change]:
    """Give the changes of a Python module."""
    tree = ast.parse(text)
    at = _starts(text)

    def span(node: ast.expr) -> tuple[int, int]:
        return at(node.lineno, node.col_offset), at(node.end_lineno or 0, node.end_col_offset or 0)

    def stands(node: ast.expr) -> bool:
        # Before Python 3.12, positions inside of f-strings are not those of the file.
        start, end = span(node)
        try:
            return ast.dump(ast.parse(f"({text[start:end]})", mode="eval").body) == ast.dump(node)
        except SyntaxError:
            return False

    for node in _judging(tree):
        if isinstance(node, JUDGING) and not stands(node):
            continue
        if isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                between = span(left)[1], span(right)[0]
                yield from _operators(
                    text, *between, r"not\s+in|is\s+not|[<>=!]=|<|>|\bis\b|\bin\b", INVERTED, "comparison"
                )
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:], strict=False):
                other = {"and": "or", "or": "and"}
                yield from _operators(text, span(left)[1], span(right)[0], r"\band\b|\bor\b", other, "logic")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield Change(
                span(node)[0],
                span(node.operand)[0],
                _kept_brackets(text, span(node)[0], span(node.operand)[0]),
                "condition",
            )
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            number = node.value
            moved = (
                [number + 1, number - 1]
                if isinstance(number, int)
                else [number * 1.5 + 0.1, number * 0.5 - 0.1]
            )
            yield from (
                Change(*span(node), f"({new!r})" if new < 0 else repr(new), "number") for new in moved
            )
        for test in _tests(node):
            if not isinstance(test, ast.Compare | ast.BoolOp) and not (
                isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
            ):
                start, end = span(test)
                yield Change(start, end, f"(not ({text[start:end]}))", "condition")


def _judging(tree: ast.AST) -> Iterator[ast.AST]:
    """Give all that is computed: neither annotations, nor what type checkers alone read, nor positions in a
    sequence or of a page in the report."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns") or (isinstance(tree, ast.Subscript) and name == "slice"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST):
                continue
            if (
                isinstance(node, ast.If)
                and isinstance(node.test, ast.Name)
                and node.test.id == "TYPE_CHECKING"
            ):
                continue
            if isinstance(tree, ast.ClassDef) and isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if [each.id for each in targets if isinstance(each, ast.Name)] == ["order"]:
                    continue
            yield node
            yield from _judging(node)


def _tests(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return [node.test]
    return list(node.ifs) if isinstance(node, ast.comprehension) else []


def _operators(
    text: str, start: int, end: int, pattern: str, other: dict[str, str], kind: str
) -> Iterator[Change]:
    """Give the change of the operator that stands between two operands; comments may stand there, too."""
    bare = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), text[start:end])
    if found := re.search(pattern, bare):
        yield Change(start + found.start(), start + found.end(), other[" ".join(found[0].split())], kind)


def _kept_brackets(text: str, start: int, end: int) -> str:
    return text[start:end].removeprefix("not").lstrip()


# SQL.

SQL_TOKEN = re.compile(
    r"""(?P<skip>--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|=>|:=|->>?|::)"""
    r"""|(?P<open>\()|(?P<close>\))"""
    r"""|(?P<null>\bis\s+(?:not\s+)?null\b)|(?P<operator><=|>=|<>|!=|<|>|=)|(?P<word>\b[a-z_]\w*\b)""",
    re.IGNORECASE | re.DOTALL,
)
BEGIN = {"where", "having", "qualify", "when"}
END = {
    "select",
    "from",
    "group",
    "order",
    "limit",
    "window",
    "union",
    "then",
    "join",
    "on",
    "using",
    "set",
    "values",
}


def of_sql(text: str) -> Iterator[Change]:
    """Give the changes of a query: where rows are chosen, not where relations are joined."""
    decides, between = False, 0
    outer: list[tuple[str, bool]] = []
    for token in SQL_TOKEN.finditer(text):
        word = " ".join(token[0].lower().split())
        if token["skip"]:
            continue
        if token["open"] or word == "case":
            outer.append((word, decides))
            decides = decides and word != "case"
        elif token["close"] or (word == "end" and outer and outer[-1][0] == "case"):
            decides = outer.pop()[1] if outer else False
        elif word in BEGIN:
            decides = True
        elif word in END:
            decides = False
        elif word == "between":
            between += 1
        elif word == "and" and between:
            between -= 1
        elif decides and word in INVERTED_SQL:
            kind = "logic" if word in ("and", "or") else "comparison"
            yield Change(*token.span(), INVERTED_SQL[word], kind)


# Words.

TOML_TEXT = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<quote>\"{3}|'{3})(?P<long>.*?)(?<!\\)(?P=quote)"""
    r"""|"(?P<basic>(?:[^"\\\n]|\\.)*)"|'(?P<literal>[^'\n]*)'""",
    re.DOTALL,
)
CONDITION = re.compile(
    r"\{%-?\s*(?:el)?if\s+(?P<block>.+?)\s*-?%\}|\bif\s+(?P<inline>[^{}%]+?)(?=\s+else\b|\s*-?\}\})",
    re.DOTALL,
)


def of_toml(text: str) -> Iterator[Change]:
    """Give the changes of a file of words; keys and headings stay."""
    for found in TOML_TEXT.finditer(text):
        group = next((name for name in ("long", "basic", "literal") if found[name] is not None), None)
        if group is None or _is_key(text, found.start(), found.end()):
            continue
        for change in _of_template(text, *found.span(group)):
            try:
                valid = tomllib.loads(change.applied(text)) != tomllib.loads(text)
            except tomllib.TOMLDecodeError:
                valid = False
            if valid:
                yield change


def _is_key(text: str, start: int, end: int) -> bool:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    is_heading = before.lstrip().startswith("[") and "=" not in before
    return is_heading or bool(re.match(r"\s*[=.\]]", text[end:]))


def of_markdown(text: str) -> Iterator[Change]:
    """Give the changes of a page of words."""
    yield from _of_template(text, 0, len(text))


def _of_template(text: str, start: int, end: int) -> Iterator[Change]:
    if text[start:end].strip():
        yield Change(start, end, "", "blank")
    for found in CONDITION.finditer(text, start, end):
        group = "block" if found["block"] else "inline"
        change = Change(*found.span(group), f"not ({found[group]})", "condition")
        if _is_template(change.applied(text)[start : end + len(change.new) - (change.end - change.start)]):
            yield change


def _is_template(source: str) -> bool:
    from jinja2 import Environment, TemplateSyntaxError

    try:
        Environment().parse(source)
    except TemplateSyntaxError as error:
        # Filters are the project's own, and known where words are said.
        return "No filter" in str(error) or "No test" in str(error)
    return True
