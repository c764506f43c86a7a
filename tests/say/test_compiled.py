"""Templates are kept compiled beside them, as Python keeps modules, and are said the same from there."""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import pytest

import agtrace
from agtrace.say import places
from agtrace.say.places import PLAIN, filled
from agtrace.say.said import Said

WORDS = '{{ "Steps:" if first }} it\'s "{{ n | whole }}"\nbytes.'
SAID = ' it\'s "1,234"\nbytes.'
FACTS = {"first": False, "n": 1234}


def forget():
    places._template.cache_clear()
    places._environment.cache_clear()


@pytest.fixture(autouse=True)
def nothing_compiled():
    forget()
    yield
    forget()


@pytest.fixture
def none_is_compiled(monkeypatch):
    def compiled(*_given, **_more):
        pytest.fail("a template was compiled")

    return lambda: monkeypatch.setattr(jinja2.Environment, "compile", compiled)


def test_what_was_compiled_once_is_read(tmp_path, none_is_compiled):
    assert filled(WORDS, FACTS, PLAIN, tmp_path) == SAID
    forget()
    none_is_compiled()
    assert filled(WORDS, FACTS, PLAIN, tmp_path) == SAID


@pytest.mark.parametrize("left", [0, 5, 40, 200])
def test_what_a_full_disk_has_left_is_compiled_anew(tmp_path, left):
    filled(WORDS, FACTS, PLAIN, tmp_path)
    (kept,) = (tmp_path / "__pycache__").iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:left])
    forget()
    assert filled(WORDS, FACTS, PLAIN, tmp_path) == SAID
    assert kept.read_bytes() == whole


@pytest.mark.parametrize("place", range(0, 4000, 400))
def test_a_damaged_byte_is_detected_and_never_unmarshalled(tmp_path, monkeypatch, place):
    filled(WORDS, FACTS, PLAIN, tmp_path)
    (kept,) = (tmp_path / "__pycache__").iterdir()
    whole = kept.read_bytes()
    at = place % len(whole)
    kept.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    forget()
    monkeypatch.setattr(jinja2.bccache.Bucket, "load_bytecode", lambda *_given: pytest.fail("was loaded"))
    assert filled(WORDS, FACTS, PLAIN, tmp_path) == SAID
    assert kept.read_bytes() == whole
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_where_nothing_can_be_written_it_is_compiled_each_time(tmp_path):
    (tmp_path / "__pycache__").write_bytes(b"")
    assert filled(WORDS, FACTS, PLAIN, tmp_path) == SAID


def test_other_places_have_files_of_their_own(tmp_path):
    filled("{{ n }}", FACTS, PLAIN, tmp_path)
    filled("{{ n }}", FACTS, places.HTML, tmp_path)
    assert len(list((tmp_path / "__pycache__").iterdir())) == 2


@pytest.mark.parametrize(("is_off", "are_kept"), [(False, True), (True, False)])
def test_a_process_that_keeps_no_modules_keeps_no_templates(monkeypatch, tmp_path, is_off, are_kept):
    package = tmp_path / "asks"
    (package / "said").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "said" / "page.md").write_text("{{ n }}")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", is_off)
    try:
        assert Said("asks").page("page", FACTS) == "1,234"
    finally:
        sys.modules.pop("asks", None)
    assert (package / "said" / "__pycache__").is_dir() == are_kept


def test_they_lie_in_the_package_and_nowhere_else(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    said = Said("agtrace.diagnostics.health")
    kept = places.compiled_beside(PLAIN, said._place)
    assert Path(kept.directory).parent == Path(agtrace.__file__).parent / "diagnostics" / "health" / "said"
