"""Sample cases with their perfmon captures as binary logs: the same store, the same findings."""

from __future__ import annotations

import pytest

import agtrace
from simulation.formats.blg import Form
from simulation.formats.blg_of_text import blg_of_text
from tests.ready import copy_captures

pytestmark = pytest.mark.complete

ALL_VALUES = """
    select c.host_id, c.sql_instance, c.object, c.instance, c.counter, c.unit,
           s.time_local, s.time::varchar, s.value
    from samples s join counters c using (counter_id)
    order by all
"""
FORMS = {
    "log_send_queue/JBSAG1/DataCollector01.csv": (Form(wide=False, system=(6, 0, 6000)), 240),
    "log_send_queue/JBSAG2/DataCollector01.csv": (Form(), 240),
    "log_send_queue/JBSAG3/DataCollector01.csv": (Form(closed=False, buffer_bytes=0x4000), -540),
    "direct_seeding/AGDS1/perfmon.csv": (Form(), -60),
    "direct_seeding/AGDS2/perfmon.csv": (Form(closed=False), -60),
    "seeding_compression/SEEDA/perfmon.csv": (Form(wide=False), 300),
    "seeding_compression/SEEDB/perfmon.csv": (Form(buffer_bytes=0x4000), 300),
}
"""How each log is written, and its bias as the text logs or, where that lost it, the ERRORLOG have it."""
SAMPLES = ("log_send_queue", "direct_seeding", "seeding_compression")


@pytest.fixture(scope="module", params=SAMPLES)
def both(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("both")
    for kind in ("text", "binary"):
        copy_captures(agtrace.sample(request.param), root / kind / request.param)
    for path, (form, bias) in FORMS.items():
        text = root / "binary" / path
        if text.is_file():
            log = blg_of_text(text.read_bytes(), ("SQLServer:Databases",), form, bias)
            text.with_suffix(".blg").write_bytes(log)
            text.unlink()
    return {kind: agtrace.open_case(root / kind / request.param) for kind in ("text", "binary")}


def test_every_value_is_the_same(both):
    text, binary = (both[kind].sql(ALL_VALUES).fetchall() for kind in ("text", "binary"))
    assert len(text) > 10_000
    assert binary == text


def test_only_the_kind_of_the_captures_differs(both):
    query = """
        select host_id, reader, status, first_time::varchar, last_time::varchar
        from captures where kind like 'perfmon%' order by host_id
    """
    text, binary = (both[kind].sql(query).fetchall() for kind in ("text", "binary"))
    assert {row[1] for row in binary} == {"perfmon_blg"}
    assert [row[:1] + row[2:] for row in binary] == [row[:1] + row[2:] for row in text]


def test_the_findings_are_the_same(both):
    text, binary = (
        [
            (f.id, f.severity, f.subject, f.narrative, f.recommendation)
            for f in both[kind].findings()
            if not f.id.startswith("quality.")
        ]
        for kind in ("text", "binary")
    )
    assert {found[0] for found in text} & {"transport.window_limited", "compare.difference"}
    assert binary == text
