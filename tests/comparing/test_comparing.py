"""What is the same host, what counts as another number, and what cannot be told."""

from __future__ import annotations

import json
import random
import time

import pytest

from agtrace import thresholds
from agtrace.comparing.comparison import Comparison
from agtrace.comparing.findings import compared_findings
from agtrace.comparing.moves import by_chance
from agtrace.comparing.page import notebook, page
from agtrace.comparing.sides import Pairing, Side, paired
from agtrace.errors import CaseError
from agtrace.say.finding import Evidence, Finding
from agtrace.thresholds import Thresholds
from tests.diagnostics.tiny import case
from tests.effort import fresh_seed, times


def side(name: str, findings: list[Finding] | None = None, unanswered: dict | None = None, **tables) -> Side:
    return Side(name, case(**tables), {"transport": findings or []}, unanswered or {})


def compared(one: Side, other: Side, hosts: dict[str, str] | None = None) -> Comparison:
    return Comparison.of(one, other, paired(one, other, hosts))


START, END = "2024-03-05T12:00:00Z", "2024-03-05T22:00:00Z"


def roles(primary: str, *secondaries: str, ag: str = "AG") -> str:
    rows = [f"{primary} | 0 | roles | ag={ag}; host_id={primary}; role=PRIMARY; start={START}; evidence=x"]
    rows += [
        f"{each} | 0 | roles | ag={ag}; host_id={each}; role=SECONDARY; start={START}; evidence=x"
        for each in secondaries
    ]
    return "\n".join(rows)


class TestHosts:
    """Which host of the one case is which of the other."""

    def test_by_name(self):
        found = paired(side("a", relations=roles("SQL1", "SQL2")), side("b", relations=roles("SQL2", "SQL1")))
        assert [(m.before, m.after, m.by) for m in found.hosts] == [
            ("SQL1", "SQL1", "name"),
            ("SQL2", "SQL2", "name"),
        ]

    def test_by_role_where_each_has_one_and_it_is_said(self):
        one = side("a", relations=roles("SQL1", "SQL2"))
        other = side("b", relations=roles("PRD7", "PRD8", ag="Sales"))
        found = compared(one, other)
        assert [(m.name, m.by, m.role) for m in found.pairing.hosts] == [
            ("SQL1 / PRD7", "role", "primary"),
            ("SQL2 / PRD8", "role", "secondary"),
        ]
        assert found.pairing.groups == {"AG": "Sales"}
        assert found.words.open[:3] == [
            "SQL1 of a is compared with PRD7 of b: each is the only primary that has no namesake.",
            "SQL2 of a is compared with PRD8 of b: each is the only secondary that has no namesake.",
            "Group AG is compared with Sales: each case has one group.",
        ]

    def test_not_where_two_have_one_role(self):
        one = side("a", relations=roles("SQL1", "SQL2", "SQL3"))
        other = side("b", relations=roles("PRD1", "PRD2", "PRD3"))
        found = compared(one, other)
        assert [m.before for m in found.pairing.hosts] == ["SQL1"]
        assert found.pairing.left == (("SQL2", "SQL3"), ("PRD2", "PRD3"))
        assert any(
            "Without a counterpart in a: SQL2 and SQL3." in line and "--match NAME=NAME" in line
            for line in found.words.open
        )

    def test_as_given_before_all_else(self):
        one = side("a", relations=roles("SQL1", "SQL2", "SQL3"))
        other = side("b", relations=roles("PRD1", "PRD2", "PRD3"))
        found = paired(one, other, {"sql2": "PRD3"})
        assert [(m.before, m.after, m.by) for m in found.hosts] == [
            ("SQL1", "PRD1", "role"),
            ("SQL2", "PRD3", "given"),
            ("SQL3", "PRD2", "role"),
        ]

    def test_the_only_ones(self):
        facts = "{} | tcp_global | 0 | autotuning_level | normal"
        found = paired(side("a", facts=facts.format("SQL1")), side("b", facts=facts.format("PRD1")))
        assert [(m.name, m.by) for m in found.hosts] == [("SQL1 / PRD1", "alone")]

    @pytest.mark.parametrize(
        ("hosts", "why"),
        [
            ({"SQL9": "SQL1"}, "a has no host 'SQL9' - it has SQL1, SQL2"),
            ({"SQL1": "SQL9"}, "b has no host 'SQL9' - it has SQL1, SQL2"),
            ({"SQL1": "SQL2", "SQL2": "SQL2"}, "a host cannot be two others - give each host once"),
        ],
    )
    def test_a_host_that_is_not_there_is_an_error(self, hosts, why):
        sides = [side(name, relations=roles("SQL1", "SQL2")) for name in "ab"]
        with pytest.raises(CaseError, match=why):
            paired(*sides, hosts)


