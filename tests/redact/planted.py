"""Small cases in which secrets are planted wherever a capture may hold what somebody named."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random

from simulation.formats import cluster_log, errorlog, event_log, host_facts, rowsets
from simulation.formats.evtx import evtx
from simulation.formats.pdh_text import write_pdh
from simulation.formats.xel import Event, XelFile, event_schema

PER_CASE = 40
PEOPLE = (
    "Zofia",
    "Kowalczyk",
    "Adebayo",
    "Þórdís",
    "Иванова",
    "יעל",
    "佐藤",
    "Nguyễn",
    "Mbeki",
    "O'Neill",
    "🦊",
    "Çelik",
)
FIRMS = ("contoso", "fabrikam", "northwind", "wingtip", "adventure", "tailspin", "litware", "proseware")
ORDINARY = ("svc", "backup", "admin", "sql", "report", "agent", "service", "data", "prod", "db")
"""Words that the products use, too: put together they are somebody's name."""
LETTERS = "bcdfghjkmnpqrstvwxz"


class Secrets:
    """Draws secrets, each once.

    Parameters
    ----------
    dice
        Decides.
    """

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self.drawn: dict[str, str] = {}
        """Where each was planted."""

    def give(self, where: str, *kinds: str) -> str:
        """Return a secret for a place."""
        while True:
            made = getattr(self, f"_{self._dice.choice(kinds or KINDS)}")()
            needle, *_ = made if isinstance(made, tuple) else (made,)
            written = made[1] if isinstance(made, tuple) else made
            if needle not in self.drawn:
                self.drawn[needle] = where
                return written

    def _tail(self, count: int = 4) -> str:
        return "".join(self._dice.choices(LETTERS, k=count))

    def _name(self) -> str:
        return f"{self._dice.choice(PEOPLE)}{self._tail()}"

    def _firm(self) -> str:
        return f"{self._dice.choice(FIRMS)}{self._dice.choice(['', '-', '_', '.'])}{self._tail(5)}"

    def _joined(self) -> str:
        return self._dice.choice("_-$").join(
            [*self._dice.sample(ORDINARY, 2), str(self._dice.randrange(10, 99))]
        )

    def _login(self) -> tuple[str, str]:
        user = self._tail(6)
        return user, f"{self._dice.choice(FIRMS)}{self._tail(3)}\\{user}"

    def _address(self) -> tuple[str, str]:
        octets = [self._dice.randrange(1, 255) for _ in range(4)]
        octets[0] = self._dice.choice([10, 172, 192, 52, 131])
        return self._dice.choice(ADDRESSES)(octets)

    def _literal(self) -> str:
        return self._dice.choice(
            [str(self._dice.randrange(10**8, 10**9)), f"pin{self._tail(5)}{self._dice.randrange(99)}"]
        )

    def _path(self) -> tuple[str, str]:
        folder = self._tail(6)
        return folder, f"{self._dice.choice('DEFG')}:\\{folder}\\{self._tail(6)}.mdf"

    def _key(self) -> str:
        digits = "".join(self._dice.choices("0123456789abcdef", k=self._dice.choice([15, 20, 32, 40])))
        return self._dice.choice(
            [f"0x1{digits[:15]}", f"AKIA{digits[:12].upper()}Q", digits + "f" * (len(digits) < 17) * 3]
        )


def _four(octets: list[int]) -> str:
    return ".".join(map(str, octets))


ADDRESSES: tuple[Callable[[list[int]], tuple[str, str]], ...] = (
    lambda octets: (_four(octets), _four(octets)),
    lambda octets: (_four(octets), f"::ffff:{_four(octets)}"),
    lambda octets: (_four(octets).replace(".", "-"), f"ip-{_four(octets).replace('.', '-')}"),
    lambda octets: (_four(octets), f"v{_four(octets)}"),
    lambda octets: (_four(octets), f"{_four(octets)}.1433"),
    lambda octets: (_four(octets[::-1]), f"{_four(octets[::-1])}.in-addr.arpa"),
    lambda octets: ("0a" + bytes(octets[1:]).hex(), f"0x0a{bytes(octets[1:]).hex()}"),
)
KINDS = ("name", "firm", "joined", "login", "address", "path", "key")
START = datetime(2026, 3, 2, 8, 0)


