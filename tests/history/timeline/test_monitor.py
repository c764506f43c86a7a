"""Why the cluster's resource of a group could not monitor its instance, as it writes of ODBC."""

from __future__ import annotations

import pytest

from simulation.formats.cluster_log import ClusterLog
from simulation.formats.errorlog import Log
from tests.diagnostics.tiny import case
from tests.history.outputs import relation

GROUP = "[RES] SQL Server Availability Group <AG1>: "
ODBC = "[hadrag] ODBC Error: "
CLIENT = "[Microsoft][SQL Server Native Client 11.0]"
QUERY = "select host_id, ag, after from timeline where kind = 'monitor_failed' order by time"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (f"[42000] {CLIENT}[SQL Server]The user does not have permission to perform this action. (297)",
         "permission"),
        (f"[42000] {CLIENT}[SQL Server]Der Benutzer ist nicht berechtigt. (297)", "permission"),
        (f"[42000] {CLIENT}[SQL Server]VIEW SERVER STATE permission was denied (300)", "permission"),
        (f"[28000] {CLIENT}[SQL Server]Login failed for user 'NT AUTHORITY\\SYSTEM'. (18456)", "login"),
        (f"[08001] {CLIENT}SSL Provider: The certificate chain was issued by an authority (0)", "encryption"),
        (f"[08001] {CLIENT}Encryption not supported on SQL Server. (0)", "encryption"),
        ("[IM002] [Microsoft][ODBC Driver Manager] Data source name not found (0)", "driver"),
        (f"[08001] {CLIENT}Server doesn't support requested protocol (0)", "protocol"),
        (f"[08001] {CLIENT}Unable to complete login process due to delay in prelogin response (0)", "delay"),
        (f"[08001] {CLIENT}Unable to complete login process due to delay in opening server connection (0)",
         "delay"),
        (f"[HYT00] {CLIENT}Login timeout expired (0)", "delay"),
    ],
)  # fmt: skip
def test_what_odbc_says_tells_why(tmp_path, said, why):
    log = ClusterLog().section("Cluster Logs").add("ERR", f"{GROUP}{ODBC}{said}")
    assert relation(tmp_path, QUERY, Cluster__log=log.windows()) == [("CONTOSO1", "AG1", why)]


@pytest.mark.parametrize(
    "said",
    [
        # What a failover or a statement that takes long brings.
        f"{ODBC}[HYT00] {CLIENT}Query timeout expired (0)",
        f"{ODBC}[HY008] {CLIENT}Operation canceled (0)",
        f"{ODBC}[01000] {CLIENT}[SQL Server]  (0)",
        "[hadrag] Failed to connect to SQL Server",
        "[hadrag] SSL Provider",
        "ODBC Error: [28000]",
    ],
)
def test_what_else_the_resource_writes_is_no_such_reason(tmp_path, said):
    log = ClusterLog().section("Cluster Logs").add("ERR", f"{GROUP}{said}")
    assert relation(tmp_path, QUERY, Cluster__log=log.windows()) == []


def test_the_events_of_the_resource_tell_it_without_a_group():
    made = case(events=f"A | 200 | info_message | data={ODBC}[28000] {CLIENT}(18456)")
    assert made.table(QUERY).to_pylist() == [{"host_id": "A", "ag": None, "after": "login"}]


@pytest.mark.parametrize(
    ("number", "kind"), [(35217, "workers_exhausted"), (41041, "node_unmapped"), (41131, "online_failed")]
)
def test_messages_of_a_group_that_gets_no_worker_or_does_not_come_online_are_known_by_number(
    tmp_path, number, kind
):
    log = Log().start("SQL1")
    log.error("spid20s", number, 16, 1, "Tekst.", "Feil: {}, alvorsgrad: {}, tilstand: {}.")
    (tmp_path / "SQL1").mkdir()
    (tmp_path / "SQL1" / "ERRORLOG").write_bytes(log.windows())
    query = f"select host_id from timeline where kind = '{kind}'"
    assert relation(tmp_path, query) == [("SQL1",)]


VALIDATION = (
    "B | 200 | availability_replica_automatic_failover_validation | availability_group_name=AG1; "
    "joined_and_synchronized={}"
)


@pytest.mark.parametrize(("value", "n"), [("false", 1), ("true", 0)])
def test_a_replica_that_is_not_ready_for_a_failover_is_an_event(value, n):
    made = case(events=VALIDATION.format(value))
    found = made.rows("select host_id, ag, kind from timeline")
    assert found == [{"host_id": "B", "ag": "AG1", "kind": "failover_not_ready"}] * n
