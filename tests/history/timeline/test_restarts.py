"""Starts of instances that ran before: how they had ended, and what bounds their absence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import agtrace
from simulation.formats.errorlog import Log
from simulation.formats.pdh_text import write_pdh

NOON = datetime(2024, 3, 5, 12)
ASKED = (
    "SQL Server is terminating in response to a 'stop' request from Service Control Manager. This is an "
    "informational "
    "message only. No user action is required."
)
SHUTDOWN = (
    "SQL Server is terminating because of a system shutdown. This is an informational message only. No user "
    "action is required."
)
CONNECTED = (
    "A connection for availability group 'AG' from availability replica 'SQL2' with id  "
    "[377C9F54-E247-4741-A8A1-3DA0C814AE51] "
    "to 'SQL1' with id [BC9116F0-FB49-4376-9F2B-B254C6DBFA32] has been successfully established.  This is an "
    "informational "
    "message only. No user action is required."
)
TIMED_OUT = (
    "A connection timeout has occurred on a previously established connection to availability replica 'SQL1' "
    "with id "
    "[BC9116F0-FB49-4376-9F2B-B254C6DBFA32].  Either a networking or a firewall issue exists or the "
    "availability replica "
    "has transitioned to the resolving role."
)


def local(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def started(minutes: float, instance: str = "", host: str = "SQL1") -> Log:
    """Return a log of a server that starts then, all its entries at once."""
    return Log(local(minutes), timedelta(0)).start(host, instance, utc="0:00")


def says(log: Log, minutes: float, text: str, source: str = "spid5s") -> Log:
    return log.add(source, text, at=local(minutes))


def reported(log: Log, minutes: float, process: int = 77) -> Log:
    """Add to a log when the previous process last reported itself."""
    at = f"{local(minutes):%m/%d/%Y %I:%M:%S %p}"
    text = (
        f"This instance of SQL Server last reported using a process ID of {process} at {at} (local) {at} "
        f"(UTC). This is an "
        "informational message only; no user action is required."
    )
    place = next(n for n, entry in enumerate(log.entries) if "process ID is" in entry.text)
    says(log, 0, text, "Server")
    entry = log.entries.pop()
    log.entries.insert(place + 1, type(entry)(log.entries[place].time, entry.source, entry.text))
    return log


def restarts(folder, **files: bytes):
    """Return the restarts of logs in one folder, times as minutes."""
    for name, data in files.items():
        path = folder / name.replace("__", ".").replace("_in_", "/")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    with agtrace.open_case(folder) as case:
        rows = case.view.rows("select * from restarts order by started, sql_instance")
    return [{k: minute(v) if isinstance(v, datetime) else v for k, v in r.items()} for r in rows]


def minute(time: datetime) -> float:
    return round((time - NOON.replace(tzinfo=UTC)).total_seconds() / 60, 2)


def test_a_stop_over_a_long_weekend_is_a_stop(tmp_path):
    friday = says(started(0), 10, ASKED)
    (row,) = restarts(tmp_path, ERRORLOG=started(4 * 1440).windows(), ERRORLOG__1=friday.windows())
    assert (row["kind"], row["asked"], row["ready"]) == ("stopped", 10, 4 * 1440)


def test_a_stop_counts_for_the_start_that_follows_it_and_for_no_later_one(tmp_path):
    first = says(started(0), 10, SHUTDOWN)
    second = says(started(20), 30, "Nothing of note.")
    found = restarts(
        tmp_path, ERRORLOG=started(60).windows(), ERRORLOG__1=second.windows(), ERRORLOG__2=first.windows()
    )  # fmt: skip
    assert [(row["kind"], row["started"]) for row in found] == [("shutdown", 20), ("died", 60)]


def test_where_the_log_between_is_missing_nothing_tells_how_the_instance_ended(tmp_path):
    old = says(started(0), 10, ASKED)
    (row,) = restarts(tmp_path, ERRORLOG=started(600).windows(), ERRORLOG__2=old.windows())
    assert (row["kind"], row["asked"], row["last_sign"]) == ("open", None, 10)


def test_message_17176_tells_how_long_a_process_lived_that_wrote_nothing(tmp_path):
    quiet, back = says(started(0), 10, "Nothing of note."), reported(started(600), 400)
    (row,) = restarts(tmp_path, ERRORLOG=back.windows(), ERRORLOG__1=quiet.windows())
    assert (row["kind"], row["last_sign"], row["gone_by"]) == ("died", 400, 600)
    assert row["last_sign_by"] == "message 17176 of the next start"


def test_logs_that_have_lost_their_numbers_follow_one_another_by_their_process(tmp_path):
    old = says(started(0), 10, ASKED)
    back = reported(started(600), 10, process=4321)
    (row,) = restarts(tmp_path, new__txt=back.windows(), old__txt=old.windows())
    assert (row["kind"], row["asked"]) == ("stopped", 10)


def test_the_instances_of_a_host_are_told_apart(tmp_path):
    """The stop of one is none of the other's, and the life of one none either."""
    files = {
        "ONE_in_ERRORLOG": says(started(60, "ONE"), 70, "Nothing of note."),
        "ONE_in_ERRORLOG__1": says(started(0, "ONE"), 10, ASKED),
        "TWO_in_ERRORLOG": says(started(62, "TWO"), 70, "Nothing of note."),
        "TWO_in_ERRORLOG__1": says(started(0, "TWO"), 5, "Nothing of note."),
    }
    found = restarts(tmp_path, **{name: log.windows() for name, log in files.items()})
    assert [(row["sql_instance"], row["kind"], row["last_sign"]) for row in found] == [
        ("ONE", "stopped", 10),
        ("TWO", "died", 5),
    ]


def test_a_connection_that_a_partner_made_is_a_sign_of_life_and_its_loss_a_hint(tmp_path):
    partner = started(0, host="SQL2")
    says(says(partner, 200, CONNECTED), 210, TIMED_OUT)
    files = {
        "a_in_ERRORLOG": started(300),
        "a_in_ERRORLOG__1": says(started(0), 10, "Nothing of note."),
        "b_in_ERRORLOG": partner,
    }
    (row,) = restarts(tmp_path, **{name: log.windows() for name, log in files.items()})
    assert (row["kind"], row["last_sign"], row["last_sign_by"]) == ("died", 200, "connection noted by SQL2")
    assert (row["missed_since"], row["missed_by"], row["gone_by"]) == (210, "SQL2", 300)


def test_samples_of_the_instance_are_signs_of_life_and_its_blanks_are_none(tmp_path):
    path = r"\\SQL1\SQLServer:Databases(db)\Log Bytes Flushed/sec"
    times = [local(15), local(100), local(110), local(120)]
    samples = write_pdh([path], [[1], [2], [None], [None]], zone=" (GMT)(0)", times=times)
    (row,) = restarts(
        tmp_path,
        perf__csv=samples,
        ERRORLOG=started(300).windows(),
        ERRORLOG__1=says(started(0), 10, "Nothing of note.").windows(),
    )
    assert (row["last_sign"], row["last_sign_by"]) == (100, "perfmon")


def test_several_starts_in_one_file_are_told(tmp_path):
    log = says(started(0), 10, ASKED)
    log.entries += started(60).entries
    (row,) = restarts(tmp_path, container__log=log.linux())
    assert (row["kind"], row["asked"], row["started"]) == ("stopped", 10, 60)


def test_a_log_alone_tells_of_no_restart(tmp_path):
    assert restarts(tmp_path, ERRORLOG=reported(started(60), 10).windows()) == []
