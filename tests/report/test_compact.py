"""What makes a page small keeps what a figure shows."""

from __future__ import annotations

import base64

import numpy as np

from agtrace.report.compact import LEAST, compact


def typed(values, kind="f8"):
    data = np.asarray(values, dtype=kind).tobytes()
    return {"dtype": kind, "bdata": base64.b64encode(data).decode()}


def of(given):
    return np.frombuffer(base64.b64decode(given["bdata"]), dtype=given["dtype"])


def test_instants_and_values_of_a_long_line_become_typed_arrays():
    times = [f"2024-03-05T12:00:{n % 60:02}.250000" for n in range(LEAST)]
    values = [*range(LEAST - 1), float("nan")]
    line = {"type": "scatter", "xaxis": "x2", "x": times, "y": typed(values)}
    made = compact({"data": [line], "layout": {"xaxis2": {"title": "t"}}})
    assert made["layout"] == {"xaxis2": {"title": "t", "type": "date"}}
    assert of(made["data"][0]["x"])[1] == np.datetime64("2024-03-05T12:00:01.250", "ms").astype(int)
    assert made["data"][0]["y"]["dtype"] == "f4"
    np.testing.assert_array_equal(of(made["data"][0]["y"]), np.array(values, dtype="f4"))


def test_what_is_short_or_no_time_or_too_large_stays():
    for x, y in (
        (["2024-03-05T12:00:00"], typed([1.5])),
        (["a"] * LEAST, typed([1e300] * LEAST)),
        (["2024-03-05T12:00:00+01:00"] * LEAST, [1] * LEAST),
        ([None, *["2024-03-05T12:00:00"] * LEAST], {"dtype": "i4", "bdata": ""}),
    ):
        spec = {"data": [{"x": x, "y": y}], "layout": {}}
        assert compact(spec) == spec
