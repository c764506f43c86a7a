"""A server for assistants: an opened case as tools of the Model Context Protocol.

It only reads, and reaches nothing but the folders that it was started with. Every answer has a bound, and
text from captures stands in it as what it is: text that strangers wrote.
"""

from __future__ import annotations

__all__ = ["Served", "serve"]

from agtrace.mcp.served import Served
from agtrace.mcp.server import serve
