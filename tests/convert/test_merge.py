"""Several performance logs written as one: rows by time, the columns of all."""

from __future__ import annotations

import csv
import random
from datetime import datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from agtrace.convert import Selection, convert, merge, slabs
from agtrace.errors import CaptureError, CaseError
from agtrace.readers import Source
from simulation.formats.blg import write_blg
from simulation.formats.blg_blocks import RAWCOUNT, TIMER_100NS_INVERSE, Item, One, Sample
from tests.shared import CAPTURES, needs_captures

PAGES = "\\\\A\\Memory\\Pages/sec"
SENT = "\\\\B\\Network\\Sent"
SAME = "\\\\a\\Network\\Sent"
PACIFIC = " (Pacific Standard Time)(480)"


def text_log(path: Path, columns: list[str], *rows: str, zone: str = PACIFIC) -> Path:
    """Write a log whose rows are ``09:00:05 1 2``: a time on one day, and cells; - is a blank."""
    lines = (
        [f"(PDH-CSV 4.0){zone}", *columns],
        *(
            [f"03/14/2026 {row.split()[0]}.000", *(c.replace("-", " ") for c in row.split()[1:])]
            for row in rows
        ),
    )
    text = "".join(",".join(f'"{cell}"' for cell in line) + "\r\n" for line in lines)
    path.write_bytes(text.encode())
    return path


def merged(out: Path, *logs: Path, **selection) -> list[str]:
    """Merge to CSV; give its lines without the quotes, the date, and what follows the seconds."""
    convert(logs, out, Selection(**selection), force=True)
    text = out.read_bytes().decode()
    assert text.endswith("\r\n")
    lines = text.replace('"', "").replace("03/14/2026 ", "").replace(".000", "").split("\r\n")
    return lines[:-1]


def test_two_hosts_logs_side_by_side(tmp_path):
    """Columns in the order of the files; a row per time stamp; blank where a log has none."""
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1", "09:00:10 2", "09:00:20 3")
    b = text_log(tmp_path / "b.csv", [SENT], "09:00:05 7", "09:00:10 -", "09:00:20 9")
    convert([a, b], tmp_path / "all.csv")
    assert (tmp_path / "all.csv").read_bytes().decode() == (
        '"(PDH-CSV 4.0) (Pacific Standard Time)(480)","\\\\A\\Memory\\Pages/sec","\\\\B\\Network\\Sent"\r\n'
        '"03/14/2026 09:00:00.000","1"," "\r\n'
        '"03/14/2026 09:00:05.000"," ","7"\r\n'
        '"03/14/2026 09:00:10.000","2"," "\r\n'
        '"03/14/2026 09:00:20.000","3","9"\r\n'
    )


def test_the_order_of_the_files_is_that_of_the_columns_not_of_the_rows(tmp_path):
    late = text_log(tmp_path / "late.csv", [PAGES], "10:00:00 1")
    early = text_log(tmp_path / "early.csv", [SENT, PAGES], "09:00:00 5 6")
    assert merged(tmp_path / "all.csv", late, early)[0].endswith(f"{PAGES},{SENT}")
    assert merged(tmp_path / "all.csv", late, early)[1:] == ["09:00:00,6,5", "10:00:00,1, "]


def test_of_two_values_for_one_cell_the_first_files_is_written(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES, SENT], "09:00:00 1 -", "09:00:05 2 3")
    b = text_log(tmp_path / "b.csv", [PAGES.lower()], "09:00:00 9", "09:00:05 -", "09:00:06 8")
    assert merged(tmp_path / "x.csv", a, b)[1:] == ["09:00:00,1, ", "09:00:05,2,3", "09:00:06,8, "]
    assert merged(tmp_path / "x.csv", b, a)[1:] == ["09:00:00,9, ", "09:00:05,2,3", "09:00:06,8, "]
    assert merged(tmp_path / "x.csv", b, a)[0].split(",")[1:] == [PAGES.lower(), SENT]


