"""Where jobs run, behind one ``map``: in this process, in others of this machine, or on a Dask cluster."""

from agtrace.engines.base import Engine, Lost, Seen, Task
from agtrace.engines.cluster import Cluster, connected
from agtrace.engines.local import Processes, Serial, local

__all__ = ["Cluster", "Engine", "Lost", "Processes", "Seen", "Serial", "Task", "connected", "local"]
