"""The results of an ingest, by file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from agtrace.printable import plain

FAILED = ("failed", "unreadable")

SHOWN = 10
"""Maximum number of failed files that the repr of a report lists."""


@dataclass(frozen=True)
class IngestedCapture:
    """Result of the ingest of one file."""

    path: str
    kind: str
    status: str
    reason: str
    bytes: int
    rows: int
    seconds: float | None
    """Time it took; None when nothing was to be done."""


@dataclass(repr=False)
class IngestReport:
    """Result of an ingest; its repr shows counts, and the files that failed."""

    store: Path
    captures: list[IngestedCapture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Notes about the store itself, one line each."""

    @property
    def ingested(self) -> int:
        """Captures decoded now."""
        return sum(c.status == "ingested" and c.seconds is not None for c in self.captures)

    @property
    def skipped(self) -> int:
        """Captures that the store already held."""
        return sum(c.status == "ingested" and c.seconds is None for c in self.captures)

    @property
    def failed(self) -> int:
        """Captures that could not be read (fully)."""
        return sum(c.status in FAILED for c in self.captures)

    @property
    def usable(self) -> bool:
        """Whether any capture was read, in this ingest or before."""
        return any(c.status == "ingested" or c.rows for c in self.captures)

    @property
    def not_understood(self) -> int:
        """Files of no known format."""
        return sum(c.status == "not_understood" for c in self.captures)

    @property
    def counted(self) -> str:
        """Number of files by status, as text; the members of an opened archive count individually."""
        opened = self.opened_archives
        files = [each for each in self.captures if each.path not in opened or each.status in FAILED]
        statuses = Counter(capture.status for capture in files)
        counts = {
            "read": self.ingested,
            "unchanged": self.skipped,
            "recognised and not read": statuses["recognised"],
            "empty": statuses["empty"],
            "not understood": self.not_understood,
            "failed": self.failed,
        }
        said = ", ".join(f"{n:,} {what}" for what, n in counts.items() if n) or "nothing to read"
        n, packed = len(files), sum("!/" not in path for path in opened)
        inside = f" (with those of {packed:,} {'archive' if packed == 1 else 'archives'})" if packed else ""
        return f"{n:,} {'file' if n == 1 else 'files'}{inside}: {said}"

    @property
    def opened_archives(self) -> frozenset[str]:
        """Paths of the archives whose members are listed."""
        # A folder may have a name that ends in an exclamation mark, too.
        within = {each.path.rpartition("!/")[0] for each in self.captures}
        return frozenset(each.path for each in self.captures if each.path in within)

    def __repr__(self) -> str:
        failed = [each for each in self.captures if each.status in FAILED]
        lines = [f"{self.counted}; store {self.store}", *self.notes]
        lines += [f"failed: {plain(each.path)}: {plain(each.reason)}" for each in failed[:SHOWN]]
        if len(failed) > SHOWN:
            lines.append(f"and {len(failed) - SHOWN:,} more: .captures")
        return "\n".join(lines)
