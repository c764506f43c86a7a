"""Robocopy logs: how fast a plain copy went over the same path."""

from __future__ import annotations

from datetime import datetime

import pytest

from agtrace.readers.robocopy import READER
from agtrace.readers.robocopy.values import host_of_path, options_of, parse_moment, parse_size, parse_whole
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds, read_all
from simulation.formats.host_facts import robocopy_text, text_of
from tests.effort import thorough
from tests.folded import folded
from tests.readers.real_texts import real_texts

STARTED = datetime(2019, 3, 2, 10, 11, 12)
TO_JBSAG3 = robocopy_text("\\\\jbsag3\\temp\\", started=STARTED, copied=10 * 2**30, speed=1_048_576)

# Windows Server 2016, sizes in short form, with /MT and retries.
SHORT = """
-------------------------------------------------------------------------------
   ROBOCOPY     ::     Robust File Copy for Windows
-------------------------------------------------------------------------------

  Started : Thursday, April 4, 2019 2:34:58 PM
   Source = \\\\jbsag2.contoso.com\\c$\\temp\\
     Dest : D:\\in\\

    Files : file.zip
\t    other.zip

 Exc Dirs : c:\\temp\\old

  Options : *.* /DCOPY:DA /COPY:DAT /J /MT:16 /IPG:5 /R:5 /W:60

------------------------------------------------------------------------------

2019/04/04 14:34:59 ERROR 32 (0x00000020) Copying File \\\\jbsag2.contoso.com\\c$\\temp\\other.zip
The process cannot access the file because it is being used by another process.
Waiting 60 seconds... Retrying...
100%\t    New File  \t\t  10.0 g\tfile.zip

------------------------------------------------------------------------------

               Total    Copied   Skipped  Mismatch    FAILED    Extras
    Dirs :         1         0         1         0         0         0
   Files :         2         1         0         0         1         0
   Bytes :  10.500 g  10.000 g         0         0   512.0 m         0
   Times :   1:58:04   0:07:22                       0:00:00   0:00:00

   Speed :           24,117,248 Bytes/sec.
   Speed :            1,380.000 MegaBytes/min.
   Ended : Thursday, April 4, 2019 2:43:20 PM

"""

GERMAN = """
-------------------------------------------------------------------------------
   ROBOCOPY     ::     Robustes Dateikopieren für Windows
-------------------------------------------------------------------------------

  Gestartet: Montag, 19. November 2018 01:34:16
   Quelle : E:\\stuff\\
     Ziel : \\\\jbsag3\\temp\\

    Dateien : *.*

  Optionen: *.* /S /DCOPY:DAT /COPY:DAT /Z /NP /MT:1 /R:3 /W:1

------------------------------------------------------------------------------

           Insgesamt   KopiertÜbersprungenKeine Übereinstimmung    FEHLER    Extras
Verzeich.:        26        26         0         0         0         0
  Dateien:      4321      4321         0         0         0         0
    Bytes:   2.032 t   2.032 t         0         0         0         0
   Zeiten:  15:11:31   3:47:52                       0:00:00   3:47:53


Geschwindigkeit:           163428952 Bytes/Sek.
Geschwindigkeit:            9351.479 Megabytes/Min.
Beendet: Montag, 19. November 2018 09:10:02
"""

SPANISH = """
-------------------------------------------------------------------------------
   ROBOCOPY     ::     Herramienta para copia eficaz de archivos
-------------------------------------------------------------------------------

   Origen : z:\\temp\\
     Destino : \\\\jbsag3\\temp\\

    Archivos: file.zip

  Opciones: /DCOPY:DA /COPY:DAT /B /R:1000000 /W:30

------------------------------------------------------------------------------

\t                  1\tz:\\temp\\
\t   Nuevo arch\t\t 20.0 m\tfile.zip
100%

------------------------------------------------------------------------------

               Total   Copiado   OmitidoNo coincidencia     ERROR    Extras
Director.:         1         0         1         0         0         0
 Archivos:         1         1         0         0         0         0
    Bytes:   20.00 m   20.00 m         0         0         0         0
   Tiempo:   0:00:10   0:00:10                       0:00:00   0:00:00


Velocidad:             2097152 Bytes/s
Velocidad:             120.000 Megabytes/min
"""


