"""Which host wrote a capture: the order of evidence, ties and contradictions."""

from __future__ import annotations

import pytest

from agtrace.resolve.hosts import Configuration, attribute, read_configuration
from agtrace.resolve.names import host_name, instance_name, same_host
from agtrace.store import CommitRecord, Fact, FoundCapture, Summary


def errorlog(server: str | None = None) -> Summary:
    return Summary(facts=[Fact("startup", 0, "server_name", server)] if server else [])


def perfmon(*hosts: str) -> Summary:
    return Summary(hosts=list(hosts))


def hosts_of(files: dict[str, Summary], configuration: Configuration | None = None):
    captures, records = [], {}
    for number, (path, summary) in enumerate(files.items()):
        captures.append(FoundCapture(path, 1, 0, f"c{number}"))
        records[f"c{number}"] = CommitRecord(
            f"c{number}", 1, "k", "ingested", reader="errorlog", summary=summary
        )
    return attribute(captures, records, configuration or Configuration())


def host_ids(
    files: dict[str, Summary], configuration: Configuration | None = None
) -> dict[str, str | None]:
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
    named = Summary(
        facts=[Fact("dm_hadr_automatic_seeding", 0, "server_name", "JBSAG2\\SALES", 2, None)]
    )
    found = hosts_of({"JBSAG1/seeding.csv": named}).attributions["JBSAG1/seeding.csv"]
    assert (found.host_id, found.sql_instance) == ("JBSAG2", "SALES")


def test_the_configuration_wins_over_everything():
    configuration = Configuration(paths={"OTHER/*": "RIGHT"})
    assert host_ids({"OTHER/ERRORLOG": errorlog("WRONG")}, configuration) == {
        "OTHER/ERRORLOG": "RIGHT"
    }


@pytest.mark.parametrize(
    "name", ["SQL1_ERRORLOG", "SQL1_PROD_ERRORLOG.1", "SQL1_PROD_SQLDIAG_0_131532583200400000.xel"]
)
def test_file_names_of_the_usual_collectors(name):
    assert host_ids({f"out/{name}": errorlog()}) == {f"out/{name}": "SQL1"}


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
    hosts = hosts_of(
        {"a/perf.csv": perfmon("PRODUCTIONSERVE"), "b/ERRORLOG": errorlog("ProductionServer01")}
    )
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
