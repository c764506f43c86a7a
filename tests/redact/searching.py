"""Looking for what must not be there, in every decoded column, file and name, however it is written."""

from __future__ import annotations

import base64
import html
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

import pyarrow.parquet as pq

import agtrace
from agtrace.redact.dictionary import Dictionary
from agtrace.redact.gather import gather
from agtrace.redact.pseudonyms import Pseudonyms
from agtrace.redact.vocabulary import is_ordinary

SHORTEST = 4
"""Characters from which on a name is looked for as a part of others, and in bytes that are no text; shorter
ones stand in any number in hexadecimal, and are looked for as whole words."""

_GUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_ADDRESS = re.compile(r"(?<![\d.])(?:10|172|192)\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.])")
_PATH = re.compile(r"[a-z]:\\(?!program files\\|windows\\)[\w $.\\-]+\.(?:mdf|ldf|ndf|bak|trn)")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_PACKED = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
_PRODUCT = re.compile(r"mssql\d\d(?:_\d\d)?(?=\.)")
"""The folder that setup makes for a version (MSSQL16.MSSQLSERVER): no name, though SQL1 stands in it."""
_CELL = re.compile(r' (?:r|ref|sqref|topleftcell|activecell)="[a-z]{1,3}\d+(?::[a-z]{1,3}\d+)?"')
"""Where a cell of a worksheet stands, in lower case: AG1 is one of them, in row 1."""
_SHARE = re.compile(r"(?<![\w\\])\\\\[a-z][\w.-]+\\[\w$-]+(?=[\\\s]|$)")


@dataclass(frozen=True)
class Secrets:
    """What of a case must not be handed out, in lower case, by what it is."""

    names: frozenset[str]
    guids: frozenset[str]
    addresses: frozenset[str]
    paths: frozenset[str]
    contents: frozenset[str]

    @property
    def all(self) -> set[str]:
        return {*self.names, *self.guids, *self.addresses, *self.paths, *self.contents}


def secrets_of(case: Path, store: Path) -> Secrets:
    """Gather what a case holds: names from its columns, everything else by its shape, from all texts."""
    with agtrace.open_case(case, store=store, ingest=False) as opened:
        dictionary = Dictionary(Pseudonyms(bytes(32)))
        gather(opened.view, dictionary)
    names = {name.casefold() for name in dictionary.names.values() if not is_ordinary(name)}
    guids, addresses, paths = set[str](), set[str](), set[str]()
    for _where, text in decoded(store / "parts"):
        guids |= set(_GUID.findall(text))
        addresses |= set(_ADDRESS.findall(text))
        paths |= set(_PATH.findall(text)) | set(_SHARE.findall(text))
    return Secrets(
        frozenset(names),
        frozenset(guids - {"00000000-0000-0000-0000-000000000000"}),
        frozenset(each for each in addresses if max(map(int, each.split("."))) < 256),
        frozenset(paths),
        frozenset(path.stem for path in (store / "commits").iterdir()),
    )


def decoded(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every text of a folder, in lower case, in its decoded form, with its place."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        yield "its name", path.relative_to(folder).as_posix().casefold()
        if path.suffix == ".parquet":
            yield from _parquet(path)
        else:
            yield from _texts(str(path), path.read_bytes())


def _texts(where: str, data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the texts of a file, and those of the files packed in it."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for name in packed.namelist():
                yield "its name", name.casefold()
                yield from _texts(f"{where}, {name}", packed.read(name))
        return
    text = data.decode("utf-8", "replace")
    yield where, text.casefold()
    yield f"{where} as UTF-16", data.decode("utf-16-le", "replace").casefold()
    if where.endswith("plotly.min.js"):
        return
    plain = html.unescape(unquote(text))
    if plain != text:
        yield f"{where} without escapes", plain.casefold()
    if "\\u" in text:
        yield f"{where} without \\u", _ESCAPE.sub(_letter, plain).casefold()
    for run in _PACKED.findall(text):
        yield f"{where}, in base64", _of_base64(run).casefold()
    if where.endswith((".json", ".ipynb")):
        strings = "\n".join(_strings(json.loads(text)))
        yield f"{where} as JSON", f"{strings}\n{_ESCAPE.sub(_letter, strings)}".casefold()


def _letter(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16))


def _of_base64(run: str) -> str:
    whole = run.rstrip("=")
    whole = whole[: len(whole) - (len(whole) % 4 == 1)]
    return base64.b64decode(whole + "=" * (-len(whole) % 4)).decode("utf-8", "replace")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _parquet(path: Path) -> Iterator[tuple[str, str]]:
    data = path.read_bytes()
    footer = data[-8 - int.from_bytes(data[-8:-4], "little") : -8]
    yield f"{path}, footer", footer.decode("latin-1").casefold()
    yield f"{path}, footer as UTF-16", footer.decode("utf-16-le", "replace").casefold()
    with pq.ParquetFile(path) as file:
        yield f"{path}, metadata", f"{file.metadata}{file.schema_arrow.metadata}".casefold()
        for batch in file.iter_batches():
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                values = {str(value) for value in column.to_pylist() if value is not None}
                yield f"{path}, {name}", "\n".join(values).casefold()


def found(folder: Path, secrets: Iterable[str]) -> dict[str, str]:
    """Return which of these occur in a folder, and where the first of each does."""
    wanted = {each: _writings(each) for each in secrets}
    there: dict[str, str] = {}
    for where, whole in decoded(folder):
        text = _PRODUCT.sub("", _CELL.sub("", whole) if "worksheets" in where else whole)
        is_binary = "footer" in where or where.endswith(("UTF-16", "base64"))
        for secret, writings in wanted.items():
            if is_binary and len(secret) < SHORTEST:
                continue
            if secret not in there and any(_stands(each, text) for each in writings):
                there[secret] = where
    return there


def _writings(secret: str) -> set[str]:
    as_json = json.dumps(secret)[1:-1]
    return {
        secret,
        as_json.casefold(),
        json.dumps(as_json)[1:-1].casefold(),
        html.escape(secret).casefold(),
        html.escape(secret).replace("&#x27;", "&#39;").casefold(),
        quote(secret).casefold(),
        quote(secret, safe="").casefold(),
        secret.replace("'", "''"),
    }


def _stands(secret: str, text: str) -> bool:
    if len(secret) >= SHORTEST:
        return secret in text
    return secret in text and re.search(rf"(?<![^\W_]){re.escape(secret)}(?![^\W_])", text) is not None
