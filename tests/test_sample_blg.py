"""The sample case with its perfmon captures as binary logs: the same store, the same findings."""

from __future__ import annotations

import shutil

import pytest

import agtrace
from tests.make.blg import Form
from tests.make.blg_of_text import blg_of_text

ALL_VALUES = """
    select c.host_id, c.sql_instance, c.object, c.instance, c.counter, c.unit,
           s.time_local, s.time::varchar, s.value
    from samples s join counters c using (counter_id)
    order by all
"""
FORMS = {
    "JBSAG1": Form(wide=False, system=(6, 0, 6000)),
    "JBSAG2": Form(),
    "JBSAG3": Form(closed=False, buffer_bytes=0x4000),
}
BIASES = {"JBSAG1": 240, "JBSAG2": 240, "JBSAG3": -540}
"""As the text logs or, where that lost it, the ERRORLOG of the host has it."""


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    root = tmp_path_factory.mktemp("both")
    for kind in ("text", "binary"):
        shutil.copytree(
            agtrace.sample("log_send_queue"),
            root / kind,
            ignore=shutil.ignore_patterns(".agtrace", "agtrace-report"),
        )
    for host, form in FORMS.items():
        text = root / "binary" / host / "DataCollector01.csv"
        log = blg_of_text(text.read_bytes(), ("SQLServer:Databases",), form, BIASES[host])
        text.with_suffix(".blg").write_bytes(log)
        text.unlink()
    return {kind: agtrace.open_case(root / kind) for kind in ("text", "binary")}


def test_every_value_is_the_same(both):
    text, binary = (both[kind].sql(ALL_VALUES).fetchall() for kind in ("text", "binary"))
    assert len(text) > 100_000
    assert binary == text


def test_only_the_kind_of_the_captures_differs(both):
    query = """
        select host_id, reader, status, first_time::varchar, last_time::varchar
        from captures where kind like 'perfmon%' order by host_id
    """
    text, binary = (both[kind].sql(query).fetchall() for kind in ("text", "binary"))
    assert [row[1] for row in binary] == ["perfmon_blg"] * 3
    assert [row[:1] + row[2:] for row in binary] == [row[:1] + row[2:] for row in text]


def test_the_findings_are_the_same(both):
    text, binary = (
        [
            (f.id, f.severity, f.subject, f.narrative, f.recommendation)
            for f in both[kind].findings()
            if f.id.startswith("transport.")
        ]
        for kind in ("text", "binary")
    )
    assert any(found[0] == "transport.window_limited" for found in text)
    assert binary == text
