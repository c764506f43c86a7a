"""Storage by URL (``s3://``, ``abfs://``, ...): list and read files, through fsspec alone."""

from typing import TYPE_CHECKING, Any

from agtrace.storage.urls import file_path, is_url, joined, stand_in, url_of

if TYPE_CHECKING:
    from agtrace.storage.remote import Remote, RemoteFile

__all__ = ["Remote", "RemoteFile", "file_path", "is_url", "joined", "stand_in", "url_of"]


def __getattr__(name: str) -> Any:
    # Most cases are on this machine and need no fsspec.
    if name in ("Remote", "RemoteFile"):
        from agtrace.storage import remote

        return getattr(remote, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
