"""A case that carries no answer says what it lacks."""

from __future__ import annotations

import pytest

from tests.ingest import texts

pytestmark = pytest.mark.complete


def test_a_case_without_findings_says_what_is_missing(agtrace, tmp_path):
    (tmp_path / "netsh.txt").write_bytes(texts.NETSH.replace(b"disabled", b"normal"))
    ran = agtrace("findings", tmp_path)
    assert ran.status == 0
    assert "\n  Not answered: health, transport, redo," in ran.out
    assert "'agtrace kit' writes scripts" in " ".join(ran.out.split())
