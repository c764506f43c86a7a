"""Files of a Pacemaker cluster are known by their content, and not read."""

from __future__ import annotations

import pytest

from agtrace.readers import detect
from agtrace.readers.pacemaker import READER
from tests.readers.fact_texts import real_texts
from tests.readers.pacemaker.small import LOG, STATUS

OLD = "Mar 01 10:15:30 [1234] contoso-l1       crmd:     info: crm_log_init: Changed active directory\n"
COROSYNC = "Mar 01 10:15:30 [1234] contoso-l1 corosync notice  [MAIN  ] Corosync Cluster Engine\n"


@pytest.mark.parametrize("text", [LOG, OLD, COROSYNC])
def test_logs_are_recognised(text):
    _reader, hit = detect(text.encode(), "pacemaker.log")
    assert (hit.kind, hit.readable) == ("Pacemaker log", False)
    assert "ERRORLOG" in hit.reason


def test_status_is_recognised():
    _reader, hit = detect(STATUS.encode(), "contoso-l1_os_pcs.info")
    assert (hit.kind, hit.readable) == ("status of a Pacemaker cluster", False)


def test_other_logs_are_none():
    assert READER.detect(b"Mar 01 10:15:30 contoso-l1 sshd[12]: Accepted\n", "syslog") is None
    assert [text for text in real_texts() if READER.detect(text, "x")] == []
