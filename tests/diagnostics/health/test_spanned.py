"""An I/O request that spans a gap in the log means a machine that was suspended."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import Health
from tests.diagnostics.health.test_noted import with_lines

LONG = "A | {} | long_io | 833 | count=3; seconds=15; file=F:\\o.mdf; duration_ms={}"


@pytest.mark.parametrize(
    ("entries", "at", "ms", "ids"),
    [
        ((3600,), 295_200, 291_650_000, ["health.standstill"]),
        ((3600, 200_000), 295_200, 291_650_000, ["health.long_io"]),
        ((3600,), 4000, 400_000, ["health.long_io"]),
    ],
)
def test_an_io_request_that_spans_the_gap_is_a_suspension(entries, at, ms, ids):
    lines = [(seconds, None, "an entry") for seconds in entries]
    made = with_lines(*lines, messages=LONG.format(at, ms))
    shown = [one for one in Health(made).findings() if one.id in ("health.long_io", "health.standstill")]
    assert [one.id for one in shown] == ids
    if ids == ["health.standstill"]:
        assert shown[0].evidence[0].value == 291_600
        assert "suspended for 3 d 9 h" in shown[0].title
