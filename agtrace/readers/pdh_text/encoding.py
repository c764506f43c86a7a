"""Which ANSI code page a PDH header was written in.

PDH writes the code page of the collecting machine and says nowhere which one that was. The letters
of the counter names tell: each language has few letters beyond ASCII, and a wrong code page turns
them into letters that no one language has together. Numbers and times are ASCII in every case, so
that a wrong guess damages names only.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

SAMPLE_BYTES = 256 * 1024
"""How much of a header is looked at; a header repeats the same words."""


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
    _Alphabet("cp1253", "Greek", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
)

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
    """Give the share of letters beyond ASCII that each language explains."""
    scores = []
    for encoding, language, letters in _ALPHABETS:
        known = frozenset(letters + letters.upper())
        found = _letters(sample, encoding)
        scores.append((encoding, language, _share(found, {c: 1.0 for c in found if c in known})))
    japanese = _letters(sample, "cp932")
    weights = {c: 1.0 if _is_kana(c) else 0.7 for c in japanese if _is_kana(c) or _is_han(c)}
    scores.append(("cp932", "Japanese", _share(japanese, weights)))
    korean = _letters(sample, "cp949")
    scores.append(("cp949", "Korean", _share(korean, {c: 1.0 for c in korean if _is_hangul(c)})))
    for encoding, language, usual in (
        ("cp936", "Chinese (simplified)", _SIMPLIFIED),
        ("cp950", "Chinese (traditional)", _TRADITIONAL),
    ):
        found = _letters(sample, encoding)
        weights = {c: 1.0 if c in usual else 0.5 for c in found if _is_han(c)}
        scores.append((encoding, language, _share(found, weights)))
    return scores


def _letters(sample: bytes, encoding: str) -> Counter[str]:
    """Count the letters beyond ASCII, and what the encoding cannot decode."""
    text = sample.decode(encoding, errors="replace")
    return Counter(c for c in text if not c.isascii() and (c.isalpha() or c == "\ufffd"))


def _share(found: Counter[str], weights: dict[str, float]) -> float:
    total = found.total()
    return sum(found[c] * weight for c, weight in weights.items()) / total if total else 0.0


def _is_kana(character: str) -> bool:
    return "\u3041" <= character <= "\u30ff"


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _is_hangul(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3"