def finding(
    id_: str, severity: str = "warning", value: float = 1.0, unit: str = "s", **subject: str
) -> Finding:
    return Finding(
        id_, severity, f"{id_} of {subject}", "", subject, evidence=(Evidence("lost", value, unit, "x"),)
    )


def findings(one: list[Finding], other: list[Finding], **lacking) -> list[tuple[str, str, str]]:
    sides = side("a", one, lacking.get("before")), side("b", other, lacking.get("after"))
    return [(each.verdict, *each.ids) for each in compared_findings(*sides, Pairing((), {}, ((), ())), 0.1)]


class TestFindings:
    """By id and subject."""

    def test_came_and_went(self):
        one = [finding("transport.rpo", replica="SQL2")]
        other = [finding("transport.rpo", replica="SQL3")]
        assert findings(one, other) == [("went", "transport.rpo", ""), ("came", "", "transport.rpo")]

    def test_another_state_of_one_stream_is_one_story(self):
        one, other = (
            finding("transport.healthy", replica="SQL2"),
            finding("transport.send_limited", replica="SQL2"),
        )
        assert findings([one], [other]) == [("turned", "transport.healthy", "transport.send_limited")]

    def test_no_other_two_are(self):
        one, other = finding("transport.rpo", replica="SQL2"), finding("transport.rto", replica="SQL2")
        assert {each[0] for each in findings([one], [other])} == {"came", "went"}

    def test_data_loss_of_another_database_is_the_same_statement(self):
        one, other = (finding("transport.rpo", replica="SQL2", database=name) for name in ("A", "B"))
        assert findings([one], [other]) == [("same", "transport.rpo", "transport.rpo")]

    def test_what_the_other_cannot_show_neither_came_nor_went(self):
        one = [finding("transport.rpo", replica="SQL2")]
        lacks = {"transport": ["No perfmon log."]}
        assert findings(one, [], after=lacks) == [("open", "transport.rpo", "")]
        assert findings([], one, before=lacks) == [("open", "", "transport.rpo")]
        assert findings(one, [], before=lacks) == [("went", "transport.rpo", "")]

    @pytest.mark.parametrize(
        ("before", "after", "verdict"),
        [
            ((10, "s"), (10.9, "s"), "same"),
            ((10, "s"), (11.2, "s"), "changed"),
            ((10, "s"), (900, "ms"), "same"),
        ],
    )
    def test_a_number_differs_from_a_tenth_on_and_within_one_unit(self, before, after, verdict):
        one, other = (finding("transport.rpo", "warning", *each) for each in (before, after))
        assert findings([one], [other])[0][0] == verdict

    def test_numbers_of_what_is_for_information_are_no_change(self):
        one, other = (finding("transport.rpo", "info", value) for value in (1.0, 9.0))
        assert findings([one], [other])[0][0] == "same"

    def test_more_of_a_kind_is_a_change(self):
        one = finding("health.disconnect", host="SQL1")
        assert findings([one], [one, one])[0][0] == "changed"

    def test_hosts_go_by_the_names_of_both(self):
        one = side("a", [finding("transport.rpo", host="SQL1")], relations=roles("SQL1", "SQL2"))
        other = side("b", [finding("transport.rpo", host="PRD1")], relations=roles("PRD1", "PRD2"))
        (found,) = compared(one, other).findings
        assert (found.verdict, found.about) == ("same", "host SQL1 / PRD1")


