"""Small tables of samples: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

QUEUE = r"\\srv2\sqlserver:database replica(sales)\log send queue"
SAMPLES = '"Timestamp","Path","InstanceName","CookedValue"\n' + "".join(
    f'"3/1/2026 9:00:{second:02d} AM","{QUEUE}","sales","{second}.5"\n' for second in range(0, 60, 5)
)
VIEW = "sample_time,object_name,counter_name,instance_name,cntr_value,cntr_type\n" + "".join(
    f"2026-03-01 09:00:{second:02d},SQLServer:Database Replica,{name},Sales,{value},{kind}\n"
    for second in range(0, 60, 10)
    for name, value, kind in (
        ("Log Send Queue", 40 + second, 65792),
        ("Log Bytes Received/sec", 1000 * second, 272696576),
    )
)


def captures() -> Iterator[tuple[str, bytes]]:
    yield "samples.csv", SAMPLES.encode()
    yield "view.csv", VIEW.encode()
