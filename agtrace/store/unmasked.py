"""The samples of a case without overlapping captures: a plain view of the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from agtrace.store import parquet
from agtrace.store.records import PartFile
from agtrace.store.sql_files import beside
from agtrace.store.view import CaseView

MOST_CONTENTS = 16
"""Each content is a query of its own, and planned as one; with more of them series are joined."""

_sql = beside(__file__)


def show_unmasked(view: CaseView, files: Sequence[tuple[Path, PartFile]]) -> bool:
    """Replace the view of samples by one without masks if no row is masked; return whether it was replaced.

    A query then reads only the columns that it names, and filters on series or values are applied to the
    files.

    Parameters
    ----------
    view
        The tables of a whole case whose overlaps are resolved, not locked.
    files
        Its files of samples.
    """
    if not files or view.rows("SELECT 1 FROM masks LIMIT 1"):
        return False
    view.run(_sql("unmasked.sql").replace("/* numbered */", _numbered(view, [path for path, _file in files])))
    return True


def _numbered(view: CaseView, paths: Sequence[Path]) -> str:
    """Return the query of samples with the numbers of their series in the case."""
    rows = view.rows(
        "SELECT content_id, min(counter_id - counter_no) AS first, max(counter_id - counter_no) AS last "
        "FROM counters GROUP BY content_id"
    )
    is_dense = all(row["first"] == row["last"] for row in rows)
    if not rows or not is_dense or len(rows) > MOST_CONTENTS:
        return _sql("joined_samples.sql")
    return "\nUNION ALL\n".join(_of_contents({row["content_id"]: row["first"] for row in rows}, paths))


def _of_contents(first: Mapping[str, int], paths: Iterable[Path]) -> Iterator[str]:
    of_content: dict[str, list[Path]] = {content: [] for content in first}
    for path in paths:
        content = path.parent.name.partition("-")[0]
        if content in of_content:
            of_content[content].append(path)
    for content, listed in of_content.items():
        if listed:
            number = f"counter_no + {first[content]}::BIGINT AS counter_id"
            yield f"SELECT {number}, content_id, counter_no, tick, value FROM {parquet.source(listed)}"