@pytest.mark.complete
def test_twenty_thousand_findings_are_compared_in_linear_time():
    one, other = (
        [finding("transport.healthy", replica=f"R{n}") for n in range(20_000)],
        [finding("transport.send_limited", replica=f"R{n}") for n in range(20_000)],
    )
    start = time.process_time()
    assert {verdict for verdict, *_ in findings(one, other)} == {"turned"}
    assert time.process_time() - start < 10


class TestWhatToKnow:
    """What weakens a comparison is said."""

    def test_other_versions(self):
        facts = "SQL1 | startup | 0 | product_version | {}"
        found = compared(
            side("a", facts=facts.format("12.0.6024.0")), side("b", facts=facts.format("15.0.4261.1"))
        )
        assert found.words.open == [
            "SQL Server is of another version: SQL1 12.0.6024.0 to 15.0.4261.1. "
            "Counters of bytes and default values may differ for that alone."
        ]

    def test_questions_that_one_case_does_not_answer(self):
        one = side("a", unanswered={"transport": ["No perfmon log."]}, relations=roles("SQL1", "SQL2"))
        assert compared(one, side("b", relations=roles("SQL1", "SQL2"))).words.open == [
            "a does not answer: transport. What the other case says there neither came nor went."
        ]

    def test_without_a_host_of_both_it_is_not_called_the_same(self):
        one, other = (side(n, relations=roles(*hosts)) for n, hosts in (("a", ("A", "B")), ("b", ("C",))))
        found = compared(one, other)
        assert [host.name for host in found.pairing.hosts] == ["A / C"]
        facts = "{} | tcp_global | 0 | autotuning_level | normal"
        many = "\n".join(facts.format(name) for name in ("X", "Y"))
        apart = compared(side("a", facts=many), side("b", facts=facts.format("Z")))
        assert apart.headline == (
            "No host of a is known to be one of b: what hosts did and how they were set is not compared."
        )


PERFMON = "{host} | \\Processor(_Total)\\% Processor Time | {load}\n"


class TestNumbers:
    """Medians of minutes with intervals."""

    def cpu(self, first: str, second: str, rows: int = 240):
        sides = [
            side(name, perfmon=PERFMON.format(host="SQL1", load=load), rows=rows)
            for name, load in (("a", first), ("b", second))
        ]
        (row,) = [row for row in compared(*sides).numbers if row.key == "cpu"]
        return row

    def test_twice_as_much_is_more_with_its_interval(self):
        row = self.cpu("30~5", "60~5")
        assert (row.verdict, row.unit, row.n) == ("more", "%", (20, 20))
        assert row.ratio.value == pytest.approx(2, abs=0.02)
        assert 1.9 < row.ratio.low <= row.ratio.value <= row.ratio.high < 2.1

    def test_within_a_tenth_it_is_the_same(self):
        assert self.cpu("50~1", "54~1").verdict == "same"

    def test_a_median_within_the_scatter_of_the_other_is_the_same(self):
        assert self.cpu("120x5,120x95", "120x8,120x92").verdict == "same"

    def test_too_few_minutes_claim_no_interval_and_differ_only_apart(self):
        row = self.cpu("30~1", "60~1", rows=36)
        assert (row.n, row.ratio.low, row.verdict) == ((3, 3), None, "more")

    def test_what_one_case_lacks_is_not_compared(self):
        one = side("a", perfmon=PERFMON.format(host="SQL1", load="50"), rows=240)
        other = side("b", facts="SQL1 | tcp_global | 0 | autotuning_level | normal")
        (row,) = compared(one, other).numbers
        assert (row.verdict, row.why, row.before, row.after) == ("open", "not captured in b", 50.0, None)

    def test_a_queue_of_seconds_is_empty_whatever_its_ratio(self):
        log = "SQL1 | \\SQLServer:Databases(D)\\Log Bytes Flushed/sec | 1000000\n"
        queue = "SQL2 | \\SQLServer:Database Replica(D)\\Log Send Queue | {}\n"
        for after, verdict in (("3000", "same"), ("90000", "more")):
            sides = [
                side(name, perfmon=log + queue.format(kb), rows=240, relations=roles("SQL1", "SQL2"))
                for name, kb in (("a", "50"), ("b", after))
            ]
            (row,) = [row for row in compared(*sides).numbers if row.key == "send_queue"]
            assert row.verdict == verdict


