"""What the analysis of health asks of a case, and what of its findings it takes into account."""

from __future__ import annotations

from agtrace.diagnostics.health import Health
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import told
from tests.diagnostics.health.standings import database, standing
from tests.diagnostics.tiny import case

LIMITS = Thresholds()


def judged(id_, **subject):
    return Judged(said="", id=id_, severity="notice", subject=subject, evidence=(), confidence=0.9)


def too_few(found, standings=None):
    analysis = Health(case())
    most = {"host_id": "A", "sql_instance": "", "most": 41, "created": None, "content_id": "log-A"}
    analysis.__dict__.update(
        told=told(),
        _standings=[standing("A", [database()])] if standings is None else standings,
        _rows=lambda name: [most] if name == "workers_most.sql" else [],
    )
    return [each.subject["host"] for each in analysis._workers(LIMITS, found)]


def test_a_host_whose_workers_ran_out_is_not_told_that_they_could():
    assert too_few([]) == ["A"]
    assert too_few([judged("health.workers", host="A", kind="not_started")]) == []
    assert too_few([judged("health.workers", host="B"), judged("health.workers", kind="not_started")]) == [
        "A"
    ]
    assert too_few([judged("health.memory", host="A"), judged("health.lease", ag="AG")]) == ["A"]
    assert too_few([], standings=[]) == []


def test_without_a_look_no_replica_is_judged():
    analysis = Health(case())
    assert (analysis._standings, analysis._ready) == ([], [])


WAIT = "A | {} | wait_info | wait_type=LCK_M_X; duration={}"


def test_waits_of_half_a_minute_are_asked_for():
    made = case(events="\n".join(WAIT.format(310 + n, ms) for n, ms in enumerate((29_999, 30_000, 30_100))))
    (found,) = Health(made)._waits(LIMITS)
    assert (found["n"], found["longest_ms"]) == (2, 30_100)
    made = case(events="A | 310 | wait_info | wait_type=LCK_M_X")
    assert Health(made)._waits(LIMITS) == []
    assert Health(case())._waits(LIMITS) == []


KEPT = "A | 310 | error_reported | {}"


def test_errors_that_a_session_kept_are_asked_for_where_it_has_their_text():
    made = case(events=KEPT.format("error_number=701; message=out of memory"))
    assert [(row["kind"], row["source"]) for row in Health(made)._noted()] == [
        ("out_of_memory", "Extended Events")
    ]
    assert Health(case(events=KEPT.format("error_number=701")))._noted() == []
