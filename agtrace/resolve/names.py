"""How names of hosts compare."""

from __future__ import annotations

import re

from agtrace.globs import matches

NETBIOS_LENGTH = 15
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


def host_name(text: str | None) -> str | None:
    """Return a host's name as agtrace compares it: first DNS label, upper case, no instance.

    Endpoints (``TCP://sql1.corp.example:5022``) are named by their host; an address stays whole.
    """
    if not text:
        return None
    host = text.strip().upper().removeprefix("TCP://").lstrip("\\")
    host = host.split("\\", 1)[0].split(":", 1)[0].strip()
    return host if is_address(host) else host.split(".", 1)[0].strip() or None


def is_address(name: str) -> bool:
    """Return whether a host is given by its address instead of its name."""
    return _ADDRESS.fullmatch(name) is not None


def same_host(one: str, other: str) -> bool:
    """Return whether two compared names mean one host: equal, or cut to 15 characters."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) == NETBIOS_LENGTH and long.startswith(short)


def is_meant(host: str, wanted: str) -> bool:
    """Return whether a user's glob, or any spelling of a name, matches a host."""
    known, label = host_name(host) or "", host_name(wanted) or ""
    return matches(known, label) or same_host(known, label)


def instance_name(server: str | None) -> str | None:
    """Return the instance of ``HOST\\INST``; MSSQLSERVER for the default instance."""
    if not server:
        return None
    _, _, instance = server.strip().lstrip("\\").partition("\\")
    return instance.upper() or "MSSQLSERVER"
