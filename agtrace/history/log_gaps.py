"""What collectors left out of ERRORLOGs: nothing is concluded from one side of it to the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agtrace.history.base import View


def log_gaps(view: View) -> list[dict[str, Any]]:
    """Give a row per gap that no whole copy of the log fills.

    Returns
    -------
    list of dict
        host_id, sql_instance; from_s and to_s, seconds since 1970, None where UTC is not known or
        nothing bounds the gap; local_from_s and local_to_s, the same by the host's local time.
    """
    return view.rows(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