def test_rows_of_one_file_that_share_a_time_stay_apart(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1", "09:00:00 2", "09:00:01 3")
    b = text_log(tmp_path / "b.csv", [SENT], "09:00:00 7")
    assert merged(tmp_path / "all.csv", a, b)[1:] == ["09:00:00,1,7", "09:00:00,2, ", "09:00:01,3, "]


def test_rows_keep_the_order_of_their_file_where_its_clock_was_set_back(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:10 1", "09:00:02 2", "09:00:12 3")
    b = text_log(tmp_path / "b.csv", [SENT], "09:00:01 7", "09:00:11 8")
    assert merged(tmp_path / "all.csv", a, b)[1:] == [
        "09:00:01, ,7",
        "09:00:10,1, ",
        "09:00:02,2, ",
        "09:00:11, ,8",
        "09:00:12,3, ",
    ]


@pytest.mark.parametrize(
    ("selection", "rows"),
    [
        ({"every": 2}, ["09:00:00,1, ", "09:00:10,2, ", "09:00:20,3, "]),
        ({"every": 4}, ["09:00:00,1, ", "09:00:20,3, "]),
        (
            {"begin": datetime(2026, 3, 14, 9, 0, 5), "end": datetime(2026, 3, 14, 9, 0, 15)},
            ["09:00:05, ,7", "09:00:10,2, ", "09:00:15, ,8"],
        ),
        ({"begin": datetime(2026, 3, 14, 9, 0, 5), "every": 3}, ["09:00:05, ,7", "09:00:20,3, "]),
        ({"counters": (r"\network\*",)}, ["09:00:00, ", "09:00:05,7", "09:00:10, ", "09:00:15,8",
         "09:00:20, "]),
    ],
)  # fmt: skip
def test_what_is_selected_is_selected_of_the_merged_rows(tmp_path, selection, rows):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1", "09:00:10 2", "09:00:20 3")
    b = text_log(tmp_path / "b.csv", [SENT], "09:00:05 7", "09:00:15 8")
    assert merged(tmp_path / "all.csv", a, b, **selection)[1:] == rows


def test_local_times_are_moved_into_the_zone_of_the_first_file(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1")
    b = text_log(tmp_path / "b.csv", [SENT], "18:00:00 7", "18:00:01 8", zone=" (CET)(-60)")
    done = convert([a, b], tmp_path / "all.csv")
    assert done.issues == [("warning", f"{b}: times moved by -540 minutes, into the zone of {a}", 1)]
    assert merged(tmp_path / "all.csv", a, b)[1:] == ["09:00:00,1,7", "09:00:01, ,8"]
    assert merged(tmp_path / "all.csv", b, a) == [
        f"(PDH-CSV 4.0) (CET)(-60),{SENT},{PAGES}",
        "18:00:00,7,1",
        "18:00:01,8, ",
    ]


def test_begin_and_end_mean_the_zone_that_is_written(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1")
    b = text_log(tmp_path / "b.csv", [SENT], "18:00:01 8", "18:00:02 9", zone=" (CET)(-60)")
    moment = datetime(2026, 3, 14, 9, 0, 1)
    assert merged(tmp_path / "x.csv", a, b, begin=moment, end=moment)[1:] == ["09:00:01, ,8"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_file_that_does_not_say_its_offset_is_taken_to_be_in_that_of_another_of_its_host(tmp_path, order):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1")
    b = text_log(tmp_path / "b.csv", [SAME], "09:00:00 7", zone=" (Pacific Stand")
    logs = [(a, b)[n] for n in order]
    done = convert(logs, tmp_path / "all.csv")
    assert [text for severity, text, _count in done.issues if severity == "warning"] == [
        f"{b}: does not say how far its local time is from UTC; taken to be in the zone of {a}"
    ]
    assert merged(tmp_path / "all.csv", *logs)[0].split(",")[0] == f"(PDH-CSV 4.0){PACIFIC}"
    assert merged(tmp_path / "all.csv", a, b)[1:] == ["09:00:00,1,7"]


def test_an_unknown_offset_among_different_zones_is_refused(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1")
    b = text_log(tmp_path / "b.csv", [PAGES], "09:00:00 1", zone=" (CET)(-60)")
    c = text_log(tmp_path / "c.csv", [PAGES], "09:00:00 1", zone="")
    with pytest.raises(CaptureError, match=r"c\.csv: does not say how far .* and other logs do"):
        convert([a, b, c], tmp_path / "all.csv")
    assert not (tmp_path / "all.csv").exists()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_unknown_offset_beside_another_host_is_refused_until_it_is_said(tmp_path, order):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1")
    b = text_log(tmp_path / "b.csv", [SENT], "18:00:00 7", zone="")
    logs = [(a, b)[n] for n in order]
    with pytest.raises(CaptureError, match=r"b\.csv: does not say how far .* --utc-offset B=-5:00"):
        convert(logs, tmp_path / "all.csv")
    assert not (tmp_path / "all.csv").exists()
    said = {"b.contoso.com": "Asia/Tokyo", "*": 60}
    assert merged(tmp_path / "all.csv", a, b, utc_offsets=said)[1:] == ["01:00:00, ,7", "09:00:00,1, "]
    assert merged(tmp_path / "all.csv", a, b, utc_offsets={"*": 60})[1:] == ["09:00:00,1,7"]


def test_local_times_are_written_in_utc_where_that_is_asked_for(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1")
    b = text_log(tmp_path / "b.csv", [SENT], "18:00:00 7", zone=" (CET)(-60)")
    done = convert([a, b], tmp_path / "all.csv", Selection(tz=0))
    assert done.issues == [
        ("warning", f"{a}: times moved by +480 minutes, into UTC", 1),
        ("warning", f"{b}: times moved by -60 minutes, into UTC", 1),
    ]
    assert merged(tmp_path / "all.csv", a, b, tz=0)[0].split(",")[0] == "(PDH-CSV 4.0) (UTC)(0)"
    assert merged(tmp_path / "all.csv", a, b, tz=0)[1:] == ["17:00:00,1,7"]
    assert merged(tmp_path / "all.csv", a, tz=-300) == [
        f"(PDH-CSV 4.0) ()(300),{PAGES}", "12:00:00,1"
    ]  # fmt: skip


def test_what_has_no_known_distance_is_not_written_in_utc(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1", zone="")
    with pytest.raises(CaptureError, match=r"a\.csv: does not say how far its local time is from UTC - "):
        convert([a], tmp_path / "all.csv", Selection(tz=0))


def test_files_none_of_which_says_its_offset_are_merged_as_they_stand(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1", zone="")
    b = text_log(tmp_path / "b.csv", [SENT], "09:00:01 7", zone="")
    assert merged(tmp_path / "all.csv", a, b) == [
        f"(PDH-CSV 4.0),{PAGES},{SENT}",
        "09:00:00,1, ",
        "09:00:01, ,7",
    ]


def idle_log(path: Path, *rows: tuple[datetime, int]) -> Path:
    """Write a binary log whose samples tell their distance from UTC, in minutes."""
    items = [Item("Processor", "Idle", TIMER_100NS_INVERSE, instance="0"), Item("Memory", "Free", RAWCOUNT)]
    samples = []
    for number, (time, minutes) in enumerate(rows):
        utc = time - timedelta(minutes=minutes) - datetime(1601, 1, 1)
        ticks = utc // timedelta(microseconds=1) * 10
        samples.append(Sample(time, [One(0, ticks), One(number)], offset_minutes=minutes))
    path.write_bytes(write_blg(items, samples))
    return path


def test_binary_and_text_logs_across_a_change_of_the_clock(tmp_path):
    """Summer time ends in the binary log: the hour that it repeats is told apart by UTC."""
    three = datetime(2026, 3, 14, 2, 59, 30)
    back = three - timedelta(minutes=59, seconds=30)
    blg = idle_log(tmp_path / "a.blg", (three, 120), (back, 60), (back + timedelta(minutes=1), 60))
    text = text_log(tmp_path / "b.csv", [SENT], "01:59:45 7", "02:00:30 8", zone=" (W. Europe)(-60)")
    rows = [row.split(",") for row in merged(tmp_path / "all.csv", blg, text)]
    assert [name.rpartition("\\")[2] for name in rows[0][1:]] == ["Idle", "Free", "Sent"]
    assert [(row[0], row[2], row[3]) for row in rows[1:]] == [
        ("02:59:30", "0", " "),
        ("02:59:45", " ", "7"),
        ("03:00:00", "1", " "),
        ("03:00:30", " ", "8"),
        ("03:01:00", "2", " "),
    ]
    done = convert([blg, text], tmp_path / "x.parquet")
    assert sorted(message for severity, message, _ in done.issues if severity == "warning") == [
        f"{blg}: local time changed inside the log; times after that moved by +60 minutes, "
        "into the zone of its beginning",
        f"{text}: times moved by +60 minutes, into the zone of {blg}",
    ]


def test_a_row_per_value_in_parquet(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1", "09:00:10 2")
    b = text_log(tmp_path / "b.csv", [SENT, PAGES], "09:00:05 7 8")
    assert convert([a, b], tmp_path / "all.parquet").rows == 4
    rows = pq.read_table(tmp_path / "all.parquet").to_pylist()
    found = [(r["time_local"].second, r["host"], r["counter"], r["value"]) for r in rows]
    assert sorted(found) == [
        (0, "A", "Pages/sec", 1),
        (5, "A", "Pages/sec", 8),
        (5, "B", "Sent", 7),
        (10, "A", "Pages/sec", 2),
    ]


def test_names_in_different_encodings_are_written_as_utf_8(tmp_path):
    (tmp_path / "a.csv").write_bytes(
        '"(PDH-CSV 4.0) (X)(0)","\\\\A\\Память\\n"\r\n"03/14/2026 09:00:00.000","1"\r\n'.encode("cp1251")
    )  # fmt: skip
    (tmp_path / "b.csv").write_bytes(
        '"(PDH-CSV 4.0) (X)(0)","\\\\B\\Größe\\n"\r\n"03/14/2026 09:00:00.000","2"\r\n'.encode()
    )
    assert merged(tmp_path / "all.csv", tmp_path / "a.csv", tmp_path / "b.csv") == [
        "(PDH-CSV 4.0) (X)(0),\\\\A\\Память\\n,\\\\B\\Größe\\n",
        "09:00:00,1,2",
    ]


def test_damage_is_told_of_each_file_once(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1", "09:00:01 1 2")
    b = text_log(tmp_path / "b.csv", [SENT], "09:00:00 7")
    done = convert([a, b], tmp_path / "all.csv")
    assert done.rows == 1
    assert [(severity, count) for severity, _text, count in done.issues] == [("data_loss", 1)]
    assert done.issues[0][1].startswith(f"{a}: rows with another number of cells")


def test_what_cannot_be_merged(tmp_path):
    a = text_log(tmp_path / "a.csv", [PAGES], "09:00:00 1")
    for name in ("ERRORLOG", "ERRORLOG.1"):
        (tmp_path / name).write_bytes(b"2026-03-14 09:00:00.10 Server      text\r\n")
    for logs, out, message in (
        (["a.csv", "ERRORLOG"], "x.parquet",
         "ERRORLOG: an ERRORLOG cannot be merged with a perfmon log - convert each kind alone"),
        (["ERRORLOG", "ERRORLOG.1"], "x.parquet",
         "ERRORLOG.1: an ERRORLOG cannot be merged with another - convert each alone"),
        (["a.csv", "a.csv"], "x.jsonl", "a.csv: a perfmon log cannot be written as .jsonl - possible: .csv, .tsv, .parquet"),  # noqa: E501
        (["a.csv", "b.csv"], "x.csv", "b.csv: no such file"),
    ):  # fmt: skip
        with pytest.raises(CaseError) as caught:
            convert([tmp_path / log for log in logs], tmp_path / out)
        assert str(caught.value) == f"{tmp_path}/{message}"
    with pytest.raises(CaseError, match="nothing to convert"):
        convert([], tmp_path / "x.csv")
    with pytest.raises(CaseError, match="is the capture itself"):
        convert([tmp_path / "a.csv", a], a, force=True)


def test_any_logs_in_any_slabs(tmp_path, monkeypatch):
    """Against rows put together in a dictionary, with seams at every few rows."""
    chance = random.Random(4)
    monkeypatch.setattr(slabs, "SLAB_CELLS", 10)
    monkeypatch.setattr(merge, "LEAST_CELLS", 3)
    monkeypatch.setattr(merge, "LEAST_BLOCK_BYTES", 64)
    monkeypatch.setattr(merge, "BLOCK_BYTES", 256)
    names = [f"\\\\H\\o\\c{n}" for n in range(6)]
    logs, rows = [], {}
    columns: dict[str, None] = {}
    for number in range(5):
        mine = chance.sample(names, 3)
        columns |= dict.fromkeys(mine)
        lines = []
        for second in sorted(chance.sample(range(60), 30)):
            cells = [str(chance.randrange(100)) if chance.random() < 0.8 else "-" for _ in mine]
            stamp = f"09:{number // 3:02}:{second:02}"
            lines.append(f"{stamp} {' '.join(cells)}")
            row = rows.setdefault(stamp, {})
            for name, cell in zip(mine, cells, strict=True):
                if cell != "-":
                    row.setdefault(name, cell)
        logs.append(text_log(tmp_path / f"{number}.csv", mine, *lines))
    expected = [
        ",".join([stamp, *(row.get(name, " ") for name in columns)]) for stamp, row in sorted(rows.items())
    ]
    assert merged(tmp_path / "all.csv", *logs)[1:] == expected
    assert len(expected) > 90


def test_a_log_is_open_only_while_its_rows_are_due(tmp_path, monkeypatch):
    """What is held grows with the logs that overlap, not with their number."""
    logs = [
        text_log(tmp_path / f"{hour}.csv", [PAGES], f"{hour:02}:00:00 1", f"{hour:02}:59:59 2")
        for hour in range(20)
    ]
    is_open, most = set(), 0
    of_path = Source.of_path

    def watched(path):
        source = of_path(path)

        def opened():
            file = source.open()
            close = file.close
            nonlocal most

            class File:
                def __getattr__(self, name):
                    return getattr(file, name)

                def __enter__(self):
                    return self

                def __exit__(self, *_error):
                    is_open.discard(self)
                    close()

                def close(self):
                    is_open.discard(self)
                    close()

            handle = File()
            is_open.add(handle)
            most = max(most, len(is_open))
            return handle

        return Source(source.path, source.size, opened)

    monkeypatch.setattr(Source, "of_path", staticmethod(watched))
    assert len(merged(tmp_path / "all.csv", *reversed(logs))) == 1 + 40
    assert most <= 2
    assert not is_open


@needs_captures
def test_a_log_cut_in_two_and_merged_is_the_log(tmp_path):
    original = CAPTURES / "blg/PowerShell_CounterSamples.blg"
    convert(original, tmp_path / "whole.csv")
    with (tmp_path / "whole.csv").open(newline="") as file:
        stamps = [row[0] for row in csv.reader(file)][1:]
    times = [datetime.strptime(stamp, "%m/%d/%Y %H:%M:%S.%f") for stamp in stamps]  # noqa: DTZ007
    convert(original, tmp_path / "begin.csv", Selection(end=times[11]))
    convert(original, tmp_path / "end.tsv", Selection(begin=times[12]))
    convert([tmp_path / "begin.csv", tmp_path / "end.tsv"], tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


@needs_captures
def test_a_log_merged_with_its_own_text_is_the_log(tmp_path):
    """Binary and text of one capture: every row joins, every cell is there twice."""
    blg, text = (CAPTURES / f"blg/PowerShell_CounterSamples{s}" for s in (".blg", ".tsv"))
    convert(blg, tmp_path / "whole.csv")
    done = convert([blg, text], tmp_path / "both.csv")
    assert done.rows == 25
    assert (tmp_path / "both.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


@needs_captures
def test_logs_of_three_machines_and_zones(tmp_path):
    logs = [CAPTURES / f"blg/{n}.blg" for n in ("Tx_BasicPerfCounters", "PAL_SampleLog")]
    done = convert(logs, tmp_path / "all.parquet")
    assert [text for severity, text, _count in done.issues if severity == "warning"] == [
        f"{logs[1]}: times moved by -240 minutes, into the zone of {logs[0]}"
    ]
    table = pq.read_table(tmp_path / "all.parquet", columns=["time_local", "value"])
    alone = [convert(log, tmp_path / f"{n}.parquet").rows for n, log in enumerate(logs)]
    assert len(table) == sum(alone) == done.rows
