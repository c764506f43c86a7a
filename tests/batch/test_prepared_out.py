"""A folder for reports that somebody prepared: nothing beside it is removed or written."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from agtrace.batch import batch
from agtrace.batch.places import STATE, Reports
from agtrace.errors import CaseError
from tests.batch.cases import FINDINGS_ONLY, cases, make_quick_case

pytestmark = [
    pytest.mark.complete,
    pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows"),
]


@pytest.fixture
def inbox(tmp_path):
    make_quick_case(tmp_path / "in" / "one")
    return tmp_path / "in"


@pytest.fixture
def precious(tmp_path):
    """Folders beside, of just the depth that is looked into."""
    for name in ("a", "b"):
        (tmp_path / "precious" / name / "deep").mkdir(parents=True)
        (tmp_path / "precious" / name / "thesis.txt").write_text("mine")
        (tmp_path / "precious" / name / "deep" / "thesis.txt").write_text("mine")
    (tmp_path / "precious" / "x.tmp").write_text("mine")
    return tmp_path / "precious"


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def contents(folder):
    return {p.relative_to(folder): p.is_file() and p.read_bytes() for p in folder.rglob("*")}


def prepared(out, format_text='{"format": 1}'):
    (out / STATE).mkdir(parents=True)
    (out / STATE / "format.json").write_text(format_text)


FOLDERS = ["rows", "stores", "cases", "tries", "reading", "../results"]


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("trust", [False, True])
def test_reports_whose_folders_are_links_are_refused(inbox, out, precious, name, trust):
    prepared(out)
    (out / STATE / name).symlink_to(precious)
    before = contents(precious)
    options = FINDINGS_ONLY.__class__(pages=False, jobs=1, trust_store=trust)
    with pytest.raises(CaseError, match=r"--out"):
        batch([inbox], out, options)
    assert contents(precious) == before


@pytest.mark.parametrize("name", FOLDERS)
def test_links_in_reports_of_ours_are_not_followed_either(inbox, out, precious, name):
    batch([inbox], out, FINDINGS_ONLY)
    folder = out / STATE / name
    shutil.rmtree(folder)
    folder.symlink_to(precious)
    before = contents(precious)
    with pytest.raises(CaseError, match=r"a link\?"):
        batch([inbox], out, FINDINGS_ONLY)
    assert contents(precious) == before


def test_the_state_as_a_link_is_refused(inbox, out, precious, tmp_path):
    prepared(tmp_path / "elsewhere")
    out.mkdir()
    (out / STATE).symlink_to(tmp_path / "elsewhere" / STATE)
    before = contents(tmp_path / "elsewhere")
    with pytest.raises(CaseError, match=r"a link\?"):
        batch([inbox], out, FINDINGS_ONLY)
    assert contents(tmp_path / "elsewhere") == before


def test_links_in_the_place_of_a_case_are_removed_and_not_followed(inbox, out, precious):
    reports = Reports(out)
    reports.create()
    source = str(inbox / "one")
    for path in (reports.page("one"), reports.store("one", source), reports.rows / "one"):
        path.symlink_to(precious)
    (reports.rows / "other").symlink_to(precious)
    before = contents(precious)
    assert batch([inbox], out, FINDINGS_ONLY).reported == ["one"]
    assert contents(precious) == before
    assert cases(out) == {"one": "reported"}


@pytest.mark.parametrize(
    "forged",
    [
        {"rows": "../../../precious"},
        {"rows": "one/../../../../precious"},
        {"name": "../precious"},
        {"rows": "other/0123456789abcdef"},
        {"source": 7},
        {"findings": {"critical": "many"}},
        {"ids": 7},
    ],
)
def test_a_record_names_nothing_outside_of_its_case(inbox, out, precious, forged):
    batch([inbox], out, FINDINGS_ONLY)
    (path,) = (out / STATE / "cases").iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | forged))
    before = contents(precious)
    assert batch([inbox], out, FINDINGS_ONLY).reported == ["one"]
    assert contents(precious) == before


def test_reports_of_somebody_else_are_refused_unless_they_are_trusted(inbox, out):
    prepared(out)
    with pytest.raises(CaseError, match=r"made by another user.*--trust-store"):
        batch([inbox], out, FINDINGS_ONLY)
    trusting = FINDINGS_ONLY.__class__(pages=False, jobs=1, trust_store=True)
    assert batch([inbox], out, trusting).reported == ["one"]
    assert batch([inbox], out, FINDINGS_ONLY).unchanged == 1


def test_reports_that_were_copied_are_refused(inbox, out, tmp_path):
    batch([inbox], out, FINDINGS_ONLY)
    shutil.copytree(out, tmp_path / "copy")
    with pytest.raises(CaseError, match="at another place"):
        batch([inbox], tmp_path / "copy", FINDINGS_ONLY)
    assert batch([inbox], out, FINDINGS_ONLY).unchanged == 1


def test_a_store_among_the_reports_that_was_forged_is_made_anew(inbox, out):
    batch([inbox], out, FINDINGS_ONLY)
    (store,) = (out / STATE / "stores").iterdir()
    (store / ".agtrace-store").write_text('{"format": 1}')
    (store / "forged").write_text("")
    batch([inbox], out, FINDINGS_ONLY.__class__(pages=False, jobs=1, again=True))
    assert not (store / "forged").exists()
