"""Each judgement about what support hears most: told where it is true, not where it is nearly, nor unseen."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from agtrace.say.said import Said
from tests.diagnostics.lives import LIVES, Life, Made
from tests.folded import folded

SAID = Path(__file__).parents[2] / "agtrace" / "diagnostics"
WHOLE = ("access", "database", "distributed", "readable", "redo")
"""Questions all of whose words are asked for."""
ALSO = {
    "health": (
        "not_failed_over", "readiness", "disconnect", "workers", "noted.not_started", "resource",
        "settings.probe", "settings.lease", "settings.subnets", "settings.votes",
    ),
    "backup": ("failed", "preference"),
}  # fmt: skip
"""Of other questions these files, or sections of them."""
IDS = {
    "database.log_full", "database.recovery", "database.reverting", "database.not_recovered",
    "redo.waits", "health.workers",
    "health.readiness", "health.not_failed_over", "health.disconnect", "health.resource", "health.settings",
    "access.endpoint", "access.listener", "access.routing", "access.clients", "readable.version_store",
    "readable.statistics", "distributed.lag", "backup.preference", "backup.failed",
}  # fmt: skip


def worded(question: str) -> set[str]:
    """Return the possible texts of a question: each file, or section of one, that has a title."""
    found = set()
    for file in sorted((SAID / question / "said").glob("*.toml")):
        words = tomllib.loads(file.read_text(encoding="utf-8"))
        sections = {name for name, each in words.items() if isinstance(each, dict) and name != "terms"}
        titled = {name for name in sections if "title" in words or "title" in words[name]}
        found |= (
            {f"{file.stem}.{name}" for name in titled} if titled else {file.stem} & {*_titled(words, file)}
        )
    return found


def _titled(words: dict[str, object], file: Path) -> list[str]:
    return [file.stem] if "title" in words else []


def asked_for() -> set[str]:
    found = {f"{question}/{each}" for question in WHOLE for each in worded(question)}
    for question, names in ALSO.items():
        mine = {each for each in worded(question) if each in names or each.partition(".")[0] in names}
        found |= {f"{question}/{each}" for each in mine}
    return found


def test_every_wording_has_its_lives():
    lived = {life.said for life in LIVES}
    assert asked_for() - lived == set()
    assert lived - asked_for() == set()


def test_every_finding_has_its_lives():
    assert {life.id for life in LIVES} == IDS


@pytest.fixture
def told(monkeypatch):
    """Return the findings of a life: pairs of template and finding."""
    noted: list[tuple[str, str]] = []
    say = Said.finding

    def noting(self, judged):
        noted.append((f"{self._folder.parent.name}/{judged.said}", judged.id))
        return say(self, judged)

    monkeypatch.setattr(Said, "finding", noting)

    def of(made: Made) -> list[tuple[str, str]]:
        noted.clear()
        made().findings()
        return list(noted)

    return of


BY_NAME = pytest.mark.parametrize("life", LIVES, ids=[life.said for life in LIVES])


@pytest.mark.complete
@BY_NAME
def test_where_it_is_true_it_is_said(life: Life, told):
    assert (life.said, life.id) in told(life.true)


@pytest.mark.complete
@BY_NAME
def test_where_it_is_nearly_true_it_is_not(life: Life, told):
    assert life.said not in [said for said, _ in told(life.near)]


@BY_NAME
def test_where_its_sources_are_missing_nothing_is_said_in_its_place(life: Life, told):
    assert life.id not in [id_ for _, id_ in told(life.missing)]


@pytest.mark.complete
@folded("id_", sorted(IDS))
def test_of_each_finding_a_life_is_nearly_true_and_says_none(id_, told):
    near = (life.near for life in LIVES if life.id == id_)
    assert any(id_ not in [each for _, each in told(made)] for made in near)
