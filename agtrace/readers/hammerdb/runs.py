"""Runs of the TPROC-C driver, and builds of its schema, from a log file or console output.

The log (``hammerdb.log``) contains the output of the virtual users, each line after ``Vuser N:``, and after a
line ``Timestamp N @ ...`` if timestamps are enabled; it does not show when a user has finished. The console
shows that, and also the readings of the transaction counter and the output of the script, but no timestamps.
In a timed run, virtual user 1 measures and the others work.
Source: HammerDB documentation, "Running TPROC-C tests", "CLI Transaction Counter and Count
Logging"; logs of versions 2 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from agtrace.readers.fact_text import Fact, Fault
from agtrace.readers.hammerdb.builds import BEGUN, Build
from agtrace.readers.hammerdb.moments import CLOCK, moment, offset_minutes
from agtrace.readers.hammerdb.results import result_of

HEADER = re.compile(rf"Hammerdb Log @ {CLOCK}\s*")
USER = re.compile(r"\s*Vuser (?P<user>\d{1,6}):\s?(?P<text>.*)")
READING = re.compile(rf"(?P<tpm>\d{{1,12}}) (?P<database>[A-Za-z][\w .]{{1,30}}?) tpm(?: @ {CLOCK})?\s*")
_STAMP = re.compile(rf"Timestamp (?P<user>\d{{1,6}}) @ {CLOCK}\s*")
_CREATED = re.compile(r"Vuser (?P<user>\d{1,6}) created\b")
_TIMER = re.compile(r"Timer: (?P<minutes>\d{1,6}) minutes elapsed\s*")
_ERROR = re.compile(r"Error in Virtual User \[?\d{1,6}\]?: ")
_WORK = re.compile(r"Processing (?P<n>\d{1,12}) transactions\b")
_ACTIVE = re.compile(r"(?P<n>\d{1,6}) (?:Active )?Virtual Users configured\s*")
_RAMPUP = re.compile(r"Beginning rampup time of (?P<n>\d{1,6}) minutes\s*")
_PERIOD = re.compile(r"Timing test period of (?P<n>\d{1,6}) in minutes\s*")
_END = re.compile(r"FINISHED (?P<how>SUCCESS|FAILED)\s*")
_ALL = "ALL VIRTUAL USERS COMPLETE"
WORDS = ("Vuser ", "Timestamp ", "Hammerdb Log", "Timer: ", "Error in ", " tpm")
"""One of them is in every other line that is read."""
MAX_HEADERS, MAX_USERS, MAX_READINGS = 10_000, 20_000, 100_000
"""Headers of a file, users of a run and readings on its console that are kept; the counter's own log
has room for more."""
TIMER_S = 60
"""The script's timer counts whole minutes."""


