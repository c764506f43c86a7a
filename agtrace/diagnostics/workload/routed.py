"""The finding about routing: whether reads went where it would send them, and what was configured."""

from __future__ import annotations

from agtrace.diagnostics.workload import routes as lists
from agtrace.diagnostics.workload import routing as routes
from agtrace.diagnostics.workload import wording as say
from agtrace.diagnostics.workload.curves import tool_of
from agtrace.diagnostics.workload.hosts import BATCHES
from agtrace.diagnostics.workload.routes import Routes
from agtrace.diagnostics.workload.routing import Routing
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

ROUTING_CONFIDENCE = {
    routes.SHOWN: 0.85,
    routes.BASIC: 0.9,
    routes.NO_READS: 0.8,
    routes.ONE_SIDE: 0.5,
    routes.NO_ACTIVITY: 0.4,
}
NOT_SHOWN = "routing not shown to have taken effect"


def of_routing(found: list[Routing], window: dict[str, str], configured: Routes) -> list[Finding]:
    """Say per verdict whether reads went where routing would send them, and what was configured."""
    by_verdict: dict[str, list[Routing]] = {}
    for each in found:
        by_verdict.setdefault(each.verdict, []).append(each)
    return [_routing(verdict, each, window, configured) for verdict, each in by_verdict.items()]


def _routing(verdict: str, found: list[Routing], window: dict[str, str], configured: Routes) -> Finding:
    tools = words.listing([tool_of(each.workload) for each in found])
    if verdict == routes.NO_ACTIVITY:
        return _routing_not_captured(tools, found, window)
    shown = verdict == routes.SHOWN
    readers = sorted({host for each in found for host in each.readers})
    secondaries = words.listing([words.plain(host) for host in readers]) or "the secondary"
    went = " ".join(_went(each) for each in found if each.shares)
    why = {
        routes.SHOWN: f"{secondaries} served reads that it did not serve without routing.",
        routes.BASIC: f"The group is a basic availability group ({found[0].basic}): its secondary is not "
        "readable, so no read can have been routed to it. Whatever differs between the two configurations has another cause.",
        routes.NO_READS: f"{secondaries} shows no read activity beyond what it has without routing.",
        routes.ONE_SIDE: "Only one replica was captured, so where the other reads went is not seen.",
    }[verdict]
    first = f"Routed reads went to {secondaries} ({tools})" if shown else f"{NOT_SHOWN} ({tools})"
    return Finding(
        id="workload.routing",
        severity="info" if shown else "warning",
        title=say.capital(first),
        narrative=" ".join(filter(None, (why, lists.say(configured, basic=verdict == routes.BASIC), went))),
        subject={"workload": tools, "configuration": say.name(found[0].routed)},
        window=window,
        evidence=(*_shares(found), *lists.evidence(configured)),
        recommendation="" if shown else _remedy(verdict, configured),
        confidence=ROUTING_CONFIDENCE[verdict],
    )


def _remedy(verdict: str, configured: Routes) -> str:
    if verdict == routes.NO_READS and configured.is_empty:
        return "Set READ_ONLY_ROUTING_URL and READ_ONLY_ROUTING_LIST of every replica; then test again."
    return _REMEDY[verdict]


_REMEDY = {
    routes.BASIC: "A readable secondary and read-only routing need an availability group that is not basic "
    "(Enterprise Edition). Look for the cause of the difference elsewhere: order of the tests, cache, what else ran.",
    routes.NO_READS: "Check that the clients connect to the listener with ApplicationIntent=ReadOnly and a database of "
    "the group, that SECONDARY_ROLE allows connections, and READ_ONLY_ROUTING_URL and READ_ONLY_ROUTING_LIST "
    "(`sys.availability_read_only_routing_lists`); then test again.",
    routes.ONE_SIDE: "Capture perfmon on every replica during the tests: Batch Requests/sec, disk counters, "
    "Database Replica counters.",
}


def _routing_not_captured(tools: str, found: list[Routing], window: dict[str, str]) -> Finding:
    """Say that nothing shows where reads went: neither that they were routed, nor that they were not."""
    return Finding(
        id="quality.not_captured",
        severity="notice",
        title=f"Not captured: whether reads were routed ({tools})",
        narrative=(
            "Read-only routing was on, and no perfmon sample of any replica lies within the tests, or "
            "their times are not known: where the reads went is not seen."
        ),
        subject={"workload": tools, "configuration": say.name(found[0].routed)},
        window=window,
        evidence=(Evidence("replicas captured during the tests", 0, "n", "perfmon"),),
        recommendation=(
            "Capture perfmon on every replica during the tests, and have the tools write timestamps."
        ),
        confidence=ROUTING_CONFIDENCE[routes.NO_ACTIVITY],
    )


def _went(found: Routing) -> str:
    told = []
    for configuration in filter(None, (found.without, found.routed)):
        parts = [
            f"{words.plain(share.host)} {share.share * 100:.0f} %"
            for share in found.shares
            if share.configuration == configuration
        ]
        if parts:
            told.append(f"{say.name(configuration)}: {words.listing(parts)}")
    counted = "batch requests" if found.counter == BATCHES else "disk reads"
    return f"{tool_of(found.workload)}, share of {counted}: {'; '.join(told)}."


def _shares(found: list[Routing]) -> list[Evidence]:
    listed = []
    for each in found:
        for share in each.shares:
            where = f"{tool_of(each.workload)}, {words.plain(share.host)}, {say.name(share.configuration)}"
            source = f"perfmon of {words.plain(share.host)}, mean of {words.count(share.trials, 'test')}"
            if share.batches is not None:
                value = float(f"{share.batches:.4g}")
                listed.append(Evidence(f"batch requests: {where}", value, "1/s", source))
            if share.disk_read is not None:
                listed.append(Evidence(f"disk reads: {where}", round(share.disk_read), "B/s", source))
    if found[0].basic:
        listed.append(Evidence("availability group", "basic", "", words.plain(found[0].basic)))
    return listed
