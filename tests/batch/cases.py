"""Small cases and a watch that runs beside the test, in findings-only mode: reports cost seconds."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from agtrace.batch import Options, watch
from tests.ingest import texts

FINDINGS_ONLY = Options(pages=False, jobs=1)
SETTLE_S = 0.2
PATIENCE_S = 60.0


def make_case(folder: Path, rows: int = 6) -> Path:
    """Write a case with one perfmon capture."""
    folder.mkdir(parents=True)
    (folder / "perf.csv").write_bytes(texts.perfmon(rows))
    return folder


def make_quick_case(folder: Path, rows: int = 6) -> Path:
    """Write a case that few questions are asked of; its capture is cut short, which is a finding."""
    folder.mkdir(parents=True)
    memory = (r"\\JBSAG3\Memory\Available MBytes",)
    (folder / "perf.csv").write_bytes(texts.perfmon(rows, series=memory) + b"0")
    return folder


def results(out: Path, name: str) -> list[dict[str, object]]:
    """Read a relation of the results."""
    # Opened once: a batch may put a new file in its place between the footer and the rows.
    held = (out / "results" / f"{name}.parquet").read_bytes()
    return pq.read_table(pa.BufferReader(held)).to_pylist()


def cases(out: Path) -> dict[str, str]:
    """Return the status of each case in the results."""
    return {str(row["case"]): str(row["status"]) for row in results(out, "cases")}


class Watching:
    """A watch that runs in a thread."""

    def __init__(self, inbox: Path, out: Path, options: Options, settle_s: float) -> None:
        self.out = out
        self.log: list[str] = []
        self._over = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(inbox, out, options, settle_s))
        self._thread.start()

    def _run(self, inbox: Path, out: Path, options: Options, settle_s: float) -> None:
        try:
            watch(
                inbox, out, options, self.log.append, settle_s=settle_s, retry_s=0.2, until=self._over.is_set
            )
        except BaseException as error:
            self._error = error

    def said(self, text: str) -> list[str]:
        """Return the log lines that contain a text."""
        return [line for line in self.log if text in line]

    def wait(self, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, self.log
            assert self._thread.is_alive(), (self._error, self.log)
            time.sleep(0.05)

    def wait_for(self, text: str, times: int = 1) -> None:
        """Wait until the log has so many lines with a text."""
        self.wait(lambda: len(self.said(text)) >= times)

    def stop(self) -> None:
        self._over.set()
        self._thread.join(PATIENCE_S)
        assert self._error is None, self._error


@contextlib.contextmanager
def watching(
    inbox: Path, out: Path, options: Options = FINDINGS_ONLY, settle_s: float = SETTLE_S
) -> Iterator[Watching]:
    """Watch an inbox as long as the context lasts."""
    running = Watching(inbox, out, options, settle_s)
    try:
        yield running
    finally:
        running.stop()
