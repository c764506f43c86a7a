"""What the figures draw of seedings made by hand."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from agtrace.diagnostics.seeding import figures
from agtrace.diagnostics.seeding.analysis import Seeding
from agtrace.diagnostics.seeding.figures import MOST, cores, timeline, waits
from agtrace.diagnostics.seeding.limits import NETWORK, Limiter, Waits
from agtrace.diagnostics.seeding.study import SLOT, Seeded
from agtrace.history.seedings import SOURCE, TARGET, Reason, State
from agtrace.measure.usage import SERIES, CoreLoads
from agtrace.say.colours import FAINT, INK, STEPS
from tests.diagnostics.seeding.cases import at, copy
from tests.diagnostics.seeding.made import operation, seeded, side, stall, study, usage
from tests.diagnostics.tiny import case


def states(*rows: tuple[float, str, float | None]) -> tuple[State, ...]:
    return tuple(
        State(at(begin), name, None if end is None else at(end), None if end is None else at(end))
        for begin, name, end in rows
    )


def of_states(
    number: int = 1, *, source: Any = (), target: Any = (), phases: Any = (), **more: Any
) -> Seeded:
    ends = {
        "source": side(SOURCE, "A", states=states(*source), phases=states(*phases)),
        "target": side(TARGET, "B", states=states(*target)),
    }
    return seeded(of=operation(number, **ends, **more))


def bars(fig: Any) -> list[tuple[Any, ...]]:
    """Name, lanes, milliseconds, texts inside and whether it stands in the legend, of each trace."""
    return [
        (trace.name, list(trace.y), [float(x) for x in trace.x], list(trace.text), trace.showlegend)
        for trace in fig.data
    ]


WHOLE = [
    (0, "PENDING", 1.9),
    (1.9, SLOT, 20),
    (20, "SEEDING", 100),
    (100, "COMPLETED", 100),
    (100, "X", None),
]


def test_a_bar_for_each_state_that_lasted_and_one_entry_for_those_too_short_to_see():
    """SEEDING lasts 80 s: under 1.6 s a state has no entry of its own, from 16 s on it bears its name."""
    one = of_states(source=[(0, "PENDING", 1.59), (2, SLOT, 17.9), (18, "CATCHUP", 34), (34, "SEEDING", 114)])
    assert bars(timeline(study(one))) == [
        ("short states", ["A (source)"], [1590.0], [""], True),
        (SLOT, ["A (source)"], [15900.0], [""], True),
        ("CATCHUP", ["A (source)"], [16000.0], ["CATCHUP: 16 s"], True),
        ("SEEDING", ["A (source)"], [80000.0], ["SEEDING: 1 min 20 s"], True),
    ]


def test_states_without_a_length_are_not_drawn():
    one = of_states(source=WHOLE, target=[(5, "PENDING", 5)], phases=[(20, "SendingData", 60)])
    assert [(name, lanes) for name, lanes, *_ in bars(timeline(study(one)))] == [
        ("PENDING", ["A (source)"]),
        (SLOT, ["A (source)"]),
        ("SEEDING", ["A (source)"]),
        ("SendingData", ["A, copy"]),
    ]


def test_each_state_stands_in_the_legend_once_however_many_panels_show_it():
    fig = timeline(study(of_states(1, source=WHOLE), of_states(2, target=WHOLE)))
    assert [(name, is_first) for name, *_, is_first in bars(fig)] == [
        (name, is_first) for is_first in (True, False) for name in ("PENDING", SLOT, "SEEDING")
    ]
    assert [each.yaxis for each in fig.data] == ["y"] * 3 + ["y2"] * 3


def test_colours_and_patterns_tell_states_apart():
    fig = timeline(study(of_states(source=WHOLE)))
    looks = {
        each.name: (each.marker.color, each.marker.pattern.shape, each.textfont.color) for each in fig.data
    }
    assert looks == {
        "PENDING": (STEPS[6], "+", INK),
        SLOT: (STEPS[1], "x", INK),
        "SEEDING": (STEPS[0], "", "#ffffff"),
    }
    assert {(each.marker.pattern.size, each.marker.pattern.fgopacity, each.width) for each in fig.data} == {
        (9, 0.35, 0.7)
    }


def test_panels_are_as_high_as_their_lanes_and_named_by_their_seeding():
    fig = timeline(study(of_states(1, source=WHOLE), of_states(2, source=WHOLE, target=WHOLE)))
    first, second = (axis.domain for axis in (fig.layout.yaxis, fig.layout.yaxis2))
    share = (first[1] - first[0]) / (second[1] - second[0])
    assert round(share, 6) == round(2 / 3, 6)
    assert round(first[0] - second[1], 6) == 0.16
    assert {(each.x, each.xanchor, each.font.size) for each in fig.layout.annotations} == {(0, "left", 13)}
    assert fig.layout.height == 166 + 44 + 74 + 88 + 74
    assert (fig.layout.legend.y, fig.layout.barmode) == (1 - 46 / fig.layout.height, "overlay")
    assert [axis.title.text for axis in (fig.layout.xaxis, fig.layout.xaxis2)] == [None, "time (UTC)"]
    assert {axis.autorange for axis in (fig.layout.yaxis, fig.layout.yaxis2)} == {"reversed"}


def test_the_longest_is_so_by_the_seeding_else_by_its_copy():
    shown = figures._shown(
        study(
            *(of_states(n, end=at(n), copy_end=at(9)) for n in range(10, 10 + MOST)),
            of_states(1, start=None, copy_end=at(500)),
            of_states(2, start=None, copy_end=None),
        ),
        lambda _: True,
    )
    assert [each.operation.number for each in shown] == [1, 11, 12, 13, 14, 15]


@pytest.mark.parametrize(
    ("found", "title"),
    [
        ([seeded(slot=stall(SLOT, 9.9))], "States of each seeding, on source and target"),
        ([seeded(slot=stall(SLOT, 10))], f"Seeding 1 waited 10 s in {SLOT}"),
        (
            [seeded(slot=stall(SLOT, 10)), seeded(of=operation(2), slot=stall(SLOT, 20))],
            f"Seeding 2 waited 20 s in {SLOT}",
        ),
        ([seeded()], "States of each seeding, on source and target"),
        ([], "No states captured"),
    ],
)
def test_the_title_of_the_timeline_names_the_longest_wait_for_a_slot(found, title):
    assert timeline(study(*found)).layout.title.text == title


# Rate.

COPIES = copy("A", "source", 0, 100) + copy("B", "target", 0, 100, guids="b a")
DRAWN = r"""
A | \Network Interface(nic)\Bytes Sent/sec     | 31x100000000
B | \Network Interface(nic)\Bytes Received/sec | 31x200000000
A | \LogicalDisk(D:)\Disk Read Bytes/sec       | 31x300000000
B | \LogicalDisk(D:)\Disk Write Bytes/sec      | 31x400000000
"""


def test_the_rate_of_the_copy_stands_beside_wire_and_disks_of_both_ends():
    fig = Seeding(case(DRAWN, events=COPIES)).fig_rate()
    assert [(each.name, float(each.y[5]), each.line.dash) for each in fig.data] == [
        ("database, between progress reports", 10.0, "solid"),
        ("sent by the source", 100.0, "solid"),
        ("received by the target", 200.0, "dot"),
        ("disks of the source, read", 300.0, "dash"),
        ("disks of the target, written", 400.0, "dashdot"),
    ]
    assert (fig.layout.margin.t, fig.layout.xaxis.hoverformat) == (112, ",.0f")
    assert [(each.x0, each.x1, each.opacity) for each in fig.layout.shapes] == [(0, 100, 0.12)]


def test_without_reports_the_counter_of_one_host_is_the_rate():
    rows = [("A", 10, 1000.0), ("B", 10, 2000.0), ("A", 20, 3000.0)]
    series = pa.Table.from_pylist(
        [
            {"window": 1, "host": host, "resource": "backup_restore", "time": at(seconds), "value": value}
            for host, seconds, value in rows
        ],
        SERIES,
    )
    (line,) = figures._lines(seeded(), series, 0)
    assert (line.name, list(line.times), list(line.values)) == (
        "database, Backup/Restore Throughput/sec", [10.0, 20.0], [1000.0, 3000.0]
    )  # fmt: skip
    assert figures._lines(seeded(), SERIES.empty_table(), 0) == []


# Cores and waits.


def loads(host: str, *means: float) -> CoreLoads:
    return CoreLoads(1, host, {str(n): mean for n, mean in enumerate(means)}, 20)


def test_the_load_of_each_core_by_host():
    one = seeded(cores=(loads("A", 90.0, 30.0), loads("B", 50.0, 50.0)))
    two = seeded(of=operation(2), cores=(loads("A", 80.0, 80.0),))
    fig = cores(study(one, two), {"A": "#123456"})
    told = [
        (each.name, list(each.x), list(each.y), each.showlegend, each.marker.color, each.marker.pattern.shape)
        for each in fig.data
    ]
    assert told == [
        ("A", ["0", "1"], [90.0, 30.0], True, "#123456", ""),
        ("B", ["0", "1"], [50.0, 50.0], True, FAINT, "/"),
        ("A", ["0", "1"], [80.0, 80.0], False, "#123456", ""),
    ]
    assert {(each.marker.pattern.size, each.marker.pattern.fgopacity) for each in fig.data} == {(8, 0.45)}
    assert fig.layout.title.text == "Cores of A at 30 to 90 % in seeding 1, the least even"
    assert (fig.layout.height, fig.layout.margin.t, fig.layout.barmode) == (550, 112, "group")
    assert round(fig.layout.yaxis.domain[0] - fig.layout.yaxis2.domain[1], 6) == round(48 / 380, 6)
    assert [axis.title.text for axis in (fig.layout.xaxis, fig.layout.xaxis2)] == [None, "core"]
    assert list(fig.layout.yaxis.range) == [0, 100]


def waiting(number: int, share: float = 0.25, limit: Any = None) -> Seeded:
    ends = tuple(
        Waits(role, host, 1, 3, share, 0.8, NETWORK) for role, host in ((SOURCE, "A"), (TARGET, "B"))
    )
    return seeded(of=operation(number), limiter=Limiter(limit, 0.8, Reason("waits_alone"), ends))


def test_waits_are_shares_of_the_copy_by_disk_and_network():
    fig = waits(study(waiting(1), seeded(of=operation(2))))
    assert [(each.name, list(each.y), [round(x, 6) for x in each.x]) for each in fig.data] == [
        ("disk waits", ["1: A (source)", "1: B (target)"], [20.0, 20.0]),
        ("network waits", ["1: A (source)", "1: B (target)"], [60.0, 60.0]),
    ]
    assert [each.marker.pattern.shape for each in fig.data] == ["/", ""]
    assert (fig.layout.height, fig.layout.barmode, fig.layout.hovermode) == (306, "stack", "y unified")
    assert waits(study()).layout.height == 268
    assert fig.layout.xaxis.title.text == "% of the copy's time"


# Redo.


@pytest.mark.parametrize(
    ("of", "resource", "highest", "title"),
    [
        (operation(), "recovery_queue", 9.0, "Redo after a copy was not captured"),
        (operation(), "redo", 0.0, "Redo after a copy was not captured"),
        (operation(target=None), "redo", 9.0, "Redo after each copy"),
        (operation(copy_end=None), "redo", 9.0, "Redo after each copy"),
    ],
)
def test_redo_is_drawn_of_a_target_that_redid(of, resource, highest, title):
    own = seeded(of=of, redo=(usage("B", resource, 9.0, highest=highest),))
    fig = figures.redo(study(own), case())
    assert (len(fig.data), fig.layout.title.text) == (0, title)
