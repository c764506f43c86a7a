"""Completion in notebooks: names of a case's counters, events and relations inside quotes."""

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
"""Longest text before the cursor that is parsed, in characters."""

Names = Callable[[str, str], list[str]]
"""Returns the completions for quotes, by method and keyword ("" without one)."""


def typed_name(before: str, there: Mapping[str, Any]) -> tuple[list[str], str] | None:
    """Return the names that complete the typed text, and the part already typed.

    Parameters
    ----------
    before
        Text up to the cursor.
    there
        Variables by name; those with a method ``_names_in_call`` (`Names`) take part.

    Returns
    -------
    tuple or None
        None unless a name is being typed in a method call on such a variable.
    """
    found = _CALL.search(before[-LONGEST:].rpartition("\n")[2])
    offer = getattr(type(there.get(found["case"])), "_names_in_call", None) if found else None
    if found is None or offer is None:
        return None
    names = offer(there[found["case"]], found["method"], found["keyword"] or "")
    # A name from a capture must stay within the quotes: a quote or line break in it would become code.
    names = [name for name in names if name.isprintable() and not _ENDS_QUOTES.intersection(name)]
    typed = found["typed"]
    return [name for name in names if name.lower().startswith(typed.lower())], typed


def join_in(case: type) -> None:
    """Enable completion of a case's names in the current notebook, if there is one.

    Parameters
    ----------
    case
        Class whose attributes the completer may evaluate; they only read.
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
        # IPython replaces its own token, which ends at a space.
        done = len(typed) - len(context.token) if typed.endswith(context.token) else 0
        return {
            "completions": [SimpleCompletion(text=name[max(done, 0) :], type="name") for name in names],
            "suppress": bool(names),
        }

    completer.custom_matchers.append(names_of_a_case)
    # Without this, IPython adds attributes of the class to those that `dir` lists.
    complete_object.register(case)(lambda obj, _listed: dir(obj))
    known = getattr(EVALUATION_POLICIES.get("limited"), "allowed_getattr", None)
    if known is not None:
        completer.policy_overrides = completer.policy_overrides | {"allowed_getattr": known | {case}}


_IDENTIFIER = "agtrace.names"
