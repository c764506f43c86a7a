"""Templates become findings: whose words are ours, and whose are a capture's."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import jinja2
import pytest

from agtrace.measures import Measure, frame, quoted
from agtrace.say import places, words
from agtrace.say.finding import window
from agtrace.say.said import Judged, Said, short_hosts

AWAY = Measure("away_s", "time away", "s")
SLOW = """
title = "{{ host }} was away for {{ away }}"
why = \"\"\"
{% if times > 1 %}
It happened {{ times | count("time") }}.
{% endif %}
Look at {{ files | listing(2) }}.

Last at {{ last | instant }}.
\"\"\"
do = "{{ look[kind] }}"
seen = "{% if times %}Seen {{ times | count('time') }} on {{ host }}.{% endif %}"

steps = \"\"\"
1. On {{ host }}, look
at the dump: `ls`.
{% if times > 1 %}
{{ part("more") }}
{% endif %}

{{ part("away.more") }}
\"\"\"
more = \"\"\"
1. Save it.
1. Send it.
\"\"\"

[terms.look]
died = "Look for a dump."

[quiet]
title = "Nothing happened"
"""


@pytest.fixture
def said(tmp_path, monkeypatch):
    folder = tmp_path / "a_question" / "said"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "away.toml").write_text(SLOW, encoding="utf-8")
    (folder / "story.md").write_text(
        "**{{ host }}** has {{ n | count('file') }}: {{ files | listing }}\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "a_question", raising=False)
    yield Said("a_question")
    sys.modules.pop("a_question", None)


def judged(said="away", **facts):
    given = {
        "host": "SQL1", "away": AWAY(400.0, "ERRORLOG line 7"), "times": 1, "files": ["a", "b", "c"],
        "kind": "died",
        "last": datetime(2024, 2, 6, 14, 45, 2, 340_000, UTC),
    }  # fmt: skip
    return Judged(said=said, id="x.away", severity="notice", evidence=(given["away"],), facts=given | facts)


def test_a_verdict_becomes_a_finding_with_its_words(said):
    found = said.finding(judged())
    assert found.title == "SQL1 was away for 6 min 40 s"
    assert found.narrative == "Look at a, b and 1 more.\n\nLast at 2024-02-06 14:45:02.3 UTC."
    assert found.recommendation == "Look for a dump."


def test_steps_are_numbered_in_their_order_whoever_writes_them(said):
    facts = {"host": "SQL1", "times": 2}
    assert said.text("away.steps", facts).splitlines() == [
        "1. On SQL1, look at the dump: `ls`.",
        "2. Save it.",
        "3. Send it.",
        "4. Save it.",
        "5. Send it.",
    ]


def test_a_file_that_a_folder_does_not_have_is_one_that_questions_share(said):
    step = said.text("steps.resume", {"on": "SQL1", "name": "Sales]"})
    assert step.startswith("1. On SQL1, resume data movement: `ALTER DATABASE [Sales]]] SET HADR RESUME;`.")


def test_evidence_is_what_was_measured(said):
    (entry,) = said.finding(judged()).evidence
    assert (entry.label, entry.value, entry.unit, entry.source) == (
        "time away",
        400.0,
        "s",
        "ERRORLOG line 7",
    )


def test_evidence_of_one_of_several_names_it():
    assert AWAY(1.0, "perfmon", of="SQL2").label == "SQL2: time away"


def test_a_section_inherits_what_it_does_not_say(said):
    found = said.finding(judged("away.quiet"))
    assert (found.title, found.recommendation) == ("Nothing happened", "Look for a dump.")


def test_a_sentence_with_a_condition_stands_or_is_left_out(said):
    assert said.finding(judged(times=1200)).narrative.startswith("It happened 1,200 times. Look at")


def test_what_the_judge_does_not_hand_over_fails(said):
    with pytest.raises(jinja2.UndefinedError, match="host"):
        said.finding(Judged(said="away", id="x.away", severity="notice", evidence=(AWAY(1.0, ""),)))


def test_a_name_from_a_capture_is_one_line_without_control_characters(said):
    assert said.finding(judged(host="SQL\n\x1b[31m1")).title == "SQL [31m1 was away for 6 min 40 s"


def test_in_markdown_names_are_escaped_and_our_words_are_not(said):
    told = said.page("story", {"host": "a*b<i>", "n": 1, "files": ["x_y"]})
    assert told == "**a&#42;b&#60;i&#62;** has 1 file: x&#95;y"


def test_what_evidence_quotes_is_one_line_without_control_characters(said):
    entry = quoted("state of\nSQL1", "gone\n\x1b[31m", "SQL1\nERRORLOG")
    (shown,) = said.finding(replace(judged(), evidence=(entry,))).evidence
    assert (shown.label, shown.value, shown.source) == ("state of SQL1", "gone [31m", "SQL1 ERRORLOG")


@pytest.mark.parametrize(
    ("is_local", "expected"),
    [
        (False, {"start": "2024-02-06T14:45:00+00:00", "end": "2024-02-06T14:45:02+00:00"}),
        (True, {"start": "2024-02-06T09:45:00", "end": "2024-02-06T09:45:02", "local": True}),
    ],
)
def test_a_window_says_which_clock_it_is_of(is_local, expected):
    start = datetime(2024, 2, 6, 9, 45, tzinfo=timezone(timedelta(hours=-5)))
    assert window(start, start + timedelta(seconds=2), is_local=is_local) == expected


def test_a_name_cannot_be_a_template(said):
    assert said.finding(judged(host="{{ 7 * 7 }}")).title == "{{ 7 * 7 }} was away for 6 min 40 s"


def test_in_html_a_name_is_escaped_once(said):
    assert (
        said.text("away.title", {"host": "<b>&", "away": 1.5}, places.HTML)
        == "&lt;b&gt;&amp; was away for 1.5"
    )


PARTS = {
    "why": '{{ part("seen", "other.more", "seen") }}',
    "do": "{{ parts(['seen', 'other.more']) | listing }}",
}


@pytest.mark.parametrize(
    ("times", "why", "do"),
    [
        (
            2,
            "Seen 2 times on SQL1. More of SQL1. Seen 2 times on SQL1.",
            "Seen 2 times on SQL1. and More of SQL1.",
        ),
        (0, "More of SQL1.", "More of SQL1."),
    ],
)
def test_what_several_texts_say_is_a_part_of_each(said, times, why, do):
    folder = said._folder
    text = "\n".join(f'{name} = """{template}"""' for name, template in PARTS.items())
    seen = next(line for line in SLOW.splitlines() if line.startswith("seen"))
    (folder / "parted.toml").write_text(f"title = 'Seen'\nseen = ''\n{text}\n[own]\n{seen}\n")
    (folder / "other.toml").write_text('more = "{{ more }} of {{ host }}."\n[terms]\nmore = "More"\n')
    found = said.finding(judged("parted.own", times=times))
    assert (found.narrative, found.recommendation) == (why, do)


def test_a_part_that_is_not_there_fails(said):
    (said._folder / "parted.toml").write_text("title = \"{{ part('sen') }}\"\nseen = ''\n")
    with pytest.raises(LookupError, match=r"parted.toml says no sen$"):
        said.text("parted.title", {})


def test_a_page_has_the_parts_of_other_files_as_markdown(said):
    (said._folder / "page.md").write_text('- {{ part("away.seen", host=name) }}\n')
    assert said.page("page", {"times": 1, "name": "a*b"}) == "- Seen 1 time on a&#42;b."


def test_keys_are_named_by_the_words(said):
    (said._folder / "keys.toml").write_text(
        'title = "{{ keys | named(sign) | listing }}"\n[terms.sign]\na = "one"\nb = "two"\n'
    )
    assert said.text("keys.title", {"keys": ["b", "a"]}) == "two and one"


def test_every_text_of_a_question_is_listed(said):
    assert said.names == ["away.quiet", "story.md"]


def test_a_measure_has_statistics_and_fills_in_names():
    of_log = Measure("received", "log received by {host}", "log B/s").about(host="S{1}").stat("p95")
    assert (of_log.name, of_log.label) == ("received_p95", "log received by S{1}, p95")


@pytest.mark.parametrize(("value", "change"), [(605_000.0, "+605 KB/s"), (-2e6, "-2.0 MB/s"), (0.0, "0 B/s")])
def test_growth_is_told_with_its_sign(value, change):
    assert words.change(value) == change


def test_a_share_is_told_with_three_digits():
    assert [words.share(each) for each in (0.016, 0.9961, None)] == ["1.6 %", "99.6 %", "not captured"]


def test_a_measure_without_a_label_is_called_by_its_name():
    assert Measure("told_by").label == "told by"


@pytest.mark.parametrize("row", [("S1", 3.0), {"away_s": 3.0, "host": "S1", "other": 1}])
def test_the_columns_of_a_frame_are_measures(row):
    assert frame((Measure("host"), AWAY), [row]).to_dict("list") == {"host": ["S1"], "away_s": [3.0]}


def test_a_measure_is_worded_with_its_unit():
    of_log = Measure("received", "log received, p95", "log B/s")
    assert str(places.written(of_log(5_200_000.0, "perfmon"))) == "5.2 log MB/s"
    assert str(places.written(quoted("its text", "Login <failed>", "ERRORLOG"))) == "Login <failed>"


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ({"host": "SQL1.corp.contoso.com"}, "SQL1 " + "x" * 80),
        ({"host": "SQL1.corp.contoso.com", "replica": "SQL1.lab"}, "SQL1.corp.contoso.com " + "x" * 80),
        ({"host": "10.0.0.1"}, "SQL1.corp.contoso.com " + "x" * 80),
    ],
)
def test_a_long_title_names_hosts_by_their_first_label(subject, title):
    assert short_hosts("SQL1.corp.contoso.com " + "x" * 80, subject) == title


def test_a_title_of_90_characters_keeps_its_hosts_whole():
    title = "SQL1.lab " + "x" * 81
    assert short_hosts(title, {"host": "SQL1.lab"}) == title


def test_the_name_of_a_file_that_stands_for_a_host_is_no_domain():
    title = "an unnamed host (lp.txt) " + "x" * 80
    assert short_hosts(title, {"host": "an unnamed host (lp.txt)"}) == title
