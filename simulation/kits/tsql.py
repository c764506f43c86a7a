"""A grammar of the T-SQL that kits hold: nothing else passes it.

Queries and expressions are parsed by sqlglot, which takes PRINT, WHILE, DBCC and event sessions for commands
that it does not know; these are parsed here, after the syntax on their pages of Microsoft's reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import sqlglot
from sqlglot import exp

DIALECT = "tsql"
BATCH_END = re.compile(r"(?mi)^[ \t]*GO[ \t]*$")
WAIT = re.compile(r"'\d\d:[0-5]\d:[0-5]\d'")
TOKEN = re.compile(r"N?'(?:''|[^'])*'|\[[^\]\n]+\]|@{0,2}\w+|[^\s\w]")
COMMENT = re.compile(r"--[^\n]*")


class NotTsqlError(ValueError):
    """A text is no T-SQL that a kit may hold."""


@dataclass(frozen=True)
class Statement:
    """A statement.

    Parameters
    ----------
    verb
        SELECT, PRINT, IF, WHILE, CREATE EVENT SESSION, ...
    text
        As it stands there.
    tree
        What sqlglot makes of a query or an expression of it.
    body
        The statements in it.
    named
        Names in it: of a session and its events, of trace flags.
    """

    verb: str
    text: str
    tree: exp.Expression | None = None
    body: tuple[Statement, ...] = ()
    named: tuple[str, ...] = field(default=())


def parse(text: str) -> list[Statement]:
    """Parse a file for sqlcmd, batch by batch.

    Raises
    ------
    NotTsqlError
        It is none.
    """
    found: list[Statement] = []
    for batch in BATCH_END.split(text.replace("\r\n", "\n")):
        found += _Parser(batch).statements()
    return found


def walk(statements: list[Statement]) -> list[Statement]:
    """Return all statements, nested ones after their parents."""
    return [each for one in statements for each in (one, *walk(list(one.body)))]


class _Parser:
    def __init__(self, text: str) -> None:
        # A comment becomes blanks, so that places stay; kits have none behind a string of two dashes.
        lines = [
            COMMENT.sub("", line) if line.lstrip().startswith("--") else line for line in text.split("\n")
        ]
        self._text = "\n".join(lines)
        self._tokens = list(TOKEN.finditer(self._text))
        self._at = 0

    def statements(self, end: str = "") -> list[Statement]:
        found = []
        while self._at < len(self._tokens) and self._word() != end:
            found.append(self._statement())
        return found

    def _statement(self) -> Statement:
        begin = self._at
        verb = self._word()
        if verb in ("CREATE", "ALTER", "DROP"):
            return self._event_session(verb, begin)
        if verb in ("IF", "WHILE"):
            self._at += 1
            condition = self._until("BEGIN", "ALTER", "DROP")
            tree = self._parsed(f"SELECT 1 WHERE {condition}")
            return Statement(verb, condition, tree, tuple(self._block()))
        if verb in ("SELECT", "DECLARE"):
            text = self._until(";")
            self._take(";")
            return Statement(verb, text, self._parsed(text))
        simple = {
            "SET": self._set,
            "PRINT": self._print,
            "DBCC": self._dbcc,
            "RAISERROR": self._raiserror,
            "WAITFOR": self._wait,
        }
        if verb not in simple:
            raise NotTsqlError(f"{verb} at {self._text[self._tokens[begin].start() :][:60]!r}")
        self._at += 1
        named, tree = simple[verb]()
        statement = Statement(verb, self._since(begin), tree, named=named)
        self._take(";")
        return statement

    def _block(self) -> list[Statement]:
        if self._word() != "BEGIN":
            return [self._statement()]
        self._take("BEGIN")
        found = self.statements("END")
        self._take("END")
        self._take(";")
        if not found:
            raise NotTsqlError("BEGIN and END with nothing between")
        return found

    def _set(self) -> tuple[tuple[str, ...], exp.Expression | None]:
        if self._word() == "NOCOUNT":
            self._take("NOCOUNT")
            self._take("ON")
            return (), None
        text = self._until(";")
        name, is_set, value = text.partition("=")
        if not is_set or not re.fullmatch(r"@\w+ ", name):
            raise NotTsqlError(f"SET {text}")
        return (name.strip(),), self._parsed(f"SELECT {value}")

    def _print(self) -> tuple[tuple[str, ...], exp.Expression]:
        return (), self._parsed(f"SELECT {self._until(';')}")

    def _dbcc(self) -> tuple[tuple[str, ...], None]:
        command = self._next()
        if command not in ("TRACEON", "TRACEOFF", "TRACESTATUS"):
            raise NotTsqlError(f"DBCC {command}")
        self._take("(")
        flags = self._until(")").replace(" ", "").split(",")
        if not all(re.fullmatch(r"-1|\d{3,5}", flag) for flag in flags):
            raise NotTsqlError(f"DBCC {command} ({flags})")
        self._take(")")
        return (command, *flags), None

    def _raiserror(self) -> tuple[tuple[str, ...], None]:
        for part in ("(", "''", ",", "0", ",", "1", ")", "WITH", "NOWAIT"):
            self._take(part)
        return (), None

    def _wait(self) -> tuple[tuple[str, ...], None]:
        self._take("DELAY")
        moment = self._next()
        if not WAIT.fullmatch(moment):
            raise NotTsqlError(f"WAITFOR DELAY {moment}")
        return (moment,), None

    def _event_session(self, verb: str, begin: int) -> Statement:
        for part in (verb, "EVENT", "SESSION"):
            self._take(part)
        named = [self._name()]
        for part in ("ON", "SERVER"):
            self._take(part)
        if verb == "CREATE":
            named += self._definitions()
        elif verb == "ALTER":
            named += self._change()
        statement = Statement(f"{verb} EVENT SESSION", self._since(begin), named=tuple(named))
        self._take(";")
        return statement

    def _definitions(self) -> list[str]:
        events = [self._added("EVENT")]
        while self._is(","):
            self._take(",")
            events.append(self._added("EVENT"))
        self._added("TARGET")
        self._settings(r"N?'?\w+'?|\(\d+\)", "SET")
        self._take("WITH")
        self._settings(r"\d+ MB|ALLOW_MULTIPLE_EVENT_LOSS|OFF|ON")
        return events

    def _change(self) -> list[str]:
        if self._word() == "ADD":
            return [self._added("EVENT")]
        self._take("STATE")
        self._take("=")
        state = self._next()
        if state not in ("START", "STOP"):
            raise NotTsqlError(f"STATE = {state}")
        return []

    def _added(self, what: str) -> str:
        self._take("ADD")
        self._take(what)
        package = self._name()
        self._take(".")
        name = self._name()
        if package != {"EVENT": "sqlserver", "TARGET": "package0"}[what]:
            raise NotTsqlError(f"{what} of the package {package}")
        return name

    def _settings(self, value: str, first: str = "") -> None:
        self._take("(")
        if first:
            self._take(first)
        inner = self._until(")")
        self._take(")")
        for each in inner.split(", "):
            if not re.fullmatch(rf"\w+ = (?:{value})", each):
                raise NotTsqlError(f"the setting {each!r}")

    def _parsed(self, text: str) -> exp.Expression:
        try:
            trees = sqlglot.parse(text, read=DIALECT)
        except sqlglot.errors.SqlglotError as error:
            raise NotTsqlError(f"{text[:80]!r}: {error}") from error
        if len(trees) != 1 or trees[0] is None or trees[0].find(exp.Command):
            raise NotTsqlError(f"{text[:80]!r} is not understood")
        return trees[0]

    def _token(self) -> re.Match[str]:
        if self._at >= len(self._tokens):
            raise NotTsqlError(f"it ends too early: {self._text[-60:]!r}")
        return self._tokens[self._at]

    def _word(self) -> str:
        return self._token()[0].upper() if self._at < len(self._tokens) else ""

    def _is(self, text: str) -> bool:
        return self._at < len(self._tokens) and self._word() == text

    def _next(self) -> str:
        text = self._token()[0]
        self._at += 1
        return text

    def _name(self) -> str:
        name = self._next()
        if not re.fullmatch(r"[A-Za-z_]\w{0,127}", name):
            raise NotTsqlError(f"{name!r} is no name")
        return name

    def _take(self, text: str) -> None:
        if self._word() != text:
            raise NotTsqlError(f"{text!r} is missing before {self._text[self._token().start() :][:60]!r}")
        self._at += 1

    def _until(self, *ends: str) -> str:
        """Take what stands before one of these words, whole brackets of it at once."""
        begin, depth = self._at, 0
        while depth or self._word() not in ends:
            depth += {"(": 1, ")": -1}.get(self._token()[0], 0)
            self._at += 1
        return self._since(begin)

    def _since(self, begin: int) -> str:
        if begin == self._at:
            raise NotTsqlError(f"nothing before {self._text[self._token().start() :][:60]!r}")
        return self._text[self._tokens[begin].start() : self._tokens[self._at - 1].end()]
