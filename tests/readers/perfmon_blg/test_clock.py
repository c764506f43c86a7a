"""Binary logs: local time, its zone, and how far it is from UTC."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from agtrace.readers.perfmon_blg.zone import half_at
from agtrace.readers.perfmon_blg.zone_names import zone_name
from simulation.formats.blg import UTC, Form, Zone, write_blg
from simulation.formats.blg_blocks import (
    LARGE_RAWCOUNT,
    PRECISION_100NS,
    RAWCOUNT,
    TIMER_100NS_INVERSE,
    WHOLE,
    Definition,
    Item,
    Many,
    Objects,
    One,
    PerfObject,
    Sample,
    filetime,
)
from tests.readers.perfmon_blg.blg_logs import kinds, read

BERLIN = Zone(
    -60, "@tzres.dll,-322", (0, 10, 0, 5, 3, 0, 0, 0), "@tzres.dll,-321", (0, 3, 0, 5, 2, 0, 0, 0), -60
)
HOUR = 36_000_000_000


def facts(log: bytes) -> dict[str, str]:
    rows = read(log)["facts"].to_pylist()
    return {f"{row['key']} {row['item']}" if row["item"] else row["key"]: row["value"] for row in rows}


def timer_log(times: list[datetime], offsets: list[int], kind: int = TIMER_100NS_INVERSE) -> bytes:
    """Log a 100-ns timer, whose second value is the time in UTC."""
    item = Item("Processor", "% Processor Time", kind, "_Total", time_base=10_000_000)
    samples = [
        Sample(time, [One(0, filetime(time) - minutes * HOUR // 60)])
        for time, minutes in zip(times, offsets, strict=True)
    ]
    return write_blg([item], samples, form=Form(zone=BERLIN))


SUMMER, WINTER = datetime(2026, 7, 1, 12), datetime(2026, 1, 1, 12)


def test_a_100_ns_counter_tells_the_offset():
    found = facts(timer_log([SUMMER], [120]))
    assert found["utc_offset_minutes"] == "120"
    assert found["utc_offset_source"] == "UTC time of 100-ns counters"
    assert (found["zone_name"], found["bias_minutes"]) == ("W. Europe Daylight Time", "-120")


def test_a_data_block_tells_it_too():
    block = Objects([PerfObject(2, (Definition(4, LARGE_RAWCOUNT),), None, [1])])
    samples = [Sample(WINTER, [block], offset_minutes=345)]
    found = facts(write_blg([Item("System", "*", WHOLE)], samples, {2: "System", 4: "Threads"}))
    assert found["utc_offset_minutes"] == "345"
    assert found["utc_offset_source"] == "UTC beside local time in the samples"


@pytest.mark.parametrize(
    ("time", "name", "bias"),
    [(SUMMER, "W. Europe Daylight Time", "-120"), (WINTER, "W. Europe Standard Time", "-60")],
)
def test_else_the_zone_of_the_header_and_its_rule_tell(time, name, bias):
    item = Item("Memory", "Pages", RAWCOUNT)
    found = facts(write_blg([item], [Sample(time, [One(1)])], form=Form(zone=BERLIN)))
    assert (found["zone_name"], found["bias_minutes"]) == (name, bias)
    assert found["utc_offset_minutes"] == str(-int(bias))
    assert found["utc_offset_source"] == "time zone of the header and its rule"


def test_a_precision_timer_has_a_clock_of_its_own():
    found = facts(timer_log([SUMMER], [-600], PRECISION_100NS))
    assert found["utc_offset_minutes"] == "120"


def test_the_clock_is_set_back_inside_the_log():
    start = datetime(2026, 10, 25, 2, 30)
    times = [start + timedelta(minutes=10 * n) for n in range(3)]
    times += [time + timedelta(minutes=-30) for time in times]
    log = timer_log(times, [120] * 3 + [60] * 3)
    tables = read(log)
    assert tables["ticks"]["time_local"].to_pylist() == times
    found = facts(log)
    assert (found["utc_offset_minutes"], found["utc_offset_minutes 1"]) == ("120", "60")
    assert (found["utc_offset_from_tick"], found["utc_offset_from_tick 1"]) == ("0", "3")
    assert kinds(tables) == {"assumed_clock_change": 1}


def test_counters_that_are_not_wanted_tell_the_clock_nevertheless():
    """Kind 1 and kind 2: what the samples say of the clock does not depend on what is read."""
    free = Item("Memory", "Free", RAWCOUNT)
    for instance in ("0", "*"):
        item = Item("Processor", "Idle", TIMER_100NS_INVERSE, instance, time_base=10_000_000)
        utc = filetime(SUMMER) - 2 * HOUR
        block = One(0, utc) if instance == "0" else Many([("0", 0, utc)])
        log = write_blg([free, item], [Sample(SUMMER, [One(1), block])])
        tables = read(log, counters=(r"\memory\*",))
        assert tables["counters"]["path"].to_pylist() == [r"\\HOST\Memory\Free"]
        stated = {r["key"]: r["value"] for r in tables["facts"].to_pylist()}
        assert stated["utc_offset_minutes"] == "120"
        assert stated["utc_offset_source"] == "UTC time of 100-ns counters"


def test_every_sample_gets_its_time_in_utc(tmp_path):
    """Also where the clock is set forward across a gap, which no step of an hour shows."""
    import agtrace

    times = [datetime(2026, 3, 29, 1, 0), datetime(2026, 3, 29, 1, 30), datetime(2026, 3, 29, 9, 0)]
    (tmp_path / "log.blg").write_bytes(timer_log(times, [60, 60, 120]))
    case = agtrace.open_case(tmp_path)
    rows = case.sql("select tick, time at time zone 'UTC' from ticks order by tick").fetchall()
    assert [time for _tick, time in rows] == [
        datetime(2026, 3, 29, 0, 0),
        datetime(2026, 3, 29, 0, 30),
        datetime(2026, 3, 29, 7, 0),
    ]
    stretches = case.sql(
        "select local_from, local_to, offset_minutes, confidence from clocks order by local_from"
    ).fetchall()
    assert [(row[2], row[3]) for row in stretches] == [(60, 1.0), (120, 1.0)]
    assert stretches[0][1] == times[1] + timedelta(microseconds=1)


class TestZones:
    def test_the_rule_of_either_hemisphere(self):
        def name(zone: Zone, *when: int) -> str:
            return half_at(zone_dict(zone), datetime(*when)).name

        assert name(BERLIN, 2026, 3, 29, 1, 59) == "W. Europe Standard Time"
        assert name(BERLIN, 2026, 3, 29, 2) == "W. Europe Daylight Time"
        assert name(BERLIN, 2026, 10, 25, 2, 59) == "W. Europe Daylight Time"
        assert name(BERLIN, 2026, 10, 25, 3) == "W. Europe Standard Time"
        sydney = Zone(
            -600,
            "AUS Eastern Standard Time",
            (0, 4, 0, 1, 3, 0, 0, 0),
            "AUS Eastern Daylight Time",
            (0, 10, 0, 1, 2, 0, 0, 0),
            -60,
        )
        assert name(sydney, 2026, 1, 1) == "AUS Eastern Daylight Time"
        assert name(sydney, 2026, 7, 1) == "AUS Eastern Standard Time"
        assert half_at(zone_dict(sydney), datetime(2026, 1, 1)).bias_minutes == -660

    def test_no_daylight_time_and_fixed_dates(self):
        assert half_at(zone_dict(UTC), SUMMER) == ("UTC", 0)
        fixed = replace(
            BERLIN, daylight_date=(2026, 5, 0, 1, 0, 0, 0, 0), standard_date=(2026, 6, 0, 1, 0, 0, 0, 0)
        )
        assert half_at(zone_dict(fixed), datetime(2026, 5, 1)).bias_minutes == -120
        assert half_at(zone_dict(fixed), datetime(2026, 6, 1)).bias_minutes == -60

    def test_a_rule_that_is_none_gives_nothing(self):
        wrong = replace(BERLIN, daylight_date=(0, 13, 0, 1, 0, 0, 0, 0))
        assert half_at(zone_dict(wrong), SUMMER) is None
        assert half_at(zone_dict(replace(UTC, bias=10**6)), SUMMER) is None

    @pytest.mark.parametrize(
        ("written", "name"),
        [
            ("@tzres.dll,-212", "Pacific Standard Time"),
            ("@tzres.dll,-111", "Eastern Daylight Time"),
            ("@tzres.dll,-932", "Coordinated Universal Time"),
            ("@tzres.dll,-172", "Central Standard Time (Mexico)"),
            ("@tzres.dll,-9999", "@tzres.dll,-9999"),
            ("Mitteleuropäische Zeit", "Mitteleuropäische Zeit"),
        ],
    )
    def test_references_are_resolved_where_known(self, written, name):
        assert zone_name(written) == name


def zone_dict(zone: Zone) -> dict[str, object]:
    return {
        "bias": zone.bias,
        "standard_name": zone.standard_name,
        "standard_date": list(zone.standard_date),
        "standard_bias": 0,
        "daylight_name": zone.daylight_name,
        "daylight_date": list(zone.daylight_date),
        "daylight_bias": zone.daylight_bias,
    }
