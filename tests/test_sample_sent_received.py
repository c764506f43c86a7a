"""Sent against received on the simulated case of the article, against the model's own truth."""

from __future__ import annotations

import shutil
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

import agtrace
from simulation.samples.log_send_queue import write_case
from simulation.samples.log_send_queue_model import SCENARIOS
from tests.folded import folded

MANIFEST = tomllib.loads(
    (agtrace.sample("log_send_queue").parent / "manifest.toml").read_text(encoding="utf-8")
)
TRUTH = MANIFEST["log_send_queue"]["truth"]["hosts"]
MINUTES = 12


def opened(folder: Path, store: Path):
    return agtrace.open_case(folder, store=store).transport


@pytest.fixture(scope="module")
def transport(sample_store):
    return opened(agtrace.sample("log_send_queue"), sample_store("log_send_queue"))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A short case as it was written; a test that changes it takes a copy."""
    return write_case(tmp_path_factory.mktemp("written") / "case", minutes=MINUTES).folder


@pytest.fixture
def short_case(written, tmp_path):
    return shutil.copytree(written, tmp_path / "case")


def hop(transport, replica: str, name: str) -> dict:
    rows = transport.tbl_sent_received(replica).to_dict("records")
    (found,) = [row for row in rows if row["hop"] == name]
    return found


@pytest.mark.complete
def test_the_peaks_are_the_article_s(transport):
    assert hop(transport, "JBSAG3", "sent to the transport")["max"] == pytest.approx(0.6e6, rel=0.05)
    assert 1e6 < hop(transport, "JBSAG3", "log received")["max"] < 1.2e6
    assert 1e6 < hop(transport, "JBSAG3", "log redone")["max"] < 1.2e6
    for name in ("log flushed", "sent to the replica", "sent to the transport", "log received"):
        assert 5e6 < hop(transport, "JBSAG1", name)["max"] < 6e6


@pytest.mark.complete
def test_the_figure_draws_these_peaks(transport):
    def highest(replica: str, unit: str, name: str) -> float:
        fig = transport.fig_sent_received(replica)
        for trace in fig.data:
            axis = fig.layout["yaxis" + (trace.yaxis or "y")[1:]].title.text
            if trace.name == name and axis.startswith(unit):
                scale = {"KB/s": 1e3, "MB/s": 1e6}[axis.split()[-1]]
                return float(np.nanmax(np.array(trace.y, float))) * scale
        raise AssertionError(f"no {name} in {unit}")

    assert highest("JBSAG3", "wire", "sent") == pytest.approx(0.6e6, rel=0.05)
    assert highest("JBSAG3", "log", "received") == pytest.approx(1.147e6, rel=0.01)
    assert highest("JBSAG1", "wire", "sent") > 5e6
    assert highest("JBSAG1", "log", "received") > 5e6


@pytest.mark.parametrize("replica", ["JBSAG1", "JBSAG3"])
def test_totals_of_both_sides_agree_where_the_unit_is_the_same(transport, replica):
    sent = hop(transport, replica, "sent to the transport")
    received = hop(transport, replica, "received from the primary")
    assert sent["unit"] == received["unit"] == "wire B/s"
    assert received["total"] == pytest.approx(sent["total"], rel=0.02)
    assert received["of_sent"] == pytest.approx(1, abs=0.001)
    assert received["compared"] > 0.98


@pytest.mark.parametrize("replica", ["JBSAG1", "JBSAG3"])
def test_totals_are_those_of_the_model(transport, replica):
    for name, host, key in (
        ("log flushed", "JBSAG2", "flushed_bytes"),
        ("log received", replica, "received_bytes"),
        ("log hardened", replica, "flushed_bytes"),
        ("log redone", replica, "redone_bytes"),
    ):
        truth = sum(TRUTH[host][key].values())
        assert hop(transport, replica, name)["total"] == pytest.approx(truth, rel=0.02), name
    share = sum(TRUTH[replica]["received_bytes"].values()) / sum(TRUTH["JBSAG2"]["flushed_bytes"].values())
    assert hop(transport, replica, "log received")["of_flushed"] == pytest.approx(share, abs=0.01)


def test_flushed_is_received_plus_the_growth_of_the_queue(transport):
    for each in transport.sent_received():
        flushed, received = each.arrived.shared.totals
        assert received + each.queue_growth == pytest.approx(flushed, rel=0.01)


def test_the_slowest_replica_comes_first(transport):
    assert transport.replicas() == ["JBSAG3", "JBSAG1"]
    assert [fig.layout.title.text.split(":")[0] for fig in transport.figs_sent_received()] == [
        "JBSAG3",
        "JBSAG1",
    ]


@pytest.mark.complete
@folded("scenario", SCENARIOS)
def test_in_every_scenario_what_is_sent_arrives(tmp_path, scenario):
    truth = write_case(tmp_path / "case", scenario=scenario, minutes=MINUTES)
    found = opened(truth.folder, tmp_path / "store").sent_received()
    assert found
    compared = [each for each in found if each.comparison is not None]
    assert compared
    for each in compared:
        assert each.comparison.ratio == pytest.approx(1, abs=0.02), each.link.replica
    far = [each for each in found if each.link.replica == "JBSAG3" and each.arrived is not None]
    if scenario in ("network", "harden"):
        assert far[0].arrived.ratio < 0.9
    elif scenario in ("healthy", "redo", "redo_blocked", "commit_delay"):
        assert far[0].arrived.ratio == pytest.approx(1, abs=0.02)


@pytest.mark.complete
@pytest.mark.parametrize("kept", [("JBSAG2",), ("JBSAG3",), ("JBSAG1", "JBSAG3")])
def test_one_side_gives_no_ratio(tmp_path, kept):
    truth = write_case(tmp_path / "case", minutes=MINUTES, only=kept)
    transport = opened(truth.folder, tmp_path / "store")
    table = transport.tbl_sent_received()
    assert len(table)
    assert table[["of_sent", "of_flushed"]].isna().all().all()
    assert "was not captured" in transport.say_sent_received()


def cut(path: Path, share: float) -> None:
    """Keep the first rows of a perfmon log."""
    lines = path.read_bytes().split(b"\r\n")
    path.write_bytes(b"\r\n".join([*lines[: 1 + int(share * len(lines))], b""]))


@pytest.mark.complete
def test_a_capture_cut_short_compares_what_is_left(short_case, tmp_path):
    cut(short_case / "JBSAG3" / "DataCollector01.csv", 0.4)
    row = hop(opened(short_case, tmp_path / "store"), "JBSAG3", "received from the primary")
    assert row["of_sent"] == pytest.approx(1, abs=0.02)
    assert row["compared"] == pytest.approx(0.4, abs=0.03)


@pytest.mark.complete
@pytest.mark.parametrize("minutes", [4, 20, 60, 1440])
def test_a_clock_that_is_off_gives_no_ratio(short_case, tmp_path, minutes):
    for name in ("ERRORLOG", "netsh.txt"):  # nothing else tells the offset
        (short_case / "JBSAG1" / name).unlink(missing_ok=True)
    log = short_case / "JBSAG1" / "DataCollector01.csv"
    shifted = moved(log.read_text(encoding="utf-8"), minutes)
    log.write_text(shifted, encoding="utf-8", newline="")
    transport = opened(short_case, tmp_path / "store")
    for each in transport.sent_received("JBSAG1"):
        assert each.comparison is None
        assert each.why_not


def moved(text: str, minutes: int) -> str:
    """Move every time of a perfmon log."""
    head, *rows = text.splitlines(keepends=True)
    out = [head]
    for row in rows:
        stamp, comma, rest = row.partition(",")
        try:
            time = datetime.strptime(stamp.strip('"'), "%m/%d/%Y %H:%M:%S.%f").replace(tzinfo=UTC)
        except ValueError:
            out.append(row)
            continue
        time += timedelta(minutes=minutes)
        out.append(f'"{time:%m/%d/%Y %H:%M:%S}.{time.microsecond // 1000:03d}"{comma}{rest}')
    return "".join(out)
