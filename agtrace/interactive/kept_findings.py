"""Cached findings of a case by question, and missing captures by question."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agtrace import strict_json
from agtrace.say.finding import Finding

if TYPE_CHECKING:
    from agtrace.store.derived import Derived

NAME = "findings"


class KeptFindings:
    """Cached findings of all questions of a case, written after all have been answered.

    Parameters
    ----------
    place
        Location of the cache, for one version of the case and of the code.
    """

    def __init__(self, place: Derived) -> None:
        self.place = place
        self._read = False
        self._found: dict[str, list[Finding]] = {}
        self._lacking: dict[str, list[str]] = {}

    def findings(self, question: str) -> list[Finding] | None:
        """Return the findings of a question; None if they are not cached."""
        self._look()
        found = self._found.get(question)
        return None if found is None else list(found)

    def lacking(self, question: str) -> list[str] | None:
        """Return the captures that a question lacks; None if they are not cached."""
        self._look()
        return list(self._lacking.get(question, [])) if question in self._found else None

    def keep(self, found: Mapping[str, Sequence[Finding]], lacking: Mapping[str, Sequence[str]]) -> None:
        """Cache the findings of all questions and the captures that some of them lack."""
        told = {
            "findings": {name: [each.kept() for each in findings] for name, findings in found.items()},
            "lacking": dict(lacking),
        }
        self.place.keep_text(NAME, strict_json.dumps(told))
        self._read = False

    def _look(self) -> None:
        if self._read:
            return
        self._read = True
        if (text := self.place.text(NAME)) is None:
            return
        told = json.loads(text)
        self._found = {
            name: [Finding.of(each) for each in findings] for name, findings in told["findings"].items()
        }
        self._lacking = told["lacking"]
