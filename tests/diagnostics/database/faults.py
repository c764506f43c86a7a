"""database.not_recovered: which database, what its session logged before, and whether it came back."""

from __future__ import annotations

from datetime import timedelta

from tests.diagnostics.tiny import START, case

FAULT = "SQL1 | 100 | database_fault | 3414 | event=not_recovered; database=Sales"


def entries(made, *rows):
    """Put entries of the log beside the fault: seconds, line, session, error, text."""
    (content,) = {row["content_id"] for row in made.rows("select content_id from messages")}
    for seconds, line, source, error, text in rows:
        made.run(
            "insert into errorlog by name select $content as content_id, 'SQL1' as host_id, $line as line, "
            "$at::timestamp as time_local, timezone('UTC', $at::timestamp) as time, $source as source, "
            "$error as error, $text as message",
            {"content": content, "line": line, "at": f"{START + timedelta(seconds=seconds)}",
             "source": source, "error": error, "text": text},
        )  # fmt: skip
    return made


def line_of(made):
    ((line,),) = [(row["line"],) for row in made.rows("select line from messages")]
    return line


def with_cause(before_s=5, source="spid20s"):
    made = case(messages=FAULT)
    line = line_of(made)
    made.run("update messages set line = 50")
    told = "SQL Server detected a logical consistency-based I/O error in file 'E:\\Sales.mdf'."
    assert line is not None
    return entries(
        made, (100 - before_s, 40, source, 824, told), (100, 50, "spid20s", 3414, "An error occurred")
    )
