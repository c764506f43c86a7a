"""Write a kit: scripts, their queries and settings, and the page for the customer, from ``said/``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace.errors import CaseError
from agtrace.kit.pieces import COUNTERS, SESSION, pieces
from agtrace.kit.plan import VERSIONS, Plan
from agtrace.say.words import plain
from agtrace.tables.counter_catalogue import SQL_PREFIX

if TYPE_CHECKING:
    from jinja2 import Environment

MAJORS = {2014: 12, 2016: 13, 2017: 14, 2019: 15, 2022: 16, 2025: 17}
CELL_BYTES = 24
"""Maximum bytes of a value in a text log: its digits, quotes and comma. A BLG file needs less."""
FILE_MB = 512


def write(
    plan: Plan, folder: Path, *, case: str = "", hosts: Sequence[tuple[str, Sequence[str]]] = ()
) -> list[str]:
    """Write a kit into a new folder, and return the names of its files.

    Parameters
    ----------
    plan
        The contents of the kit.
    folder
        Folder to create.
    case
        Name of the case that lacks the data.
    hosts
        Missing data of each host of that case.

    Raises
    ------
    CaseError
        The folder already exists, or cannot be created.
    """
    files = contents(plan, case=case, hosts=hosts)
    try:
        folder.mkdir(parents=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except FileExistsError as error:
        raise CaseError(f"{folder}: exists already", "name another folder with --out") from error
    except OSError as error:
        raise CaseError(f"{folder}: cannot be made ({error})") from error
    return list(files)


def contents(
    plan: Plan, *, case: str = "", hosts: Sequence[tuple[str, Sequence[str]]] = ()
) -> dict[str, bytes]:
    """Return the files of a kit by name: plain ASCII, with the line ends of their systems."""
    # Names enter only here. They come from settings and captures, and customers follow the page.
    named = [(plain(host), list(titles)) for host, titles in hosts]
    facts = _facts(plan) | {"case": plain(case), "hosts": named}
    texts = {"README.txt": _said("README.txt", facts), "collect.ps1": _said("collect.ps1", facts)}
    texts["collect.sh"] = _said("collect.sh", facts)
    if COUNTERS in plan.names:
        texts["counters.txt"] = "".join(f"{path}\n" for path in counter_paths(plan))
        texts["counters.sql"] = _repeat(plan, facts, ("counters",), tells_time=False)
    if SESSION in plan.names:
        texts |= {name: _said(name, facts) for name in ("session_start.sql", "session_stop.sql")}
    if plan.flags:
        texts |= {name: _said(name, facts) for name in ("trace_flags_on.sql", "trace_flags_off.sql")}
    if once := plan.queries("once"):
        texts["look.sql"] = _said("look.sql", facts | {"blocks": _queries(("server", *once))})
    if repeated := plan.queries("repeat"):
        texts["repeat.sql"] = _repeat(plan, facts, repeated, tells_time=True)
    texts |= {f"{name}.sql": _query(name) for name in facts["alone"]}
    return {name: _bytes(name, text) for name, text in texts.items()}


def counter_paths(plan: Plan) -> list[str]:
    r"""Return the counters as perfmon writes them: ``\Object(*)\Counter``."""
    instances = pieces()[COUNTERS].instances
    found = []
    for name in plan.counters:
        of, _, counter = name.rpartition("\\")
        which = instances.get(of, "*")
        found.append(f"\\{of}({which})\\{counter}" if which else f"\\{of}\\{counter}")
    return found


def _facts(plan: Plan) -> dict[str, Any]:
    kind = plan.kind
    files = kind.event_files
    return {
        "plan": plan, "kind": kind, "names": plan.names, "session": f"agtrace_{kind.name}",
        "newest": VERSIONS[-1],
        "least_major": MAJORS[plan.version or kind.least], "file_mb": FILE_MB, "files": files,
        "room": f"{FILE_MB * files // 1024 + 1} GB" if SESSION in plan.names else "1 GB",
        "kb_an_hour": -(-CELL_BYTES * 3600 // kind.interval_s // 1024),
        "has_look": bool(plan.queries("once")), "has_repeat": bool(plan.queries("repeat")),
        "alone": [piece.alone for piece in plan.pieces if piece.alone],
        "collected": [piece for piece in plan.pieces if not piece.by_hand],
        "by_hand": [piece for piece in plan.pieces if piece.by_hand],
    }  # fmt: skip


def _repeat(plan: Plan, facts: dict[str, Any], names: Sequence[str], *, tells_time: bool) -> str:
    objects = {name.rpartition("\\")[0] for name in plan.counters}
    ours = sorted(name.removeprefix(SQL_PREFIX) for name in objects if name.startswith(SQL_PREFIX))
    listed = ", ".join(f"N'{name}'" for name in ours)
    blocks = _queries(names).replace("{{ objects }}", listed)
    file = "repeat.sql" if tells_time else "counters.sql"
    more = {"blocks": blocks, "server": _query("server").rstrip(), "tells_time": tells_time, "file": file}
    return _said("repeat.sql", facts | more)


def _queries(names: Sequence[str]) -> str:
    return "".join(_query(name) for name in names).rstrip()


def _query(name: str) -> str:
    return (resources.files(__package__ or "") / "sql" / f"{name}.sql").read_text(encoding="utf-8")


def _said(name: str, facts: dict[str, Any]) -> str:
    return _templates().get_template(name).render(facts)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # The templates are not HTML, and names from a case are already plain text.
    return Environment(
        loader=PackageLoader(__package__ or "", "said"), undefined=StrictUndefined, keep_trailing_newline=True
    )


def _bytes(name: str, text: str) -> bytes:
    # Windows PowerShell 5.1 reads a file without a byte order mark in the code page of the machine.
    data = text.encode("ascii", "backslashreplace")
    return data if name.endswith(".sh") else data.replace(b"\n", b"\r\n")
