"""Conversations with ``agtrace mcp``: by the protocol's own client, and by hand, message by message."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from tests.test_security import GUARDED

COMMAND = ["-P", "-c", GUARDED, "mcp"]
"""The server, which ends with status 77 where it asks for an address of the network."""
PATIENCE_S = 300


@dataclass
class Said:
    """What the server answered, in order."""

    texts: list[str] = field(default_factory=list)
    pictures: list[bytes] = field(default_factory=list)


class Conversation:
    """Calls tools through a client, and keeps what came back."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.said = Said()

    async def ask(self, tool: str, **arguments: object) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Call a tool that answers; return its data, and what was cut."""
        told = await self._call(tool, arguments, is_error=False)
        return told["untrusted_data"], told["cut"]

    async def refused(self, tool: str, **arguments: object) -> str:
        """Call a tool that refuses; return its error."""
        told = await self._call(tool, arguments, is_error=True)
        error: str = told["untrusted_data"]["error"]
        return error

    async def _call(self, tool: str, arguments: dict[str, object], *, is_error: bool) -> dict[str, Any]:
        reply = await self.client.call_tool(tool, arguments)
        text, *pictures = reply.content
        self.said.texts.append(text.text)
        assert reply.is_error is is_error, text.text
        for picture in pictures:
            assert picture.mime_type == "image/png"
            self.said.pictures.append(base64.b64decode(picture.data))
        told: dict[str, Any] = json.loads(text.text)
        assert set(told) == {"notice", "untrusted_data", "cut"}
        return told


def converse(words: Sequence[object], talk: Callable[[Conversation], Awaitable[None]]) -> Said:
    """Start the server, let a client talk with it, and return what it said."""

    async def run() -> Said:
        server = StdioServerParameters(
            command=sys.executable, args=[*COMMAND, *map(str, words)], env=dict(os.environ)
        )
        failed: Exception | None = None
        async with Client(server, read_timeout_seconds=PATIENCE_S) as client:
            conversation = Conversation(client)
            try:
                await talk(conversation)
            except Exception as error:
                # Raised in here, it would come as a group in a group.
                failed = error
        if failed:
            raise failed
        return conversation.said

    return asyncio.run(run())


def request(number: int, method: str, **parameters: object) -> dict[str, Any]:
    """Return a message of a client."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}


def by_hand(words: Sequence[object], messages: Sequence[object], here: Path) -> tuple[int, list[str], str]:
    """Send messages, a line each (texts as they are), and close; return status, lines and complaints."""
    hello = request(
        0,
        "initialize",
        protocolVersion="2025-06-18",
        capabilities={},
        clientInfo={"name": "test", "version": "1"},
    )
    sent = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, *messages]
    running = subprocess.Popen(
        [sys.executable, *COMMAND, *map(str, words)],
        cwd=here,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert running.stdin
    assert running.stdout
    lines = []
    for each in sent:
        running.stdin.write((each if isinstance(each, str) else json.dumps(each)) + "\n")
        running.stdin.flush()
        # Whoever closes before the answer gets none.
        if isinstance(each, dict) and "id" in each:
            lines.append(running.stdout.readline().rstrip("\n"))
    rest, complaints = running.communicate(timeout=PATIENCE_S)
    return running.returncode, [*lines, *rest.splitlines()], complaints
