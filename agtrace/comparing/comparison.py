"""A comparison of two cases: its results, texts and display."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agtrace.comparing.compared import Compared
from agtrace.comparing.rows import PARTS
from agtrace.comparing.said import Words

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Compared):
    """Two cases side by side. Use `agtrace.compare`.

    Its display in a notebook or console lists the differences.

    Parameters
    ----------
    before, after
        The two cases.
    pairing
        The matching hosts and groups of both cases.
    findings
        Findings that came, went, turned, changed or stayed.
    streams, numbers, waits, settings, failovers
        The same for measurements, settings and events.
    """

    @cached_property
    def words(self) -> Words:
        """Return the texts of the comparison."""
        return Words(self)

    @property
    def headline(self) -> str:
        """Return the differences in a sentence or two."""
        return self.words.headline

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain JSON types."""
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
        """Return every number, setting and wait as a frame, one row each.

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
        """Draw the ratios of all numbers with their intervals: 1 means no difference."""
        from agtrace.comparing.figures import ratios
        from agtrace.extras import need

        need("report", "a figure of a comparison", "plotly")
        return ratios(self, self.words)

    def fig_minutes(self) -> Figure:
        """Draw the largest differences minute by minute, both cases from their start."""
        from agtrace.comparing.figures import minutes
        from agtrace.extras import need

        need("report", "a figure of a comparison", "plotly")
        return minutes(self)

    def __repr__(self) -> str:
        return self.words.text()

    def _repr_html_(self) -> str:
        from agtrace.comparing.tables import inner

        return inner(self, self.words)