def test_a_copy_to_a_replica():
    assert facts_of(READER, TO_JBSAG3, "robocopy") == [
        {
            "started": "Saturday, March 2, 2019 10:11:12 AM",
            "source": "c:\\temp\\",
            "destination": "\\\\jbsag3\\temp\\",
            "destination_host": "JBSAG3",
            "files": "file.zip",
            "options": "/DCOPY:DA /COPY:DAT /R:1000000 /W:30",
            "ended": "Saturday, March 2, 2019 01:01:52 PM",
            "elapsed_seconds": "10240",
            "files_copied": "1",
            "files_failed": "0",
            "bytes_copied": "10737418240",
            "seconds": "10240",
            "speed_bytes_per_s": "1048576",
        }
    ]
    assert issue_kinds(READER, TO_JBSAG3) == []


def test_rows_carry_line_unit_and_the_time_of_the_copy():
    rows = read_all(READER, TO_JBSAG3.encode(), "x")["facts"].to_pylist()
    by_key = {row["key"]: row for row in rows}
    assert by_key["speed_bytes_per_s"]["unit"] == "B/s"
    assert by_key["bytes_copied"]["unit"] == "B"
    assert by_key["seconds"]["unit"] == "s"
    assert by_key["source"]["line"] == 7
    assert by_key["speed_bytes_per_s"]["time_local"] == STARTED
    assert by_key["ended"]["time_local"] == datetime(2019, 3, 2, 13, 1, 52)


def test_short_sizes_options_retries_and_grouped_digits():
    assert facts_of(READER, SHORT, "robocopy") == [
        {
            "started": "Thursday, April 4, 2019 2:34:58 PM",
            "source": "\\\\jbsag2.contoso.com\\c$\\temp\\",
            "source_host": "JBSAG2",
            "destination": "D:\\in\\",
            "files": "file.zip",
            "options": "*.* /DCOPY:DA /COPY:DAT /J /MT:16 /IPG:5 /R:5 /W:60",
            "threads": "16",
            "unbuffered": "true",
            "inter_packet_gap_ms": "5",
            "ended": "Thursday, April 4, 2019 2:43:20 PM",
            "elapsed_seconds": "502",
            "files_copied": "1",
            "files_failed": "1",
            "bytes_copied": "10737418240",
            "seconds": "442",
            "speed_bytes_per_s": "24117248",
            "errors": "1",
        }
    ]


def test_german():
    found = facts_of(READER, GERMAN, "robocopy")[0]
    assert found["destination_host"] == "JBSAG3"
    assert found["threads"] == "1"
    assert found["files_copied"] == "4321"
    assert found["bytes_copied"] == str(round(2.032 * 1024**4))
    assert found["seconds"] == "13672"
    # What robocopy counts as copying is here half of the time that passed.
    assert found["elapsed_seconds"] == "27346"
    assert found["speed_bytes_per_s"] == "163428952"
    assert issue_kinds(READER, GERMAN) == []


def test_german_in_the_code_page_of_the_console():
    assert facts_of(READER, GERMAN, "robocopy", encoding="cp850") == facts_of(READER, GERMAN, "robocopy")


def test_spanish_without_start_and_end():
    assert facts_of(READER, SPANISH, "robocopy") == [
        {
            "source": "z:\\temp\\",
            "destination": "\\\\jbsag3\\temp\\",
            "destination_host": "JBSAG3",
            "files": "file.zip",
            "options": "/DCOPY:DA /COPY:DAT /B /R:1000000 /W:30",
            "files_copied": "1",
            "files_failed": "0",
            "bytes_copied": "20971520",
            "seconds": "10",
            "speed_bytes_per_s": "2097152",
        }
    ]
    assert issue_kinds(READER, SPANISH) == []


