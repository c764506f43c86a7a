"""Progress of a run over many cases, on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType


class Progress:
    """A progress bar over the bytes of the cases, with the number of finished cases; hidden when piped.

    Parameters
    ----------
    cases, total
        Number of cases, and their total size in bytes.
    shown
        Whether to show it; standard error must also be a terminal.
    """

    def __init__(self, cases: int, total: int, *, shown: bool) -> None:
        from tqdm import tqdm

        self._cases = cases
        self._done = 0
        self._bar = tqdm(
            total=total,
            desc=self._told(),
            unit="B",
            unit_scale=True,
            leave=False,
            # None: silent when the output is not a terminal.
            disable=None if shown and cases else True,
        )

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def seen(self, count: int) -> None:
        """Count bytes that are done."""
        self._bar.update(count)

    def done(self) -> None:
        """Count a finished case, successful or not."""
        self._done += 1
        self._bar.set_description(self._told())

    def _told(self) -> str:
        return f"{self._done:,} of {self._cases:,} cases"


def beside_bars(log: Callable[[str], None]) -> Callable[[str], None]:
    """Print log lines above the progress bar."""

    def logged(line: str) -> None:
        from tqdm import tqdm

        with tqdm.external_write_mode():
            log(line)

    return logged
