"""The machines of a case, and which of them wrote a capture."""

from __future__ import annotations

from dataclasses import dataclass, field

from agtrace.errors import CaseError
from agtrace.resolve.names import host_name, same_host

_UNNAMED = "an unnamed host ("
"""How the id of a host begins that only stands for the writer of one file. No name of a host is written so:
they
compare in upper case, without blanks."""
PLACEHOLDER = "placeholder"


def placeholder(path: str) -> str:
    """Return a readable host_id, unique to the file, for the unknown writer of a file."""
    return f"{_UNNAMED}{path})"


def is_placeholder(host_id: str | None) -> bool:
    """Return whether a host_id is a placeholder for the unknown writer of one file."""
    return host_id is not None and host_id.startswith(_UNNAMED)


@dataclass(frozen=True)
class Attribution:
    """The host of a capture and how it is known."""

    host_id: str | None
    source: str
    sql_instance: str | None = None


@dataclass
class Hosts:
    """The machines of a case.

    Parameters
    ----------
    attributions
        By path of the capture.
    aliases
        Other spellings of each host's name.
    evidence
        Evidence for them, per host.
    """

    attributions: dict[str, Attribution] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    evidence: dict[str, list[str]] = field(default_factory=dict)
    display: dict[str, str] = field(default_factory=dict)

    def canonical(self, name: str | None) -> str | None:
        """Return the host_id of a name as written somewhere."""
        if name in self.aliases:
            return name
        wanted = host_name(name)
        if wanted is None:
            return None
        for host, others in self.aliases.items():
            if wanted == host or wanted in others:
                return host
        for host in self.aliases:
            if same_host(host, wanted):
                return max(host, wanted, key=len)
        return wanted

    def known(self, name: str) -> str:
        """Return the host_id of a host name from the user.

        Raises
        ------
        CaseError
            The case has no such host; the message lists its hosts.
        """
        wanted = host_name(name)
        if name in self.aliases:
            return name
        for host, others in self.aliases.items():
            if wanted is not None and (wanted == host or wanted in others or same_host(host, wanted)):
                return host
        there = ", ".join(sorted(self.aliases)) or "none that is known"
        raise CaseError(f"the case has no host {name!r}", f"its hosts are: {there}")
