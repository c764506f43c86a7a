"""Render the words of a question from facts that stand beside them: said.yaml in, said.snap out.

``said.yaml`` lists facts for each text of ``agtrace/diagnostics/<question>/said``. The first entry of a text
is complete; the others hold only what differs from it. ``said.snap`` shows the first rendering in full,
and of the others the sentences that come (+) and the beginnings of those that go (-).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from markupsafe import Markup

from agtrace.measures import Measure, Measured
from agtrace.say import places
from agtrace.say.said import FIELDS, Said

FOLDER = Path(__file__).parent
ELSEWHERE = {"settings": "agtrace.interactive", "engine": "agtrace.say"}
SENTENCES = re.compile(r"(?<=[.:;!?])\s+(?=[A-Z`*|-])|\n")


class Row(dict[str, Any]):
    """Facts by name, as items and as attributes: what a rule hands over may be a row or an object."""

    def __getattribute__(self, name: str) -> Any:
        return self[name] if dict.__contains__(self, name) else super().__getattribute__(name)


class Loader(yaml.SafeLoader):
    "YAML with ``!measured [5, MB/s]``, ``!tuple [1, 2]``, ``!call [what it returns]`` and ``!markup text``."


def _row(loader: Loader, node: yaml.MappingNode) -> Row:
    return Row(loader.construct_mapping(node, deep=True))


def _measured(loader: Loader, node: yaml.SequenceNode) -> Measured:
    value, unit, label, source = (*loader.construct_sequence(node, deep=True), "", "")[:4]
    return Measured(Measure("measure", label, unit=unit), value, source)


def _call(loader: Loader, node: yaml.SequenceNode) -> Any:
    (answer,) = loader.construct_sequence(node, deep=True)
    return lambda *_given, **_named: answer


Loader.add_constructor("tag:yaml.org,2002:map", _row)
Loader.add_constructor("!measured", _measured)
Loader.add_constructor("!call", _call)
Loader.add_constructor("!tuple", lambda loader, node: tuple(loader.construct_sequence(node, deep=True)))
Loader.add_constructor("!markup", lambda loader, node: Markup(loader.construct_scalar(node)))


def questions() -> list[str]:
    """Return the names of the questions that have words, and of what else has: the settings, the engine."""
    root = resources.files("agtrace.diagnostics")
    return sorted([*(path.name for path in root.iterdir() if (path / "said").is_dir()), *ELSEWHERE])


def package(question: str) -> str:
    """Return the package whose folder ``said`` holds the words."""
    return ELSEWHERE.get(question, f"agtrace.diagnostics.{question}")


def examples(question: str) -> dict[str, list[dict[str, Any]]]:
    """Return the facts of each text of a question: those of its first entry and of its variants."""
    text = (FOLDER / question / "said.yaml").read_text(encoding="utf-8")
    given = yaml.load(text, Loader) or {}
    return {name: [Row(own[0] | more) for more in own] for name, own in given.items()}


def rendered(said: Said, name: str, facts: dict[str, Any]) -> dict[str, str]:
    """Return what a text says, by field: title, why and do of a finding, one field of anything else."""
    if name.endswith(".md"):
        return {"page": said.page(name.removesuffix(".md"), facts)}
    if _is_finding(said, name):
        return {field: said.text(f"{name}.{field}", facts) for field in FIELDS}
    name, _, place = name.partition(" ")
    return {"text": said.text(name, facts, place or places.PLAIN)}


def _is_finding(said: Said, name: str) -> bool:
    if name in said.names:
        return bool(said.template(name, "title"))
    file, _, field = name.partition(" ")[0].rpartition(".")
    try:
        return not file or not said.template(file, field)
    except LookupError:
        return True


def snapshot(question: str) -> str:
    """Return what said.snap of a question should hold."""
    said = Said(package(question))
    return "\n".join(
        "\n".join([name, *_entries(said, name, own)]) + "\n" for name, own in examples(question).items()
    )


def _entries(said: Said, name: str, own: list[dict[str, Any]]) -> Iterator[str]:
    first = rendered(said, name, own[0])
    for field, text in first.items():
        yield from _indented(field, text.splitlines())
    for number, facts in enumerate(own[1:], start=2):
        yield f"  variant {number}"
        for field, text in rendered(said, name, facts).items():
            was, now = SENTENCES.split(first[field]), SENTENCES.split(text)
            if gone := [" ".join(each.split()[:4]) for each in was if each not in now]:
                yield f"    - {field}: {' / '.join(gone)}"
            if new := [each for each in now if each and each not in was]:
                yield f"    + {field}: {' '.join(new)}"


def _indented(field: str, lines: list[str]) -> Iterator[str]:
    for number, line in enumerate(line for line in lines if line):
        yield f"  {field}: {line}" if not number else f"    {line}"
