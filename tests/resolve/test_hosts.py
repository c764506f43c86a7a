"""Which host wrote a capture: the order of evidence, ties and contradictions."""

from __future__ import annotations

import pytest

from agtrace.resolve.attribution import is_placeholder
from agtrace.resolve.hosts import Configuration, attribute, read_configuration
from agtrace.resolve.names import host_name, instance_name, same_host
from agtrace.store import CommitRecord, Fact, FoundCapture, Summary
from tests.folded import folded


def errorlog(server: str | None = None) -> Summary:
    return Summary(facts=[Fact("startup", 0, "server_name", server)] if server else [])


def perfmon(*hosts: str) -> Summary:
    return Summary(hosts=list(hosts))


def stated(topic: str, **facts: str) -> Summary:
    return Summary(facts=[Fact(topic, 0, key, value) for key, value in facts.items()])


def hosts_of(
    files: dict[str, Summary],
    configuration: Configuration | None = None,
    readers: dict[str, str] | None = None,
):
    captures, records = [], {}
    for number, (path, summary) in enumerate(files.items()):
        captures.append(FoundCapture(path, 1, 0, f"c{number}"))
        reader = next((name for name, ending in (readers or {}).items() if path.endswith(ending)), "errorlog")
        records[f"c{number}"] = CommitRecord(f"c{number}", 1, "k", "ingested", reader=reader, summary=summary)
    return attribute(captures, records, configuration or Configuration())


def host_ids(files: dict[str, Summary], configuration: Configuration | None = None) -> dict[str, str | None]:
    return {path: a.host_id for path, a in hosts_of(files, configuration).attributions.items()}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("JBSAG1", "JBSAG1"),
        (r"\\jbsag1", "JBSAG1"),
        ("jbsag1.contoso.com", "JBSAG1"),
        (r"JBSAG1\INST2", "JBSAG1"),
        ("", None),
        (None, None),
    ],
)
def test_names_compare_by_the_first_label_in_upper_case(text, name):
    assert host_name(text) == name


def test_a_name_cut_to_15_characters_is_the_same_host():
    assert same_host("PRODUCTIONSERVE", "PRODUCTIONSERVER01")
    assert not same_host("PRODUCTIONSERV", "PRODUCTIONSERVER01")


def test_instance_of_a_server_name():
    assert instance_name(r"HOST\Inst") == "INST"
    assert instance_name("HOST") == "MSSQLSERVER"


def test_a_name_in_the_file_wins_over_the_folder():
    assert host_ids({"OTHER/ERRORLOG": errorlog("JBSAG1")}) == {"OTHER/ERRORLOG": "JBSAG1"}


def test_an_export_that_holds_its_servers_name_wins_over_the_folder():
    named = Summary(facts=[Fact("dm_hadr_automatic_seeding", 0, "server_name", "JBSAG2\\SALES", 2, None)])
    found = hosts_of({"JBSAG1/seeding.csv": named}).attributions["JBSAG1/seeding.csv"]
    assert (found.host_id, found.sql_instance) == ("JBSAG2", "SALES")


def test_the_configuration_wins_over_everything():
    configuration = Configuration(paths={"OTHER/*": "RIGHT"})
    assert host_ids({"OTHER/ERRORLOG": errorlog("WRONG")}, configuration) == {"OTHER/ERRORLOG": "RIGHT"}


@pytest.mark.parametrize(
    "name", ["SQL1_ERRORLOG", "SQL1_PROD_ERRORLOG.1", "SQL1_PROD_SQLDIAG_0_131532583200400000.xel"]
)
def test_file_names_of_the_usual_collectors(name):
    assert host_ids({f"out/{name}": errorlog()}) == {f"out/{name}": "SQL1"}


