"""Small texts with log lines in them: what damage starts from, and lines as each tool writes them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

LOG = """\
2024-02-06 10:00:00.12 Server      Microsoft SQL Server 2019 (RTM-CU18) (KB5017593) - 15.0.4261.1 (X64)
2024-02-06 10:01:02.34 spid45s     Error: 19407, Severity: 16, State: 1.
2024-02-06 10:01:02.34 spid45s     The lease between availability group 'SalesAG' and the Windows Server Failover Cluster has expired. A connectivity issue occurred between the instance of SQL Server and the Windows Server Failover Cluster.
2024-02-06 10:01:03.00 spid52      Error: 18456, Severity: 14, State: 38.
2024-02-06 10:01:03.00 spid52      Login failed for user 'app'. Reason: Failed to open the explicitly specified database 'Sales'. [CLIENT: 10.0.0.5]
"""  # noqa: E501
LINES = LOG.splitlines()
ISO = "2024-02-06T10:01:0{}"


def _each(template: str) -> str:
    return "".join(template.format(number, line) for number, line in enumerate(LINES, 1))


def _boxed(line: str) -> str:
    return json.dumps({"log": f"{line}\n", "stream": "stdout", "time": "2024-02-06T10:00:00.1Z"})


DRESSED = {
    "docker logs -t": _each(f"{ISO}.123456789Z {{}}\n"),
    "kubectl logs --timestamps": _each(f"{ISO}.123456789+00:00 {{}}\n"),
    "docker compose": _each("mssql-{}  | {}\n"),
    "json-file": "".join(f"{_boxed(line)}\n" for line in LINES),
    "container runtime interface": _each(f"{ISO}.123456789Z stdout F {{}}\n"),
    "journald": _each("Feb 06 10:01:0{} sqlhost1 sqlservr[1234]: {}\n"),
    "journald, ISO times": _each(f"{ISO}+0000 sqlhost1 sqlservr[1234]: {{}}\n"),
    "quoted": _each("> {1}\n"),
    "quoted and numbered": _each("> {:4d}: {}\n"),
    "numbered": _each("{:4d}: {}\n"),
    "numbered by tabs": _each("{}\t{}\n"),
    "grep -n": _each("{}:{}\n"),
    "grep": _each("ERRORLOG.{}:{}\n"),
    "indented": textwrap.indent(LOG, "    "),
    "wrapped": "".join(f"{part}\n" for line in LINES for part in textwrap.wrap(line, 76)),
}


def captures() -> Iterator[tuple[str, bytes]]:
    yield "docker.txt", DRESSED["docker logs -t"].encode()
    yield "post.txt", f"It failed over:\n\n{DRESSED['quoted']}\nAny ideas?\n".encode()
