"""Engines that run jobs, with one ``map``: in this process, in local processes, or on a Dask cluster."""

from agtrace.engines.base import Engine, Lost, Seen, Task
from agtrace.engines.cluster import Cluster, connected
from agtrace.engines.local import Processes, Serial, local

__all__ = ["Cluster", "Engine", "Lost", "Processes", "Seen", "Serial", "Task", "connected", "local"]
