"""Results over all cases as tables: one Parquet file per relation, with a column ``case``.

Each case has its rows in its own files. The files over all cases are concatenated from those, one relation
at a time and row group by row group, and replace the previous files atomically.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from agtrace import interrupts, moving
from agtrace.batch.places import CaseRecord, Reports
from agtrace.errors import StoreError, in_one_line, is_exhausted, is_full
from agtrace.moments import iso
from agtrace.printable import printable
from agtrace.say.finding import SEVERITY_ORDER
from agtrace.say.finding_rows import FINDINGS, finding_rows
from agtrace.store import parquet
from agtrace.store.files import TEMPORARY, read_text, write_atomically
from agtrace.store.parts import storage_error
from agtrace.tables import UTC_TIME, column
from agtrace.tables.history import EVERY_SAMPLE, RELATIONS

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.say.finding import Finding

CASE = column("case", pa.string(), "name of the case: its folder among the reports", nullable=False)

CASES = pa.schema(
    [
        column("source", pa.string(), "folder or archive of its captures"),
        column("status", pa.string(), "reported or broken", nullable=False),
        column("reason", pa.string(), "why it is broken, or what of its report failed"),
        column("reported", UTC_TIME, "when"),
        column("seconds", pa.float64(), "how long that took", "s"),
        column("files", pa.int64(), "files in it"),
        column("bytes", pa.int64(), "their size", "B"),
        *(column(name, pa.int64(), f"findings that are {name}") for name in SEVERITY_ORDER),
        column("version", pa.string(), "of agtrace"),
    ]
)

_HAPPENED = {name: schema for name, schema in RELATIONS.items() if name not in EVERY_SAMPLE}
SCHEMAS: dict[str, pa.Schema] = {"cases": CASES, "findings": FINDINGS, **_HAPPENED}
"""Schemas of the results, without their leading column ``case``."""

GROUP_ROWS = 1 << 17
GROUP_BYTES = 64 << 20
"""Rows of small cases share a row group up to this size."""

_MERGED = "merged.json"


class DamagedRowsError(StoreError):
    """The rows of a case are damaged: it has to be reported again."""

    def __init__(self, record: CaseRecord, message: str) -> None:
        super().__init__(f"{message}; it is reported again")
        self.record = record


class UnfitRowsError(StoreError):
    """The rows of a case do not go with those of the others: they are left out."""

    def __init__(self, record: CaseRecord, error: Exception) -> None:
        super().__init__(f"left out of the results over all cases: {in_one_line(error)}")
        self.record = record


def keep_rows(reports: Reports, name: str, case: Case, findings: list[Finding]) -> tuple[str, list[str]]:
    """Write the rows of a case to its own files.

    Parameters
    ----------
    reports, name
        The reports, and the name of the case.
    case
        The opened case: its relations are computed.
    findings
        Its findings.

    Returns
    -------
    tuple of str and list of str
        The folder, for the record of the case; it is not read until the record names it. And a line for each
        relation that could not be computed; the others are written.

    Raises
    ------
    StoreError
        They cannot be written.
    """
    folder = f"{name}/{secrets.token_hex(8)}"
    place = reports.rows / folder
    failed = []
    try:
        place.mkdir(parents=True)
        _write(place / "findings.parquet", FINDINGS, [finding_rows(findings)])
        for relation, schema in _HAPPENED.items():
            try:
                rows = case.sql(f'SELECT * FROM "{relation}"')
                batches = pa.RecordBatchReader.from_stream(rows)
                _write(place / f"{relation}.parquet", schema, map(_as_table, batches))
            except (OSError, StoreError, MemoryError):
                raise
            except Exception as error:
                interrupts.raise_again(error)
                if is_full(error):
                    raise StoreError(in_one_line(error)) from error
                moving.remove(place / f"{relation}.parquet")
                failed.append(f"relation {relation}: {in_one_line(error)}")
    except BaseException as error:
        shutil.rmtree(place, ignore_errors=True)
        if isinstance(error, OSError):
            raise storage_error(place, error) from error
        raise
    return folder, failed


def _as_table(batch: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([batch])


def _write(path: Path, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    """Write rows to a file; without rows, no file is created."""
    writer: pq.ParquetWriter | None = None
    try:
        for table in tables:
            if table.num_rows:
                if writer is None:
                    writer = pq.ParquetWriter(path.absolute(), lenient(schema), compression="zstd")
                writer.write_table(conformed(table, schema))
    finally:
        if writer is not None:
            writer.close()


def conformed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return rows converted to a schema; another version of agtrace may have written them."""
    columns = []
    for field in schema:
        if field.name in table.column_names:
            columns.append(table[field.name].cast(field.type))
        else:
            columns.append(pa.nulls(table.num_rows, field.type))
    return pa.table(columns, lenient(schema))


