"""What the scripts of a kit leave on each server: what the servers have, cut to what the kit asks for."""

from __future__ import annotations

import csv
import io
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from simulation.formats.blg_of_text import blg_of_text
from simulation.formats.event_log import EVENTS
from simulation.formats.evtx import evtx
from simulation.formats.host_facts import NETSH_2019, netsh_text, ping_text
from simulation.formats.xel import Event, XelFile, event_schema, filetime
from simulation.formats.xel_sessions import SCHEMAS
from simulation.groups.cast import guid
from simulation.kits.rowsets import views
from simulation.kits.server import Row, Server
from simulation.kits.tsql import parse, walk

HEALTH = re.compile(r"(AlwaysOn_health|system_health)_0_|_SQLDIAG_0_")
ZONE = re.compile(r"\((-?\d+)\)$")
GATES = {
    "hadr_transport_flow_control_action": {
        "target_availability_replica_id": "unicode_string",
        "control_action": "unicode_string",
    },
    "hadr_database_flow_control_action": {
        "database_replica_id": "unicode_string",
        "control_action": "unicode_string",
    },
}
"""Events that the lives of samples do not have, with the fields that matter."""
NOT_READ = frozenset({"hadr_apply_log_block"})
"""Events of a session of data movement that nothing asks for."""


@dataclass
class Servers:
    """The servers on which a kit runs.

    Parameters
    ----------
    folder
        What they have, in a folder each: all counters as a PDH log, ERRORLOGs, files of event sessions.
    ag, replicas, database
        The group, the replicas in question (the primary first), its database.
    moment
        Local time when the kit is started.
    hosts
        Those of them on which the kit runs.
    more
        Rows of views beside those of every group, by host and title.
    """

    folder: Path
    ag: str
    replicas: Sequence[str]
    database: str
    moment: datetime
    hosts: Sequence[str]
    more: Mapping[str, dict[str, list[Row]]] = field(default_factory=dict)

    def run(self, kit: Path, out: Path, events_of: Callable[[Path], set[str]]) -> None:
        """Run a kit on each of them.

        Parameters
        ----------
        out
            Folder that gets what is sent back: a folder for each server.
        events_of
            Names the events of a file.
        """
        for host in self.hosts:
            (out / host).mkdir(parents=True)
            _Run(self, host, kit, out / host).everything(events_of)


