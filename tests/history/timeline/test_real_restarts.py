"""Restarts that real ERRORLOGs tell, a case for each repository: each was read by eye, line by line.

What is asserted are kinds and bounds alone; the files stay where they are.
"""

from __future__ import annotations

import shutil
from datetime import datetime

import pytest

import agtrace
from tests.folded import folded
from tests.shared import CAPTURES, needs_captures

LOGS = CAPTURES / "errorlog"
STOPPED = "stopped"

# Kind, last sign of life (to the second), start that proves the end.
DOCUMENTED = {
    # A container: stopped by its engine three times; three evenings it was gone without a word.
    "MarioCSan+DemoCopernicus": [
        (STOPPED, "2024-01-22 19:00:33", "2024-01-22 19:01:36"),
        (STOPPED, "2024-01-22 19:23:59", "2024-01-22 19:26:15"),
        ("died", "2024-01-22 20:41:23", "2024-01-23 11:37:05"),
        ("died", "2024-01-23 12:37:05", "2024-01-24 10:17:44"),
        (STOPPED, "2024-01-24 16:35:11", "2024-01-24 16:44:51"),
        ("died", "2024-01-24 22:34:45", "2024-01-25 10:06:27"),
    ],
    "OctavioCuellar+campus-git-docker": [(STOPPED, "2022-07-11 14:45:26", "2022-07-11 14:45:51")],
    # A container that was asked to stop each time, once for a night.
    "danielbarczynski+dockub": [
        (STOPPED, "2022-12-18 18:00:08", "2022-12-18 19:33:05"),
        (STOPPED, "2022-12-18 19:33:41", "2022-12-19 13:14:01"),
        (STOPPED, "2022-12-19 13:15:01", "2022-12-19 13:16:07"),
        (STOPPED, "2022-12-19 13:16:50", "2022-12-19 13:16:55"),
        (STOPPED, "2022-12-19 13:17:07", "2022-12-19 13:28:38"),
        (STOPPED, "2022-12-19 16:53:12", "2022-12-19 16:54:27"),
    ],
    # A desktop, UTC-6: message 17176 knows of hours of life that its logs do not.
    "desarrollo789+dabases": [
        ("died", "2019-01-31 03:30:38", "2019-01-31 04:34:04"),
        ("shutdown", "2019-01-31 22:48:48", "2019-01-31 23:29:41"),
        ("died", "2019-02-03 22:49:30", "2019-03-12 23:19:58"),
        ("died", "2019-03-13 01:30:22", "2019-03-13 02:20:25"),
        ("shutdown", "2019-03-13 23:45:39", "2019-03-14 13:27:16"),
        ("died", "2019-03-14 15:57:29", "2019-03-15 03:52:20"),
    ],
    # A laptop, UTC+2, shut down each time.
    "koonst+Appki-w-.NET-i-Java": [
        ("shutdown", "2022-04-11 12:41:43", "2022-04-11 12:42:03"),
        ("shutdown", "2022-04-12 19:13:03", "2022-04-12 19:13:26"),
        ("shutdown", "2022-04-13 12:07:34", "2022-04-13 12:07:52"),
        ("shutdown", "2022-04-14 19:43:30", "2022-04-14 19:43:48"),
        ("shutdown", "2022-04-18 16:17:35", "2022-04-18 16:17:58"),
        ("shutdown", "2022-04-20 01:41:12", "2022-04-20 01:41:39"),
    ],
    # One log each: a start, and nothing before it.
    "Faby12345+Data-Bases-1---sql-server-": [],
    "Tamadhir10+Library-Management-System---DB-Project-Part1": [],
    "arvindshmicrosoft+SQLCallStackResolver": [],
}  # fmt: skip


def folder_of(repository, into):
    """Copy the ERRORLOGs of a repository under the names that they had there."""
    into.mkdir(parents=True, exist_ok=True)
    for path in LOGS.glob(f"{repository}__*"):
        name = path.name.rsplit("__", 1)[1]
        if name.lower().startswith("errorlog"):
            shutil.copy(path, into / name)
    return into


@pytest.mark.complete
@needs_captures
@folded("repository", DOCUMENTED)
def test_the_restarts_of_a_repository(repository, tmp_path):
    with agtrace.open_case(folder_of(repository, tmp_path)) as case:
        rows = case.view.rows("select kind, last_sign, gone_by from restarts order by started")
    found = [(row["kind"], second(row["last_sign"]), second(row["gone_by"])) for row in rows]
    assert found == DOCUMENTED[repository]


def second(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"


@pytest.mark.complete
@needs_captures
def test_a_middle_log_that_is_left_out_takes_its_stop_along_and_nothing_else_is_claimed(tmp_path):
    folder = folder_of("danielbarczynski+dockub", tmp_path)
    (folder / "errorlog.3").unlink()
    with agtrace.open_case(folder) as case:
        rows = case.view.rows("select kind, started from restarts order by started")
    assert [row["kind"] for row in rows] == [STOPPED, STOPPED, "open", STOPPED, STOPPED]


@pytest.mark.complete
@needs_captures
def test_of_a_container_the_advice_names_what_a_container_has(tmp_path):
    with agtrace.open_case(folder_of("MarioCSan+DemoCopernicus", tmp_path)) as case:
        found = [f for f in case.health.findings() if f.id == "health.restart"]
    died = [f for f in found if f.subject["kind"] == "died"]
    assert len(died) == 3
    for one in died:
        assert "docker inspect" in one.recommendation
        assert "event log" not in one.recommendation


@pytest.mark.complete
@needs_captures
def test_two_repositories_in_one_folder_tell_of_each_what_they_tell_alone(tmp_path):
    mixed = folder_of("MarioCSan+DemoCopernicus", tmp_path / "mixed")
    for path in folder_of("desarrollo789+dabases", tmp_path / "other").iterdir():
        shutil.copy(path, mixed / f"old_{path.name}")
    with agtrace.open_case(mixed) as case:
        rows = case.view.rows("select host_id, kind, last_sign, gone_by from restarts order by started")
    found = {}
    for row in rows:
        told = (row["kind"], second(row["last_sign"]), second(row["gone_by"]))
        found.setdefault(row["host_id"], []).append(told)
    assert list(found.values()) == [
        DOCUMENTED["desarrollo789+dabases"],
        DOCUMENTED["MarioCSan+DemoCopernicus"],
    ]


@needs_captures
@pytest.mark.complete
def test_a_perfmon_log_of_another_year_prolongs_nothing_that_is_said_of_a_group(tmp_path):
    """The file of the stranger is of 2025: what happened in October 2017 is told as without it."""
    real = tmp_path / "real"
    shutil.copytree(CAPTURES / "failover_2017", real, ignore=shutil.ignore_patterns("expected"))
    with agtrace.open_case(real) as case:
        alone = [(f.id, f.title, f.window) for f in case.health.findings()]
    stranger = next((CAPTURES / "perfmon").glob("iverson*"))
    shutil.copy(stranger, real / "ze-2016-v1" / stranger.name)
    with agtrace.open_case(real) as case:
        mixed = [(f.id, f.title, f.window) for f in case.health.findings()]
        years = case.view.rows("select distinct year(first) as y from coverage where first is not null")
    assert len(years) == 2
    assert mixed == alone
