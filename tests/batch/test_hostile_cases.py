"""One case never ends the others, whatever lies in it and whatever it is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agtrace.batch import batch, inbox, results, status, unchanged, work
from agtrace.cli import main
from agtrace.report import report
from tests.batch.cases import FINDINGS_ONLY, cases, make_quick_case, watching
from tests.batch.cases import results as rows_of

pytestmark = [pytest.mark.complete, pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")]

DEEP = 1_000


def bytes_are_names(folder):
    """Whether a file system takes names that are no UTF-8; that of macOS does not."""
    try:
        (folder / "\udce9").touch()
    except OSError:
        return False
    (folder / "\udce9").unlink()
    return True


def nested(folder, name, count):
    """Folders in one another, whose path may be longer than the system takes."""
    home = Path.cwd()
    os.chdir(folder)
    try:
        for _ in range(count):
            Path(name).mkdir()
            os.chdir(name)
        Path("ERRORLOG").touch()
    finally:
        os.chdir(home)


def deep(folder):
    nested(make_quick_case(folder), "d", DEEP)


def bad_file(folder):
    make_quick_case(folder)
    for name in ("caf\udce9.txt", "caf\udce8.txt"):
        (folder / name).write_text("no capture")
    (folder / "out \udce9").symlink_to("/elsewhere \udce9/x")


def bad_name(folder):
    for name in ("caf\udce9", "caf\udce8"):
        make_quick_case(folder.with_name(name))


def long_name(folder):
    make_quick_case(folder.with_name("é" * 127))


def too_long_a_path(folder):
    nested(make_quick_case(folder), "d" * 250, 20)


ATTACKS = [deep, bad_file, bad_name, long_name, too_long_a_path]


@pytest.fixture(params=ATTACKS, ids=lambda attack: attack.__name__)
def attacked(request, tmp_path):
    """An inbox with a good case, and one that was made to harm."""
    folder = tmp_path / "in"
    make_quick_case(folder / "good")
    if request.param in (bad_file, bad_name) and not bytes_are_names(tmp_path):
        pytest.skip("this file system takes no such names")
    request.param(folder / "bad")
    yield folder
    # Python's own way, which pytest goes, is too short for it.
    subprocess.run(["rm", "-rf", folder], check=True)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def test_a_batch_reports_the_good_case_beside_a_hostile_one(attacked, out):
    log: list[str] = []
    done = batch([attacked], out, FINDINGS_ONLY, log.append)
    assert "good" in done.reported
    assert cases(out)["good"] == "reported"
    assert set(cases(out).values()) == {"reported"}
    assert "internal error" not in "".join(log)
    again = batch([attacked], out, FINDINGS_ONLY, log.append)
    assert (again.reported, again.postponed, again.unchanged) == ([], {}, len(cases(out)))


def test_a_watch_reports_the_good_case_beside_a_hostile_one(attacked, out):
    for _ in range(2):
        with watching(attacked, out) as run:
            run.wait(lambda: (out / "results" / "cases.parquet").exists() and "good" in cases(out))
            run.wait(lambda: len(cases(out)) == len(list(attacked.iterdir())))
        assert "internal error" not in "".join(run.log)
    assert run.said("reading") == []


def test_two_names_that_are_no_utf_8_stay_apart_and_are_shown_escaped(tmp_path, out):
    if not bytes_are_names(tmp_path):
        pytest.skip("this file system takes no such names")
    bad_name(tmp_path / "in" / "bad")
    bad_file(tmp_path / "in" / "caf")
    batch([tmp_path / "in"], out, FINDINGS_ONLY)
    assert sorted(cases(out)) == ["caf", "caf_xe8", "caf_xe9"]
    sources = [row["source"] for row in rows_of(out, "cases")]
    assert [str(source).rpartition("/")[2] for source in sources] == ["caf", "caf\\xe8", "caf\\xe9"]
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "caf\\xe9" in page
    assert 'href="caf_xe9/index.html"' in page


def test_the_verbs_of_one_case_take_names_that_are_no_utf_8(tmp_path, capsys):
    if not bytes_are_names(tmp_path):
        pytest.skip("this file system takes no such names")
    case = make_quick_case(tmp_path / "caf\udce9")
    bad_file(tmp_path / "caf\udce9" / "inner")
    assert main(["findings", str(case), "--json"]) == 0
    json.loads(capsys.readouterr().out)
    assert main(["ingest", str(case)]) == 0
    shown = capsys.readouterr().out
    assert "inner/caf\\xe9.txt" in shown
    assert "inner/caf\\xe8.txt" in shown


PHASES = {
    "looking at it": (inbox, "look_at"),
    "asking whether it is done": (unchanged, "is_done"),
    "beginning it": (work, "begin"),
    "fingerprinting it again": (work, "ingest"),
    "ending it": (work, "end"),
    "its row of the results": (results, "_case_row"),
    "its row of the page": (status, "_row"),
}


@pytest.mark.parametrize("phase", PHASES)
def test_whatever_happens_within_a_case_is_the_failure_of_that_case(tmp_path, out, monkeypatch, phase):
    """A defect of ours that only one case meets, in each phase of its life."""
    make_quick_case(tmp_path / "in" / "wrong")
    make_quick_case(tmp_path / "in" / "good")
    module, name = PHASES[phase]
    honest = getattr(module, name)

    # No hexadecimal word: what has no name of its own is told by its address.
    def faulty(*given, **named):
        if any("wrong" in _name_in(each) for each in given):
            raise RuntimeError("a defect")
        return honest(*given, **named)

    for loaded in list(sys.modules.values()):
        if getattr(loaded, "__name__", "").startswith("agtrace.batch"):
            for attribute, value in list(vars(loaded).items()):
                if value is honest:
                    monkeypatch.setattr(loaded, attribute, faulty)
    log: list[str] = []
    done = batch([tmp_path / "in"], out, FINDINGS_ONLY, log.append)
    assert "good" in done.reported
    assert cases(out)["good"] == "reported"
    assert 'href="good/index.html"' in (out / "index.html").read_text(encoding="utf-8")
    page = (out / "index.html").read_text(encoding="utf-8")
    assert any("a defect" in line for line in [*log, page])
    with watching(tmp_path / "in", out) as run:
        run.wait_for("watching")
        make_quick_case(tmp_path / "in" / "later")
        run.wait_for("later: reported")


def _name_in(given):
    for attribute in ("source", "name"):
        if isinstance(getattr(given, attribute, None), str):
            return getattr(given, attribute).rpartition("/")[2]
    if hasattr(given, "seen"):
        return given.seen.source.rpartition("/")[2]
    return str(given).rpartition("/")[2]


@pytest.mark.complete
def test_pages_of_a_case_whose_name_is_no_utf_8_are_made(tmp_path):
    if not bytes_are_names(tmp_path):
        pytest.skip("this file system takes no such names")
    case = make_quick_case(tmp_path / "caf\udce9")
    made = report(case, tmp_path / "pages", only=["overview"])
    assert made.failures == []
    page = made.pages["overview"].read_text(encoding="utf-8")
    assert "caf\\xe9" in page
