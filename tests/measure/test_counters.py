"""Every counter that is named is one that the catalogue knows, spelled as it spells it."""

from __future__ import annotations

from agtrace.measure import counters
from agtrace.measure.counters import Counter
from agtrace.measure.resources import BANDWIDTH, BESIDE, FULL_CARD, OF_COPY, SOURCES, UNITS
from agtrace.tables.counter_catalogue import canonical
from tests.folded import folded

NAMED = {value for value in vars(counters).values() if isinstance(value, Counter)}


@folded("counter", sorted(NAMED | {source.counter for source in SOURCES}))
def test_the_catalogue_spells_it_so(counter):
    known = canonical(*counter)
    assert known is not None
    assert (known.object, known.counter) == counter


def test_every_resource_has_a_unit_and_a_counter_that_tells_of_it():
    told = {source.resource for source in SOURCES}
    assert set(UNITS) | {BANDWIDTH} == told | FULL_CARD.keys()
    assert set(OF_COPY) <= UNITS.keys()
    assert {each for beside in BESIDE.values() for each in beside} <= told