def test_without_a_speed_line_it_is_bytes_over_time():
    text = "".join(line for line in SPANISH.splitlines(True) if not line.startswith("Velocidad"))
    found = facts_of(READER, text, "robocopy")[0]
    assert (found["speed_bytes_per_s"], found["speed_derived"]) == ("2097152", "true")
    idle = text.replace("0:00:10", "0:00:00")
    assert "speed_bytes_per_s" not in facts_of(READER, idle, "robocopy")[0]


def test_several_runs_in_one_file():
    text = (
        "C:\\>robocopy c:\\temp\\ \\\\jbsag1\\temp file.zip\r\n"
        + robocopy_text("\\\\jbsag1\\temp\\", started=STARTED, copied=10**9, speed=24_117_248)
        + "C:\\>robocopy c:\\temp\\ \\\\jbsag3\\temp file.zip\r\n"
        + TO_JBSAG3
    )
    found = facts_of(READER, text, "robocopy")
    assert [(run["destination_host"], run["speed_bytes_per_s"]) for run in found] == [
        ("JBSAG1", "24117248"),
        ("JBSAG3", "1048576"),
    ]


def test_a_run_without_its_summary_is_reported():
    text = TO_JBSAG3[: TO_JBSAG3.index("               Total")]
    found = facts_of(READER, text, "robocopy")[0]
    assert found["destination_host"] == "JBSAG3"
    assert "speed_bytes_per_s" not in found
    assert issue_kinds(READER, text) == ["truncated"]


def test_a_log_that_was_asked_to_have_no_summary():
    text = TO_JBSAG3[: TO_JBSAG3.index("               Total")].replace("/W:30", "/W:30 /NJS")
    assert issue_kinds(READER, text) == []


def test_a_log_that_was_asked_to_have_no_header():
    text = TO_JBSAG3[TO_JBSAG3.index("               Total") :]
    found = facts_of(READER, text, "robocopy")[0]
    assert found["speed_bytes_per_s"] == "1048576"
    assert "destination" not in found
    assert issue_kinds(READER, text) == []


def test_a_source_that_cannot_be_reached():
    text = text_of(
        "-" * 79,
        "   ROBOCOPY     ::     Robust File Copy for Windows",
        "-" * 79,
        "",
        "  Started : Saturday, December 20, 2025 5:52:41 PM",
        "2025/12/20 17:52:41 ERROR 53 (0x00000035) Getting File System Type of Source \\\\jbsag9\\t\\",
        "The network path was not found.",
        "",
        "   Source = \\\\jbsag9\\t\\",
        "     Dest : C:\\in\\",
        "",
        "    Files : *.*",
    )
    found = facts_of(READER, text, "robocopy")[0]
    assert (found["source_host"], found["errors"]) == ("JBSAG9", "1")
    assert issue_kinds(READER, text) == ["truncated"]


def test_an_end_that_is_cut_off_is_left_out():
    text = TO_JBSAG3[: TO_JBSAG3.rindex(" PM")]
    assert "ended" not in facts_of(READER, text, "robocopy")[0]
    assert issue_kinds(READER, text) == ["truncated"]


@thorough
def test_the_battery():
    check_text_reader(READER, TO_JBSAG3, "robocopy", TO_JBSAG3.index("Ended"), computed={"speed_derived"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("24294128", 24294128),
        ("24,294,128", 24294128),
        ("24.294.128", 24294128),
        ("99,71,000", 9971000),
        ("24 294 128", 24294128),
        ("24\u202f294\u202f128", 24294128),
        ("", None),
    ],
)
def test_whole_numbers(text, value):
    assert parse_whole(text) == value


