"""One host, one window, one answer: every page that reports processors, disks or cards of it.

Samples are 15 s apart and the window begins and ends between two of them. Within it everything
stands still; what lies outside, wholly or in part, is far higher and must not show.
"""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agtrace.diagnostics.backup import Backup
from agtrace.diagnostics.overview import Overview
from agtrace.diagnostics.seeding import Seeding
from agtrace.diagnostics.transport import Transport
from agtrace.diagnostics.workload import Workload
from agtrace.measure import usage
from tests.diagnostics import tiny
from tests.diagnostics.backup.cases import backup_case, interleaved, traced
from tests.diagnostics.comparison.cases import examined
from tests.diagnostics.seeding.cases import copy
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case as workload_case
from tests.diagnostics.workload.cases import trial
from tests.folded import folded

pytestmark = pytest.mark.complete

BEGIN, END = 125, 425
SAMPLED = {"rows": 40, "every": 15.0}
RATE = "10x900000, 19x{}, 900000"
"""The samples at 150 to 420 s speak of 15 s within the window each, that at 135 s of 5 s before it."""
GAUGE = "9x9000000, 20x{}, 9000000"
"""A gauge at 135 s lies within it."""


def seeding(perfmon: str) -> dict[str, float]:
    events = copy("SQL1", "source", BEGIN, END) + copy("B", "target", BEGIN, END, guids="b a")
    (seeded,) = Seeding(tiny.case(perfmon, events=events, **SAMPLED)).study.seeded
    return {used.resource: used.mean for used in seeded.usages if used.host == "SQL1"}


def comparison_of_windows(perfmon: str) -> dict[str, float]:
    study = examined(f"window |  |  | {BEGIN} | window {END - BEGIN} | ", perfmon, **SAMPLED)
    return {use.usage.resource: use.usage.mean for use in study.uses}


def comparison_of_whole_runs(perfmon: str) -> dict[str, float]:
    lasts = END - BEGIN
    study = examined(f"seeding | db | SQL1 > B | {BEGIN} | copy {lasts} | 1", perfmon, **SAMPLED)
    return {use.usage.resource: use.usage.mean for use in study.uses if use.is_whole}


def workload(perfmon: str) -> dict[str, float]:
    made = workload_case(perfmon, **SAMPLED)
    trial(made, "P", 1, run_s=END - BEGIN, at=BEGIN, tool="SQLQueryStress", work=1)
    (activities,) = Workload(made).study.hosts.by_trial
    found = {}
    for each in activities.values():
        found |= {"cpu": each.cpu_percent, "disk_read": each.disk_read, "disk_written": each.disk_written}
    return {name: value for name, value in found.items() if value is not None}


def backup(perfmon: str) -> dict[str, float]:
    text = interleaved(traced("Sales", BEGIN, END - BEGIN, files=(r"S:\1.mdf",)))
    made = backup_case(text.replace("2024-03-04", "2024-03-05"), perfmon=perfmon, **SAMPLED)
    (side,) = (side for judged in Backup(made).judged for side in judged.sides)
    found: dict[str, float] = {}
    if side.cpu is not None:
        found["cpu"] = side.cpu
    if side.card_busy is not None:
        found["card_sent_busy"] = side.card_busy
    if side.read.rate is not None:
        found["disk_read"] = side.read.rate
    if side.read.ms is not None:
        found["disk_read_ms"] = side.read.ms
    if side.write.rate is not None:
        found["disk_written"] = side.write.rate
    return found


STREAM = r"""
    SQL1 | \SQLServer:Databases(Sales)\Log Bytes Flushed/sec | 1000000
    SQL1 | \SQLServer:Availability Replica(AG:B)\Bytes Sent to Replica/sec | 1000000
    B | \SQLServer:Database Replica(Sales)\Log Send Queue | 100~5
    B | \SQLServer:Database Replica(Sales)\Log Bytes Received/sec | 1000000
    B | \SQLServer:Availability Replica(AG:SQL1)\Bytes Received from Replica/sec | 1000000
"""
"""SQL1 sends log to B; its machine is looked at from the sample at 135 s, whose interval is left out."""


def transport(perfmon: str) -> dict[str, float]:
    limits = {"thresholds": {"min_samples": 10}}
    made = tiny.case(f"{perfmon}\n{STREAM}", settings=limits, **SAMPLED)
    ends = {name: START + timedelta(seconds=at) for name, at in (("start", 140), ("end", END))}
    study = Transport(made, **ends).study
    (link,) = (studied.link for studied in study.links)
    machine = study.known.machines.of(link.primary, link.primary_rows)
    found: dict[str, float] = {}
    if machine.processors is not None:
        found["cpu"] = machine.processors.percent
    if machine.card is not None:
        found["card_sent_busy"] = 100 * machine.card.share
    if machine.disk is not None and "Write" in perfmon:
        found["disk_write_ms"] = machine.disk.ms
    (hops,) = Transport(made, **ends).sent_received()
    if (sent := hops.hops["sent by the card"].rate) is not None:
        found["network_sent"] = sent.mean
    return found