def waits(each: dict[str, list[float]]) -> str:
    return "\n".join(
        f"SQL1 | {60 * n} | waits | host_id=SQL1; wait_type={kind}; seconds=60; wait_ms={ms}"
        for kind, many in each.items()
        for n, ms in enumerate(many, 1)
    )


class TestWaits:
    """ms of waiting in a second, interval by interval."""

    def test_what_was_waited_for_more(self):
        one = side(
            "a", relations=waits({"HADR_SYNC_COMMIT": [6000] * 6, "WRITELOG": [600] * 6, "X": [1] * 6})
        )
        other = side(
            "b", relations=waits({"HADR_SYNC_COMMIT": [60000] * 6, "WRITELOG": [610] * 6, "X": [30] * 6})
        )
        found = compared(one, other).waits
        assert [(row.what, row.before, row.after, row.unit, row.verdict) for row in found] == [
            ("HADR_SYNC_COMMIT", 100.0, 1000.0, "ms/s", "more"),
            ("WRITELOG", 10.0, pytest.approx(10.17, abs=0.01), "ms/s", "same"),
            ("X", pytest.approx(1 / 60), 0.5, "ms/s", "same"),
        ]
        assert found[0].n == (6, 6)


def test_what_differs_in_waits_alone_is_in_the_headline():
    sides = [side(name, relations=waits({"X": [ms] * 6})) for name, ms in (("a", 600), ("b", 6000))]
    found = compared(*sides)
    assert found.headline == "Measured: X of SQL1 10 ms/s to 100 ms/s."
    assert "10 times (95 % interval 10 to 10 times), n = 6 and 6" in repr(found)


class TestFailovers:
    """Counts in the time that was watched."""

    @pytest.mark.parametrize(
        ("first", "second", "hours", "chance"),
        [
            (0, 0, (1, 1), 1.0),
            (1, 0, (1, 1), 1.0),
            (6, 0, (1, 1), 0.03125),
            (3, 3, (1, 1), 1.0),
            (0, 5, (10, 1), pytest.approx((1 / 11) ** 5)),
        ],
    )
    def test_how_likely_it_is_by_chance(self, first, second, hours, chance):
        assert by_chance(first, second, hours) == chance
        assert by_chance(second, first, hours[::-1]) == chance

    def moved(self, n: int) -> str:
        rows = [
            f"SQL1 | {n} | failovers | failover_id={n}; ag=AG; from_host=SQL1; to_host=SQL2; mode=automatic; "
            f"trigger=lease_expired; cause=lease_expired; seconds_without_primary=10; confidence=0.9"
            for n in range(n)
        ]
        watched = f"SQL1 | - | coverage | source=ERRORLOG; first={START}; last={END}; records=9; captures=1"
        return "\n".join([roles("SQL1", "SQL2"), watched, *rows])

    @pytest.mark.parametrize(
        ("before", "after", "verdict", "why"),
        [
            (0, 0, "same", ""),
            (2, 2, "same", ""),
            (0, 1, "open", "so few may differ by chance"),
            (0, 8, "more", ""),
            (8, 0, "less", ""),
        ],
    )
    def test_many_more_are_told_and_few_may_be_chance(self, before, after, verdict, why):
        sides = [side(name, relations=self.moved(n)) for name, n in (("a", before), ("b", after))]
        row = compared(*sides).failovers[0]
        assert (row.what, row.before, row.after, row.verdict, row.why) == (
            "failovers",
            before,
            after,
            verdict,
            why,
        )

    def test_where_no_log_watched_nothing_is_claimed(self):
        one, other = side("a", relations=self.moved(8)), side("b", relations=roles("SQL1", "SQL2"))
        (row,) = compared(one, other).failovers
        assert (row.verdict, row.after, row.why) == ("open", None, "no log of b watched it")


