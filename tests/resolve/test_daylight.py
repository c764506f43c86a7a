"""Changes of daylight saving inside an ERRORLOG: where an hour repeats, or is missing, and who tells."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import agtrace
from agtrace.resolve.daylight import EVENTS, NEXT_LOG, turn_of
from simulation.formats.cluster_log import ClusterLog
from simulation.formats.errorlog import Log
from simulation.formats.xel import Event, XelFile, filetime
from simulation.formats.xel_sessions import ALWAYSON_HEALTH, SCHEMAS
from simulation.groups import words
from tests.folded import folded

BACK = {"line": 40, "before_local": datetime(2024, 11, 3, 1, 59), "seconds": -3300}
FORWARD = {"line": 60, "before_local": datetime(2024, 3, 10, 1, 50), "seconds": 4200}
LATER = {"line": 90, "before_local": datetime(2024, 3, 10, 5, 0), "seconds": 9000}


@folded(
    ("marks", "steps", "end", "expected"),
    [
        ([], [], None, None),
        # An hour that repeats shows by itself; a missing one is as good as any quiet hour.
        ([], [BACK], None, (40, -60)),
        ([], [FORWARD], None, None),
        ([], [BACK, BACK | {"line": 80}], None, None),
        # The clock was set by some minutes, or by hours: no change of daylight saving.
        ([], [BACK | {"seconds": -200}], None, None),
        ([], [BACK | {"seconds": -7200}], None, None),
        # Lines whose offset is known.
        ([(10, 0), (70, 60)], [FORWARD], None, (60, 60)),
        ([(10, 0), (70, -60)], [BACK], None, (40, -60)),
        ([(10, 0), (70, 0)], [BACK], None, None),
        # A known line says nothing of what comes behind it.
        ([(10, 0)], [BACK], None, (40, -60)),
        ([(10, 0)], [FORWARD], None, None),
        ([(70, 60), (80, 0)], [FORWARD], None, None),
        # Between a known line and the first that is off several pauses fit, or none.
        ([(10, 0), (95, 60)], [FORWARD, LATER], None, (95, 60)),
        ([(65, 0), (95, 60)], [FORWARD, LATER], None, (90, 60)),
        ([(61, 0), (70, 60)], [FORWARD], None, (70, 60)),
        # Of several pauses it is the one without a whole hour of the clock: 02:30 to 03:40 is none.
        (
            [(95, 60)],
            [FORWARD | {"line": 50, "before_local": datetime(2024, 3, 10, 2, 30)}, FORWARD],
            None,
            (60, 60),
        ),
        # The next log begins before this one ends.
        ([], [FORWARD], 120, (60, 60)),
        ([(10, 0)], [FORWARD], 120, (60, 60)),
        ([(65, 0)], [FORWARD, LATER], 120, (90, 60)),
        ([], [FORWARD, LATER], 120, (120, 60)),
        ([], [], 120, (120, 60)),
    ],
)
def test_where_the_offset_of_a_log_turns(marks, steps, end, expected):
    found = turn_of(marks, steps, end)
    assert (None if found is None else (found.line, found.minutes)) == expected


def test_a_turn_says_who_tells_it():
    assert turn_of([(70, 60)], [FORWARD]).source == EVENTS
    assert turn_of([], [FORWARD], 120).source == NEXT_LOG
    assert turn_of([], [BACK]).source == "an hour of local times repeats"


START = datetime(2024, 3, 10, 0, 30)


def log(*entries, start=START, utc="-5:00"):
    """Return a log of ``(local time, state, state)``."""
    made = Log(start).start("SQL1", utc=utc)
    for at, old, new in entries:
        made.add("spid20s", words.role("AG", old, new, words.CLUSTER), at=at)
    return made.windows()


def at(hour, minute):
    return datetime(2024, 3, 10, hour, minute)


def told(folder, others=None, **files):
    """Return when each witness of a state change saw it, UTC; ``others`` are a second server's files."""
    names = {
        "log": "ERRORLOG", "log_before": "ERRORLOG.1", "session": "AlwaysOn_health_0_1.xel",
        "cluster": "SQL1_cluster.log",
    }  # fmt: skip
    for host, given in (("SQL1", files), ("SQL2", others or {})):
        (folder / host).mkdir()
        for name, data in given.items():
            (folder / host / names[name]).write_bytes(data)
    with agtrace.open_case(folder) as case:
        query = """
            select strftime(w.time at time zone 'UTC', '%H:%M')
            from (select unnest(witnesses) as w from timeline where kind = 'replica_state')
            order by w.time
        """
        return [row[0] for row in case.sql(query).fetchall()]


P, R, S = "PRIMARY_NORMAL", "RESOLVING_NORMAL", "SECONDARY_NORMAL"


