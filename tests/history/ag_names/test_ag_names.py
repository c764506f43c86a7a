"""Names behind ids, from outputs of sqlcmd."""

from __future__ import annotations

from tests.history.outputs import relation
from tests.make import rowsets as make


def test_ids_in_small_letters_with_their_names(tmp_path):
    text = make.replicas() + make.states(["Sales"])
    query = "select kind, id, name from ag_names order by all"
    assert relation(tmp_path, query, look__out=text) == [
        ("database", "00000000-2222-4222-8333-0123456789ab", "Sales"),
        ("group", make.AG.lower(), "AG1"),
        ("replica", make.A.lower(), "SRV1"),
        ("replica", make.B.lower(), "SRV2"),
    ]
