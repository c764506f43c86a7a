"""Events as relations: one folder per topic, each with typed tables computed on first use."""

from agtrace.history.base import Maker, View
from agtrace.history.named import check_database, check_replica
from agtrace.history.narrowed import offer_part
from agtrace.history.offering import kept_of, makers, offer

__all__ = ["Maker", "View", "check_database", "check_replica", "kept_of", "makers", "offer", "offer_part"]
