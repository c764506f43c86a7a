"""What servers logged is one relation, whether their ERRORLOG or a session of Extended Events kept it."""

from __future__ import annotations

from datetime import timedelta

from tests.diagnostics.tiny import START, case

SETUP = "A | {} | ucs_connection_setup | error_number={}; error_message=no connection"
REPORTED = "B | 2 | error_reported | error_number=41144; message=in a failed state"
SHOWN = """select source, host_id, line, time_local, session, error, severity, state, text
    from log_entries order by source, host_id, line"""


def test_entries_of_logs_and_messages_of_sessions_are_told_alike():
    made = case(events=f"{REPORTED}\n{SETUP.format(3, 10060)}\n{SETUP.format(4, 0)}")
    made.insert(
        "errorlog",
        [{"content_id": "log", "host_id": "A", "line": 7, "time_local": START, "source": "spid9s",
          "error": 1105, "severity": 17, "state": 2, "message": "full"}],
    )  # fmt: skip
    assert [tuple(row.values()) for row in made.rows(SHOWN)] == [
        ("ERRORLOG", "A", 7, START, "spid9s", 1105, 17, 2, "full"),
        ("Extended Events", "B", 0, None, None, 41144, None, None, "in a failed state"),
        # An error of 0 is a connection that was set up.
        ("ucs_connection_setup", "A", 1, None, None, None, None, None, "no connection"),
    ]


def test_a_known_message_is_told_with_what_stands_in_it():
    made = case(messages="A | 5 | role_change | 1480 | database=Sales; role=PRIMARY")
    (row,) = made.rows("select topic, message_id, fields, time_local from log_messages")
    assert row == {
        "topic": "role_change",
        "message_id": 1480,
        "fields": {"database": "Sales", "role": "PRIMARY"},
        "time_local": START + timedelta(seconds=5),
    }
