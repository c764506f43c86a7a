"""The sample of backup tuning: the article's table, in the bytes of logs.

Nothing here but the last part uses agtrace's own readers: a reader's mistake must not confirm itself.
"""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import re
import tomllib
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from agtrace import open_case, sample
from agtrace.diagnostics.backup import Backup
from agtrace.say.figures import describe
from simulation.samples.backup_tuning import TABLE, write_case
from tests.behind import behind
from tests.folded import folded

pytestmark = pytest.mark.complete

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"
FOLDER = SAMPLES / "backup_tuning"
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))["backup_tuning"]
LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d\d) (\S+) +(.*)")


@pytest.fixture(scope="module")
def durations() -> dict[str, list[float]]:
    """Return MB/s by configuration, from the stamps of the log and from runs.csv alone."""
    labels = list(csv.DictReader(io.StringIO((FOLDER / "runs.csv").read_text(encoding="utf-8"))))
    found: dict[str, list[float]] = {t.name: [] for t in TABLE}
    started, block = None, {}
    for line in (FOLDER / "AZSQL01" / "ERRORLOG").read_text(encoding="utf-8").splitlines():
        if not (match := LINE.match(line)):
            continue
        time, text = datetime.fromisoformat(match[1].ljust(23, "0")), match[3]
        if text.startswith("BackupDatabase: Database "):
            started = time
        elif key := re.match(r"(BufferCount|MaxTransferSize): (\d+)", text):
            block[key[1]] = key[2]
        elif done := re.search(r"pages dumped: (\d+),.*devices: (\d+),.*TYPE=(\w+)", text):
            of = labels[sum(map(len, found.values()))]
            name = (
                f"{done[3]} {done[2]} {of['write_cache']} {block['BufferCount']} x "
                f"{block['MaxTransferSize']} "
                f"{of['location']}"
            )
            found[name].append(int(done[1]) / 128 / (time - started).total_seconds())
    return found


def test_the_committed_files_are_those_of_the_manifest_and_of_the_generator(tmp_path):
    write_case(tmp_path)
    for file, expected in MANIFEST["sha256"].items():
        for folder in (FOLDER, tmp_path):
            assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == expected, file


def test_it_stays_small():
    assert sum((FOLDER / file).stat().st_size for file in MANIFEST["sha256"]) < 1.5e6


@folded("tested", TABLE)
def test_the_runs_have_the_articles_range(durations, tested):
    values = durations[tested.name]
    assert len(values) == 25
    p5, p50, p95 = np.quantile(values, [0.05, 0.5, 0.95])
    assert p5 == pytest.approx(tested.low, rel=0.05)
    assert p95 == pytest.approx(tested.high, rel=0.05)
    truth = MANIFEST["truth"][tested.name]
    assert (truth["p5"], truth["p50"], truth["p95"]) == pytest.approx((p5, p50, p95), abs=0.001)


def test_the_manifest_names_what_of_the_article_was_dropped():
    assert [text.split(":")[0] for text in MANIFEST["dropped"]] == [
        "'very high variation' with the write cache on",
        "'consistently 15% more efficient' of URL against DISK",
        "'100-110 MB/sec writing to target backup file' with the best parameters",
        "'no more than 1 target disk for each 2 source files'",
    ]


# What agtrace says about it


@pytest.fixture(scope="module")
def backup(sample_store):
    with open_case(sample("backup_tuning"), sample_store("backup_tuning")) as case:
        yield Backup(case.view)


def finding(backup, name):
    (found,) = [f for f in backup.findings() if f.id == name]
    return found


def test_every_run_is_an_operation(backup):
    frame = backup.tbl_operations()
    assert len(frame) == 475
    assert set(frame["status"]) == {"completed"}
    assert frame["buffer_count"].notna().all()
    assert frame["label"].nunique() == 475


