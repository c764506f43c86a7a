"""Each way in which the health of a group is told, for words.txt beside this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from agtrace.diagnostics.health import (
    connections,
    failed_over,
    groups,
    noted,
    servers,
    settings,
    story,
    summary,
)
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.told import Told
from agtrace.history.coverage import Coverage, Stretch
from agtrace.say.finding import Finding
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, findings, reason, restart, told
from tests.folded import folded

LIMITS = Thresholds()
SYSTEMS: list[dict[str, str]] = [{"A": "Windows", "B": "Windows"}, {"A": "Linux", "B": "Linux"}]
NOTHING: dict[str, set[str]] = {"A": set(), "B": set()}


def state(seconds: float, host: str, before: str, after: str) -> dict[str, Any]:
    return event(
        seconds, host, "replica_state", ag="AG", before=before, after=after, text=f"{before} to {after}"
    )


NAMED = [
    [event(60, "A", "processors_busy", value=99.0, sql_percent=percent, unit="%")] for percent in (33.0, 90.0)
] + [
    [event(90, "A", "long_io", value=ms, unit="ms", thing=name) for name in names]
    for ms, names in ((36_000.0, ["E:\\a.mdf", "L:\\a.ldf", "M:\\b.ndf"]), (None, ["E:\\a.mdf"]))
]
"""What names the thing of a cause: who took the processors, which files were slow."""


def watched(**until: float) -> Coverage:
    return Coverage(Stretch(host, None, "ERRORLOG", at(0), at(end)) for host, end in until.items())


def of_failovers() -> Iterator[Finding]:
    named = SAID._file("failover")["terms"]
    for platforms in SYSTEMS:
        for cause in (name for name in SAID._file("causes") if name != "whom"):
            chosen = {"switched": ("planned", "ddl_forced"), "either": ("open", "ddl_failover")}
            mode, root = chosen.get(cause, ("automatic", cause))
            yield from _failed_over(platforms, mode=mode, cause=root, trigger="lease_expired")
    for begin in (None, "something else on A", *(f"{kind} on A" for kind in named["begins"])):
        yield from _failed_over({}, start_source=begin)
    for mode in named["modes"]:
        yield from _failed_over({}, mode=mode, trigger="open", confidence=0.4)
    for cause in (*failed_over.MORE, "network"):
        for platforms in SYSTEMS:
            yield from _failed_over(platforms, captured=NOTHING, cause=cause, confidence=0.5)
    stood = reason(90, "A", "standstill", "stood still for 9 s")
    yield from _failed_over(
        {}, cause="standstill", reasons=[stood, *(reason(99, "A", "dump", "x") for _ in range(6))]
    )
    for events in NAMED:
        for root in ("cpu_starvation", "long_io"):
            made = told([failover(100, 108, cause=root)], events)
            yield from findings(failed_over.failovers, made, LIMITS)
    for kind in ("machine paused", "SQL Server silent", "open"):
        made = replace(told([failover(100, 108, cause="standstill")]), standstills=(still(kind),))
        yield from findings(failed_over.failovers, made, LIMITS)
    yield from _failed_over({}, seconds_without_primary=None, against=["one sign", "another"])
    yield from findings(failed_over.failovers, told([failover(None, 108, from_="")]), LIMITS)
    yield from _failed_over(
        {}, from_host=None, seconds_without_primary=None, reasons=[reason(99, "", "dump", "a dump")]
    )
    roles = [event(109, "B", "database_role", database="Sales", before="RESOLVING", after="PRIMARY")]
    back = [*roles, event(1008, "B", "connected", replica="A", ag="AG", skew_ms=2000.0)]
    for events in (roles, back):
        made = replace(told([failover(100, 108)], events), coverage=watched(B=7200))
        yield from findings(failed_over.failovers, made, LIMITS)
    rows = [failover(100, 108, ag="G1", failover_id=1), failover(100, 111, ag="G2", failover_id=2)]
    incident = {
        "incident_id": 1,
        "start": at(90),
        "end": at(200),
        "hosts": ["A", "B"],
        "failovers": [1, 2],
        "parts": [],
    }
    yield from findings(failed_over.failovers, replace(told(rows), incidents=(incident,)), LIMITS)


def _failed_over(platforms: dict[str, str], captured: Any = None, **more: Any) -> list[Finding]:
    made = replace(told([failover(100, 108, **more)], platforms=platforms), captured=captured)
    return findings(failed_over.failovers, made, LIMITS)


def of_stories() -> Iterator[str]:
    kinds = [
        reason(90 + n / 100, "A", kind, "its text") for n, kind in enumerate((*sorted(story.WORDED), "else"))
    ]
    left = reason(100, "A", "replica_state", "gone") | {"own_time": at(102)}
    late, entry = left | {"time": at(131)}, reason(108, "B", "replica_state", "in place")
    roles = [
        event(109, "B", "database_role", database=name, before="RESOLVING", after="PRIMARY") for name in "XY"
    ]
    back = event(170, "B", "connected", replica="A", ag="AG", skew_ms=1000.0)
    slow = reason(95, "A", "processors_busy", "busy")
    for reasons, events, more in (
        (kinds, [], {}),
        ([left, entry], roles[:1], {}),
        ([entry, late, slow], [*roles, back, *NAMED[0]], {"confidence": 0.5, "against": ["one sign"]}),
        ([entry, slow], NAMED[1], {"mode": "planned"}),
        ([entry], NAMED[2], {"start": None, "seconds_without_primary": None}),
        ([entry], NAMED[3], {"from_host": None}),
    ):
        made = told([failover(100, 108, reasons=reasons) | more], events)
        yield from _told(replace(made, coverage=watched(B=7200), captured=NOTHING))
    for kind in ("machine paused", "SQL Server silent", "open"):
        for more in ({}, {"seconds_high": 300.0, "kept_running": ["B", "C"]}):
            made = told([failover(100, 108, cause="standstill", reasons=[entry])])
            yield from _told(replace(made, standstills=(still(kind, **more),)))
    lost = [
        state(10, "A", "RESOLVING_NORMAL", "PRIMARY_NORMAL"),
        state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
    ]
    offline = event(130, "B", "online_failed", ag="AG", text="why not")
    both = [lost[0], state(60, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"), lost[1]]
    stays = state(140, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL")
    yield from _told(replace(told(events=[*lost, offline, stays]), coverage=watched(A=7200, B=7200)))
    resigned = state(200, "B", "PRIMARY_NORMAL", "RESOLVING_NORMAL")
    yield from _told(told(events=[*both, resigned]))


def _told(case: Told) -> Iterator[str]:
    doubled = groups.two_primaries(case, LIMITS)
    judged = [*failed_over.failovers(case, LIMITS, doubled), *groups.no_primary(case, LIMITS), *doubled]
    found = story.stories(case, judged)
    assert found
    shown = summary.told(found, found[0], SAID)
    yield SAID.page("story", {"incident": shown.first})
    yield from (line.what for each in shown.told for line in each.more)


def of_connections() -> Iterator[Finding]:
    lost, back = (
        event(100, "A", "connection_timeout", replica="B", ag="AG"),
        event(900, "A", "connected", replica="B", ag="AG"),
    )
    short = event(90, "A", "memory_low", text="40 MB left")
    look = {"host_id": "A", "replica": "B", "time": at(860), "content_id": "log-A", "line": 4}
    gap = {"host_id": "A", "from_s": at(150).timestamp(), "to_s": at(5000).timestamp()}
    database = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(708, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    kinds = ("restart", *connections.CLUSTER)
    explained = [event(100, "B", kind, **({"end": 160.0} if kind == "restart" else {})) for kind in kinds]
    for events in (
        [lost, back],
        [short, lost, back],
        [lost],
        database,
        *([one, lost, back] for one in explained),
    ):
        yield from findings(connections.lost_connections, told(events=events), LIMITS)
    role = state(110, "A", "SECONDARY_NORMAL", "RESOLVING_NORMAL")
    many = [each | {"time": at(n * 60 + each["time"].minute)} for n in range(25) for each in (lost, back)]
    for case in (
        told(events=[lost], last=120),
        told(events=[lost, back, role]),
        replace(told(events=[lost]), connected=(look,)),
        replace(told(events=[lost]), left_out=(gap,)),
        replace(told(events=[lost, back]), coverage=watched(A=7200)),
        replace(told(events=[lost, back]), standstills=(still("machine paused"),)),
        told(events=many),
    ):
        yield from findings(connections.lost_connections, case, LIMITS)[:1]


def still(kind: str, **more: Any) -> dict[str, Any]:
    return {
        "host_id": "A", "sql_instance": None, "start": at(80), "end": at(400), "seconds_low": 300.0,
        "seconds_high": 320.0,
        "kind": kind, "clock_gained_s": None, "kept_running": [], "witnesses": [],
    } | more  # fmt: skip


def of_servers() -> Iterator[Finding]:
    busy = event(60, "A", "processors_busy", value=97.0, unit="%", text="processors 97 %")
    stills = [
        still("machine paused", clock_gained_s=320.0, seconds_low=320.0, kept_running=["B"]),
        still("SQL Server silent"),
        still("SQL Server silent", clock_gained_s=0.1), still("open"), still("open", clock_gained_s=9.0),
        still("clock stepped", clock_gained_s=-9.0),
        still("clock stepped", clock_gained_s=9.0, kept_running=["B"]),
    ]  # fmt: skip
    for events in ([], [busy]):
        yield from findings(
            servers.standstills, replace(told(events=events), standstills=tuple(stills)), LIMITS
        )
    slow = [
        event(100, "A", "long_io", value=39_000.0),
        event(410, "A", "long_io", value=16_000.0),
        event(900, "A", "long_io"),
    ]
    yield from findings(servers.long_io, told(events=[slow[2]]))
    yield from findings(
        servers.long_io, replace(told(events=slow), standstills=(still("machine paused", start=at(300)),))
    )
    lease = event(306, "A", "lease_expired", ag="AG", text="19407", value=206.0)
    left = reason(306, "A", "replica_state", "PRIMARY_NORMAL to RESOLVING_NORMAL")
    for rows in (
        [], [failover(101, 108)], [failover(306, 310, reasons=[left]) | {"seconds_without_primary": None}],
        [failover(100, 108, trigger="open", cause="open", reasons=[left])],
    ):  # fmt: skip
        yield from findings(servers.leases, told(rows, [event(250, "A", "dump", text="a dump"), lease]))
    yield from findings(servers.leases, told([], [lease | {"value": None}]))
    for kind in ("stopped", "shutdown", "died", "open"):
        asked = 100 if kind in servers.ASKED else None
        row = restart(kind, asked, 100, gone=150, ready=160, missed_by="B", missed_since=at(110))
        for platforms in (*SYSTEMS, {}):
            yield from findings(servers.restarts, told(restarts=(row,), platforms=platforms))
        for skew in (-2000.0, 2000.0):
            events = [event(0, "A", "ready", skew_ms=skew)]
            nodes = tuple(
                {
                    "host_id": "A",
                    "sql_instance": "MSSQLSERVER",
                    "time": at(time),
                    "node": name,
                    "content_id": "log-A",
                    "line": 1,
                }
                for time, name in ((-3000, "NODE1"), (151, "NODE2"))
            )
            yield from findings(servers.restarts, told([], events, restarts=(row,), nodes=nodes))


def of_groups() -> Iterator[Finding]:
    entered = [
        state(0, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(100, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    ]
    rows = [
        each | {"skew_ms": 0.0} for each in [*entered, state(476, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]
    ]
    for ends, signs in (((), ()), (((90, 476),), ()), (((90, 453),), ()), ((), (210,))):
        stills = tuple(still("open", start=at(start), end=at(end)) for start, end in ends)
        made = told(events=[*rows, *(event(each, "A", "dump", skew_ms=0.0) for each in signs)])
        one = replace(made, standstills=stills, coverage=watched(A=7200, B=7200))
        yield from findings(groups.two_primaries, one, Thresholds())
    run = [
        failover(time, time + 10, cause=cause)
        for time, cause in ((100, "network"), (4000, "network"), (9000, "dump"))
    ]
    refused = event(9100, "B", "online_failed", ag="AG", text="it did not come online")
    for events in ([], [refused]):
        yield from findings(groups.flapping, told(run, events), LIMITS)
    lost = state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")
    member = tuple({"ag": "AG", "replica": name} for name in "AB")
    refused = event(110, "A", "failover_refused", ag="AG", text="not synchronised")
    for case in (told(events=[lost, refused]), told(events=[lost], members=member, captured=NOTHING)):
        yield from findings(groups.no_primary, case, LIMITS)
    left = event(600, "A", "resource_left", "cluster log", ag="AG", after="Failed", text="Online-->Failed")
    before = event(599, "A", "lease_lost", "cluster log", ag="AG", text="the lease is gone")
    yield from findings(groups.left, told(events=[left | {"after": None}]), [{"host": "A"}], LIMITS)
    yield from findings(
        groups.left, told(events=[before, left, left | {"host_id": "B"}]), [{"host": "A"}], LIMITS
    )
    yield from findings(groups.left, told(events=[left, left | {"time": at(1200)}]), [{"host": "A"}], LIMITS)


def of_settings() -> Iterator[Finding]:
    place = {"content_id": "log-A", "line": 3, "host_id": "A"}
    values = {
        "SameSubnetDelay": 2000,
        "SameSubnetThreshold": 2,
        "CrossSubnetDelay": 1000,
        "quorum_type": "NODE_MAJORITY",
    }
    rows = [
        {"scope": "cluster", "item": "C", "setting": name, "value": str(value)} | place
        for name, value in values.items()
    ]
    for name, value in {"LeaseTimeout": 10_000, "HealthCheckTimeout": 15_000}.items():
        rows.append({"scope": "group", "item": "AG", "setting": name, "value": str(value)} | place)
    rows += [
        {"scope": "member", "item": name, "setting": "quorum_votes", "value": "1"} | place for name in "AB"
    ]
    looks = [{"ag": "AG", "health_check_timeout_ms": 30_000} | place]
    replicas = [
        {"ag": "AG", "replica": name, "failover_mode": "MANUAL", "session_timeout_s": 5} | place
        for name in "AB"
    ]
    yield from findings(settings.settings, told(), rows, looks, replicas, LIMITS)


def of_notes() -> Iterator[Finding]:
    texts = [{"text": text, "n": 1, "content_id": "log-A", "line": 7} for text in ("one text", "another")]
    row = {"host_id": "A", "n": 1, "explained": 0, "busiest": 100, "first": at(1), "last": at(1),
        "is_local": False,
           "source": "ERRORLOG", "texts": texts[:1]}  # fmt: skip
    many = {"n": 200, "explained": 200, "last": at(900), "is_local": True, "texts": texts}
    waits = [
        {"host_id": "A", "wait_type": name, "n": 2, "longest_ms": 60_000.0, "first": at(1), "last": at(9),
         "peak": at(5),
         "content_id": "log-A", "line": 1}
        for name in ("LCK_M_X", "RESOURCE_SEMAPHORE", "PAGEIOLATCH_SH")
    ]  # fmt: skip
    components = ("system", "resource", "query_processing", "io_subsystem")
    states = [
        event(n, "A", "component_state", text=f"component {name}: x", after="warning")
        for n, name in enumerate(components)
    ]
    other = event(9, "B", "component_state", text="component events: x", after="error")
    for platforms in SYSTEMS:
        made = told(events=[*states, other], platforms=platforms)
        rows = [row | {"kind": kind.kind} | more for kind in noted.KINDS for more in ({}, many)]
        yield from findings(noted.noted, made, rows, waits, LIMITS)
    for one in waits:
        yield from findings(noted.noted, told(), [], [one], LIMITS)


def pages() -> Iterator[str]:
    rows = [failover(100, 108), failover(200, 208, mode="planned"), failover(300, 308, mode="open")]
    events = [event(10, "A", "connection_timeout", ag="AG"), event(70, "B", "connected", ag="AG")]
    nameless = [each | {"ag": None} for each in events]
    leases = findings(servers.leases, told(events=[event(9, "A", "lease_expired", ag="AG", text="19407")]))
    flaps = findings(groups.flapping, told([failover(time, time + 9) for time in (100, 400, 900)]), LIMITS)
    made: list[tuple[Told, list[Finding]]] = [
        (told(), []), (told(rows, events), [*leases * 2, *flaps]), (told(rows[:1], events), leases),
        (told([], nameless), []),
    ]  # fmt: skip
    for case, found in made:
        yield SAID.page("summary", summary.summary(case, found))
        if case.events:
            yield SAID.page("quiet", summary.summary(case, found))
    for n in (0, 1, 25):
        case = told([failover(100 * k, 100 * k + 8) for k in range(1, n + 1)])
        yield SAID.page("failovers", summary.stories(case, findings(failed_over.failovers, case, LIMITS)[:2]))
        yield SAID.page(
            "missing", summary.missing(replace(told(events=events), captured=NOTHING if n else None))
        )


@folded(
    "ways", [of_failovers, of_stories, of_connections, of_servers, of_groups, of_settings, of_notes, pages]
)
def test_the_words_are_those_that_were_read(ways):
    assert list(ways())
