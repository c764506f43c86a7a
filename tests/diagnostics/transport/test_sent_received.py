"""Sent against received: whose bytes, what compares, and what is said where nothing does."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import perfmon

TRANSPORT = r"P | \SQLServer:Availability Replica(AG:S)\Bytes Sent to Transport/sec | 640000"
CARD = r"S | \Network Interface(Nic)\Bytes Received/sec | 700000"
MORE = "\n".join((TRANSPORT, CARD))
COMPRESSED = {"sent": "625000", "wire": "640000", "received": "800000", "hardened": "800000",
              "redone": "800000", "queue": "0..117187", "resent": "100x0,0.5"}  # fmt: skip
"""1 MB/s of log is flushed and 0.8 MB/s of it received, in 0.64 MB/s on the wire."""


def version(product: str) -> str:
    return f"P | startup | 0 | product_version | {product}"


V2014, V2019 = version("12.0.6024.0"), version("15.0.4298.1")


def made(*changes: dict[str, str], facts: str = V2014, more: str = MORE, **options) -> Transport:
    only = options.pop("only", "PS")
    extra = "\n".join(line for line in more.splitlines() if line[0] in only)
    rows = perfmon(COMPRESSED, *changes, only=only)
    return Transport(case(f"{rows}\n{extra}", facts=facts, **options))


def row(transport: Transport, hop: str) -> dict:
    (found,) = [r for r in transport.tbl_sent_received().to_dict("records") if r["hop"] == hop]
    return found


def said(transport: Transport) -> str:
    import html

    return html.unescape(transport.say_sent_received())


# Whose bytes


# What compares


# Times


# One side, or less


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