PAGES = (seeding, comparison_of_windows, comparison_of_whole_runs, workload, backup, transport)


def perfmon(*series: tuple[str, object]) -> str:
    """Return series of SQL1 as text: (path, values within the window); bandwidths are gauges."""
    return "\n".join(
        f"SQL1 | {path} | {(GAUGE if path.endswith('Bandwidth') else RATE).format(value)}"
        for path, value in series
    )


CPU = r"\Processor(%s)\%% Processor Time"
CPU_INFORMATION = r"\Processor Information(%s)\%% Processor Time"
CARD = r"\Network Interface(%s)\%s"
ADAPTER = r"\Network Adapter(%s)\%s"
SENT, RECEIVED, BANDWIDTH = "Bytes Sent/sec", "Bytes Received/sec", "Current Bandwidth"
TEAM = "Microsoft Network Adapter Multiplexor Driver"

TABLE = {
    "Processor(_Total)": (
        perfmon((CPU % "_Total", 50), (CPU % "0", 40), (CPU % "1", 60)),
        {"cpu": 50}, 6,
    ),
    "each processor": (
        perfmon((CPU % "0", 40), (CPU % "1", 60)),
        {"cpu": 50}, 6,
    ),
    "Processor Information(_Total)": (
        perfmon((CPU_INFORMATION % "_Total", 50), (CPU_INFORMATION % "0,_Total", 10),
                (CPU_INFORMATION % "1,_Total", 90), (CPU_INFORMATION % "1,0", 90)),
        {"cpu": 50}, 6,
    ),
    "the nodes of Processor Information": (
        perfmon((CPU_INFORMATION % "0,_Total", 40), (CPU_INFORMATION % "1,_Total", 60),
                (CPU_INFORMATION % "0,0", 7)),
        {"cpu": 50}, 6,
    ),
    "both": (
        perfmon((CPU_INFORMATION % "_Total", 80), (CPU % "_Total", 50)),
        {"cpu": 50}, 6,
    ),
    "disks, their total and the physical ones": (
        perfmon((r"\LogicalDisk(S:)\Disk Read Bytes/sec", 300),
                (r"\LogicalDisk(E:)\Disk Write Bytes/sec", 200),
                (r"\LogicalDisk(_Total)\Disk Read Bytes/sec", 301),
                (r"\LogicalDisk(_Total)\Disk Write Bytes/sec", 201),
                (r"\PhysicalDisk(0 S: E:)\Disk Read Bytes/sec", 777)),
        {"disk_read": 300, "disk_written": 200}, 5,
    ),
    "the time of a read on the disk that moves most": (
        perfmon((r"\LogicalDisk(S:)\Disk Read Bytes/sec", 300),
                (r"\LogicalDisk(S:)\Avg. Disk sec/Read", 0.012),
                (r"\LogicalDisk(C:)\Disk Read Bytes/sec", 1),
                (r"\LogicalDisk(C:)\Avg. Disk sec/Read", 0.5)),
        {"disk_read_ms": 12}, 4,
    ),
    "a team's cards count once": (
        perfmon((CARD % (TEAM, SENT), 800), (CARD % ("one", SENT), 500), (CARD % ("two", SENT), 300),
                (CARD % (TEAM, RECEIVED), 80), (CARD % ("one", RECEIVED), 80),
                (CARD % (TEAM, BANDWIDTH), 16_000), (CARD % ("one", BANDWIDTH), 8000),
                (CARD % ("two", BANDWIDTH), 8000)),
        {"network_sent": 800, "network_received": 80, "card_sent_busy": 40,
         "card_received_busy": 4}, 5,
    ),
    "Network Adapter": (
        perfmon((ADAPTER % ("nic", SENT), 500), (ADAPTER % ("nic", BANDWIDTH), 8000)),
        {"network_sent": 500, "card_sent_busy": 50}, 5,
    ),
}  # fmt: skip


@folded("captured", TABLE)
def test_every_page_gives_the_same_numbers(captured):
    text, expected, pages = TABLE[captured]
    answers = {page.__name__: page(text) for page in PAGES}
    told = {
        name: {resource: found[resource] for resource in expected if resource in found}
        for name, found in answers.items()
    }
    assert sum(map(bool, told.values())) == pages
    for name, found in told.items():
        assert (name, found) == (name, pytest.approx({key: expected[key] for key in found}))


