"""Input and output of files between looks."""

from __future__ import annotations

from simulation.formats import rowsets as make
from tests.history.outputs import relation
from tests.readers.query_results.small import SCRIPT, SLOW_FILES

ALL = """
    select database, file_id, file_type, reads, writes, read_bytes, write_bytes, read_stall_ms,
           write_stall_ms, mean_read_ms, mean_write_ms
    from file_io order by time_local, database, file_id
"""


def looks(*rows):
    return SCRIPT + "".join(
        make.file_stats(f"2026-03-01T10:{16 + number}:35.220", each) for number, each in enumerate(rows)
    )


def test_names_of_the_first_look_are_carried(tmp_path):
    text = looks(
        [(5, 1, 100, 8192, 50, 10, 4096, 20, "ROWS", "Sales", "D:\\s.mdf"),
         (5, 2, 1, 512, 1, 1000, 51200, 900, "LOG", "Sales", "L:\\s.ldf")],
        [(5, 1, 110, 16384, 90, 10, 4096, 20, "ROWS", None, None),
         (5, 2, 1, 512, 1, 1100, 61200, 1300, "LOG", None, None)],
    )  # fmt: skip
    assert relation(tmp_path, ALL, perf__out=text) == [
        ("Sales", 1, "ROWS", 10, 0, 8192, 0, 40, 0, 4.0, None),
        ("Sales", 2, "LOG", 0, 100, 0, 10_000, 0, 400, None, 4.0),
    ]


def test_a_figure_that_falls_voids_the_interval_of_its_file(tmp_path):
    text = looks(
        [(5, 1, 100, 1, 50, 10, 1, 20, "ROWS", "A", "a"), (6, 1, 5, 1, 5, 5, 1, 5, "ROWS", "B", "b")],
        [(5, 1, 3, 1, 2, 1, 1, 1, "ROWS", None, None), (6, 1, 6, 2, 6, 6, 2, 6, "ROWS", None, None)],
        [(5, 1, 4, 2, 4, 2, 2, 3, "ROWS", None, None), (6, 1, 6, 2, 6, 6, 2, 6, "ROWS", None, None)],
    )
    found = relation(tmp_path, ALL, perf__out=text)
    assert [(row[0], row[3]) for row in found] == [("B", 1), ("A", 1), ("B", 0)]


def test_a_file_that_is_opened_later_counts_from_zero(tmp_path):
    text = looks(
        [(5, 1, 100, 1, 50, 10, 1, 20, "ROWS", "A", "a")],
        [(5, 1, 100, 1, 50, 10, 1, 20, "ROWS", None, None),
         (7, 1, 4, 64, 8, 1, 1, 1, "ROWS", "New", "n")],
    )  # fmt: skip
    assert relation(tmp_path, ALL, perf__out=text)[1][:4] == ("New", 1, "ROWS", 4)


def test_means_since_the_start_have_no_interval(tmp_path):
    query = "select database, start_local, reads, mean_read_ms, mean_write_ms, time from file_io"
    ((*row, time),) = relation(tmp_path, query, high_io__out=SCRIPT + SLOW_FILES)
    assert row == ["Sales", None, None, 3.0, 27.0]
    assert time.isoformat() == "2026-03-01T04:46:35.220000+00:00"


STATS = "sample_time,database_id,file_id,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms\n"  # noqa: E501


def test_two_files_with_a_snapshot_of_the_view_each_have_an_interval(tmp_path):
    (tmp_path / "SRV1").mkdir()
    first = STATS + "2026-03-01 10:16:00,5,1,100,8192,50,10,4096,20\n"
    second = STATS + "2026-03-01 10:17:00,5,1,110,16384,90,10,4096,20\n"
    found = relation(tmp_path, ALL, **{"SRV1/one__csv": first, "SRV1/two__csv": second})
    assert found == [(None, 1, None, 10, 0, 8192, 0, 40, 0, 4.0, None)]
