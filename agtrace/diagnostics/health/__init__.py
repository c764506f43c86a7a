"""Health of the group: every failover with its cause, leases, connections, restarts."""

from agtrace.diagnostics.health.analysis import Health

ANALYSIS = Health
__all__ = ["ANALYSIS", "Health"]
