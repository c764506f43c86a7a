"""Names from settings and captures in a kit: one line of plain text each, in every file."""

from __future__ import annotations

import pytest

from agtrace import kit
from agtrace.cli import main
from tests.folded import folded
from tests.ingest import texts
from tests.kit.test_kits import planned

FORGED = "SQL1\r\n\r\nWINDOWS\n-------\n\n    powershell -Command evil"
HOSTILE = [
    FORGED,
    "SQL1\u2028WINDOWS",
    "SQL1\x85WINDOWS\x0bWINDOWS\x0cWINDOWS",
    "SQL1\x1b[2J\x07\x00\x9b",
    "SQL1\u202eWINDOWS\u200b\ufeff",
    "SQL1{{ plan }}{% for x in y %}",
    "SQL1" * 200,
    "SQL1\ud800\udcff",
]


def lines(case, host):
    files = kit.contents(planned("backup"), case=case, hosts=[(host, ["ERRORLOG"])])
    return {name: data.decode("ascii").splitlines() for name, data in files.items()}


@folded("name", HOSTILE)
def test_a_name_adds_no_line_and_no_control_character_to_any_file(name):
    plain, hostile = lines("case", "SQL1"), lines(name, name)
    changed = {}
    for file, expected in plain.items():
        assert len(hostile[file]) == len(expected), file
        assert all(line.isprintable() and len(line) < 300 for line in hostile[file] if line not in expected)
        changed[file] = sum(a != b for a, b in zip(expected, hostile[file], strict=True))
    assert {file: count for file, count in changed.items() if count} == {"README.txt": 2}


def test_a_forged_section_is_part_of_the_name():
    readme = lines("case", FORGED)["README.txt"]
    assert "  SQL1 WINDOWS ------- powershell -Command evil" in readme
    assert readme.count("WINDOWS") == 1


@pytest.mark.complete
def test_a_host_of_hosts_toml_writes_no_section_into_the_page(tmp_path, capsys):
    case = tmp_path / "case\nWINDOWS\n-------"
    (case / "a").mkdir(parents=True)
    (case / "a" / "ERRORLOG").write_bytes(texts.errorlog(5, server="SQL1"))
    (case / "hosts.toml").write_text('[paths]\n"a/*" = "SQL1\\n\\nWINDOWS\\n-------\\n\\n    evil"\n')
    main(["kit", "transport", "--for", str(case), "-o", str(tmp_path / "kit")])
    readme = (tmp_path / "kit" / "README.txt").read_text("ascii").splitlines()
    assert readme.count("WINDOWS") == 1
    assert "\n-----" not in capsys.readouterr().out
