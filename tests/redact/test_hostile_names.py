"""Names that are ordinary words, numbers, hold quotes or each other, or run from right to left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agtrace.redact.vocabulary import is_ordinary
from simulation.groups import build
from simulation.groups.draw import draw
from simulation.groups.files import write_group
from tests.effort import fresh_seed, thorough, times
from tests.redact.cases import findings, judged, redacted, titles
from tests.redact.searching import decoded, found, secrets_of

SEED = 2026
FULL, FEW = 200, 3
DATABASES = (
    "primary",
    "10",
    "a'b",
    "Sales",
    "SalesSales",
    "Sales2",
    "Contoso-Sales 2024",
    "מכירות",
    "\u202eevil\u202c",
    "Größe",
    "顧客",
    "50% & more",
    "x<y>",
    "CRM_Main*#1",
    "master2",
    "10.20.30.40",
    "KB12",
    "DB",
)
GROUPS = (
    "AG1",
    "secondary",
    "ag",
    "Sales",
    "Ag Contoso",
    "O'Brien AG",
    "قاعدة",
    "AG_10",
    "availability",
    "7",
)
HOSTS = (
    ("CONTOSO1", "CONTOSO2", "CONTOSO10"),
    ("DB", "DB1", "DB11"),
    ("NODE", "SERVER", "PRIMARY"),
    ("A1", "A2", "A3"),
    ("SQL-PROD-CONTOSO1", "SQL-PROD-CONTOSO2", "HOST-1"),
)


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Random], None]:
    """Return a function that draws groups with names of this page."""
    plain = build.Group

    def name(dice: Random) -> None:
        databases, group = dice.sample(DATABASES, 2), dice.choice(GROUPS)

        def named(_name: str, nodes: Any, theirs: tuple[str, ...], *others: Any) -> Any:
            return plain(group, nodes, tuple(databases[: len(theirs)]), *others)

        monkeypatch.setattr(build, "Group", named)
        monkeypatch.setattr(build, "NAMES", (dice.choice(HOSTS),))

    return name


@thorough
@pytest.mark.parametrize("number", range(times(FULL, FEW)))
def test_the_same_is_found_in_a_drawn_case_and_no_name(number, hostile, tmp_path):
    dice = Random(f"{fresh_seed() if number >= FEW else SEED}-{number}")
    hostile(dice)
    case, folder = draw(number, dice), tmp_path / "case"
    write_group(folder, case.life, case.taken)
    store, made = redacted(folder, tmp_path)
    own, theirs = findings(folder, store), findings(made.folder)
    assert judged(theirs) == judged(own), case.line
    assert titles(theirs, made.secret) == titles(own), case.line
    secrets = secrets_of(folder, store)
    assert found(made.folder, secrets.all) == {}, case.line
    assert found(store, secrets.all).keys() == secrets.all, case.line
    assert_no_typed_column_holds(made.folder, case.life.group.databases, case.life.group.name)


def assert_no_typed_column_holds(folder: Path, databases: tuple[str, ...], group: str) -> None:
    """Whatever words a name is made of, no column that is to hold a name holds it."""
    names = {each.casefold() for each in (*databases, group) if is_ordinary(each)}
    typed = ("_name", "database", ", ag", "host", "replica", "instance", "node")
    for where, text in decoded(folder):
        if where.endswith(typed) and "parquet" in where:
            assert names.isdisjoint(text.split("\n")), where