NAMES = ("autotuning_level", "rss_state", "ecn_capability", "timestamps", "congestion_provider")


@pytest.mark.complete
def test_drawn_settings_differ_where_they_were_changed_and_nowhere_else():
    chance = random.Random(seed := fresh_seed())
    for _ in range(times(20, 5)):
        hosts = [f"SQL{n}" for n in range(chance.randint(1, 4))]
        values = {(h, n): chance.choice("abc") for h in hosts for n in NAMES if chance.random() < 0.8}
        later = {key: chance.choice("abc") for key in values if chance.random() < 0.8}

        def text(of: dict, hosts: list[str] = hosts) -> str:
            every = "\n".join(f"{host} | lease_sample | 0 | group | AG" for host in hosts)
            rows = "\n".join(f"{h} | tcp_global | 0 | {name} | {value}" for (h, name), value in of.items())
            return f"{every}\n{rows}"

        found = compared(side("a", facts=text(values)), side("b", facts=text(later))).settings
        differing = {
            (row.about, row.what.removeprefix("TCP ").replace(" ", "_")): (row.before, row.after)
            for row in found
            if row.differs
        }
        expected = {key: (values[key], later[key]) for key in later if later[key] != values[key]}
        assert differing == expected, seed
        assert {row.verdict for row in found if row.after is None} <= {"open"}, seed


@pytest.mark.complete
def test_drawn_loads_differ_where_they_were_changed_and_swapped_the_other_way():
    chance = random.Random(seed := fresh_seed())
    for _ in range(times(8, 3)):
        load, factor = chance.uniform(20, 40), chance.choice((0.3, 0.5, 1.0, 2.0))
        sides = [
            side(name, perfmon=PERFMON.format(host="SQL1", load=f"{value:.3f}~2"), rows=180)
            for name, value in (("a", load), ("b", load * factor))
        ]
        verdicts = [compared(*pair).numbers[0].verdict for pair in (sides, sides[::-1])]
        expected = {
            0.3: ["less", "more"],
            0.5: ["less", "more"],
            1.0: ["same", "same"],
            2.0: ["more", "less"],
        }
        assert verdicts == expected[factor], seed


HOSTILE = '<img src=x onerror="x">|`$'


def test_names_are_text_wherever_they_are_shown(tmp_path):
    one = side(
        HOSTILE,
        [finding("transport.rpo", replica=HOSTILE)],
        facts=f"SQL1 | tcp_global | 0 | {HOSTILE[:5]}x | 1",
    )
    other = side("b", [], facts=f"SQL1 | tcp_global | 0 | {HOSTILE[:5]}x | 2")
    found = compared(one, other)
    for text in (page(found), found._repr_html_()):
        assert "<img" not in text
        assert "&lt;img" in text
    made = notebook(found, (tmp_path / "a'b", tmp_path), {"SQL1": "x'); y"})
    cell = "".join(json.loads(made)["cells"][1]["source"])
    compile(cell, "cell", "exec")


@pytest.mark.complete
def test_limits_are_those_of_the_first_case():
    assert thresholds.of(case()).compare_resource_share == Thresholds().compare_resource_share
    loads = [PERFMON.format(host="SQL1", load=load) for load in ("50~1", "60~1")]
    for share, verdict in ((0.1, "more"), (0.5, "same")):
        one = side(
            "a", perfmon=loads[0], rows=240, settings={"thresholds": {"compare_resource_share": share}}
        )
        assert compared(one, side("b", perfmon=loads[1], rows=240)).numbers[0].verdict == verdict