@folded(
    ("name", "host", "instance"),
    [
        ("CONTOSO1_20260301T1015302241_AlwaysOnDiagScript.out", "CONTOSO1", "MSSQLSERVER"),
        ("CONTOSO1_SALES_20260301T1015302241_xevent_LogScout_target_0_1.xel", "CONTOSO1", "SALES"),
        ("contoso1.contoso.lan_20260301T1015302241_Perfmon.out_000001.blg", "CONTOSO1", "MSSQLSERVER"),
        ("CONTOSO1_ERRORLOG.1_Head_and_Tail_Only", "CONTOSO1", "MSSQLSERVER"),
        ("CONTOSO1_SQLAGENT.OUT", "CONTOSO1", "MSSQLSERVER"),
        ("CONTOSO2.contoso.lan_cluster.log", "CONTOSO2", None),
        ("CONTOSO1__SQL_Server_Perf_Stats_Startup.OUT", "CONTOSO1", "MSSQLSERVER"),
        ("CONTOSO1_SALES_MiscPssdiagInfo_Shutdown.OUT", "CONTOSO1", "SALES"),
        ("CONTOSO1_SALES_1033_AlwaysOn.OUT", "CONTOSO1", "SALES"),
        ("CONTOSO1_SALES_1033_sp_sqldiag_Shutdown.OUT", "CONTOSO1", "SALES"),
        ("CONTOSO1_TCPIP_OFFLOAD.TXT", "CONTOSO1", "MSSQLSERVER"),
        ("CONTOSO1_host_instance_SQL_Performance_Counters.out", "CONTOSO1", "MSSQLSERVER"),
        ("CONTOSO1_os_iostat.perf", "CONTOSO1", "MSSQLSERVER"),
    ],
)  # fmt: skip
def test_names_that_collectors_give(name, host, instance):
    found = hosts_of({f"output/{name}": Summary()}).attributions[f"output/{name}"]
    assert (found.host_id, found.source, found.sql_instance) == (host, "file name", instance)


@folded("name", ["Net_TCPIP_offload.txt", "EventLog_System.csv", "netsh.txt"])
@folded("folder", ["output", "Output_20260301T101530", "internal", "output.zip!"])
def test_names_that_say_nothing(name, folder):
    assert host_ids({f"{folder}/{name}": Summary()}) == {f"{folder}/{name}": None}


def test_a_known_host_with_an_underscore_is_taken_whole():
    files = {
        "a/perf.csv": perfmon("SQL_PROD"),
        "b/SQL_PROD_20260301T1015302241_MiscDiagInfo.out": Summary(),
        "b/SQL_PROD_SALES_ERRORLOG": errorlog(),
    }
    found = hosts_of(files).attributions
    assert [(a.host_id, a.sql_instance) for a in list(found.values())[1:]] == [
        ("SQL_PROD", "MSSQLSERVER"),
        ("SQL_PROD", "SALES"),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "JBSAG3_hadr_0_134213424242424242.xel",
        "netsh-jbsag3.txt",
        "perf JBSAG3 2026-03-01.csv",
        "tcp.jbsag3.contoso.com.txt",
    ],
)
def test_a_file_that_names_one_known_host_is_its_own_beside_others(name):
    files = {"x/ERRORLOG": errorlog("JBSAG1"), "y/ERRORLOG": errorlog("JBSAG3"), f"x/{name}": Summary()}
    found = hosts_of(files).attributions[f"x/{name}"]
    assert (found.host_id, found.source) == ("JBSAG3", "file name")


def test_the_longest_known_host_of_a_name_counts():
    files = {"a/x": perfmon("SQL1"), "b/x": perfmon("SQL1-DR"), "c/SQL1-DR_tcp.txt": Summary()}
    assert host_ids(files)["c/SQL1-DR_tcp.txt"] == "SQL1-DR"


@pytest.mark.parametrize("name", ["JBSAG1_to_JBSAG3.txt", "XJBSAG3.txt", "JBSAG33.txt"])
def test_a_name_with_two_hosts_or_with_part_of_one_says_nothing(name):
    files = {"a/x": perfmon("JBSAG1"), "b/x": perfmon("JBSAG3"), f"tmp/{name}": Summary()}
    assert host_ids(files)[f"tmp/{name}"] is None


def test_a_session_file_is_of_the_instance_whose_log_lies_beside_it_where_the_host_has_several():
    session = Summary()
    files = {"SQL1/A/ERRORLOG": errorlog(r"SQL1\A"), "SQL1/B/ERRORLOG": errorlog(r"SQL1\B"),
             "SQL1/B/system_health_0_1.xel": session, "SQL1/system_health_0_2.xel": session}  # fmt: skip
    found = hosts_of(files, readers={"xel": ".xel"}).attributions
    assert found["SQL1/B/system_health_0_1.xel"].sql_instance == "B"
    assert found["SQL1/system_health_0_2.xel"].sql_instance is None


def test_the_log_beside_a_session_file_gives_it_no_instance_where_the_host_has_one():
    files = {"SQL1/ERRORLOG": errorlog("SQL1"), "SQL1/system_health_0_1.xel": Summary()}
    found = hosts_of(files, readers={"xel": ".xel"}).attributions
    assert found["SQL1/system_health_0_1.xel"].sql_instance is None


