"""Write the relations of what happened into docs/store.md, from agtrace/tables/history.py.

python tools/document_relations.py           write it
python tools/document_relations.py --check   say whether it is up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import pyarrow as pa

from agtrace.store.columns import sql_type
from agtrace.tables.history import RELATIONS

ROOT = Path(__file__).resolve().parent.parent

PAGE = ROOT / "docs" / "store.md"
PLACE = re.compile(
    r"(?<=<!-- relations: written by tools/document_relations.py -->\n).*(?=<!-- end of relations -->)", re.S
)


def described(name: str, schema: pa.Schema) -> str:
    """Give the section of one relation: what a row is, and a row of text for each column."""
    rows = [
        f"### `{name}`\n\nOne row per {text(schema, 'row')}.\n",
        "| column | type | unit | meaning |",
        "|---|---|---|---|",
    ]
    rows += [
        f"| {field.name} | {kind(field)} | {text(field, 'unit')} | {text(field, 'meaning')} |"
        for field in schema
    ]
    return "\n".join(rows) + "\n"


def text(declared: pa.Schema | pa.Field, key: str) -> str:
    """Give a text of the metadata, fit for a cell."""
    return (declared.metadata or {}).get(key.encode(), b"").decode().replace("|", r"\|")


def kind(field: pa.Field) -> str:
    """Name the type of a column for a reader, who needs no quotes around names."""
    return sql_type(field.type).replace('"', "")


def main() -> int:
    """Write or check, and give the exit status."""
    parser = argparse.ArgumentParser(description="Write the relations into docs/store.md.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    before = PAGE.read_text(encoding="utf-8")
    tables = "\n" + "\n".join(described(*each) for each in RELATIONS.items()) + "\n"
    after = PLACE.sub(lambda _found: tables, before)
    if check and before != after:
        print("docs/store.md is not up to date: run python tools/document_relations.py")
        return 1
    if before != after:
        PAGE.write_text(after, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
