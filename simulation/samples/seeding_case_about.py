"""What the manifest says about the seeding cases in words."""

from __future__ import annotations

DIRECT_SHOWS = (
    "A 100 GB database brought to a secondary three ways: backup to a local disk and restore from its "
    "share in 24'06\", "
    "automatic seeding in 8'00\", and seeding with trace flag 9567 in 8'00\". Seeding is 3 times faster at "
    "twice the "
    "utilisation of the processors, which is half their work per GB; compression takes the wire to 1 / 2.5 "
    "and the primary's processors to nearly 100 %, and gains no "
    "time. The second run waits 51 s in LIMIT_CONCURRENT_BACKUPS for the backup of another database."
)
DIRECT_SOURCE = (
    "Blog article 'SQL Server 2016 AlwaysOn: Direct seeding and performance considerations'. It shows no "
    "captures; its "
    "durations, network, disk and processor figures are reproduced by a time line of second-by-second "
    "rates from which "
    "every file is cooked."
)
DIRECT_NOTES = (
    "Nothing limits the second run: its waits are small on both ends, no card, disk or processor is "
    "saturated. The third "
    "is limited by the primary's processors (97 %): the secondary waits for the network, the primary "
    "hardly waits at all, "
    "so the waits alone name no limit.",
    "2.2 Gb/s is the plateau of the second run. 2.2 Gb/s for 8 minutes would be 132 GB; over the whole run "
    "the wire carries "
    "1.7 Gb/s.",
    "The disks of both ends move 350 to 450 MB/s on the plateau, as the article measured, which is 1.5 "
    "times what the "
    "operation copied. A short disk test before the first run shows what they deliver: 540 MB/s and more.",
    "transferred_size_bytes counts bytes of the database, compressed or not: which of the two the server "
    "counts is not "
    "known. Disk and network waits are sums over the copy.",
    "An operation has the same operation_id on both replicas here and two in seeding_compression: "
    "published outputs leave "
    "it open.",
    "The log grows by 1.1 MB/s all the time, so each join is followed by a catch-up with redo at 12 MB/s; "
    "after the first "
    "run it ends 152 s after the join. The article's step table ends at the join.",
    "Backup/Restore Throughput/sec counts bytes of the database in all three runs.",
)
DIRECT_DROPPED = (
    "130 MB/s of disk writes 'on average' for backup and restore together: a backup that crosses the wire "
    "at 135 to 174 Mb/s "
    "in 17'10\" has about 20 GB, so it was written at 48 MB/s; 130 MB/s are what the restore writes, with "
    "a log file of "
    "32 GiB that is zeroed meanwhile",
    "'under-used' and 35 %: one figure for both hosts and all steps; here it is the mean of each host over "
    "the first run",
)
DIRECT_CORES_SHOWS = (
    "The 100 GB database seeded with trace flag 9567 on 4 cores, and after a restart of both machines on "
    "8, of which SQL "
    "Server is bound to 7: no gain in time, as much processor work per GB, and cores that are loaded "
    "unevenly."
)
DIRECT_CORES_SOURCE = (
    "Blog article 'SQL Server 2016 AlwaysOn: Direct seeding and performance considerations', its last "
    "test. The loads of "
    "the cores, which the article shows in a picture only, are made up."
)
DIRECT_CORES_NOTES = (
    "'3 VCPUs more' and 'one VCPU to the system' leave 6 of 7 or 7 of 8; the article says 7 for SQL Server "
    "and its picture 8, "
    "so each machine has 8 here.",
    "With 8 cores nothing that was captured limits the copy: the processors are half idle, and the busiest "
    "core is at 95 %.",
)
DIRECT_CORES_DROPPED = ("4 + 3 = 7 vCPUs: 8 are kept, see the notes",)
COMPRESSION_SHOWS = (
    "A 32 GB database seeded in 300 s without and in 90 s with compression (trace flag 9567 as a startup "
    "parameter): 3.3 "
    "times faster for 33 instead of 27 % of the primary's processors. Without compression the path between "
    "the hosts "
    "limits (0.95 Gb/s although the cards say 10), with it the primary's disk (250 MB/s)."
)
COMPRESSION_SOURCE = (
    "Blog article 'Automatic Seeding & Compression'. It shows no captures; its durations, processor and "
    "disk figures are "
    "reproduced by a time line of second-by-second rates from which every file is cooked."
)
COMPRESSION_NOTES = (
    "The operation reports 32 GiB in 86 s, 400 MB/s, while the primary's disk delivers 250 MB/s at most: "
    "21.3 GB. The "
    "article's own figures exceed the limit that it states, and the sample keeps both as measured.",
    "The wire carries a quarter of the bytes in the second run. The article gives no figure; with a third "
    "it would have to "
    "carry more than the path did in the first run.",
    "Waits: in the first run both ends wait for the network; in the second the source waits for its disk "
    "and the target for "
    "the network.",
    "As in the article the secondary is removed and added again between the runs, so it has another "
    "replica id in the second. "
    "The restart with the trace flag gives the primary a second ERRORLOG and second files of both "
    "sessions, and blanks in "
    "perfmon's SQL Server counters.",
    "An operation has an operation_id of its own on each replica: published outputs leave it open.",
    "transferred_size_bytes counts bytes of the database, compressed or not: which of the two the server "
    "counts is not known.",
    "simulation/samples/seeding_compression.py also writes a variant in which nothing is saturated and "
    "neither end waits (limiter=None).",
)
COMPRESSION_DROPPED = (
    "'running with only 2 vCPUs': the article gives no figure of the secondary's processors; 48 and 66 % "
    "are made up",
)