def test_the_instance_beside_a_known_host():
    files = {"a/ERRORLOG": errorlog(r"SQL1\SALES"), "b/SQL1_SALES_tcp.txt": Summary(),
             "b/SQL1_OTHER_tcp.txt": Summary()}  # fmt: skip
    found = hosts_of(files).attributions
    assert found["b/SQL1_SALES_tcp.txt"].sql_instance == "SALES"
    assert found["b/SQL1_OTHER_tcp.txt"].sql_instance is None


@pytest.mark.parametrize(
    "summary",
    [
        stated("ping", target="jbsag3", target_host="JBSAG3"),
        stated("ping", target="10.2.0.4", target_host="10.2.0.4"),
        stated("robocopy", destination=r"\\JBSAG3\d$", destination_host="JBSAG3"),
        stated("robocopy", destination="D:\\"),
    ],
)
def test_a_path_to_another_host_is_called_after_that_one(summary):
    files = {"a/x": perfmon("JBSAG1"), "b/x": perfmon("JBSAG3"), "a/path_JBSAG3.log": summary}
    assert host_ids(files)["a/path_JBSAG3.log"] == "JBSAG1"


def test_a_path_between_two_hosts_is_the_one_it_does_not_lead_to():
    files = {
        "a/x": perfmon("JBSAG1"),
        "b/x": perfmon("JBSAG3"),
        "c/JBSAG1_to_JBSAG3.txt": stated("ping", target_host="JBSAG3"),
    }
    assert host_ids(files)["c/JBSAG1_to_JBSAG3.txt"] == "JBSAG1"


def test_a_folder_or_archive_that_names_a_known_host_comes_before_its_neighbours():
    files = {
        "ERRORLOG": errorlog("JBSAG1"),
        "b/ERRORLOG": errorlog("JBSAG3"),
        "from JBSAG3.zip!/tcp/netsh.txt": Summary(),
        "CONTOSO1_SALES_system_health_XeLogs.zip!/system_health_0_1.xel": Summary(),
    }
    found = hosts_of(files).attributions
    assert found["from JBSAG3.zip!/tcp/netsh.txt"].host_id == "JBSAG3"
    assert found["from JBSAG3.zip!/tcp/netsh.txt"].source == "folder name"
    by_zip = found["CONTOSO1_SALES_system_health_XeLogs.zip!/system_health_0_1.xel"]
    assert (by_zip.host_id, by_zip.sql_instance) == ("CONTOSO1", "SALES")


def test_the_logs_of_the_cluster_say_nothing_of_the_folder_that_they_lie_in():
    files = {
        "output/CONTOSO1_ERRORLOG": errorlog(),
        "output/CONTOSO1.contoso.lan_cluster.log": Summary(),
        "output/CONTOSO2.contoso.lan_cluster.log": Summary(),
        "output/AlwaysOn_health_0_134213424242424242.xel": Summary(),
    }
    assert host_ids(files) == {
        "output/CONTOSO1_ERRORLOG": "CONTOSO1",
        "output/CONTOSO1.contoso.lan_cluster.log": "CONTOSO1",
        "output/CONTOSO2.contoso.lan_cluster.log": "CONTOSO2",
        "output/AlwaysOn_health_0_134213424242424242.xel": "CONTOSO1",
    }


def test_two_nodes_in_one_flat_folder_one_zipped_and_one_not():
    names = (
        "{}_ERRORLOG", "{}_20260301T1015302241_MiscDiagInfo.out", "{}_20260301T1016102291_PowerPlan.out",
        "CONTOSO1.contoso.lan_cluster.log", "CONTOSO2.contoso.lan_cluster.log",
        "AlwaysOn_health_0_134213424242424242.xel", "system_health_0_134213424242424242.xel",
    )  # fmt: skip
    files = {name.format("CONTOSO1"): Summary() for name in names}
    files |= {"output.zip!/" + name.format("CONTOSO2"): Summary() for name in names}
    for path, host in host_ids(files).items():
        if path.endswith("_cluster.log"):
            assert host == path.rpartition("/")[2][:8], path
        else:
            assert host == ("CONTOSO2" if "zip!" in path else "CONTOSO1"), path


def test_a_host_that_is_called_like_a_folder_is_not_looked_for_in_names():
    files = {"a/x": perfmon("SQL"), "b/y": perfmon("JBSAG3"), "b/sql_tcp.txt": Summary()}
    assert host_ids(files)["b/sql_tcp.txt"] == "JBSAG3"


