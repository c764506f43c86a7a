"""A server for assistants: an opened case as tools of the Model Context Protocol.

It is read-only, and has access only to the folders that it was started with. The length of every answer is
limited, and text from captures is marked as untrusted.
"""

from __future__ import annotations

__all__ = ["Served", "serve"]

from agtrace.mcp.served import Served
from agtrace.mcp.server import serve
