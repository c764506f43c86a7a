"""Topics of the facts of file system filters."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

FILTER = facts(
    "filter_driver",
    "file system filter driver that is loaded (`fltmc filters`)",
    Value("name", "the driver"),
    Value("altitude", "position among the filters; 320000 to 329999 are the anti-virus filters"),
    Value("instances", "volumes that it watches"),
    Value("frame", "frame of the filter manager; `<Legacy>` for a driver without it"),
)
INSTANCE = facts(
    "filter_instance",
    "volume that a filter driver watches (`fltmc instances`)",
    Value("filter", "the driver"),
    Value("volume", "the volume: a drive letter with its colon, or a path of a device"),
    Value("altitude", "position among the filters"),
    Value("instance", "name of the instance"),
)
TOPICS = (FILTER, INSTANCE)
