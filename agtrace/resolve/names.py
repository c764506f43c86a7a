"""How names of hosts compare."""

from __future__ import annotations

from agtrace.globs import matches

NETBIOS_LENGTH = 15


def host_name(text: str | None) -> str | None:
    """Give a host's name as agtrace compares it: first DNS label, upper case, no instance."""
    if not text:
        return None
    label = text.strip().lstrip("\\").split("\\", 1)[0].split(".", 1)[0].strip()
    return label.upper() or None


def same_host(one: str, other: str) -> bool:
    """Tell whether two compared names mean one host: equal, or one is the other cut to 15 characters."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) == NETBIOS_LENGTH and long.startswith(short)


def is_meant(host: str, wanted: str) -> bool:
    """Tell whether a host is what a user asks for: by a glob, or by any spelling of its name."""
    known, label = host_name(host) or "", host_name(wanted) or ""
    return matches(known, label) or same_host(known, label)


def instance_name(server: str | None) -> str | None:
    """Give the instance of ``HOST\\INST``; MSSQLSERVER when there is none."""
    if not server:
        return None
    _, _, instance = server.strip().lstrip("\\").partition("\\")
    return instance.upper() or "MSSQLSERVER"
