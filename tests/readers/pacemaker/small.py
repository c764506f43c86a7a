"""Small texts of a Pacemaker cluster."""

from __future__ import annotations

from collections.abc import Iterator

_CONTROLD = "contoso-l1 pacemaker-controld  [1240]"

LOG = f"""Mar 01 10:15:30.123 contoso-l1 pacemakerd          [1234] (main) \tnotice: Starting Pacemaker 2.1.6
Mar 01 10:15:31.001 {_CONTROLD} (do_state_transition) \tnotice: State transition S_STARTING -> S_PENDING
Mar 01 10:15:32.000 {_CONTROLD} (log_executor_event) \tnotice: Result of probe operation for ag_cluster on contoso-l1: not running | graph action confirmed; call=5 key=ag_cluster_monitor_0 rc=7
Mar 01 10:16:00.000 {_CONTROLD} (log_executor_event) \terror: Result of monitor operation for ag_cluster on contoso-l1: Timed Out after 1m (Resource agent did not complete within 1m) | call=33 key=ag_cluster_monitor_10000 timeout=60000ms
Mar 01 10:16:01.000 contoso-l1 pacemaker-execd     [1238] (log_op_output) \tnotice: ag_cluster_monitor_10000[4567] error output [ 2026/03/01 10:15:59 ag-helper invoked with hostname [localhost] ]
Mar 01 10:16:02.000 contoso-l1 pacemaker-schedulerd[1239] (pe_fence_node) \twarning: Cluster node contoso-l2 will be fenced: peer is no longer part of the cluster
Mar 01 10:16:02.100 {_CONTROLD} (execute_cluster_action) \tnotice: Requesting fencing (reboot) targeting node contoso-l2 | action=1 timeout=120
Mar 01 10:16:09.000 {_CONTROLD} (handle_fence_notification) \tnotice: Peer contoso-l2 was terminated (reboot) by contoso-l1 on behalf of pacemaker-controld.1240: OK | event=7
Mar 01 10:16:09.100 contoso-l1 pacemaker-based     [1235] (pcmk__update_peer_state) \tnotice: Node contoso-l2 state is now lost | nodeid=2 previous=member
Mar 01 10:16:10.000 {_CONTROLD} (te_rsc_command) \tnotice: Initiating promote operation ag_cluster_promote_0 locally on contoso-l1 | action 12
Mar 01 10:16:12.500 {_CONTROLD} (log_executor_event) \tnotice: Result of promote operation for ag_cluster on contoso-l1: ok | CIB update 23, graph action confirmed; call=45 key=ag_cluster_promote_0
"""  # noqa: E501

OLDER = """Dec 31 23:59:58 [1240] contoso-l1       crmd:    error: process_lrm_event: Operation ag_cluster_monitor_11000: Timed Out (node=contoso-l1, call=33, timeout=60000ms)
Dec 31 23:59:59 [1235] contoso-l1        cib:     info: cib_perform_op: + /cib/status: @last-rc-change=1767225599
Jan 01 00:00:01 [1240] contoso-l1       crmd:   notice: tengine_stonith_notify: Peer contoso-l2 was not terminated (reboot) by contoso-l3 on behalf of crmd.1240: No such device | ref=4
Jan 01 00:00:02 [1240] contoso-l1       crmd:   notice: Result of demote operation for ag_cluster on contoso-l1: 0 (ok) | call=45 key=ag_cluster_demote_0
"""  # noqa: E501

STATUS = """Cluster name: contosocl
Cluster Summary:
  * Stack: corosync (Pacemaker is running)
  * Current DC: contoso-l1 (version 2.1.6-9.el9) - partition with quorum
  * Last updated: Sun Mar  1 10:16:02 2026 on contoso-l1
  * 3 nodes configured

Node List:
  * Node contoso-l3: UNCLEAN (offline)
  * Online: [ contoso-l1 contoso-l2 ]

Full List of Resources:
  * Clone Set: ag_cluster-clone [ag_cluster] (promotable):
    * Promoted: [ contoso-l1 ]
    * Unpromoted: [ contoso-l2 ]
  * virtualip\t(ocf:heartbeat:IPaddr2):\t Started contoso-l1
  * fence1\t(stonith:fence_vmware):\t Stopped

Failed Resource Actions:
  * ag_cluster 10s-interval monitor on contoso-l1 could not be executed (Timed Out) at Sun Mar  1 10:15:00 2026 after 1m

Daemon Status:
  corosync: active/enabled
"""  # noqa: E501

OLDER_STATUS = """Cluster name: contosocl
Stack: corosync
Current DC: contoso-l2 (version 1.1.18-11.el7) - partition WITHOUT quorum
Online: [ contoso-l2 ]
OFFLINE: [ contoso-l1 ]

Full list of resources:

 Master/Slave Set: ag_cluster-master [ag_cluster]
     Masters: [ contoso-l2 ]
     Stopped: [ contoso-l1 ]
 virtualip\t(ocf::heartbeat:IPaddr2):\tStarted contoso-l2

Failed Actions:
* ag_cluster_monitor_10000 on contoso-l2 'unknown error' (1): call=33, status='Timed Out', exitreason='',
    last-rc-change='Sun Mar  1 10:15:00 2026', queued=0ms, exec=60001ms
"""


def captures() -> Iterator[tuple[str, bytes]]:
    yield "pacemaker.log", LOG.encode()
    yield "contoso-l1_os_pcs.info", STATUS.encode()


def said() -> Iterator[tuple[str, bytes]]:
    yield "pacemaker.log", OLDER.encode()
