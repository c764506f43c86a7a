"""Topics of ``messages`` and ``facts``, and their values, as declared by the readers.

A reader declares its topics in its own folder (``READER.topics``); `agtrace.readers.topics` collects them,
and docs/topics.md is generated from them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal


@dataclass(frozen=True)
class Value:
    """A field of ``messages.fields``, or a key of ``facts``.

    Parameters
    ----------
    name
        Its name; ``*`` stands for any text where names are open-ended, such as ``other:*``.
    meaning
        Its meaning, in a few words.
    unit
        Unit of a number; for facts, that of the column ``unit``.
    """

    name: str
    meaning: str
    unit: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Pattern of the names."""
        return re.compile(".*".join(map(re.escape, self.name.split("*"))), re.DOTALL)


@dataclass(frozen=True)
class Topic:
    """A topic: rows of ``messages`` or ``facts`` of the same type.

    Parameters
    ----------
    table
        The table whose column ``topic`` contains the name.
    name
        The name.
    row
        Meaning of one message, or of one item of facts.
    values
        All possible values; a row may lack any of them.
    message_ids
        Numbers in sys.messages of its texts; texts without a number are not among them.
    """

    table: Literal["messages", "facts"]
    name: str
    row: str
    values: tuple[Value, ...] = ()
    message_ids: tuple[int, ...] = ()

    def value(self, name: str) -> Value | None:
        """Find the declaration of a field or key: by its own name first, else the open-ended one."""
        exact = (value for value in self.values if value.name == name)
        fits = (value for value in self.values if value.pattern.fullmatch(name))
        return next(exact, None) or next(fits, None)


def facts(name: str, row: str, *values: Value) -> Topic:
    """Declare a topic of ``facts``."""
    return Topic("facts", name, row, values)
