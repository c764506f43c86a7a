"""The settings files of a case without names: thresholds as they are, hosts and runs rewritten."""

from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path
from typing import Any

from agtrace.redact.fields import Fields
from agtrace.redact.pseudonyms import HOST
from agtrace.resolve.settings import CaseSettings


def write_settings(folder: Path, settings: CaseSettings, fields: Fields) -> None:
    """Write the settings of a case into the redacted folder, if there are any."""
    paths = fields.texts.paths
    hosts = {
        "paths": {
            paths.capture(glob): fields.value(HOST, host) for glob, host in settings.hosts.paths.items()
        },
        "aliases": {
            fields.value(HOST, host): [fields.value(HOST, name) for name in names]
            for host, names in settings.hosts.aliases.items()
        },
    }
    runs = [_run(run, fields) for run in settings.runs]
    texts = {
        "agtrace.toml": _toml(_plain(settings.values, fields)),
        "hosts.toml": _toml({name: table for name, table in hosts.items() if table}),
        "runs.toml": "".join(f"[[runs]]\n{_lines(run)}\n" for run in runs),
    }
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _run(run: dict[str, Any], fields: Fields) -> dict[str, Any]:
    words = fields.texts.words
    factors = {words(name): words(str(value)) for name, value in json.loads(run["factors"] or "{}").items()}
    made: dict[str, Any] = {"run_id": words(run["run_id"]), "label": words(run["label"]), "factors": factors}
    made |= {"start": run["start"], "end": run["end"], "source": words(run["source"])}
    if run.get("measured"):
        decimals = max(round(-math.log10(run["value_step"])), 0)
        made |= {
            "measured": words(run["measured"]),
            "value": f"{run['value']:.{decimals}f}",
            "unit": run["unit"],
        }
        made["better"] = "more" if run["is_more_better"] else "less"
    return {name: value for name, value in made.items() if value is not None}


def _plain(values: dict[str, Any], fields: Fields) -> dict[str, Any]:
    """Return the thresholds: numbers and switches as they are, in their tables."""
    made: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            made[fields.texts.words(name)] = _plain(value, fields)
        elif isinstance(value, bool | int | float):
            made[fields.texts.words(name)] = value
        elif isinstance(value, str):
            made[fields.texts.words(name)] = fields.texts.words(value)
    return made


def _toml(values: dict[str, Any]) -> str:
    tables = {name: value for name, value in values.items() if isinstance(value, dict)}
    own = {name: value for name, value in values.items() if name not in tables}
    return _lines(own) + "".join(f"[{_text(name)}]\n{_lines(table)}" for name, table in tables.items())


def _lines(values: dict[str, Any]) -> str:
    return "".join(f"{_text(name)} = {_value(value)}\n" for name, value in values.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_text(name)} = {_value(each)}" for name, each in value.items()) + " }"
    return _text(str(value))


def _text(text: str) -> str:
    return json.dumps(text)
