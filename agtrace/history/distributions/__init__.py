"""How any counter is distributed: which series are meant, and their quantiles, group by group."""

from agtrace.history.distributions.choice import Question
from agtrace.history.distributions.quantiles import (
    CURVE,
    GROUPS_SHOWN,
    PROBABILITIES,
    Distribution,
    Group,
    check_question,
    read_quantiles,
    read_series,
    usual_grouping,
)

__all__ = [
    "CURVE",
    "GROUPS_SHOWN",
    "PROBABILITIES",
    "Distribution",
    "Group",
    "Question",
    "check_question",
    "read_quantiles",
    "read_series",
    "usual_grouping",
]
