"""Buffer configuration blocks of trace flag 3213, in every layout (docs/formats/errorlog.md, section 4).

A block is a run of ``key: value`` lines of one source. Blocks of sessions that back up at the same
time lie interleaved, and a block may lie across two reads of the file.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from agtrace.readers.errorlog.match import extract
from agtrace.tables import FIELDS
from agtrace.tables import kernels as pc

OPENING = b"Backup/R"
"""How ``Backup/Restore buffer configuration parameters`` begins."""

KEYS: dict[str, str] = {
    "memorylimit": "memory_limit_mb",
    "buffercount": "buffer_count",
    "setsofbuffers": "sets_of_buffers",
    "maxtransfersize": "max_transfer_size_kb",
    "minmaxtransfersize": "min_max_transfer_size_kb",
    "totalbufferspace": "total_mb",
    "buffersperreadstream": "buffers_per_read_stream",
    "buffersperwritestream": "buffers_per_write_stream",
    "tabulardatadevicecount": "tabular_data_device_count",
    "filetreedatadevicecount": "fulltext_data_device_count",
    "fulltextdatadevicecount": "fulltext_data_device_count",
    "filestreamdevicecount": "filestream_device_count",
    "txfdevicecount": "txf_device_count",
    "filesystemi/oalignment": "filesystem_io_alignment_bytes",
    "mediabuffercount": "media_buffer_count",
    "mediabuffersize": "media_buffer_size_kb",
    "encodebuffercount": "encode_buffer_count",
}
"""Names of the values by their spelling without blanks, lower case; FileTree is the older name of Fulltext.
"""

KEY_HEADS = frozenset(
    head.encode()
    for head in (
        "Memory l", "BufferCo", "Buffer c", "Sets Of ", "MaxTrans", "Max tran", "Min MaxT", "Total bu",
        "Buffers ", "Tabular ", "FileTree", "Fulltext", "Filestre", "TXF devi", "Filesyst", "Media Bu",
        "Encode B",
    )
)  # fmt: skip

_NAMES = tuple(dict.fromkeys(KEYS.values()))
_NUMBER = {name: number for number, name in enumerate(_NAMES)}
_LINE = r"^(?P<key>[A-Za-z][A-Za-z/ ]*?) *: *(?P<value>[0-9]{1,15}) *(?P<unit>[KM]B)?\s*(?:\n|$)"
_OPENING_KEY = -1
NO_LINE = -2
_LEAST_KEYS = 2

LINE_SCHEMA = pa.schema(
    [
        ("line", pa.int64()),
        ("time_local", pa.timestamp("us")),
        ("source", pa.string()),
        ("operation", pa.string()),
        ("database", pa.string()),
        ("operation_line", pa.int64()),
        ("key", pa.int64()),
        ("value", pa.int64()),
    ]
)
"""A line of a block: where it stands, what operation it belongs to, number of its key, its value."""


BLOCK_SCHEMA = pa.schema([*list(LINE_SCHEMA)[:3], ("fields", FIELDS)])
"""A block, at its first line."""


def parse_lines(texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Read ``key: value unit`` lines.

    Returns
    -------
    tuple of arrays
        Number of the key (`_OPENING_KEY` for opening lines, `NO_LINE` when it is no such line), and
        the value in the unit of the key's name.
    """
    if not len(texts):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    # The lines are the same for every backup of a configuration: each distinct one is parsed once.
    encoded = texts.dictionary_encode()
    distinct = encoded.dictionary
    hit, columns = extract(distinct, _LINE)
    spelled = pc.replace_substring(pc.utf8_lower(columns["key"]), " ", "").to_pylist()
    key = np.array([_NUMBER.get(KEYS.get(text, ""), NO_LINE) for text in spelled], np.int64)
    key[~hit] = NO_LINE
    key[pc.starts_with(distinct, OPENING.decode()).to_numpy(zero_copy_only=False)] = _OPENING_KEY
    value = pc.cast(pc.if_else(pa.array(key >= 0), columns["value"], "0"), pa.int64()).to_numpy().copy()
    unit = columns["unit"]
    megabytes = np.array([name.endswith("_mb") for name in _NAMES] + [False, False])[key]
    value[~megabytes & _is(unit, "MB") & (key >= 0)] *= 1024
    value[megabytes & _is(unit, "KB")] //= 1024
    codes = encoded.indices.to_numpy()
    return key[codes], value[codes]


def _is(unit: pa.Array, text: str) -> np.ndarray:
    return pc.equal(unit, text).to_numpy(zero_copy_only=False)


