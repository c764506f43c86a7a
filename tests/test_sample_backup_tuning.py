"""The sample of backup tuning: the article's table, in the bytes of logs.

Nothing here but the last part uses agtrace's own readers: a reader's mistake must not confirm itself.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import tomllib
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from agtrace import open_case, sample
from agtrace.diagnostics.backup import Backup
from tests.make.backup_tuning import TABLE, write_case

pytestmark = pytest.mark.sample

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"
FOLDER = SAMPLES / "backup_tuning"
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))["backup_tuning"]
LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d\d) (\S+) +(.*)")


@pytest.fixture(scope="module")
def durations() -> dict[str, list[float]]:
    """Give MB/s by configuration, from the stamps of the log and from runs.csv alone."""
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
                f"{done[3]} {done[2]} {of['write_cache']} {block['BufferCount']} x {block['MaxTransferSize']} "
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


@pytest.mark.parametrize("tested", TABLE, ids=lambda t: t.name)
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
        "'no more than 1 target disk for each 2 source files'",
    ]


# What agtrace says about it


@pytest.fixture(scope="module")
def backup(tmp_path_factory):
    with open_case(sample("backup_tuning"), tmp_path_factory.mktemp("store")) as case:
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
            f"{row['media']} {row['targets']} {labels['write_cache']} {row['buffer_count']} x {row['transfer_kb']} "
            f"{labels['location']}"
        )
        exact = np.quantile(durations[name], [0.05, 0.5, 0.95])
        assert (row["p5"], row["p50"], row["p95"]) == pytest.approx(tuple(exact), rel=1e-12), name
        assert row["n"] == 25
        assert row["p5"] <= row["p50_low"] < row["p50"] < row["p50_high"] <= row["p95"]


def test_the_best_configuration_and_its_gain(backup):
    best = finding(backup, "backup.best_configuration")
    assert best.title.startswith(
        "8 x DISK, 100 x 4,096 KB, write_cache OFF, location LOCAL is the fastest"
    )
    (gain,) = [e for e in best.evidence if e.label == "gain over the default"]
    assert gain.value == pytest.approx(100 * (167 / 92.5 - 1), abs=0.1)
    assert re.search(r"95 % interval \+7\d % to \+8\d %", gain.source)
    assert "4 x DISK, 13 x 4,096 KB, write_cache OFF, location LOCAL takes 52 MB" in best.narrative
    assert "TO DISK = 'NUL' WITH COPY_ONLY" in best.recommendation
    assert "Next combination worth a test: 4 x DISK, 100 x 4,096 KB" in best.recommendation


def test_the_write_cache_is_an_interaction_without_an_effect_of_its_own(backup):
    frame = backup.tbl_effects()
    cache = frame[frame["factor"] == "write_cache"]
    assert list(cache["change"].round()) == [43, -27]
    assert ((cache["low"] > 0) | (cache["high"] < 0)).all()
    assert list(cache["depends_on_the_rest"]) == [True, True]
    assert set(frame[frame["depends_on_the_rest"]]["factor"]) == {"write_cache"}
    said = finding(backup, "backup.best_configuration").narrative
    assert (
        "What it does depends on the rest, so no effect of its own is claimed (interaction: a factor of 0.512"
        in said
    )


def test_high_variation_with_the_write_cache_is_not_visible(backup):
    said = finding(backup, "backup.throughput").narrative
    (about,) = re.findall(r"With write_cache ON, .*?visible\.", said)
    assert about.startswith(
        "With write_cache ON, p95 less p5 is 8 % and 12 % of the median; the other 17"
    )
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
    assert "(56 cold starts), throughput is -5.7 %" in said
    assert (
        "Evening and night against working hours (n = 168 against 177): no different level" in said
    )
    assert re.search(
        r"Weekend against working days \(n = 130 against 345\): no different level .*?, variation \+39 %",
        said,
    )


def test_reading_caps_the_fastest_configuration_and_the_plain_one_is_undecided(backup):
    found = finding(backup, "backup.reader_limited")
    assert re.search(
        r"8 x DISK, 100 x 4,096 KB.*?4 volumes, 8\d\.?\d* to 8\d\.?\d* ms a read", found.narrative
    )
    # What was read is what the statement says was backed up: no idle time counts beside it.
    assert "at 166 MB/s: reads" in found.narrative
    assert "MB/s each, 165 MB/s in all; 8 volumes" in found.narrative
    assert not [f for f in backup.findings() if f.id == "backup.writer_limited"]
    assert "1 x DISK, 13 x 1,024 KB, write_cache OFF, location LOCAL" in backup.not_captured()[0]
    assert "do not decide which side limits it" in backup.not_captured()[0]


def test_the_default_formula(backup):
    said = finding(backup, "backup.configuration").narrative
    assert "BUFFERCOUNT: default (1 x 4 + 1 + 2 x 4 = 13)" in said
    assert "explicit in 0, another value in 275" in said
