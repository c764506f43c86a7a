"""Write agtrace/diagnostics/<question>/rows.py: a record for the rows of each query that its Python names.

python tools/write_rows.py           write them
python tools/write_rows.py --check   report whether they are up to date (status 1 when not)

The record of ``members_down.sql`` is called MembersDown. DuckDB derives its columns and their types from the
schemas of agtrace/tables. Columns that can be NULL are named in the query: ``-- null: start, end``. Fields of
a structure can be NULL unless the query says otherwise: ``-- not null: parts.time``.
"""

from __future__ import annotations

import argparse
import ast
import keyword
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import agtrace

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "agtrace" / "diagnostics"
NULL = re.compile(r"^-- null: (.*)$", re.M)
WHOLE = re.compile(r"^-- not null: (.*)$", re.M)
PARAMETER = re.compile(r"\$([a-z_]\w*)")
TYPES = {
    "VARCHAR": "str",
    "BOOLEAN": "bool",
    "DOUBLE": "float",
    "FLOAT": "float",
    "TINYINT": "int",
    "SMALLINT": "int",
    "INTEGER": "int",
    "UINTEGER": "int",
    "BIGINT": "int",
    "UBIGINT": "int",
    "HUGEINT": "int",
    "TIMESTAMP": "datetime",
    "TIMESTAMP WITH TIME ZONE": "datetime",
    "INTERVAL": "timedelta",
}
HEAD = '''"""Rows of the queries of this folder. Written by tools/write_rows.py; do not edit."""

from __future__ import annotations
'''


class Records:
    """The classes of one question."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}
        self.whole: set[str] = set()

    def add(self, query: Path, columns: list[tuple[str, Any]]) -> None:
        """Add the class of a query.

        Raises
        ------
        ValueError
            A column cannot be a field of a record, has a type that none of agtrace's tables has, or the
            query names a column that it does not return.
        """
        text = query.read_text(encoding="utf-8")
        nullable, whole = names(NULL, text), names(WHOLE, text)
        self.whole = {f"{camel(query.stem)}{part(name)}" for name in whole}
        if unknown := nullable - {name for name, _kind in columns}:
            raise ValueError(f"{query.name}: no column {', '.join(sorted(unknown))}")
        self._add(camel(query.stem), f"A row of {query.name}.", columns, nullable)

    def _add(self, name: str, meaning: str, columns: list[tuple[str, Any]], nullable: set[str]) -> None:
        fields = []
        for column, kind in columns:
            if column.startswith("_") or keyword.iskeyword(column) or hasattr(tuple, column):
                raise ValueError(
                    f"{name}: a record cannot have a field {column}: give the column another name"
                )
            python = self._python(kind, f"{name}{camel(column)}")
            fields.append(f"    {column}: {python}{' | None' if column in nullable else ''}")
        self.classes[name] = "\n".join([f"class {name}(NamedTuple):", f'    """{meaning}"""', "", *fields])

    def _python(self, kind: Any, name: str) -> str:
        if kind.id in ("list", "array"):
            return f"list[{self._python(kind.children[0][1], singular(name))}]"
        if kind.id == "struct":
            # What a part lacks is not known here: a relation may hold NULL in any of it.
            lacking = {each for each, _ in kind.children if f"{name}.{each}" not in self.whole}
            self._add(name, f"A part of a row: {name}.", kind.children, lacking)
            return name
        if kind.id == "map":
            key, value = (self._python(each, name) for _part, each in kind.children)
            return f"dict[{key}, {value}]"
        if kind.id == "decimal":
            return "Decimal"
        if kind.id == "enum":
            return "str"
        if str(kind) not in TYPES:
            raise ValueError(f"{name}: no type of Python for {kind}")
        return TYPES[str(kind)]

    def text(self) -> str:
        """Return the module."""
        body = "\n\n\n".join(self.classes.values())
        imports = [f"from {module} import {', '.join(names)}" for module, names in self._imports(body)]
        return f"{HEAD}\n" + "\n".join(imports) + f"\n\n\n{body}\n"

    @staticmethod
    def _imports(body: str) -> list[tuple[str, list[str]]]:
        wanted = {"datetime": ["datetime", "timedelta"], "decimal": ["Decimal"], "typing": ["NamedTuple"]}
        used = {
            module: [name for name in names if re.search(rf"\b{name}\b", body)]
            for module, names in wanted.items()
        }
        return [(module, names) for module, names in used.items() if names]


def camel(name: str) -> str:
    """Return the name of a class for a query or a column: ``members_down`` gives ``MembersDown``."""
    return "".join(part.capitalize() for part in name.split("_"))


def singular(name: str) -> str:
    """Return the name of one of several: ``Witnesses`` gives ``Witness``."""
    return name.removesuffix("es") if name.endswith("sses") else name.removesuffix("s")


def part(field: str) -> str:
    """Return the class and field of a part of a column: ``parts.time`` gives ``Part.time``."""
    column, _, name = field.partition(".")
    return f"{singular(camel(column))}.{name}"


def names(pattern: re.Pattern[str], query: str) -> set[str]:
    """Return the columns that the lines of a query list."""
    return {name.strip() for found in pattern.findall(query) for name in found.split(",")}


def named(question: Path) -> set[str]:
    """Return the names that the modules of a question import from its rows.py."""
    own = f"agtrace.diagnostics.{question.name}.rows"
    return {
        name.name
        for path in question.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == own
        for name in node.names
    }


def described(view: Any, query: str) -> list[tuple[str, Any]]:
    """Return the columns of a query and their types; its parameters are NULL."""
    view.compute(query)
    result = view.connection.sql(query, params=dict.fromkeys(PARAMETER.findall(query)))
    return list(zip(result.columns, result.types, strict=True))


def modules() -> dict[Path, str]:
    """Return the text of rows.py of each question that has queries of its own."""
    found: dict[Path, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty.txt").write_text("no capture\n", encoding="utf-8")
        with agtrace.open_case(folder, store=Path(folder) / "store") as case:
            for question in sorted(path.parent for path in QUESTIONS.glob("*/analysis.py")):
                records, wanted = Records(), named(question)
                for query in sorted(question.glob("*.sql")):
                    if camel(query.stem) in wanted:
                        records.add(query, described(case.view, query.read_text(encoding="utf-8")))
                if records.classes:
                    found[question / "rows.py"] = records.text()
    return found


def main() -> int:
    """Write or check, and return the exit status."""
    parser = argparse.ArgumentParser(description="Write the records of the queries of each question.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = [
        (path, text)
        for path, text in modules().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        if check:
            print(f"{path.relative_to(ROOT)} is not up to date: run python tools/write_rows.py")
        else:
            path.write_text(text, encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
