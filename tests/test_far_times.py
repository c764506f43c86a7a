"""A date at the ends of the calendar costs its own time in UTC, in every format and at every verb."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

import agtrace
from agtrace.cli import main
from agtrace.readers.far_times import END, FIRST, is_far, utc
from tests.ingest import texts
from tests.make.blg import write_blg
from tests.make.blg_blocks import START, Sample
from tests.make.host_facts import robocopy_text
from tests.make.seeding_dmv import AUTOMATIC, write_csv
from tests.make.workload_tools import STRESS_HEAD, stress_row, timed_log
from tests.make.xel import Event, XelFile, event_schema, filetime
from tests.readers.test_perfmon_blg import ITEMS, ROW

FIRST_DAY = datetime(1, 1, 1, 3)
LAST_DAY = datetime(9999, 12, 31, 21)
VALID = (datetime(2, 1, 1), datetime(1601, 1, 1), datetime(9998, 6, 1))
"""Far from every capture, and in the calendar in every zone."""
