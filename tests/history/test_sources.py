"""What relations come from: a maker is not asked where nothing of it was captured."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pyarrow as pa
import pytest

import agtrace
from agtrace.history import makers
from agtrace.history.base import Sources
from agtrace.readers import topics
from tests.diagnostics.tiny import case
from tests.effort import IS_THOROUGH
from tests.folded import folded

SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"
TRIED = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
ASIDE = {
    "backups": {"errorlog_gap", "reinitialized", "resumed"},
    "cluster_log": {"cluster_log"},
    "coverage": {"errorlog_gap"},
    "os_events": {"event_log"},
    "seedings": {
        "connection", "database_connection", "reinitialized", "replica_state", "role_change", "startup",
    },
    "streams": {"data_movement", "tcp_global"},
    "timeline": {"startup"},
    "trace_flags": {"reinitialized"},
    "trials": {"hammerdb_count"},
}  # fmt: skip
"""Topics by relation that say more of rows which come from something else."""


@folded("maker", makers())
def test_a_maker_names_every_topic_that_its_queries_ask_for(maker):
    folder = Path(inspect.getfile(maker.make)).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.sql"))
    compared = re.findall(r"\btopic\s*(?:=\s*('\w+')|in\s*\(([^)]*)\))", text)
    asked = {name for words in compared for name in re.findall(r"'(\w+)'", "".join(words))}
    assert asked <= {name for _table, name in topics()}
    assert asked - {*maker.sources.topics} == ASIDE.get(maker.relations[0], set())


@pytest.mark.complete
@pytest.mark.parametrize("name", TRIED if IS_THOROUGH else ["commit_network", "log_send_queue"])
def test_what_has_no_source_in_a_sample_has_no_rows(name, sample_store):
    with agtrace.open_case(SAMPLES / name, sample_store(name)) as opened:
        left_out = [maker for maker in makers() if not maker.sources.are_in(opened.view)]
        found = {name: rows for maker in left_out for name, rows in maker.make(opened.view).items()}
        counts = {name: rows.num_rows for name, rows in found.items() if isinstance(rows, pa.Table)}
    assert counts == dict.fromkeys(counts, 0)
    assert counts


def test_sources_are_found_by_topic_event_table_and_relation():
    made = case(
        messages="SQL1 | 0 | backup | 18264 |",
        events="SQL1 | 0 | sql_exit_invoked | shutdown_option=1",
        relations="SQL1 | 0 | cluster_log | text=a",
    )
    assert Sources(topics=("restore", "backup")).are_in(made)
    assert Sources(events=("sql_exit_",)).are_in(made)
    assert Sources(tables=("messages",)).are_in(made)
    assert Sources(relations=("cluster_log",)).are_in(made)


def test_other_topics_events_tables_and_relations_are_none():
    made = case(
        messages="SQL1 | 0 | backup | 18264 |", events="SQL1 | 0 | sql_exit_invoked | shutdown_option=1"
    )
    others = Sources(("restore",), ("sql_exit_unknown",), ("errorlog",), ("cluster_log",))
    assert not others.are_in(made)
    assert not Sources().are_in(made)
