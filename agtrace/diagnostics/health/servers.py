"""health.long_io and health.lease: what happened to single servers."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta

from agtrace.diagnostics.health import standing
from agtrace.diagnostics.health import wording as say
from agtrace.diagnostics.health.told import Row, Told
from agtrace.say import words
from agtrace.say.finding import Evidence, Finding
from agtrace.say.words import count

STRAINS = ("processors_busy", "memory_low", "memory_paged_out", "long_io", "non_yielding", "dump")
LATE_S = 1.0
MOST_LATE = timedelta(hours=1)
"""A lease is looked for so long after its failover: longer hardly a machine is paused."""
WAKES = timedelta(seconds=60)
"""A lease that is noted so soon after the group was taken away expired because it was."""
BEFORE = timedelta(seconds=120)
"""How long before a lease ran out its host's strain counts, and the loss of the primary may have begun."""
AFTER = timedelta(seconds=30)
"""How long after it the loss of the primary may begin."""


def long_io(told: Told) -> list[Finding]:
    """Give a finding for each host that wrote message 833, but for what it wrote when it woke up."""
    of_host: dict[str, list[Row]] = defaultdict(list)
    for row in told.of("long_io"):
        if row["host_id"] and any(w["source"] == "ERRORLOG" for w in row["witnesses"] or []):
            of_host[row["host_id"]].append(row)
    found = []
    for host, written in sorted(of_host.items()):
        rows = [row for row in written if standing.stood_until(told, host, told.own(row)) is None]
        if not rows:
            continue
        asleep = len(written) - len(rows)
        first, last = rows[0], rows[-1]
        longest = max((row for row in rows), key=lambda row: row["value"] or 0)
        name = words.plain(host, 60)
        slowest = f", the longest {say.seconds(longest['value'] / 1000)}" if longest["value"] else ""
        woke = f" {count(asleep, 'more entry', 'more entries')} came when it went on after it had stood still: those tell of no storage." if asleep else ""  # fmt: skip
        found.append(
            Finding(
                "health.long_io",
                "warning",
                f"Reads or writes of {name} took longer than 15 seconds: {count(len(rows), 'entry', 'entries')}{slowest}",
                f"{name} wrote {count(len(rows), 'time')} that input or output took longer than 15 seconds, from "
                f"{say.told(told, first)} to {say.told(told, last)}{slowest}.{woke}",
                subject={"host": host},
                window={"start": say.iso(first["time"]), "end": say.iso(last["time"])},
                evidence=(
                    Evidence("entries", len(rows), "entries", told.sources(first)),
                    Evidence("longest", longest["value"], "ms", told.sources(longest)),
                    Evidence("its text", words.plain(longest["text"], 200), "", told.sources(longest)),
                ),
                recommendation="Have the storage looked at for that time: the entries name the files, and perfmon's Avg. "
                "Disk sec/Read and sec/Write of their volumes tell how long it lasted.",
                confidence=0.95,
            )
        )  # fmt: skip
    return found


def leases(told: Told) -> list[Finding]:
    """Give a finding for each lease that ran out; one that a failover before it explains is a part of that."""
    found = []
    for row in told.of("lease_expired"):
        before_it = _came_before(row, told)
        if any(failover["trigger"] not in (say.OPEN, "lease_expired") for failover in before_it):
            continue
        host, group = words.plain(row["host_id"], 60), words.plain(row["ag"], 60)
        led = _led_to(row, told)
        strain = _strain(row, told)
        after = (
            f"The group failed over {say.route(led['from_host'], led['to_host'])}, back {_back(led)}."
            if led
            else f"The group failed over {say.route(before_it[0]['from_host'], before_it[0]['to_host'])} then; the captures do not tell whether it came of the lease."
            if before_it
            else "No failover that the captures show came of it."
        )
        short = "; ".join(words.plain(each["text"], 100) for each in strain[:3])
        before = f" In the two minutes before: {short}." if short else ""
        late = (
            f" It had run out {say.seconds(row['value'])} before." if (row["value"] or 0.0) >= LATE_S else ""
        )
        entries = [
            Evidence(say.kind(each["kind"]), each["value"] or words.plain(each["text"], 200), each["unit"] or "",
                     told.sources(each))
            for each in strain[:3]
        ]  # fmt: skip
        found.append(
            Finding(
                "health.lease",
                "info" if led or before_it else "warning",
                f"The lease of {group} on {host} expired at {say.moment(told.own(row))}",
                f"{host} wrote at {say.told(told, row)} that the lease of {group} had expired.{late} {after}{before}",
                subject={"ag": row["ag"] or "", "host": row["host_id"] or ""},
                window={"start": say.iso(row["time"]), "end": say.iso(row["time"])},
                evidence=(Evidence("lease expired", words.plain(row["text"], 200), "", told.sources(row)), *entries),
                recommendation="See the failover for its cause."
                if led or before_it
                else "Look at processors, memory and disks of the host, and at the cluster log, for the time before.",
                confidence=0.95,
            )
        )  # fmt: skip
    return found


def _back(failover: Row) -> str:
    """Word when the group had a primary again: by when, where the new one was not captured."""
    end = say.moment(failover["end"])
    return f"at {end}" if failover["seconds_without_primary"] is not None else f"by {end} at the latest"  # fmt: skip


def _came_before(lease: Row, told: Told) -> list[Row]:
    """Give the failovers that took the group from a lease's host before it noted the lease, or left its role."""
    found = []
    for row in told.failovers_near(lease["ag"], lease["time"] - MOST_LATE, lease["time"] + WAKES):
        if row["from_host"] != lease["host_id"]:
            continue
        start, end = told.span(row)
        left = _left(row, told)
        incident = told.incident_of.get(row["failover_id"])
        until = max(end + WAKES, incident["end"]) if incident else end + WAKES
        in_time = start <= lease["time"] <= until and row["trigger"] != "lease_expired"
        if in_time or (left is not None and abs(left - lease["time"]) <= WAKES):
            found.append(row)
    return found


def _left(failover: Row, told: Told) -> datetime | None:
    """Give when the old primary itself left its role, which it may note long after the new one is in place."""
    host = failover["from_host"]
    own = [
        told.common(one["time"], failover["to_host"])
        for one in failover["reasons"] or []
        if one["kind"] == "replica_state" and one["host_id"] == host
    ]
    return min(own, default=None)


def _led_to(lease: Row, told: Told) -> Row | None:
    """Give the failover that came of a lease that ran out: a server that stood still notes it late."""
    ran_out = lease["time"] - timedelta(seconds=lease["value"] or 0.0)
    since, until = ran_out - BEFORE, ran_out + AFTER
    for row in told.failovers_near(lease["ag"], since, lease["time"] + WAKES):
        if row["from_host"] != lease["host_id"] or row["trigger"] != "lease_expired":
            continue
        left = _left(row, told)
        if since <= told.span(row)[0] <= until or (left is not None and abs(left - lease["time"]) <= WAKES):
            return row
    return None


def _strain(lease: Row, told: Told) -> list[Row]:
    since, until, host = lease["time"] - BEFORE, lease["time"], lease["host_id"]
    near = [row for kind in STRAINS for row in told.kinds_of_host.between(since, until, kind, host)]
    return sorted(near, key=lambda row: row["time"])
