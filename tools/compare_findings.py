"""Tell whether two states of the code say the same of every sample case and real capture.

    python tools/compare_findings.py COMMIT

makes the findings of each case with the code of COMMIT and with that of this tree, byte for byte,
and prints the difference of those that are not equal. Both use the decoders (xelib) that are
installed. Status 0 when all are equal.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("AGTRACE_CAPTURES", ROOT.parent / "shared"))
SHOWN_LINES = 60


def cases() -> list[Path]:
    """Give the folders of the sample cases, and of the real case where it is at hand."""
    samples = sorted(path for path in (ROOT / "sample_data").iterdir() if path.is_dir())
    real = SHARED / "captures" / "failover_2017"
    return [path for path in samples if path.name[0] not in "._"] + [real] * real.is_dir()


def findings(code: Path, case: Path, scratch: Path) -> str:
    """Make the findings of a case with the code of a tree, in a store of its own."""
    store = scratch / f"{code.name}-{case.name}"
    done = subprocess.run(
        [sys.executable, "-m", "agtrace", "findings", str(case), "--json", "--store", str(store)],
        cwd=scratch,
        env=os.environ | {"PYTHONPATH": str(code)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return f"status {done.returncode}\n{done.stderr}"
    return done.stdout


def main() -> int:
    """Compare, print, and give the exit status."""
    parser = argparse.ArgumentParser(description="Compare findings with those of another commit.")
    parser.add_argument("commit")
    commit = parser.parse_args().commit
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        other = scratch / "other"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(other), commit], check=True)
        try:
            for case in cases():
                before, after = findings(other, case, scratch), findings(ROOT, case, scratch)
                print(f"{case.name}: {'equal' if before == after else 'DIFFERENT'}", flush=True)
                if before != after:
                    different += 1
                    lines = difflib.unified_diff(
                        before.splitlines(), after.splitlines(), commit, "this tree", lineterm=""
                    )
                    for _, line in zip(range(SHOWN_LINES), lines, strict=False):
                        print(f"  {line[:300]}")
        finally:
            subprocess.run([*git, "remove", "--force", str(other)], check=True)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
