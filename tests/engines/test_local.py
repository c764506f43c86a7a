"""Jobs on this machine: in this process or others, with the same results."""

from __future__ import annotations

import os
import tempfile

import psutil
import pytest

from agtrace.engines import Lost, Processes, Serial, Task, local
from tests.engines import works

pytestmark = pytest.mark.complete


def tasks(numbers):
    return [Task(f"k{number}", number, 10) for number in numbers]


@pytest.mark.parametrize("engine", [Serial(), Processes(2)], ids=["serial", "processes"])
def test_each_task_comes_with_its_result(engine):
    done = engine.map(works.double, tasks(range(5)), lambda _bytes: None)
    assert sorted((task.argument, result) for task, result in done) == [(n, 2 * n) for n in range(5)]


def test_a_task_that_takes_its_process_with_it_costs_itself_alone():
    seen = []
    done = dict(Processes(2).map(works.die_of_seven, tasks(range(10)), seen.append))
    results = {task.argument: result for task, result in done.items()}
    assert isinstance(results.pop(7), Lost)
    assert results == {n: n for n in range(10) if n != 7}
    assert sum(seen) == 100


def test_tasks_are_taken_no_sooner_than_somebody_is_there_for_them():
    taken = []

    def counted():
        for task in tasks(range(20)):
            taken.append(task)
            yield task

    running = Processes(2).map(works.double, counted(), lambda _bytes: None)
    next(running)
    assert len(taken) < 6
    running.close()


def test_what_the_work_raises_is_raised():
    with pytest.raises(ValueError, match="no 1"):
        list(Processes(2).map(works.fail, tasks([1, 1]), lambda _bytes: None))


def test_processes_share_the_cores():
    share = max((os.cpu_count() or 1) // 2, 1)
    done = Processes(2).map(works.threads_of, tasks(range(2)), lambda _bytes: None)
    assert {result for _task, result in done} == {(share, share, str(share))}


def test_a_worker_tries_no_folder_for_temporary_files():
    """Python does with a file of its own, which stays if the worker is killed at that moment."""
    done = Processes(2).map(works.temporary_folder, tasks(range(2)), lambda _bytes: None)
    assert {result for _task, result in done} == {tempfile.gettempdir()}


@pytest.mark.parametrize(
    ("jobs", "worth", "processes"), [(1, True, False), (3, False, True), (None, False, False)]
)
def test_processes_are_started_when_they_are_asked_for_or_worth_it(jobs, worth, processes):
    assert isinstance(local(jobs, worth=worth), Processes) == processes


def test_a_task_that_takes_too_long_is_given_up_alone():
    engine = Processes(2, longest_s=2.5)
    done = engine.map(works.sleep, tasks([0.1, 60, 0.2, 0.3]), lambda _bytes: None)
    results = {task.argument: result for task, result in done}
    assert results.pop(60) == Lost("it took longer than 2.5 s", overdue=True)
    assert all(isinstance(result, int) for result in results.values())


def test_one_task_alone_has_its_limit_too():
    engine = Processes(1, longest_s=1)
    ((_task, result),) = engine.map(works.sleep, tasks([60]), lambda _bytes: None)
    assert result == Lost("it took longer than 1 s", overdue=True)


@pytest.mark.skipif(os.name == "nt", reason="processes cannot be looked up by number")
def test_what_a_task_started_ends_with_it(tmp_path):
    engine = Processes(1, longest_s=3)
    task = Task("k", str(tmp_path))
    ((_task, result),) = engine.map(works.sleep_with_child, [task], lambda _bytes: None)
    assert isinstance(result, Lost)
    (numbers,) = [path.name.split("-") for path in tmp_path.iterdir()]
    left = [psutil.Process(int(n)) for n in numbers if psutil.pid_exists(int(n))]
    assert psutil.wait_procs(left, 5)[1] == []