def test_the_articles_table_again(backup, durations):
    frame = backup.tbl_configurations()
    assert len(frame) == 19
    for row in frame.to_dict("records"):
        labels = dict(pair.split(" ", 1) for pair in row["other"].split(", "))
        name = (
            f"{row['media']} {row['targets']} {labels['write_cache']} {row['buffer_count']} x "
            f"{row['transfer_kb']} "
            f"{labels['location']}"
        )
        exact = np.quantile(durations[name], [0.05, 0.5, 0.95])
        assert (row["p5"], row["p50"], row["p95"]) == pytest.approx(tuple(exact), rel=1e-12), name
        assert row["n"] == 25
        assert row["p5"] <= row["p50_low"] < row["p50"] < row["p50_high"] <= row["p95"]


def test_the_best_configuration_and_its_gain(backup):
    best = finding(backup, "backup.best_configuration")
    facts = behind(best)
    assert facts["study"].named(facts["best"]) == "8 x DISK, 100 x 4,096 KB, write_cache OFF, location LOCAL"
    (gain,) = [e for e in best.evidence if e.label == "gain over the default"]
    assert gain.value == pytest.approx(100 * (167 / 92.5 - 1), abs=0.1)
    assert re.search(r"95 % interval \+7\d % to \+8\d %", gain.source)
    cheap = facts["cheap"]
    assert facts["study"].named(cheap) == "4 x DISK, 13 x 4,096 KB, write_cache OFF, location LOCAL"
    assert cheap.memory_mb == 52


def test_the_write_cache_is_an_interaction_without_an_effect_of_its_own(backup):
    frame = backup.tbl_effects()
    cache = frame[frame["factor"] == "write_cache"]
    assert list(cache["change"].round()) == [43, -27]
    assert ((cache["low"] > 0) | (cache["high"] < 0)).all()
    assert list(cache["depends_on_the_rest"]) == [True, True]
    assert set(frame[frame["depends_on_the_rest"]]["factor"]) == {"write_cache"}


def test_high_variation_with_the_write_cache_is_not_visible(backup):
    said = finding(backup, "backup.throughput").narrative
    (about,) = re.findall(r"With write_cache ON, .*?visible\.", said)
    assert about.startswith("With write_cache ON, p95 less p5 is 8 % and 12 % of the median; the other 17")
    assert about.endswith("high variation is not visible.")


def test_url_against_disk_and_far_against_near_as_measured(backup):
    frame = backup.tbl_effects().set_index(["factor", "to"])
    assert frame.loc[("media", "URL"), "change"] == pytest.approx(20, abs=0.5)
    assert frame.loc[("location", "REMOTE DC"), "change"] == pytest.approx(-5, abs=0.5)
    assert frame.loc[("location", "REMOTE RG"), "change"] == pytest.approx(-5.9, abs=0.5)


def test_the_rule_of_thumb_on_targets_is_checked(backup):
    said = finding(backup, "backup.best_configuration").narrative
    assert "would stop at 2 targets for 4 files; these runs do not confirm it" in said
    assert "4 of 4 comparisons beyond the rule gained" in said


def test_cold_starts_and_weekends(backup):
    said = finding(backup, "backup.throughput").narrative
    assert "(28 cold starts), throughput is -5.1 %" in said
    assert "Evening and night against working hours (n = 72 against 238): no different level" in said
    assert re.search(
        r"Weekend against working days \(n = 165 against 310\): no different level .*?, variation \+32 %",
        said,
    )


def test_warm_up_in_minutes(backup):
    """The article: cold after about 60 idle minutes, warm after 10 to 20."""
    said = finding(backup, "backup.throughput").narrative
    assert "Disks turn cold after 44 to 65 idle minutes: runs after 30 to 45 min (n = 27)" in said
    assert "Disks are warm again 15 to 16 minutes after the first run" in said
    frame = backup.tbl_idle().set_index(["minutes", "from"])
    idle = frame.loc["without a backup before it"]
    assert list(idle.index) == [0, 10, 30, 60, 90, 480]
    assert (idle["relative_high"] < 100).tolist() == [False] * 3 + [True] * 3
    warm = frame.loc["since the first run behind a pause"]
    assert (warm["relative_high"] < 100).tolist() == [True] * 3 + [False] * 4
    assert frame["n"].groupby("minutes").sum().tolist() == [454, 474]
    assert backup.fig_idle().layout.title.text.startswith("Disks turn cold after 44 to 65 idle min")
    assert "Disks are warm 15 to 16 minutes after" in backup.fig_warm_up().layout.title.text


