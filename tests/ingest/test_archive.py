"""Zip archives as strangers write them: a bad member costs that member, a bomb costs a glance."""

from __future__ import annotations

import bz2
import struct
import time
import zipfile
import zlib

import pytest

from agtrace.errors import CaptureError
from agtrace.ingest import ingest
from agtrace.ingest.archives import limits
from agtrace.ingest.archives.streams import open_member
from agtrace.ingest.archives.zip_directory import read_directory
from tests.ingest import texts

PERFMON = texts.perfmon(50)


@pytest.fixture
def case(tmp_path):
    (tmp_path / "case").mkdir()
    return tmp_path / "case"


def statuses(case) -> dict[str, str]:
    return {capture.path: capture.status for capture in ingest(case).captures}


def reasons(case) -> dict[str, str]:
    return {capture.path: capture.reason for capture in ingest(case).captures}


class Zip:
    """Writes an archive field by field, so that any of them may lie."""

    def __init__(self) -> None:
        self.body = b""
        self.entries: list[bytes] = []

    def local(self, name: bytes, packed: bytes, *, method: int = 8) -> int:
        """Write a member; give its offset."""
        at = len(self.body)
        self.body += struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, method, 0, 0, 0, 0, 0, len(name), 0)
        self.body += name + packed
        return at

    def entry(
        self, name: bytes, at: int, packed: int, size: int, crc: int, *, method: int = 8, flags: int = 0
    ) -> None:
        """List a member."""
        self.entries.append(
            struct.pack(
                "<4s6H3L5H2L",
                *(b"PK\x01\x02", 20, 20, flags, method, 0, 0, crc, packed, size),
                *(len(name), 0, 0, 0, 0, 0, at),
            )
            + name
        )

    def add(self, name: bytes, data: bytes, **lies: int) -> None:
        """Write and list a member; ``lies`` replace what is listed."""
        deflate = zlib.compressobj(wbits=-15)
        packed = deflate.compress(data) + deflate.flush()
        told = {"packed": len(packed), "size": len(data), "crc": zlib.crc32(data)} | lies
        self.entry(name, self.local(name, packed), **told)

    def written(self, *, count: int | None = None) -> bytes:
        directory = b"".join(self.entries)
        count = len(self.entries) if count is None else count
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(self.body), 0)
        return self.body + directory + end


@pytest.mark.complete
def test_members_that_overlap_are_refused_at_once(case):
    bomb = Zip()
    deflate = zlib.compressobj(9, wbits=-15)
    packed = deflate.compress(bytes(40 << 20)) + deflate.flush()
    at = bomb.local(b"0", packed)
    for number in range(4_000):
        bomb.entry(b"%d" % number, at, len(packed), 40 << 20, 0)
    (case / "bomb.zip").write_bytes(bomb.written())
    start = time.process_time()
    found = reasons(case)
    assert time.process_time() - start < 5
    assert sum("shares its bytes with another member" in reason for reason in found.values()) == 3_999


def test_members_that_overlap_in_part_cost_the_larger_one(case):
    some = Zip()
    some.add(b"JBSAG3/a.csv", PERFMON, packed=5_000)
    some.add(b"JBSAG3/b.csv", texts.perfmon(60))
    some.add(b"JBSAG3/ERRORLOG", texts.errorlog() + bytes(6_000))
    (case / "x.zip").write_bytes(some.written())
    found = statuses(case)
    assert found["x.zip!/JBSAG3/b.csv"] == "ingested"
    assert found["x.zip!/JBSAG3/a.csv"] in ("failed", "unreadable")


def test_an_archive_is_bounded_by_its_own_size(case, monkeypatch):
    monkeypatch.setattr(limits, "RATIO_FREE_BYTES", 100_000)
    monkeypatch.setattr(limits, "MAX_RATIO", 2)
    many = Zip()
    for number in range(10):
        many.add(b"%d.csv" % number, b"%d" % number + bytes(30_000))
    (case / "x.zip").write_bytes(many.written())
    found = reasons(case)
    assert sum("too large once unpacked" in reason for reason in found.values()) == 7


def test_the_archives_of_a_case_are_bounded_together(case, monkeypatch):
    monkeypatch.setattr(limits, "CASE_FREE_BYTES", 50_000)
    monkeypatch.setattr(limits, "MAX_CASE_RATIO", 1)
    for number in range(3):
        one = Zip()
        one.add(b"%d.csv" % number, b"%d" % number + bytes(30_000))
        (case / f"{number}.zip").write_bytes(one.written())
    found = reasons(case)
    assert "archives of this folder are too large" not in found["0.zip!/0.csv"]
    assert "archives of this folder are too large" in found["2.zip!/2.csv"]


@pytest.mark.parametrize(
    "name",
    [
        b"",
        b"/",
        b"..",
        b"../../../etc/passwd",
        b"/etc/passwd",
        b"C:\\Windows\\x",
        b"a\0b",
        b"n" * 10_000,
        b"a!/b",
        b"\x1b[31m",
        b"\xff\xfe",
    ],
)
def test_odd_names_are_names(case, name):
    odd = Zip()
    odd.add(name, PERFMON)
    odd.add(b"JBSAG3/perf.csv", texts.perfmon(7))
    (case / "x.zip").write_bytes(odd.written())
    found = statuses(case)
    assert found.pop("x.zip!/JBSAG3/perf.csv") == "ingested"
    assert sorted(found.values()) == ["ingested", "recognised"]
    assert max(map(len, found)) < 1_100
    assert [path.name for path in case.iterdir() if path.suffix == ".zip"] == ["x.zip"]