@dataclass
class Run:
    """One run, as far as it was read."""

    line: int
    console: bool = False
    stated: dict[str, tuple[str, str | None, int]] = field(default_factory=dict)
    started: datetime | None = None
    last: datetime | None = None
    offset: int | None = None
    working: dict[int, int] = field(default_factory=dict)
    ends: dict[int, tuple[str, int]] = field(default_factory=dict)
    readings: list[Fact] = field(default_factory=list)
    minutes: int | None = None
    errors: int = 0
    over: bool = False
    build: Build | None = None

    @property
    def is_real(self) -> bool:
        """False for what only created users."""
        return bool(self.working) or "tpm" in self.stated or self.build is not None

    @property
    def driver(self) -> str:
        """Return what ran: timed, test, or build for the schema."""
        return "build" if self.build else "timed" if self.is_timed else "test"

    @property
    def is_timed(self) -> bool:
        return any(key in self.stated for key in ("tpm", "rampup_minutes", "duration_minutes"))

    @property
    def is_complete(self) -> bool:
        if self.build:
            return self.build.is_complete
        if self.is_timed:
            return "tpm" in self.stated
        return self.console and (self.over or self.ends.keys() >= self.working.keys())

    @property
    def result(self) -> tuple[str, str]:
        """NOPM and TPM; empty if missing."""
        empty = ("", None, 0)
        return self.stated.get("nopm", empty)[0], self.stated.get("tpm", empty)[0]

    def settle(self) -> None:
        """Take the times of a build from what its users printed, where the log has no timestamps."""
        if self.build and self.started is None:
            self.started, self.last = self.build.started, self.build.ended
            self.offset = self.build.offset

    def state(self, key: str, value: str, line: int, unit: str | None = None) -> None:
        """Keep what a line states; the first time counts."""
        self.stated.setdefault(key, (value, unit, line))

    def facts(self, item: int) -> Iterator[Fact]:
        """Yield the run's facts; values derived from several lines only once it is complete."""

        def fact(key: str, value: object, line: int, unit: str | None = None) -> Fact:
            return Fact("hammerdb_result", item, key, str(value), unit, line, self.started)

        yield fact("driver", self.driver, self.line)
        if self.started:
            yield fact("started", self.started.isoformat(" "), self.line)
        if self.offset is not None:
            yield fact("utc_offset_minutes", self.offset, self.line, "min")
        for key, (value, unit, line) in self.stated.items():
            yield fact(key, value, line, unit)
        has_no_end = self.driver == "test" and not self.console
        if not self.build and "virtual_users" not in self.stated and (self.is_complete or has_no_end):
            yield fact("virtual_users", len(self.working), self.line, "n")
        if self.is_complete:
            yield from self._derived(fact)
        for user, line in sorted(self.working.items()):
            ending, at = self.ends.get(user, (None, line))
            if ending:
                label = "failed" if ending == "FAILED" else "success"
                yield Fact("hammerdb_user", item, f"user {user}", label, None, at, self.started)
        for reading in self.readings:
            yield reading._replace(item=item)

    def _derived(self, fact: Callable[..., Fact]) -> Iterator[Fact]:
        if self.build:
            yield fact("virtual_users", self.build.users, self.line, "n")
            if self.build.warehouses:
                yield fact("warehouses", self.build.warehouses, self.line, "n")
        if self.last and self.started and self.driver != "test":
            elapsed = round((self.last - self.started).total_seconds())
            yield fact("ended", self.last.isoformat(" "), self.line)._replace(time_local=self.last)
            yield fact("elapsed_seconds", elapsed, self.line, "s")
        elif self.minutes is not None:
            yield fact("elapsed_seconds", self.minutes * TIMER_S, self.line, "s")
            yield fact("elapsed_resolution_s", TIMER_S, self.line, "s")
        working = self.build.shares if self.build else self.working
        workers = self.ends.keys() & working.keys()
        if workers:
            failed = sum(self.ends[user][0] == "FAILED" for user in workers)
            yield fact("users_finished", len(workers) - failed, self.line, "n")
            yield fact("users_failed", failed, self.line, "n")
        if self.errors:
            yield fact("errors", self.errors, self.line, "n")

    def fault(self) -> Fault | None:
        """Return what the log lacks of this run."""
        if self.is_complete:
            return None
        if self.driver == "test" and not self.console:
            text = "does not say when it ended; the console does: redirect its output to a file"
            return Fault("no_end", f"the test run from line {self.line} on {text}", "info")
        what = "build of the schema" if self.build else "run"
        message = f"the {what} from line {self.line} on has no result: stopped, failed or cut off"
        return Fault("truncated", message)


