"""Which reason an entry about a listener gives, which resource it names, and whose listener that is."""

from __future__ import annotations

from agtrace.diagnostics.access.names import ListenerNames, reason_of
from agtrace.diagnostics.access.rows import GroupsOfHosts, ListenerEntries, Listeners
from tests.diagnostics.asking import record
from tests.folded import folded


def entry(source, number, text="x", resource=None):
    return record(ListenerEntries, source=source, number=number, text=text, resource=resource)


@folded(
    ("row", "reason"),
    [
        (entry("ERRORLOG", 19471), "name"),
        (entry("Extended Events", 19456), "address"),
        (entry("ERRORLOG", 19486, "duplicate IP address"), "port"),
        (entry("event log", 1194), "account"),
        (entry("event log", 1196, "duplicate IP address"), "dns"),
        (entry("event log", 1069, "duplicate  IP address"), "duplicate"),
        (entry("event log", 1069), "failed"),
        (entry("cluster log", None), "failed"),
        (entry("cluster log", None, "failed registration of one or more associated DNS names"), "dns"),
        (entry("cluster log", None, "a Computer Object"), "account"),
        (entry("cluster log", None, "its computer account"), "account"),
        (entry("cluster log", None, "the address value is invalid"), "address"),
        (entry("cluster log", None, "its subnet mask"), "address"),
    ],
)
def test_a_number_gives_the_reason_and_otherwise_its_words(row, reason):
    assert reason_of(row) == reason


@folded(
    ("source", "reason", "numbers"),
    [
        ("ERRORLOG", "address", (19451, 19455, 19456, 19457, 19458, 19461)),
        ("ERRORLOG", "created", (19452, 19453, 19476, 19488)),
        ("event log", "account", (1193, 1194, 1206, 1207, 1211, 1212, 1213, 1218, 1219, 1220)),
        ("event log", "dns", (1195, 1196, 1256, 1257, 1258, 1259)),
        ("event log", "address", (1046, 1047, 1048, 1077, 1223)),
        ("event log", "name", (1050, 1051, 1052, 1214, 1215)),
    ],
)
def test_each_number_has_its_reason(source, reason, numbers):
    assert [reason_of(entry(source, number)) for number in numbers] == [reason] * len(numbers)


def looks(*pairs):
    return [record(Listeners, ag=ag, listener=name) for ag, name in pairs]


def hosts(*pairs):
    return [record(GroupsOfHosts, ag=ag, host_id=host) for ag, host in pairs]


ONE = ListenerNames(
    looks(("AG", "LSN"), ("AG", "LSN"), ("AG_2", "OTHER"), (None, "LONE")), hosts(("AG", "A"))
)
TWO = ListenerNames(looks(("AG", "L1"), ("AG", "L2")), hosts(("AG", "A"), ("BG", "A"), ("AG", "B")))
NOBODY = ListenerNames([], [])


@folded(
    ("known", "resource", "role", "host", "found"),
    [
        (ONE, "", "", "A", ("AG", "LSN")),
        (ONE, "", "", "X", ("", "")),
        (ONE, "", "", None, ("", "")),
        (TWO, "", "", "A", ("", "")),
        (TWO, "", "", "B", ("AG", "")),
        (ONE, "LONE", "", None, ("", "LONE")),
        (ONE, "AG_LSN", "", None, ("AG", "LSN")),
        (ONE, "ag_new", "", None, ("AG", "new")),
        (ONE, "AG_2_x", "", None, ("AG_2", "x")),
        (ONE, "AG_2_OTHER", "", None, ("AG_2", "OTHER")),
        (ONE, "new", "ag", None, ("AG", "new")),
        (ONE, "10.0.0.1", "ag", None, ("AG", "LSN")),
        (ONE, "fe80::1", "ag", None, ("AG", "LSN")),
        (TWO, "10.0.0.1", "AG", None, ("AG", "")),
        (NOBODY, "AG_LSN", "ag", None, ("ag", "LSN")),
        (NOBODY, "AG_10.0.0.1", "AG", None, ("AG", "")),
        (NOBODY, "LSN", "AG", None, None),
        (NOBODY, "_LSN", "", None, None),
        (ONE, "LSN2", "", "A", None),
        (ONE, "LSN2", "Cluster Group", "A", None),
    ],
)
def test_a_resource_is_of_the_listener_that_its_name_role_or_host_tells(known, resource, role, host, found):
    assert known.find(resource, role, host) == found
