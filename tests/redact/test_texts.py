"""What stays of a text: the words of the product, numbers, and where names stood their pseudonyms."""

from __future__ import annotations

import re

import pytest

from agtrace.redact.dictionary import Dictionary
from agtrace.redact.fields import Fields
from agtrace.redact.pseudonyms import DATABASE, GROUP, HOST, LOGIN, Pseudonyms
from agtrace.redact.text import DROPPED, Texts
from tests.folded import folded


@pytest.fixture
def texts() -> Texts:
    names = Dictionary(Pseudonyms(bytes(32)))
    for name, kind in (
        ("primary", DATABASE),
        ("10", DATABASE),
        ("a'b", DATABASE),
        ("Sales", DATABASE),
        ("SalesAG", GROUP),
        ("SQL1.contoso.lan\\INST2", HOST),
        ("CONTOSO\\jane", LOGIN),
        ("Größe", DATABASE),
        ("SQL-01", HOST),
        ("बिक्री", DATABASE),
    ):
        names.add(name, kind)
    names.settle()
    return Texts(names)


def known(texts: Texts, name: str) -> str:
    return texts.names.whole(name) or ""


@folded(
    ("text", "expected"),
    [
        ("Login failed for user 'CONTOSO\\jane'.", "Login failed for user '{contoso}\\{jane}'."),
        ("database 'Sales' on SQL1\\INST2", "database '{Sales}' on {sql1}\\{inst2}"),
        ("SalesAG, Sales and sales", "{SalesAG}, {Sales} and {Sales}"),
        ("TCP://sql1.contoso.lan:5022", "TCP://{sql1}.{contoso}.lan:5022"),
        ("Starting up database 'a'b'.", "Starting up database '{a'b}'."),
        ("BACKUP DATABASE [a'b]", "BACKUP DATABASE [{a'b}]"),
        ("Größe, GRÖSSE and grösse", "{Größe}, {Größe} and {Größe}"),
        ("connection to SQL-01 was lost", "connection to {SQL-01} was lost"),
        ("database बिक्री is offline", "database {बिक्री} is offline"),
    ],
)
def test_names_are_found_wherever_they_stand(texts, text, expected):
    wanted = re.sub(r"{(.*?)}", lambda match: known(texts, match[1]), expected)
    assert texts.text(text) == wanted


def test_an_ordinary_word_is_a_name_where_a_name_stands_and_nowhere_else(texts):
    made = texts.text("database 'primary' of the primary replica: 10 ms; BACKUP DATABASE [10] took 10 s")
    primary, ten = known(texts, "primary"), known(texts, "10")
    assert made == f"database '{primary}' of the primary replica: 10 ms; BACKUP DATABASE [{ten}] took 10 s"


def test_a_role_is_no_database_of_that_name(texts):
    text = 'is changing roles from "RESOLVING" to "PRIMARY" because the availability group failed over'
    assert texts.text(text) == text


@folded(
    ("text", "gone"),
    [
        ("I/O on file [E:\\Contoso Data\\crm.mdf] took long", ("Contoso", "crm")),
        ("cannot open \\\\filer7\\backups$\\crm.bak", ("filer7", "backups", "crm")),
        ("connected from 10.12.4.21, MAC 00-15-5D-01-02-0A", ("10.12.4.21", "00-15-5D-01-02-0A")),
        ("account S-1-5-21-1004336348-1177238915-682003330-512", ("1004336348", "682003330")),
        (
            "backup to https://contosobackup.blob.core.windows.net/crm/full.bak?sig=abcdef",
            ("contoso", "crm", "sig"),
        ),
        (
            "backup to HTTPS://ContosoBackup.Blob.core.windows.net/CRM/full.bak?SIG=abcdef",
            ("contoso", "crm", "full", "sig"),
        ),
        ("backup to s3://10.1.2.3:9000/bucket/crm.bak", ("10.1.2.3", "bucket", "crm")),
        ("backup to https://[fd00::12:1]:9000/share/x.bak", ("fd00::12:1", "share")),
        ("https://server:Passw0rd@backup.storage.net/x", ("server", "passw0rd", "backup", "storage")),
        ("https://files.example.com/Contoso%20Sales/Gr%C3%B6%C3%9Fe.bak", ("contoso", "%20sales", "%c3")),
        ("\\\\?\\UNC\\server\\backup\\crm.bak", ("server", "backup", "crm")),
        ("\\\\?\\D:\\Data\\backup\\crm.bak", ("data", "backup", "crm")),
        ("file D:/Data/backup/crm.bak", ("data", "backup", "crm")),
        ("smb://server/backup/crm.bak", ("server", "backup", "crm")),
        ("adapter 0015.5d01.020a of ping_10.1.2.3.txt", ("0015", "5d01", "10.1.2.3")),
        ("order from 店 of बाज़ार for the database", ("店", "ब", "ज")),
        ("replica id f961b6c9-c44d-5c23-8302-3d92cbce71fc", ("f961b6c9",)),
        ("-dC:\\contoso\\master.mdf", ("contoso", "C:\\contoso")),
        ("mail to jane.doe@contoso.com failed", ("jane", "doe", "contoso")),
    ],
)
def test_addresses_paths_accounts_and_ids_go_whoever_knows_them(texts, text, gone):
    made = texts.text(text)
    assert not [each for each in gone if each.lower() in made.lower()]


