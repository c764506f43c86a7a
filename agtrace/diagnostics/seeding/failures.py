"""What each reason of a failed seeding means, and what to do about it.

The numbers are those of failure_state (documentation "sys.dm_hadr_automatic_seeding"); the hundreds
digit is the side, 1 the source and 2 the target.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.history.seedings.operation import SOURCE, TARGET, Failure
from agtrace.say import words

FEW = 4
"""So many failures of one kind are still told one by one."""

Series = tuple[Seeded, ...]
"""A seeding that was tried again and again and failed alike: told once, not a hundred times."""

_SIDES = {1: SOURCE, 2: TARGET}
_LOG = "the ERRORLOG of {side} at that time"

_ENDPOINT = (
    "Check the database mirroring endpoints of both replicas: state STARTED, CONNECT granted to the other's "
    "service account, port reachable, no connection error (35201, 35206, 9642) in either ERRORLOG at that time."
)
_RESTORE = (
    f"Look at {_LOG} for the restore error behind it (3013 and its neighbours); then free space, file "
    "paths (2016 needs the same ones on both replicas), files of the same name that are left over, and "
    "ALTER AVAILABILITY GROUP ... GRANT CREATE ANY DATABASE on the secondary."
)
_BACKUP = (
    f"Look at {_LOG} for the backup error behind it (3041, 3013 and their neighbours), for an I/O error "
    "(823, 824), and for the connection to the target breaking off."
)
_RETRY = (
    "Start seeding again: ALTER AVAILABILITY GROUP ... MODIFY REPLICA ON ... WITH (SEEDING_MODE = AUTOMATIC)."
)
_RESOURCES = f"Look at {_LOG} for shortage of memory or worker threads (701, 17300, 17890). " + _RETRY

STATES: dict[int, tuple[str, str]] = {
    0: ("Internal Error", f"Look at {_LOG} for the error beside it, and install the newest cumulative update. {_RETRY}"),
    1: ("User Cancellation", f"Someone cancelled it, or changed SEEDING_MODE or removed the database meanwhile. {_RETRY}"),
    2: ("SQL Error", f"Look at {_LOG}, and at error_code in sys.dm_hadr_automatic_seeding: that is the error to mend."),
    3: ("Request Denied", "The other replica refused: see whether SEEDING_MODE is AUTOMATIC there, and whether it has GRANT CREATE ANY DATABASE."),
    4: ("Thread Abort", f"The worker was stopped, by a shutdown or a change of role. {_RETRY}"),
    5: ("Primary Failure", "It failed on the primary, and the secondary only reports it: look at the ERRORLOG of the primary at that time."),
    6: ("Transport", _ENDPOINT),
    7: ("Transport Replica", _ENDPOINT),
    8: ("Check If Seeding Needed", f"The check of whether the database is there already failed: look at {_LOG}, and for a database of that name in RESTORING or with another recovery fork."),
    9: ("Send Database File Info", f"The list of files did not arrive or was not accepted. {_ENDPOINT}"),
    10: ("Create Callback", _RESOURCES),
    11: ("Create Operation", _RESOURCES),
    12: ("Create VDI Client", f"The virtual device could not be made: look at {_LOG} for 40040 and for memory outside the buffer pool. {_RETRY}"),
    13: ("Open VDI Client", f"The virtual device could not be opened: look at {_LOG} for 40040 and 18210. {_RETRY}"),
    14: ("Create USC Session", _ENDPOINT),
    15: ("Seeding", _RESTORE),
    16: ("Restore String Creation", "The RESTORE statement could not be made: compare the file paths of both replicas, and see that the default folders exist on the secondary."),
    17: ("Database ID Lookup", "The database was not found by its id: see whether it was dropped, renamed or removed from the group meanwhile."),
    18: ("Create Async Task", _RESOURCES),
    19: ("Create Timeout Task", _RESOURCES),
    20: ("Async Task Failure", _RESOURCES),
    21: ("Seeding Check Message Timeout", f"The other replica did not answer the check in time. {_ENDPOINT}"),
    22: ("File Message Timeout", f"The other replica did not answer the list of files in time. {_ENDPOINT}"),
    23: ("Database With Name Already Exists", "A database of that name is on the secondary already: drop it (or restore it WITH NORECOVERY and join it), then start seeding again."),
    24: ("Secondary Catchup Timeout", "The copy arrived and the log did not catch up in time: look at the log send queue and the recovery queue (page Transport), and seed when less is written."),
    25: ("Secondary Restore Stream Ready Timeout", f"The target was not ready to restore in time: look at {_LOG}, and for slow file creation (instant file initialisation, a large log file). {_RETRY}"),
}  # fmt: skip
"""failure_state without its hundreds digit: the server's name, and what to do."""

