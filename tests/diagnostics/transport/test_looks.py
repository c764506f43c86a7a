"""What a single look at a server says: commit modes, states, queues, waits."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import one, perfmon

VERSION = "P | 0 | startup | 17069 | product_version=13.0.5026.0"
MODE = "P | {at} | replicas | ag=AG; replica=S; role=SECONDARY; availability_mode={mode}_COMMIT"
DDL = "P | {at} | alwayson_ddl_executed | statement=ALTER AVAILABILITY GROUP [AG] MODIFY REPLICA ON N'S' WITH (AVAILABILITY_MODE = {mode}_COMMIT)"


def mode_of(made):
    transport = Transport(made)
    [studied] = transport.links()
    found = transport.study.known.modes.of(studied.link, transport.study.limits)
    return None if found is None else found.mode


def looks(*pairs):
    return "\n".join(MODE.format(at=at, mode=mode) for at, mode in pairs)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([(300, "SYNCHRONOUS")], "synchronous"),
        ([(-900, "ASYNCHRONOUS")], "asynchronous"),
        ([(9000, "ASYNCHRONOUS")], "asynchronous"),
        ([("-", "ASYNCHRONOUS")], "asynchronous"),
        ([(-900, "ASYNCHRONOUS"), (9000, "SYNCHRONOUS")], None),
        ([(-900, "ASYNCHRONOUS"), (-800, "SYNCHRONOUS")], "synchronous"),
        ([(300, "CONFIGURATION_ONLY")], None),
    ],
)
def test_a_look_tells_the_commit_mode(told, expected):
    assert mode_of(case(perfmon(), relations=looks(*told))) == expected


def test_a_look_after_a_statement_after_the_window_says_nothing():
    made = case(
        perfmon(),
        relations=looks((9000, "ASYNCHRONOUS")),
        events=DDL.format(at=8000, mode="ASYNCHRONOUS"),
    )
    assert mode_of(made) is None


def test_a_statement_before_and_a_look_that_agree():
    made = case(
        perfmon(),
        relations=looks((9000, "SYNCHRONOUS")),
        events=DDL.format(at=-60, mode="SYNCHRONOUS"),
    )
    assert mode_of(made) == "synchronous"


def test_commits_that_waited_outweigh_a_look():
    made = case(perfmon(mirrored="50", delay="100"), relations=looks((9000, "ASYNCHRONOUS")))
    assert mode_of(made) == "synchronous"


def test_the_look_is_evidence_where_commits_waited():
    found = one(
        case(perfmon(mirrored="50", delay="100"), relations=looks((9000, "SYNCHRONOUS"))),
        "commit_delay",
    )
    assert [(e.value, e.source) for e in found.evidence if e.label == "commit mode of S"] == [
        ("synchronous", "look-P, line 1")
    ]
    assert "S commits synchronously." in found.narrative
