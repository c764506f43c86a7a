"""Whether what a reader gave is what the readers declare."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables.topics import Topic


def undeclared(table: str, batch: pa.RecordBatch, declared: dict[tuple[str, str], Topic]) -> set[str]:
    """Return the contents of rows of ``messages`` or ``facts`` that no topic declares, one line each."""
    found = set()
    names = batch["topic"].to_pylist()
    if table == "messages":
        fields = ({name: "" for name, _value in row or ()} for row in batch["fields"].to_pylist())
    else:
        pairs = zip(batch["key"].to_pylist(), batch["unit"].to_pylist(), strict=True)
        fields = ({key: unit or ""} for key, unit in pairs)
    for name, row in zip(names, fields, strict=True):
        topic = declared.get((table, name))
        if topic is None:
            found.add(f"{table} {name}: no such topic")
            continue
        for key, unit in row.items():
            value = topic.value(key)
            if value is None:
                found.add(f"{table} {name}: {key!r} is not declared")
            elif table == "facts" and unit != value.unit:
                found.add(f"facts {name}: {key!r} has unit {unit!r}, declared is {value.unit!r}")
    return found
