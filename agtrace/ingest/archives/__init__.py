"""Archives as strangers write them: what lies in them, what of it may be unpacked, and its bytes.

Directories are read by hand, because one bad entry may cost only its own member. What is unpacked is
bounded before it is: by the directory, which may lie, and again while the bytes come.
"""

from agtrace.ingest.archives.inside import HEAD_BYTES, ArchiveKind, Entry, Look, kind_of
from agtrace.ingest.archives.limits import Budget
from agtrace.ingest.archives.listings import Listings
from agtrace.ingest.archives.member import Member
from agtrace.ingest.archives.unpacked import Unpacked, unpacked_folder

__all__ = [
    "HEAD_BYTES",
    "ArchiveKind",
    "Budget",
    "Entry",
    "Listings",
    "Look",
    "Member",
    "Unpacked",
    "kind_of",
    "unpacked_folder",
]
