"""What stays of a long series, and how figures are made safe and comparable."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agtrace.say import figures
from agtrace.say.figures import Band, Line

START = np.datetime64("2026-03-05T14:00:00", "us")


def seconds(*at: float) -> np.ndarray:
    return START + (np.array(at) * 1e6).astype("timedelta64[us]")


def test_importing_the_module_does_not_import_plotly():
    code = "import sys, agtrace.say.figures; print('plotly' in sys.modules, 'pandas' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False False\n"


def test_a_short_series_is_kept_as_it_is():
    t, v = figures.reduce(seconds(0, 5, 10, 15), [1.0, 2.0, 3.0, 2.5])
    assert t.tolist() == seconds(0, 5, 10, 15).tolist()
    assert v.tolist() == [1.0, 2.0, 3.0, 2.5]


def test_a_step_of_more_than_three_median_steps_breaks_the_line():
    t, v = figures.reduce(seconds(0, 5, 10, 25, 41, 46), [1, 2, 3, 4, 5, 6])
    # 15 s is three median steps: kept together. 16 s is more: broken, in the middle.
    assert t.tolist() == seconds(0, 5, 10, 25, 33, 41, 46).tolist()
    np.testing.assert_array_equal(v, [1, 2, 3, 4, np.nan, 5, 6])


def test_a_long_series_keeps_extremes_ends_and_gaps():
    at = np.arange(1_000_000.0)
    at[600_000:] += 7200
    values = np.sin(at / 1000)
    values[123_456], values[777_777] = 40, -40
    t, v = figures.reduce(seconds(*at), values)
    assert len(t) <= 4000
    assert (v[0], v[-1]) == (values[0], values[-1])
    assert t[np.nanargmax(v)] == seconds(at[123_456])[0]
    assert t[np.nanargmin(v)] == seconds(at[777_777])[0]
    gap = np.flatnonzero(np.isnan(v)).tolist()
    assert len(gap) == 1
    assert seconds(at[599_999])[0] == t[gap[0] - 1]
    assert seconds(at[600_000])[0] == t[gap[0] + 1]


def test_a_gap_narrower_than_a_pixel_still_breaks_the_line():
    at = np.arange(100_000.0)
    at[50_000:] += 20
    _, v = figures.reduce(seconds(*at), np.ones(100_000))
    assert np.isnan(v).sum() == 1


def test_when_gaps_are_too_many_the_longest_stay():
    at = np.cumsum(np.tile([1.0, 1.0, 1.0, 10.0], 500))
    at[1000:] += 1000
    t, v = figures.reduce(seconds(*at), np.arange(2000.0), points=100)
    assert len(t) <= 100
    assert any(np.isnan(v[(t > seconds(at[999])) & (t < seconds(at[1000]))]))


def test_blanks_are_dropped_and_never_zero():
    t, v = figures.reduce(seconds(0, 5, 10, 15), [np.nan, 1.0, np.nan, 2.0])
    assert t.tolist() == seconds(5, 15).tolist()
    assert v.tolist() == [1.0, 2.0]


def test_times_are_sorted_and_zones_become_utc():
    times = pd.Series(pd.to_datetime(["2026-03-05T09:00:05-05:00", "2026-03-05T14:00:00Z"], utc=True))
    t, v = figures.reduce(times.dt.tz_convert("America/New_York"), [2, 1])
    assert t.tolist() == seconds(0, 5).tolist()
    assert v.tolist() == [1, 2]


@pytest.mark.parametrize("n", [0, 1])
def test_almost_nothing_is_fine(n):
    t, v = figures.reduce(seconds(*range(n)), np.ones(n))
    assert (len(t), len(v)) == (n, n)


@pytest.mark.complete
@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.floats(-1e9, 1e9)), min_size=2, max_size=400),
    st.integers(5, 60),
)
@settings(max_examples=200, deadline=None)
def test_any_series_stays_within_the_budget_with_its_extremes(rows, points):
    at, values = np.array([r[0] for r in rows], float), np.array([r[1] for r in rows])
    t, v = figures.reduce(seconds(*at), values, points=points)
    assert len(t) <= max(points, 5)
    assert (np.nanmin(v), np.nanmax(v)) == (values.min(), values.max())
    assert (t[1:] >= t[:-1]).all()
    given_pairs = set(zip(seconds(*at).tolist(), values.tolist(), strict=True))
    known = ~np.isnan(v)
    assert set(zip(t[known].tolist(), v[known].tolist(), strict=True)) <= given_pairs


def two_panels():
    t = seconds(0, 5, 10, 60, 65)
    return figures.lines(
        [
            Line("JBSAG3 <b>", t, np.array([1, 2, 3, 4, 5]) * 1e6),
            Line("JBSAG1", t, np.array([1, 2, 3, 4, 5]) * 1e5),
            Line("JBSAG1", t[:2], np.array([120, 130]) * 1e3, panel=1),
            Line("idle", t[:0], np.array([]), panel=1),
        ],
        title="Log & <i>queues</i>",
        unit=("log B/s", "B"),
        panels=("rate <x>", "queue"),
        bands=[Band(t[1], t[2], "<script>")],
    )


def test_describe_tells_the_content_of_a_figure():
    assert figures.describe(two_panels()) == (
        "JBSAG3 <b>: 5 points, 1 to 5 log MB/s, 1 gap\n"
        "JBSAG1: 5 points, 0.1 to 0.5 log MB/s, 1 gap\n"
        "JBSAG1: 2 points, 120 to 130 KB, 0 gaps\n"
        "idle: 0 points, 0 gaps"
    )


def test_describe_tells_in_which_rows_moments_are_marked_not_where_in_a_row():
    fig = go.Figure()
    fig.add_scatter(x=seconds(0, 5, 10), y=[-0.34, -0.34, 0.66], name="leases", mode="markers")
    fig.add_scatter(x=seconds(5), y=[-0.34], name="health checks", mode="markers")
    fig.add_scatter(x=[], y=[], name="cluster", mode="markers")
    fig.update_yaxes(tickvals=[0, 1], ticktext=["SQL1", "SQL2"])
    assert figures.describe(fig) == (
        "leases: 3 points on SQL1 and SQL2\nhealth checks: 1 point on SQL1\ncluster: 0 points"
    )


def test_describe_tells_the_values_beside_named_rows():
    fig = go.Figure()
    fig.add_scatter(x=[22.0, 167.0], y=[0, 1], name="p50", mode="markers")
    fig.update_yaxes(tickvals=[0, 1], ticktext=["default", "BUFFERCOUNT = 50"])
    fig.update_xaxes(title_text="MB/s")
    assert figures.describe(fig) == "p50: 2 points, 22 to 167 MB/s, 0 gaps"


def test_describe_parts_several_figures_by_an_empty_line():
    one = figures.lines([Line("a", seconds(0, 5), np.array([1, 2]))], title="t")
    assert figures.describe(one, one) == "a: 2 points, 1 to 2, 0 gaps\n\na: 2 points, 1 to 2, 0 gaps"
    assert figures.describe() == "nothing to draw"


def test_text_from_captures_is_escaped_in_every_label():
    fig = two_panels()
    assert fig.layout.title.text == "Log &amp; &lt;i&gt;queues&lt;/i&gt;"
    assert [a.text for a in fig.layout.annotations] == ["rate &lt;x&gt;", "queue", "&lt;script&gt;"]
    assert fig.data[0].name == "JBSAG3 &lt;b&gt;"


def test_many_lines_have_few_points_each():
    times = START + np.arange(10_000).astype("timedelta64[s]")
    drawn = [Line(str(n), times, np.arange(10_000) * n) for n in range(100)]
    fig = figures.lines(drawn, title="T")
    assert 100 <= max(len(trace.x) for trace in fig.data) <= figures.MOST_POINTS // 100 == 400


def test_a_name_has_one_colour_and_one_legend_entry_in_all_panels():
    fig = two_panels()
    assert fig.data[1].line.color == fig.data[2].line.color != fig.data[0].line.color
    assert [t.showlegend for t in fig.data] == [True, True, False, True]


def test_the_same_figure_is_the_same_json(capsys):
    assert two_panels().to_json() == two_panels().to_json()
    assert not {"scattergl"} & {t["type"] for t in json.loads(two_panels().to_json())["data"]}


def test_show_displays_the_mimetype_and_nothing_else(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append((bundle, raw)))
    figures.show(two_panels())
    [(bundle, raw)] = shown
    assert raw is True
    assert list(bundle) == ["application/vnd.plotly.v1+json"]
    config = bundle["application/vnd.plotly.v1+json"]["config"]
    assert config["showSendToCloud"] is False, "a case's data must not be one click from a public service"


@pytest.mark.parametrize("values", [[], [None, None], None])
def test_a_figure_without_a_value_is_a_line_of_words(monkeypatch, values):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: shown.append((bundle, raw)))
    traces = [go.Scatter(x=values, y=values), go.Bar(y=values)]
    figures.show(go.Figure(traces, layout={"title": {"text": "R&amp;D *"}}))
    empty = {
        figures.EMPTY: {"title": "R&D *"},
        "text/markdown": "*R&#38;D &#42;: nothing to draw.*",
        "text/plain": "R&D *: nothing to draw.",
    }
    assert shown == [(empty, True)]


def test_every_figure_ends_with_an_escaped_title_its_height_and_what_else_it_sets():
    layout = figures.finish(go.Figure(), "<b>", 300, legend_above=True, barmode="stack").layout
    assert (layout.title.text, layout.height, layout.barmode) == ("&lt;b&gt;", 300, "stack")
    assert layout.legend.yanchor == "top"
