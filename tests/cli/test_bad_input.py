"""Bad input gives one clear line and the right exit status; a store that was there stays whole."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from agtrace.ingest import discover
from agtrace.inputs import open_input

LOG = (
    b"2026-03-14 09:00:00.10 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) \r\n"
    b"2026-03-14 09:00:00.11 Server      UTC adjustment: -6:00\r\n"
    b"2026-03-14 09:00:00.12 Server      Server name is 'SQLA'. This is an informational message only. No "
    b"user action is required.\r\n"
)
CSV = b'"(PDH-CSV 4.0) (UTC)(0)","\\\\SQLA\\Memory\\Pages/sec"\r\n"03/14/2026 09:00:00.000","1"\r\n'

VERBS = ("report", "ingest", "findings")


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "ERRORLOG").write_bytes(LOG)
    return folder


@pytest.mark.parametrize("verb", VERBS)
def test_missing_folder(agtrace, tmp_path, verb):
    ran = agtrace(verb, tmp_path / "no")
    line = f"agtrace: {tmp_path}/no: no such folder - name the folder that holds the captures\n"
    assert (ran.status, ran.out, ran.err) == (2, "", line)


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_that_is_no_capture_instead_of_a_folder(agtrace, tmp_path, verb):
    (tmp_path / "notes.txt").write_text("nothing")
    ran = agtrace(verb, tmp_path / "notes.txt")
    assert ran.status == (0 if verb == "ingest" else 1)
    assert ran.out.splitlines()[0] == f"{tmp_path}/notes.txt: 1 file: 1 not understood"


def test_a_capture_instead_of_a_folder(agtrace, case):
    ran = agtrace("findings", case / "ERRORLOG")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == f"{case}/ERRORLOG: 1 file: 1 read"


def test_a_device_instead_of_a_folder(agtrace):
    ran = agtrace("findings", os.devnull)
    line = f"agtrace: {os.devnull}: neither a folder nor a file - name the folder that holds the captures\n"
    assert (ran.status, ran.out, ran.err) == (2, "", line)


@pytest.mark.parametrize("verb", VERBS)
def test_folder_with_nothing_in_it(agtrace, tmp_path, verb):
    (tmp_path / "sub").mkdir()
    ran = agtrace(verb, tmp_path)
    line = f"agtrace: {tmp_path}: there is no file in it - drop the captures into it first\n"
    assert (ran.status, ran.out, ran.err) == (2, "", line)
    assert not (tmp_path / ".agtrace").exists()


def test_every_file_is_read_or_named_with_its_reason(agtrace, case):
    (case / "empty.csv").write_bytes(b"")
    (case / "sales.csv").write_bytes(b"region,amount\nnorth,3\n")
    (case / "SQLAGENT.1").write_bytes("2026-03-14 22:45:14 - ? [100] text\r\n".encode("utf-16"))
    ran = agtrace("ingest", case)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        f"{case}: 4 files: 1 read, 1 recognised and not read, 1 empty, 1 not understood",
        "  recognised  SQLAGENT.1 (SQL Server Agent log): job scheduling, not the engine",
        "  empty  empty.csv: 0 bytes",
        "  not understood  sales.csv: no reader knows this format",
    ]
    assert agtrace("ingest", case).out.startswith(
        f"{case}: 4 files: 1 unchanged, 1 recognised and not read, "
    )


def test_file_that_cannot_be_opened(agtrace, case, monkeypatch):
    """Simulated, because root may open everything."""
    (case / "secret.csv").write_bytes(CSV)

    def refuse(path):
        if path.name == "secret.csv":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return open_input(path)

    monkeypatch.setattr(discover, "open_input", refuse)
    ran = agtrace("ingest", case)
    assert (ran.status, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        f"{case}: 2 files: 1 read, 1 failed",
        "  unreadable  secret.csv: Permission denied",
    ]


@pytest.mark.parametrize("name", ["nosuch", "zip", "rot13", ""])
def test_an_unknown_encoding_is_refused_before_anything_is_read(agtrace, case, tmp_path, name):
    for words in (
        ("ingest", case, "--encoding", name),
        ("convert", case / "ERRORLOG", "-o", tmp_path / "x.jsonl", "--encoding", name),
    ):
        ran = agtrace(*words)
        assert (ran.status, ran.out) == (2, "")
        assert f"{name!r} is not a character encoding" in ran.err
        assert ran.err.count("\n") == 1
    assert not (case / ".agtrace").exists()


@pytest.mark.complete
def test_a_closed_output_is_no_defect(case):
    code = (
        "import sys; sys.stderr = None; from agtrace.cli import main; sys.exit(main(['ingest', sys.argv[1]]))"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(case)], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout.split(": ", 1)[1]) == (0, "1 file: 1 read\n")


@pytest.mark.complete
def test_a_damaged_part_of_the_store_is_read_again_and_that_is_said(agtrace, case):
    agtrace("ingest", case)
    (part,) = (case / ".agtrace" / "parts").glob("*/errorlog.parquet")
    part.write_bytes(b"damaged")
    ran = agtrace("findings", case)
    assert ran.status == 0
    assert "1 of the captures in it are not as they were stored here; they are read again" in (
        ran.out + ran.err
    )


@pytest.mark.complete
def test_a_damaged_part_of_a_store_of_others_is_named_with_the_remedy(agtrace, case, tmp_path):
    store = tmp_path / "theirs"
    agtrace("ingest", case, "--store", store)
    (store / ".agtrace-store").write_text('{"format": 1}')
    (part,) = (store / "parts").glob("*/errorlog.parquet")
    part.write_bytes(b"damaged")
    ran = agtrace("findings", case, "--store", store)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"agtrace: {part}: cannot be read - if it is damaged, remove the folder")
    shutil.rmtree(part.parent)
    assert agtrace("findings", case, "--store", store).status == 0


def test_damaged_zip_fails_and_the_rest_is_read(agtrace, case):
    (case / "bad.zip").write_bytes(b"PK\x03\x04 and no more")
    ran = agtrace("ingest", case)
    assert ran.status == 1
    assert ran.out.splitlines()[0] == f"{case}: 2 files: 1 read, 1 failed"
    assert ran.out.splitlines()[1].startswith("  failed  bad.zip (zip archive): not a readable zip archive")


def test_names_of_files_do_not_steer_the_terminal(agtrace, case):
    with zipfile.ZipFile(case / "x.zip", "w") as archive:
        archive.writestr("\x1b[2Jowned.txt", "hello")
    ran = agtrace("ingest", case)
    assert "\x1b" not in ran.out
    assert "  not understood  x.zip!/\\x1b[2Jowned.txt: no reader knows this format" in ran.out.splitlines()


FULL_DISK = """
import resource, signal, sys
from agtrace.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(main(sys.argv[2:]))
"""

NO_BYTECODE = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
"""Python itself writes cut .pyc files on a full disk and trips over them later."""


@pytest.mark.complete
@pytest.mark.parametrize("limit", [0, 100, 2000])
@pytest.mark.parametrize("jobs", [1, 2])
def test_full_disk_is_one_line_and_the_store_stays_whole(agtrace, case, limit, jobs):
    """Every file that grows beyond the limit fails as it does on a full disk (EFBIG)."""
    pytest.importorskip("resource", reason="limits of file size are POSIX")
    assert agtrace("ingest", case).status == 0
    before = {path: path.read_bytes() for path in (case / ".agtrace").rglob("*") if path.is_file()}
    rows = b"".join(b'"03/14/2026 09:%02d:00.000","%d"\r\n' % (n % 60, n * 7919) for n in range(20_000))
    (case / "log.csv").write_bytes(CSV + rows)
    (case / "log2.csv").write_bytes(CSV + rows + rows)
    words = ["ingest", case, "--jobs", jobs]
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(limit), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env=NO_BYTECODE,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("agtrace: ")
    for path, data in before.items():
        assert path.read_bytes() == data, path
    assert agtrace("ingest", case).out.startswith(f"{case}: 3 files: 2 read, 1 unchanged\n")


@pytest.mark.complete
@pytest.mark.parametrize("ending", ["tsv", "parquet"])
@pytest.mark.parametrize("limit", [0, 1000])
def test_full_disk_while_converting(case, tmp_path, ending, limit):
    pytest.importorskip("resource", reason="limits of file size are POSIX")
    rows = b"".join(b'"03/14/2026 09:%02d:00.000","%d"\r\n' % (n % 60, n * 7919) for n in range(20_000))
    (case / "log.csv").write_bytes(CSV + rows)
    words = ["convert", str(case / "log.csv"), "-o", str(tmp_path / f"x.{ending}")]
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(limit), *words],
        capture_output=True,
        text=True,
        check=False,
        env=NO_BYTECODE,
    )
    assert done.returncode == 1
    line = "agtrace: the disk is full - free some space, or write elsewhere\n"
    assert done.stderr == line
    assert sorted(path.name for path in tmp_path.iterdir()) == ["case"]
