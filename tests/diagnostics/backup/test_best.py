"""The best configuration, and what is told beside it, by studies made by hand."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import best
from agtrace.diagnostics.backup import effects as fx
from agtrace.diagnostics.backup.sides import READER, WRITER, NullTest
from agtrace.say.said import Judged
from tests.diagnostics.backup.made import LIMITS, seen, study, watched_study

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]
SLOW = [50.0 + k / 10 for k in range(9)]


def judged(*own: dict[str, Any], **more: Any) -> Judged:
    (made,) = best.configurations([watched_study(*own, **more)], LIMITS)
    return made


def shown(made: Judged) -> list[tuple[str, float]]:
    return [(each.label, each.value) for each in made.evidence]


def test_gain_and_changes_are_told_in_percent():
    made = judged({"rates": STEADY}, {"rates": FAST, "buffer_count": 50}, {"rates": SLOW, "stripes": 2})
    gain = shown(made)[1]
    assert gain == ("gain over the default", 29.88)
    assert ("BUFFERCOUNT from 7 to 50 (1 target, 1,024 KB)", 29.88) in shown(made)
    assert ("number of targets from 1 to 2 (7 x 1,024 KB)", -49.801) in shown(made)
    assert [each.factor for each in made.facts["changes"]] == ["stripes", "buffer_count"]
    plain = judged({"rates": STEADY}, {"rates": FAST, "checksum": True, "compression": True})
    assert len(plain.evidence) == 2


def test_a_change_that_depends_on_the_rest_is_told_first_and_one_of_media_next():
    own = [
        {"rates": STEADY, "cache": "OFF"}, {"rates": FAST, "cache": "ON"},
        {"rates": FAST, "cache": "OFF", "stripes": 4}, {"rates": STEADY, "cache": "ON", "stripes": 4},
        {"rates": SLOW, "cache": "OFF", "media": "URL"}, {"rates": [400.0] * 9, "cache": "OFF",
        "checksum": True},
    ]  # fmt: skip
    made = judged(*own)
    labels = [label.split(" (")[0] for label, _ in shown(made)[2:]]
    firsts = list(dict.fromkeys(labels))
    assert firsts.index("media from DISK to URL") == 2
    assert {firsts[0].split(" from")[0], firsts[1].split(" from")[0]} == {"cache", "number of targets"}


def test_what_was_tested_on_url_alone_is_told_apart():
    own = [
        {"rates": STEADY, "tier": "hot", "media": "URL"}, {"rates": FAST, "tier": "cold", "media": "URL"},
        {"rates": STEADY, "tier": "hot"}, {"rates": STEADY, "tier": "hot", "buffer_count": 50},
    ]  # fmt: skip
    facts = judged(*own).facts
    assert [of.factor for of in facts["urls"]] == ["tier"]
    assert "tier" not in [of.factor for of in facts["changes"]]
    assert [of.factor for of in facts["media"]] == ["media"]
    of_disk = [each | {"media": "DISK"} for each in own[:2]]
    assert judged(*of_disk).facts["urls"] == []
    url_alone = judged(*own[:2]).facts
    assert (url_alone["urls"], [of.factor for of in url_alone["changes"]]) == ([], ["tier"])


@pytest.mark.parametrize(
    ("number", "verdict", "is_so"), [(1, READER, True), (0, READER, False), (1, WRITER, False)]
)
def test_whether_reading_limits_the_best(number, verdict, is_so):
    made = watched_study({"rates": STEADY}, {"rates": FAST, "buffer_count": 50})
    made.sides.append(seen(made.study, number, verdict))
    (found,) = best.configurations([made], LIMITS)
    assert found.facts["is_read_limited"] is is_so
    assert found.facts["is_separated"] is False
    made.nulls.append(NullTest(*made.study.configurations, 0.95, READER))
    assert best.configurations([made], LIMITS)[0].facts["is_separated"] is True


@pytest.mark.parametrize(
    ("factors", "options"),
    [
        ({"buffer_count": 50, "max_transfer_size_kb": 64}, "BUFFERCOUNT = 50, MAXTRANSFERSIZE = 65536"),
        ({"buffer_count": None, "max_transfer_size_kb": 64}, ""),
        ({"buffer_count": 50, "max_transfer_size_kb": None}, ""),
    ],
)
def test_buffers_as_options_of_a_statement(factors, options):
    assert best._options(Facts(factors=factors)) == options


DISK, URL = {"rates": SLOW}, {"rates": STEADY, "media": "URL"}


def contrast(*own: dict[str, Any]) -> dict[str, Any] | None:
    of = study(*own)
    media = [each for each in fx.changes(fx.effects(of)) if each.factor == best.MEDIA]
    return best._contrast(of, media)


def test_media_are_compared_at_their_best():
    found = contrast(DISK, URL, {"rates": [10.0] * 3, "media": "URL", "buffer_count": 50})
    assert found is not None
    assert (found["slow"].factors["media"], found["fast"].factors["media"]) == ("DISK", "URL")
    assert (round(found["gain"], 3), found["not_in_general"]) == (1.992, None)


def test_a_media_that_wins_all_else_equal_may_lose_in_general():
    found = contrast(
        {"rates": STEADY}, {"rates": SLOW, "media": "URL"}, {"rates": FAST, "media": "URL", "stripes": 8}
    )
    assert found is not None
    assert found["not_in_general"] == "DISK"


@pytest.mark.parametrize(
    "own",
    [
        [DISK],
        [DISK, {"rates": [99.0], "media": "URL"}],
        [DISK, URL | {"stripes": 8}],
        [DISK, {"rates": STEADY, "media": None}],
    ],
)
def test_media_are_not_compared_where_one_alone_was_repeated_or_all_else_differs(own):
    assert contrast(*own) is None


def test_two_runs_of_each_media_are_repeated():
    assert contrast({"rates": [50.0, 51.0]}, {"rates": [100.0, 101.0], "media": "URL"}) is not None


def test_a_backup_to_url_of_unknown_size_needs_no_block():
    found = best._url(study({"rates": [1.0], "media": "URL"}, bytes=[np.nan]))
    assert found is not None
    assert (found["gb"], found["needed"]) == (0.0, 0)


def test_a_media_that_loses_only_perhaps_is_no_winner_beside_one_that_wins_for_sure():
    url = {"media": "URL"}
    wide = [80.0, 85.0, 90.0, 95.0, 100.0, 105.0, 110.0, 115.0, 120.0]
    found = contrast(
        {"rates": STEADY}, {"rates": SLOW} | url, {"rates": wide, "stripes": 2},
        {"rates": [each * 1.03 for each in wide], "stripes": 2} | url,
        {"rates": [1e3] * 9, "stripes": 8} | url,
    )  # fmt: skip
    assert found is not None
    assert found["not_in_general"] == "DISK"


def test_a_change_of_media_is_told_before_larger_ones():
    made = judged({"rates": STEADY}, {"rates": FAST, "media": "URL"}, {"rates": [400.0] * 9, "stripes": 2})
    assert [label.split(" (")[0] for label, _ in shown(made)[2:]] == [
        "media from DISK to URL", "number of targets from 1 to 2"
    ]  # fmt: skip


def test_a_gain_is_as_sure_as_its_interval():
    def confidence(*rates: float) -> float:
        return judged({"rates": STEADY}, {"rates": list(rates), "buffer_count": 50}).confidence

    assert (confidence(*FAST), confidence(*(each + 0.01 for each in STEADY)), confidence(130.0)) == (
        0.9, 0.6, 0.6
    )  # fmt: skip
