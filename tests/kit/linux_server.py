"""A Linux server for collect.sh: stand-ins for its tools that keep the server's state in files."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path

from agtrace import kit

LOGS = ("errorlog", "errorlog.1", "AlwaysOn_health_0_1.xel", "system_health_0_1.xel")

# Each tool counts two steps, before and after its effect. At the step $AT it sends $HOW to the script: SIGINT
# to the whole process group, as a terminal does.
STEP = """\
step() {
    local n=1
    set -o noclobber
    until { : >"$WORLD/steps/$n"; } 2>/dev/null; do n=$((n + 1)); done
    set +o noclobber
    echo "$1" >"$WORLD/steps/$n"
    [[ $n == "${AT-}" ]] || return 0
    script=$(<"$WORLD/pid")
    if [[ $HOW == INT ]]; then kill -INT -- "-$script"; else kill -s "$HOW" "$script"; fi
}
"""
SQLCMD = """\
#!/bin/bash
. "$WORLD/step.sh"
step "sqlcmd $*"
echo "$*" >>"$WORLD/asked"
for ((n = 1; n < $#; n++)); do
    next=$((n + 1))
    case ${!n} in -i) asked=${!next} ;; -o) out=${!next} ;; esac
done
fail() { echo "$1" >&2; exit 1; }
[[ ! -e $WORLD/stopped ]] || fail "Login timeout expired"
denied() { [[ ! -e $WORLD/denied ]] || fail "User does not have permission to perform this action."; }
flag=$(sed -n 's/.*TRACE[A-Z]* (\\([0-9]*\\).*/\\1/p' <<<"$*")
case "$*" in
    *ProductVersion*) cat "$WORLD/version" ;;
    *sys.server_event_sessions*) if [[ -e $WORLD/on/session ]]; then echo 1; else echo 0; fi ;;
    *TRACESTATUS*)
        if [[ -e $WORLD/on/$flag || $flag == 3605 ]]; then echo "$flag 1 1 0"; else echo "$flag 0 0 0"; fi ;;
    *TRACEON*) denied; touch "$WORLD/on/$flag" ;;
    *TRACEOFF*) denied; rm -f "$WORLD/on/$flag" ;;
    *session_start.sql*) denied; touch "$WORLD/on/session"; echo events >"$LOGS/${KIT}_0_2.xel" ;;
    *session_stop.sql*) denied; rm -f "$WORLD/on/session" ;;
    *counters.sql* | *repeat.sql*) echo "shown by ${asked##*/}" >"$out"; exec sleep 60 ;;