@folded(
    ("text", "value"),
    [
        ("0", 0),
        ("45056", 45056),
        ("1,234", 1234),
        ("496.6 k", round(496.6 * 1024)),
        ("18.00 m", 18 * 1024**2),
        ("10.000 g", 10 * 1024**3),
        ("10,000 g", 10 * 1024**3),
        ("1,023.5 m", round(1023.5 * 1024**2)),
        ("2 g", 2 * 1024**3),
        ("2.032 t", round(2.032 * 1024**4)),
    ],
)
def test_sizes(text, value):
    assert parse_size(text) == value


@folded(
    ("text", "moment"),
    [
        ("Saturday, March 2, 2019 10:11:12 AM", datetime(2019, 3, 2, 10, 11, 12)),
        ("Saturday, March 2, 2019 12:11:12 AM", datetime(2019, 3, 2, 0, 11, 12)),
        ("Saturday, March 2, 2019 12:11:12\u202fPM", datetime(2019, 3, 2, 12, 11, 12)),
        ("Sat Mar 02 10:11:12 2019", datetime(2019, 3, 2, 10, 11, 12)),
        ("20 December 2025 17:36:01", datetime(2025, 12, 20, 17, 36, 1)),
        ("Saturday, 2 March 2019 10:11:12", datetime(2019, 3, 2, 10, 11, 12)),
        ("Montag, 19. November 2018 01:34:16", datetime(2018, 11, 19, 1, 34, 16)),
        ("2019/03/02 10:11:12", datetime(2019, 3, 2, 10, 11, 12)),
        ("2019年3月2日 10:11:12", datetime(2019, 3, 2, 10, 11, 12)),
        ("02/03/2019 10:11:12", None),
        ("lunes, 18 de agosto de 202522:31:59", None),
        ("Saturday, March 32, 2019 10:11:12 AM", None),
        ("Saturday, March 2, 2019 13:11:12 PM", None),
    ],
)
def test_moments(text, moment):
    assert parse_moment(text) == moment


@folded(
    "text",
    [
        "4 Nisan 2019 Perşembe 14:34:58",
        "Donnerstag, 4. April 2019 14:34:58",
        "jeudi 4 avril 2019 14:34:58",
        "jueves, 4 de abril de 2019 14:34:58",
        "giovedì 4 aprile 2019 14:34:58",
        "quinta-feira, 4 de abril de 2019 14:34:58",
        "donderdag 4 april 2019 14:34:58",
        "den 4 april 2019 14:34:58",
        "torstai 4. huhtikuuta 2019 14.34.58",
        "2019. április 4., csütörtök 14:34:58",
        "czwartek, 4 kwietnia 2019 14:34:58",
        "čtvrtek 4. dubna 2019 14:34:58",
        "4 апреля 2019 г. 14:34:58",
        "2019年4月4日 14:34:58",
    ],
)
def test_moments_in_other_languages(text):
    assert parse_moment(text) == datetime(2019, 4, 4, 14, 34, 58)


@pytest.mark.parametrize(
    "text",
    [
        "czwartek, 4 listopada 2019 14:34:58",  # Polish November, Croatian October
        "Πέμπτη, 4 Απριλίου 2019 2:34:58 μμ",
        "4 Nisan 5 2019 14:34:58",
        "31 Nisan 2019 14:34:58",
    ],
)
def test_moments_with_more_than_one_reading_are_none(text):
    assert parse_moment(text) is None