def test_where_it_moves_pages_give_its_mean_and_transport_its_median():
    text = CPU % "_Total" + " | 10x900000, 9x15, 10x90, 900000"
    answers = {page.__name__: page(f"SQL1 | {text}")["cpu"] for page in PAGES}
    assert answers.pop("transport") == pytest.approx(90)
    mean = (9 * 15 + 10 * 90) / 19
    assert answers == pytest.approx(dict.fromkeys(answers, mean))


AT = START.replace(tzinfo=UTC)
ALL = usage.Window(0, AT, AT + timedelta(hours=1))
"""The cards of a host and what each can carry are told of the whole capture."""


def workload_cards(perfmon: str) -> dict[str, float]:
    made = workload_case(perfmon)
    trial(made, "P", 1, run_s=END - BEGIN, at=BEGIN, tool="SQLQueryStress", work=1)
    setup = Workload(made).tbl_setup()
    told = dict(zip(setup["setting"], setup["value"], strict=True))
    return {
        name.removeprefix("network card "): float(link.removesuffix(" Gbit/s")) for name, link in told.items()
    }


def overview_cards(perfmon: str) -> dict[str, float]:
    """Return the teams; the cards beside them are in the same list."""
    told = (each for f in Overview(tiny.case(perfmon)).findings() for each in f.evidence)
    bandwidths = {e.label.removeprefix("bandwidth of "): e for e in told if e.unit == "bit/s"}
    return {
        name: e.value / GBIT
        for name, e in bandwidths.items()
        if name.startswith("Microsoft") and e.value is not None
    }


def used_cards(perfmon: str) -> float | None:
    (sent,) = usage.usage(tiny.case(perfmon), [ALL], ["network_sent"])
    return None if sent.capacity is None else sent.capacity * 8 / GBIT


def of_cards(*told: tuple[str, str, str, object]) -> str:
    return "\n".join(f"SQL1 | {path % (card, name)} | {value}" for path, card, name, value in told)


GBIT = 1_000_000_000
BANDWIDTHS = {
    "Network Adapter": (
        of_cards((ADAPTER, "nic", SENT, 500), (ADAPTER, "nic", BANDWIDTH, 10 * GBIT)),
        {"nic": 10}, {},
    ),
    "both objects": (
        of_cards((CARD, "nic", SENT, 500), (CARD, "nic", BANDWIDTH, 10 * GBIT),
                 (ADAPTER, "vmnic", SENT, 500), (ADAPTER, "vmnic", BANDWIDTH, 40 * GBIT)),
        {"nic": 10}, {},
    ),
    "a team": (
        of_cards((CARD, TEAM, SENT, 800), (CARD, TEAM, BANDWIDTH, 20 * GBIT),
                 (CARD, "one", SENT, 800), (CARD, "one", BANDWIDTH, 10 * GBIT),
                 (CARD, "two", SENT, 0), (CARD, "two", BANDWIDTH, 10 * GBIT)),
        {TEAM: 20}, {TEAM: 20},
    ),
    "an idle team": (
        of_cards((CARD, TEAM, SENT, 0), (CARD, "one", SENT, 800), (CARD, "one", BANDWIDTH, 10 * GBIT)),
        {"one": 10}, {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("captured", BANDWIDTHS)
def test_every_page_gives_the_same_cards(captured):
    text, cards, teams = BANDWIDTHS[captured]
    assert (workload_cards(text), overview_cards(text), used_cards(text)) == (
        cards,
        teams,
        pytest.approx(sum(cards.values())),
    )


OF_PAGES = {
    "a team only the second object shows": (
        of_cards((CARD, "nic", SENT, 500), (CARD, "nic", BANDWIDTH, 10 * GBIT),
                 (ADAPTER, TEAM, SENT, 500), (ADAPTER, TEAM, BANDWIDTH, 40 * GBIT)),
        {TEAM: 40}, {TEAM: 40},
    ),
    "a link that was down for a while": (
        of_cards((CARD, "nic", SENT, 500), (CARD, "nic", BANDWIDTH, f"40x0, {10 * GBIT}")),
        {"nic": 10}, {},
    ),
    "a team whose link was not captured": (
        of_cards((CARD, TEAM, SENT, 500), (CARD, "one", SENT, 500), (CARD, "one", BANDWIDTH, 10 * GBIT)),
        {"one": 10}, {},
    ),
}  # fmt: skip
"""What cards can carry, where usage tells what they could in a window."""


@pytest.mark.parametrize("captured", OF_PAGES)
def test_the_pages_give_the_cards_as_they_are_when_they_are_up(captured):
    text, cards, teams = OF_PAGES[captured]
    assert (workload_cards(text), overview_cards(text)) == (cards, teams)