_ON_SIDE = {(15, SOURCE): _BACKUP}
"""What to do where it is another thing on one side."""

MESSAGES: tuple[tuple[int, str, str], ...] = (
    (19495, "unrecoverable error", f"The server does not try again by itself. Mend the cause that stands beside it in the ERRORLOG, then: {_RETRY}"),
    (19494, "transient error", "The server tries again by itself. If it keeps failing, look for the cause beside it in the ERRORLOG."),
    (19505, "non-secondary", "The replica was not a secondary at that time: see whether the roles changed, then start seeding again."),
    (19506, "permission to create databases", "On the secondary: ALTER AVAILABILITY GROUP ... GRANT CREATE ANY DATABASE."),
    (40040, "VDI Client", "The virtual device could not be made: look beside it in the ERRORLOG for errors of memory or of the file system."),
    (40684, "already in progress", "A seeding of this database runs already: wait for it, or look whether it is stalled."),
    (40694, "replication target", "The database is a target of geo-replication: it cannot be seeded from there."),
    (19496, "", "Look beside it in the ERRORLOG of both replicas for the error behind it."),
)  # fmt: skip
"""Message, what its English wording holds, and what to do; for failures without a state."""


@dataclass(frozen=True)
class Decoded:
    """A reason in plain words.

    Parameters
    ----------
    name
        The server's name of the state, or the message.
    side
        `SOURCE`, `TARGET`, or "" where the number does not say.
    advice
        What to do.
    """

    failure: Failure
    name: str
    side: str
    advice: str

    @property
    def told(self) -> str:
        """The reason in one phrase: "215, on the target: Seeding"."""
        number = "" if self.failure.state is None else f"{self.failure.state}"
        where = f"on the {self.side}" if self.side else ""
        head = ", ".join(filter(None, (number, where)))
        text = words.plain(self.failure.text, 200) if self.failure.text else ""
        same = text.lower() in ("", self.name.lower())
        parts = [self.name, "" if same else text]
        return ": ".join(filter(None, (head, *parts))) or "no reason given"


def decode(failure: Failure) -> Decoded:
    """Decode one reason; a number that no list names is told as it is."""
    if failure.state is not None:
        side = _SIDES.get(failure.state // 100, "")
        known = STATES.get(failure.state % 100) if 0 <= failure.state < 300 else None
        where = f"the {side}" if side else "both replicas"
        if known is None:
            advice = f"This state is in no documented list: look at the ERRORLOG of {where} at that time."
            return Decoded(failure, "not a documented state", side, advice)
        name, advice = known
        advice = _ON_SIDE.get((failure.state % 100, side), advice)
        return Decoded(failure, name, side, advice.format(side=where))
    for number, wording, advice in MESSAGES:
        is_said = wording and wording.lower() in failure.text.lower()
        if failure.message_id == number or (failure.message_id is None and is_said):
            return Decoded(failure, f"message {number}", "", advice)
    return Decoded(failure, "", "", "Look at the ERRORLOG of both replicas at that time.")


def decode_all(failures: Iterable[Failure]) -> list[Decoded]:
    """Decode reasons, each once, those with a number first."""
    found: dict[tuple[int | None, str], Decoded] = {}
    for failure in failures:
        made = decode(failure)
        found.setdefault((failure.state, made.name if failure.state else made.told), made)
    return sorted(found.values(), key=lambda d: d.failure.state is None)


def alike(found: Study) -> list[Series]:
    """Give the failures of one database between the same ends, for the same reasons, where many.

    Those that a later seeding mended are apart from those that nothing mended.
    """
    groups: dict[tuple[object, ...], list[Seeded]] = {}
    for each in found.seeded:
        operation = each.operation
        if operation.outcome not in ("failed", "cut_off"):
            continue
        mended = found.mended(operation)
        reasons = sorted(
            (d.failure.state is None, d.failure.state or 0, d.name, d.told)
            for d in decode_all(operation.failures)
        )
        key = (
            (operation.database or operation.database_guid or "").lower(),
            *((side.role, side.host) for side in operation.sides),
            operation.outcome,
            mended.number if mended else None,
            *reasons,
        )
        groups.setdefault(key, []).append(each)
    return [tuple(group) for group in groups.values() if len(group) > FEW]
