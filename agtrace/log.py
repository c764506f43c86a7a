"""The log of agtrace: what it notes for programs, under the name ``agtrace`` of `logging`."""

from __future__ import annotations

import logging

LOG = logging.getLogger("agtrace")
# Without a handler of the program, Python would print warnings to the standard error.
LOG.addHandler(logging.NullHandler())
