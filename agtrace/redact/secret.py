"""The secret that pseudonyms are derived from, and the map that reverses them: neither is shared."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from agtrace.errors import AgtraceError, NotRegularError
from agtrace.inputs import open_input
from agtrace.redact.pseudonyms import LETTERS, Pseudonyms
from agtrace.store.lock import WriterLock

SECRET_BYTES = 32
FORMAT = 1
LARGEST = 1 << 30
PATIENCE_S = 600.0
"""How long one redaction waits for another with the same secret."""
_CODE = re.compile(rf"(?<![^\W_])[A-Z]{{1,4}}-[{LETTERS}]{{6,8}}(?![^\W_])", re.IGNORECASE)
_GUID = re.compile(r"(?<![^\W_])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![^\W_])")
_ADDRESS = re.compile(r"(?<![\w.:-])[0-9A-Fa-f]{1,4}(?:[.:-]{1,2}[0-9A-Fa-f]{0,4}){2,7}(?![\w:-]|\.\d)")


@dataclass
class Secret:
    """A secret with its replacements so far.

    Parameters
    ----------
    path
        The file of both, readable only by this user.
    key
        The secret.
    originals
        Names, words and addresses by their pseudonym.
    """

    path: Path
    key: bytes
    originals: dict[str, str] = field(default_factory=dict)

    def pseudonyms(self) -> Pseudonyms:
        """Return the pseudonyms; existing ones are kept."""
        return Pseudonyms(self.key, self.originals)

    def keep(self, pseudonyms: Pseudonyms) -> None:
        """Write the file, with all current pseudonyms and those added by another redaction.

        Raises
        ------
        AgtraceError
            The file cannot be written.
        """
        if os.path.lexists(self.path):
            there = read(self.path)
            if there.key != self.key:
                raise AgtraceError(f"{self.path}: another secret was written to it", "try again")
            self.originals |= there.originals
        self.originals |= pseudonyms.originals | pseudonyms.addresses.originals
        text = json.dumps(
            {"format": FORMAT, "secret": self.key.hex(), "originals": self.originals},
            ensure_ascii=False,
            indent=1,
        )
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = self.path.with_name(f"{self.path.name}.{secrets.token_hex(8)}.tmp")
            try:
                # No other user may read it at any time: it is created with these permissions, not changed to
                # them.
                handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
                    file.write(text)
                temporary.replace(self.path)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    temporary.unlink()
        except OSError as error:
            raise AgtraceError(
                f"{self.path}: cannot be written ({error.strerror or error})",
                "name another file with --secret",
            ) from error

    def translated(self, text: str) -> str:
        """Return a text with pseudonyms replaced by the originals."""
        pseudonyms = self.pseudonyms()
        text = _GUID.sub(lambda match: pseudonyms.guids.original(match[0]), text)
        text = _CODE.sub(lambda match: self.originals.get(match[0].upper(), match[0]), text)
        return _ADDRESS.sub(lambda match: self.originals.get(match[0], match[0]), text)


def default_path(store: Path) -> Path:
    """Return the default path of a case's secret: in the user's data folder, by the path of its store.

    It is not in the case: it would be sent with it, and a secret that came with a case could be known to
    its sender.
    """
    place = hashlib.sha256(os.fsencode(store.resolve())).hexdigest()[:32]
    return platformdirs.user_data_path("agtrace") / "redactions" / f"{place}.json"


def read(path: Path) -> Secret:
    """Read a secret and its map.

    Raises
    ------
    AgtraceError
        The file does not exist, or is not a secret.
    """
    try:
        with open_input(path) as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise ValueError
        data = json.loads(text.decode("utf-8", errors="surrogatepass"))
        key, originals = bytes.fromhex(data["secret"]), data["originals"]
        is_sound = (
            len(key) == SECRET_BYTES and all(map(_is_pair, originals.items())) and data["format"] == FORMAT
        )
    except NotRegularError as error:
        raise AgtraceError(f"{path}: {error.strerror}", "name another file with --secret") from error
    except FileNotFoundError as error:
        raise AgtraceError(
            f"{path}: no such file",
            "agtrace redact CASE -o DIR makes it; name the one that was used with --secret",
        ) from error
    except OSError as error:
        raise AgtraceError(
            f"{path}: cannot be read ({error.strerror or error})", "name another file"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_sound = False
    if not is_sound:
        raise AgtraceError(
            f"{path}: not a secret of agtrace redact", "name the file that it wrote, or a new one"
        )
    return Secret(path, key, dict(originals))


@contextlib.contextmanager
def held(path: Path) -> Iterator[Secret]:
    """Yield the secret of a file, locked against other redactions; created if missing.

    Raises
    ------
    AgtraceError
        The file contains something else or cannot be written, or another redaction does not finish.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise AgtraceError(
            f"{path}: cannot be written ({error.strerror or error})", "name another file with --secret"
        ) from error
    with WriterLock(path.parent, f"{path.name}.lock", PATIENCE_S):
        yield read_or_make(path)


def read_or_make(path: Path) -> Secret:
    """Return the secret in a file; without a file, create and write a new one.

    Raises
    ------
    AgtraceError
        The file contains something else, or cannot be written.
    """
    if os.path.lexists(path):
        return read(path)
    made = Secret(path, secrets.token_bytes(SECRET_BYTES))
    made.keep(made.pseudonyms())
    return made


def _is_pair(pair: tuple[object, object]) -> bool:
    return isinstance(pair[0], str) and isinstance(pair[1], str)
