"""The protocol: JSON-RPC over standard input and output, through the package ``mcp``."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING, Any

from agtrace.mcp.arguments import schema
from agtrace.mcp.tools import INSTRUCTIONS, TOOLS, call

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from agtrace.mcp.served import Served


def serve(served: Served) -> None:
    """Serve one client until it closes standard input.

    Meanwhile standard output is reserved for the protocol: prints of this process and its children go to
    standard error.

    Raises
    ------
    BrokenPipeError
        The client has ended.
    """
    import anyio
    from mcp.server.stdio import stdio_server

    server = server_of(served)

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        anyio.run(run)
    except BaseExceptionGroup as group:
        raise _first(group) from None


def _first(error: BaseException) -> BaseException:
    """Return the first error of those that the tasks of the transport raised together."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def server_of(served: Served) -> Server[Any]:
    """Return the server of some cases, for any transport."""
    import anyio
    from mcp import types
    from mcp.server.lowlevel import Server

    from agtrace import __version__

    # Calls run one at a time; pings do not wait for them.
    one_at_a_time = anyio.CapacityLimiter(1)
    harmless = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )

    async def list_tools(_context: Any, _asked: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=each.name,
                    title=each.title,
                    description=each.about,
                    input_schema=schema(each.parameters),
                    annotations=harmless,
                )
                for each in TOOLS
            ]
        )

    async def call_tool(_context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        answer = partial(call, served, asked.name, asked.arguments or {})
        reply = await anyio.to_thread.run_sync(answer, limiter=one_at_a_time)
        content: list[Any] = [types.TextContent(type="text", text=reply.text)]
        if reply.png is not None:
            data = base64.b64encode(reply.png).decode("ascii")
            content.append(types.ImageContent(type="image", data=data, mime_type="image/png"))
        return types.CallToolResult(content=content, is_error=reply.is_error)

    return Server(
        "agtrace",
        version=__version__,
        title="agtrace",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
