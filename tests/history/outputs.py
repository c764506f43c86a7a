"""Cases of support outputs: texts put into a folder, and relations of what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import agtrace


def relation(folder: Path, query: str, **outputs: str | bytes) -> list[tuple[Any, ...]]:
    """Put outputs into a case and ask it; ``__`` in a name stands for the dot."""
    folder.mkdir(exist_ok=True)
    for name, text in outputs.items():
        data = text.encode() if isinstance(text, str) else text
        (folder / name.replace("__", ".")).write_bytes(data)
    with agtrace.open_case(folder) as case:
        return case.sql(query).fetchall()