def test_paths_of_one_folder_stay_in_one_folder_and_keep_drive_and_extension(texts):
    one, other = (texts.paths.path(f"E:\\Contoso Data\\{name}") for name in ("huber.mdf", "huber_log.ldf"))
    assert re.fullmatch(r"E:\\DOM-[A-Z]{6} Data\\W-[A-Z]{8}\.mdf", one)
    assert one.rsplit("\\", 1)[0] == other.rsplit("\\", 1)[0]


def test_a_folder_of_plain_words_has_a_pseudonym_and_one_of_the_product_none(texts):
    assert re.fullmatch(
        r"D:\\DIR-[A-Z]{8}\\DIR-[A-Z]{8}\\tempdb\.mdf", texts.paths.path("D:\\Data\\Log\\tempdb.mdf")
    )
    own = "C:\\Program Files\\Microsoft SQL Server\\MSSQL15.MSSQLSERVER\\MSSQL\\Log\\ERRORLOG"
    assert texts.paths.path(own) == own


def test_a_text_of_unknown_words_is_dropped_and_equal_ones_stay_equal(texts):
    one = texts.text("Frau Meier aus Castrop sagt Kunde Huber zahlt nie")
    assert DROPPED.fullmatch(one)
    assert texts.text("Frau Meier aus Castrop sagt Kunde Huber zahlt nie") == one
    assert texts.text("Frau Meier aus Castrop sagt Kunde Huber zahlt immer") != one


def test_a_statement_of_somebody_is_dropped_and_one_about_groups_is_not(texts):
    fields = Fields(texts)
    assert DROPPED.fullmatch(fields.value("sql", "select * from dbo.Customers where name = 'Huber'"))
    made = fields.value("sql", "ALTER AVAILABILITY GROUP [SalesAG] FAILOVER")
    assert made == f"ALTER AVAILABILITY GROUP [{known(texts, 'SalesAG')}] FAILOVER"


def test_a_cell_of_a_rowset_is_dropped_as_soon_as_a_word_is_unknown(texts):
    fields = Fields(texts)
    assert DROPPED.fullmatch(fields.cell("failure_message", "Huber, 12 rows"))
    assert fields.cell("failure_message", "12 rows") == "12 rows"
    assert fields.cell("database_name", "primary") == known(texts, "primary")


def test_a_cell_of_a_column_that_nobody_declared_is_dropped_even_a_number(texts):
    assert DROPPED.fullmatch(Fields(texts).cell("social_security", "482913"))


def test_a_guid_is_one_with_and_without_dashes(texts):
    dashed = texts.text("group f961b6c9-c44d-5c23-8302-3d92cbce71fc")
    assert texts.text("group f961b6c9c44d5c2383023d92cbce71fc") == dashed.replace("-", "")


@pytest.mark.parametrize(
    "url", ["https://go.microsoft.com/fwlink/?LinkID=1", "http://www.microsoft.com/x", "https://aka.ms/y"]
)
def test_places_that_the_product_points_to_keep_their_host(texts, url):
    assert texts.text(f"see {url}").split("/")[2] == url.split("/")[2]


def test_one_storage_is_one_pseudonym_however_its_address_is_written(texts):
    one = texts.text("to https://contosobackup.blob.core.windows.net/crm/a.bak")
    other = texts.text("to HTTPS://CONTOSOBACKUP.blob.core.windows.net/CRM/A.bak")
    assert one.split("://")[1] == other.split("://")[1]
    assert re.fullmatch(
        r"to https://W-[A-Z]{8}\.blob\.core\.windows\.net/DIR-[A-Z]{8}/FILE-[A-Z]{8}\.bak", one
    )
