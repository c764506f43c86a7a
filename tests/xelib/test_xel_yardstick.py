"""xelib and the plain decoder, held together value by value on real and on written files."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import xelib
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.formats import plain_xel
from tests.folded import folded
from tests.shared import needs_captures
from tests.xelib import xel_compared
from tests.xelib.arbitrary_xel import Written, files
from tests.xelib.test_plain_xel import FILES

pytestmark = pytest.mark.complete


def canonical(event: dict) -> str:
    """Return an event as text in which True is not 1; the order of actions is not in columns."""
    actions = dict(sorted(event["actions"].items()))
    return json.dumps(event | {"actions": actions})


@needs_captures
@folded("path", FILES)
def test_every_event_and_value_of_a_real_file_is_the_yardstick_s(path: Path) -> None:
    file = xelib.open_xel(path)
    found = xel_compared.events(list(file))
    expected = list(plain_xel.events(path.read_bytes()))
    assert [canonical(event) for event in found] == [canonical(event) for event in expected]
    assert file.faults == ()


@given(files(), st.data())
@settings(max_examples=60, deadline=None)
def test_every_event_and_value_of_a_written_and_cut_file_is_the_yardstick_s(
    written: Written, data: st.DataObject
) -> None:
    whole = written.data
    part = whole[: data.draw(st.integers(written.file.sector, len(whole)) | st.just(len(whole)))]
    found = xel_compared.events(list(xelib.open_xel(io.BytesIO(part))))
    expected = list(plain_xel.events(part))
    assert [canonical(event) for event in found] == [canonical(event) for event in expected]
