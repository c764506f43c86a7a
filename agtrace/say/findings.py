"""Lists of findings: in order, shown as their cards, and as a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agtrace.say.finding import SEVERITY_ORDER, Finding, shown

if TYPE_CHECKING:
    import pandas as pd


class Findings(list[Finding]):
    """A list of findings that is shown as their cards, in a notebook and in a console."""

    def __repr__(self) -> str:
        return shown().text(self)

    def _repr_html_(self) -> str:
        return shown().page(self)

    def to_df(self) -> pd.DataFrame:
        """Return them as a frame, one row each.

        Returns
        -------
        pandas.DataFrame
            id, severity (ordered), title, narrative, the subject (ag, host, replica, database, ...: a column
            each), start and end (UTC), start_local and end_local (if only those are known), confidence,
            recommendation, evidence (a list of records: label, value, text, unit, source).

        Examples
        --------
        >>> case.findings().to_df()[["id", "severity"]].values.tolist()[0]
        ['transport.window_limited', 'critical']
        """
        import pandas as pd

        from agtrace.say.finding_rows import finding_rows

        frame = finding_rows(self).to_pandas()
        frame["severity"] = pd.Categorical(frame["severity"], SEVERITY_ORDER, ordered=True)
        subjects = pd.DataFrame(
            [dict(each) for each in frame.pop("subject")], index=frame.index, dtype=object
        )
        place = frame.columns.get_loc("narrative") + 1
        for n, name in enumerate(subjects.columns):
            # A subject may be called as another column is.
            free = name if name not in frame.columns else f"subject_{name}"
            frame.insert(place + n, free, subjects[name])
        return frame


def by_severity(findings: list[Finding]) -> Findings:
    """Sort findings, the most severe first, then by id and subject, so that runs compare."""
    return Findings(
        sorted(findings, key=lambda f: (-SEVERITY_ORDER.index(f.severity), f.id, sorted(f.subject.items())))
    )
