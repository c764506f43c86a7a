"""Whatever a person looks at in a console says something: each object shown, and ``help`` of each name."""

from __future__ import annotations

import inspect
import pydoc
import re

import pytest

import agtrace
from agtrace.interactive.looking import OFFERED
from tests.folded import folded

SCREEN = 60
"""Lines of a full window on a laptop: more than that and the beginning is gone before it is read."""
WIDTH = 100
FUNCTIONS = [name for name in agtrace.__all__ if inspect.isfunction(getattr(agtrace, name))]
METHODS = [name for name in OFFERED if inspect.isfunction(getattr(agtrace.Case, name, None))]
CLASSES = [name for name in agtrace.__all__ if inspect.isclass(getattr(agtrace, name))]


@pytest.fixture(scope="module")
def case(sample_store):
    store = sample_store("log_send_queue")
    with agtrace.open_case(agtrace.sample("log_send_queue"), store=store) as opened:
        yield opened


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    folder = agtrace.sample("log_send_queue_fixed")
    stores = tmp_path_factory.mktemp("fixed")
    with agtrace.open_cases([folder / "before", folder / "after"], store=stores) as opened:
        yield opened


def on_screen(text: str) -> int:
    """Count lines as a window shows them, long ones folded."""
    return sum(max(1, -(-len(line) // WIDTH)) for line in text.splitlines())


def shown(thing: object) -> str:
    """Show it, and hold what is to hold of all."""
    text = repr(thing)
    assert on_screen(text) <= SCREEN
    assert not re.search(r"0x[0-9a-f]{6,}|<[a-z_.]+ object|PosixPath|np\.float", text)
    return text


def helped(thing: object) -> str:
    return pydoc.plain(pydoc.render_doc(thing))


@pytest.mark.complete
def test_a_case_names_its_hosts_and_its_worst(case):
    first, *rest = shown(case).splitlines()
    assert first == "log_send_queue: 11 captures of 3 hosts"
    assert f"  CRITICAL {case.findings()[0].title}" in rest


@pytest.mark.complete
def test_a_part_of_a_case_names_its_window(case):
    part = case.window("2019-08-20 13:50", "2019-08-20 14:00", host="JBSAG3")
    assert "2019-08-20 13:50:00 to 2019-08-20 14:00:00 UTC" in shown(part).splitlines()[0]


@pytest.mark.complete
def test_many_findings_are_a_line_each_and_one_is_a_card(case):
    found = case.findings()
    first, second, *_ = shown(found).splitlines()
    assert first == f"{len(found)} findings; [0] is the first as a card, .to_df() has all as rows"
    assert second == f"  0 CRITICAL {found[0].title}"
    assert shown(found[0]).startswith("CRITICAL transport.window_limited\n")
    assert shown(type(found)(found[:1])) == repr(found[0])


@pytest.mark.complete
def test_a_hundred_findings_are_still_a_screen(case):
    found = agtrace.Findings([case.findings()[9]] * 100)
    assert shown(found).splitlines()[-1] == "    and 42 more"


def test_evidence_is_its_four_values():
    assert shown(agtrace.Evidence("latency", 41.0, "ms", "storage team")) == (
        "Evidence(label='latency', value=41.0, unit='ms', source='storage team')"
    )


@pytest.mark.parametrize(
    "name", ["transport", "seeding", "backup", "health", "commit_latency", "percentiles", "overview"]
)
def test_an_analysis_says_its_question_and_what_it_gives(case, name):
    first, *rest = shown(case.analysis(name)).splitlines()
    assert first == f"{name}: {case.analysis(name).question}"
    assert rest[0] == "  findings: findings"


def test_an_analysis_names_its_tables_and_figures(case):
    assert "  figures: fig_chain, fig_queues, fig_rates" in repr(case.transport)
    assert "  tables: tbl_chain, " in repr(case.transport)


def test_an_ingest_counts_and_names_what_failed(case, tmp_path):
    assert shown(case.ingested) == f"11 files: 11 unchanged; store {case.store}"
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "perf.csv").write_text('"(PDH-CSV 4.0) (CET)(-60)","\\\\\\\\A\\\\Memory\\\\x"\n"no time","1"\n')
    (folder / "letter.docx").write_bytes(b"hello")
    with pytest.raises(agtrace.AgtraceError):
        agtrace.open_case(folder / "nothing")
    assert "not understood" in shown(agtrace.open_case(folder).ingested)


def test_an_estimate_is_told_in_words(case):
    text = shown(case.what_if("JBSAG3", window="scaled"))
    assert text.startswith(
        "Estimate for JBSAG3 with a scaled receive window.\n\nThe send queue would be almost empty"
    )
    assert "90 % band" in text


@pytest.mark.complete
def test_several_cases_are_named(fixed):
    assert shown(fixed).splitlines()[1:] == [
        "  before: 11 captures of 3 hosts",
        "  after: 12 captures of 3 hosts",
    ]


@pytest.mark.complete
def test_a_comparison_says_what_differs(fixed):
    text = shown(agtrace.compare(fixed["before"], fixed["after"]))
    assert text.startswith("before against after")


def test_an_export_counts_its_files(case, tmp_path):
    found = agtrace.export_case(case, tmp_path / "out", only="findings")
    assert shown(found) == f"2 files in {tmp_path / 'out'}"


def test_an_error_is_its_line():
    with pytest.raises(agtrace.CaseError) as raised:
        agtrace.open_case("nowhere")
    assert "nowhere: no such folder" in shown(raised.value)


def test_the_first_screen_of_help_names_all_that_there_is():
    first = "\n".join(helped(agtrace).splitlines()[:SCREEN])
    named = set(re.findall(r"\w+", first))
    assert [name for name in agtrace.__all__ if name not in named] == ["__version__"]
    assert first.index("open_case") < first.index("PACKAGE CONTENTS")


def test_the_first_screen_of_help_of_a_case_names_what_it_has(case):
    first = helped(agtrace.Case).split("Parameters", maxsplit=1)[0]
    assert on_screen(first) <= SCREEN
    named = set(re.findall(r"\w+", first))
    assert [name for name in METHODS if name not in named | {"close"}] == []
    for line in re.findall(r" - (.*?):", first):
        for name in re.findall(r"(?<!`)\b[a-z_]+\b(?!\[)", line):
            assert name == "case" or hasattr(case, name), name


@folded("name", FUNCTIONS)
def test_help_of_a_function_fits_a_screen(name):
    text = helped(getattr(agtrace, name))
    assert on_screen(text) <= SCREEN
    assert len(text.splitlines()) > 5


@folded("name", METHODS)
def test_help_of_a_method_of_a_case_fits_a_screen(name):
    assert on_screen(helped(getattr(agtrace.Case, name))) <= SCREEN


@folded("name", CLASSES)
def test_help_of_a_class_says_what_it_is_before_its_members(name):
    text = helped(getattr(agtrace, name))
    first = re.split(r"\n \|  Method resolution order|\n \|  Methods defined", text)[0]
    assert on_screen(first) <= SCREEN
    assert len(first.splitlines()) >= 5
