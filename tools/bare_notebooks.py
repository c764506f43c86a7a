"""What the wheel of agtrace holds of notebooks/: each without the outputs that readers of the repository see.

The builder runs it; a report executes notebooks anew, and their outputs are nine tenths of them.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def bare(text: str) -> str:
    """Return a notebook without outputs, otherwise unchanged."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


class BareNotebooks(BuildHookInterface):
    """Puts them where agtrace.bundled looks."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them into a folder of their own, as the builder asks before it collects files."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        for path in sorted((Path(self.root) / "notebooks").glob("*.ipynb")):
            text = bare(path.read_text(encoding="utf-8"))
            (Path(self._folder.name) / path.name).write_text(text, encoding="utf-8", newline="\n")
        build_data["force_include"][self._folder.name] = "agtrace/_bundled/notebooks"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove that folder."""
        if version != "editable":
            self._folder.cleanup()
