"""Pseudonyms are stable, of the shape of what they replace, and mean nothing without the secret."""

from __future__ import annotations

import re
import uuid

import pytest

from agtrace.redact.pseudonyms import DATABASE, HOST, Pseudonyms

NETWORKS = ("10.12.4.21", "10.12.4.22", "10.12.5.21", "192.168.7.9", "172.20.1.1")


@pytest.fixture
def made() -> Pseudonyms:
    return Pseudonyms(bytes(32))


def test_the_same_secret_gives_the_same_pseudonym_and_another_another():
    assert Pseudonyms(bytes(32)).name("Sales", DATABASE) == Pseudonyms(bytes(32)).name("SALES", DATABASE)
    assert Pseudonyms(bytes(32)).name("Sales", DATABASE) != Pseudonyms(b"1" * 32).name("Sales", DATABASE)


def test_a_host_has_a_name_that_a_host_can_have(made):
    assert re.fullmatch(r"HOST-[A-Z]{6}", made.name("sql-prod-01.corp", HOST))


def test_names_keep_their_order_and_those_of_an_earlier_time_their_pseudonym(made):
    made.assign(["Orders", "Archive", "Sales"], DATABASE)
    first = {name: made.name(name, DATABASE) for name in ("Archive", "Orders", "Sales")}
    later = Pseudonyms(bytes(32), made.originals)
    later.assign(["Archive", "Billing", "Payroll", "Zoo"], DATABASE)
    names = ["Archive", "Billing", "Orders", "Payroll", "Sales", "Zoo"]
    assert {name: later.name(name, DATABASE) for name in first} == first
    assert sorted(names, key=lambda name: later.name(name, DATABASE)) == names


def test_no_pseudonym_holds_a_name_of_the_case(made):
    plain = made.name("Sales", DATABASE)
    others = Pseudonyms(bytes(32))
    others.avoid([plain[-4:]])
    assert plain[-4:] not in others.name("Sales", DATABASE)


@pytest.mark.parametrize("text", ["{%s}", "%s"])
def test_a_guid_is_a_guid_and_who_has_the_secret_needs_no_list(made, text):
    guid = text % uuid.UUID("f961b6c9-c44d-5c23-8302-3d92cbce71fc")
    other = made.guids.pseudonym(guid)
    assert uuid.UUID(other) != uuid.UUID(guid)
    assert made.guids.original(other) == guid
    assert made.guids.pseudonym(guid.upper()) == other.upper()


def test_the_empty_guid_stays(made):
    assert made.guids.pseudonym(str(uuid.UUID(int=0))) == str(uuid.UUID(int=0))


def test_addresses_of_one_network_stay_in_one(made):
    others = [made.addresses.pseudonym(each) for each in NETWORKS]
    heads = [each.rsplit(".", 1)[0] for each in others]
    assert heads[0] == heads[1] != heads[2]
    assert heads[0].rsplit(".", 1)[0] == heads[2].rsplit(".", 1)[0]
    assert [each.split(".")[0] for each in others] == ["10", "10", "10", "192", "172"]
    assert others[3].startswith("192.168.")
    assert set(others).isdisjoint(NETWORKS)
    assert len(set(others)) == len(NETWORKS)


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "255.255.255.0", "::1", "not an address"])
def test_what_names_no_machine_stays(made, address):
    assert made.addresses.pseudonym(address) == address


def test_the_other_kinds_of_addresses_keep_how_they_are_written(made):
    six = made.addresses.pseudonym("2001:4898:e0:388:f8ac:753d:8515:fde1")
    same = made.addresses.pseudonym("2001:4898:e0:388::1")
    assert six != same
    assert six.split(":")[:4] == same.split(":")[:4]
    assert re.fullmatch("02(-[0-9A-F]{2}){5}", made.addresses.hardware("00-15-5D-01-02-0A"))
