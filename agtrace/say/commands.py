"""Names from captures in commands that users copy and run: quoted, or replaced by a gap to fill in.

A command is between backticks and flattened like all text. A name that would be changed by this is
replaced by a gap; commands with a gap have no copy button.
"""

from __future__ import annotations

from agtrace.say import words

GAP = "..."
_LONGEST = 256
"""Characters: twice a name of SQL Server, for those with an instance."""


def identifier(name: str | None) -> str:
    """Return a name as a T-SQL identifier: ``[Sales]``, ``[a]]b]``."""
    return f"[{GAP}]" if not _is_exact(name) else "[" + str(name).replace("]", "]]") + "]"


def literal(name: str | None, prefix: str = "N") -> str:
    """Return a name as a string of T-SQL, ``N'Sales'``, or without the prefix as one of PowerShell."""
    return f"{prefix}'{GAP}'" if not _is_exact(name) else f"{prefix}'" + str(name).replace("'", "''") + "'"


def _is_exact(name: str | None) -> bool:
    """Return whether a name is unchanged when written, and does not end the command."""
    return bool(name) and words.plain(name, _LONGEST) == name and "`" not in str(name)