@pytest.mark.complete
def test_very_many_members_of_one_name(case):
    same = Zip()
    at = same.local(b"x", b"")
    for _ in range(65_000):
        same.entry(b"x", at, 0, 0, 0)
    (case / "x.zip").write_bytes(same.written())
    start = time.process_time()
    assert len(statuses(case)) == 65_001
    assert time.process_time() - start < 30


def test_windows_separators_are_folders(case):
    one = Zip()
    one.add(rb"JBSAG3\perf.csv", PERFMON)
    (case / "x.zip").write_bytes(one.written())
    assert "x.zip!/JBSAG3/perf.csv" in statuses(case)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        ({"size": len(PERFMON) - 1}, "more than the"),
        ({"size": len(PERFMON) + 1}, "1 bytes are missing"),
        ({"crc": 1}, "its checksum is wrong"),
        ({"packed": 20}, "are missing"),
        ({"method": 9}, "compressed by Deflate64"),
        ({"method": 77}, "compressed by method 77"),
        ({"flags": 1}, "encrypted"),
        ({"packed": 1 << 30}, "beyond the end of the archive"),
    ],
)
def test_a_lie_costs_its_member(case, lie, says):
    lying = Zip()
    lying.add(b"a.csv", PERFMON, **lie)
    lying.add(b"JBSAG3/ERRORLOG", texts.errorlog())
    (case / "x.zip").write_bytes(lying.written())
    found = statuses(case)
    assert found["x.zip!/a.csv"] == "unreadable"
    assert found["x.zip!/JBSAG3/ERRORLOG"] == "ingested"
    assert says in reasons(case)["x.zip!/a.csv"]


def test_a_damaged_entry_costs_what_is_behind_it(case):
    some = Zip()
    for number in range(3):
        some.add(b"JBSAG3/%d.csv" % number, texts.perfmon(5 + number))
    some.entries[2] = b"XX" + some.entries[2][2:]
    (case / "x.zip").write_bytes(some.written())
    found = statuses(case)
    assert (found["x.zip!/JBSAG3/0.csv"], found["x.zip!/JBSAG3/1.csv"]) == ("ingested",) * 2
    assert "1 entries of its directory are damaged" in reasons(case)["x.zip"]
    assert found["x.zip"] == "failed"


def test_a_member_that_is_not_at_its_place(case):
    some = Zip()
    some.add(b"a.csv", PERFMON)
    some.body = b"PK\x03\x04" + b"X" * 40 + some.body[44:]
    some.body = b"PK\x03\x04" + b"YY" + some.body[4:]
    (case / "x.zip").write_bytes(some.written())
    assert statuses(case)["x.zip!/a.csv"] == "unreadable"


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_every_method_of_the_standard_library(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "x.zip", "w", method) as written:
        written.writestr("a", PERFMON * 50)
        written.writestr("b", b"b")
    members = read_directory(tmp_path / "x.zip").members
    read = [open_member(tmp_path / "x.zip", member, "x").read() for member in members]
    assert read == [PERFMON * 50, b"b"]


def test_sizes_in_64_bits(tmp_path):
    with (
        zipfile.ZipFile(tmp_path / "x.zip", "w") as written,
        written.open("a", "w", force_zip64=True) as member,
    ):
        member.write(PERFMON)
    wide = bytearray((tmp_path / "x.zip").read_bytes())
    at = wide.index(b"PK\x01\x02")
    # As writers of large archives do: the size stands in the extra field.
    length = struct.unpack_from("<H", wide, at + 28)[0]
    extra = struct.pack("<HHQQ", 1, 16, len(PERFMON), len(PERFMON))
    struct.pack_into("<LL", wide, at + 20, 0xFFFFFFFF, 0xFFFFFFFF)
    struct.pack_into("<H", wide, at + 30, len(extra))
    end = at + 46 + length
    rest = bytearray(wide[wide.index(b"PK\x05\x06") :])
    struct.pack_into("<L", rest, 12, end + len(extra) - at)
    (tmp_path / "y.zip").write_bytes(bytes(wide[:end]) + extra + bytes(rest))
    (member,) = read_directory(tmp_path / "y.zip").members
    assert open_member(tmp_path / "y.zip", member, "y").read() == PERFMON


def test_a_little_of_bzip2_never_becomes_much_at_once(tmp_path):
    packed = bz2.compress(bytes(40 << 20))
    bomb = Zip()
    at = bomb.local(b"a", packed, method=12)
    bomb.entry(b"a", at, len(packed), 1_000, 0, method=12)
    (tmp_path / "x.zip").write_bytes(bomb.written())
    (member,) = read_directory(tmp_path / "x.zip").members
    with pytest.raises(CaptureError, match="more than the 1,000 bytes"):
        open_member(tmp_path / "x.zip", member, "x").read()
