"""Two cases side by side: everything that was compared, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agtrace import thresholds
from agtrace.comparing import findings, moves, numbers, settings
from agtrace.comparing.findings import is_about_captures
from agtrace.comparing.rows import PARTS, Row, Told, differing
from agtrace.comparing.said import Words
from agtrace.comparing.sides import Pairing, Side
from agtrace.say.finding import SEVERITY_ORDER

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two cases side by side. Use `agtrace.compare`.

    Shown, it tells what differs; a notebook and a console need nothing else.

    Parameters
    ----------
    before, after
        The two cases.
    pairing
        Which host and group of the one is which of the other.
    findings
        What came, went, turned or changed, and what stayed.
    streams, numbers, waits, settings, failovers
        The same of what was measured, set and happened.
    """

    before: Side
    after: Side
    pairing: Pairing
    findings: list[Told]
    streams: list[Row]
    numbers: list[Row]
    waits: list[Row]
    settings: list[Row]
    failovers: list[Row]

    @classmethod
    def of(cls, before: Side, after: Side, pairing: Pairing) -> Comparison:
        """Compare two cases."""
        limits = thresholds.of(before.view)
        return cls(
            before,
            after,
            pairing,
            findings.told(before, after, pairing, limits.compare_resource_share),
            numbers.of_streams(before, after, pairing, limits),
            numbers.of_hosts(before, after, pairing, limits),
            numbers.of_waits(before, after, pairing, limits),
            settings.of_settings(before, after, pairing),
            moves.of_failovers(before, after, pairing, limits),
        )

    @property
    def differs(self) -> bool:
        """Whether anything that was captured in both differs."""
        told = any(each.differs and not is_about_captures(each) for each in self.findings)
        return told or any(row.differs for part in PARTS for row in getattr(self, part))

    def differences(self, part: str) -> list[Row]:
        """Give what differs of a part: streams, numbers, waits, settings or failovers."""
        return differing(getattr(self, part))

    def worse(self, severity: str) -> bool:
        """Tell whether a finding at least so severe came, or became so severe or more of them."""
        least = SEVERITY_ORDER.index(severity)
        return any(
            each.severities[1]
            and SEVERITY_ORDER.index(each.severities[1]) >= least
            and (not each.severities[0] or _rank(each, 1) > _rank(each, 0))
            for each in self.findings
            if each.differs
        )

    @cached_property
    def words(self) -> Words:
        """What is said of it."""
        return Words(self)

    @property
    def headline(self) -> str:
        """What differs, in a sentence or two."""
        return self.words.headline

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as plain JSON types."""
        pairs = [
            {"before": m.before, "after": m.after, "by": m.by, "role": m.role} for m in self.pairing.hosts
        ]
        return {
            "before": self.before.name,
            "after": self.after.name,
            "headline": self.headline,
            "hosts": pairs,
            "groups": self.pairing.groups,
            "findings": [each.to_dict() for each in self.findings],
            **{part: [row.to_dict() for row in getattr(self, part)] for part in PARTS},
            "not_compared": self.words.open,
        }

    def to_df(self) -> pd.DataFrame:
        """Give every number, setting and wait as a frame, a row each.

        Returns
        -------
        pandas.DataFrame
            part, about, what, before, after, unit, verdict, ratio, low, high (95 % interval), n_before,
            n_after, why.
        """
        import pandas as pd

        columns = (
            "part", "about", "what", "before", "after", "unit", "verdict", "ratio", "low", "high",
            "n_before", "n_after", "why",
        )  # fmt: skip
        rows = [
            (
                part, row.about, row.what, row.before, row.after, row.unit, row.verdict,
                row.ratio.value if row.ratio else None, row.ratio.low if row.ratio else None,
                row.ratio.high if row.ratio else None, *row.n, row.why,
            )
            for part in PARTS
            for row in getattr(self, part)
        ]  # fmt: skip
        return pd.DataFrame(rows, columns=pd.Index(columns))

    def fig_ratios(self) -> Figure:
        """Draw the ratios of all numbers with their intervals: 1 is no difference."""
        from agtrace.comparing.figures import ratios
        from agtrace.extras import need

        need("report", "a figure of a comparison", "plotly")
        return ratios(self)

    def fig_minutes(self) -> Figure:
        """Draw what differs most minute by minute, both cases from their start."""
        from agtrace.comparing.figures import minutes
        from agtrace.extras import need

        need("report", "a figure of a comparison", "plotly")
        return minutes(self)

    def __repr__(self) -> str:
        return self.words.text()

    def _repr_html_(self) -> str:
        from agtrace.comparing.page import inner

        return inner(self)


def _rank(told: Told, place: int) -> tuple[int, int]:
    return SEVERITY_ORDER.index(told.severities[place]), told.counts[place]
