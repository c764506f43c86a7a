"""Lines that give an error's number, severity and state, in the 21 languages of message 18053.

Servers mix languages inside one file, so the language is never taken from the file: any spelling
matches anywhere (docs/formats/errorlog.md, section 2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from agtrace.readers.errorlog.match import PREFIX_BYTES, Beginnings, Heads

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


_COLON, _COMMA = "[ \u00a0:：]*", "[ \u00a0,，;；、]*"
_LINE = re.compile(
    f"(?:{'|'.join(ERROR)}){_COLON}([0-9]{{1,9}}){_COMMA}"
    f"(?:{'|'.join(SEVERITY)}){_COLON}([0-9]{{1,9}}){_COMMA}"
    f"(?:{'|'.join(STATE)}){_COLON}([0-9]{{1,9}})[.。]?",
    re.IGNORECASE,
)
_HEADS = tuple(
    dict.fromkeys(
        spelling.encode()[:PREFIX_BYTES] for word in ERROR for spelling in (word, word.lower(), word.upper())
    )
)
_BEGINNINGS = Beginnings(_HEADS)


@dataclass(frozen=True)
class ErrorLines:
    """Error lines among messages: their rows, their numbers, and whether nothing else is said there.

    More text follows on the line in message 18053 itself, which is its own text.
    """

    row: np.ndarray
    error: np.ndarray
    severity: np.ndarray
    state: np.ndarray
    alone: np.ndarray


def error_lines(messages: pa.Array) -> ErrorLines:
    """Find the error lines among messages."""
    heads = Heads.of(messages)
    like_one = np.zeros(len(heads.windows), bool)
    for code, head in _BEGINNINGS.places(heads):
        like_one[code] = head.startswith(_HEADS)
    rows = np.flatnonzero(like_one[heads.codes])
    # The same few error lines come again and again: each distinct one is parsed once.
    texts = messages.take(pa.array(rows)).dictionary_encode()
    parsed = np.array([_parse(text) for text in texts.dictionary.to_pylist()], np.int32)
    numbers = parsed.reshape(-1, 5)[texts.indices.to_numpy()]
    numbers, rows = numbers[numbers[:, 0] == 1], rows[numbers[:, 0] == 1]
    return ErrorLines(rows, numbers[:, 1], numbers[:, 2], numbers[:, 3], numbers[:, 4] == 1)


def _parse(text: str) -> tuple[int, int, int, int, int]:
    """Give 1 when it is an error line, its three numbers, and 1 when nothing follows them."""
    match = _LINE.match(text)
    if match is None:
        return 0, 0, 0, 0, 0
    error, severity, state = (int(number) for number in match.groups())
    return 1, error, severity, state, int(not text[match.end() :].strip())
