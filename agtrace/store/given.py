"""What an opened case carries of the settings files that lie in it: for those who tell of it, above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol


class Given(Protocol):
    """What the settings files of a case say, and what they do."""

    @property
    def paths(self) -> dict[str, str]:
        """Host of each path that hosts.toml names."""

    @property
    def aliases(self) -> dict[str, list[str]]:
        """Further names of hosts."""

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Labelled runs."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What in the files does not hold, one line each."""

    @property
    def mine(self) -> dict[str, float]:
        """Thresholds that whoever asks has set."""

    @property
    def turned(self) -> Callable[[], Sequence[object]]:
        """Gives the verdicts that the settings turn; costs as much as the findings, once."""