class RunLines:
    """Reads the lines of a log or of the console one by one, and returns the runs as they end."""

    def __init__(self) -> None:
        self.headers: list[Fact] = []
        self._run: Run | None = None
        self._ended: list[Run] = []
        self._stamp: datetime | None = None
        self._offset: int | None = None

    @property
    def is_real(self) -> bool:
        """Whether the run that is going on is one."""
        return self._run is not None and self._run.is_real

    def ended(self) -> list[Run]:
        """Return the runs that have ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    def finish(self) -> list[Run]:
        """Return the runs that are left at the end."""
        self._end()
        return self.ended()

    def take(self, number: int, line: str, terminated: bool) -> None:
        """Take one more line; a line without a line end may be half a line."""
        if not any(word in line for word in WORDS):
            if self._run and line.strip() == _ALL:
                self._run.console = self._run.over = True
        elif user := USER.fullmatch(line):
            self._take_user(number, int(user["user"]), user["text"], terminated)
        elif stamp := _STAMP.fullmatch(line):
            self._stamp = moment(stamp)
            self._offset = offset_minutes(stamp["zone"])
        elif header := HEADER.fullmatch(line):
            self._take_header(number, header)
        elif created := _CREATED.match(line):
            self._current(number, fresh=int(created["user"]) == 1).console = True
        elif self._run:
            self._take_other(self._run, number, line)

    def _take_header(self, number: int, header: re.Match[str]) -> None:
        at = moment(header)
        if at is None:
            return
        item = len(self.headers)
        if item < MAX_HEADERS:
            self.headers.append(Fact("hammerdb_log", item, "opened", at.isoformat(" "), None, number, at))
        self._current(number, fresh=True)

    def _end(self) -> None:
        # Output that only creates users is not a run.
        if self._run and self._run.is_real:
            self._run.settle()
            self._ended.append(self._run)
        self._run = None

    def _current(self, number: int, *, fresh: bool) -> Run:
        """Return the run in progress, or a new one."""
        if fresh:
            self._end()
        if self._run is None:
            self._run = Run(number)
        return self._run

    def _take_user(self, number: int, user: int, text: str, terminated: bool) -> None:
        stamp, self._stamp = self._stamp, None
        work = _WORK.match(text)
        # A user that begins to work again, or a second ramp-up, is another run of the same users.
        current = self._run
        begun = BEGUN.fullmatch(text) is not None
        again = current is not None and (
            (work is not None and (user in current.working or current.build is not None))
            or (begun and current.is_real)
            or (_RAMPUP.fullmatch(text) is not None and "rampup_minutes" in current.stated)
        )
        run = self._current(number, fresh=again)
        if stamp:
            run.started = run.started or stamp
            run.last, run.offset = stamp, self._offset
        if begun:
            run.build = Build()
        if run.build:
            run.build.take(user, text)
        if work:
            if len(run.working) < MAX_USERS:
                run.working.setdefault(user, number)
            run.state("transactions_per_user", work["n"], number, "n")
        elif rampup := _RAMPUP.fullmatch(text):
            run.state("rampup_minutes", rampup["n"], number, "min")
        elif period := _PERIOD.fullmatch(text):
            run.state("duration_minutes", period["n"], number, "min")
        elif active := _ACTIVE.fullmatch(text):
            run.state("virtual_users", active["n"], number, "n")
        elif text.startswith("TEST RESULT"):
            self._take_result(run, number, text)
        elif text.strip() == "RUNNING" and terminated:
            run.console = True
        elif end := _END.fullmatch(text):
            run.console = True
            if user in run.ends or len(run.ends) < MAX_USERS:
                run.ends[user] = (end["how"], number)

    def _take_result(self, run: Run, number: int, text: str) -> None:
        if result := result_of(text):
            run.state("nopm", result["nopm"], number, "1/min")
            run.state("tpm", result["tpm"], number, "1/min")
            run.state("database", result["database"], number)

    def _take_other(self, run: Run, number: int, line: str) -> None:
        if timer := _TIMER.fullmatch(line):
            run.minutes = int(timer["minutes"])
        elif _ERROR.match(line):
            run.errors += 1
        elif not run.over and len(run.readings) < MAX_READINGS and (reading := READING.fullmatch(line)):
            run.readings.append(Fact("hammerdb_count", 0, "tpm", reading["tpm"], "1/min", number))