def lenient(schema: pa.Schema) -> pa.Schema:
    """Return the schema with every column nullable; older versions lack required ones."""
    return pa.schema([field.with_nullable(True) for field in schema], schema.metadata)


def is_current(reports: Reports) -> bool:
    """Return whether the files over all cases match the rows of the cases as they are now."""
    try:
        return bool(json.loads(read_text(reports.state / _MERGED))["of"] == _digest(reports))
    except (OSError, ValueError, KeyError, TypeError) as error:
        if is_exhausted(error):
            raise
        return False


def _digest(reports: Reports) -> str:
    digest = hashlib.sha256()
    for name, schema in SCHEMAS.items():
        digest.update(f"{name} {schema}\n".encode())
    for record in _in_order(reports):
        digest.update(f"{record.name}\0{record.rows}\0{record.reported}\n".encode())
    return digest.hexdigest()


def _in_order(reports: Reports) -> list[CaseRecord]:
    return sorted(reports.records().values(), key=lambda record: record.name)


def merge(reports: Reports, left_out: Container[str] = ()) -> None:
    """Merge the rows of all cases into the files over all cases. The caller must hold the lock.

    Parameters
    ----------
    reports
        The reports of the cases.
    left_out
        Names of cases whose rows are left out.

    Raises
    ------
    UnfitRowsError
        The rows of a case are incompatible with the others.
    StoreError
        The files cannot be written; the previous ones are kept.
    """
    records = [record for record in _in_order(reports) if record.name not in left_out]
    try:
        for name in SCHEMAS:
            _replace(reports.results / f"{name}.parquet", name, _tables(reports, name, records))
        text = json.dumps({"of": _digest(reports)})
        write_atomically(reports.state / _MERGED, text)
    except OSError as error:
        raise storage_error(reports.results, error) from error


def _tables(reports: Reports, name: str, records: list[CaseRecord]) -> Iterator[pa.Table]:
    if name == "cases":
        for record in records:
            with _fit(record):
                row = _of_case(record.name, _case_row(record), CASES)
            yield row
        return
    for record in records:
        if not record.rows:
            continue
        folder = reports.rows / record.rows
        path = folder / f"{name}.parquet"
        if not folder.is_dir():
            raise DamagedRowsError(record, "its rows are gone")
        if not path.is_file():
            continue
        try:
            with parquet.opened(path) as file:
                for batch in file.iter_batches(GROUP_ROWS):
                    with _fit(record):
                        rows = _of_case(record.name, _as_table(batch), SCHEMAS[name])
                    yield rows
        except (pa.ArrowException, OSError) as error:
            if is_exhausted(error):
                raise
            raise DamagedRowsError(record, f"its rows cannot be read ({error})") from error


@contextlib.contextmanager
def _fit(record: CaseRecord) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        interrupts.raise_again(error)
        raise UnfitRowsError(record, error) from error


def _of_case(case: str, rows: pa.Table, schema: pa.Schema) -> pa.Table:
    named = pa.array([case], CASE.type).take(pa.array([0] * rows.num_rows, pa.int32()))
    return conformed(rows, schema).add_column(0, CASE.with_nullable(True), named)


def _case_row(record: CaseRecord) -> pa.Table:
    row = {name: getattr(record, name, None) for name in CASES.names}
    row["source"] = printable(record.source)
    row |= {name: record.findings.get(name, 0) for name in SEVERITY_ORDER}
    return pa.Table.from_pylist([row | {"reported": iso(record.reported)}], CASES)


def _replace(path: Path, name: str, tables: Iterator[pa.Table]) -> None:
    """Write a new file beside the old one, then replace it."""
    temporary = path.with_name(f"{path.name}.{os.getpid():x}{secrets.token_hex(4)}{TEMPORARY}")
    schema = lenient(pa.schema([CASE, *SCHEMAS[name]], SCHEMAS[name].metadata))
    try:
        with pq.ParquetWriter(temporary.absolute(), schema, compression="zstd") as writer:
            for group in _groups(tables):
                writer.write_table(group.cast(schema))
        moving.replace(temporary, path)
    finally:
        moving.remove(temporary)


def _groups(tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Join small tables to row groups."""
    waiting: list[pa.Table] = []
    rows = size = 0
    for table in tables:
        waiting.append(table)
        rows, size = rows + table.num_rows, size + table.nbytes
        if rows >= GROUP_ROWS or size >= GROUP_BYTES:
            yield pa.concat_tables(waiting)
            waiting, rows, size = [], 0, 0
    if waiting:
        yield pa.concat_tables(waiting)
