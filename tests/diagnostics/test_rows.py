"""A column of a query that its record does not call nullable has no NULL, in any sample."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

import agtrace
from agtrace.store.view import CaseView
from tests.test_sample_findings import SAMPLES


@pytest.mark.complete
@pytest.mark.parametrize("name", SAMPLES)
def test_only_nullable_columns_are_null(name, sample_store, monkeypatch):
    null, ask = set(), CaseView.records

    def asked(view, kind, query, parameters=None):
        found = ask(view, kind, query, parameters)
        hints = get_type_hints(kind)
        needed = [field for field in kind._fields if type(None) not in get_args(hints[field])]
        null.update(
            f"{kind.__module__}.{kind.__name__}.{field}"
            for field in needed
            for row in found
            if getattr(row, field) is None
        )
        return found

    monkeypatch.setattr(CaseView, "records", asked)
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        case.findings()
    assert null == set()
