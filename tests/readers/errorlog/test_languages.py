"""Messages of servers in 21 languages give the same values (docs/formats/errorlog.md, section 2)."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.folded import folded
from tests.readers.errorlog.errorlog_rows import entries, facts, messages
from tests.shared import SHARED, needs_captures

LANGUAGES = [
    "cs",
    "da",
    "de",
    "en",
    "es",
    "fi",
    "fr",
    "hu",
    "it",
    "ja",
    "ko",
    "nb",
    "nl",
    "pl",
    "pt-BR",
    "pt-PT",
    "ru",
    "sv",
    "tr",
    "zh-CN",
    "zh-TW",
]
GUIDS = ("C4AD5EA4-8A99-41FA-893E-189154C24B49", "377C9F54-E247-4741-A8A1-3DA0C814AE51")
HEADER = "2024-01-25 10:06:27.84 spid51      "

BACKUP = ("Vertrieb Ost", "2011/09/15", "21:46:19")
DEVICE = ("2", r"FILE=1, TYPE=DISK: {'E:\a b.bak', 'F:\c.bak'}")
CREATED = {
    "database": "Vertrieb Ost",
    "creation_date": "2011-09-15 21:46:19",
    "devices": "2",
    "backup_file_number": "1",
    "device_type": "DISK",
    "device_names": r"E:\a b.bak|F:\c.bak",
}
LSN = {"first_lsn": "163:1808:37", "last_lsn": "163:1824:1"}
FROM_TO = tuple(LSN.values())
ROLES = {
    "role": "secondary",
    "remote_role": "primary",
    "database": "Ost 1",
    "replica": r"H1\I",
    "replica_id": GUIDS[0],
}

# The arguments %1, %2, ... of each message, and the topic and values that they must give.
CASES: dict[int, tuple[tuple[str, ...], str, dict[str, str]]] = {
    18264: (
        (*BACKUP, "3100", *FROM_TO, *DEVICE),
        "backup",
        CREATED | LSN | {"kind": "full", "pages": "3100"},
    ),
    18265: ((*BACKUP, *FROM_TO, *DEVICE), "backup", CREATED | LSN | {"kind": "log"}),
    18266: ((*BACKUP, "f1", "7", *DEVICE), "backup", CREATED | {"kind": "file", "files": "f1", "pages": "7"}),
    18267: ((*BACKUP, *FROM_TO, *DEVICE), "restore", CREATED | LSN | {"kind": "full"}),
    18268: ((*BACKUP, *FROM_TO, *DEVICE), "restore", CREATED | LSN | {"kind": "log"}),
    18269: ((*BACKUP, "f1", *DEVICE), "restore", CREATED | {"kind": "file", "files": "f1"}),
    18270: (
        (*BACKUP, "114", *FROM_TO, "39:1573:1", *DEVICE),
        "backup",
        CREATED | LSN | {"kind": "differential", "pages": "114", "full_backup_lsn": "39:1573:1"},
    ),
    3014: (
        ("BACKUP DATABASE", "355", "0", "214", "12", "928"),
        "backup_rate",
        {
            "statement": "BACKUP DATABASE",
            "operation": "backup",
            "pages": "355",
            "seconds": "0.214",
            "mb_per_s": "12.928",
        },
    ),
    3041: (
        ("BACKUP DATABASE x",),
        "backup_failed",
        {"command": "BACKUP DATABASE x", "reason": "command_failed"},
    ),
    3201: (
        (r"E:\x.bak", "5(x)"),
        "backup_failed",
        {"device": r"E:\x.bak", "os_error": "5(x)", "reason": "cannot_open_device"},
    ),
    19406: (
        ("AG 1", "PRIMARY_NORMAL", "RESOLVING_NORMAL", "One sentence.  And another"),
        "replica_state",
        {
            "ag": "AG 1",
            "old_state": "PRIMARY_NORMAL",
            "new_state": "RESOLVING_NORMAL",
            "reason": "One sentence.  And another",
        },
    ),
    1480: (
        ("mirrored", "Ost 1", "SECONDARY", "RESOLVING", "role synchronization"),
        "role_change",
        {
            "kind": "mirrored",
            "database": "Ost 1",
            "old_role": "SECONDARY",
            "new_role": "RESOLVING",
            "reason": "role synchronization",
        },
    ),
    19407: (("AG 1",), "lease", {"ag": "AG 1", "event": "expired"}),
    35201: (
        (r"H1\I", GUIDS[0]),
        "connection",
        {"event": "timeout_establishing", "replica": r"H1\I", "replica_id": GUIDS[0]},
    ),
    35202: (
        ("AG 1", "H1", GUIDS[0], "H2", GUIDS[1]),
        "connection",
        {
            "event": "established",
            "ag": "AG 1",
            "from_replica": "H1",
            "from_replica_id": GUIDS[0],
            "replica": "H2",
            "replica_id": GUIDS[1],
        },
    ),
    35206: (
        (r"H1\I", GUIDS[0]),
        "connection",
        {"event": "timeout", "replica": r"H1\I", "replica_id": GUIDS[0]},
    ),
    35264: (
        ("Ost 1", "user", "0", "SUSPEND_FROM_USER"),
        "data_movement",
        {
            "event": "suspended",
            "database": "Ost 1",
            "reason": "user",
            "source_id": "0",
            "source_string": "SUSPEND_FROM_USER",
        },
    ),
    35265: (("Ost 1",), "data_movement", {"event": "resumed", "database": "Ost 1"}),
    35266: (
        ("primary", "secondary", "Ost 1", r"H1\I", *GUIDS[0].split("-")),
        "database_connection",
        ROLES | {"event": "established"},
    ),
    35267: (
        ("primary", "secondary", "Ost 1", r"H1\I", *GUIDS[0].split("-")),
        "database_connection",
        ROLES | {"event": "terminated"},
    ),
    35285: (("(49:272:1)", "6"), "recovery_lsn", {"recovery_lsn": "49:272:1", "database_id": "6"}),
    41074: (("AG 1",), "preparing", {"ag": "AG 1", "new_role": "PRIMARY"}),
    41075: (("AG 1",), "preparing", {"ag": "AG 1", "new_role": "RESOLVING"}),
    41091: (("AG 1",), "ag_failure", {"ag": "AG 1", "reason": "lease_lost"}),
    41131: (("AG 1",), "ag_failure", {"ag": "AG 1", "reason": "online_timeout"}),
    19494: (("Ost 1", "AG 1"), "seeding_failed", {"database": "Ost 1", "ag": "AG 1", "reason": "transient"}),
    19495: (
        ("Ost 1", "AG 1"),
        "seeding_failed",
        {"database": "Ost 1", "ag": "AG 1", "reason": "unrecoverable"},
    ),
    19496: (("Ost 1", "AG 1"), "seeding_failed", {"database": "Ost 1", "ag": "AG 1", "reason": "failed"}),
    833: (
        ("3", "15", r"D:\d.mdf", "5", "0A1C", "0x12a40000", "17230"),
        "long_io",
        {
            "count": "3",
            "seconds": "15",
            "file": r"D:\d.mdf",
            "database_id": "5",
            "offset": "0x12a40000",
            "duration_ms": "17230",
        },
    ),
    5145: (
        ("f 1", "Ost 1", "12000"),
        "autogrow",
        {"event": "completed", "file": "f 1", "database": "Ost 1", "milliseconds": "12000"},
    ),
    17890: (
        ("328", "106980", "248044", "43"),
        "memory_paged_out",
        {
            "duration_s": "328",
            "working_set_kb": "106980",
            "committed_kb": "248044",
            "utilization_percent": "43",
        },
    ),
    17126: ((), "ready", {}),
    17147: ((), "stop", {"reason": "system_shutdown"}),
    17148: ((), "stop", {"reason": "service_control"}),
}


@cache
def wordings() -> dict[tuple[int, str], str]:
    table = (SHARED / "facts" / "messages_i18n.tsv").read_text("utf-8")
    rows = (line.split("\t", 2) for line in table.split("\n")[1:] if line)
    return {(int(number), language): text for number, language, text in rows}


def rendered(number: int, language: str, arguments: tuple[str, ...]) -> str:
    """Return the message as a server of that language writes it."""
    text = wordings()[number, language].replace("\\n", "").rstrip()
    if number in (35266, 35267):
        # Eleven arguments make one GUID: 8-4-4-2+2-2*6 digits.
        guid = re.sub("(..)", r"\1 ", "".join(arguments[7:])).split()
        arguments = (*arguments[:7], *guid)
    for place in range(len(arguments), 0, -1):
        text = text.replace(f"%{place}!s!", arguments[place - 1])
    assert "!s!" not in text
    return text.replace("%%", "%")


@pytest.mark.complete
@needs_captures
@folded("language", LANGUAGES)
@folded("number", CASES)
def test_every_language_gives_the_same_values(number, language):
    arguments, topic, expected = CASES[number]
    [row] = messages(f"{HEADER}{rendered(number, language, arguments)}\n")
    assert (row["topic"], row["message_id"], row["fields"]) == (topic, number, expected)
    same = {
        other
        for other in LANGUAGES
        if rendered(number, other, arguments) == rendered(number, language, arguments)
    }
    assert row["language"] in same


@pytest.mark.complete
@needs_captures
def test_all_languages_in_one_file():
    lines = [
        HEADER + rendered(number, language, CASES[number][0]) for number in CASES for language in LANGUAGES
    ]
    rows = messages("".join(f"{line}\n" for line in lines))
    assert [row["message_id"] for row in rows] == [n for n in CASES for _ in LANGUAGES]
    assert [row["line"] for row in rows] == list(range(1, len(lines) + 1))


@needs_captures
@folded("language", LANGUAGES)
def test_error_pairs_in_every_language(language):
    # The pair line is message 18053 up to its parameters.
    first = re.split(r"\s*\(", wordings()[18053, language])[0]
    for place, number in enumerate(("8310", "16", "1"), 1):
        first = first.replace(f"%{place}!s!", number)
    [row] = entries(f"{HEADER}{first}\n{HEADER}Cannot create (or open) named file mapping object.\n")
    assert (row["error"], row["severity"], row["state"]) == (8310, 16, 1)
    assert row["message"] == "Cannot create (or open) named file mapping object."


def test_a_pair_may_begin_its_words_with_capitals():
    [row] = entries(f"{HEADER}Erreur : 8310, Gravité : 16, État : 1.\n{HEADER}Texte.\n")
    assert (row["error"], row["severity"], row["state"]) == (8310, 16, 1)


@needs_captures
@folded("language", LANGUAGES)
def test_start_up_facts_in_every_language(language):
    texts = {
        49916: ("-6", "30"),
        17104: ("4321",),
        17176: ("18468", "1/24/2024 9:46:07 PM", "1/25/2024 4:16:07 AM"),
        15268: ("MIXED",),
        17111: (r"D:\MSSQL16.I\MSSQL\Log\ERRORLOG",),
        49903: ("7999",),
        49917: ("Modern_Spanish_CI_AS", "Español", "3082"),
    }
    lines = [HEADER + rendered(number, language, arguments) for number, arguments in texts.items()]
    lines.append(HEADER + rendered(17110, language, ("\n\t -d x\n\t -T 9567",)))
    found = [
        (topic, key, value)
        for topic, _item, key, value in facts("".join(f"{line}\n" for line in lines))
        if topic != "errorlog_file"
    ]
    assert found == [
        ("startup", "utc_adjustment_minutes", "-390"),
        ("startup", "process_id", "4321"),
        ("startup", "last_process_id", "18468"),
        ("startup", "last_reported_utc", "2024-01-25T04:16:07"),
        ("startup", "authentication_mode", "MIXED"),
        ("startup", "errorlog_path", r"D:\MSSQL16.I\MSSQL\Log\ERRORLOG"),
        ("startup", "sql_instance", "I"),
        ("startup", "memory_mb", "7999"),
        ("startup", "default_collation", "Modern_Spanish_CI_AS"),
        ("startup", "language", "Español"),
        ("startup", "language_lcid", "3082"),
        ("startup", "startup_parameter", "-d x"),
        ("startup", "startup_parameter", "-T 9567"),
        ("startup_flag", "9567", "startup"),
    ]


@needs_captures
@folded("language", LANGUAGES)
def test_trace_flags_in_every_language(language):
    text = (
        rendered(17550, language, ("3004, 3605", "51"))
        + "\n"
        + HEADER
        + rendered(17551, language, ("3004", "51"))
    )
    found = [(key, value) for topic, _i, key, value in facts(f"{HEADER}{text}\n") if topic == "trace_flag"]
    assert found == [("3004", "on"), ("3605", "on"), ("3004", "off")]
