"""Cluster logs in other formats."""

from agtrace.convert.entries import EntriesConversion

CONVERSION = EntriesConversion("a cluster log", frozenset({"cluster_log"}), "cluster_log", "time_written")