def test_what_all_runs_share_is_the_articles_configuration(backup):
    said = finding(backup, "backup.throughput").narrative
    assert (
        "The same in all runs: SQL Server 2012 SP1 Enterprise Edition (64-bit) 11.0.3339.0, Windows NT 6.1 "
        "<X64> (Build "
        "7601: Service Pack 1) (Hypervisor), 8 logical processors, 14335 MB of RAM, 30.2 GB (of 2^30 bytes), "
        "4 data "
        "files, 4 volumes, compression off, vm_size XL, data_disk_cache OFF, allocation_unit 4 KB and "
        "recovery_model "
        "SIMPLE." in said
    )


def test_url_against_disk_in_the_sentence(backup):
    said = finding(backup, "backup.best_configuration").narrative
    assert (
        "URL against DISK, all else equal: 111 MB/s against 92.5 MB/s, +20 % (95 % interval +18 % to +22 %)"
        in said
    )
    assert re.search(
        r"8 x DISK, .*? reaches 167 MB/s and 1 x URL, .*? 111 MB/s: \+50 %, so URL is not the faster", said
    )
    assert "To URL, location from LOCAL to REMOTE DC: 105 MB/s against 111 MB/s, -5 %" in said
    assert "To URL, location from LOCAL to REMOTE RG: 104 MB/s against 111 MB/s, -5.9 %" in said
    assert "consistent" not in said


def test_the_limits_of_url_are_in_the_advice(backup):
    said = finding(backup, "backup.best_configuration").recommendation
    assert "48.8 GB at 1 MB, 195 GB at 4 MB" in said


def test_reading_caps_the_fastest_configuration_and_the_plain_one_is_undecided(backup):
    found = finding(backup, "backup.reader_limited")
    assert re.search(
        r"8 x DISK, 100 x 4,096 KB.*?4 volumes, 8\d\.?\d* to 8\d\.?\d* ms a read", found.narrative
    )
    # What was read is what the statement says was backed up: no idle time counts beside it.
    assert "at 166 MB/s: reads" in found.narrative
    assert "MB/s each, 166 MB/s in all; 8 volumes" in found.narrative
    assert not [f for f in backup.findings() if f.id == "backup.writer_limited"]
    assert "do not decide which side limits it" in backup.not_captured()[0]
    caps = backup.tbl_sides().set_index("configuration")["caps"]
    assert caps["1 x DISK, 13 x 1,024 KB, write_cache OFF, location LOCAL"] == "not decided"


def test_reads_writes_and_latencies_of_every_configuration(backup):
    """The article: a data disk reads 40 to 45 MB/s, while targets take more."""
    frame = backup.tbl_sides().set_index("configuration")
    assert len(frame) == 19
    assert frame["caps"].value_counts().to_dict() == {"not decided": 11, "reading": 8}
    best = frame.iloc[0]
    assert (best["read_volumes"], best["written_volumes"]) == ("F: G: H: I:", "J: K: L: M: N: O: P: Q:")
    assert best["read_mb_per_s_of_one"] == pytest.approx(41.8, abs=0.2)
    assert (best["read_ms"], best["write_ms"]) == (pytest.approx(81, abs=2), pytest.approx(7.5, abs=0.1))
    assert 40 < frame["read_mb_per_s_of_one"].max() < 45
    assert frame["written_mb_per_s_of_one"].max() == pytest.approx(145, abs=2)
    # What goes to a URL goes through the card, what goes to a disk does not.
    url = frame.index.str.contains("URL")
    assert frame[url]["network_mbit_per_s"].between(880, 980).all()
    assert (frame[~url]["network_mbit_per_s"] < 0.1).all()
    fig = backup.fig_sides()
    assert fig.layout.title.text == "Reading caps 8 of 19 configurations that perfmon saw"
    assert [line.split(",")[0] for line in describe(fig).splitlines()] == [
        "one volume of the database reads: 19 points",
        "one volume of the backup takes: 16 points",
        "a read takes: 19 points",
        "a write takes: 16 points",
    ]
    assert "one volume delivered 41.7 MB/s at most" in html.unescape(backup.say_sides())


