"""What stays open of a case, and the answer that its page begins with."""

from __future__ import annotations

from agtrace.diagnostics.transport import summary
from agtrace.history.roles.groups import Group
from agtrace.history.roles.role import PRIMARY, UNKNOWN, Role
from agtrace.say.finding import Evidence, Finding
from tests.diagnostics.transport.made import both, known, link, look, primary, secondary, studied, study


def test_without_counters_or_looks_nothing_can_be_answered():
    ((name, objects),) = summary.missing(study())
    assert (name, objects) == (
        "open.nothing",
        {
            "database_replica": "SQLServer:Database Replica",
            "availability_replica": "SQLServer:Availability Replica",
        },
    )
    assert summary.missing(study(beside=known(looks=[look()]))) == []
    assert summary.missing(study(groups=[Group(("AG",))])) == []


def test_a_node_whose_role_nothing_tells_is_open_and_a_group_without_a_link():
    nodes = [primary(), secondary()]
    group = Group(("AG",), nodes=nodes)
    roles = {
        ("AG",): {
            "P": [Role(UNKNOWN, 0, 100, ""), Role(UNKNOWN, 100, 300, "")],
            "S": [Role(UNKNOWN, 0, 100, ""), Role(PRIMARY, 100, 300, "")],
        }
    }
    facts = {"group": "AG", "min_samples": 20}
    assert summary.not_captured(study(groups=[group], roles=roles), []) == [
        ("open.role", facts | {"node": "P"}), ("open.group", facts)
    ]  # fmt: skip
    of = both()
    of.group = group
    assert summary.not_captured(study(studied(of), roles=roles), []) == [("open.role", facts | {"node": "P"})]


# The answer.


def finding(name: str, severity: str, replica: str = "S", do: str = "", **subject: str) -> Finding:
    who = {"replica": replica} if replica else {}
    return Finding(
        f"transport.{name}", severity, "A title", "Why.", who | subject, {},
        (Evidence("x", 1, "", "perfmon"),), do,
    )  # fmt: skip


def test_the_worst_lead_and_costs_and_notices_are_none_of_them():
    found = [
        finding("a", "critical"), finding("b", "warning", "T"), finding("c", "warning", ""),
        finding("d", "warning", "T"), finding("e", "notice"), finding("healthy", "info", "U"),
        finding("healthy", "info", "U"), finding("rpo", "critical", "V"), finding("rto", "warning", "W"),
    ]  # fmt: skip
    told = summary.answer(study(), [], found)
    assert [each.id for each in told["worst"]] == ["transport.a", "transport.b", "transport.c"]
    assert (told["judged"], told["healthy"], told["is_told"], told["found"]) == (3, ["U"], True, found)
    assert not summary.answer(study(), [], [finding("rpo", "critical")])["is_told"]


def test_the_replicas_groups_and_primaries_are_those_of_the_streams():
    links = [studied(both()), studied(both()), studied(link(None, secondary(), primary_name=""))]
    groups = [Group(("AG",)), Group(())]
    told = summary.answer(study(groups=groups), links, [])
    assert (told["is_counted"], told["replicas"], told["groups"], told["primaries"]) == (
        True, 1, ["AG"], ["P"],
    )  # fmt: skip
    assert not summary.answer(study(), [], [])["is_counted"]


def test_the_first_remedy_is_told_by_its_first_thirty_words_without_marks_of_code():
    long = " ".join(["word"] * 29 + ["end."] + ["More"] * 30)
    found = [
        finding("a", "warning"),
        finding("b", "warning", do=f"`run` {long}"),
        finding("c", "warning", do="No."),
    ]
    assert summary.answer(study(), [], found)["first"] == " ".join(["run"] + ["word"] * 29 + ["end."])
    short = " ".join(["Word"] * 10 + ["end."] + ["Word"] * 18 + ["end."] + ["More"])
    assert summary.answer(study(), [], [finding("b", "warning", do=short)])["first"] == " ".join(
        short.split()[:30]
    )
    assert summary.answer(study(), [], [finding("a", "notice", do="Nothing.")])["first"] == ""