TURKISH = """
-------------------------------------------------------------------------------
   ROBOCOPY     ::     Windows için Güçlü Dosya Kopyalama
-------------------------------------------------------------------------------

  Başlangıç : 4 Nisan 2019 Perşembe 14:34:58
   Kaynak : E:\\stuff\\
     Hedef : \\\\jbsag3\\temp\\

    Dosyalar : *.*

  Seçenekler : *.* /S /E /DCOPY:DA /COPY:DAT /NP /MT:32 /R:1 /W:1

------------------------------------------------------------------------------

              Toplam   Kopyalanan   Atlanan  Uyumsuz    BAŞARISIZ    Ek
  Dizinler :         5         5         0         0         0         0
  Dosyalar :        12        12         0         0         0         0
    Bayt :  10.000 g  10.000 g         0         0         0         0
    Saat :   0:01:40   0:01:40                       0:00:00   0:00:00


    Hız :           107.374.182 Bayt/sn.
    Hız :             6.144,000 MegaBayt/dk.
    Bitiş : 4 Nisan 2019 Perşembe 14:36:38
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1254", "cp857"])
def test_turkish_with_many_threads_in_any_encoding(encoding):
    (found,) = facts_of(READER, TURKISH, "robocopy", encoding)
    assert (found["destination_host"], found["threads"], found["elapsed_seconds"]) == ("JBSAG3", "32", "100")
    assert (found["bytes_copied"], found["speed_bytes_per_s"]) == (str(10 * 2**30), "107374182")


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("\\\\jbsag1\\temp\\", "JBSAG1"),
        ("\\\\jbsag1.contoso.com\\temp\\", "JBSAG1"),
        ("\\\\10.2.0.4\\temp\\", "10.2.0.4"),
        ("\\\\?\\UNC\\jbsag1\\temp\\", "JBSAG1"),
        ("\\\\web@SSL\\DavWWWRoot\\", "WEB"),
        ("\\\\?\\GLOBALROOT\\Device\\", None),
        ("c:\\temp\\", None),
    ],
)
def test_hosts_of_paths(path, host):
    assert host_of_path(path) == host


def test_options():
    assert list(options_of("*.* /MT /S")) == [("threads", "8", "n")]
    assert list(options_of("/MT:32 /J")) == [("threads", "32", "n"), ("unbuffered", "true", None)]
    assert list(options_of("/JOB:x /MIR")) == []


def test_what_is_not_a_robocopy_log():
    usage = text_of(
        "-" * 79,
        "   ROBOCOPY     ::     Robust File Copy for Windows",
        "-" * 79,
        "",
        "  Started : Thursday, March 8, 2018 2:34:53 PM",
        "     Simple Usage :: ROBOCOPY source destination /MIR",
        "",
        "             source :: Source Directory (drive:\\path or \\\\server\\share\\path).",
        "               /MIR :: Mirror a complete directory tree.",
    )
    assert not is_detected(READER, usage)
    assert not is_detected(READER, "")
    assert not is_detected(READER, "robocopy c:\\temp \\\\jbsag1\\temp file.zip ran at 23 MB/s\n")
    assert not is_detected(READER, bytes(range(256)) * 64)


def test_real_captures_are_not_taken_for_it():
    assert not [text[:80] for text in real_texts() if is_detected(READER, text)]


@pytest.mark.parametrize(
    ("cell", "key"),
    [("10.000 g", "bytes_copied"), ("         1 ", "files_copied"), ("24,117,248", "speed_bytes_per_s")],
)
def test_a_number_beyond_all_arithmetic_is_left_out_and_said(cell, key):
    known = facts_of(READER, SHORT, "robocopy")[0]
    assert key in known
    for vast in ("9" * 400, f"{'9' * 400} t", "9" * 19):
        if key.startswith("speed") and vast.endswith("t"):
            continue
        text = SHORT
        if cell == "         1 ":
            text = text.replace("Files :         2         1 ", f"Files :         2         {vast} ")
        else:
            text = text.replace(cell, vast)
        (found,) = facts_of(READER, text, "robocopy")
        assert set(known) - set(found) <= {key}
        assert all(len(value) < 19 for name, value in found.items() if name.endswith(("copied", "per_s")))
        if key not in found or found.get("speed_derived"):
            assert "vast_value" in issue_kinds(READER, text)


def test_a_size_of_many_digits_with_a_unit_is_none():
    assert parse_size("9" * 400 + " t") is None
    assert parse_size("9" * 19) is None
    assert parse_size("999.9 t") == round(999.9 * 2**40)
