"""Labels and values of the TCP settings, in the languages whose output is known.

English labels: Windows Server 2008 R2 to 2025. A label of another language is recognised by the
words that it keeps (ECN, RFC 1323, RTO, SYN, ...) or by its own words where real output was found.
Sources: output of ``netsh interface tcp show global`` on English, German, Simplified Chinese,
Japanese and Russian systems; Microsoft's page "Performance tuning network adapters" for the levels.
"""

from __future__ import annotations

import re

LEVELS = ("disabled", "highlyrestricted", "restricted", "normal", "experimental")
"""Auto-tuning levels; netsh keeps these words in every language that was seen."""

PROVIDERS = ("none", "default", "ctcp", "cubic", "newreno", "dctcp", "ledbat", "bbr2")
"""Congestion control providers; they stand on the line after the auto-tuning level."""

# The first pattern that is found in a label decides; the specific ones come first.
_KEYS: tuple[tuple[str, str], ...] = (
    ("autotuning_level", r"auto-?\s?tuning|abstimmungsgrad|自动调节|自動チューニング|自动调谐"),
    ("autotuning_level", r"автонастройк|автоподстройк"),
    ("autotuning_level", r"ajuste automático|autoajuste|réglage automatique"),
    ("rsc_state", r"segment coalescing|segmentzusammenf|接收段合并|coalescence des segments"),
    ("rss_state", r"receive-?side scaling|empfangsseitigen skalierung|接收方缩放"),
    ("rss_state", r"масштабирования на стороне приема|escalado (?:de|en)"),
    ("chimney_state", r"chimney"),
    ("netdma_state", r"netdma"),
    ("dca_state", r"\bdca\b|direct cache acc?ess"),
    ("congestion_provider", r"congestion control|berlastungssteuerungsanbieter|拥塞控制|輻輳制御"),
    ("congestion_provider", r"управления перегрузкой|control de congestión|contrôle de congestion"),
    ("ecn_capability", r"\becn\b|ecn[ -]"),
    ("timestamps", r"rfc\s?(?:1323|7323)|^timestamps$"),
    ("min_rto_ms", r"min(?:imum|dest)?-?\s?rto"),
    ("initial_rto_ms", r"\brto\b"),
    ("non_sack_rtt_resiliency", r"\bsack\b.*\brtt\b|sack-rtt"),
    ("max_syn_retransmissions", r"\bsyn\b|syn[ -]"),
    ("fast_open_fallback", r"fast open[ -]fallback|快速打开回退"),
    ("fast_open", r"fast open|快速打开"),
    ("hystart", r"hystart"),
    (
        "proportional_rate_reduction",
        r"proportional rate reduction|proportionale ratenreduzierung|比例费率降低",
    ),
    ("pacing_profile", r"pacing profile|schrittsteuerungsprofil|节奏配置文件"),
)
_PATTERNS = tuple((key, re.compile(pattern, re.IGNORECASE)) for key, pattern in _KEYS)

WORDS = frozenset((*LEVELS, *PROVIDERS, "enabled", "allowed", "automatic", "off", "initial"))
"""Values that are whole words, as opposed to the beginning of one."""

_TRANSLATED = {
    "disabled": "deaktiviert désactivé deshabilitado desabilitado disabilitato отключено отключен "
    "выключено 禁用 已禁用 無効",
    "enabled": "aktiviert activé habilitado abilitato включено включен 启用 已启用 有効",
    "allowed": "zugelassen autorisé permitido разрешено разрешены 允许",
}
_VALUES = {word: english for english, words in _TRANSLATED.items() for word in words.split()}

# Property names of Get-NetTCPSetting, which are English on every system.
PROPERTIES = {
    "settingname": "setting_name",
    "autotuninglevellocal": "autotuning_level_local",
    "autotuninglevelgrouppolicy": "autotuning_level_group_policy",
    "autotuningleveleffective": "autotuning_level_effective",
    "congestionprovider": "congestion_provider",
    "ecncapability": "ecn_capability",
    "timestamps": "timestamps",
    "initialrto(ms)": "initial_rto_ms",
    "minrto(ms)": "min_rto_ms",
    "nonsackrttresiliency": "non_sack_rtt_resiliency",
    "maxsynretransmissions": "max_syn_retransmissions",
    "scalingheuristics": "scaling_heuristics",
}


def key_of(label: str) -> str | None:
    """Return the key of a netsh label, None for an unknown label."""
    for key, pattern in _PATTERNS:
        if pattern.search(label):
            return key
    return None


def value_of(text: str) -> str:
    """Return a value in lower case and, for on and off, in English."""
    value = " ".join(text.split()).lower()
    return _VALUES.get(value, value)


def level_of(value: str) -> str:
    """Write an auto-tuning level as netsh does: PowerShell's HighlyRestricted has no space either."""
    joined = value.replace(" ", "").replace("-", "")
    return joined if joined in LEVELS else value
