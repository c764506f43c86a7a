"""Paths of servers and of captures: drives, extensions and the product's own folders stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote, unquote

from agtrace.redact.dictionary import Dictionary
from agtrace.redact.pseudonyms import DOMAIN, FILE, FOLDER, HOST
from agtrace.redact.vocabulary import SUFFIXES, SYSTEM
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
_SCHEMES = frozenset((
    "http", "https", "tcp", "np", "lpc", "admin", "s3", "file", "smb", "cifs", "nfs", "ftp", "sftp",
    "abfs", "abfss", "adl", "wasbs",
))  # fmt: skip
_FOUR = re.compile(r"(?:\d{1,3}\.){3}(?:\d{1,3}|x{1,3})")
_PUBLIC = frozenset((
    "go.microsoft.com", "www.microsoft.com", "microsoft.com", "support.microsoft.com", "docs.microsoft.com",
    "learn.microsoft.com", "technet.microsoft.com", "msdn.microsoft.com", "schemas.microsoft.com",
    "watson.microsoft.com", "aka.ms", "www.w3.org", "schemas.xmlsoap.org", "clusterlabs.org",
))  # fmt: skip
"""Web sites named in messages of the product."""
_HEAD = re.compile(r"(?:\\\\[?.]\\(?:UNC\\)?)?(?:[A-Za-z]:)?", re.IGNORECASE)
"""A drive, and the prefix that makes Windows use a path literally."""
_SEPARATORS = re.compile(r"([\\/]+)")


class Paths:
    """Rewrites paths.

    Parameters
    ----------
    dictionary
        The names of the case.
    words
        Rewrites a short text, such as a file name.
    of_hosts
        Rewrites a file or folder name; host names in it are replaced even if they are ordinary words.
    """

    def __init__(
        self, dictionary: Dictionary, words: Callable[[str], str], of_hosts: Callable[[str], str]
    ) -> None:
        self._names = dictionary
        self._words = words
        self._of_hosts = of_hosts

    def path(self, value: str) -> str:
        """Return a server's path with each folder and the file replaced; other texts are handled as texts."""
        head = _HEAD.match(value)[0]  # type: ignore[index]
        is_share = value.startswith("\\\\") and (not head or head.upper().endswith("\\UNC\\"))
        if not (head or is_share or value.startswith("/")):
            return self._words(value)
        pieces = _SEPARATORS.split(value[len(head) :])
        names = [place for place, piece in enumerate(pieces) if piece and not _SEPARATORS.fullmatch(piece)]
        if is_share and names:
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
        """Return a web address without its query, which may contain a key, and without a password."""
        scheme, _, rest = value.partition("://")
        place, *folders = re.split("[?#]", rest, maxsplit=1)[0].split("/")
        user, at, host = place.rpartition("@")
        user = self._names.pseudonyms.word(unquote(user.partition(":")[0])) if at else ""
        last = len(folders) - 1
        named = [
            quote(self._named(unquote(name), is_last=number == last, is_product=False)) if name else ""
            for number, name in enumerate(folders)
        ]
        made = f"{user}{at}{self._host(host)}"
        return f"{scheme if scheme.lower() in _SCHEMES else self._words(scheme)}://{made}" + "".join(
            f"/{name}" for name in named
        )

    def _host(self, value: str) -> str:
        """Return a host and its port, as written in a web address."""
        six = re.match(r"\[(.*?)\]", value)
        host, colon, port = (six[1], *value[six.end() :].partition(":")[1:]) if six else value.partition(":")
        made = self._names.pseudonyms.addresses.pseudonym(host) if six else self._labels(host)
        made = f"[{made}]" if six else made
        return made + (colon + (port if port.isdecimal() else self._words(port)) if colon else "")

    def _labels(self, host: str) -> str:
        if _FOUR.fullmatch(host):
            return self._names.pseudonyms.addresses.pseudonym(host)
        if host.casefold() in _PUBLIC:
            return host
        made = []
        for place, label in enumerate(host.split(".")):
            found = self._names.whole(label) or self._words(label)
            is_plain = label.casefold() in (SUFFIXES if place else SYSTEM)
            if found == label and label and not is_plain:
                found = self._names.pseudonyms.name(label, DOMAIN if place else HOST)
            made.append(found)
        return ".".join(made)

    def capture(self, value: str) -> str:
        """Return the path of a capture in its case: words of collectors and SQL Server's own files stay."""
        return "/".join(
            part if part.upper() in PLAIN_FOLDERS else self._of_hosts(part) for part in value.split("/")
        )
