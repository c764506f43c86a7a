"""Console outputs of other people's machines, against what another parser read out of them.

They come with the captures of strangers: an output, and beside it its values as JSON.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agtrace.readers import detect
from agtrace.testing import Tables, facts, read_all
from tests.shared import CAPTURES

CONSOLE = CAPTURES / "field" / "console"
OUTPUTS = sorted(CONSOLE.rglob("*.out"))

pytestmark = pytest.mark.skipif(not OUTPUTS, reason="the outputs from the field are not here")


def outputs(*tools: str) -> Any:
    """Return the outputs of some tools, each with its name."""
    found = [path for path in OUTPUTS if path.stem.split("-")[0] in tools]
    return pytest.mark.parametrize("path", found, ids=[f"{each.parent.name}/{each.name}" for each in found])


def read(path: Path, reader: str) -> Tables:
    """Read an output with whatever reader takes it, and see that it found no damage."""
    data = path.read_bytes()
    found = detect(data[: 64 * 1024], path.name)
    assert found is not None
    assert found[0].name == reader
    tables = read_all(found[0], data, path.name)
    issues = tables["issues"].to_pylist() if "issues" in tables else []
    assert [row["kind"] for row in issues if row["severity"] != "info"] == []
    return tables


def golden(path: Path) -> Any:
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def number(text: str | None) -> float | None:
    return None if text is None else float(text)


@outputs("ping", "ping6")
def test_every_ping_is_equal(path):
    (found,) = facts(read(path, "ping"), "ping")
    truth = golden(path)
    sent, received = truth["packets_transmitted"], truth["packets_received"]
    assert found["target"] == truth.get("destination", truth["destination_ip"])
    assert found["address"] == truth["destination_ip"]
    assert int(found["payload_bytes"]) == truth["data_bytes"]
    assert (int(found["sent"]), int(found["received"])) == (sent, received)
    assert int(found["lost"]) == sent - received
    assert 100 * int(found["lost"]) / sent == truth["packet_loss_percent"]
    assert int(found.get("duplicates", 0)) == truth["duplicates"]
    assert int(found.get("errors", 0)) == truth.get("errors", 0)
    assert number(found.get("rtt_min_ms")) == truth.get("round_trip_ms_min")
    assert number(found.get("rtt_avg_ms")) == truth.get("round_trip_ms_avg")
    assert number(found.get("rtt_max_ms")) == truth.get("round_trip_ms_max")
    assert number(found.get("rtt_deviation_ms")) == truth.get("round_trip_ms_stddev")
    assert "computed" not in found


@outputs("iostat")
def test_every_row_and_column_of_iostat_is_equal(path):
    found = []
    for row in facts(read(path, "sysstat"), "iostat"):
        columns = {key: value for key, value in row.items() if key not in ("report", "host", "day")}
        device = columns.pop("device", None)
        values = {_as_golden(key): float(value) for key, value in columns.items()}
        found.append(({"device": device} if device else {}) | values)
    expected = [{key: value for key, value in row.items() if key != "type"} for row in golden(path)]
    assert found == expected


def _as_golden(column: str) -> str:
    return re.sub("[/-]", "_", column.lower().replace("%", "percent_"))


@outputs("mpstat")
def test_every_processor_of_mpstat_is_equal(path):
    """Nodes and single interrupts are no counters of a processor: they are not read."""
    tables = read(path, "sysstat")
    series = tables["counters"].to_pylist()
    clocks = [f"{time:%I:%M:%S %p}" for time in tables["ticks"]["time_local"].to_pylist()]
    found: dict[tuple[str, str, str], float] = {}
    for row in tables["samples"].to_pylist():
        one = series[row["counter_no"]]
        found[clocks[row["tick"]], one["instance"], one["counter"]] = pytest.approx(row["value"], abs=1e-6)
    expected: dict[tuple[str, str, str], float] = {}
    for row in golden(path):
        if "cpu" not in row or row.get("average"):
            continue
        name = "_Total" if row["cpu"] == "all" else row["cpu"]
        for counter, value in _counters(row).items():
            expected[row["time"], name, counter] = value
    assert expected == found


def _counters(row: dict[str, Any]) -> dict[str, float]:
    """Return perfmon's values for a row of the golden values."""
    if row["type"] == "interrupts":
        return {"Interrupts/sec": row["intr_s"]} if "intr_s" in row else {}
    idle = row["percent_idle"] + row["percent_iowait"]
    return {
        "% User Time": row["percent_usr"] + row["percent_nice"],
        "% Privileged Time": row["percent_sys"] + row["percent_irq"] + row["percent_soft"],
        "% Interrupt Time": row["percent_irq"],
        "% DPC Time": row["percent_soft"],
        "% Idle Time": idle,
        "% Processor Time": max(100 - idle, 0),
    }