def test_a_file_without_a_name_belongs_to_the_host_of_its_folder():
    files = {
        "a/ERRORLOG": errorlog("JBSAG1"),
        "a/netsh.txt": Summary(),
        "b/perf.csv": perfmon("JBSAG2"),
        "b/deep/netsh.txt": Summary(),
    }
    assert host_ids(files) == {
        "a/ERRORLOG": "JBSAG1",
        "a/netsh.txt": "JBSAG1",
        "b/perf.csv": "JBSAG2",
        "b/deep/netsh.txt": "JBSAG2",
    }


def test_a_folder_over_folders_of_one_host():
    files = {"x/logs/ERRORLOG": errorlog("JBSAG1"), "x/net/netsh.txt": Summary()}
    assert host_ids(files)["x/net/netsh.txt"] == "JBSAG1"


def test_a_tie_is_no_guess():
    files = {"ERRORLOG": errorlog("JBSAG1"), "perf.csv": perfmon("JBSAG2"), "netsh.txt": Summary()}
    attribution = hosts_of(files).attributions["netsh.txt"]
    assert attribution.host_id is None
    assert attribution.source == "tie: captures of JBSAG1, JBSAG2 lie in the same folder"


def test_the_folders_own_name_comes_last():
    assert host_ids({"case/JBSAG9/netsh.txt": Summary()}) == {"case/JBSAG9/netsh.txt": "JBSAG9"}


def test_a_folder_that_names_a_kind_of_file_is_no_host():
    assert host_ids({"logs/netsh.txt": Summary()}) == {"logs/netsh.txt": None}


def test_two_server_names_in_one_log_contradict():
    summary = Summary(
        facts=[Fact("startup", 0, "server_name", "A1"), Fact("startup", 1, "server_name", "B1")]
    )
    attribution = hosts_of({"x/ERRORLOG": summary}).attributions["x/ERRORLOG"]
    assert (attribution.host_id, attribution.source) == (None, "contradiction in the file: A1, B1")


def test_cut_names_are_aliases_of_the_long_one():
    hosts = hosts_of({"a/perf.csv": perfmon("PRODUCTIONSERVE"), "b/ERRORLOG": errorlog("ProductionServer01")})
    assert {a.host_id for a in hosts.attributions.values()} == {"PRODUCTIONSERVER01"}
    assert hosts.aliases == {"PRODUCTIONSERVER01": ["PRODUCTIONSERVE"]}


def test_a_zip_is_a_folder():
    files = {"all.zip!/JBSAG1/ERRORLOG": errorlog("JBSAG1"), "all.zip!/JBSAG1/netsh.txt": Summary()}
    assert host_ids(files)["all.zip!/JBSAG1/netsh.txt"] == "JBSAG1"


def test_hosts_toml(tmp_path):
    (tmp_path / "hosts.toml").write_text('[paths]\n"a/*" = "SQL1"\n[aliases]\nSQL1 = ["old1"]\n')
    configuration = read_configuration(tmp_path)
    assert configuration == Configuration({"a/*": "SQL1"}, {"SQL1": ["old1"]})
    assert hosts_of({"a/x": perfmon("OLD1")}, configuration).attributions["a/x"].host_id == "SQL1"


def test_brackets_in_a_path_of_hosts_toml_stand_for_themselves():
    configuration = Configuration({"[ab]/*": "SQL1"}, {})
    found = hosts_of({"a/x": perfmon("OLD1"), "[ab]/X": perfmon("OLD1")}, configuration)
    hosts = {path: each.host_id for path, each in found.attributions.items()}
    assert hosts == {"a/x": "OLD1", "[ab]/X": "SQL1"}


# Strangers in one folder


def known(**more: str) -> Summary:
    """Return a log that names its host, of October 2017."""
    facts = [Fact("startup", 0, key, value) for key, value in {"server_name": "JBSAG1"}.items()]
    facts += [Fact("startup", 0, key, value) for key, value in more.items()]
    return Summary("2017-10-23T11:00:00", "2017-10-23T16:00:00", facts=facts)


def nameless(first="2017-10-23T11:00:00", last="2017-10-23T12:00:00", **more: str) -> Summary:
    return Summary(first, last, facts=[Fact("startup", 0, key, value) for key, value in more.items()])


