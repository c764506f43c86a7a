"""Cases with far more backups, runs and databases than anybody compares by eye."""

from __future__ import annotations

from agtrace.diagnostics.comparison import figures
from tests.diagnostics.comparison.cases import examined


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
