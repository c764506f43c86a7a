"""A small GetAGTopology.xml: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

GROUP = "A1A1A1A1-1111-4222-8333-0123456789AB"
REPLICAS = {
    "CONTOSO1": "B2B2B2B2-1111-4222-8333-0123456789AB",
    "CONTOSO2": "C3C3C3C3-1111-4222-8333-0123456789AB",
}
DATABASES = {
    "Sales & more": "D4D4D4D4-1111-4222-8333-0123456789AB",
    "Größe": "E5E5E5E5-1111-4222-8333-0123456789AB",
}


def topology() -> str:
    rows = [
        f'<row group_name="AG1" replica_server_name="{replica}" role_desc="PRIMARY" '
        f'is_local="{int(replica == "CONTOSO1")}" '
        f'database_id="{number}" database_name="{name.replace("&", "&amp;")}" group_database_id="{guid}" '
        f'group_id="{GROUP}" replica_id="{replica_id}"/>'
        for replica, replica_id in REPLICAS.items()
        for number, (name, guid) in enumerate(DATABASES.items(), start=5)
    ]
    return f"<AGInfoRoot>{''.join(rows)}</AGInfoRoot>\r\n"


def captures() -> Iterator[tuple[str, bytes]]:
    yield "A_GetAGTopology.xml", topology().encode()
    yield "B_GetAGTopology.xml", topology().encode("utf-16")
