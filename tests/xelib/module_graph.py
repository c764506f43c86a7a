"""Which module of a Rust crate uses which, read from its `use` lines and the paths in its code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Name = tuple[str, ...]
"""A module by the names on its way from the root: `("blg", "series")`; `()` is the root."""

# Nothing inside a comment or a text is a use.
SILENT = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | r\#"(.*?)"\# | b?"(?:\\.|[^"\\])*" | b?'(?:\\[^']+|[^'\\])'""",
    re.DOTALL | re.VERBOSE,
)
TESTS = "#[cfg(test)]"
USE = re.compile(r"^\s*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.MULTILINE)
PATH = re.compile(r"\b(?:crate|self|super)(?:::\w+)+")


@dataclass
class Module:
    """A file: the paths that it uses, and what it hands on of its children under its own name."""

    name: Name
    uses: list[list[str]] = field(default_factory=list)
    handed_on: dict[str, list[str]] = field(default_factory=dict)


def modules(source: Path) -> dict[Name, Module]:
    """Read every module of the crate whose `lib.rs` lies in `source`; those of tests are left out."""
    found = {}
    for path in sorted(source.rglob("*.rs")):
        parts = path.relative_to(source).with_suffix("").parts
        if parts[-1] != "tests":
            name = parts[:-1] if parts[-1] in ("lib", "mod") else parts
            found[name] = read(name, path.read_text("utf-8"))
    return found


def read(name: Name, text: str) -> Module:
    """Read one file, up to its tests, which stand last."""
    code = SILENT.sub(" ", text.partition(TESTS)[0])
    rest = USE.sub("", code)
    module = Module(name, uses=[path.split("::") for path in PATH.findall(rest)])
    for handed_on, tree in USE.findall(code):
        for path, alias in leaves(" ".join(tree.split())):
            if not handed_on:
                module.uses.append(path)
                continue
            module.handed_on[alias] = path
            if re.search(rf"\b{alias}\b", rest):
                module.uses.append(path)
    return module


def leaves(tree: str, before: tuple[str, ...] = ()) -> Iterator[tuple[list[str], str]]:
    """Yield every path of a `use` tree, and the name that it goes by from there on."""
    head, brace, inner = tree.partition("{")
    *parents, last = (part.strip() for part in head.split("::"))
    if not brace:
        last, _, alias = (part.strip() for part in last.partition(" as "))
        path = [*before, *parents] if last == "self" else [*before, *parents, last]
        yield path, alias or path[-1]
        return
    depth, branch = 0, ""
    for character in inner.rstrip().removesuffix("}") + ",":
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            if branch.strip():
                yield from leaves(branch.strip(), (*before, *parents))
            branch = ""
        else:
            branch += character


def resolve(path: list[str], user: Name, known: Mapping[Name, Module]) -> Name | None:
    """Find the module that defines what a path names; None where it lies outside the crate."""
    here, rest = user, list(path)
    match rest[0]:
        case "crate":
            here, rest = (), rest[1:]
        case "self":
            rest = rest[1:]
        case "super":
            while rest and rest[0] == "super":
                here, rest = here[:-1], rest[1:]
        case first if (*user, first) not in known:
            return None
    while rest and (*here, rest[0]) in known:
        here, rest = (*here, rest[0]), rest[1:]
    if rest and rest[0] in known[here].handed_on:
        return resolve(known[here].handed_on[rest[0]], here, known)
    return here


def graph(source: Path) -> dict[Name, set[Name]]:
    """Return for every module the others that it uses."""
    known = modules(source)
    edges = {}
    for name, module in known.items():
        used = {resolve(path, name, known) for path in module.uses}
        edges[name] = {other for other in used if other is not None} - {name}
    return edges


def folded(edges: Mapping[Name, set[Name]], parent: Name) -> dict[Name, set[Name]]:
    """Return the graph between the children of a module, each with its descendants."""
    depth = len(parent) + 1
    below: dict[Name, set[Name]] = {}
    for name, used in edges.items():
        if len(name) >= depth and name[: depth - 1] == parent:
            within = {other[:depth] for other in used if other[: depth - 1] == parent}
            below.setdefault(name[:depth], set()).update(within - {name[:depth], parent})
    return below


def circle(edges: Mapping[Name, set[Name]]) -> str | None:
    """Return a circle as text, each module before the one that it uses, or None."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return " -> ".join("::".join(name) or "crate" for name in reversed(error.args[1]))
    return None
