"""One test over many cases: ``@folded`` takes what ``pytest.mark.parametrize`` takes, as one item.

All cases run, and one message lists those that fail. For tests that check one thing over a long list. The
cases of a test share its fixtures, so none may keep what a case leaves behind; but each has its own
``tmp_path``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

MOST_SHOWN = 25
"""Cases that fail are listed up to so many."""


Test = Callable[..., None]


def folded(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test for each case, as one test.

    Parameters
    ----------
    names
        Names of the arguments that a case gives, as for ``pytest.mark.parametrize``.
    cases
        The cases: a value each, or a tuple where there are several names.
    """
    given = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    every = [case.values if hasattr(case, "marks") else case if len(given) > 1 else (case,) for case in cases]

    def fold(test: Test) -> Test:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            if not every:
                pytest.skip("there is no case here")
            failed = []
            for number, case in enumerate(every):
                own = dict(fixtures)
                if "tmp_path" in own:
                    own["tmp_path"] = fixtures["tmp_path"] / str(number)
                    own["tmp_path"].mkdir()
                try:
                    test(**dict(zip(given, case, strict=True)), **own)
                except Exception as error:  # whatever goes wrong is that of this case
                    failed.append(f"{case}: {type(error).__name__}: {error}")
            more = [f"and {len(failed) - MOST_SHOWN} more"] if len(failed) > MOST_SHOWN else []
            summary = f"{len(failed)} of {len(every)} cases fail"
            assert not failed, "\n".join([summary, *failed[:MOST_SHOWN], *more])

        kept = [each for name, each in signature.parameters.items() if name not in given]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return fold
