"""Where the time goes from a performance log to the store: each step alone, for `bench/blg.py`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

STAGES = {
    "hash": "sha256 of the file",
    "decode": "bytes to numbers",
    "hand_over": "rows to columns sorted by series, in Arrow",
    "encode": "Parquet encodings and statistics",
    "compress": "zstd, and writing the file",
    "rest": "detection, catalogue, commit, hosts and clocks",
}
REPEAT = 3


def run_stages(log: Path, out: Path) -> dict[str, float]:
    """Return the processor seconds of each step, all threads together; the best of a few runs."""
    import pandas  # noqa: F401
    import pyarrow as pa
    import pyarrow.parquet as pq

    from agtrace.readers.base import Source
    from agtrace.store.parts import PartWriter

    source = Source.of_path(log)
    found: dict[str, list[float]] = {"hash": [], "decode": [], "hand_over": []}
    for _ in range(REPEAT):
        found["hash"].append(seconds(lambda: hashed(log)))
        watch = Watch()
        for _slab in slabs(source, watch):
            pass
        found["decode"].append(watch.feed)
        found["hand_over"].append(watch.take)

    batches = list(slabs(source, Watch()))

    def write() -> None:
        with PartWriter(out / "parts", "c" * 64, "bench") as part:
            for batch in batches:
                part.write("samples", batch)
            part.finish()

    def unpacked(_path: Path, *rest: object, **settings: object) -> pq.ParquetWriter:
        settings |= {"compression": "none", "compression_level": None}
        return writer(pa.MockOutputStream(), *rest, **settings)

    writer = pq.ParquetWriter
    found["compress"] = [seconds(write) for _ in range(REPEAT)]
    with patch.object(pq, "ParquetWriter", unpacked):
        found["encode"] = [seconds(write) for _ in range(REPEAT)]
    best = {stage: min(runs) for stage, runs in found.items()}
    return best | {"compress": best["compress"] - best["encode"]}


def run_pandas(log: Path, out: Path) -> dict[str, float]:
    """Read the text with pandas and put the values into a part of the same form, sorted the same."""
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    from agtrace.store.parts import PartWriter
    from agtrace.tables import SAMPLES

    wall, cpu = time.perf_counter(), time.process_time()
    hashed(log)
    wide = pd.read_csv(log, engine="c", na_values=" ", parse_dates=[0], date_format="%m/%d/%Y %H:%M:%S.%f")
    cells = wide.iloc[:, 1:].to_numpy(dtype=np.float64)
    rows_at_once = max(4_000_000 // cells.shape[1], 1)
    with PartWriter(out / "parts", "c" * 64, "pandas") as part:
        for first in range(0, len(cells), rows_at_once):
            columns = np.ascontiguousarray(cells[first : first + rows_at_once].T)
            series, row = np.nonzero(~np.isnan(columns))
            arrays = [
                pa.array(series.astype(np.int32)),
                pa.array((row + first).astype(np.int32)),
                pa.array(columns[series, row]),
            ]
            part.write("samples", pa.RecordBatch.from_arrays(arrays, schema=SAMPLES))
        part.finish()
    return {
        "seconds": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "values": part.rows["samples"],
    }


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def hashed(log: Path) -> None:
    from agtrace.ingest.discover import Place, content_id

    status = log.stat()
    content_id(Place(log, log.name, status.st_size, status.st_mtime_ns, None))


class Watch:
    """Takes the processor time of a decoder's two halves."""

    def __init__(self) -> None:
        self.feed = self.take = 0.0

    @contextmanager
    def feeding(self) -> Iterator[None]:
        start = time.process_time()
        yield
        self.feed += time.process_time() - start

    @contextmanager
    def taking(self) -> Iterator[None]:
        start = time.process_time()
        yield
        self.take += time.process_time() - start


def slabs(source, watch: Watch) -> Iterator:
    """Yield the batches of ``samples`` as the reader of either format does, without its thread."""
    from agtrace.readers.pdh_text.slabs import samples_batch

    decoder, pieces, full = (blg if source.name.endswith(".blg") else text)(source)
    while True:
        with watch.feeding():
            cells = next(pieces, None)
        if cells is None or cells >= full:
            with watch.taking():
                slab = decoder.take()
                batch = samples_batch(slab) if slab else None
            if batch is not None:
                yield batch
        if cells is None:
            return


def blg(source) -> tuple:
    from xelib.blg import Decoder

    from agtrace.readers.perfmon_blg import reader
    from agtrace.readers.perfmon_blg.feeding import feed

    decoder = Decoder()
    return decoder, feed(decoder, source, reader.BLOCK_BYTES), reader.SLAB_CELLS


def text(source) -> tuple:
    from xelib.pdh_text import Decoder

    from agtrace.readers.pdh_text import reader, slabs
    from agtrace.readers.pdh_text.columns import sort_columns
    from agtrace.readers.pdh_text.header import read_header

    file = source.open()
    header = read_header(file, source.path, reader.BLOCK_BYTES, None)
    columns = sort_columns(header.cells, ())
    decoder = Decoder(len(header.cells), columns.wanted, header=header.raw)

    def pieces() -> Iterator[int]:
        yield decoder.feed(header.rest)
        while block := file.read(reader.BLOCK_BYTES):
            yield decoder.feed(block)
        decoder.finish()

    return decoder, pieces(), slabs.SLAB_CELLS


# The report


def stage_table(stages: dict[str, dict], totals: dict[str, dict], values: float) -> Iterator[str]:
    """Yield the processor time of each step per value, and the possible ratio.

    ``stages`` and ``totals`` (the whole way, measured by itself) are by ``blg`` and ``text``.
    """
    for kind, found in stages.items():
        found["rest"] = max(totals[kind]["cpu"] - sum(found.values()), 0.0)
    yield "| step to the store, processor ns a value | binary | text |"
    yield "|---|---|---|"
    for stage, meaning in STAGES.items():
        yield (
            f"| {meaning} | {stages['blg'][stage] / values * 1e9:.1f} "
            f"| {stages['text'][stage] / values * 1e9:.1f} |"
        )
    whole = {kind: total["cpu"] for kind, total in totals.items()}
    yield f"| all | {whole['blg'] / values * 1e9:.1f} | {whole['text'] / values * 1e9:.1f} |"
    yield ""
    parquet = stages["blg"]["encode"] + stages["blg"]["compress"]
    free = whole["blg"] - stages["blg"]["decode"] - stages["blg"]["hand_over"]
    yield (
        f"In processor time the binary log has {whole['text'] / whole['blg']:.1f} times the speed of "
        f"the text. It would have {whole['text'] / free:.1f} times if reading it cost nothing, and "
        f"{whole['text'] / parquet:.1f} times if nothing but Parquet were left, which both write alike."
    )
