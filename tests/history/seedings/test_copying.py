"""Whether another copy ran at a time: told without looking at all of them, and the same as if all were."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

from agtrace.history.seedings import SOURCE, TARGET, Copying, Operation, Side
from tests.folded import folded

START = datetime(2024, 1, 9, tzinfo=UTC)


class Counted(datetime):
    """A time that counts how often it is compared."""

    compared = 0

    def __lt__(self, other):
        Counted.compared += 1
        return super().__lt__(other)

    def __gt__(self, other):
        Counted.compared += 1
        return super().__gt__(other)


def operation(number, begin, end, hosts):
    first, last = (
        None if t is None else Counted(2024, 1, 9, tzinfo=UTC) + timedelta(seconds=t) for t in (begin, end)
    )
    source, target = (
        Side(role, host) if host else None for role, host in zip((SOURCE, TARGET), hosts, strict=True)
    )
    return Operation(
        number, None, None, None, source, target, None, None, first, last, None, "", None, "completed"
    )  # fmt: skip


def some(random):
    """A few copies among three hosts, some of unknown times."""
    made = []
    for number in range(random.randrange(1, 8)):
        begin = random.choice([None, *range(12)])
        lasted = random.choice([None, 1, 2, 5])
        end = None if begin is None or lasted is None else begin + lasted
        made.append(operation(number, begin, end, random.sample(["A", "B", "C", None], 2)))
    return made


def meets(one, other):
    """Return whether another copied at the same time between any of the same hosts."""
    hosts = [{side.host for side in each.sides} for each in (one, other)]
    is_timed = None not in (one.copy_start, one.copy_end, other.copy_start)
    return is_timed and bool(hosts[0] & hosts[1]) and other.copy_start < one.copy_end and (
        (other.copy_end or one.copy_end) > one.copy_start
    )  # fmt: skip


@folded("seed", range(200))
def test_a_copy_is_alone_where_no_other_met_it(seed):
    operations = some(Random(seed))
    copying = Copying(operations)
    for one in operations:
        assert copying.is_alone(one) == (not any(meets(one, o) for o in operations if o is not one))


@folded("seed", range(200))
def test_copies_reach_into_a_time_where_any_does(seed):
    operations = some(Random(seed))
    copying = Copying(operations)
    spans = [(o.copy_start, o.copy_end or o.copy_start) for o in operations if o.copy_start]
    for begin, end in (
        (START + timedelta(seconds=n), START + timedelta(seconds=n + 3)) for n in range(-3, 15)
    ):
        assert copying.reach_into(begin, end) == any(start < end and stop > begin for start, stop in spans)


def test_twice_as_many_copies_take_hardly_more_than_twice_as_many_comparisons():
    def compared(count):
        Counted.compared = 0
        made = [operation(n, 20 * n, 20 * n + 30, ("A", "B")) for n in range(count)]
        copying = Copying(made)
        assert not any(copying.is_alone(one) for one in made)
        assert not any(
            copying.reach_into(START - timedelta(1), one.copy_start - timedelta(1)) for one in made
        )
        return Counted.compared

    assert compared(400) < 2.5 * compared(200)