def test_a_missing_hour_is_settled_by_the_next_log_alone(tmp_path):
    """Spring, without any session: 01:50 EST is 06:50 UTC, 03:20 EDT is 07:20 UTC."""
    first = log((at(1, 50), R, S), (at(3, 20), S, R))
    after = log((at(3, 31), R, S), start=at(3, 30), utc="-4:00")
    assert told(tmp_path, log_before=first, log=after) == ["06:50", "07:20", "07:31"]


def test_a_pause_of_an_hour_is_none_without_a_witness(tmp_path):
    assert told(tmp_path, log=log((at(1, 50), R, S), (at(3, 20), S, R))) == ["06:50", "08:20"]


def test_an_hour_that_repeats_is_settled_by_itself(tmp_path):
    """Autumn: 01:50 EDT is 05:50 UTC, the 01:10 after it is EST: 06:10 UTC."""
    made = log((at(1, 50), R, S), (at(1, 10), S, R), start=START, utc="-4:00")
    assert told(tmp_path, log=made) == ["05:50", "06:10"]


def test_a_log_in_which_an_hour_repeats_begins_and_ends_when_its_entries_do(tmp_path):
    made = log((at(1, 50), R, S), (at(1, 10), S, R), start=at(1, 40), utc="-4:00")
    (tmp_path / "ERRORLOG").write_bytes(made)
    with agtrace.open_case(tmp_path) as case:
        whole = "strftime({} at time zone 'UTC', '%H:%M')".format
        query = f"select {whole('first_time')}, {whole('last_time')} from captures"
        assert case.sql(query).fetchall() == [("05:40", "06:10")]


def test_a_session_settles_a_missing_hour(tmp_path):
    kept = ((6, 50, R, S), (7, 20, S, R))
    file = XelFile(base=filetime(at(5, 0)), schemas=ALWAYSON_HEALTH)
    schema = SCHEMAS["availability_replica_state_change"]
    number = {text: key for key, text in schema.columns["previous_state"].type.texts.items()}
    events = [
        Event(schema, file.ticks(at(hour, minute) + timedelta(milliseconds=1)),
              {"previous_state": number[old], "current_state": number[new], "availability_group_name": "AG",
               "availability_replica_name": "SQL1"})
        for hour, minute, old, new in kept
    ]  # fmt: skip
    made = log((at(1, 50), R, S), (at(3, 20), S, R))
    found = told(tmp_path, log=made, session=file.write(events))
    assert found == ["06:50", "06:50", "07:20", "07:20"]


IDS = {"SQL1": "AAAAAAAA-0000-4000-8000-000000000001", "SQL2": "BBBBBBBB-0000-4000-8000-000000000002"}


def meet(host, start, utc, *moments, states=()):
    """Return a log of connections with the other server, and changes of its replica's state."""
    other = "SQL2" if host == "SQL1" else "SQL1"
    made = Log(start).start(host, utc=utc)
    text = words.connected("AG", host, IDS[host], other, IDS[other])
    entries = [(at_, text) for at_ in moments]
    entries += [(at_, words.role("AG", old, new, words.CLUSTER)) for at_, old, new in states]
    for at_, said in sorted(entries):
        made.add("spid20s", said, at=at_)
    return made.windows()


STATES = ((at(1, 50), R, S), (at(3, 20), S, R))
SOON = timedelta(seconds=3)