@dataclass
class _Run:
    servers: Servers
    host: str
    kit: Path
    out: Path

    def everything(self, events_of: Callable[[Path], set[str]]) -> None:
        script = (self.kit / "collect.ps1").read_text(encoding="ascii")
        self.sql()
        self.files(script, events_of)
        if (self.kit / "counters.txt").exists():
            (self.out / "perfmon.blg").write_bytes(self.counters())
        if (self.kit / "session_start.sql").exists():
            self.gates()
        if "netsh interface tcp show global" in script:
            (self.out / "netsh.txt").write_bytes(netsh_text(NETSH_2019).encode("utf-8-sig"))
        if "ping -n 20" in script and self.host == self.servers.hosts[0]:
            for number, other in enumerate(self.servers.replicas[1:]):
                text = ping_text(other, f"10.0.0.{number + 2}", [20] * 20)
                (self.out / f"ping_{other}.txt").write_bytes(text.encode("utf-8-sig"))
        if "wevtutil epl System" in script:
            (self.out / "System.evtx").write_bytes(
                evtx([event._replace(computer=self.host) for event in EVENTS])
            )

    def sql(self) -> None:
        servers = self.servers
        rows = views(
            servers.ag,
            servers.replicas[:2],
            servers.database,
            self.host,
            dict(servers.more.get(self.host, {})),
        )
        for name, outputs, looks in (
            ("look", ("look_begin", "look_end"), 1),
            ("repeat", ("repeat",), 41),
            ("routing_lists", ("routing_lists",), 1),
        ):  # fmt: skip
            for output in outputs if (self.kit / f"{name}.sql").exists() else ():
                moment = servers.moment + timedelta(minutes=10 * (output == "look_end"))
                answer = Server(self.host, moment, rows).sqlcmd(
                    (self.kit / f"{name}.sql").read_text("ascii"), looks=looks
                )
                (self.out / f"{output}.txt").write_bytes(b"\xff\xfe" + answer.encode("utf-16-le"))

    def files(self, script: str, events_of: Callable[[Path], set[str]]) -> None:
        wanted = self.events
        has_health = False
        for path in sorted((self.servers.folder / self.host).iterdir()):
            is_health = bool(HEALTH.search(path.name)) and path.suffix == ".xel"
            has_health |= is_health
            if (
                (is_health and "AlwaysOn_health|system_health" in script)
                or (path.name.startswith("ERRORLOG") and "'ERRORLOG*'" in script)
                or (path.name.endswith("_cluster.log") and "Get-ClusterLog" in script)
            ):
                shutil.copy(path, self.out)
            elif path.suffix == ".xel" and not is_health and wanted:
                told = events_of(path) - NOT_READ
                assert told <= wanted, f"no event of the kit: {sorted(told - wanted)}"
                shutil.copy(path, self.out / f"agtrace_0_{path.stem.rpartition('_')[2]}.xel")
        if "AlwaysOn_health|system_health" in script and not has_health:
            self.ddl()

    @property
    def events(self) -> set[str]:
        """The events of the kit's own session."""
        start = self.kit / "session_start.sql"
        text = start.read_text("ascii") if start.exists() else ""
        added = [
            each for each in walk(parse(text)) if each.verb in ("CREATE EVENT SESSION", "ALTER EVENT SESSION")
        ]
        return {name for each in added for name in each.named[1:]}

    def ddl(self) -> None:
        schema = SCHEMAS["alwayson_ddl_executed"]
        altered = f"ALTER AVAILABILITY GROUP [{self.servers.ag}] MODIFY REPLICA ON N'{self.host}'"
        known = {
            "ddl_action": 2,
            "ddl_phase": 1,
            "statement": f"{altered} WITH (SESSION_TIMEOUT = 15);",
            "availability_group_name": self.servers.ag,
        }
        blocked = event_schema("lock_redo_blocked", {"database_name": "unicode_string"})
        events = [Event(schema, 0, known), Event(blocked, 1, {"database_name": self.servers.database})]
        self.write_xel("AlwaysOn_health", events)

    def gates(self) -> None:
        told = [
            Event(event_schema(name, fields), n, {each: "x" if "id" in each else "Set" for each in fields})
            for n, (name, fields) in enumerate(GATES.items())
            if name in self.events
        ]
        if told:
            self.write_xel("agtrace_gates", told)

    def write_xel(self, session: str, events: Sequence[Event]) -> None:
        base = filetime(self.servers.moment.replace(tzinfo=UTC) + timedelta(hours=6))
        schemas = tuple({each.schema.name: each.schema for each in events}.values())
        file = XelFile(
            base=base,
            run=guid(f"{self.host} {session}"),
            guid=guid(f"{session} {self.host}"),
            schemas=schemas,
        )
        (self.out / f"{session}_0_{base}.xel").write_bytes(file.write(events))

    def counters(self) -> bytes:
        """Return the log of the counters that the kit lists, of those the server has and of the others."""
        path = next(
            path
            for path in (self.servers.folder / self.host).iterdir()
            if path.suffix == ".csv" and "dm_" not in path.name
        )
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"))))
        listed = [line for line in (self.kit / "counters.txt").read_text("ascii").splitlines() if line]
        patterns = {line: _pattern(line) for line in listed}
        kept = [
            n
            for n, name in enumerate(rows[0])
            if n and any(each.fullmatch(name) for each in patterns.values())
        ]
        missing = [
            line for line, each in patterns.items() if not any(each.fullmatch(rows[0][n]) for n in kept)
        ]
        made = [
            rf"\\{self.host}{line.replace('(*)', f'({self.servers.database})').replace('r*)', 'r)')}"
            for line in missing
        ]
        text = io.StringIO()
        writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        writer.writerow([rows[0][0], *(rows[0][n] for n in kept), *made])
        for number, row in enumerate(rows[1:]):
            writer.writerow([row[0], *(row[n] for n in kept), *[str(number % 7)] * len(made)])
        bias = ZONE.search(rows[0][0])
        return blg_of_text(text.getvalue().encode(), bias=int(bias[1]) if bias else 0)


def _pattern(line: str) -> re.Pattern[str]:
    """Return the pattern of the paths for a line of counters.txt on a server."""
    written = re.escape(line).replace(r"\*", r"[^\\]*")
    return re.compile(rf"\\\\[^\\]+{written}", re.IGNORECASE)
