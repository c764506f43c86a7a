"""agtrace: drop a folder of SQL Server captures, get the answer.

A case is a folder of captures: `open_case` reads what is new in it, ``case.findings()`` says what limits the
group, ``case.sql(..)`` runs SQL, ``case.perfmon(..)`` returns series; help(agtrace.Case) lists every method.

    open_case, open_cases       a case, or several with one query over all of them
    compare                     two cases side by side: before and after, this customer and that
    export_case                 findings and tables as files, for other programs
    read, iter_batches          a capture without a case, any known format; batches of large ones
    read_pdh, read_blg          perfmon logs, text and binary
    read_xel                    Extended Events
    read_errorlog, read_cluster_log, read_evtx    logs, an entry a row
    sample                      a folder of captures to try it on
    Case, Cases, Findings, Finding, Evidence      the types that they return
    AgtraceError, CaseError, CaptureError, StoreError    the errors that they raise, each of one line

Example:

    with agtrace.open_case(agtrace.sample("log_send_queue")) as case:
        print(case.findings()[0].title)

Importing it is light; pandas, DuckDB and plotly are loaded when they are first needed.
"""

import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and "agtrace" in sys.orig_argv:
    # While Python looks for the module that "-m" names, the working directory is on the path, and may
    # contain untrusted files: remove it before anything else is imported (see agtrace.import_path).
    del sys.path[0]

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "1.0.0"

_HOME = {
    "compare": "agtrace.comparing",
    "open_case": "agtrace.opening",
    "open_cases": "agtrace.opening",
    "Cases": "agtrace.cases",
    "Case": "agtrace.case",
    "export_case": "agtrace.export",
    "sample": "agtrace.bundled",
    **dict.fromkeys(
        (
            "iter_batches",
            "read",
            "read_blg",
            "read_cluster_log",
            "read_errorlog",
            "read_evtx",
            "read_pdh",
            "read_xel",
        ),
        "agtrace.reading",
    ),
    "AgtraceError": "agtrace.errors",
    "CaptureError": "agtrace.errors",
    "CaseError": "agtrace.errors",
    "StoreError": "agtrace.errors",
    "Evidence": "agtrace.diagnostics",
    "Finding": "agtrace.diagnostics",
    "Findings": "agtrace.say.findings",
}

if TYPE_CHECKING:
    from agtrace.bundled import sample
    from agtrace.case import Case
    from agtrace.cases import Cases
    from agtrace.comparing import compare
    from agtrace.diagnostics import Evidence, Finding
    from agtrace.errors import AgtraceError, CaptureError, CaseError, StoreError
    from agtrace.export import export_case
    from agtrace.opening import open_case, open_cases
    from agtrace.reading import (
        iter_batches,
        read,
        read_blg,
        read_cluster_log,
        read_errorlog,
        read_evtx,
        read_pdh,
        read_xel,
    )
    from agtrace.say.findings import Findings

__all__ = [
    "AgtraceError",
    "CaptureError",
    "Case",
    "CaseError",
    "Cases",
    "Evidence",
    "Finding",
    "Findings",
    "StoreError",
    "__version__",
    "compare",
    "export_case",
    "iter_batches",
    "open_case",
    "open_cases",
    "read",
    "read_blg",
    "read_cluster_log",
    "read_errorlog",
    "read_evtx",
    "read_pdh",
    "read_xel",
    "sample",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'agtrace' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__])
