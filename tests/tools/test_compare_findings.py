"""Two states of the code are asked the same, and what they tell differently is named."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tools import compare_findings

ROOT = Path(__file__).parents[2]
CASE = "failover_planned"
TOLD_DIFFERENTLY = """

_to_dict = Finding.to_dict
Finding.to_dict = lambda self: _to_dict(self) | {change}
"""


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Let what another commit holds be this tree with a change of every finding."""
    monkeypatch.setattr(compare_findings, "KEPT", tmp_path / "kept")

    def changed(change: str) -> None:
        def checked_out(_commit: str, folder: Path) -> Path:
            copytree(ROOT / "agtrace", folder / "agtrace", ignore=ignore_patterns("__pycache__"))
            with (folder / "agtrace" / "say" / "finding.py").open("a") as module:
                module.write(TOLD_DIFFERENTLY.format(change=change))
            return folder

        monkeypatch.setattr(compare_findings, "checked_out", checked_out)

    return changed


@pytest.mark.complete
@pytest.mark.complete
@pytest.mark.parametrize(
    ("change", "arguments", "status", "told"),
    [
        ("{}", ["--words"], 0, "1 cases: equal"),
        ("{'title': 'Other'}", [], 0, "1 cases: equal but for words"),
        ("{'title': 'Other'}", ["--words"], 1, "1 cases: equal but for words"),
        ("{'confidence': 0.123}", [], 1, "1 cases: 1 DIFFERENT"),
    ],
)
def test_facts_decide_and_words_where_they_are_asked_for(another, capsys, change, arguments, status, told):
    another(change)
    assert compare_findings.main(["HEAD", "--only", CASE, *arguments]) == status
    assert capsys.readouterr().out.splitlines()[-1] == told


def test_answers_that_hold_more_are_not_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr(compare_findings, "KEPT", tmp_path)
    (tmp_path / "answers").mkdir()
    whole = compare_findings.kept_as("key", ["--words", "--pages"])
    whole.touch()
    assert [compare_findings.kept("key", asked) for asked in ([], ["--words"], ["--pages"])] == [whole] * 3
    assert compare_findings.kept("other", []) is None


def test_a_case_is_asked_without_its_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(compare_findings, "KEPT", tmp_path / "kept")
    for name in ("case/HOST/ERRORLOG", "case/expected/roles.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    _key, place = compare_findings.copied(tmp_path / "case")
    assert [name for name, _path in compare_findings.files(place)] == ["HOST/ERRORLOG"]


def test_the_text_of_a_page_is_what_a_reader_sees(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from say_cases import PageText

    page = "<head><title>t</title></head><body><h1>Log  <b>queue</b></h1><script>x</script><p>It &lt; 3</p>"
    assert str(PageText(page)) == "Log queue\nIt < 3"
