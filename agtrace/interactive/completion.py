"""Completion in a notebook: names of a case's counters, events and relations inside of quotes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

_CALL = re.compile(
    r"(?P<case>[A-Za-z_]\w*)\.(?P<method>\w+)\((?:[^()'\"]|'[^']*'|\"[^\"]*\")*?"
    r"(?:(?P<keyword>\w+)\s*=\s*)?[\[(]?\s*(?P<quote>['\"])(?P<typed>[^'\"]*)$"
)
_ENDS_QUOTES = frozenset("'\"\\{}")
LONGEST = 500
"""Characters before the cursor that are looked at."""

Names = Callable[[str, str], list[str]]
"""Gives what may stand in the quotes, by the method and the keyword ("" without one)."""


def typed_name(before: str, there: Mapping[str, Any]) -> tuple[list[str], str] | None:
    """Return the names that fit the typed text, and its part already there.

    Parameters
    ----------
    before
        Text up to the cursor.
    there
        Variables by name; what offers ``_names_in_call`` (`Names`) takes part.

    Returns
    -------
    tuple or None
        None where no name is being typed in a call of such a variable.
    """
    found = _CALL.search(before[-LONGEST:].rpartition("\n")[2])
    offer = getattr(type(there.get(found["case"])), "_names_in_call", None) if found else None
    if found is None or offer is None:
        return None
    names = offer(there[found["case"]], found["method"], found["keyword"] or "")
    # A name from a capture stays within the quotes: what ends them would become code.
    names = [name for name in names if name.isprintable() and not _ENDS_QUOTES.intersection(name)]
    typed = found["typed"]
    return [name for name in names if name.lower().startswith(typed.lower())], typed


def join_in(case: type) -> None:
    """Enable completion of a case's names in the current notebook, if there is one.

    Parameters
    ----------
    case
        The class whose attributes may be looked at: all they do is to read.
    """
    get_ipython = getattr(sys.modules.get("IPython"), "get_ipython", None)
    completer = getattr(get_ipython() if get_ipython else None, "Completer", None)
    if completer is None or any(
        getattr(each, "matcher_identifier", "") == _IDENTIFIER for each in completer.custom_matchers
    ):
        return
    from IPython.core.completer import SimpleCompletion, context_matcher
    from IPython.core.guarded_eval import EVALUATION_POLICIES
    from IPython.utils.generics import complete_object

    @context_matcher(identifier=_IDENTIFIER)
    def names_of_a_case(context: Any) -> Any:
        found = typed_name(context.text_until_cursor, completer.namespace)
        if found is None:
            return {"completions": []}
        names, typed = found
        # What IPython replaces is its own idea of a token, which ends at a blank.
        done = len(typed) - len(context.token) if typed.endswith(context.token) else 0
        return {
            "completions": [SimpleCompletion(text=name[max(done, 0) :], type="name") for name in names],
            "suppress": bool(names),
        }

    completer.custom_matchers.append(names_of_a_case)
    # Else it adds what the class has to what `dir` of an object lists.
    complete_object.register(case)(lambda obj, _listed: dir(obj))
    known = getattr(EVALUATION_POLICIES.get("limited"), "allowed_getattr", None)
    if known is not None:
        completer.policy_overrides = completer.policy_overrides | {"allowed_getattr": known | {case}}


_IDENTIFIER = "agtrace.names"
