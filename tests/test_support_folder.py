"""The folder that support gets: made-up files of each layout, and two nodes in one flat folder."""

from __future__ import annotations

import io
import tarfile
import zipfile
from html import unescape
from pathlib import Path

import pytest

import agtrace
from simulation.formats.host_facts import NETSH_2012_R2, NETSH_2019, netsh_text
from tests.ingest import texts
from tests.readers.collector_log import small as collector_log
from tests.readers.filter_drivers import small as fltmc
from tests.shared import CAPTURES, needs_captures

FOLDER = CAPTURES / "support_folder"
FOUND = [
    "critical seeding.failed Sales001",
    "info commit.latency AG1",
    "info quality.not_captured CONTOSO1",
    "info quality.not_captured CONTOSO2",
    "info quality.not_captured Sales001",
    "info quality.not_captured TCP settings",
    "info quality.not_captured seeding events",
    "info seeding.completed Sales000",
    "info transport.rpo CONTOSO2",
    "notice quality.not_captured CONTOSO2",
    "notice redo.waits CONTOSO1",
    "notice settings.power_plan CONTOSO1",
    "warning quality.gap CONTOSO1",
    "warning quality.time_zone_unknown Sales000",
    "warning quality.time_zone_unknown Sales001",
    "warning quality.truncated",
]
"""What the made-up folder of one node leads to; what happened to the group is told elsewhere."""