def test_another_server_whose_log_began_after_the_change_settles_a_missing_hour(tmp_path):
    """SQL2 was started again at 03:30 EDT; both note that they are connected at 03:31."""
    mine = meet("SQL1", START, "-5:00", at(3, 31), states=STATES)
    theirs = meet("SQL2", at(3, 30), "-4:00", at(3, 31) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["06:50", "07:20"]


def test_the_change_lies_before_the_begin_of_the_log_that_shows_it(tmp_path):
    """They meet late, after another pause of an hour: the change is the one before the other log began."""
    mine = meet("SQL1", START, "-5:00", at(9, 0), states=STATES)
    theirs = meet("SQL2", at(3, 30), "-4:00", at(9, 0) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["06:50", "07:20"]


def test_another_server_whose_log_has_the_same_missing_hour_settles_none(tmp_path):
    mine = meet("SQL1", START, "-5:00", at(3, 31), states=STATES)
    theirs = meet("SQL2", START, "-5:00", at(3, 31) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["06:50", "08:20"]


def test_connections_that_fit_two_offsets_settle_none(tmp_path):
    mine = meet("SQL1", START, "-5:00", at(3, 31), states=STATES)
    theirs = meet("SQL2", at(3, 30), "-4:00", at(3, 31) + SOON, at(4, 31) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["06:50", "08:20"]


def test_a_server_in_another_zone_settles_it_as_well(tmp_path):
    """SQL2 stands in Vienna, where daylight saving begins three weeks later."""
    mine = meet("SQL1", START, "-5:00", at(3, 31), states=STATES)
    theirs = meet("SQL2", at(8, 25), "1:00", at(8, 31) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["06:50", "07:20"]


def test_a_log_that_began_before_the_change_does_not_move_the_one_that_began_after_it(tmp_path):
    mine = meet("SQL1", at(3, 30), "-4:00", at(3, 31), states=((at(3, 40), R, S),))
    theirs = meet("SQL2", START, "-5:00", at(3, 31) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["07:40"]


def test_the_session_of_another_server_settles_a_missing_hour(tmp_path):
    file = XelFile(base=filetime(at(5, 0)), schemas=ALWAYSON_HEALTH)
    schema = SCHEMAS["error_reported"]
    text = words.connected("AG", "SQL2", IDS["SQL2"], "SQL1", IDS["SQL1"])
    event = Event(schema, file.ticks(at(7, 31) + SOON),
        {"error_number": 35202, "severity": 10, "state": 1, "user_defined": False,
                  "category": 2, "destination": 12, "is_intercepted": False, "message": text})  # fmt: skip
    mine = meet("SQL1", START, "-5:00", at(3, 31), states=STATES)
    theirs = meet("SQL2", START, "-5:00")
    found = told(tmp_path, {"log": theirs, "session": file.write([event])}, log=mine)
    assert found == ["06:50", "07:20"]


def test_two_connections_an_hour_apart_are_two_where_no_hour_is_missing(tmp_path):
    """SQL2 was started again and met SQL1 an hour after they met before: its log of then is not there."""
    states = ((at(5, 20), R, S), (at(5, 50), S, R), (at(6, 40), R, S), (at(7, 20), S, R))
    mine = meet("SQL1", at(5, 0), "-5:00", at(7, 31), states=states)
    theirs = meet("SQL2", at(6, 20), "-5:00", at(6, 31) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["10:20", "10:50", "11:40", "12:20"]


def test_what_the_log_before_notes_of_that_moment_counts_as_well(tmp_path):
    """They met at 03:31 and an hour before, in two logs of SQL2."""
    mine = meet("SQL1", START, "-5:00", at(4, 31), states=STATES)
    before = meet("SQL2", at(0, 10), "-5:00", at(4, 31) + SOON)
    theirs = meet("SQL2", at(3, 20), "-5:00", at(3, 31) + SOON)
    found = told(tmp_path, {"log_before": before, "log": theirs}, log=mine)
    assert found == ["06:50", "08:20"]


def test_a_connection_that_the_other_end_noted_at_its_own_time_is_no_shifted_one(tmp_path):
    """They meet twice, an hour apart, after a long pause; the log of SQL2 ends in between."""
    states = ((at(1, 50), R, S), (at(5, 20), S, R))
    mine = meet("SQL1", START, "-5:00", at(6, 31), at(7, 31), states=states)
    theirs = meet("SQL2", at(6, 20), "-5:00", at(6, 31) + SOON)
    assert told(tmp_path, {"log": theirs}, log=mine) == ["06:50", "10:20"]


PRIMARY = ((at(1, 50), R, S), (at(3, 20), "PRIMARY_PENDING", P))


def online(hour, minute, *, utc=True, group="AG"):
    """Return the cluster log of SQL1, which brought a group online at a moment: UTC, else local time."""
    made = ClusterLog("SQL1", 240, utc=utc)
    made.time = datetime(2024, 3, 10, hour, minute) - timedelta(hours=4 if utc else 0)
    made.section("Cluster Logs").add("INFO", f"[RCM] TransitionToState({group}) OnlinePending-->Online.")
    return made.add("INFO", "MTimer(OneGroupMovetimer): [Total: 0 ms ( 0 s )]").windows()


def test_the_cluster_settles_a_missing_hour(tmp_path):
    """It brought the group online at 07:20 UTC; the log says 03:20, five hours behind by what it began
    with.
    """
    mine = log(*PRIMARY)
    assert told(tmp_path, log=mine, cluster=online(7, 20)) == ["06:50", "07:20"]


@pytest.mark.parametrize(
    ("cluster", "second"),
    [
        # The offset was right all the while.
        (online(8, 20), "08:20"),
        # Another group, another moment.
        (online(7, 20, group="OTHER"), "08:20"),
        (online(7, 40), "08:20"),
        # Local time: it has the same missing hour.
        (online(3, 20, utc=False), "08:20"),
    ],
    ids=["right", "another group", "another moment", "local time"],
)
def test_what_the_cluster_does_not_settle(tmp_path, cluster, second):
    assert told(tmp_path, log=log(*PRIMARY), cluster=cluster) == ["06:50", second]


@pytest.mark.complete
def test_a_server_that_the_cluster_settled_settles_the_others(tmp_path):
    """SQL1 got the group and met SQL2, whose only log has the same missing hour."""
    mine = meet("SQL1", START, "-5:00", at(3, 31), states=PRIMARY)
    theirs = meet("SQL2", START, "-5:00", at(3, 31) + SOON, states=((at(3, 40), R, S),))
    found = told(tmp_path, {"log": theirs}, log=mine, cluster=online(7, 20))
    assert found == ["06:50", "07:20", "07:40"]
