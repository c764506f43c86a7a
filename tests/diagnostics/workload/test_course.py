"""The course of runs, memory, routing lists, builds and given values, on tiny cases."""

from __future__ import annotations

from datetime import timedelta

from agtrace.diagnostics.workload import Workload
from tests.behind import assert_facts, behind, texts
from tests.diagnostics.tiny import START
from tests.diagnostics.workload.cases import case, trial, window
from tests.history.trials.test_trials import count

DISK = "\\LogicalDisk(D:)\\Disk Bytes/sec"


def drawn(plain, routing, *, timed=True, run_s=60, work=1_000):
    """Two runs of a minute each, with these readings every ten seconds."""
    made = case()
    for place, (folder, readings) in enumerate((("plain", plain), ("routing", routing))):
        at = 100 * place
        trial(made, folder, 2, run_s=run_s, item=0, work=work, at=at)
        count(made, f"{folder}/console.txt", readings, timed=False)
        if timed:
            count(made, f"{folder}/hdbtcount.log", readings, at=at)
    return Workload(made)


def test_each_load_is_named_above_its_own_panel():
    made = case()
    for place, load in enumerate((1, 2)):
        trial(made, "plain", load, run_s=60, item=place, work=1_000, at=100 * place)
        count(made, "plain/console.txt", [60, 120, 60], timed=False)
        count(made, f"plain/{load}.log", [60, 120, 60], at=100 * place)
    figure = Workload(made).fig_progress()
    named = {title.text: title.x for title in figure.layout.annotations}
    panels = [axis.domain[0] for axis in figure.select_xaxes()]
    assert named == {"1 virtual user": panels[0], "2 virtual users": panels[1]}
    assert panels[0] < 0.1 < 0.5 < panels[1]


def test_readings_without_times_are_spread_over_the_run_and_that_is_said():
    table = drawn([60, 120, 60], [60, 120, 60], timed=False, run_s=90).tbl_progress()
    assert list(table["minutes"]) == [1.5, 1.5]
    assert set(table["times"]) == {"readings spread evenly over the run"}


def contradiction(plain, routing):
    made = case()
    for place, (folder, readings, run_s) in enumerate((("plain", plain, 300), ("routing", routing, 240))):
        trial(made, folder, 4, run_s=run_s, item=0, at=1000 * place, work=100)
        count(made, f"{folder}/console.txt", readings, timed=False)
        count(made, f"{folder}/hdbtcount.log", readings, at=1000 * place)
    return next(f for f in Workload(made).findings() if f.id == "workload.contradiction")


def test_steady_runs_are_said_to_be_steady():
    finding = contradiction([500] + [1000] * 8 + [300], [400] + [900] * 8 + [300])
    assert_facts(finding, left=True, right=True, courses=True, by=["slower", "faster"])


# Memory


def slower(messages=""):
    made = case(f"P | {DISK} | 12x400e6, 600e6".replace("e6", "000000"), messages=messages, rows=24)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    trial(made, "routing", 8, run_s=58, at=60, tool="SQLQueryStress", work=1)
    (finding,) = [f for f in Workload(made).findings() if "deliver more" in f.title]
    return finding


def change(seconds, old, new):
    fields = f"option=max server memory (MB); old_value={old}; new_value={new}"
    return f"P | {seconds} | option_changed | 15457 | {fields}"


def test_memory_that_was_set_before_the_tests():
    finding = slower(change(-100, 2147483647, 8192))
    assert "Max server memory was 8,192 MB on P during these tests." in finding.narrative
    assert [e.value for e in finding.evidence if e.unit == "MB"] == [8192]


def test_memory_that_changed_between_the_tests_makes_them_incomparable():
    finding = slower(change(58, 65536, 8192))
    host = {"host": "P", "limits": ["65,536 MB", "8,192 MB"], "installed": []}
    assert behind(finding)["memory"] == {"hosts": [host], "changed": True}


# Given values and builds


def given(made, label, at, value, **more):
    fields = {"measured": "copy", "value": value, "value_step": 1.0, "unit": "MB/s", "is_more_better": True}
    window(made, label, f'{{"routing": "{label}"}}', at, at + 9, **fields | more)


def test_a_given_rate_is_compared_like_the_others():
    made = case()
    given(made, "off", 0, 350.0)
    given(made, "on", 20, 400.0)
    (finding,) = [f for f in Workload(made).findings() if f.id == "workload.difference"]
    assert_facts(finding, at="load 1", metric="value", tool="copy", course=1, winner="on")
    assert [(e.value, e.unit) for e in finding.evidence] == [(350, "MB/s"), (400, "MB/s")]
    row = Workload(made).tbl_side_by_side().iloc[0]
    assert (row["unit"], row["off: value"], row["on: value"]) == ("MB/s", 350, 400)


def test_values_within_what_was_written_down_tie():
    made = case()
    given(made, "off", 0, 19.0, unit="s", is_more_better=False, value_step=5.0)
    given(made, "on", 20, 21.0, unit="s", is_more_better=False, value_step=5.0)
    assert "workload.no_difference" in [f.id for f in Workload(made).findings()]


def test_text_that_somebody_gave_is_one_plain_line():
    made = case()
    given(made, "off", 0, 1.0, measured="a\nb\x1b[31m")
    given(made, "on", 20, 2.0, measured="a\nb\x1b[31m")
    (finding,) = [f for f in Workload(made).findings() if f.id == "workload.difference"]
    assert finding.subject["workload"] == "a b[31m"


def test_two_builds_compare_by_their_run_time():
    made = case()
    for place, (folder, run_s) in enumerate((("plain", 600), ("routing", 500))):
        trial(made, folder, 4, driver="build", run_s=run_s, at=1000 * place, warehouses=10)
    workload = Workload(made)
    (finding,) = [f for f in workload.findings() if f.id == "workload.difference"]
    assert_facts(finding, at="4 virtual users", metric="run time", tool="HammerDB build", winner="routing")
    assert_facts(
        texts(workload.say_summary)["summary.md"],
        findings=1,
        tests=2,
        builds=2,
        once=True,
        workloads=["HammerDB, build of the schema, 10 warehouses"],
    )
    assert len(workload.tbl_builds()) == 2


# Routing lists


def routes(made, *rows):
    facts = [
        {"capture_id": "r", "content_id": "r", "topic": "read_only_route", "item": n, "key": key,
         "value": value, "line": n + 3, "time_local": START + timedelta(seconds=n)}
        for n, row in enumerate(rows)
        for key, value in row.items()
    ]  # fmt: skip
    looked = {"capture_id": "r", "content_id": "r", "topic": "read_only_routing_list", "item": 0,
              "key": "routes", "value": str(len(rows)), "line": 1}  # fmt: skip
    made.insert("facts", [*facts, looked])


def routed():
    batches = "\\SQLServer:SQL Statistics\\Batch Requests/sec"
    made = case(f"P | {batches} | 100\nS | {batches} | 1", rows=24)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    trial(made, "routing", 8, run_s=58, at=60, tool="SQLQueryStress", work=1)
    return made


def finding_of(made):
    return next(f for f in Workload(made).findings() if f.id == "workload.routing")


def test_an_empty_list_is_told():
    made = routed()
    routes(made)
    assert_facts(finding_of(made), went=1, routes=True)
