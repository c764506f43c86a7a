"""Export a case for other programs: findings and tables as CSV and XLSX, figures as PNG, a page for a
ticket.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.errors import AgtraceError, CaseError
from agtrace.globs import named

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.diagnostics import Finding

__all__ = ["FORMATS", "ExportResult", "check_formats", "export_case", "export_table"]

FORMATS = ("csv", "parquet", "xlsx", "png")
SUMMARY = "summary.md"
WORKBOOK = "case.xlsx"


@dataclass(repr=False)
class ExportResult:
    """Result of an export; its repr shows the number of files and the folder.

    Parameters
    ----------
    folder
        Folder of the files.
    files
        Names of the files.
    findings
        All findings, most severe first.
    failures
        Tables and figures that could not be written, one line each; all others were.
    """

    folder: Path
    files: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        from agtrace.say.words import count

        return "\n".join([f"{count(len(self.files), 'file')} in {self.folder}", *self.failures])


def check_formats(formats: str | Iterable[str]) -> None:
    """Check that formats are known and can be written on this machine, before anything is read.

    Raises
    ------
    CaseError
        A format is unknown.
    AgtraceError
        A package that a format needs is not installed.
    """
    for name in named(formats):
        if name not in FORMATS:
            raise CaseError(f"no format is called {name!r}", f"there are: {', '.join(FORMATS)}")
        if name == "xlsx":
            from agtrace.export.workbook import check_installed

            check_installed()
        if name == "png":
            from agtrace.export.pictures import check_installed as check_pictures

            check_pictures()


def export_case(
    case: Case, out: str | Path, formats: str | Iterable[str] = ("csv",), only: str | Iterable[str] = ()
) -> ExportResult:
    """Export the findings, tables and figures of a case to a folder.

    ``summary.md``, one page for a ticket, is always written. ``csv`` writes a file per table, ``parquet`` the
    same with column types, ``xlsx`` one workbook with a sheet per table, and ``png`` a picture per figure.
    The tables are ``findings``, their ``evidence``, the history relations (docs/store.md) that have rows, and
    the tables of the analyses.

    Parameters
    ----------
    case
        The opened case.
    out
        The folder, outside the case; new, empty, or an earlier export of this user, which is replaced.
    formats
        One or more of `FORMATS`; empty: only the summary.
    only
        Glob of names of tables and figures, or several; empty: all.

    Returns
    -------
    ExportResult
        Includes a line for each table and figure that failed.

    Raises
    ------
    CaseError
        A format is unknown, ``only`` matches nothing, or the folder is in use or in the case.
    AgtraceError
        A package that a format needs is not installed.
    """
    from agtrace.export.contents import Contents
    from agtrace.export.summary import summary
    from agtrace.report.folder import ReportFolder

    formats, globs = named(formats), named(only)
    check_formats(formats)
    folder = Path(out)
    if folder.resolve().is_relative_to(case.folder.resolve()):
        raise CaseError(f"{folder}: lies in the case", "name a folder elsewhere with --out")
    contents = Contents(case, globs)
    with ReportFolder(folder, "export") as target:
        target.write(SUMMARY, summary(case, contents.findings))
        if "csv" in formats:
            from agtrace.export.text import write_csv

            for table in contents.tables():
                write_csv(target.place(f"{table.name}.csv"), table)
        if "parquet" in formats:
            from agtrace.export.typed import write_parquet

            for table in contents.tables():
                write_parquet(target.place(f"{table.name}.parquet"), table)
        if "xlsx" in formats:
            from agtrace.export.workbook import write_workbook

            write_workbook(target.place(WORKBOOK), contents.tables())
        if "png" in formats:
            from agtrace.export.pictures import write_pictures

            write_pictures(target.place, contents)
        target.finish()
        return ExportResult(folder, sorted(target.written), contents.findings, contents.failures)


def export_table(case: Case, only: str | Iterable[str], path: Path) -> ExportResult:
    """Write one table to a file, by its suffix: .csv (without a byte order mark) or .parquet.

    Raises
    ------
    CaseError
        ``only`` matches nothing, or more than one table that has rows.
    AgtraceError
        The table has no rows in this case, or could not be computed.
    """
    from agtrace.export.contents import Contents
    from agtrace.export.text import write_csv
    from agtrace.export.typed import write_parquet

    globs = named(only)
    contents = Contents(case, globs)
    asked = ", ".join(globs)
    written = ""
    for table in contents.tables():
        if written:
            raise CaseError(
                f"{asked}: is more than one table ({written}, {table.name}, ..)", "name one with --only"
            )
        if path.suffix == ".parquet":
            write_parquet(path, table)
        else:
            write_csv(path, table, mark=False)
        written = table.name
    if not written:
        why = contents.failures[0] if contents.failures else f"{asked}: no table of this name has rows here"
        raise AgtraceError(why, "agtrace export CASE --out DIR writes all that have")
    return ExportResult(path.parent, [written], contents.findings, contents.failures)
