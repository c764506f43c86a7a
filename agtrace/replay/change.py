"""Changes to a chain, the input of a replay."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from agtrace.errors import CaseError

ASYNCHRONOUS, SYNCHRONOUS = "asynchronous", "synchronous"
SCALED = "scaled"


@dataclass(frozen=True)
class Change:
    """Changes that apply together; None (or 1) leaves a value unchanged.

    Parameters
    ----------
    window
        ``"scaled"``: turn on scaling of the receive window of the path.
    capacity
        Factor of the throughput that the path carried at its limit.
    rtt_ms
        Round-trip time of the path, ms.
    loss
        Fraction of segments lost on the path.
    disk, redo
        Factor of the speed of the replica's log disk, or of its redo.
    compression
        Whether the log stream is compressed.
    commit
        ``"synchronous"`` or ``"asynchronous"``.
    load
        Factor of the amount of log.
    replicas
        Number of replicas like this one that commits wait for.
    seeding_bytes_per_s
        Throughput that a concurrent seeding takes from the path.
    """

    window: str | None = None
    capacity: float | None = None
    rtt_ms: float | None = None
    loss: float | None = None
    disk: float | None = None
    redo: float | None = None
    compression: bool | None = None
    commit: str | None = None
    load: float | None = None
    replicas: int | None = None
    seeding_bytes_per_s: float | None = None

    def __post_init__(self) -> None:
        """Check every value.

        Raises
        ------
        CaseError
            A value is invalid.
        """
        for name in ("capacity", "rtt_ms", "disk", "redo", "load", "seeding_bytes_per_s"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and 0 < value < 1e15):
                raise CaseError(f"{name} = {value!r} is no positive number")
        if self.loss is not None and not 0 <= self.loss < 1:
            raise CaseError(f"loss = {self.loss!r} is no share of segments", "write 0.001 for 0.1 %")
        if self.window not in (None, SCALED):
            raise CaseError(f"window = {self.window!r} is not known", f"there is: {SCALED}")
        if self.commit not in (None, SYNCHRONOUS, ASYNCHRONOUS):
            raise CaseError(
                f"commit = {self.commit!r} is no commit mode", f"there are: {SYNCHRONOUS}, {ASYNCHRONOUS}"
            )
        if self.replicas is not None and not 1 <= self.replicas <= 8:
            raise CaseError(f"replicas = {self.replicas!r} is no number of replicas", "a group has 1 to 8")

    @property
    def is_nothing(self) -> bool:
        """Nothing is changed."""
        return not self.given

    @property
    def given(self) -> dict[str, object]:
        """The changed values, by name."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}

    @property
    def times_load(self) -> float:
        return self.load or 1.0
