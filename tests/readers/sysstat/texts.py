"""Reports that other people save than SQL LogScout does."""

from __future__ import annotations

BANNER = "Linux 5.14.0-362.el9.x86_64 (contoso-l1) \t03/01/2026 \t_x86_64_\t(2 CPU)\n"

UNTIMED = (
    BANNER
    + """
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          10.00    1.00    4.00    5.00    0.00   80.00

Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
sda              30.00       100.00       400.00         0.00       1000       4000          0
dm-0              1.00         4.00         0.00         0.00         40          0          0


avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          20.00    0.00    4.00    5.00    0.00   71.00

Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
sda              50.00       200.00       800.00         0.00       2000       8000          0
"""
)

JSON = """{"sysstat": {
	"hosts": [
		{
			"nodename": "contoso-l1",
			"sysname": "Linux",
			"release": "5.14.0-362.el9.x86_64",
			"machine": "x86_64",
			"number-of-cpus": 2,
			"date": "03/01/2026",
			"statistics": [
				{
					"timestamp": "03/01/2026 10:15:45 AM",
					"avg-cpu":  {"user": 10.00, "nice": 1.00, "system": 4.00, "iowait": 5.00, "steal": 0.00, "idle": 80.00},
					"disk": [
						{"disk_device": "sda", "r/s": 10.00, "w/s": 20.00, "rkB/s": 100.00, "wkB/s": 400.00, "rrqm": 0.00, "aqu-sz": 0.12, "util": 25.00},
						{"disk_device": "sdb", "r/s": 1.00, "w/s": 2.00, "rkB/s": 10.00, "wkB/s": 40.00, "rrqm": 0.00, "aqu-sz": 0.02, "util": 5.00}
					]
				}
			]
		}
	]
}}
"""  # noqa: E501
