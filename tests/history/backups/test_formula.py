"""Defaults of BUFFERCOUNT and MAXTRANSFERSIZE."""

from __future__ import annotations

import pytest

from agtrace.history.backups import formula
from tests.folded import folded


def count(value, *, devices=1, volumes=1, media="DISK", version=None, shown=False):
    found = formula.buffer_count(
        value, devices=devices, volumes=volumes, media=media, version=version, shown=shown
    )
    return found.status, found.reason


def test_blocks_that_were_seen_fit_the_formula_of_their_version():
    assert count(6, version="9.0.3042.0") == ("default", "1 x 3 + 1 + 2 x 1 = 6")
    assert count(13, volumes=4, version="11.0.3339.0") == ("default", "1 x 4 + 1 + 2 x 4 = 13")
    assert count(7, version="13.0.1601.5") == ("default", "1 x 4 + 1 + 2 x 1 = 7")


def test_the_depth_is_that_of_the_version():
    assert count(6, version="11.0.3339.0")[0] == "not the default"
    assert count(7, version="9.0.3042.0")[0] == "not the default"
    assert [count(n)[0] for n in (6, 7, 8)] == ["default", "default", "not the default"]
    assert [count(n, version="10.50.1600.1")[0] for n in (6, 7)] == ["default", "default"]


def test_more_devices_and_volumes_give_more_buffers():
    assert count(13, devices=2, volumes=4, version="11.0.3339.0") == (
        "not the default",
        "the default is 2 x 4 + 2 + 2 x 4 = 18",
    )


def test_explicit_only_where_the_statement_or_the_effective_options_show_it():
    assert count(50, version="15.0.2000.5")[0] == "not the default"
    assert count(50, version="15.0.2000.5", shown=True)[0] == "explicit"
    assert count(7, version="15.0.2000.5", shown=True)[0] == "default"


@pytest.mark.parametrize(
    ("value", "more", "reason"),
    [
        (None, {}, "no buffer block (trace flag 3213)"),
        (7, {"devices": None}, "the number of devices or of volumes is not known"),
        (7, {"volumes": None}, "the number of devices or of volumes is not known"),
        (7, {"media": "VIRTUAL_DEVICE"}, "the depth for VIRTUAL_DEVICE is not established"),
    ],
)
def test_what_cannot_be_decided_says_why(value, more, reason):
    assert count(value, **more) == ("unknown", reason)


@folded(
    ("size", "media", "operation", "status"),
    [
        (1024, "DISK", "backup", "default"),
        (1024, "URL", "backup", "default"),
        (64, "VIRTUAL_DEVICE", "backup", "default"),
        (64, "TAPE", "backup", "default"),
        (64, "DISK", "restore", "default"),
        (64, "DISK", "backup", "not the default"),
        (4096, "DISK", "backup", "not the default"),
        (None, "DISK", "backup", "unknown"),
        (1024, None, "backup", "unknown"),
    ],
)
def test_the_default_transfer_size_goes_by_media(size, media, operation, status):
    assert formula.transfer_size(size, media=media, operation=operation).status == status


def test_memory_is_sets_times_count_times_size():
    assert formula.total_mb(3, 7, 1024) == 21
    assert formula.total_mb(None, 6, 1024) == 6
    assert formula.total_mb(1, 13, 64) == 0.8125
    assert formula.total_mb(1, None, 64) is None
