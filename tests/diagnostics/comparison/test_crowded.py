"""Cases with far more backups, runs and databases than anybody compares by eye."""

from __future__ import annotations

from agtrace.diagnostics.comparison import figures
from tests.diagnostics.comparison.cases import examined, moment


def several(count, database="db", *, first=0):
    return "\n".join(
        f"seeding | {database} | A > B | {1000 * n} | copy {100 + n} | 10 | factor={n}"
        for n in range(first, first + count)
    )


def operation(number, host, what, end):
    return {
        "operation_id": f"{host}{number}", "host_id": host, "database": "db", "operation": what,
        "kind": "full",
        "status": "completed", "is_snapshot": False, "start": moment(end - 20), "end": moment(end),
        "duration_s": 20.0,
        "pages": 1000, "bytes": 8_192_000, "mb_per_s": 1.0, "media": "DISK", "device_names": f"{number}.bak",
        "compression": None,
    }  # fmt: skip


def test_the_figure_of_very_many_runs_draws_the_first_of_each_configuration():
    study = examined("\n".join(
        f"seeding | db | A > B | {1000 * n} | copy 100 | 10 | "
        f"compression={'compressed' if n == 59 else 'not compressed'}"
        for n in range(60)
    ))  # fmt: skip
    figure = figures.durations(study)
    assert figure.layout.title.text == "How long each run took, by step: 40 of 60 runs"
    assert len(figure.data[0].y) == 40
    assert figure.data[0].y[-1].endswith("compressed stream")


def test_runs_of_one_name_on_several_hosts_are_told_apart_by_them():
    study = examined("""
    manual | db | A > B |    0 | backup 100, restore 100, join 1 | 10 |
    manual | db | A > C |    0 | backup 100, restore 150, join 1 | 10 |
    manual | db | A > B | 1000 | backup 100, restore 100, join 1 | 10 |
    """)
    (group,) = study.groups
    assert [c.full_name for c in group.configurations] == [
        "backup, restore and join (A to B)",
        "backup, restore and join (A to C)",
    ]
