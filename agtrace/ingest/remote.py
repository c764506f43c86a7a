"""What lies in a case that is a storage URL: its files as places, and its settings files fetched."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

from agtrace import import_path, moving
from agtrace.errors import CaseError
from agtrace.ingest.archives import HEAD_BYTES, Unpacked, kind_of
from agtrace.ingest.discover import Found, remote_place
from agtrace.ingest.walk import CONFIGURATION
from agtrace.storage import Remote, RemoteFile, file_path, is_url, joined, stand_in
from agtrace.storage.remote import each
from agtrace.storage.urls import name_in
from agtrace.store import FoundCapture
from agtrace.store.owner import REPORT_MARKER, STORE_MARKER


def case_folder(case: str | Path) -> Path:
    """Return the folder of a case; for a URL, the local folder that mirrors it.

    The settings files of the case (agtrace.toml, hosts.toml, ...) lie in that as they lie at the URL.

    Raises
    ------
    CaseError, StorageError
        The URL cannot be asked.
    """
    if not is_url(case):
        place = file_path(case) or Path(case)
        import_path.avoid(place)
        return place
    folder, remote = stand_in(str(case), "case"), Remote(str(case))
    for name in CONFIGURATION:
        if remote.look(name) is None:
            moving.remove(folder / name)
        else:
            with contextlib.suppress(FileNotFoundError):
                remote.fetch(name, folder / name)
    return folder


def find_remote(url: str, unpacked: Unpacked, own: str | None = None) -> Found:
    """List a case at a URL.

    Parameters
    ----------
    url
        A folder of captures, or one archive of them.
    unpacked
        Where files are fetched into when they are decoded.
    own
        The store that the user named, which is passed over.

    Raises
    ------
    CaseError
        Nothing lies there.
    StorageError
        It cannot be listed.
    """
    found, remote = Found(), Remote(url)
    listed = remote.files()
    single = None if listed else remote.look()
    if single is not None:
        listed = [replace(single, name="")]
    made = _made_by_agtrace(listed)
    looked = [file for file in listed if not _is_passed(url, file, own, made)]
    heads = each(
        lambda file: remote.read(file.name, min(file.bytes, HEAD_BYTES)) if file.bytes else b"", looked
    )
    for file, head in zip(looked, heads, strict=True):
        shown = file.name or name_in(url)
        if head is None:
            continue
        if not file.bytes:
            empty = FoundCapture(shown, 0, file.mtime_ns, None, "empty", reason="0 bytes")
            found.settled.append(empty)
            continue
        place = remote_place(joined(url, file.name), shown, file, unpacked)
        kind = kind_of(head)
        if kind:
            found.archives.append((place, kind))
        else:
            found.places.append(place)
    for folder, count in made.items():
        reason = f"made by agtrace; its {count:,} files are not read"
        found.settled.append(
            FoundCapture(folder, 0, 0, None, "recognised", "agtrace store or report", reason)
        )
    if not (found.places or found.archives or found.settled):
        raise CaseError(f"{url}: there is no file at this URL", "drop the captures there first")
    return found


def _made_by_agtrace(listed: list[RemoteFile]) -> dict[str, int]:
    """Return the folders with a marker of agtrace, with the number of files in each."""
    marked = [
        file.name.rpartition("/")[0]
        for file in listed
        if file.name.rpartition("/")[2] in (STORE_MARKER, REPORT_MARKER)
    ]
    return {folder: sum(file.name.startswith(f"{folder}/") for file in listed) for folder in marked if folder}


def _is_passed(url: str, file: RemoteFile, own: str | None, made: dict[str, int]) -> bool:
    if file.name in CONFIGURATION:
        return True
    if own is not None and joined(url, file.name).startswith(own.rstrip("/") + "/"):
        return True
    return any(file.name.startswith(f"{folder}/") for folder in made)
