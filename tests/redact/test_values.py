"""What stays of statements, XML, addresses and instances, whoever wrote them."""

from __future__ import annotations

import re

import pytest

from agtrace.redact.dictionary import Dictionary
from agtrace.redact.fields import Fields, kind_of_instance
from agtrace.redact.pseudonyms import DATABASE, GROUP, Pseudonyms
from agtrace.redact.text import DROPPED, Texts
from tests.folded import folded


@pytest.fixture
def fields() -> Fields:
    names = Dictionary(Pseudonyms(bytes(32)))
    names.add("Sales", DATABASE)
    names.add("ag1", GROUP)
    names.settle()
    return Fields(Texts(names))


def pattern(expected: str) -> str:
    """Read ``~`` as a pseudonym."""
    return re.escape(expected).replace("\\~", r"(?:[A-Z]{1,4}-[A-Z]{6,8}|\d+)")


@folded(
    ("statement", "expected"),
    [
        ("ALTER AVAILABILITY GROUP [ag1] FAILOVER", "ALTER AVAILABILITY GROUP [~] FAILOVER"),
        ("ALTER AVAILABILITY GROUP ag1 ADD DATABASE Payroll;", "ALTER AVAILABILITY GROUP ~ ADD DATABASE ~;"),
        (
            "BACKUP DATABASE Sales TO DISK = N'E:\\c\\x.bak' WITH BUFFERCOUNT = 50, PASSWORD = '1' -- Huber",
            "BACKUP DATABASE ~ TO DISK = N'E:\\~\\~.bak' WITH BUFFERCOUNT = 50, PASSWORD = '~'",
        ),
        ("RESTORE LOG Sales WITH PASSWORD = 4711", "RESTORE LOG ~ WITH PASSWORD = ~"),
        (
            "EXEC sp_configure 'max server memory (MB)', 4096",
            "EXEC sp_configure 'max server memory (MB)', 4096",
        ),
    ],
)
def test_a_statement_about_groups_and_backups_keeps_its_words(fields, statement, expected):
    assert re.fullmatch(pattern(expected), fields.value("sql", statement))


@folded(
    "statement",
    [
        "CREATE LOGIN huber WITH PASSWORD = 'x'",
        "DROP TABLE #t; SELECT * FROM t WHERE pin='482913'",
        "ALTER AVAILABILITY GROUP [ag1] FAILOVER; SELECT 'Huber'",
        "BACKUP DATABASE Sales TO DISK = 'unclosed",
        "exec sp_configure 'x', 1; exec p 'Huber'",
        "alter database Sales set offline",
    ],
)
def test_any_other_statement_and_a_second_one_are_dropped(fields, statement):
    assert DROPPED.fullmatch(fields.value("sql", statement))


def test_xml_keeps_tags_and_attributes_and_every_value_is_judged(fields):
    made = fields.value(
        "xml",
        "<report><process hostname='HUBER-PC' waittime=\"12\"><inputbuf>select 1 from Huber</inputbuf>"
        "</process><!-- Huber --><note>Huber &amp; Co</note></report>",
    )
    assert re.fullmatch(
        r"<report><process hostname='HOST-\w{6}' waittime=\"12\"><inputbuf>"
        r"\(statement dropped \w{8}\)</inputbuf>"
        r"</process><note>[A-Z]+-\w+ &amp; Co</note></report>",
        made,
    )


def test_xml_that_was_cut_is_judged_as_far_as_it_goes(fields):
    made = fields.value("xml", "<a b='Huber'>Huber<c d='Hub")
    assert "uber" not in made.lower()
    assert "hub" not in made.lower()


@folded(
    ("text", "gone"),
    [
        ("peer ::ffff:10.99.88.77 left", "10.99.88.77"),
        ("IP 10.99.88.77.1433 > 10.99.88.78.50000", "10.99.88.77"),
        ("on ip-10-99-88-77.ec2.internal", "10-99-88-77"),
        ("from 0x0a63584d", "0a63584d"),
        ("ptr 77.88.99.10.in-addr.arpa", "77.88.99.10"),
        ("gateway v10.99.88.77", "10.99.88.77"),
        ("see https://huber.microsoft.com/x", "huber"),
        ("the 🦊vault is open", "🦊"),
        ("as svc_backup", "svc_backup"),
        ("as backup-admin", "backup-admin"),
        ("with pin = '482913'", "482913"),
        ("key 0x1f2e3d4c5b6a7988", "1f2e3d4c5b6a7988"),
    ],
)
def test_addresses_keys_and_joined_words_go(fields, text, gone):
    assert gone not in fields.value("text", text)


@folded(
    "text",
    [
        "wait HADR_SYNC_COMMIT, DMV dm_hadr_automatic_seeding",
        "AlwaysOn_health_0_131254807512300000",
        "error 0x80070005, status 0xC0000022, handle 0x0000000000000a1c",
        "read-only 64-bit non-yielding",
        "2017-10-23 18:43:42.96",
        "Microsoft-Windows-FailoverClustering",
    ],
)
def test_what_the_products_join_stays(fields, text):
    assert fields.value("text", text) == text


@folded(
    ("counters", "instance"),
    [
        ("SQLServer:Query Store", "Sales"),
        ("SQLServer:HTTP Storage", "account.blob.core.windows.net"),
        ("SQLServer:User Settable", "backup"),
        ("SQLServer:Workload Group Stats", "data"),
    ],
)
def test_an_object_that_is_not_listed_has_instances_that_somebody_named(fields, counters, instance):
    assert fields.value(kind_of_instance(counters), instance) != instance


def test_an_object_of_the_products_keeps_its_instances(fields):
    kind = kind_of_instance("SQLServer:Wait Statistics")
    assert fields.value(kind, "Average wait time (ms)") == "Average wait time (ms)"
    assert fields.value(kind_of_instance("SQLServer:Query Store"), "_Total") == "_Total"


@folded("column", ["role_desc", "driver", "os", "product"])
def test_no_column_passes_by_the_end_of_its_name(fields, column):
    assert "Zofia" not in fields.cell(column, "Zofia Kowalczyk")
