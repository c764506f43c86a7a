"""Write docs/topics.md and docs/topics/: the values of messages and facts, from the readers' declarations.

python tools/document_topics.py           write the pages
python tools/document_topics.py --check   check that they are up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from agtrace.readers import readers, topics
from agtrace.tables.topics import Topic, Value

PAGE = Path(__file__).resolve().parent.parent / "docs" / "topics.md"

HEAD = """# Topics of messages and facts

Written by `tools/document_topics.py` from the declarations of the readers (`agtrace/readers/<name>/topics.py`); edit there.

The column `topic` of [`messages` and `facts`](store.md) has one of these values. A row of `messages` has its values in the map `fields`, as text:

```python
case.sql(
    "select host_id, time, fields['ag'] as ag, fields['new_state'] as state from messages where topic = 'replica_state'"
)
```

A fact has one row per value. Rows of one content, topic and `item` belong together:

```python
case.sql("select host_id, item, value::double as ms from facts where topic = 'ping' and key = 'rtt_avg_ms'")
```

A value that a text lacks is absent. `*` in a name matches any text. The unit of a message is that of the number in its text; for facts it is also in the column `unit`. Message ids are those of
`sys.messages`. Texts hard-coded in SQL Server have no id, unless an error pair names one.
"""  # noqa: E501

GROUPS = """
ag_failure cluster connection data_movement database_connection database_unavailable endpoint lease
parallel_redo preparing replica_manager replica_state role_change seeding_failed seeding_trace
state_information sync_state
"""
CAPTURES = """
ag_name ag_topology blg_header cluster_log cluster_log_section cluster_setting collection errorlog_file
errorlog_gap errorlog_replica event_log lease_sample pacemaker_event pacemaker_log pacemaker_status
pdh_header repeated_hour startup startup_flag trace_flag xel_file
"""
LOAD_TESTS = ("hammerdb", "sqlquerystress", "iostat")
TITLES = {
    "messages_groups": "Messages: groups and replicas",
    "messages_servers": "Messages: backups, databases and servers",
    "facts_captures": "Facts: logs and captures",
    "facts_outputs": "Facts: commands and queries",
    "facts_load_tests": "Facts: load tests",
}

COMMON = 2
"""Topics of a page with the same value from which it is described once."""


def page_of(topic: Topic) -> str:
    """Return the name of the page with a topic."""
    if topic.table == "messages":
        return "messages_groups" if topic.name in GROUPS.split() else "messages_servers"
    if topic.name.startswith(LOAD_TESTS):
        return "facts_load_tests"
    return "facts_captures" if topic.name in CAPTURES.split() else "facts_outputs"


def section(topic: Topic, common: list[str], usual: str) -> str:
    """Return the section of a topic; ``usual`` are the readers of most topics of its page."""
    lines = [f"## `{topic.name}`", "", f"{topic.row[0].upper()}{topic.row[1:]}."]
    if (sources := sources_of(topic)) != usual:
        lines[-1] += f" Reader: {sources}."
    if topic.message_ids:
        lines[-1] += f" Message ids: {', '.join(map(str, topic.message_ids))}."
    if shared := [f"`{value.name}`" for value in topic.values if row(value) in common]:
        lines[-1] += f" Common values: {', '.join(shared)}."
    if own := [row(value) for value in topic.values if row(value) not in common]:
        lines += ["", *own]
    return "\n".join(lines) + "\n"


def sources_of(topic: Topic) -> str:
    """Return the names of the readers that declare a topic."""
    return ", ".join(each.name for each in readers() if topic in each.topics)


def row(value: Value) -> str:
    """Return the line of a value: its name, meaning and unit."""
    unit = f" ({value.unit})" if value.unit else ""
    return f"- `{value.name}`: {value.meaning}{unit}"


def pages() -> dict[Path, str]:
    """Return the text of each page."""
    every = sorted(topics().values(), key=lambda topic: topic.name)
    found = {}
    rows: list[str] = []
    for name, title in TITLES.items():
        own = [topic for topic in every if page_of(topic) == name]
        parts = [f"# {title}\n", "[topics.md](../topics.md) explains the values.\n"]
        counted = Counter(row(value) for topic in own for value in topic.values)
        if common := [each for each, n in counted.items() if n >= COMMON]:
            parts += ["Values of several topics:\n", "\n".join([*sorted(common), ""])]
        usual = Counter(map(sources_of, own)).most_common(1)[0][0]
        parts.append(f"Reader, unless named: {usual}.\n")
        parts += [section(topic, common, usual) for topic in own]
        found[PAGE.with_suffix("") / f"{name}.md"] = "\n".join(parts)
        rows.append(f"- [{title}](topics/{name}.md)")
    return {PAGE: "\n".join([HEAD, *rows, ""]), **found}


def main() -> int:
    """Write or check the pages, and return the exit status."""
    parser = argparse.ArgumentParser(description="Write docs/topics.md and docs/topics/.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    after = pages()
    old = [page for page in after if not page.is_file() or page.read_text("utf-8") != after[page]]
    for page in old:
        if check:
            name = page.relative_to(PAGE.parent)
            print(f"docs/{name} is not up to date: run python tools/document_topics.py")
            continue
        page.parent.mkdir(exist_ok=True)
        page.write_text(after[page], encoding="utf-8", newline="\n")
    return int(check and bool(old))


if __name__ == "__main__":
    sys.exit(main())
