"""Storage by URL (``s3://``, ``abfs://``, ...): what lies there, and its bytes, through fsspec alone."""

from agtrace.storage.remote import Remote, RemoteFile
from agtrace.storage.urls import is_url, joined, stand_in, url_of

__all__ = ["Remote", "RemoteFile", "is_url", "joined", "stand_in", "url_of"]
