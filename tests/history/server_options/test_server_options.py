"""Which values options of a server had: by message 15457, and by looks at sys.configurations."""

from __future__ import annotations

from tests.diagnostics.tiny import START, case

CHANGE = "S | 100 | option_changed | 15457 | option=max server memory (MB); old_value=8192; new_value=4096"


def look(seconds: int, value: str, host: str = "S") -> str:
    return "\n".join(
        f"{host} | configuration | 0 | {key} | {text} | {seconds}"
        for key, text in (("name", "max server memory (MB)"), ("value", "1"), ("value_in_use", value))
    )


def told(made):
    """Return host, value, start and end in seconds after the start, and the source."""
    rows = made.rows("select * from server_options order by host_id, what, start nulls first")
    return [
        (
            row["host_id"],
            row["value"],
            *(
                None if row[key] is None else (row[key] - START).total_seconds()
                for key in ("start_local", "end_local")
            ),
            row["what"],
        )
        for row in rows
    ]


def test_a_change_tells_the_value_before_it_and_after_it():
    assert told(case(messages=CHANGE)) == [
        ("S", "8192", None, 100, "message 15457"),
        ("S", "4096", 100, None, "message 15457"),
    ]


def test_a_look_tells_the_value_in_use_of_its_moment():
    assert told(case(facts=look(60, "4096"))) == [("S", "4096", 60, 60, "sys.configurations")]


def test_looks_that_show_the_same_are_one_stretch():
    facts = "\n".join(
        [look(60, "4096"), look(120, "4096", "S@2"), look(300, "2048", "S@3"), look(400, "4096", "S@4")]
    )
    assert told(case(facts=facts)) == [
        ("S", "4096", 60, 120, "sys.configurations"),
        ("S", "2048", 300, 300, "sys.configurations"),
        ("S", "4096", 400, 400, "sys.configurations"),
    ]


def test_looks_at_other_servers_are_apart():
    facts = look(60, "4096") + "\n" + look(120, "4096", "T")
    assert [row[0] for row in told(case(facts=facts))] == ["S", "T"]


LEFT_OUT = "S | errorlog_gap | 0 | from | head | 150\nS | errorlog_gap | 0 | to | tail | 900"


def test_no_value_is_carried_across_what_a_log_leaves_out():
    later = CHANGE.replace("100", "950").replace("old_value=8192", "old_value=1024")
    assert told(case(messages=f"{CHANGE}\n{later}", facts=LEFT_OUT)) == [
        ("S", "8192", None, 100, "message 15457"),
        ("S", "4096", 100, 150, "message 15457"),
        ("S", "1024", 900, 950, "message 15457"),
        ("S", "4096", 950, None, "message 15457"),
    ]
