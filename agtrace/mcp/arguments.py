"""Arguments of tools: declared once, for the schema that clients read and for the check of each call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agtrace.errors import CaseError
from agtrace.mcp.unknown import unknown

MOST_WORDS = 50
"""Values of an argument that is a list."""
MOST_OF_A_VALUE = 20_000
"""Characters of an argument."""


@dataclass(frozen=True)
class Parameter:
    """An argument of a tool.

    Parameters
    ----------
    name, about
        As the client sees them.
    kind
        Type of its values: str, int, float, bool, or list (of texts).
    default
        Default value.
    least, most
        Bounds of a number.
    choice
        The allowed values; any when empty.
    is_needed
        Whether it is required.
    """

    name: str
    about: str
    kind: type = str
    default: Any = None
    least: float | None = None
    most: float | None = None
    choice: tuple[str, ...] = ()
    is_needed: bool = False

    def schema(self) -> dict[str, Any]:
        """Return it as JSON Schema."""
        told: dict[str, Any] = {"type": _SCHEMA_TYPES[self.kind], "description": self.about}
        if self.kind is list:
            told |= {"items": {"type": "string"}, "maxItems": MOST_WORDS}
        if self.choice:
            told["enum"] = list(self.choice)
        told |= {} if self.least is None else {"minimum": self.least}
        told |= {} if self.most is None else {"maximum": self.most}
        return told | ({} if self.default is None else {"default": self.default})

    def checked(self, value: Any) -> Any:
        """Return the value, checked and converted.

        Raises
        ------
        CaseError
            The value has another type, is out of bounds, or is not one of the choices.
        """
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if self.kind is float and is_number:
            value = float(value)
        if self.kind is int and isinstance(value, float) and value.is_integer():
            value = int(value)
        if self.kind is list and isinstance(value, str):
            value = [value]
        is_right = isinstance(value, self.kind) and (self.kind is bool or not isinstance(value, bool))
        if not is_right or (self.kind is list and not all(isinstance(each, str) for each in value)):
            raise CaseError(f"{self.name}={_brief(value)} is not a {_WORDS[self.kind]}", self.about)
        if isinstance(value, str | list):
            self._check_length(value)
        if is_number:
            self._check_bounds(value)
        if self.choice and value not in self.choice:
            raise unknown(f"{self.name}={_brief(value)} is not known", str(value), self.choice)
        return value

    def _check_bounds(self, value: float) -> None:
        # Written so that no comparison with NaN passes.
        if not (self.least is None or value >= self.least):
            raise CaseError(f"{self.name}={_brief(value)} is too small", f"at least {self.least:g}")
        if not (self.most is None or value <= self.most):
            raise CaseError(f"{self.name}={_brief(value)} is too large", f"at most {self.most:g}")

    def _check_length(self, value: str | list[str]) -> None:
        long = len(value) > MOST_WORDS if isinstance(value, list) else False
        if long or len("".join(value)) > MOST_OF_A_VALUE:
            raise CaseError(f"{self.name} is too long", f"at most {MOST_OF_A_VALUE:,} characters")


_SCHEMA_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array"}
_WORDS = {str: "text", int: "whole number", float: "number", bool: "truth value", list: "list of texts"}


def schema(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the schema of the arguments of a tool."""
    return {
        "type": "object",
        "properties": {each.name: each.schema() for each in parameters},
        "required": [each.name for each in parameters if each.is_needed],
        "additionalProperties": False,
    }


def arguments(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for each argument of a tool; null counts as missing.

    Raises
    ------
    CaseError
        The tool has no such argument, a required one is missing, or a value is invalid.
    """
    known = [each.name for each in parameters]
    for name in given:
        if name not in known:
            raise unknown(f"there is no argument {_brief(name)}", name, known)
    found = {}
    for each in parameters:
        value = given.get(each.name)
        if value is None and each.is_needed:
            raise CaseError(f"the argument {each.name} is missing", each.about)
        found[each.name] = each.default if value is None else each.checked(value)
    return found


def _brief(value: Any) -> str:
    return f"{value!r:.100}"
