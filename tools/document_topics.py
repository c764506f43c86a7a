"""Write docs/topics.md: what the rows of messages and facts say, from the readers' declarations.

python tools/document_topics.py           write it
python tools/document_topics.py --check   say whether it is up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from agtrace.readers import readers, topics
from agtrace.tables.topics import Topic

PAGE = Path(__file__).resolve().parent.parent / "docs" / "topics.md"

HEAD = """# What messages and facts say: topics

Written by `tools/document_topics.py` from what the readers declare (`agtrace/readers/<name>/topics.py`); edit there.

The column `topic` of [`messages` and `facts`](store.md) names one of these. A row of `messages` holds its values in the map `fields`, as text:

```python
case.sql(
    "select host_id, time, fields['ag'] as ag, fields['new_state'] as state from messages where topic = 'replica_state'"
)
```

A fact has one row per value; rows of one content, topic and `item` belong together:

```python
case.sql("select host_id, item, value::double as ms from facts where topic = 'ping' and key = 'rtt_avg_ms'")
```

A value that a text does not say is absent. `*` in a name stands for any text. For messages a unit is that of the text's number, for facts it stands in the column `unit`, too.
Message ids are those of `sys.messages`; texts that are hard-coded in SQL Server have none, unless an error pair gives one.
"""  # noqa: E501


def section(topic: Topic) -> str:
    """Give the section of a topic."""
    given_by = ", ".join(each.name for each in readers() if topic in each.topics)
    what = "Message" if topic.table == "messages" else "Item"
    lines = [f"### `{topic.name}`", "", f"{what}: {topic.row}. Reader: {given_by}."]
    if topic.message_ids:
        lines[-1] += f" Message ids: {', '.join(map(str, topic.message_ids))}."
    if topic.values:
        lines += ["", "| value | unit | meaning |", "|---|---|---|"]
        lines += [
            f"| `{value.name}` | {value.unit} | {value.meaning.replace('|', chr(92) + '|')} |"
            for value in topic.values
        ]
    return "\n".join(lines) + "\n"


def page() -> str:
    """Give the whole page."""
    parts = [HEAD]
    for table in ("messages", "facts"):
        parts.append(f"## Topics of `{table}`\n")
        parts += [section(topic) for topic in topics().values() if topic.table == table]
    return "\n".join(parts)


def main() -> int:
    """Write or check, and give the exit status."""
    parser = argparse.ArgumentParser(description="Write docs/topics.md.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if before == page():
        return 0
    if check:
        print("docs/topics.md is not up to date: run python tools/document_topics.py")
        return 1
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
