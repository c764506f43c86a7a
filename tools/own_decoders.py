"""Lets `pip install .` in a clone build xelib from its folder: releases fetch its wheel instead.

The builder runs it. ``AGTRACE_RELEASE`` is set where the wheel is for others; the sources of a release have
no xelib/.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class OwnDecoders(MetadataHookInterface):
    """Names the folder of xelib in place of its version."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Change the dependencies, as the builder asks before it states them."""
        decoders = Path(self.root) / "xelib"
        if os.environ.get("AGTRACE_RELEASE") or not (decoders / "Cargo.toml").exists():
            return
        metadata["dependencies"] = [
            f"xelib @ {decoders.as_uri()}" if each.startswith("xelib") else each
            for each in metadata["dependencies"]
        ]
