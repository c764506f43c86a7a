"""Small captures are handed to an engine together; what ends a process costs only itself."""

from __future__ import annotations

import pytest

from agtrace.engines import Lost
from agtrace.ingest import engine, ingest
from agtrace.ingest.job import Job

FILES = 6


class Dying:
    """An engine whose worker ends at the files of these names."""

    here = True
    at_once = 1

    def __init__(self, *deadly: str) -> None:
        self.deadly = deadly
        self.sizes: list[int] = []

    def map(self, work, tasks, seen):
        for task in tasks:
            jobs = (task.argument,) if isinstance(task.argument, Job) else task.argument
            self.sizes.append(len(jobs))
            if any(job.place.shown.endswith(self.deadly) for job in jobs):
                yield task, Lost("the worker ended")
            else:
                yield task, work(task.argument, seen)


@pytest.fixture
def case(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "TASKS", 2)
    folder = tmp_path / "case"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.txt").write_text(f"note {number}\n")
    return folder


def failed(case, runner) -> list[str]:
    return sorted(each.path for each in ingest(case, engine=runner).captures if each.status == "failed")


def test_a_file_that_ends_its_process_costs_only_itself(case):
    runner = Dying("4.txt")
    assert failed(case, runner) == ["4.txt"]
    assert sorted(runner.sizes) == [1, 1, 1, 3, 3]


def test_a_machine_on_which_every_process_ends_is_asked_twice_for_each_file_at_most(case):
    runner = Dying(".txt")
    assert failed(case, runner) == [f"{number}.txt" for number in range(FILES)]
    assert sorted(runner.sizes) == [1] * FILES + [3, 3]
