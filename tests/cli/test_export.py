"""``agtrace export -o -``: one table on standard output, for the next program of a pipe."""

from __future__ import annotations

import csv
import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import agtrace as toolkit
from agtrace.cli import main
from tests.ingest import texts
from tests.ingest.test_ingest import put


@pytest.fixture(scope="module")
def place(sample_store):
    return [toolkit.sample("failover_planned"), "--store", sample_store("failover_planned")]


@pytest.fixture
def run(capfdbinary):
    """Run ``agtrace export``; give its status and every byte that comes out of the process."""

    def exported(*words):
        status = main(["export", *map(str, words)])
        return status, *capfdbinary.readouterr()

    return exported


@pytest.mark.complete
def test_a_table_is_printed_and_nothing_else(run, place):
    status, out, err = run(*place, "--only", "failovers", "-o", "-", "--to", "csv")
    assert (status, err) == (0, b"")
    (row,) = csv.DictReader(io.StringIO(out.decode("utf-8")))
    assert row["mode"] == "planned"


@pytest.mark.complete
def test_parquet_keeps_types(run, place):
    status, out, _err = run(*place, "--only", "failovers", "-o", "-", "--to", "parquet")
    table = pq.read_table(pa.BufferReader(out))
    assert (status, table.num_rows) == (0, 1)
    assert pa.types.is_timestamp(table.schema.field("start").type)


@pytest.mark.parametrize(
    "words",
    [
        ["--only", "failovers", "-o", "-"],
        ["--only", "failovers", "-o", "-", "--to", "csv", "--format", "csv"],
        ["--only", "failovers", "--to", "csv"],
        ["-o", "-", "--to", "csv"],
        ["--only", "failovers", "-o", "-", "--to", "csv", "--out", "exported"],
    ],
)
def test_it_is_said_whole_or_refused(agtrace, place, words):
    ran = agtrace("export", *place, *words)
    assert (ran.status, ran.out) == (2, "")
    assert "--only NAME -o - --to csv" in ran.err


@pytest.mark.complete
def test_of_two_tables_none_is_printed(agtrace, place):
    ran = agtrace("export", *place, "--only", "findings,evidence", "-o", "-", "--to", "csv")
    assert (ran.status, ran.out) == (2, "")
    assert "findings, evidence: is more than one table (findings, evidence, ..) - name one" in ran.err


def test_a_table_without_rows_is_told(agtrace, tmp_path):
    put(tmp_path, ERRORLOG=texts.errorlog())
    ran = agtrace("export", tmp_path, "--only", "failovers", "-o", "-", "--to", "csv")
    assert (ran.status, ran.out) == (1, "")
    assert "failovers: no table of this name has rows here" in ran.err
