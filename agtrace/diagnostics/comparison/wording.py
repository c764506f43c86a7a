"""How runs, durations and differences are worded."""

from __future__ import annotations

from agtrace.diagnostics.comparison import measured as m
from agtrace.diagnostics.comparison.compared import Change, Pair
from agtrace.diagnostics.comparison.configurations import Configuration
from agtrace.history.transfers.run import GIVEN, Run
from agtrace.say import words


def clock(seconds: float) -> str:
    """Word a duration as minutes and seconds: 06'55", 1h 02'03"."""
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return (f"{hours}h " if hours else "") + f"{minutes:02}'{left:02}\""


def percent(value: float) -> str:
    """Word a share of the processors."""
    return f"{value:.0f} %"


def times(ratio: float) -> str:
    """Word a factor: "twice", "3.0 times"."""
    return "twice" if abs(ratio - 2) < 0.05 else f"{ratio:.1f} times"


def named(configuration: Configuration, database: str | None) -> str:
    """Name a configuration of a database: "automatic seeding of db with trace flag 9567"."""
    of = f" of {words.plain(database, 60)}" if database else ""
    return f"{configuration.name}{of} {configuration.qualifier}".rstrip()


def against(pair: Pair) -> str:
    """Name the first of a pair as the second sees it."""
    second = pair.second.qualifier
    alike = pair.first.name == pair.second.name and not pair.first.qualifier
    return "without it" if alike and second.startswith("with ") else pair.first.full_name


def upper(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]


def speed(pair: Pair) -> str:
    """Word how much faster or slower the second is: the verb of a sentence."""
    value = pair.speed.value
    other = against(pair)
    if pair.is_same:
        return f"is not faster than {other}"
    rate = "per byte of the database " if pair.by_rate else ""
    if value >= 1.2:
        return f"is {rate}{value:.1f} times faster than {other}"
    if value > 1:
        return f"is {rate}{100 * (value - 1):.0f} % faster than {other}"
    if value > 1 / 1.2:
        return f"takes {rate}{100 * (1 / value - 1):.0f} % longer than {other}"
    return f"takes {rate}{times(1 / value)} as long as {other}"


def both(pair: Pair) -> str:
    """Word both durations: "8 min both", "8 min against 8 min 10 s", the second one first."""
    texts = [words.span(c.seconds) for c in (pair.second, pair.first)]
    return f"{texts[0]} both" if texts[0] == texts[1] else f"{texts[0]} against {texts[1]}"


def interval(pair: Pair) -> str:
    """Say how sure a ratio is."""
    n = pair.n
    if n == (1, 1):
        return "n = 1 each: no interval is claimed."
    if not pair.speed.is_known:
        return f"n = {n[0]} and {n[1]}: too few runs for an interval."
    return f"95 % of the resampled ratios lie between {pair.speed.low:.2f} and {pair.speed.high:.2f} (n = {n[0]} and {n[1]} runs)."


def cpu(change: Change, share: float) -> str:
    """Word what the processors did: "at 54 % of the processor work of A per GB (20.2 to 11.0 core-seconds; ...)".

    Of a host whose cores are not known, or of databases of unknown size, utilisation is all that
    can be said: "at twice the CPU utilisation of A (35 to 70 %)".
    """
    course = _course([percent(value) for value in change.means], " %")
    if change.per_byte is None:
        ratio, what = change.ratio, f"CPU utilisation of {change.host} ({course})"
    else:
        ratio = change.cost_ratio
        spent = _course([f"{value:.1f}" for value in change.per_byte], "")
        what = (
            f"processor work of {change.host} per GB ({spent} core-seconds; utilisation {course} of "
            f"{_course([str(n) for n in change.cores], '')} cores)"
        )
    if abs(ratio - 1) < share:
        return f"at much the same {what}"
    return f"at {times(ratio)} the {what}" if ratio > 1 else f"at {percent(100 * ratio)} of the {what}"


def _course(texts: list[str], unit: str) -> str:
    """Word how a number changed, its unit once: "35 to 70 %", "4", "4 to 8"."""
    before, after = texts[0], texts[-1]
    return before if before == after else f"{before.removesuffix(unit)} to {after}"


def wire(pair: Pair, share: float) -> str:
    """Word what happened on the wire, per byte of the database where its size is known."""
    found = pair.wire
    if found is None:
        return ""
    values = found.per_byte or found.means
    if not values[0] or not values[1] or abs(values[1] / values[0] - 1) < share:
        return ""
    if values[1] < values[0]:
        return f"the wire carries {values[0] / values[1]:.1f} times less"
    return f"the wire carries {values[1] / values[0]:.1f} times as much"


def change(found: Change) -> str:
    """Word a resource of both: "disk reads of A 130 MB/s to 400 MB/s"."""
    word = {m.CPU: percent, m.SEND_QUEUE: words.size}.get(found.resource, words.rate)
    before, after = (word(value) for value in found.means)
    if before.split(" ")[1:] == after.split(" ")[1:]:
        before = before.split(" ")[0]
    bits = ""
    if found.resource in (m.SENT, m.RECEIVED):
        bits = f" ({' to '.join(words.bits(value) for value in found.means)})"
    return f"{m.NAMES[found.resource]} of {found.host} {before} to {after}{bits}"


def hosts(run: Run) -> str:
    """Word where a run went from and to."""
    if run.method == GIVEN:
        return ""
    return f"{run.source or 'a host not captured'} to {run.target or 'a host not captured'}"
