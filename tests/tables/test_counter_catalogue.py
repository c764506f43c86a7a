"""Counter paths and canonical counter names (docs/formats/pdh_text.md, section 3)."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from pathlib import Path

from agtrace.measure.transport_counters import WANTED
from agtrace.tables.counter_catalogue import (
    UNITS,
    Canonical,
    PathParts,
    _catalogue,
    canonical,
    split_path,
    sql_instance,
)
from tests.folded import folded


@folded(
    ("path", "parts"),
    [
        (r"\\JBSAG1\Memory\Available MBytes", ("JBSAG1", "Memory", None, "Available MBytes")),
        (
            r"\\JBSAG1\Processor(_Total)\% Processor Time",
            ("JBSAG1", "Processor", "_Total", "% Processor Time"),
        ),
        (r"\\JBSAG1\Process(svchost#12)\ID Process", ("JBSAG1", "Process", "svchost#12", "ID Process")),
        (r"\\h\Thread(sqlservr/3#1)\% User Time", ("h", "Thread", "sqlservr/3#1", "% User Time")),
        (
            r"\\h\Processor Information(0,3)\% Processor Time",
            ("h", "Processor Information", "0,3", "% Processor Time"),
        ),
        (
            r"\\sp2013\sqlserver:availability replica(spmag:sql2012x)\bytes sent to replica/sec",
            ("sp2013", "sqlserver:availability replica", "spmag:sql2012x", "bytes sent to replica/sec"),
        ),
        (
            r"\\N1\SQLServer:Availability Replica(AG:N2\INST)\Flow Control Time (ms/sec)",
            ("N1", "SQLServer:Availability Replica", r"AG:N2\INST", "Flow Control Time (ms/sec)"),
        ),
        (
            r"\\N1\MSSQL$SQL17:Databases(Sales (old) [2])\Log Flushes/sec",
            ("N1", "MSSQL$SQL17:Databases", "Sales (old) [2]", "Log Flushes/sec"),
        ),
        (
            r"\\N1\SQLServer:Backup Device(D:\backup\a(1).bak)\Device Throughput Bytes/sec",
            ("N1", "SQLServer:Backup Device", r"D:\backup\a(1).bak", "Device Throughput Bytes/sec"),
        ),
        (r"\Memory\Pages/sec", (None, "Memory", None, "Pages/sec")),
        (r"\PhysicalDisk(0 C:)\% Disk Time", (None, "PhysicalDisk", "0 C:", "% Disk Time")),
        (r"Memory\Pages/sec", (None, "Memory", None, "Pages/sec")),
        (r"\\MACHINE-NAME\% C2 Time", ("MACHINE-NAME", "", None, "% C2 Time")),
        (r"\\h\Objects (torn\Threads", ("h", "Objects (torn", None, "Threads")),
        (r"\\h\Databases()\Log Growths", ("h", "Databases", "", "Log Growths")),
        ("", (None, "", None, "")),
    ],
)
def test_a_path_is_split_from_the_outside(path, parts):
    assert split_path(path) == PathParts(*parts)


def test_the_default_instance_and_a_named_one_share_the_object():
    assert canonical("SQLServer:Database Replica", "Log Send Queue") == Canonical(
        "SQLServer:Database Replica", "MSSQLSERVER", "Log Send Queue", "KB"
    )
    assert canonical("MSSQL$sql17rtm01:Database Replica", "Log Send Queue") == Canonical(
        "SQLServer:Database Replica", "SQL17RTM01", "Log Send Queue", "KB"
    )


def test_case_is_restored():
    assert canonical("mssql$x:availability replica", "bytes sent to replica/sec") == Canonical(
        "SQLServer:Availability Replica", "X", "Bytes Sent to Replica/sec", "B/s"
    )
    assert canonical("processor", "% processor time") == Canonical("Processor", None, "% Processor Time", "%")


@folded(
    ("object_name", "counter", "unit"),
    [
        ("SQLServer:Database Replica", "Redo Bytes Remaining", "KB"),
        ("SQLServer:Database Replica", "Recovery Queue", "KB"),
        ("SQLServer:Database Replica", "Transaction Delay", "ms/s"),
        ("SQLServer:Database Replica", "Group Commit Time", "µs"),
        ("SQLServer:Database Replica", "Redone Bytes/sec", "B/s"),
        ("SQLServer:Availability Replica", "Flow Control Time (ms/sec)", "ms/s"),
        ("SQLServer:Availability Replica", "Flow Control/sec", "n/s"),
        ("SQLServer:Availability Group", "Active Hadr Threads", "n"),
        ("SQLServer:Databases", "Log Bytes Flushed/sec", "B/s"),
        ("SQLServer:Databases", "Log Flush Wait Time", "ms"),
        ("SQLServer:Databases", "Group Commit Time/sec", "µs/s"),
        ("SQLServer:Databases", "Bulk Copy Throughput/sec", "KB/s"),
        ("SQLServer:Backup Device", "Device Throughput Bytes/sec", "B/s"),
        ("SQLServer:Buffer Manager", "Page life expectancy", "s"),
        ("SQLServer:Wait Statistics", "Log write waits", None),
        ("PhysicalDisk", "Avg. Disk sec/Write", "s"),
        ("LogicalDisk", "Disk Write Bytes/sec", "B/s"),
        ("Network Interface", "Current Bandwidth", "bit/s"),
        ("Network Adapter", "Bytes Total/sec", "B/s"),
        ("TCPv4", "Segments Retransmitted/sec", "n/s"),
        ("Process", "Working Set", "B"),
        ("Memory", "Available MBytes", "MB"),
    ],
)
def test_the_unit_says_what_the_value_is(object_name, counter, unit):
    found = canonical(object_name, counter)
    assert found is not None
    assert (found.object, found.counter, found.unit) == (object_name, counter, unit)


@folded(
    ("object_name", "written", "counter"),
    [
        ("Database Replica", "Cola de envío de registro", "Log Send Queue"),
        ("Database Replica", "Cola de recuperación", "Recovery Queue"),
        ("Database Replica", "Bytes de registro recibidos/s", "Log Bytes Received/sec"),
        # "lectura" is reading; the product's translators meant writing.
        ("Database Replica", "Transacciones de lectura reflejada/s", "Mirrored Write Transactions/sec"),
        ("Databases", "Transacciones de lectura/s", "Write Transactions/sec"),
        ("Databases", "Bytes de registro vaciados/s", "Log Bytes Flushed/sec"),
        ("Databases", "Rendimiento de copia de seguridad y restauración/s", "Backup/Restore Throughput/sec"),
        ("Availability Replica", "Tiempo de control de flujo (ms/s)", "Flow Control Time (ms/sec)"),
        ("Availability Replica", "Bytes enviados a transporte/s", "Bytes Sent to Transport/sec"),
        ("Backup Device", "Bytes de rendimiento de dispositivo/s", "Device Throughput Bytes/sec"),
    ],
)
def test_spanish_counters_of_sql_server_2014(object_name, written, counter):
    english = canonical(f"SQLServer:{object_name}", counter)
    assert english is not None
    assert canonical(f"SQLServer:{object_name}", written) == english
    assert canonical(f"MSSQL$a:{object_name}", written.upper()) == english._replace(sql_instance="A")


def test_a_spanish_name_counts_only_under_its_own_object():
    assert canonical("SQLServer:Database Mirroring", "Cola de envío de registro") is None


def test_accents_in_either_unicode_form():
    decomposed = unicodedata.normalize("NFD", "Cola de envío de registro")
    found = canonical("SQLServer:Database Replica", decomposed)
    assert found is not None
    assert found.counter == "Log Send Queue"


def test_windows_objects_are_translated_whole():
    assert canonical("Процесс", "% загруженности процессора") == Canonical(
        "Process", None, "% Processor Time", "%"
    )
    assert canonical("Процесс", "Рабочий набор") == Canonical("Process", None, "Working Set", "B")


@folded(
    ("written", "canonical_path"),
    [
        (r"Prozessor\Prozessorzeit (%)", r"Processor\% Processor Time"),
        (r"Physikalischer Datenträger\Mittlere Sek./Schreibvorgänge", None),
        (r"Netzwerkschnittstelle\Gesendete Bytes/s", r"Network Interface\Bytes Sent/sec"),
        (r"Disque physique\Moyenne disque s/écriture", None),
        (r"Interface réseau\Octets reçus/s", r"Network Interface\Bytes Received/sec"),
        (r"TCPv4\Segments retransmis/s", r"TCPv4\Segments Retransmitted/sec"),
        (r"Disco físico\Promedio de segundos de disco/escritura", None),
        (r"Interfaz de red\Total de bytes/s", r"Network Interface\Bytes Total/sec"),
        (r"Физический диск\Среднее время записи на диск (с)", None),
    ],
)
def test_windows_objects_in_other_languages(written, canonical_path):
    found = canonical(*written.split("\\"))
    assert found is not None
    expected = canonical_path or r"PhysicalDisk\Avg. Disk sec/Write"
    assert f"{found.object}\\{found.counter}" == expected
    assert found.sql_instance is None


def test_what_is_not_known_stays_as_written():
    assert canonical("SQLServer:Database Replica", "Message Acknowledgement Time") is None
    assert canonical("SQLServer:No Such Object", "Log Send Queue") is None
    assert canonical("GPU Engine", "Utilization Percentage") is None
    assert canonical("", "% C2 Time") is None


def test_the_instance_of_an_unmapped_object_is_still_known():
    assert sql_instance("MSSQL$Sql17:No Such Object") == "SQL17"
    assert sql_instance("sqlserver:No Such Object") == "MSSQLSERVER"
    assert sql_instance("Processor") is None
    assert sql_instance("SQLServer") is None


def test_every_unit_of_the_catalogue_is_declared():
    assert {unit for _, _, unit in _catalogue().values() if unit} <= UNITS


def test_english_names_are_found_by_themselves():
    english = {(name, counter) for name, counter, _ in _catalogue().values()}
    assert len(english) > 600
    for name, counter in english:
        found = canonical(name, counter)
        assert found is not None
        assert (found.object, found.counter) == (name, counter)


def test_the_counters_to_capture_are_in_the_catalogue_and_suffice_for_transport():
    page = (Path(__file__).parents[2] / "docs" / "capture.md").read_text(encoding="utf-8")
    listed = [split_path(line.strip()) for line in page.splitlines() if line.startswith("    \\")]
    assert len(listed) > 15
    unknown = [part for part in listed if part.counter != "*" and not canonical(part.object, part.counter)]
    assert unknown == []
    covered = {(part.object, part.counter) for part in listed}
    missing = [wanted for wanted in WANTED if wanted not in covered and (wanted[0], "*") not in covered]
    assert missing == []


def test_importing_the_catalogue_does_not_import_pandas():
    code = (
        "import sys; from agtrace.tables.counter_catalogue import canonical;"
        "canonical('Memory', 'Pages/sec'); sys.exit('pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
