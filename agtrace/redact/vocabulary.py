"""Which words of a text are the product's own, so that they tell nothing of a customer."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_WITH_DIGITS = re.compile(
    r"kb\d{6,7}|cu\d{1,2}|sp\d|spid\d+s?|mssql\d{1,2}|errorlog\d*|cp\d{3,5}|x64|x86|arm64|ipv[46]|utf\d+|win\d\d|"
    r"u?int\d+|r2|regedit4|msinfo32|w32tm|tcpv[46]|im002|bbr2|tls\d|sha\d+|aes\d+|sql20\d\d|p\d\d|vmxnet\d|e1000e?|"
    r"\d+(?:ms|us|s|m|h|d|b|kb|mb|gb|tb|k|g|th|nd|rd|st|gbit|gbps|mbps|am|pm|z|t\d+|bit)|\d{8}t\d{4,12}z?|"
    r"0x[0-9a-f]{1,16}|harddiskvolume\d+|harddisk\d+|physicaldrive\d+|sqlarg\d|sqlservr\d*|f\d",
    re.IGNORECASE,
)
"""Words with digits that the product writes: builds, sessions, encodings, quantities, short hexadecimal numbers."""

_PARTS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{2,}(?![a-z])")

SYSTEM = frozenset(
    "master tempdb model msdb mssqlsystemresource resource distribution model_msdb model_replicatedmaster "
    "mssqlserver _total total all none null unknown sa guest public localhost local (local) . n/a any".split()
)
"""Names that every server has."""

AUTHORITIES = frozenset(
    ("nt authority", "nt service", "builtin", "font driver host", "window manager", "authority")
)
"""Domains of accounts that every machine has."""

SUFFIXES = frozenset(
    "com net org edu gov mil int io co local lan internal intranet corp home test example invalid localdomain "
    "database windows chinacloudapi usgovcloudapi blob core file dfs azure cloudapp cn uk de fr".split()
)
"""Labels of domains that name nobody."""

_FOUND_BESIDE = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april "
    "may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec am pm utc "
    "gmt mdf ndf ldf bak trn xel blg csv tsv txt log out xml json zip cab gz bz2 tar etl evtx html dmp mdmp exe dll "
    "sys inf cfg ini conf perf sqldiag ag hadr hadrag wsfc fci dns dcr hresult odbc errno spn ntlm kerberos sspi tds "
    "unicast gigabit ethernet adapter adapters intel mellanox broadcom netxtreme connectx realtek vmware hyper virtual "
    "teaming teamed team multiplexor isatap teredo loopback pseudo interface controller family pro server dual port "
    "sqlservr sqlagent sqlwriter svchost lsass csrss services system idle rhs clussvc explorer powershell msdtc "
    "fdlauncher fdhost reportingservicesservice wmiprvse spoolsv winlogon taskhostw conhost cmd perfmon ssms "
    "copyright developer enterprise standard express evaluation web edition corporation build hypervisor kernel "
    "de het een van in der die das den dem ein eine et la le les un une du des au il lo gli el los las y en por para "
    "with than then that this these those the an it its you your they who has had was were been will would not no yes "
    "sqlserver sqlcmd osql login logins logged user users password reason client provided starting started shutdown "
    "clr framework service services manager session sessions recovery complete setting option show advanced recompile "
    "informational message only action required authentication mode dedicated administrator connection listening "
    "support established locally remotely sequence handle spatial sos scheduler yielded nonyielding worker appears "
    "stack dump detected dumping process virtual memory physical pages page fault faults io completion listeners"
).split()


@cache
def words() -> frozenset[str]:
    """Give the words without digits, in lower case."""
    written = files("agtrace.redact").joinpath("words.txt").read_text("utf-8")
    return frozenset(written.split()) | frozenset(_FOUND_BESIDE) | SYSTEM | SUFFIXES


def is_own(word: str) -> bool:
    """Tell whether a word is the product's own, or a number."""
    lower = word.lower()
    return len(word) == 1 or word.isdecimal() or lower in words() or _WITH_DIGITS.fullmatch(lower) is not None


def is_compound(word: str) -> bool:
    """Tell whether a word is put together of the product's own, as ``ProcessingFailure`` is."""
    parts = _PARTS.findall(word)
    return len(parts) > 1 and "".join(parts) == word and all(part.lower() in words() for part in parts)


def is_ordinary(name: str) -> bool:
    """Tell whether a name is made of the product's own words and numbers: in a sentence it need not be the name."""
    found = re.findall(r"[^\W_]+", name)
    return all(map(is_own, found))
