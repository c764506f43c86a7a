"""The notebooks that a report runs, and checks of the requested parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace.errors import CaseError
from agtrace.globs import instead

if TYPE_CHECKING:
    from agtrace.case import Case


def bundled(only: tuple[str, ...]) -> dict[str, Path]:
    """Return agtrace's requested notebooks by name; without names all.

    Raises
    ------
    CaseError
        One is not there.
    """
    from agtrace.diagnostics import analyses, notebook_of

    found = {name: path for name in analyses() if (path := notebook_of(name))}
    unknown = [name for name in only if name not in found]
    if unknown:
        raise CaseError(f"no notebook is called {unknown[0]!r}", instead(unknown[0], found))
    return {name: path for name, path in found.items() if not only or name in only}


def check_parameters(notebooks: dict[str, Path], parameters: dict[str, Any]) -> None:
    """Refuse a parameter that no notebook has.

    Raises
    ------
    CaseError
        There is one.
    """
    from agtrace.report.execution import declared_parameters

    if not parameters:
        return
    known = {name for path in notebooks.values() for name in declared_parameters(path)}
    known -= {"case", "store", "ingest"}
    for name in parameters:
        if name not in known:
            raise CaseError(f"no notebook has a parameter {name!r}", instead(name, sorted(known)))


def check_values(case: Case, notebooks: dict[str, Path], parameters: dict[str, Any]) -> None:
    """Check that values of parameters exist in the case.

    Raises
    ------
    CaseError
        A value does not exist; the message names similar ones.
    """
    from agtrace.diagnostics import analyses
    from agtrace.report.execution import declared_parameters

    for name in [each for each in notebooks if parameters and each in analyses()]:
        known = declared_parameters(notebooks[name])
        analyses()[name].check(case.view, **{n: value for n, value in parameters.items() if n in known})