class BufferBlocks:
    """Puts the lines of blocks together; blocks that are still open wait for the next call."""

    def __init__(self) -> None:
        self._open = pa.RecordBatch.from_pylist([], LINE_SCHEMA)

    @property
    def are_open(self) -> bool:
        """Whether the next row of some source may still continue a block."""
        return self._open.num_rows > 0

    def feed(self, sources: pa.Array, positions: np.ndarray, lines: pa.RecordBatch) -> pa.RecordBatch:
        """Take the next rows of a log.

        Parameters
        ----------
        sources
            The source of every row, of other rows too: a block ends where its source says
            something else.
        positions, lines
            Which of the rows are lines of blocks, ascending, and what they say (`LINE_SCHEMA`).

        Returns
        -------
        pyarrow.RecordBatch
            The blocks that ended: line, time_local, source, fields.
        """
        lines, held_before = pa.concat_batches([self._open, lines]), self._open.num_rows
        if not lines.num_rows:
            return pa.RecordBatch.from_pylist([], BLOCK_SCHEMA)
        codes = pa.concat_arrays([lines["source"], sources]).dictionary_encode().indices.to_numpy()
        of_line, of_row = codes[: lines.num_rows], codes[lines.num_rows :]
        concerned = np.isin(of_row, of_line)
        concerned[positions] = False
        others = np.flatnonzero(concerned)
        code = np.concatenate([of_line, of_row[others]])
        position = np.concatenate([np.arange(-held_before, 0), positions, others])
        key = np.concatenate([lines["key"].to_numpy(), np.full(len(others), NO_LINE)])
        order = np.lexsort((position, code))
        block = _block_numbers(code[order], key[order])
        last = np.append(code[order][1:] != code[order][:-1], True)
        still_open = np.isin(block, block[last & (block > 0)]) & (block > 0)
        self._open = lines.take(pa.array(order[still_open]))
        ended = (block > 0) & ~still_open
        return _blocks(lines.take(pa.array(order[ended])), block[ended])

    def finish(self) -> pa.RecordBatch:
        """Return the blocks that were still open."""
        lines, self._open = self._open, self._open[:0]
        code = lines["source"].dictionary_encode().indices.to_numpy()
        return _blocks(lines, _block_numbers(code, lines["key"].to_numpy()))


def _block_numbers(code: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Return the number of each row's block, from 1, of rows sorted by source; 0 for rows of no block.

    A block begins with an opening line, after a row of another kind, or where the first key of the
    block before comes again.
    """
    if not len(key):
        return np.zeros(0, np.int64)
    before = np.append(NO_LINE, key[:-1])
    before[np.append(True, code[1:] != code[:-1])] = NO_LINE
    is_line, is_key = key > NO_LINE, key >= 0
    begins = (key == _OPENING_KEY) | (is_key & (before == NO_LINE))
    first_key = is_key & (before < 0)
    at = np.maximum.accumulate(np.where(first_key, np.arange(len(key)), 0))
    begins |= is_key & ~first_key & (key == key[at])
    return np.where(is_line, np.cumsum(begins), 0)


def _blocks(lines: pa.RecordBatch, block: np.ndarray) -> pa.RecordBatch:
    """Return one row per block, sorted by source."""
    if not lines.num_rows:
        return pa.RecordBatch.from_pylist([], BLOCK_SCHEMA)
    keys = lines["key"].to_numpy()
    chosen = np.flatnonzero(keys >= 0)
    _, once = np.unique(block[chosen] * len(_NAMES) + keys[chosen], return_index=True)
    chosen = np.sort(chosen[once])
    numbers, count = np.unique(block[chosen], return_counts=True)
    numbers = numbers[count >= _LEAST_KEYS]
    chosen = chosen[np.isin(block[chosen], numbers)]
    index = np.searchsorted(numbers, block[chosen])
    first = pa.array(
        np.flatnonzero(np.isin(block, numbers) & np.append(True, block[1:] != block[:-1])[: len(block)])
    )
    values = lines["value"].take(pa.array(chosen))
    table = np.full((len(numbers), len(_NAMES)), -1)
    table[index, keys[chosen]] = values
    heads = lines.take(first)
    extra = {
        "total_matches": _total_matches(table),
        "operation": heads["operation"],
        "database": heads["database"],
        "operation_line": heads["operation_line"].cast(pa.string()),
    }
    names = [pa.array(_NAMES).take(pa.array(keys[chosen]))]
    items, owner = [values.cast(pa.string())], [index]
    for name, column in extra.items():
        there = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False))
        names.append(pa.array([name] * len(there), pa.string()))
        items.append(column.take(pa.array(there)))
        owner.append(there)
    owners = np.concatenate(owner)
    order = pa.array(np.argsort(owners, kind="stable"))
    offsets = np.searchsorted(np.sort(owners), np.arange(len(numbers) + 1)).astype(np.int32)
    fields = pa.MapArray.from_arrays(
        pa.array(offsets), pa.concat_arrays(names).take(order), pa.concat_arrays(items).take(order)
    )
    return pa.RecordBatch.from_arrays(
        [heads["line"], heads["time_local"], heads["source"], fields], schema=BLOCK_SCHEMA
    )


def _total_matches(table: np.ndarray) -> pa.Array:
    """Check total = sets x count x size; 2005 has no sets and means one."""
    sets = np.where(table[:, _NUMBER["sets_of_buffers"]] < 0, 1, table[:, _NUMBER["sets_of_buffers"]])
    count, size = table[:, _NUMBER["buffer_count"]], table[:, _NUMBER["max_transfer_size_kb"]]
    total = table[:, _NUMBER["total_mb"]]
    known = (count >= 0) & (size >= 0) & (total >= 0)
    matches = np.abs(sets.astype(float) * count * size / 1024 - total) < 1
    return pa.array(np.where(matches, "true", "false"), pa.string(), mask=~known)