def test_every_output_has_a_test():
    tools = {"ping", "ping6", "iostat", "mpstat", "systeminfo"}
    assert {path.stem.split("-")[0] for path in OUTPUTS} <= tools


@outputs("systeminfo")
def test_every_value_of_systeminfo_is_equal(path):
    (found,) = facts(read(path, "systeminfo"), "system_info")
    truth = golden(path)
    for key, expected in truth.items():
        if isinstance(expected, str) and not key.endswith("_epoch"):
            assert found.pop(_LABELS[key]) == expected, key
        elif key.endswith("_mb"):
            assert int(found.pop(_LABELS[key]).removesuffix(" MB").replace(",", "")) == expected, key
    for label, expected in (("Processor(s)", truth["processors"]), ("Hotfix(s)", truth["hotfixs"])):
        assert found.pop(label).startswith(f"{len(expected)} ")
        assert [found.pop(f"{label} [{n:02}]") for n in range(1, len(expected) + 1)] == expected
    assert found.pop("Network Card(s)").startswith(f"{len(truth['network_cards'])} ")
    for n, card in enumerate(truth["network_cards"], 1):
        front = f"Network Card(s) [{n:02}]"
        assert found.pop(front) == card["name"]
        assert found.pop(f"{front} Connection Name") == card["connection_name"]
        assert found.pop(f"{front} Status", None) == card["status"]
        assert (found.pop(f"{front} DHCP Enabled", "No") == "Yes") == card["dhcp_enabled"]
        assert found.pop(f"{front} DHCP Server", None) == card["dhcp_server"]
        for at, address in enumerate(card["ip_addresses"], 1):
            assert found.pop(f"{front} IP address(es) [{at:02}]") == address
    answers = _hyper_v(found)
    assert answers == truth["hyperv_requirements"]
    assert found == {}


def _hyper_v(found: dict[str, str]) -> dict[str, bool]:
    """Take the answers of the last block, whose first stands behind its label."""
    label = "Hyper-V Requirements"
    first, _, answer = found.pop(label).partition(": ")
    rows = {first: answer} if answer else {}
    rows |= {key: found.pop(key) for key in list(found) if key.startswith(f"{label} ")}
    return {
        key.removeprefix(f"{label} ").lower().replace(" ", "_"): value == "Yes" for key, value in rows.items()
    }


_LABELS = {
    "host_name": "Host Name", "os_name": "OS Name", "os_version": "OS Version",
    "os_manufacturer": "OS Manufacturer", "os_configuration": "OS Configuration",
    "os_build_type": "OS Build Type", "registered_owner": "Registered Owner",
    "registered_organization": "Registered Organization", "product_id": "Product ID",
    "original_install_date": "Original Install Date", "system_boot_time": "System Boot Time",
    "system_manufacturer": "System Manufacturer", "system_model": "System Model",
    "system_type": "System Type", "bios_version": "BIOS Version", "windows_directory": "Windows Directory",
    "system_directory": "System Directory", "boot_device": "Boot Device", "system_locale": "System Locale",
    "input_locale": "Input Locale", "time_zone": "Time Zone",
    "total_physical_memory_mb": "Total Physical Memory",
    "available_physical_memory_mb": "Available Physical Memory",
    "virtual_memory_max_size_mb": "Virtual Memory: Max Size",
    "virtual_memory_available_mb": "Virtual Memory: Available",
    "virtual_memory_in_use_mb": "Virtual Memory: In Use", "page_file_locations": "Page File Location(s)",
    "domain": "Domain", "logon_server": "Logon Server",
}  # fmt: skip
