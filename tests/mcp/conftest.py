"""Cases as a server offers them."""

from __future__ import annotations

import json
from functools import partial

import pytest

import agtrace
from agtrace.mcp.served import Served
from agtrace.mcp.tools import call


@pytest.fixture
def planned(sample_store):
    """The sample failover_planned, served in this process."""
    opener = partial(
        agtrace.open_case,
        agtrace.sample("failover_planned"),
        store=sample_store("failover_planned"),
        ingest=False,
    )
    with Served({"planned": opener}, note=lambda line: pytest.fail(line)) as served:
        yield served


@pytest.fixture
def ask(planned):
    """Call a tool; return its data, and what was cut."""

    def asked(tool: str, **arguments: object) -> tuple[dict, dict | None]:
        reply = call(planned, tool, arguments)
        assert not reply.is_error, reply.text
        told = json.loads(reply.text)
        return told["untrusted_data"], told["cut"]

    return asked


@pytest.fixture
def refused(planned):
    """Call a tool; return its error."""

    def asked(tool: str, **arguments: object) -> str:
        reply = call(planned, tool, arguments)
        assert reply.is_error, reply.text
        return json.loads(reply.text)["untrusted_data"]["error"]

    return asked
