"""The identity of the running code; answers cached by other code are not used."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from agtrace import plugins

COMPUTING = ("duckdb", "evtx", "jinja2", "numpy", "pandas", "plotly", "pyarrow", "xelib")
"""Packages whose version may change a number or a page, or what can be read at all."""


def code_state() -> str:
    """Return what identifies the code that answers: agtrace, what it computes with, and plugins."""
    return f"{_own_code(sys.modules['agtrace'].__version__)} {_plugins(plugins.generation())}"


@cache
def _own_code(version: str) -> str:
    """Digest the version, and the names, sizes and times of agtrace's files: one that changed is another."""
    digest = hashlib.sha256(version.encode())
    for name in COMPUTING:
        try:
            digest.update(f"{name} {importlib.metadata.version(name)}\n".encode())
        except importlib.metadata.PackageNotFoundError:
            digest.update(f"no {name}\n".encode())
    for line in _listed(Path(__file__).parent):
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _listed(folder: str | os.PathLike[str]) -> Iterator[str]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _listed(entry.path)
        else:
            found = entry.stat()
            yield f"{entry.path} {found.st_size} {found.st_mtime_ns}\n"


@lru_cache(1)
def _plugins(_generation: int) -> str:
    """Return the plugins that are installed or named, with the content of those that are folders."""
    folders = [
        Path(plugin.origin)
        for kind in plugins.KINDS
        for plugin in plugins.found(kind).values()
        if plugin.entry is None
    ]
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix != ".pyc"]
    states = [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files if path.is_file()]
    return json.dumps([plugins.fingerprint(), states])
