"""Lines that give an error's number, severity and state, in the 21 languages of message 18053.

Servers mix languages inside one file, so the language is never taken from the file: any spelling
matches anywhere (ERRORLOG, section 2, rules 3 and 4).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

ERROR = (
    "Error", "Fehler", "Erreur", "Errore", "Erro", "Chyba", "Fejl", "Virhe", "Hiba", "Fout", "Feil",
    "Fel", "Hata", "Błąd", "Ошибка", "エラー", "오류", "错误", "錯誤",
)  # fmt: skip
SEVERITY = (
    "Severity", "Schweregrad", "gravité", "gravedad", "gravità", "Gravidade", "závažnost",
    "alvorlighed", "vakavuus", "súlyosság", "code", "alvorsgrad", "allvarlighetsgrad", "Önem",
    "ważność", "серьезность", "重大度", "심각도", "严重性", "嚴重性",
)  # fmt: skip
STATE = (
    "State", "Status", "état", "estado", "stato", "stav", "tilstand", "tila", "állapot", "tillstånd",
    "Durum", "stan", "состояние", "状態", "상태", "状态", "狀態",
)  # fmt: skip


@cache
def _pattern() -> str:
    colon, comma = "[ \\x{A0}:：]*", "[ \\x{A0},，;；、]*"
    return (
        f"(?i)^(?:{'|'.join(ERROR)}){colon}(?P<error>[0-9]{{1,9}}){comma}"
        f"(?:{'|'.join(SEVERITY)}){colon}(?P<severity>[0-9]{{1,9}}){comma}"
        f"(?:{'|'.join(STATE)}){colon}(?P<state>[0-9]{{1,9}})[.。]?\\s*(?P<more>[^\\n]?)"
    )


@cache
def _first_bytes() -> np.ndarray:
    table = np.zeros(256, bool)
    for word in ERROR:
        for spelling in (word, word.lower()):
            table[spelling.encode()[0]] = True
    return table


def error_lines(messages: pa.Array) -> pa.RecordBatch:
    """Find the error lines among messages.

    Returns
    -------
    pyarrow.RecordBatch
        row (place in ``messages``), error, severity, state, and alone: False where more text
        follows on the line, as in message 18053 itself.
    """
    candidates = _starting_like(messages)
    # The same few error lines come again and again: each distinct one is parsed once.
    texts = messages.take(pa.array(candidates)).dictionary_encode()
    parsed = pc.extract_regex(texts.dictionary, _pattern())
    is_error = parsed.is_valid().to_numpy(zero_copy_only=False)
    codes = texts.indices.to_numpy()
    hit = np.flatnonzero(is_error[codes])
    found = parsed.take(pa.array(codes[hit]))
    return pa.RecordBatch.from_arrays(
        [
            pa.array(candidates[hit]),
            *(pc.cast(found.field(name), pa.int32()) for name in ("error", "severity", "state")),
            pc.equal(found.field("more"), ""),
        ],
        names=["row", "error", "severity", "state", "alone"],
    )


def _starting_like(messages: pa.Array) -> np.ndarray:
    """Give the rows whose first byte can begin an error line."""
    offsets = np.frombuffer(messages.buffers()[1], np.int32)[messages.offset :][: len(messages) + 1]
    data = messages.buffers()[2]
    if data is None or not data.size:
        return np.zeros(0, np.int64)
    first = np.frombuffer(data, np.uint8)[np.minimum(offsets[:-1], data.size - 1)]
    return np.flatnonzero(_first_bytes()[first] & (offsets[1:] > offsets[:-1]))
