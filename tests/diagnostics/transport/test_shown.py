"""What a person sees of the transport question: words, tables, figures."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import ROWS, SLOW, perfmon
from tests.folded import folded


@pytest.mark.complete
def test_findings_do_not_import_plotly():
    code = (
        "import sys; from tests.diagnostics.tiny import case;"
        "from tests.diagnostics.transport.cases import perfmon, verdicts;"
        "print(verdicts(case(perfmon())), 'plotly' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['healthy info 0.9 S'] False"


@pytest.mark.complete
@folded("left_out", list(ROWS))
def test_any_counter_can_be_missing(left_out):
    for only in ("PS", "P", "S"):
        found = Transport(case(perfmon(SLOW, {left_out: None}, only=only)))
        assert all(f.evidence for f in found.findings())
        assert found.say_summary()
        found.say_missing()
        assert len(found.tbl_chain()) <= 1
        assert len(found.tbl_rpo_rto()) <= 1


@pytest.mark.complete
def test_very_long_captures_are_read_as_means():
    long = Transport(case(perfmon(SLOW), rows=40_000, every=1))
    assert_facts(long.findings()[0], averaged=2.0, gate=None, resent=None, ratio=None)
