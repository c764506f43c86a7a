"""The folder that support gets: made-up files of each layout, and two nodes in one flat folder."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

import agtrace
from tests.ingest import texts
from tests.make.host_facts import NETSH_2012_R2, NETSH_2019, netsh_text
from tests.shared import CAPTURES, needs_captures

FOLDER = CAPTURES / "support_folder"
OF_CLUSTER = "_cluster.log"


def put(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def collected_of(node: str) -> dict[str, bytes]:
    """Give what LogScout leaves of a node, made by hand."""
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
        wanted = (
            name[:8] if name.startswith("CONTOSO") else "CONTOSO2" if "!" in path else "CONTOSO1"
        )
        assert host == wanted, path


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_two_nodes_in_one_flat_folder_one_packed(tmp_path, pack):
    case = put(tmp_path / "case", collected_of("CONTOSO1"))
    put(case, {"second.bin": pack(collected_of("CONTOSO2"))})
    check_hosts(case, least=6)


@needs_captures
def test_two_nodes_of_made_up_layouts_one_zipped(tmp_path):
    case = tmp_path / "case"
    shutil.copytree(FOLDER / "output", case)
    case.chmod(0o755)
    second = {
        path.name.replace("CONTOSO1", "CONTOSO2"): path.read_bytes() + b"\r\n"
        for path in (FOLDER / "output").iterdir()
        if OF_CLUSTER not in path.name and "ERRORLOG" in path.name
    }
    second["tcp.txt"] = (FOLDER / "sdp" / "CONTOSO1" / "Net_TCPIP_offload.txt").read_bytes()
    (case / "output.zip").write_bytes(zipped(second))
    check_hosts(case, least=6)
    with agtrace.open_case(case, jobs=1) as opened:
        assert "quality.host_unknown" not in [finding.id for finding in opened.findings()]


@needs_captures
def test_the_folder_says_what_it_is(tmp_path):
    case = tmp_path / "case"
    shutil.copytree(FOLDER / "output", case)
    case.chmod(0o755)
    with agtrace.open_case(case, jobs=1) as opened:
        said = opened.overview.say_summary()
        kinds = [row[0] for row in opened.sql("select kind from issues").fetchall()]
    assert said.startswith(
        "**Collected by SQL LogScout** on CONTOSO1 (scenarios Basic, AlwaysOn and one of the Perf scenarios)"
    )
    assert "**Not collected:** CONTOSO2, part of the group" in said
    assert "middle_missing" in kinds
