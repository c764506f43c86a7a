"""Log lines and query results in other text: forum posts, mails, logs of containers.

docs/formats/pasted_text.md describes what is found.
"""

from agtrace.readers.base import Later

READER = Later("pasted_text", 1, f"{__name__}.reader")
"""Entries of ERRORLOGs and cluster logs, and tables of query results, by the readers of each."""
