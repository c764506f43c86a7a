"""The sample before and after its windows were opened: what changed is what was changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import agtrace
from agtrace.case import Case
from agtrace.cli import main
from agtrace.comparing import Comparison
from agtrace.comparing.rows import OPPOSITE, PARTS
from tests.ready import copy_captures

pytestmark = pytest.mark.complete

FIXED = agtrace.sample("log_send_queue_fixed")
OPENED = {
    ("JBSAG1", "TCP autotuning level", "disabled", "normal"),
    ("JBSAG1", "TCP rss state", "disabled", "enabled"),
    ("JBSAG3", "TCP autotuning level", "disabled", "normal"),
    ("JBSAG3", "TCP rss state", "disabled", "enabled"),
}
"""What was changed on the secondaries, and nothing else."""


@pytest.fixture(scope="module")
def before(sample_store: Callable[[str], Path]) -> Iterator[Case]:
    with agtrace.open_case(FIXED / "before", sample_store("log_send_queue_fixed/before")) as case:
        yield case


@pytest.fixture(scope="module")
def after(sample_store: Callable[[str], Path]) -> Iterator[Case]:
    with agtrace.open_case(FIXED / "after", sample_store("log_send_queue_fixed/after")) as case:
        yield case


@pytest.fixture(scope="module")
def whole(sample_store: Callable[[str], Path]) -> Iterator[Case]:
    with agtrace.open_case(agtrace.sample("log_send_queue"), sample_store("log_send_queue")) as case:
        yield case


@pytest.fixture(scope="module")
def mended(sample_store: Callable[[str], Path]) -> Iterator[Case]:
    with agtrace.open_case(FIXED, sample_store("log_send_queue_fixed")) as case:
        yield case


@pytest.fixture(scope="module")
def found(before, after) -> Comparison:
    return agtrace.compare(before, after)


def changed(of: Comparison, part: str) -> set[tuple[str, str, object, object]]:
    return {(row.about, row.what, row.before, row.after) for row in of.differences(part)}


def test_what_was_set_otherwise_is_what_was_changed(found):
    assert changed(found, "settings") == OPENED


def test_the_stream_that_was_held_back_keeps_up_now(found):
    (turned,) = [each for each in found.findings if each.verdict == "turned"]
    assert turned.ids == ("transport.window_limited", "transport.healthy")
    assert turned.severities == ("critical", "info")
    assert "replica JBSAG3" in turned.about


def test_its_queue_is_gone_and_what_hosts_did_else_is_the_same(found):
    (queue,) = found.differences("numbers")
    assert (queue.about, queue.what, queue.verdict, queue.unit) == (
        "JBSAG3",
        "log send queue",
        "less",
        "log B",
    )
    assert queue.before > 200e6
    assert queue.after < 1e6
    assert queue.n == (21, 20)
    assert queue.ratio.high < 0.002


def test_its_stream_carries_more_than_twice_the_log(found):
    received = [row for row in found.differences("streams") if row.key == "received"]
    assert [(row.about, row.verdict) for row in received] == [("JBSAG, JBSAG3", "more")]
    assert received[0].ratio.value == pytest.approx(2.17, abs=0.05)
    assert {row.about for row in found.differences("streams")} == {"JBSAG, JBSAG3"}


def test_what_only_the_second_could_show_did_not_come(found):
    disconnects = [each for each in found.findings if "health.disconnect" in each.ids]
    assert len(disconnects) == 4
    assert {each.verdict for each in disconnects} == {"open"}
    assert found.failovers == []


def test_what_is_counted_in_other_units_is_not_compared(found):
    sent = [row for row in found.streams if row.key == "sent"]
    assert {(row.verdict, row.why) for row in sent} == {("open", "counted in B/s before, in wire B/s after")}


def test_the_headline_tells_it_in_order(found):
    assert re.fullmatch(r"Was critical: .* JBSAG3; now info: JBSAG3 .*", found.words.sentences[0])
    assert found.words.sentences[-1].startswith("Measured: log send queue of JBSAG3 ")


def test_the_two_samples_differ_in_what_was_changed(whole, mended):
    """The second holds the time before and after, so that settings are told one after the other."""
    found = agtrace.compare(whole, mended)
    healthy = [each for each in found.findings if each.ids[1] == "transport.healthy" and each.differs]
    assert {each.about.partition("replica ")[2] for each in healthy} >= {"JBSAG3"}
    assert "transport.window_limited" in {each.ids[1] for each in found.findings}
    rows = found.differences("settings")
    assert {(row.about, row.what) for row in rows} == {(about, what) for about, what, *_ in OPENED}
    assert {frozenset(str(row.after).split(" and ")) for row in rows} == {
        frozenset({"disabled", "normal"}),
        frozenset({"disabled", "enabled"}),
    }
    # The first has no runs to compare: that question came for no change of the servers.
    (runs,) = [each for each in found.findings if each.ids[1] == "compare.difference"]
    assert (runs.verdict, runs.why) == ("open", "comparison")
    queue = next(row for row in found.numbers if (row.about, row.key) == ("JBSAG3", "send_queue"))
    assert queue.verdict == "less"
    assert {(row.about, row.key) for row in found.differences("numbers")} == {("JBSAG3", "send_queue")}


def test_a_case_with_itself_has_changed_in_nothing(after):
    found = agtrace.compare(after, after)
    assert not found.differs
    assert found.words.headline == "Nothing that both cases captured differs."
    assert {each.verdict for each in found.findings} == {"same"}
    assert {row.verdict for part in PARTS for row in getattr(found, part)} == {"same"}


def test_exchanged_cases_give_the_opposite(before, after, found):
    other = agtrace.compare(after, before)
    for part in PARTS:
        rows, reverse = getattr(found, part), {(r.about, r.what): r for r in getattr(other, part)}
        assert len(rows) == len(reverse)
        for row in rows:
            back = reverse[row.about, row.what]
            assert (back.before, back.after, back.n) == (row.after, row.before, row.n[::-1])
            assert back.verdict == OPPOSITE.get(row.verdict, row.verdict), row
            if row.ratio:
                assert back.ratio.value == pytest.approx(1 / row.ratio.value)
            if row.ratio and row.ratio.low is not None:
                assert back.ratio.low == pytest.approx(1 / row.ratio.high, rel=0.01)
    ids = sorted((each.ids, OPPOSITE.get(each.verdict, each.verdict)) for each in found.findings)
    assert sorted((each.ids[::-1], each.verdict) for each in other.findings) == ids


def test_the_command_prints_writes_a_page_and_fails_on_what_came(tmp_path, capsys, before, after):
    words = ["--store", str(tmp_path / "stores")]
    pair = [str(FIXED / "before"), str(FIXED / "after")]
    out = tmp_path / "out"
    assert main(["compare", *pair, *words, "--out", str(out), "--fail-on", "warning"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("before against after\n")
    assert "  - JBSAG3: TCP autotuning level disabled to normal" in told
    assert sorted(path.name for path in out.iterdir() if path.name[0] != ".") == [
        "compare.ipynb",
        "compare.json",
        "index.html",
    ]
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "before against after" in page
    assert page.count('<figure id="figure-') == 2
    as_written = json.loads((out / "compare.json").read_text(encoding="utf-8"))
    assert main(["compare", *pair, *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == as_written
    # The other way round the limit comes.
    assert main(["compare", *pair[::-1], "--fail-on", "critical", "--store", str(tmp_path / "others")]) == 3


def test_the_status_tells_of_a_capture_that_failed(tmp_path):
    both = [copy_captures(FIXED / name, tmp_path / name) for name in ("before", "after")]
    (both[1] / "bad.zip").write_bytes(b"PK\x03\x04")
    words = ["compare", *map(str, both), "--store", str(tmp_path / "stores")]
    assert main(words) == 1
    assert main([*words[:1], *words[2:0:-1], *words[3:], "--fail-on", "critical"]) == 3


@pytest.mark.complete
def test_its_notebook_runs(tmp_path):
    import nbformat
    from nbclient import NotebookClient

    from agtrace.comparing.page import notebook

    folders = tmp_path / "it's one", tmp_path / "two"
    for folder, name in zip(folders, ("before", "after"), strict=True):
        (folder / "JBSAG3").mkdir(parents=True)
        log = FIXED / name / "JBSAG3" / "DataCollector01.csv"
        (folder / "JBSAG3" / log.name).write_bytes(log.read_bytes())
    made = notebook(agtrace.compare(*folders), folders, {})
    read = nbformat.reads(made, as_version=4)
    nbformat.validate(read)
    NotebookClient(read, timeout=300, kernel_name="python3").execute()
    assert "log send queue" in read.cells[2].outputs[-1].data["text/plain"]
