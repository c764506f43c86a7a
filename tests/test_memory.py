"""How much memory may be taken: what is allowed, and how it is shared."""

from __future__ import annotations

import pytest

from agtrace import memory
from agtrace.errors import CaseError
from agtrace.store.connection import connect

GB, MB = memory.GB, memory.MB


def said(monkeypatch, text):
    monkeypatch.setenv(memory.VARIABLE, text)


@pytest.mark.parametrize(
    ("text", "bytes_"), [("1.5GB", 1536 * MB), ("800 MiB", 800 * MB), ("4g", 4 * GB), ("1073741824", GB)]
)
def test_a_size_is_read_in_powers_of_1024(text, bytes_):
    assert memory.size(text) == bytes_


@pytest.mark.parametrize("text", ["much", "-1GB", "0", "1.5 PB", "9" * 400])
def test_what_is_no_size_is_one_line(text):
    with pytest.raises(CaseError, match=r"AGTRACE_MEMORY: .* is no size"):
        memory.size(text)


def test_what_the_user_says_counts_whatever_the_machine_has(monkeypatch):
    said(monkeypatch, "1.5GB")
    assert memory.most() == 1536 * MB


def test_without_a_word_most_of_what_is_allowed_is_taken(monkeypatch):
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "allowed", lambda: 10 * GB)
    assert memory.most() == int(8.5 * GB)


@pytest.mark.parametrize(("text", "queries"), [("1.5GB", 256), ("64GB", 256), ("300MB", 200)])
def test_duckdb_takes_a_third_of_what_is_left_within_bounds(monkeypatch, text, queries):
    said(monkeypatch, text)
    assert memory.for_queries() // MB == queries


def test_a_connection_has_that_limit_and_swaps_the_rest_out(monkeypatch, tmp_path):
    said(monkeypatch, "1.5GB")
    connection = connect(tmp_path / "spill")
    limit = connection.execute("SELECT current_setting('memory_limit')").fetchone()[0]
    assert limit == "256.0 MiB"
    folder = connection.execute("SELECT current_setting('temp_directory')").fetchone()[0]
    assert folder == str(tmp_path / "spill")


@pytest.mark.parametrize(("text", "count"), [("1.5GB", 3), ("8GB", 8), ("300MB", 1)])
def test_so_many_work_at_once_as_there_is_memory_for(monkeypatch, text, count):
    said(monkeypatch, text)
    assert memory.workers(8) == count


def test_those_that_work_at_once_share_what_is_left_by_who_started_them(monkeypatch):
    said(monkeypatch, "2250MB")
    assert memory.share(4) == 500 * MB
    memory.limit(memory.share(4))
    assert memory.most() == 500 * MB


GROUPS = {
    2: ("0::/a/b\n", "30 1 0:26 / {mount} rw - cgroup2 cgroup2 rw\n", "memory.max"),
    1: ("4:memory:/a/b\n", "30 1 0:26 / {mount} rw - cgroup cgroup rw,memory\n", "memory.limit_in_bytes"),
}  # fmt: skip


@pytest.mark.parametrize("version", GROUPS)
def test_limits_of_control_groups_and_of_those_around_them_count(tmp_path, version):
    group, mount, name = GROUPS[version]
    process, root = tmp_path / "proc", tmp_path / "cgroup"
    process.mkdir()
    (root / "a" / "b").mkdir(parents=True)
    (process / "cgroup").write_text(group)
    (process / "mountinfo").write_text(mount.format(mount=root))
    (root / "a" / "b" / name).write_text("max\n" if version == 2 else f"{2**63 - 4096}\n")
    (root / "a" / name).write_text(f"{1536 * MB}\n")
    assert list(memory.of_control_groups(process)) == [1536 * MB]


def test_a_container_sees_its_own_group_at_the_root_of_the_mount(tmp_path):
    process, root = tmp_path / "proc", tmp_path / "cgroup"
    process.mkdir()
    root.mkdir()
    (process / "cgroup").write_text("0::/docker/x\n")
    (process / "mountinfo").write_text(f"30 1 0:26 /docker/x {root} rw - cgroup2 cgroup2 rw\n")
    (root / "memory.high").write_text(f"{GB}\n")
    assert list(memory.of_control_groups(process)) == [GB]


def test_a_machine_without_control_groups_has_no_such_limit(tmp_path):
    assert list(memory.of_control_groups(tmp_path)) == []


def test_the_machine_has_memory():
    assert memory.allowed() > 100 * MB
