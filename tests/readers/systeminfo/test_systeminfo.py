"""What systeminfo says of a host."""

from __future__ import annotations

import pytest

from agtrace.readers.systeminfo import READER
from agtrace.testing import check_text_reader, facts_of, is_detected, issue_kinds
from tests.effort import thorough
from tests.readers.real_texts import real_texts
from tests.readers.systeminfo.small import ENGLISH, FRENCH, output


def values(text: str, encoding: str = "utf-8") -> dict[str, str]:
    (found,) = facts_of(READER, text, "system_info", encoding)
    return found


@thorough
def test_the_battery():
    text = output()
    check_text_reader(READER, text, "system_info", complete=text.index("#2") + len("#2\r\n"))


def test_a_label_is_a_key_without_its_colon():
    found = values(output())
    assert found["Host Name"] == "CONTOSO1"
    assert found["System Boot Time"] == "2/28/2026, 10:09:12 PM"
    assert found["Time Zone"] == "(UTC-05:00) Eastern Time (US & Canada)"


def test_a_label_with_a_colon_of_its_own():
    found = values(output())
    assert found["Virtual Memory: Available"] == "1,482 MB"
    assert found["Available Physical Memory"] == "1,417 MB"


def test_a_label_without_a_value_is_no_fact():
    assert "Registered Organization" not in values(output())


def test_entries_of_a_list_are_numbered_as_written():
    found = values(output())
    assert (found["Hotfix(s) [01]"], found["Hotfix(s) [02]"]) == ("KB5000001", "KB5000002")
    assert found["Network Card(s) [01] Connection Name"] == "Public"
    assert found["Network Card(s) [01] IP address(es) [02]"] == "fe80::4"
    assert found["Network Card(s) [02] Status"] == "Media disconnected"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_in_another_language_the_place_tells_the_label(encoding):
    french = output(FRENCH, total="65 536 Mo", available="1 417 Mo", free="1 482 Mo", used="78 518 Mo")
    found = values(french, encoding)
    assert {label for label in found if "[" not in label} == set(ENGLISH) - {"Registered Organization"}
    assert found["Host Name"] == "CONTOSO1"
    assert found["Virtual Memory: In Use"] == "78 518 Mo"


def test_after_a_label_that_is_missing_no_place_tells_any():
    french = output(FRENCH).replace("Type du système:", "  ", 1)
    found = values(french)
    assert found["Host Name"] == "CONTOSO1"
    assert found["Version du BIOS"] == "Contoso BIOS 1.2, 1/1/2025"
    assert found["Répertoire système"] == "C:\\Windows\\system32"
    assert not {"System Type", "BIOS Version", "Time Zone"} & set(found)


def test_an_output_that_was_cut_off_says_so():
    whole = output()
    assert issue_kinds(READER, whole) == []
    assert issue_kinds(READER, whole[: whole.index("Domain")]) == ["truncated"]
    assert issue_kinds(READER, whole[: whole.index("      [02]: fe80")]) == ["truncated"]


def test_outputs_of_two_hosts_in_one_file():
    text = output() + "\r\nC:\\>systeminfo\r\n" + output().replace("CONTOSO1", "CONTOSO2")
    found = facts_of(READER, text, "system_info")
    assert [item["Host Name"] for item in found] == ["CONTOSO1", "CONTOSO2"]
    assert "OS Name" in found[0]


def test_what_is_no_output():
    assert not is_detected(READER, "")
    assert not is_detected(READER, "Host Name: CONTOSO1\nOS Name: Microsoft Windows\n")
    assert not is_detected(READER, bytes(range(256)) * 64)


def test_real_captures_are_not_taken_for_it():
    assert not [text[:80] for text in real_texts() if is_detected(READER, text)]
