"""None of the secrets that are planted in a case is found in what is handed out of it."""

from __future__ import annotations

from random import Random

import pytest

from agtrace.cli import main
from tests.effort import fresh_seed, thorough, times
from tests.redact.cases import redacted
from tests.redact.planted import PER_CASE, write_case
from tests.redact.searching import found

SEED = 44
FULL, FEW = 200, 4


@thorough
@pytest.mark.parametrize("number", range(times(FULL, FEW)))
def test_no_planted_secret_is_handed_out(number, tmp_path):
    dice = Random(f"{fresh_seed() if number >= FEW else SEED}-{number}")
    secrets = write_case(tmp_path / "case", dice)
    assert len(secrets) >= PER_CASE
    store, made = redacted(tmp_path / "case", tmp_path)
    there = found(made.folder, {each.casefold() for each in secrets})
    places = {each.casefold(): place for each, place in secrets.items()}
    assert {each: (places[each], where) for each, where in there.items()} == {}
    seen = found(store, set(places))
    assert len(seen) > 0.5 * len(places), "the search does not find them where they are"


@pytest.mark.complete
def test_no_planted_secret_is_in_pages_notebooks_workbooks_or_names_of_files(tmp_path, capsys):
    case = tmp_path / "contoso-outage"
    secrets = {each.casefold() for each in write_case(case, Random(SEED))} | {"contoso-outage"}
    assert main(["report", str(case), "--redact", "--out", str(tmp_path / "pages")]) in (0, 1)
    out = str(tmp_path / "out")
    assert main(["export", str(case), "--redact", "--out", out, "--format", "csv,xlsx"]) == 0
    capsys.readouterr()
    assert list((tmp_path / "out").rglob("*.xlsx"))
    assert found(tmp_path / "pages", secrets) == {}
    assert found(tmp_path / "out", secrets) == {}