esac
[[ -z ${out-} ]] || echo "shown by ${asked##*/}" >"$out"
step "sqlcmd $* (done)"
"""
LASTING = '#!/bin/bash\n. "$WORLD/step.sh"\nstep "${0##*/}"\nexec sleep 60\n'
SHORT = '#!/bin/bash\n. "$WORLD/step.sh"\nstep "${0##*/}"\necho "${0##*/} $*"\nstep "${0##*/} (done)"\n'
REAL = SHORT.replace('echo "${0##*/} $*"', '/usr/bin/"${0##*/}" "$@" || exit')
TOOLS = {
    **dict.fromkeys(("mpstat", "iostat", "sar"), LASTING),
    **dict.fromkeys(("ping", "sysctl", "journalctl"), SHORT),
    **dict.fromkeys(("tar", "cp", "mv", "mkdir"), REAL),
    "hostname": "#!/bin/sh\necho SQL1\n",
    "sqlcmd": SQLCMD,
}


def heed_signals() -> None:
    """Restore the reaction to signals in a child: a shell ignores some for what it runs in the background."""
    for each in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


@dataclass
class Ended:
    """How a run of the script ended."""

    status: int
    shown: str
    steps: int


class LinuxServer:
    """A server with a kit on it, in a new folder."""

    def __init__(self, folder: Path, plan: kit.Plan) -> None:
        self.world, self.tools, self.logs = folder / "world", folder / "tools", folder / "the $log's *folder"
        for each in (folder, self.world, self.tools, self.logs, self.world / "on"):
            each.mkdir(exist_ok=True)
        self.kit = folder / "a kit (copy)"
        self.session = f"agtrace_{plan.kind.name}"
        kit.write(plan, self.kit)
        (self.world / "step.sh").write_text(STEP)
        (self.world / "version").write_text("16\n")
        for name, text in TOOLS.items():
            self.tool(name, text)
        for name in LOGS:
            (self.logs / name).write_text(name)

    def tool(self, name: str, text: str) -> None:
        """Write a tool of the server."""
        (self.tools / name).write_text(text)
        (self.tools / name).chmod(0o755)

    def is_now(self, *states: str) -> None:
        """Set the states of the server: ``stopped``, ``denied``."""
        for state in ("stopped", "denied"):
            (self.world / state).unlink(missing_ok=True)
        for state in states:
            (self.world / state).touch()

    def run(self, *arguments: str, at: int = 0, how: str = "TERM", before: str = "") -> Ended:
        """Run the script in a terminal, where q is pressed, and wait for its end.

        Parameters
        ----------
        at, how
            The step at which the script is sent a signal, and which; none at 0.
        before
            A command of bash that runs before the script, in its process.
        """
        steps = self.world / "steps"
        if steps.exists():
            steps.rename(self.world / f"steps_{len(list(self.world.iterdir()))}")
        steps.mkdir()
        env = {
            "PATH": f"{self.tools}:/usr/bin:/bin", "WORLD": str(self.world), "LOGS": str(self.logs),
            "KIT": self.session, "AT": str(at), "HOW": how,
        }  # fmt: skip
        begin = f'echo $$ >"$WORLD/pid"; {before or ":"}; exec bash "$0" "$@"'
        script = ["bash", "-c", begin, str(self.kit / "collect.sh"), "-l", str(self.logs), *arguments]
        ours, theirs = pty.openpty()
        running = subprocess.Popen(
            script, env=env, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True, preexec_fn=heed_signals,
        )  # fmt: skip
        os.write(ours, b"q")
        try:
            if how == "KILL" and at:
                running.wait(timeout=40)
                self.end_group(running.pid)
            shown, _ = running.communicate(timeout=40)
        finally:
            self.left_running = self.end_group(running.pid, grace_s=2)
            os.close(ours)
            os.close(theirs)
        return Ended(running.returncode, shown, len(list(steps.iterdir())))

    @staticmethod
    def end_group(group: int, grace_s: float = 0) -> bool:
        """End a process group, and return whether anything of it outlived a grace period."""
        until = time.monotonic() + grace_s
        while (alive := _alive(group)) and time.monotonic() < until:
            time.sleep(0.05)
        if alive:
            os.killpg(group, signal.SIGKILL)
        return alive

    @property
    def on(self) -> set[str]:
        """What is on: ``session``, and trace flags."""
        return {path.name for path in (self.world / "on").iterdir()}

    @property
    def archives(self) -> list[Path]:
        """Archives to send, whole or not."""
        return sorted(self.kit.glob("*.tar.gz*"))

    @property
    def packed(self) -> list[str]:
        """Names of the files in the only archive."""
        (archive,) = self.archives
        with tarfile.open(archive) as opened:
            return sorted(each.name for each in opened.getmembers() if each.isfile())

    @property
    def noted(self) -> set[str]:
        """What the script has noted as on."""
        note = self.kit / "STILL_ON_SQL1.txt"
        text = note.read_text() if note.exists() else ""
        flags = set(re.findall(r"^trace flag (\d+)", text, re.M))
        return flags | ({"session"} if re.search(rf"^session {self.session}$", text, re.M) else set())

    def asked(self, pattern: str) -> list[str]:
        """Find a pattern in what the server was asked."""
        path = self.world / "asked"
        return re.findall(pattern, path.read_text()) if path.exists() else []


def _alive(group: int) -> bool:
    """Return whether a process group has a process that has not ended (zombies have)."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _parent, own = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(own) == group and state != "Z":
            return True
    return False