def write_case(folder: Path, dice: Random) -> dict[str, str]:
    """Write a case with so many secrets, and give where each was planted."""
    folder.mkdir(parents=True)
    secrets = Secrets(dice)
    writers = [
        _errorlog,
        _events,
        _counters,
        _rowsets,
        _cluster_log,
        _event_log,
        _facts,
        _settings,
        _archive,
        _names,
    ]
    while len(secrets.drawn) < PER_CASE:
        number = len(secrets.drawn)
        dice.choice(writers)(folder, secrets, dice, number)
    return secrets.drawn


def _errorlog(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    log = errorlog.Log()
    log.start(host="SQLHOST1")
    plain = ("name", "firm", "login")
    for text, kinds in dice.sample(
        [
            (
                "Login failed for user '{}'. Reason: Password did not match. [CLIENT: 10.1.1.1]",
                (*plain, "joined"),
            ),
            ("Starting up database '{}'.", (*plain, "joined")),
            (
                "BACKUP failed to complete the command BACKUP DATABASE {}. Check the backup application log.",
                ("firm",),
            ),
            ("Error: 3041, text {} was given by the client", ("name", "key", "address", "path")),
            ("A connection timeout has occurred on a connection to replica '{}'.", ("firm", "joined")),
            ("The client {} was unable to reuse a session with SPID 55.", ("address", "name", "firm")),
            ("Setting database option to ON for database '{}'.", (*plain, "joined")),
            ("The service account is '{}'. This is an informational message.", ("login", "name")),
            ("[INFO] {} wrote this", ("name", "firm", "key", "address")),
        ],
        3,
    ):
        log.add("spid55", text.format(secrets.give("ERRORLOG", *kinds)))
    (folder / f"SQLHOST1_ERRORLOG.{number}").write_text(
        "\r\n".join(line for entry in log.entries for line in entry.original()), "utf-16"
    )


FIELDS = {
    "sql_batch_completed": ("batch_text", "result", "client_app_name"),
    "rpc_completed": ("statement", "object_name", "output_parameters"),
    "error_reported": ("message", "user_defined_note", "category"),
    "alwayson_ddl_executed": ("statement", "availability_group_name", "ddl_phase"),
    "payroll_audit": ("note", "message"),
    "user_event": ("user_data", "user_info"),
}
STATEMENTS = (
    "CREATE LOGIN {} WITH PASSWORD = '{}'",
    "DROP TABLE #t; SELECT * FROM dbo.t WHERE pin='{}' AND who = '{}'",
    "ALTER AVAILABILITY GROUP [ag1] FAILOVER; SELECT '{}', '{}'",
    "BACKUP DATABASE [{}] TO DISK = N'{}' WITH COMPRESSION -- by Huber",
    "/* {} */ ALTER AVAILABILITY GROUP ag1 ADD DATABASE [{}]",
    "RESTORE LOG {} WITH PASSWORD = {}",
    "EXEC sp_configure 'show advanced options', 1; EXEC x '{}', '{}'",
)


def _statement(secrets: Secrets, dice: Random, where: str) -> str:
    literals = ("literal", "name", "joined", "key")
    return dice.choice(STATEMENTS).format(secrets.give(where, *literals), secrets.give(where, *literals))


def _events(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    name, fields = dice.choice(list(FIELDS.items()))
    types = dict.fromkeys(fields, "unicode_string") | {"xml_report": "xml"}
    schema = event_schema(name, types)
    values: dict[str, object] = {}
    for field in fields:
        is_statement = "statement" in field or field == "batch_text"
        values[field] = (
            _statement(secrets, dice, f"XEL {field}") if is_statement else secrets.give(f"XEL {field}")
        )
    values["xml_report"] = dice.choice(
        [
            f"<blocked-process-report><process hostname='{secrets.give('XML hostname', 'firm', 'joined')}' "
            f"clientapp='{secrets.give('XML attribute', 'name', 'joined')}'><inputbuf>"
            f"{_statement(secrets, dice, 'XML inputbuf')}"
            "</inputbuf></process></blocked-process-report>",
            f"<component><note>{secrets.give('XML text', 'name', 'firm', 'address', 'key')}</note>"
            f"<![CDATA[{secrets.give('XML CDATA', 'name', 'firm')}]]>"
            f"<!-- {secrets.give('XML comment', 'name')} --></component>",
        ]
    )
    file = XelFile()
    (folder / f"health_{number}.xel").write_bytes(file.write([Event(schema, 10, values)]))


OBJECTS = (
    "SQLServer:Databases",
    "SQLServer:Query Store",
    "SQLServer:HTTP Storage",
    "SQLServer:User Settable",
    "SQLServer:Broker/DBM Transport",
    "SQLServer:Availability Replica",
    "Process",
    "LogicalDisk",
    "Network Interface",
    "Payroll App",
    "SQLServer:Resource Pool Stats",
)


def _counters(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    names = [
        secrets.give(f"instance of {name}", "name", "firm", "joined") for name in dice.sample(OBJECTS, 3)
    ]
    places = list(secrets.drawn.values())[-3:]
    paths = [
        f"\\\\SQLHOST1\\{place.removeprefix('instance of ')}({name})\\Queries"
        for place, name in zip(places, names, strict=True)
    ]
    (folder / f"perfmon_{number}.csv").write_bytes(write_pdh(paths, [[1.0] * 3] * 3))


COLUMNS = (
    "role_desc",
    "driver",
    "os",
    "product",
    "edition",
    "level",
    "wait_type",
    "last_wait_type",
    "database_name",
    "comment",
    "owner_desc",
    "program_name",
    "endpoint_url",
    "physical_name",
    "failure_message",
    "social_security",
)


def _rowsets(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    columns = dice.sample(COLUMNS, 3)
    cells = [secrets.give(f"column {name}", "name", "firm", "joined", "login", "path") for name in columns]
    text = rowsets.rowset(
        "somebody's rows",
        [("session_id", 12), *((name, 60) for name in columns)],
        [(51, *cells), (52, *cells)],
    )
    (folder / f"SQLHOST1_rows_{number}.out").write_text(text, "utf-8")


def _cluster_log(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    log = cluster_log.ClusterLog("SQLHOST1")
    log.add(
        "INFO",
        f"[RES] Network Name <{secrets.give('cluster log', 'firm', 'joined')}>: was "
        f"registered by {secrets.give('cluster log', 'name', 'address')}",
    )
    log.add(
        "ERR",
        f"[RCM] rcm::RcmResource::HandleFailure: ({secrets.give('cluster log', 'name', 'firm')})",
        secrets.give("cluster log, next line"),
    )
    (folder / f"SQLHOST1_cluster_{number}.log").write_bytes(log.windows())


def _event_log(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    events = [
        event_log.Event(
            "Error",
            START,
            secrets.give("source of an event", "name", "firm"),
            4711,
            f"The process {secrets.give('message of an event')} ended",
            user=secrets.give("user of an event", "login", "name"),
            computer="SQLHOST1",
        )
    ]
    if dice.random() < 0.5:
        (folder / f"SQLHOST1_System_{number}.csv").write_text(event_log.export_csv(events), "utf-8")
    else:
        (folder / f"SQLHOST1_System_{number}.evtx").write_bytes(evtx(events))


def _facts(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    text = host_facts.ping_text(
        secrets.give("ping", "firm"), secrets.give("ping", "address").lstrip("v"), [1, 2, 3]
    )
    (folder / f"ping_{number}.txt").write_text(text, "utf-8")
    (folder / f"notes_{number}.txt").write_text(f"asked by {secrets.give('unread text')}", "utf-8")


def _settings(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    name = secrets.give("alias of a host", "firm").replace(".", "")
    (folder / "hosts.toml").write_text(f'[aliases]\nSQLHOST1 = ["{name}"]\n', "utf-8")
    label = secrets.give("label of a run", "name", "joined")
    (folder / "runs.csv").write_text(f"label,start,end\n{label},2026-03-02 08:00,2026-03-02 09:00\n", "utf-8")


def _archive(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        packed.writestr(
            f"{_plain(secrets.give('member of an archive', 'name', 'firm', 'joined'))}/"
            f"{_plain(secrets.give('member of an archive', 'name'))}.txt",
            "nothing",
        )
    (folder / f"logs_{number}.zip").write_bytes(held.getvalue())


def _names(folder: Path, secrets: Secrets, dice: Random, number: int) -> None:
    inner = folder / _plain(secrets.give("folder", "name", "firm", "joined"))
    inner.mkdir()
    (inner / f"{_plain(secrets.give('file', 'name', 'joined', 'address'))}.csv").write_text(
        "nothing", "utf-8"
    )


def _plain(name: str) -> str:
    return name.replace("\\", "_").replace(":", "_")
