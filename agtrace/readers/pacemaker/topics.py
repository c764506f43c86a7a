"""Topics of the facts of a Pacemaker cluster."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

LOG = "pacemaker_log"
EVENT = "pacemaker_event"
STATUS = "pacemaker_status"

TOPICS = (
    facts(
        LOG,
        "log of Pacemaker or Corosync",
        Value("node", "node that wrote it"),
        Value("entries", "lines of the cluster's daemons", "n"),
        Value("first", "time of the first, as written"),
        Value("last", "time of the last, as written"),
    ),
    facts(
        EVENT,
        "result of a resource or a node; its local time if the year is known",
        Value(
            "kind",
            "promoted, demoted, resource_started, resource_stopped, promote_asked, demote_asked, "
            "monitor_timeout, operation_timeout, operation_failed, fence_asked, fenced, fence_failed, "
            "node_left, node_online, quorum_lost, promotion_refused or agent_offlined",
        ),
        Value("resource", "resource, as the cluster calls it"),
        Value("operation", "operation of it: monitor, promote, ..."),
        Value("node", "node that it happened to"),
        Value("by", "node that fenced it"),
        Value("result", "how it ended, or the reason of the request"),
        Value("timeout_ms", "time that the operation was given", "ms"),
        Value("moment", "time as written"),
        Value("text", "the entry's words, cut at 400 characters"),
    ),
    facts(
        STATUS,
        "cluster, node, resource on a node, or failed action, as pcs status or crm_mon print it",
        Value("kind", "cluster, node, resource or failure"),
        Value("name", "cluster, node or resource"),
        Value("agent", "agent of the resource"),
        Value("node", "node that it runs on, or failed on"),
        Value("state", "state of the node; role or state of the resource; failed action"),
        Value("operation", "operation that failed"),
        Value("at", "when it failed, as written"),
        Value("quorum", "with or without: whether the partition has quorum"),
        Value("controller", "designated controller (DC)"),
        Value("updated", "time of the snapshot, as written"),
    ),
)
