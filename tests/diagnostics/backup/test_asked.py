"""What the question asks of studies and findings that it is given."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from agtrace.diagnostics.backup import Backup, analysis
from agtrace.diagnostics.backup.rows import Counted
from agtrace.diagnostics.backup.sides import READER, UNDECIDED, NullTest
from agtrace.say.finding import Evidence, Finding
from tests.behind import assert_facts, texts
from tests.diagnostics.asking import record
from tests.diagnostics.backup.made import study, watched_study
from tests.diagnostics.tiny import case

COUNTED = record(
    Counted, n=2, databases=2, with_buffers=1, traced=1, completed=1, failed=1, unfinished=0
)  # fmt: skip


def asked(database: str | None = None, **given: Any) -> Backup:
    question = Backup(case(), database=database)
    question.__dict__ |= {"_counted": COUNTED, "studies": [], "judged": [], "_preferences": []} | given
    question.missing = lambda: []  # type: ignore[method-assign]
    return question


def test_the_figures_show_the_longest_study_of_several_configurations():
    long = study({"rates": [1.0] * 9})
    short = study({"rates": [1.0]}, {"rates": [2.0], "buffer_count": 9})
    three = study({"rates": [1.0]}, {"rates": [2.0], "buffer_count": 9}, {"rates": [2.0], "buffer_count": 11})
    assert asked(studies=[long, short]).main is short
    assert asked(studies=[long, short, three]).main is three
    assert asked(studies=[long]).main is long
    assert asked().main is None
    seen = watched_study({"rates": [1.0]}, verdicts=(READER,))
    other = watched_study({"rates": [1.0]}, {"rates": [2.0], "buffer_count": 9})
    question = asked(studies=[seen.study, other.study], judged=[seen, other])
    assert question.main_judged is other
    assert asked(studies=[long]).main_judged is None


def finding(id: str, database: str | None = None, recommendation: str = "") -> Finding:
    subject = {"database": database} if database else {}
    return Finding(
        id=id,
        severity="info",
        title="t",
        subject=subject,
        window={},
        evidence=(Evidence("n", 1, "", "x"),),
        narrative="n",
        recommendation=recommendation,
        confidence=0.5,
    )


FOUND = [
    finding("backup.failed", "Sales", "fix it"),
    finding("backup.best_configuration", "HR", "test that"),
    finding("backup.configuration"),
]


@pytest.mark.parametrize(
    ("database", "ids"),
    [
        (None, ["backup.failed", "backup.best_configuration", "backup.configuration"]),
        ("SALES", ["backup.failed", "backup.configuration"]),
        ("x", ["backup.configuration"]),
        ("", ["backup.failed", "backup.best_configuration", "backup.configuration"]),
    ],
)
def test_findings_are_those_of_the_database_and_of_the_server(database, ids):
    assert [each.id for each in asked(database, _findings=FOUND).findings()] == ids


def test_what_to_test_next_is_what_the_best_configurations_say():
    assert_facts(texts(asked(_findings=FOUND).say_next)["points.md"], points=["test that"])
    assert asked(_findings=FOUND[:1]).say_next() == ""


def test_what_is_estimated_of_each_study_where_it_can_be(monkeypatch):
    told = [SimpleNamespace(row=lambda: {"database": "Sales"}), None]
    monkeypatch.setattr("agtrace.diagnostics.backup.between.asked", lambda study, *_given: told[study])
    monkeypatch.setattr(analysis, "frame", lambda _columns, rows: pd.DataFrame(rows))
    assert asked(studies=[0, 1]).what_if(9).to_dict("records") == [{"database": "Sales"}]


@pytest.mark.parametrize(
    ("counted", "studies", "said"),
    [
        (COUNTED, [1], []),
        (COUNTED._replace(with_buffers=0), [1], ["buffers"]),
        (COUNTED._replace(traced=0), [1], ["starts"]),
        (COUNTED, [], ["throughput"]),
    ],
)
def test_what_was_not_captured_of_any_backup(counted, studies, said):
    words = [analysis.SAID.text(f"open.{name}", {}) for name in said]
    assert asked(_counted=counted, studies=studies).not_captured() == words


def test_what_perfmon_left_open_of_a_study():
    unseen = watched_study({"rates": [1.0]})
    open_ = watched_study({"rates": [1.0]}, verdicts=(UNDECIDED,))
    decided = watched_study({"rates": [1.0]}, verdicts=(READER,))
    by_nul = watched_study({"rates": [1.0]})
    own = by_nul.study.configurations
    by_nul.nulls.append(NullTest(own[0], own[0], 0.95, READER))
    said = [
        len(asked(studies=[1], judged=[each]).not_captured()) for each in (unseen, open_, decided, by_nul)
    ]
    assert said == [1, 1, 0, 0]
    _first, _second = (asked(studies=[1], judged=[each]).not_captured()[0] for each in (unseen, open_))


def test_the_test_that_decides_stands_with_what_to_test_next_where_none_was_made(monkeypatch):
    two = {"rates": [1.0]}, {"rates": [2.0], "buffer_count": 9}
    without, with_nul = (watched_study(*two, operation_id=[0.0, 1.0]) for _ in range(2))
    single = watched_study({"rates": [1.0]}, operation_id=[2.0])
    with_nul.nulls.append(NullTest(*with_nul.study.configurations, 0.95, READER))
    view: Any = SimpleNamespace(records=lambda *_given: [])
    question = asked(studies=[each.study for each in (without, with_nul, single)])
    del question.__dict__["judged"]
    question.view = view
    monkeypatch.setattr(analysis.sides, "study_sides", lambda *_given: [without, with_nul, single])
    assert [each.names_test for each in question.judged] == [True, False, False]


def test_disks_are_cold_after_minutes_without_a_backup(monkeypatch):
    ran: list[Any] = []
    question = asked()
    limits = SimpleNamespace(backup_cold_minutes=45, backup_min_s=1)
    question.__dict__["limits"] = limits
    question.view = SimpleNamespace(table=lambda _query, asked, given: ran.append((asked, given)))  # type: ignore[assignment]
    monkeypatch.setattr(analysis, "measured_backups", lambda _view, least_s: least_s)
    assert question._runs is None
    assert ran == [({"cold_s": 2700}, {"measured_backups": 1})]
