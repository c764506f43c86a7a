"""Detect the ANSI code page of a PDH header.

PDH writes in the code page of the collecting machine, but does not state it. It is inferred from the letters
in the counter names: each language has few letters beyond ASCII, and a wrong code page turns them into
letters that do not occur together in any language. Numbers and times are always ASCII, so a wrong guess
damages only names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

SAMPLE_BYTES = 64 * 1024
"""Bytes of a header that are inspected; a header repeats the same words."""


class _Alphabet(NamedTuple):
    """A language that Windows is sold in, and its letters beyond ASCII."""

    encoding: str
    language: str
    letters: str


# In order of preference: the first of equals wins, and short words fit several.
_ALPHABETS = (
    _Alphabet("cp1252", "German", "äöüß"),
    _Alphabet("cp1252", "French", "àâæçéèêëîïôœùûüÿ"),
    _Alphabet("cp1252", "Spanish", "áéíñóúü"),
    _Alphabet("cp1252", "Portuguese", "áâãàçéêíóôõúü"),
    _Alphabet("cp1252", "Italian", "àèéìíîòóùú"),
    _Alphabet("cp1252", "Swedish", "åäöé"),
    _Alphabet("cp1252", "Danish", "æøåé"),
    _Alphabet("cp1250", "Polish", "ąćęłńóśźż"),
    _Alphabet("cp1250", "Czech", "áčďéěíňóřšťúůýž"),
    _Alphabet("cp1250", "Hungarian", "áéíóöőúüű"),
    _Alphabet("cp1250", "Romanian", "ăâîşţ"),
    _Alphabet("cp1250", "Croatian", "čćđšž"),
    _Alphabet("cp1254", "Turkish", "çğıİöşüâ"),
    _Alphabet("cp1251", "Russian", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
    _Alphabet("cp1251", "Ukrainian", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    _Alphabet("cp1253", "Greek", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ"),
)

_NEUTRAL = frozenset("®™©°µ·–—‘’“”«»…\xa0")

# The characters that Windows' own counter names are made of; any other Han character is possible.
_SIMPLIFIED = frozenset(
    "处理器时间内存磁盘读写字节秒队列长度进程线程网络接口总数当前平均百分比用户特权中断请求页面错误"
    "缓存可用发送接收数据包传输每的次率大小文件系统对象会话连接物理逻辑空闲已提交使用上下文切换"
)
_TRADITIONAL = frozenset(
    "處理器時間記憶體磁碟讀寫位元組秒佇列長度程序執行緒網路介面總數目前平均百分比使用者特權中斷要求"
    "分頁錯誤快取可用傳送接收資料封包輸每的次率大小檔案系統物件工作階段連線實體邏輯閒置已認可內容切換"
)


def guess_ansi(header: bytes) -> tuple[str, str]:
    """Guess the code page of a header that is not UTF-8.

    Returns
    -------
    tuple of str and str
        Python's name of the encoding, and the language whose letters spoke for it.
    """
    sample = header[:SAMPLE_BYTES]
    best, answer = 0.0, ("cp1252", "Western European")
    for encoding, language, score in _scores(sample):
        if score > best:
            best, answer = score, (encoding, language)
    return answer


def _scores(sample: bytes) -> list[tuple[str, str, float]]:
    """Return the share of characters beyond ASCII that each language explains."""
    scores = []
    for encoding, language, letters in _ALPHABETS:
        text = sample.decode(encoding, errors="replace")
        known = dict.fromkeys(letters + letters.upper(), 1.0)
        # No language has capitals inside a word; text in another code page has.
        inner_capitals = sum(a.islower() and b.isupper() and b in known for a, b in pairwise(text))
        scores.append((encoding, language, _share(text, known, inner_capitals)))
    japanese = sample.decode("cp932", errors="replace")
    weights = _weights(japanese, _is_kana) | _weights(japanese, _is_han, 0.7)
    scores.append(("cp932", "Japanese", _share(japanese, weights)))
    # Only the syllables of KS X 1001: the thousands that cp949 adds hardly occur in Korean words.
    korean = sample.decode("euc_kr", errors="replace")
    scores.append(("cp949", "Korean", _share(korean, _weights(korean, _is_hangul))))
    for encoding, language, usual in (
        ("cp936", "Chinese (simplified)", _SIMPLIFIED),
        ("cp950", "Chinese (traditional)", _TRADITIONAL),
    ):
        chinese = sample.decode(encoding, errors="replace")
        weights = _weights(chinese, _is_han, 0.5) | _weights(chinese, usual.__contains__)
        scores.append((encoding, language, _share(chinese, weights)))
    return scores


def _weights(text: str, fits: Callable[[str], bool], weight: float = 1.0) -> dict[str, float]:
    return {c: weight for c in set(text) if fits(c)}


def _share(text: str, weights: dict[str, float], against: int = 0) -> float:
    """Weigh the characters beyond ASCII; those that no weight is given for speak against."""
    found = Counter(c for c in text if not c.isascii() and c not in _NEUTRAL)
    explained = sum(count * weights.get(c, 0.0) for c, count in found.items())
    return (explained - against) / found.total() if found else 0.0


def _is_kana(character: str) -> bool:
    return "\u3041" <= character <= "\u30ff"


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _is_hangul(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3"
