"""Paths of servers and of captures: drives, extensions and the product's own folders stay."""

from __future__ import annotations

import re
from collections.abc import Callable

from agtrace.redact.dictionary import Dictionary
from agtrace.redact.pseudonyms import FILE, FOLDER, HOST
from agtrace.resolve.paths import PLAIN_FOLDERS

_PRODUCT = frozenset(
    (
        "program files", "program files (x86)", "microsoft sql server", "mssql", "data", "log",
        "backup", "binn", "jobs", "ftdata", "windows", "system32", "cluster", "reports", "var",
        "opt", "bin", "lib", "client sdk", "odbc", "tools", "secrets", ".system", "tmp", "etc",
        "usr", "proc",
    )
)  # fmt: skip
_ROOTS = frozenset(("program files", "program files (x86)", "windows"))
_UNIX_ROOTS = ("/var/opt/mssql/", "/opt/mssql/", "/proc/", "/etc/", "/usr/")
_INSTANCE = re.compile(r"(mssql\d{1,2}(?:_\d+)?\.)(.+)", re.IGNORECASE)
_OWN_FILES = re.compile(
    r"errorlog(?:\.\d+)?|sqlagent\.(?:out|\d+)|(?:master|model|tempdb|temp|msdb|msdbdata|modellog|mastlog|templog|"
    r"msdblog|mssqlsystemresource|model_msdbdata|model_msdblog|model_replicatedmaster)\d*\.[mnl]df|"
    r"(?:system_health|alwayson_health|sqldiag)[\w.]*\.xel|log_?\d*\.trc|sqlservr(?:\.exe)?",
    re.IGNORECASE,
)
_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")
_SEPARATORS = re.compile(r"([\\/]+)")


class Paths:
    """Rewrites paths.

    Parameters
    ----------
    dictionary
        The names of the case.
    words
        Rewrites a short text, such as a name of a file.
    of_hosts
        Rewrites a name of a file or folder in which the names of hosts are names, whatever words they are.
    """

    def __init__(
        self, dictionary: Dictionary, words: Callable[[str], str], of_hosts: Callable[[str], str]
    ) -> None:
        self._names = dictionary
        self._words = words
        self._of_hosts = of_hosts

    def path(self, value: str) -> str:
        """Give a path of a server with each folder and the file replaced; texts that are none are texts."""
        drive = re.match(r"[A-Za-z]:", value)
        is_share = value.startswith("\\\\")
        if not (drive or is_share or value.startswith("/")):
            return self._words(value)
        head = drive[0] if drive else ""
        pieces = _SEPARATORS.split(value[len(head) :])
        names = [place for place, piece in enumerate(pieces) if piece and not _SEPARATORS.fullmatch(piece)]
        if is_share and names and pieces[names[0]] not in (".", "?"):
            pieces[names[0]] = self._names.typed(pieces[names[0]], HOST)
            names = names[1:]
        lower = [pieces[place].casefold() for place in names]
        is_product = value.casefold().startswith(_UNIX_ROOTS) or bool(lower and lower[0] in _ROOTS)
        for number, place in enumerate(names):
            is_product = is_product and self._is_product(pieces[place], is_last=number == len(names) - 1)
            is_last = number == len(names) - 1
            pieces[place] = self._named(pieces[place], is_last=is_last, is_product=is_product)
        return head + "".join(pieces)

    def _is_product(self, name: str, *, is_last: bool) -> bool:
        return name.casefold() in _PRODUCT or bool(_INSTANCE.fullmatch(name)) or is_last

    def _named(self, name: str, *, is_last: bool, is_product: bool) -> str:
        found = self._names.whole(name)
        if found is not None:
            return found
        if name in (".", "..") or (is_last and _OWN_FILES.fullmatch(name)):
            return name
        if is_product:
            of_instance = _INSTANCE.fullmatch(name)
            if of_instance:
                return of_instance[1] + self._words(of_instance[2])
            if name.casefold() in _PRODUCT:
                return name
        made = self._words(name)
        if made != name:
            return made
        extension = _EXTENSION.search(name) if is_last else None
        end = extension[0] if extension else ""
        return self._names.pseudonyms.word(name, FILE if is_last else FOLDER) + end

    def url(self, value: str) -> str:
        """Give an address of the web without what is behind its question mark, which may be a key."""
        scheme, _, rest = value.partition("://")
        place, *folders = rest.partition("?")[0].split("/")
        host, colon, port = place.partition(":")
        labels = [self._words(label) for label in host.split(".")]
        named = [
            self._named(name, is_last=name is folders[-1], is_product=False) if name else ""
            for name in folders
        ]
        return f"{scheme}://{'.'.join(labels)}{colon}{port}" + "".join(f"/{name}" for name in named)

    def capture(self, value: str) -> str:
        """Give the path of a capture in its case: words of collectors and of SQL Server's own files stay."""
        return "/".join(
            part if part.upper() in PLAIN_FOLDERS else self._of_hosts(part) for part in value.split("/")
        )
