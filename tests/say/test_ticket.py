"""A case for a ticket: at most 300 words that stand alone, in which no name is Markdown."""

from __future__ import annotations

import mistune

from agtrace.say.finding import Evidence, Finding
from agtrace.say.incident import Incident, Line
from agtrace.say.strip import Step, Strip
from agtrace.say.ticket import MOST_WORDS, ticket
from tests.folded import folded

HOSTILE = [
    "<script>alert(1)</script>", "[x](javascript:alert(1))", "![x](http://h/x.png)", "`a` ``` **b** _c_",
    "# head", "- item", "1. item", "> quote", "| a | b |", "http://h.example/x", "www.example.com",
    "&lt;b&gt;", "a\n\n# b", "~~x~~", "<b>", "]()", "\\`", "----", "$x$",
]  # fmt: skip


def finding(
    id_: str = "health.failover", title: str = "it failed over", do: str = "Do it.", **more
) -> Finding:
    given = {
        "severity": "warning",
        "narrative": "Why it did.",
        "evidence": (Evidence("n", 1, "", "log"),),
    } | more
    return Finding(id_, title=title, recommendation=do, **given)


def line(what: str = "what", where: str = "A/ERRORLOG line 7", host: str = "A") -> Line:
    return Line("2024-03-05T12:00:00.000Z", "12:00:00.0", "07:00:00.0", host, what, where)


def incident(*lines: Line, **more: str) -> Incident:
    given = {"key": "failover-1", "title": "AG", "severity": "warning", "impact": "No primary for 8 s.",
             "not_known": "", "ask": ""} | more  # fmt: skip
    return Incident(**given, lines=lines or (line(),))


def test_a_ticket_of_an_incident_tells_its_lines_with_time_host_file_and_line():
    assert ticket("case-1", [finding()], (), incident(ask="the cluster log of A.")) == (
        "# it failed over.\n"
        "\n"
        "Case case-1; warning, confidence high (100 %).\n"
        "\n"
        "The captures do not show whether data was lost. The findings name the evidence, the time and the "
        "source of each number.\n"
        "\n"
        "**What happened:** No primary for 8 s.\n"
        "\n"
        "- 12:00:00.0 UTC (07:00:00.0 there) A: what (`A/ERRORLOG` line 7)\n"
        "\n"
        "**Do:** Do it.\n"
        "\n"
        "**Collect:** the cluster log of A.\n"
    )


def test_a_ticket_of_a_stream_tells_its_chain_and_where_it_is_held_back():
    steps = (Step("flushed", "9 MB/s"), Step("received", "1 MB/s", is_slow=True))
    told = ticket("c", [finding("transport.network_limited")], [Strip("A to B", steps)])
    assert "- A to B: flushed 9 MB/s → **received 1 MB/s (held back here)**\n" in told


def test_what_findings_say_is_missing_is_to_be_collected_the_worst_first():
    lacking = [
        finding("quality.not_captured", severity=severity, do=f"Get {severity}.")
        for severity in ("info", "notice")
    ]
    told = ticket("c", [finding("commit.hop"), *lacking])
    assert told.endswith("**Collect:** Get notice. Get info.\n")


def test_a_case_without_findings_says_so():
    assert ticket("c", []) == "# c: no findings\n"


def test_a_ticket_of_very_much_stays_short():
    many = [line("word " * 30) for _ in range(40)]
    told = ticket("c", [finding(do="Do this. " * 300)], (), incident(*many, ask="much " * 300))
    assert 150 < len(told.split()) <= MOST_WORDS


def test_a_command_is_never_cut():
    long = "Run this. " + "Then `" + "word " * 200 + "`."
    assert "`" not in ticket("c", [finding("commit.hop", do=long)])


@folded("name", HOSTILE)
def test_no_name_becomes_markdown_or_html(name):
    told = ticket(
        name,
        [
            finding(title=f"{name}: x", do=f"Look at {name}.", subject={"ag": name}),
            finding("quality.not_captured", do=name),
        ],
        (),
        incident(line(name, f"{name} line 7", name), impact=name, not_known=name, ask=name, title=name),
    )
    page = str(mistune.create_markdown(plugins=["table", "strikethrough", "url"])(told))
    assert not any(
        tag in page for tag in ("<script", "<a ", "<img", "<b>", "<table", "<del", "<blockquote", "<em")
    )
    assert (page.count("<h1>"), page.count("<h2>"), page.count("<ul>"), page.count("<ol>")) == (1, 0, 1, 0)
    assert page.count("<code>") <= 2
    assert page.count("<strong>") == 3


@folded("name", HOSTILE)
def test_no_name_in_evidence_or_a_chain_becomes_markdown_or_html(name):
    steps = (Step(name, name), Step(name, name, is_slow=True))
    shown = (Evidence(name, 1, "", name), Evidence(name, 3.0, "s", name))
    told = ticket("c", [finding("transport.network_limited", evidence=shown)], [Strip(name, steps)])
    page = str(mistune.create_markdown(plugins=["table", "strikethrough", "url"])(told))
    assert not any(
        tag in page for tag in ("<script", "<a ", "<img", "<b>", "<table", "<del", "<blockquote", "<em")
    )
    assert (page.count("<h1>"), page.count("<ul>"), page.count("<ol>")) == (1, 1, 0)
