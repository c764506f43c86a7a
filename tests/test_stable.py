"""What stays the same until version 2.0 (docs/stable.md): recorded in stable.json, where it may only grow.

``pytest --snapshots tests/test_stable.py`` records what came on top. What went or differs needs version 2.0.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import agtrace
from agtrace.cli.group import VERBS
from agtrace.diagnostics.checks import STATES
from agtrace.say.finding import SEVERITY_ORDER, Evidence, Finding
from agtrace.say.finding_rows import FINDINGS
from agtrace.store.columns import sql_type
from agtrace.tables.history import RELATIONS

RECORDED = Path(__file__).with_name("stable.json")
PACKAGE = Path(agtrace.__file__).parent
ID = re.compile(r'(?<!\.)\bid="([a-z]+\.[a-z_]+)"')


def finding_ids() -> list[str]:
    texts = (path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    return sorted({id_ for text in texts for id_ in ID.findall(text)})


def subjects() -> dict[str, list[str]]:
    """Return the keys of subjects by finding id, of the findings that are recorded of the samples."""
    keys: dict[str, set[str]] = {}
    for path in (Path(__file__).parent / "sample_findings").glob("*.json"):
        for finding in json.loads(path.read_text(encoding="utf-8")):
            id_, _severity, _confidence, subject, _counts = finding[0]
            keys.setdefault(id_, set()).update(subject)
    return {id_: sorted(names) for id_, names in sorted(keys.items())}


def relations(folder: Path) -> dict[str, dict[str, str]]:
    with agtrace.open_case(folder) as case:
        names = list(case.relations()["relation"])
        stored: dict[str, dict[str, str]] = {}
        columns = case.sql("select table_name, column_name, data_type from information_schema.columns")
        for table, column, kind in columns.fetchall():
            stored.setdefault(table, {})[column] = kind
    schemas = RELATIONS | {"findings": FINDINGS}
    made = {name: {field.name: sql_type(field.type) for field in schema} for name, schema in schemas.items()}
    return {name: made.get(name) or stored[name] for name in sorted(names)}


def finding_json() -> dict[str, list[str]]:
    evidence = Evidence("label", 1.0, "s", "source")
    finding = Finding("a.b", "info", "title", "text", {}, {}, (evidence,), "", 1.0)
    told = finding.to_dict()
    return {"finding": list(told), "evidence": list(told["evidence"][0])}


@pytest.fixture(scope="module")
def stable(read_sample) -> dict[str, object]:
    return {
        "commands": sorted(VERBS),
        "exit statuses": ["0", "1", "2", "3"],
        "severities": list(SEVERITY_ORDER),
        "states of checks": list(STATES),
        "findings": finding_ids(),
        "subjects": subjects(),
        "JSON": finding_json(),
        "python": sorted(agtrace.__all__),
        "relations": relations(read_sample),
    }


def gone(recorded: object, now: object, path: str = "") -> list[str]:
    """Name each recorded thing that is not there any more, or differs."""
    if isinstance(recorded, dict) and isinstance(now, dict):
        return [
            line
            for key, value in recorded.items()
            for line in (gone(value, now[key], f"{path}/{key}") if key in now else [f"{path}/{key} is gone"])
        ]
    if isinstance(recorded, list) and isinstance(now, list):
        return [f"{path}/{each} is gone" for each in recorded if each not in now]
    return [] if recorded == now else [f"{path}: {recorded} became {now}"]


def test_what_is_stable_is_still_there(stable):
    assert gone(json.loads(RECORDED.read_text(encoding="utf-8")), stable) == []


def test_all_that_is_stable_is_recorded(stable, pytestconfig):
    if pytestconfig.getoption("snapshots"):
        text = json.dumps(stable, indent=1, ensure_ascii=False)
        RECORDED.write_text(text + "\n", encoding="utf-8", newline="\n")
    assert gone(stable, json.loads(RECORDED.read_text(encoding="utf-8"))) == []


def test_a_column_of_another_type_is_noticed():
    recorded = {"relations": {"roles": {"since": "TIMESTAMP", "role": "VARCHAR"}}}
    now = {"relations": {"roles": {"since": "DATE", "host_id": "VARCHAR"}}}
    assert gone(recorded, now) == [
        "/relations/roles/since: TIMESTAMP became DATE",
        "/relations/roles/role is gone",
    ]
