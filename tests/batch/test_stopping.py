"""A watch that is stopped has said all that it reported, and says nothing twice."""

from __future__ import annotations

import os

import pytest

from tests.batch.stopping import stop_twice

pytestmark = pytest.mark.complete


@pytest.mark.skipif(os.name == "nt", reason="SIGTERM")
def test_two_stops_lose_nothing_and_the_page_is_complete(tmp_path):
    assert stop_twice(9, tmp_path) == []
