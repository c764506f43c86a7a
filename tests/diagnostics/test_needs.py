"""What a question reads is what it declares, and what it declares is how it says what it lacks."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import agtrace
from agtrace.diagnostics import analyses
from agtrace.diagnostics.need import Need
from agtrace.history import makers
from agtrace.history.log_blocks import sources as log_blocks
from agtrace.readers import topics
from agtrace.tables.history import RELATIONS
from tests.diagnostics.tiny import case
from tests.folded import folded

PACKAGE = Path(agtrace.__file__).parent
CATALOGUE = PACKAGE / "tables" / "counters.tsv"
DOCS = Path(__file__).parents[2] / "docs"
TOPIC = re.compile(r"\btopic\s*(?:=|in)\s*(\([^)]*\)|'\w+')", re.IGNORECASE)
QUOTED = re.compile(r"'([^'\n]+)'|\"([^\"\n]+)\"")
SEEDING = "hadr_(?:automatic|physical)_seeding_"
EVENT = re.compile(rf"\bevents_(\w+)|[\"']({SEEDING}\w*|(?:hadr|alwayson|availability_replica)_\w+)[\"']")
FIELDS = {"availability_replica_id", "availability_replica_name", "hadr_message"}
"""Fields of events that look like events."""

MOVED_DOWN = {PACKAGE / "history" / room for room in ("distributions", "streams", "transfers", "runs")}
VIEWED = {
    name: Path(inspect.getfile(maker.make)).parent
    for maker in makers()
    if maker.is_view
    for name in maker.relations
}
"""Folders of relations that follow from rows of captures: the events, topics and counters are declared."""
OF_EVERY_CASE = {"reference_clock"}
"""Relations that nobody has to capture anything for."""
SQL = re.compile(r"\b\w+\.sql\b")
READ = re.compile(r"\b(?:from|join)\s+(\w+)", re.IGNORECASE)


@cache
def text_of(folder: Path) -> str:
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".sql")]
    return "\n".join(path.read_text("utf-8") for path in files if path.name != "needs.py")


def declared(name: str, kind: str) -> set[str]:
    return {n for need in analyses()[name].needs if need.kind == kind for n in need.names}


def own(name: str) -> str:
    return text_of(PACKAGE / "diagnostics" / name)


def literals(text: str) -> set[str]:
    return {one or two for one, two in QUOTED.findall(text)}


def statements(path: Path) -> set[str]:
    """Return the SQL in a file."""
    if path.suffix == ".sql":
        return {re.sub(r"--.*", "", path.read_text("utf-8"))}
    tree = ast.parse(path.read_text("utf-8"))
    # What an f-string puts in lies between its words.
    texts = {
        ast.unparse(node) if isinstance(node, ast.JoinedStr) else str(node.value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
    }
    return {text for text in texts if "select" in text.lower()}


def of_history(path: Path) -> set[Path]:
    """Return the modules of `agtrace.history` that a module imports from."""
    tree = ast.parse(path.read_text("utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    places = {PACKAGE.parent.joinpath(*name.split(".")) for name in named if name}
    inner = {place for place in places if PACKAGE / "history" in place.parents}
    modules = {place.with_suffix(".py") for place in inner if place.with_suffix(".py").is_file()}
    # What a package hands on lies in a module of it.
    faces = {place / "__init__.py" for place in inner if (place / "__init__.py").is_file()} - {path}
    return modules.union(*({m for m in of_history(face) if m.parent == face.parent} for face in faces))


def relations_of(name: str) -> set[str]:
    """Return the relations that a question reads, directly or through `agtrace.history`."""
    folder = PACKAGE / "diagnostics" / name
    modules = {path for path in folder.rglob("*.py") if path.name != "needs.py"}
    below: set[Path] = set().union(*map(of_history, modules))
    rooms = {module.parent for module in below} & MOVED_DOWN

    # What a question leaves to a room of history asks for relations in the question's name.
    while more := {m for each in below if each.parent in rooms for m in of_history(each)} - below:
        below |= more
    asked = {module.parent / name for module in below for name in SQL.findall(module.read_text("utf-8"))}
    files = {*folder.rglob("*.sql"), *modules, *below, *(path for path in asked if path.parent in rooms)}
    found = named_in(files)
    while (
        more := set().union(*(named_in((VIEWED[each]).rglob("*.sql")) for each in found & set(VIEWED)))
        - found
    ):
        found |= more
    return found


def named_in(files: Iterable[Path]) -> set[str]:
    """Return the relations that the SQL of some files reads."""
    read = {word for path in files for text in statements(path) for word in READ.findall(text)}
    return read & set(RELATIONS) - OF_EVERY_CASE


@folded("name", analyses())
def test_every_event_that_a_question_names_is_declared(name):
    found = {one or two for one, two in EVENT.findall(own(name))} - FIELDS - set(RELATIONS)
    found -= {other.removeprefix("events_") for other in analyses()}
    whole = {event for event in found if not event.endswith("_")}
    assert whole <= declared(name, "event")
    for prefix in found - whole:
        assert any(event.startswith(prefix) for event in declared(name, "event")), prefix


@folded("name", analyses())
def test_every_topic_that_a_question_asks_for_is_declared(name):
    found = {topic for listed in TOPIC.findall(own(name)) for topic in re.findall(r"\w+", listed)}
    assert found & {topic for _table, topic in topics()} <= declared(name, "topic")


@folded("name", analyses())
def test_every_counter_that_a_question_names_is_declared(name):
    said = {text.rpartition("\\")[2] for text in literals(own(name))}
    known = {row.split("\t")[1] for row in CATALOGUE.read_text("utf-8").splitlines()[1:]}
    if declared(name, "counter") == {"*"}:
        return
    assert said & known <= {path.rpartition("\\")[2] for path in declared(name, "counter")}


@pytest.mark.complete
@folded("name", analyses())
def test_the_relations_that_a_question_reads_are_those_that_it_declares(name):
    said = declared(name, "relation")
    assert relations_of(name) - set(VIEWED) == said - set(VIEWED)
    assert said <= relations_of(name)


@folded("name", analyses())
def test_what_is_declared_exists_and_is_read_somewhere(name):
    everything = "".join(text_of(PACKAGE / layer) for layer in ("diagnostics", "history", "measure"))
    assert declared(name, "topic") <= {topic for _table, topic in topics()}
    for path in declared(name, "counter") - {"*"}:
        thing, counter = path.split("\\")
        assert thing.removeprefix("SQLServer:") in everything, path
        assert counter in everything, path
    for event in declared(name, "event"):
        assert re.search(f"{event}|{SEEDING}", everything), event
    for topic in declared(name, "topic"):
        assert f"'{topic}'" in everything or f'"{topic}"' in everything, topic


def test_the_sessions_to_create_have_the_events_that_are_read():
    session = set(re.findall(r"ADD EVENT sqlserver\.(\w+)", (DOCS / "capture.md").read_text("utf-8")))
    wanted = {event for event in declared("seeding", "event") if re.match(SEEDING, event)}
    assert wanted == {event for event in session if re.match(SEEDING, event)}
    gates = {event for event in declared("commit_latency", "event") if "flow_control" in event}
    assert session - wanted == {*log_blocks.EVENTS, *gates}


def test_the_list_of_counters_has_every_counter_of_transport():
    page = (DOCS / "capture.md").read_text("utf-8")
    listed = {re.sub(r"\(.*?\)\\", r"\\", line) for line in re.findall(r"^    \\(.+)$", page, re.M)}
    wanted = declared("transport", "counter")
    is_listed = {path: path in listed or path.rpartition("\\")[0] + "\\*" in listed for path in wanted}
    for path in wanted:
        # Newer objects of Windows have the counters of older ones: one of them is enough.
        counter = path.rpartition("\\")[2]
        assert any(is_listed[other] for other in wanted if other.endswith(f"\\{counter}")), path


@pytest.mark.parametrize(("facts", "met"), [("", False), ("H | startup | 0 | edition | Enterprise", True)])
def test_a_topic_is_there_or_not(facts, met):
    (need,) = (n for n in analyses()["workload"].needs if "startup" in n.names)
    assert need.is_met(case(facts=facts)) is met


def test_a_counter_is_there_or_not():
    (need,) = (n for n in analyses()["backup"].needs if n.names == ("Processor\\% Processor Time",))
    assert need.is_met(case(r"H | \Processor(_Total)\% Processor Time | 5", rows=2))
    assert not need.is_met(case(r"H | \Process(x)\% Processor Time | 5", rows=2))


def test_an_event_is_there_or_not():
    (need,) = (n for n in analyses()["comparison"].needs if n.kind == "event")
    assert need.is_met(case(events="H | 0 | alwayson_ddl_executed | statement=x"))
    assert not need.is_met(case())


@pytest.mark.parametrize(
    ("kind", "names", "said"),
    [
        ("counter", ("Log Send Queue",), "has no object"),
        ("counter", "Database Replica\\Log Send Queue", "in a tuple"),
        ("event", (), "in a tuple"),
    ],
)
def test_a_need_that_nothing_could_meet_is_an_error_where_it_is_defined(kind, names, said):
    with pytest.raises(ValueError, match=said):
        Need(kind, names, "what it gives", "how to capture it")


HOSTS = """
A | startup | 0 | edition | Enterprise
B | startup | 0 | edition | Enterprise
@x | startup | 0 | edition | Enterprise
C | clusters | 0 | edition | Enterprise
"""


def need(kind, *names, **more):
    return Need(kind, names, "what it gives", "how to capture it", **more)


@folded(
    ("asked", "given", "hosts", "is_met"),
    [
        (need("topic", "startup"), {"facts": HOSTS}, {"A", "B"}, True),
        (need("topic", "elsewhere"), {"facts": HOSTS}, set(), False),
        (need("topic", "connection"), {"messages": "A | 0 | connection | 35202 | replica=B"}, {"A"}, True),
        (need("counter", "Processor\\% Processor Time"),
         {"perfmon": r"H | \Processor(_Total)\% Processor Time | 5", "rows": 2}, {"H"}, True),
        (need("counter", "*"), {"perfmon": r"H | \Process(x)\% Processor Time | 5", "rows": 2}, {"H"}, True),
        (need("counter", "Processor\\% Processor Time"),
         {"perfmon": r"H | \Process(x)\% Processor Time | 5", "rows": 2}, set(), False),
        (need("event", "alwayson_ddl_executed", "hadr_db_commit_mgr_harden"),
         {"events": "H | 0 | alwayson_ddl_executed | statement=x"}, {"H"}, True),
        (need("event", "alwayson_ddl_executed"), {}, set(), False),
    ],
)  # fmt: skip
def test_a_need_is_met_by_the_hosts_that_have_it(asked, given, hosts, is_met):
    made = case(**given)
    assert (asked.hosts(made), asked.is_met(made)) == (hosts, is_met)


@pytest.mark.parametrize(("relations", "met"), [("A | 1 | roles | ag=AG; role=PRIMARY", True), ("", False)])
def test_a_relation_is_there_or_not(relations, met):
    assert need("relation", "roles").is_met(case(relations=relations)) is met


@pytest.mark.parametrize(
    ("where", "is_of_all"), [("every host", True), ("both ends", True), ("the primary", False)]
)
def test_some_needs_are_of_each_host(where, is_of_all):
    assert need("topic", "startup", where=where).is_of_all is is_of_all


@pytest.mark.parametrize(
    ("kind", "names"),
    [("counter", ("*",)), ("counter", ("Process\\x", "*")), ("topic", ("startup",)), ("event", ("x",))],
)
def test_names_that_something_could_meet_are_no_error(kind, names):
    assert need(kind, *names).names == names