def test_the_test_that_separates_the_sides_is_named_once(backup):
    page = backup.say_summary() + backup.say_next() + backup.say_sides() + backup.say_missing()
    assert page.count("COPY&#95;ONLY") == 1
    assert [f.id for f in backup.findings() if "COPY_ONLY" in f.recommendation + f.narrative] == [
        "backup.best_configuration"
    ]


def test_one_row_per_configuration_of_buffers_and_every_backup_below_it(backup):
    frame, runs = backup.tbl_buffers(), backup.tbl_operations()
    assert len(frame) == 19
    assert frame["n"].sum() == len(runs) == 475
    numbers = runs["configuration"].value_counts()
    assert numbers.sort_index().tolist() == frame["n"].tolist()
    plain = frame[
        (frame["transfer_kb"] == 1024)
        & (frame["targets"] == 1)
        & (frame["media"] == "DISK")
        & (frame["buffer_count"] == 13)
        & frame["other"].str.startswith("write_cache OFF")
    ].iloc[0]
    block = {
        "buffer_count": 13, "sets_of_buffers": 1, "transfer_kb": 1024, "min_transfer_kb": 64, "block_mb": 13,
        "memory_mb": 13,
        "volumes": 4, "readers": 4, "fulltext_devices": 0, "filestream_devices": 0, "txf_devices": 0,
        "memory_limit_mb": 895,
        "io_alignment_bytes": 512, "media_buffer_count": 13, "media_buffer_kb": 1024, "n": 25, "measured": 25,
        "buffer_count_is": "default", "buffer_count_why": "1 x 4 + 1 + 2 x 4 = 13", "transfer_is": "default",
    }  # fmt: skip
    assert {name: plain[name] for name in block} == block
    assert (plain["p5"], plain["p50"], plain["p95"]) == pytest.approx((90, 92.5, 95), abs=0.01)


def test_the_default_formula(backup):
    said = finding(backup, "backup.configuration").narrative
    assert "BUFFERCOUNT: default (1 x 4 + 1 + 2 x 4 = 13)" in said
    assert "explicit in 0, another value in 275" in said


# tests/articles.md: where each part of the article stands


def article_rows():
    text = (SAMPLES.parent / "tests" / "articles.md").read_text(encoding="utf-8")
    section = text.split("(004)\n", 1)[1].split("\n## ", 1)[0]
    return [
        [cell.strip() for cell in re.split(r"\s?\|(?:\s|$)", line)[1:5]]
        for line in section.splitlines()
        if line.startswith("| ")
    ][1:]


def test_no_part_of_the_article_is_without_a_place():
    rows = article_rows()
    assert len(rows) > 80
    assert [row[0] for row in rows if len(row) != 4 or not row[2]] == []
    for tested in TABLE:
        assert [r for r in rows if r[1] == f"{tested.low:g} - {tested.high:g} MB/s"], tested.name


def test_every_place_exists(backup):
    """Quoted words stand in findings, names in backquotes are findings, evidence, columns or relations."""
    found = backup.findings()
    said = "\n".join(f"{f.title}\n{f.narrative}\n{f.recommendation}" for f in found)
    labels = [e.label for f in found for e in f.evidence]
    frames = (
        backup.tbl_buffers(), backup.tbl_sides(), backup.tbl_operations(), backup.tbl_configurations(),
        backup.tbl_idle(),
    )  # fmt: skip
    names = {f.id for f in found} | {column for frame in frames for column in frame}
    names |= {"messages", "backup_to_url", "runs.csv"}
    notebook = json.loads((SAMPLES.parent / "notebooks" / "backup.ipynb").read_text(encoding="utf-8"))
    heads = [
        line[3:].strip() for cell in notebook["cells"] for line in "".join(cell["source"]).splitlines() if line.startswith("## ")  # noqa: E501
    ]  # fmt: skip
    for what, _number, place, _why in article_rows():
        for quoted in re.findall(r'"([^"]+)"', place):
            for part in quoted.split("..."):
                assert part.strip(" ,") in said, (what, part)
        for section in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", place):
            assert any(head.startswith(section) for head in heads), (what, section)
        for name in re.findall(r"`([^`]+)`", place):
            known = name in names or name in ("p50", "p95") or any(name in text for text in labels)
            assert known, (what, name)
