"""Whatever a reader gives in any of these tests is declared."""

from __future__ import annotations

from functools import wraps

import pytest

from agtrace.readers import readers, topics
from agtrace.testing import undeclared


@pytest.fixture(autouse=True)
def everything_given_is_declared(monkeypatch):
    """Compare each batch of messages and facts with the declared topics, as the readers give it."""
    found: set[str] = set()

    def watched(read):
        @wraps(read)
        def watching(*args, **options):
            for table, batch in read(*args, **options):
                if table in ("messages", "facts"):
                    found.update(undeclared(table, batch, topics()))
                yield table, batch

        return watching

    for kind in {type(reader) for reader in readers()}:
        monkeypatch.setattr(kind, "read", watched(kind.read))
    yield
    assert found == set()
