"""The yardstick decoder itself, against the truth for every value of the real files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from simulation.formats import plain_xel
from tests.folded import folded
from tests.shared import CAPTURES, needs_captures

pytestmark = pytest.mark.complete

FILES = sorted([*CAPTURES.glob("xel/*.xel"), *CAPTURES.glob("failover_2017/*/*.xel")])


def truth(path: Path) -> list[dict]:
    """Return the expected events of a real file."""
    folder, name = path.parent, path.stem
    if folder.name != "xel":
        folder, name = folder.parent, f"{folder.name}__{name}"
    with gzip.open(folder / "expected" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def as_truth(event: dict) -> dict:
    """Return a decoded event as the truth has it: doubles as text, pairs as lists."""
    sides = {
        side: {
            name: [kind, str(value).removesuffix(".0") if kind == "Double" else value]
            for name, (kind, value) in event[side].items()
        }
        for side in ("fields", "actions")
    }
    return event | sides | {"ts": plain_xel.time_text(event["ts"])}


@needs_captures
@folded("path", FILES)
def test_every_event_and_value_of_a_real_file_equals_the_truth(path: Path) -> None:
    found = [as_truth(event) for event in plain_xel.events(path.read_bytes())]
    # As text: the order of fields and actions counts, and True is not 1.
    assert [json.dumps(event) for event in found] == [json.dumps(event) for event in truth(path)]


@needs_captures
def test_the_real_files_are_there() -> None:
    assert len(FILES) == 44