@pytest.mark.parametrize(
    ("of_host", "stranger", "why"),
    [
        ({"os": "Windows Server 2016 Standard <X64>"}, nameless(os="Linux (Ubuntu 22.04.3 LTS) <X64>"),
         "it is of Linux, that host of Windows"),
        ({"product_version": "14.0.1000.169"}, nameless(product_version="16.0.4105.2"),
         "it is of SQL Server version 16, that host of SQL Server version 14"),
        ({"sql_instance": "SQL17RTM01"}, nameless(sql_instance="OTHER"),
         "it is of instance OTHER, that host of instance SQL17RTM01"),
        ({}, nameless("2023-01-02T00:00:00", "2023-01-03T00:00:00"),
         "it is of 2023-01-02 to 2023-01-03, what is known of that host of 2017-10-23"),
    ],
    ids=["platform", "version", "instance", "years"],
)  # fmt: skip
def test_a_file_is_not_given_to_a_host_that_it_contradicts(of_host, stranger, why):
    files = {"x/ERRORLOG": known(**of_host), "x/stray": stranger}
    found = hosts_of(files).attributions["x/stray"]
    assert (found.host_id, found.source) == (None, f"not of JBSAG1, whose folder it lies in: {why}")


@pytest.mark.parametrize(
    ("stranger", "host"),
    [
        (nameless(os="Linux (Ubuntu 22.04.3 LTS) <X64>"), None),
        (nameless(product_version="16.0.4105.2"), "JBSAG1"),
        (nameless("2023-01-02T00:00:00", "2023-01-03T00:00:00"), "JBSAG1"),
    ],
    ids=["platform", "version", "years"],
)
def test_of_a_file_in_a_folder_called_after_a_host_another_system_alone_speaks_against_it(stranger, host):
    about = {"os": "Windows Server 2016 <X64>", "product_version": "14.0.1000.169"}
    files = {"JBSAG1/ERRORLOG": known(**about), "JBSAG1/stray": stranger}
    assert host_ids(files)["JBSAG1/stray"] == host


def test_a_file_that_contradicts_nothing_is_given_to_the_host_of_its_folder():
    about = {"os": "Windows NT 6.3 <X64>", "product_version": "14.0.3.1"}
    files = {
        "x/ERRORLOG": known(**about),
        "x/other": nameless("2017-12-30T00:00:00", "2018-01-02T00:00:00", **about),
    }
    assert host_ids(files)["x/other"] == "JBSAG1"


def test_the_configuration_may_give_a_stranger_to_a_host():
    files = {"x/ERRORLOG": known(os="Windows"), "x/stray": nameless(os="Linux")}
    assert host_ids(files, Configuration(paths={"x/stray": "JBSAG1"}))["x/stray"] == "JBSAG1"


# ERRORLOGs without their head


def headless(path: str, *replicas: str, beside: dict[str, Summary] | None = None):
    """Resolve a log with entries, and what its own lines say of connections."""
    facts = [Fact("errorlog_replica", n, "name", name) for n, name in enumerate(replicas)]
    captures = [FoundCapture(path, 1, 0, "log")]
    records = {
        "log": CommitRecord("log", 1, "k", "ingested", reader="errorlog", tables={"errorlog": 9},
                            summary=Summary(facts=facts))
    }  # fmt: skip
    for name, summary in (beside or {}).items():
        captures.append(FoundCapture(name, 1, 0, name))
        records[name] = CommitRecord(name, 1, "k", "ingested", reader="errorlog", summary=summary)
    return attribute(captures, records, Configuration())


def test_a_log_without_its_head_is_of_the_replica_that_its_connections_start_from():
    found = headless("logs/ERRORLOG.3", "SQL2\\PROD").attributions["logs/ERRORLOG.3"]
    assert (found.host_id, found.source, found.sql_instance) == ("SQL2", "named in the file", "PROD")


def test_a_log_that_nothing_names_is_of_a_host_of_its_own():
    hosts = headless("logs/ERRORLOG.3")
    found = hosts.attributions["logs/ERRORLOG.3"]
    assert (found.host_id, found.source) == ("an unnamed host (logs/ERRORLOG.3)", "placeholder: no evidence")
    assert is_placeholder(found.host_id)
    assert list(hosts.aliases) == ["an unnamed host (logs/ERRORLOG.3)"]
    assert hosts.canonical(found.host_id) == found.host_id


def test_no_host_of_a_case_is_taken_for_an_unnamed_one():
    beside = {"perf.csv": perfmon("an unnamed host (ERRORLOG.3)"), "other.csv": perfmon("SQL1")}
    hosts = headless("ERRORLOG.3", beside=beside)
    assert hosts.attributions["ERRORLOG.3"].host_id == "an unnamed host (ERRORLOG.3)"
    assert hosts.attributions["perf.csv"].host_id == "AN UNNAMED HOST (ERRORLOG"


def test_a_log_that_two_replicas_claim_is_of_neither():
    found = headless("ERRORLOG", "SQL1", "SQL2").attributions["ERRORLOG"]
    assert found.host_id == "an unnamed host (ERRORLOG)"
