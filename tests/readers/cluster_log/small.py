"""Small cluster logs: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.cluster_log import ClusterLog, over_the_end_of_daylight_saving, starved


def captures() -> Iterator[tuple[str, bytes]]:
    yield "CONTOSO1_cluster.log", starved().text().encode()
    yield "Cluster.log", starved(utc=True).windows()


def said() -> Iterator[tuple[str, bytes]]:
    text = starved().text().replace("Current node", "Build Number 20348\r\nCurrent node")
    yield "cluster.log", text.encode()
    yield "short.log", ClusterLog().section("Cluster Logs").add("INFO", "x").text().encode()
    yield "autumn.log", over_the_end_of_daylight_saving().text().encode()
