"""Sent against received: whose bytes, what compares, and what is said where nothing does."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import perfmon


def said(transport: Transport) -> str:
    import html

    return html.unescape(transport.say_sent_received())


# Commit mode


def modes(*statements: tuple[int, str]) -> str:
    changed = "ALTER AVAILABILITY GROUP AG MODIFY REPLICA ON N'S' WITH (AVAILABILITY_MODE = {}_COMMIT)"
    return "\n".join(
        f"P | {seconds} | alwayson_ddl_executed | statement={changed.format(mode)}"
        for seconds, mode in statements
    )


def mode_of(transport: Transport) -> str | None:
    (found,) = transport.sent_received()
    return found.sending.mode.mode if found.sending.mode else None


@pytest.mark.complete
def test_the_commit_mode_in_force_counts():
    before = Transport(case(perfmon(), events=modes((-60, "SYNCHRONOUS"), (-30, "ASYNCHRONOUS"))))
    assert mode_of(before) == "asynchronous"
    assert_facts(texts(before.say_sent_received)["sent_received.md"], links=1, side_by_side=[])
    within = Transport(case(perfmon(), events=modes((-60, "SYNCHRONOUS"), (300, "ASYNCHRONOUS"))))
    assert mode_of(within) is None
    assert mode_of(Transport(case(perfmon()))) is None
