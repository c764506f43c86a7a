"""An IPython shell in this process: it runs the cells of a notebook and keeps their outputs.

The outputs are those that a kernel would have sent, so that a page does not depend on how its notebook
ran.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from nbformat import NotebookNode
from nbformat.v4 import new_output
from traitlets import Type
from traitlets.config import Config

MODULE = "agtrace_notebook"
"""Module name of a notebook; in a kernel it would be ``__main__``, which here is the command."""


class _Stream(io.TextIOBase):
    """Standard output or error of a cell."""

    def __init__(self, name: str, outputs: list[NotebookNode]) -> None:
        self._name = name
        self._outputs = outputs

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        last = self._outputs[-1] if self._outputs else None
        if last is not None and last.output_type == "stream" and last.name == self._name:
            last.text += text
        elif text:
            self._outputs.append(new_output("stream", name=self._name, text=text))
        return len(text)


class _Publisher(DisplayPublisher):
    """Keeps displayed outputs."""

    def publish(self, data: Any, metadata: Any = None, source: Any = None, **_others: Any) -> None:
        """Keep an output displayed by a cell."""
        self.shell.outputs.append(new_output("display_data", data=data, metadata=metadata or {}))


class _Hook(DisplayHook):
    """Keeps the value of a cell's last expression."""

    def write_output_prompt(self) -> None:
        """Write no prompt; the viewer of the notebook does."""

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        if not format_dict:
            return
        shown = {"data": format_dict, "metadata": md_dict or {}, "execution_count": self.prompt_count}
        self.shell.outputs.append(new_output("execute_result", **shown))

    def finish_displayhook(self) -> None:
        """End without an empty line."""
        self._is_active = False


class NotebookShell(InteractiveShell):
    """Runs cells one after another, isolated from the surrounding process.

    Parameters
    ----------
    folder
        Folder for its files: none are in the user's home, and the user's start-up scripts do not run.
    """

    display_pub_class = Type(_Publisher)
    displayhook_class = Type(_Hook)

    def __init__(self, folder: Path) -> None:
        self.outputs: list[NotebookNode] = []
        self._folder = folder
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.cache_size = 0
        super().__init__(
            config=config, ipython_dir=str(folder), user_module=ModuleType(MODULE), banner1="", banner2=""
        )
        self.colors = "nocolor"

    def init_sys_modules(self) -> None:
        """Keep ``__main__`` unchanged."""

    def init_path(self) -> None:
        """Keep the current folder off the module path: it may contain captures."""

    def init_virtualenv(self) -> None:
        """Keep the module path unchanged."""

    def enable_gui(self, gui: str | None = None) -> None:
        """Run no window's event loop."""

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        self.outputs.append(
            new_output("error", ename=etype.__name__, evalue=str(evalue), traceback=list(stb))
        )

    def run(self, source: str) -> tuple[list[NotebookNode], BaseException | None]:
        """Run a cell.

        Returns
        -------
        tuple
            Its outputs in the notebook's format, and the error that ended it.
        """
        self.outputs.clear()
        streams = _Stream("stdout", self.outputs), _Stream("stderr", self.outputs)
        with self._alone(), contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            done = self.run_cell(source, store_history=True)
        return list(self.outputs), done.error_before_exec or done.error_in_exec

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Be the shell that ``display`` and ``get_ipython`` find, for as long as a cell runs."""
        running = type(InteractiveShell._instance or self)
        kinds = {*type(self)._walk_mro(), *running._walk_mro()}
        before = {kind: kind._instance for kind in kinds}
        for kind in kinds:
            kind._instance = self
        try:
            yield
        finally:
            for kind, instance in before.items():
                kind._instance = instance