def put(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def collected_of(node: str) -> dict[str, bytes]:
    """Return what LogScout leaves of a node, made by hand."""
    stamp = f"{node}_20260301T1015302241"
    return {
        f"{node}_ERRORLOG": texts.errorlog(server=node),
        f"{stamp}_TaskListVerbose.out": f"Image Name of {node}\r\n".encode(),
        "tcp.txt": netsh_text(NETSH_2019 if node == "CONTOSO1" else NETSH_2012_R2).encode(),
        "CONTOSO1.contoso.lan_cluster.log": b"log of 1",
        "CONTOSO2.contoso.lan_cluster.log": b"log of 2",
    }


def zipped(files: dict[str, bytes], folder: str = "output/") -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        for name, data in files.items():
            archive.writestr(folder + name, data)
    return kept.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode="w:bz2") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(f"output/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return kept.getvalue()


def hosts_of(case: Path) -> dict[str, str | None]:
    with agtrace.open_case(case, jobs=1) as opened:
        query = "select path, host_id from captures where reader is not null order by path"
        return dict(opened.sql(query).fetchall())


def check_hosts(case: Path, least: int) -> None:
    found = hosts_of(case)
    assert len(found) >= least
    for path, host in found.items():
        name = path.rpartition("/")[2]
        wanted = name[:8] if name.startswith("CONTOSO") else "CONTOSO2" if "!" in path else "CONTOSO1"
        assert host == wanted, path


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_two_nodes_in_one_flat_folder_one_packed(tmp_path, pack):
    case = put(tmp_path / "case", collected_of("CONTOSO1"))
    put(case, {"second.bin": pack(collected_of("CONTOSO2"))})
    check_hosts(case, least=6)


ALWAYS = (
    "TaskListVerbose.out", "TaskListServices.out", "RunningDrivers.csv", "RunningDrivers.txt",
    "WindowsHotfixes.out",
    "WindowsDiskInfo.out", "UserRights.out", "Fsutil_SectorInfo.out", "DNSClientInfo.out", "IPConfig.out",
    "NetTCPandUDPConnections.out", "Environment_Variables.out", "SQL_AzureVM_Information.out",
    "ClusterRegistryHive.out",
)  # fmt: skip
"""What LogScout writes whatever was asked for, and nothing is read of."""


def of_other_node(data: bytes) -> bytes:
    """Swap the names of the two nodes, in one byte a character and in two."""
    for encoding in ("ascii", "utf-16-le"):
        one, two, kept = (name.encode(encoding) for name in ("CONTOSO1", "CONTOSO2", "CONTOSO\0"))
        data = data.replace(one, kept).replace(two, one).replace(kept, two)
    return data


def of_node(node: str) -> dict[str, bytes]:
    """Return the made-up folder of a node, with its collector's log and unread files."""
    is_other = node == "CONTOSO2"
    found = {
        path.name.replace("CONTOSO1", node): of_other_node(path.read_bytes())
        if is_other
        else path.read_bytes()
        for path in sorted((FOLDER / "output").iterdir())
    }
    stamp = f"{node}_20260301T1015302241"
    found |= {f"{stamp}_{name}": f"{name} of {node}\r\n".encode() for name in ALWAYS}
    for name, text in (("Filters", fltmc.FILTERS), ("Instances", fltmc.INSTANCES)):
        found[f"{stamp}_FLTMC_{name}.out"] = text.replace("C: ", f"{'CD'[is_other]}: ").encode()
    log = collector_log.TEXT.replace("CONTOSO1\\SALES", node)
    found["internal/##SQLLOGSCOUT.LOG"] = log.encode()
    return found


@pytest.fixture(scope="module")
def two_nodes(tmp_path_factory):
    """The folders of two nodes in one: of the first as it is, of the second zipped."""
    if not FOLDER.is_dir():
        pytest.skip("no support folder among the captures")
    case = tmp_path_factory.mktemp("two_nodes")
    for name, data in of_node("CONTOSO1").items():
        (case / name).parent.mkdir(exist_ok=True)
        (case / name).write_bytes(data)
    (case / "output.zip").write_bytes(zipped(of_node("CONTOSO2")))
    with agtrace.open_case(case, jobs=1) as opened:
        yield opened


@pytest.mark.complete
@needs_captures
def test_every_file_of_two_nodes_is_understood_and_has_its_host(two_nodes):
    query = "select path, status, host_id from captures where path <> 'output.zip' order by path"
    rows = two_nodes.sql(query).fetchall()
    assert len(rows) == 2 * len(of_node("CONTOSO1"))
    for path, status, host in rows:
        name = path.rpartition("/")[2]
        is_unread = name.partition("_20260301T1015302241_")[2] in ALWAYS
        assert status == ("recognised" if is_unread else "ingested"), path
        whose = "CONTOSO2" if "!" in path else "CONTOSO1"
        assert host == (name[:8] if name.startswith("CONTOSO") else whose), path


@pytest.mark.complete
@needs_captures
def test_both_nodes_are_told_at_each_of_their_looks(two_nodes):
    query = """
        select host_id, replica, is_local, count(distinct database) as n
        from database_states group by all order by all
    """
    assert two_nodes.sql(query).fetchall() == [
        ("CONTOSO1", "CONTOSO1", True, 40),
        ("CONTOSO1", "CONTOSO2", False, 40),
        ("CONTOSO2", "CONTOSO1", False, 40),
        ("CONTOSO2", "CONTOSO2", True, 40),
    ]


@pytest.mark.complete
@needs_captures
def test_the_overview_opens_with_the_tool_and_its_scenarios(two_nodes):
    said = two_nodes.overview.say_summary()
    assert unescape(said).startswith(
        "**Collected by SQL LogScout 6.24.11.02** on CONTOSO1 and CONTOSO2 (scenarios GeneralPerf, AlwaysOn "
        "and Basic): "
    )
    assert "not understood" not in said
    assert "Not collected" not in said


@pytest.mark.complete
@needs_captures
def test_nothing_of_two_nodes_is_left_without_a_host_or_a_clock(two_nodes):
    found = {finding.id for finding in two_nodes.findings()}
    assert "settings.power_plan" in found
    assert not found & {"quality.host_unknown", "quality.clock_skew"}


@pytest.fixture(scope="module")
def one_node(tmp_path_factory):
    if not FOLDER.is_dir():
        pytest.skip("no support folder among the captures")
    store = tmp_path_factory.mktemp("one_node")
    with agtrace.open_case(FOLDER / "output", store=store, jobs=1) as opened:
        yield opened


@pytest.mark.complete
@needs_captures
def test_the_folder_says_what_it_is(one_node):
    said = one_node.overview.say_summary()
    kinds = [row[0] for row in one_node.sql("select kind from issues").fetchall()]
    assert said.startswith(
        "**Collected by SQL LogScout** on CONTOSO1 (scenarios Basic, AlwaysOn and one of the Perf scenarios)"
    )
    assert "**Not collected:** CONTOSO2, part of the group" in said
    assert "middle_missing" in kinds


@pytest.mark.complete
@needs_captures
def test_what_is_found_in_the_folder_of_one_node(one_node):
    found = {
        " ".join([f.severity, f.id, *_whom(f.subject)])
        for f in one_node.findings()
        if not f.id.startswith("health.")
    }
    assert sorted(found) == FOUND


def _whom(subject: dict[str, str]) -> list[str]:
    keys = ("what", "database", "host", "replica", "ag")
    return [next(subject[key] for key in keys if key in subject)] if subject else []
