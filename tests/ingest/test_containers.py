"""Archives of every kind, under any name, one in another: their members, and the limits that hold."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from agtrace.describe import describe
from agtrace.ingest import ingest
from agtrace.ingest.archives import HEAD_BYTES, Budget, Look, kind_of, limits, tar_directory, unpacked_folder
from agtrace.ingest.archives.member import DamagedArchiveError
from agtrace.store.scratch import prefix
from simulation.formats.seven_zip import AES, COPY, LZMA2, PPMD, SevenZip
from tests import effort
from tests.ingest import texts

PERFMON, ERRORLOG = texts.perfmon(50), texts.errorlog()
FILES = {"JBSAG3/perf.csv": PERFMON, "JBSAG3/ERRORLOG": ERRORLOG}


@pytest.fixture
def case(tmp_path):
    (tmp_path / "case").mkdir()
    return tmp_path / "case"


def told(case: Path) -> dict[str, tuple[str, str]]:
    return {c.path: (c.status, c.reason) for c in ingest(case, jobs=1).captures}


def statuses(case: Path) -> dict[str, str]:
    return {path: status for path, (status, _reason) in told(case).items()}


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return kept.getvalue()


def tarred(files: dict[str, bytes], how: int = tarfile.GNU_FORMAT) -> bytes:
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode="w", format=how) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return kept.getvalue()


def seven(files: dict[str, bytes]) -> bytes:
    return SevenZip(list(files.items()), encode=True).written()


WRITERS = {
    "zip": zipped,
    "tar": tarred,
    "tar.gz": lambda files: gzip.compress(tarred(files), mtime=0),
    "bz2": lambda files: bz2.compress(tarred(files)),
    "tar.xz": lambda files: lzma.compress(tarred(files)),
    "7z": seven,
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("name", ["x.{}", "no ending", "CONTOSO1_host_instance_sql_logs.dat"])
def test_every_kind_is_read_under_any_name(case, kind, name):
    name = name.format(kind)
    (case / name).write_bytes(WRITERS[kind](FILES))
    assert statuses(case) == {
        name: "recognised",
        f"{name}!/JBSAG3/perf.csv": "ingested",
        f"{name}!/JBSAG3/ERRORLOG": "ingested",
    }


@pytest.mark.complete
@pytest.mark.parametrize("outer", WRITERS)
@pytest.mark.parametrize("inner", WRITERS)
def test_one_archive_in_another(case, outer, inner):
    inside = WRITERS[inner](FILES)
    (case / "x").write_bytes(WRITERS[outer]({"a/inner": inside, "JBSAG1/ERRORLOG": ERRORLOG}))
    found = statuses(case)
    assert found["x!/JBSAG1/ERRORLOG"] == "ingested"
    assert found["x!/a/inner!/JBSAG3/perf.csv"] == "ingested"
    assert found["x!/a/inner!/JBSAG3/ERRORLOG"] == "ingested"
    assert (found["x"], found["x!/a/inner"]) == ("recognised", "recognised")


def test_a_third_archive_is_named_and_not_opened(case):
    (case / "x.zip").write_bytes(zipped({"b.zip": zipped({"c.zip": zipped(FILES)})}))
    assert told(case)["x.zip!/b.zip!/c.zip"] == (
        "recognised",
        "an archive in an archive in an archive; unpack it by hand",
    )


@pytest.mark.parametrize(
    ("name", "packed", "shown"),
    [
        ("ERRORLOG.gz", gzip.compress(ERRORLOG), "ERRORLOG.gz!/ERRORLOG"),
        ("perf.csv.bz2", bz2.compress(PERFMON), "perf.csv.bz2!/perf.csv"),
        ("ERRORLOG.2", lzma.compress(ERRORLOG), "ERRORLOG.2!/ERRORLOG.2"),
    ],
)
def test_a_single_file_that_is_packed(case, name, packed, shown):
    (case / name).write_bytes(packed)
    assert statuses(case) == {name: "recognised", shown: "ingested"}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_streams_that_follow_each_other_are_one_file(case, pack):
    data = tarred(FILES)
    pieces = b"".join(pack(data[at : at + 3_000]) for at in range(0, len(data), 3_000))
    (case / "x").write_bytes(pieces + bytes(64))
    assert set(statuses(case).values()) == {"recognised", "ingested"}


@pytest.mark.parametrize("how", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_of_a_tar(case, how):
    name = "JBSAG3/" + "/".join(["folder-" * 5] * 5) + "/ERRORLOG"
    (case / "x.tar").write_bytes(tarred({name: ERRORLOG}, how))
    assert statuses(case)[f"x.tar!/{name}"] == "ingested"


@pytest.mark.parametrize("kind", [k for k in WRITERS if k != "zip"])
@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "C:\\Windows\\x", "\x1b[31m"])
def test_odd_names_are_names(case, kind, name):
    before = sorted(case.parent.rglob("*"))
    (case / "x").write_bytes(WRITERS[kind]({name: ERRORLOG}))
    assert sorted(statuses(case).values()) == ["ingested", "recognised"]
    made = {path for path in case.parent.rglob("*") if ".agtrace" not in path.parts}
    assert made == {*before, case / "x"}


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (tarfile.SYMTYPE, "a link; not followed"),
        (tarfile.LNKTYPE, "a link to another member; not followed"),
        (tarfile.FIFOTYPE, "a pipe; not read"),
        (tarfile.BLKTYPE, "a device; not read"),
    ],
)
def test_a_link_in_a_tar_is_named_and_not_followed(case, kind, says):
    info = tarfile.TarInfo("link")
    info.type, info.linkname = kind, "/etc/passwd"
    (case / "x.tar").write_bytes(info.tobuf() + tarred({"JBSAG3/ERRORLOG": ERRORLOG}))
    found = told(case)
    assert found["x.tar!/link"] == ("recognised", says)
    assert found["x.tar!/JBSAG3/ERRORLOG"][0] == "ingested"


def test_a_damaged_header_of_a_tar_costs_its_member(case):
    data = bytearray(tarred({f"JBSAG3/{n}.csv": texts.perfmon(5 + n) for n in range(3)}))
    data[data.index(b"JBSAG3/1.csv")] = 0xFF
    (case / "x.tar").write_bytes(bytes(data))
    found = told(case)
    assert found["x.tar"] == ("failed", "2 files inside; 1 entries of its directory are damaged")
    assert [path for path, (status, _) in found.items() if status == "ingested"] == [
        "x.tar!/JBSAG3/0.csv",
        "x.tar!/JBSAG3/2.csv",
    ]


@pytest.mark.complete
@pytest.mark.parametrize("kind", ["tar.gz", "bz2", "tar.xz"])
def test_of_a_stream_that_is_cut_off_the_beginning_is_read(case, kind):
    noise = random.Random(1).randbytes(2_000_000)
    whole = WRITERS[kind]({"JBSAG3/ERRORLOG": ERRORLOG, "JBSAG3/noise": noise})
    (case / "x").write_bytes(whole[: len(whole) // 2])
    found = told(case)
    assert found["x"][0] == "failed"
    assert "damaged (" in found["x"][1]
    assert found["x!/JBSAG3/ERRORLOG"][0] == "ingested"
    assert found["x!/JBSAG3/noise"][0] == "unreadable"


@pytest.mark.parametrize(
    ("archive", "name", "says"),
    [
        (SevenZip([("a", ERRORLOG)], coder=AES), "x!/a", "encrypted"),
        (SevenZip([("a", ERRORLOG)], coder=PPMD), "x!/a", "compressed by PPMd"),
        (SevenZip([("a", ERRORLOG), ("b", b"")]), "x!/b", ""),
        (SevenZip([("a", ERRORLOG)], size=10 << 40), "x!/a", "too large once unpacked"),
    ],
)
def test_members_of_a_7z_that_are_not_read(case, archive, name, says):
    (case / "x").write_bytes(archive.written())
    assert says in told(case).get(name, ("", ""))[1]


@pytest.mark.parametrize("coder", [COPY, LZMA2])
def test_a_wrong_byte_in_a_7z_costs_its_members(case, coder):
    data = bytearray(SevenZip([("a", ERRORLOG), ("b", PERFMON)], coder=coder).written())
    data[200] ^= 0xFF
    (case / "x").write_bytes(bytes(data))
    assert statuses(case)["x!/a"] in ("unreadable", "failed")


@pytest.mark.parametrize("kind", ["tar.gz", "bz2", "tar.xz", "7z", "zip"])
def test_an_archive_is_bounded_by_its_own_size(case, kind, monkeypatch):
    monkeypatch.setattr(limits, "RATIO_FREE_BYTES", 100_000)
    monkeypatch.setattr(limits, "MAX_RATIO", 2)
    (case / "x").write_bytes(WRITERS[kind]({"a": bytes(1 << 20), "b": b"1" + bytes(1 << 20)}))
    found = told(case)
    assert all(
        "too large once unpacked" in r or "packed " in r for _s, r in found.values() if "files" not in r
    )
    assert "ingested" not in statuses(case).values()


def test_an_archive_in_an_archive_is_bounded_by_the_file_itself(case, monkeypatch):
    monkeypatch.setattr(limits, "RATIO_FREE_BYTES", 100_000)
    monkeypatch.setattr(limits, "MAX_RATIO", 20)
    inner = zipped({f"{n}.csv": b"%d" % n + bytes(90_000) for n in range(20)})
    (case / "x.zip").write_bytes(zipped({"inner.zip": inner}))
    reasons = [reason for _status, reason in told(case).values()]
    assert sum("the archive is too large once unpacked" in reason for reason in reasons) >= 15


def test_the_archives_of_a_case_are_bounded_together(case, monkeypatch):
    monkeypatch.setattr(limits, "CASE_FREE_BYTES", 50_000)
    monkeypatch.setattr(limits, "MAX_CASE_RATIO", 1)
    for number in range(3):
        (case / f"{number}.gz").write_bytes(gzip.compress(b"%d" % number + bytes(30_000)))
    found = told(case)
    assert found["0.gz"][0] == "recognised"
    assert "archives of this folder are too large" in found["2.gz"][1]


def test_a_refusal_for_the_other_archives_is_not_remembered(case, monkeypatch):
    monkeypatch.setattr(limits, "CASE_FREE_BYTES", 50_000)
    monkeypatch.setattr(limits, "MAX_CASE_RATIO", 1)
    for number in range(2):
        (case / f"{number}.gz").write_bytes(gzip.compress(b"%d" % number + bytes(30_000)))
    assert told(case)["1.gz"][0] == "failed"
    (case / "0.gz").unlink()
    assert told(case)["1.gz"][0] == "recognised"


def aged(path: Path) -> None:
    """Make a file look as if it had been written long ago."""
    import os

    os.utime(path, (1_000_000_000, 1_000_000_000))


def test_an_unchanged_archive_is_not_unpacked_again(case, monkeypatch):
    from agtrace.ingest import discover

    monkeypatch.setattr(discover, "FRESH_NS", 0)
    (case / "x.tar.gz").write_bytes(WRITERS["tar.gz"]({**FILES, "inner.zip": zipped(FILES)}))
    aged(case / "x.tar.gz")
    first = told(case)

    def never(*_args: object) -> None:
        raise AssertionError("looked into again")

    monkeypatch.setattr(Look, "entries", never)
    assert told(case) == first


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 1, "archives": {"x.tar": 7}}'])
def test_what_the_store_says_of_archives_may_be_damaged(case, text):
    (case / "x.tar").write_bytes(tarred(FILES))
    first = told(case)
    (case / ".agtrace" / "archives.json").write_text(text)
    assert told(case) == first


def test_nothing_is_left_of_what_was_unpacked(case):
    import tempfile

    (case / "x.tar.gz").write_bytes(WRITERS["tar.gz"](FILES))
    ingest(case, jobs=1)
    # Other processes unpack, too: only the folders of this one are looked for.
    assert not list(Path(tempfile.gettempdir()).glob(f"{prefix('unpacked')}*"))


@pytest.mark.complete
def test_other_processes_find_what_was_unpacked(case):
    inner = zipped({f"JBSAG{n}/perf.csv": texts.perfmon(20 + n) for n in range(4)})
    (case / "x.tar.gz").write_bytes(gzip.compress(tarred({"inner.zip": inner})))
    assert sum(c.status == "ingested" for c in ingest(case, jobs=2).captures) == 4


def test_info_describes_every_member(tmp_path):
    (tmp_path / "x.7z").write_bytes(seven(FILES))
    found = {d.path.rpartition("!/")[2]: (d.status, d.kind) for d in describe(tmp_path / "x.7z")}
    assert found["JBSAG3/ERRORLOG"] == ("ingested", "SQL Server ERRORLOG")


@pytest.mark.complete
def test_real_members_are_whole(tmp_path):
    noise = {f"{n}": random.Random(n).randbytes(100_000 * n) for n in range(1, 4)}
    for kind, write in WRITERS.items():
        path = tmp_path / kind
        path.write_bytes(write(noise))
        assert contents(path) == noise, kind


def contents(path: Path) -> dict[str, bytes]:
    with unpacked_folder() as unpacked, path.open("rb") as file:
        kind = kind_of(file.read(HEAD_BYTES))
        assert kind is not None
        look = Look(path, unpacked, Budget().of_file(path.stat().st_size))
        found = {}
        for entry in look.entries(kind, path.stat().st_size):
            if entry.member:
                with unpacked.open(path, entry.member, "x") as opened:
                    found[entry.name.removeprefix("!/")] = opened.read()
    return found


@effort.thorough
def test_damaged_archives_never_raise_anything_else(tmp_path):
    from agtrace.errors import CaptureError

    chance = random.Random(7)
    small = {"a": ERRORLOG[:3_000], "b": b"", "c/d": PERFMON[:5_000]}
    written = {kind: write(small) for kind, write in WRITERS.items()}
    path = tmp_path / "x"
    for _ in range(effort.times(20_000)):
        data = bytearray(written[chance.choice(list(written))])
        for _ in range(chance.choice((1, 1, 3, 20))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(bytes(data[: chance.choice((len(data), chance.randrange(len(data))))]))
        with path.open("rb") as file:
            if kind_of(file.read(HEAD_BYTES)):
                try:
                    contents(path)
                except CaptureError:
                    continue


def test_a_header_in_front_of_a_header_is_never_read_whole(tmp_path):
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 8 << 30
    (tmp_path / "x").write_bytes(info.tobuf() + bytes(1_000))
    assert tar_directory.read_tar(tmp_path / "x").members == []


def test_a_negative_size_in_a_tar_is_no_size(tmp_path):
    header = bytearray(tarfile.TarInfo("a").tobuf())
    header[124:136] = b"-0000001000\0"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "x").write_bytes(bytes(header) + bytes(2_000))
    assert not kind_of(bytes(header))
    with pytest.raises(DamagedArchiveError):
        tar_directory.read_tar(tmp_path / "x")


@pytest.mark.complete
@pytest.mark.parametrize("between", [bytes(512), b"x" * 512], ids=["zeros", "damage"])
def test_a_tar_full_of_gaps_is_read_in_linear_time(tmp_path, between):
    header = tarfile.TarInfo("a").tobuf(tarfile.USTAR_FORMAT)
    (tmp_path / "x").write_bytes((header + between) * 20_000)
    start = time.process_time()
    tar_directory.read_tar(tmp_path / "x")
    assert time.process_time() - start < 5


def test_an_office_document_is_one_line_and_is_not_opened(case):
    with zipfile.ZipFile(case / "notes.docx", "w") as file:
        for name in ("[Content_Types].xml", "_rels/.rels", "word/document.xml"):
            file.writestr(name, "<x/>")
    found = told(case)
    assert list(found) == ["notes.docx"]
    assert found["notes.docx"][0] == "recognised"


def test_an_archive_counts_by_its_members(case):
    with zipfile.ZipFile(case / "a.zip", "w") as file:
        for name, content in FILES.items():
            file.writestr(name, content)
    assert ingest(case, jobs=1).counted == "2 files (with those of 1 archive): 2 read"


def test_a_folder_whose_name_ends_like_an_archive_in_a_path_is_no_archive(case):
    (case / "urgent!").mkdir()
    (case / "urgent!" / "ERRORLOG").write_bytes(ERRORLOG)
    assert ingest(case, jobs=1).counted == "1 file: 1 read"
