"""Levels of events, by their names in the supported languages."""

from __future__ import annotations

from functools import lru_cache

ERROR, WARNING, INFORMATION = "Error", "Warning", "Information"

_WORDS = {
    ERROR: "error fehler erreur errore erro fout fel ошибка 错误 錯誤 エラー 오류 critical kritisch critique "
    "crítico critico критический 严重 重大 위험",
    WARNING: "warning warnung avertissement advertencia avviso aviso waarschuwing varning предупреждение "
    "警告 경고 "
    "failureaudit",
    INFORMATION: "information informationen informations información informazioni informações informatie "
    "сведения 信息 資訊 情報 정보 successaudit verbose",
}
_LEVELS = {word: level for level, words in _WORDS.items() for word in words.split()}


@lru_cache(1000)
def level_of(word: str) -> str | None:
    """Return the level for a word; None for an unknown word."""
    return _LEVELS.get(word.strip().replace(" ", "").lower())
