"""Write the relations of what happened into docs/store.md and docs/store/, from agtrace/tables/history.py.

python tools/document_relations.py           write the pages
python tools/document_relations.py --check   check that they are up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa

from agtrace.store.columns import sql_type
from agtrace.tables.history import RELATIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "store.md"
PLACE = re.compile(
    r"(?<=<!-- relations: written by tools/document_relations.py -->\n).*(?=<!-- end of relations -->)", re.S
)
SUBJECTS = {
    "failovers": ("Failovers, roles and restarts", "roles failovers standstills restarts incidents timeline"),
    "health": (
        "Health of servers and databases",
        "reference_clock component_health processor_minutes long_waits database_faults recoveries",
    ),
    "commits": (
        "Log transport and commits",
        "streams log_blocks commit_waits flow_control redo_locks hadr_traces log_growths",
    ),
    "seedings": ("Seeding", "seedings seeding_states seeding_progress"),
    "backups": ("Backups and load tests", "backups zeroed_files trials"),
    "groups": (
        "Groups and replicas",
        "groups replicas database_states group_options group_databases topology instance_nodes ag_names"
        " databases",
    ),
    "network": (
        "Connections, listeners, routing and cluster",
        "connections listeners routing cluster_settings cluster_items",
    ),
    "servers": (
        "Servers",
        "server_starts server_versions server_properties server_options trace_flags power_plans"
        " filter_drivers network_facts collections",
    ),
    "sessions": (
        "Waits, blocked redo and readers",
        "waits file_io hadr_requests blocked_redo long_transactions version_stores readable_roles"
        " row_versions temporary_statistics",
    ),
    "logs": (
        "Log entries and counters",
        "log_entries log_messages os_events cluster_log rowsets counter_values",
    ),
    "coverage": ("Coverage and gaps", "coverage log_gaps perfmon_gaps clock_steps unknown_offsets"),
}
"""The pages of docs/store/ that are written: their title and relations."""


def index() -> str:
    """Return the table of all relations, by subject."""
    rows = ["| subject | relations |", "|---|---|"]
    for page, (title, names) in SUBJECTS.items():
        links = ", ".join(f"[`{name}`](store/{page}.md#{name})" for name in names.split())
        rows.append(f"| [{title}](store/{page}.md) | {links} |")
    return "\n".join(rows)


def pages() -> dict[Path, str]:
    """Return the text of each page of relations."""
    named = [name for _title, names in SUBJECTS.values() for name in names.split()]
    assert sorted(named) == sorted(RELATIONS), set(named) ^ set(RELATIONS)
    return {
        PAGE.with_suffix("") / f"{page}.md": _page(title, names.split())
        for page, (title, names) in SUBJECTS.items()
    }


def _page(title: str, names: list[str]) -> str:
    declared = Counter(row(field) for name in names for field in RELATIONS[name])
    shared = {
        name: tuple(row(field) for field in RELATIONS[name] if declared[row(field)] > 1) for name in names
    }
    # The largest set that several relations have is described first, and named as a whole.
    sets = Counter(
        tuple(sorted(set(shared[one]) & set(shared[other]), key=list(declared).index))
        for one in names
        for other in names
        if one < other
    )
    most = max((each for each, n in sets.items() if n > 2 and len(each) > 2), key=len, default=())
    some = [each for each in declared if declared[each] > 1 and each not in most]
    parts = [f"# {title}\n", "[store.md](../store.md) explains times and types.\n"]
    if most:
        parts += ["Base columns, of many relations:\n", "\n".join([*most, ""])]
    if some:
        parts += ["Columns of several relations:\n", "\n".join([*some, ""])]
    return "\n".join([*parts, *(described(name, RELATIONS[name], most, some) for name in names)])


def described(name: str, schema: pa.Schema, most: tuple[str, ...], some: list[str]) -> str:
    """Return the section of one relation: the meaning of a row, and of each column of its own."""
    rows = {row(field): field.name for field in schema}
    has_base = bool(most) and rows.keys() >= set(most)
    shared = ["the base columns"] if has_base else [f"`{rows[each]}`" for each in rows if each in most]
    shared += [f"`{rows[each]}`" for each in rows if each in some]
    sentence = f"One row per {text(schema, 'row')}."
    if shared:
        sentence += f" It has {', '.join(shared)}."
    own = [each for each in rows if each not in most and each not in some]
    return "\n".join([f"## `{name}`\n", f"{sentence}\n", *own]) + "\n"


def row(field: pa.Field) -> str:
    """Return the line of a column: its name with type and unit, and its meaning."""
    unit = text(field, "unit")
    typed = "" if kind(field) == "VARCHAR" else f" {kind(field)}"
    return f"- `{field.name}`{typed}{unit and ', '}{unit}: {text(field, 'meaning')}"


def text(declared: pa.Schema | pa.Field, key: str) -> str:
    """Return a text of the metadata."""
    return (declared.metadata or {}).get(key.encode(), b"").decode()


def kind(field: pa.Field) -> str:
    """Return the type of a column without the quotes around names."""
    return sql_type(field.type).replace('"', "")


def main() -> int:
    """Write or check the pages, and return the exit status."""
    parser = argparse.ArgumentParser(description="Write the relations into docs/store.md and docs/store/.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    after = pages()
    after[PAGE] = PLACE.sub(lambda _found: f"\n{index()}\n\n", PAGE.read_text(encoding="utf-8"))
    old = [page for page, told in after.items() if not page.is_file() or page.read_text("utf-8") != told]
    if check:
        for page in old:
            name = page.relative_to(PAGE.parent)
            print(f"docs/{name} is not up to date: run python tools/document_relations.py")
        return int(bool(old))
    for page in old:
        page.write_text(after[page], encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
