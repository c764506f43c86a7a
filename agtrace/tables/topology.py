"""The Arrow schema of how availability groups are built: their kind, and what stands beside them."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import UTC_TIME, column, relation

_TEXT, _COUNT = pa.string(), pa.int64()

TOPOLOGY = relation(
    "availability group and how it is built",
    [
        column("ag", _TEXT, "group", nullable=False),
        column(
            "kind",
            _TEXT,
            "most specific kind: link (of a managed instance), distributed, basic, contained, "
            "read-scale (no cluster), external "
            "(Pacemaker), or ordinary; NULL if unknown",
        ),
        column("cluster_type", _TEXT, "WSFC, EXTERNAL or NONE; NULL if unknown"),
        column("is_basic", pa.bool_(), "a basic group: one database, two replicas"),
        column("is_contained", pa.bool_(), "a contained group, with system databases of its own"),
        column("is_distributed", pa.bool_(), "a group whose replicas are groups"),
        column(
            "members", pa.list_(_TEXT), "groups that are replicas of a distributed one, upper case: no hosts"
        ),
        column(
            "cluster_instances", pa.list_(_TEXT), "hosts that are network names of failover-cluster instances"
        ),
        column("groups_beside", _COUNT, "other groups on its instances"),
        column("instances_on_host", _COUNT, "largest number of instances on one of its hosts"),
        column("how", _TEXT, "source of the kind"),
        column("content_id", _TEXT, "source capture"),
        column("line", _COUNT, "line in it, or number of the event"),
    ],
)

INSTANCE_NODES = relation(
    "start of an instance on a node, as its ERRORLOG names it; a failover-cluster instance has a name of "
    "its own",
    [
        column("host_id", _TEXT, "server as its instance is named"),
        column("sql_instance", _TEXT, "its instance"),
        column("time", UTC_TIME, "when; NULL if the offset of the host is unknown"),
        column("node", _TEXT, "the node that it started on, upper case"),
        column("is_cluster_instance", pa.bool_(), "the node has another name than the server"),
        column("content_id", _TEXT, "the ERRORLOG"),
        column("line", _COUNT, "line in it"),
    ],
)

GROUP_DATABASES = relation(
    "database of an availability group",
    [
        column("ag", _TEXT, "group"),
        column("database", _TEXT, "database as written"),
        column("database_key", _TEXT, "the same, lower case"),
        column("since", UTC_TIME, "first evidence of it in the group; the time before is unknown"),
    ],
)

GROUP_OPTIONS = relation(
    "value of an option of a group or of one of its replicas: set by a statement or seen in a snapshot",
    [
        column("option_id", _COUNT, "dense number in order of time", nullable=False),
        column("ag", _TEXT, "group; NULL if the snapshot has none"),
        column("replica", _TEXT, "replica that it is an option of, as written; NULL for one of the group"),
        column(
            "option",
            _TEXT,
            "its name in statements, lower case: availability_mode, failover_mode, session_timeout, "
            "db_failover, basic, ...; "
            "listener has the name and the first address of one",
            nullable=False,
        ),
        column("value", _TEXT, "without quotes; ON if none is needed; timeouts in s (session) or ms"),
        column("time", UTC_TIME, "when it was set or seen; NULL if the offset of the host is unknown"),
        column(
            "is_look",
            pa.bool_(),
            "from a snapshot; otherwise a statement set it from then on",
            nullable=False,
        ),
        column("host_id", _TEXT, "server that ran the statement, or of the snapshot"),
        column("capture_id", _TEXT, "source capture"),
        column("content_id", _TEXT, "its content"),
        column("line", _COUNT, "line in it; NULL for a statement"),
    ],
)
