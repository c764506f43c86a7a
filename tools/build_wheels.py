"""Build what a release consists of: python tools/build_wheels.py FOLDER [--only NAME,..] [--target TRIPLE]

xelib: a wheel for this system and every Python from 3.11 on (abi3), and its sources. agtrace: a wheel for
every system, and its sources. agtrace-samples: a wheel. What builds is pinned by requirements.lock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sysconfig.get_path("scripts"))

UV = [BIN / "uv", "build", "--quiet", "--no-build-isolation", "--python", sys.executable]
MATURIN = ROOT / "xelib" / "Cargo.toml"


COMPATIBLE = {"gnu": "manylinux_2_28", "musl": "musllinux_1_2"}
"""The oldest systems that a wheel for Linux is for, by the C library of its target: from Debian 11 on."""


def commands(folder: Path, target: str) -> dict[str, list[list[str | Path]]]:
    """Return commands that build each part into a folder; xelib for a target of Rust, or this machine."""
    linked = ["--target", target] if target else []
    if "-linux-" in target:
        linked += ["--zig", "--compatibility", COMPATIBLE[target.rpartition("-")[2]]]
    return {
        "xelib": [
            [BIN / "maturin", "build", "--release", "--locked", "-m", MATURIN, "--out", folder, *linked]
        ],
        "xelib-sources": [[BIN / "maturin", "sdist", "-m", MATURIN, "--out", folder]],
        "agtrace": [[*UV, "--out-dir", folder, ROOT]],
        "samples": [[*UV, "--wheel", "--out-dir", folder, ROOT / "sample_data"]],
    }


def main(arguments: list[str] | None = None) -> int:
    """Build one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--only", default="xelib,xelib-sources,agtrace,samples", help="some of them, with commas"
    )
    parser.add_argument("--target", default="", help="of Rust, such as aarch64-unknown-linux-musl; for xelib")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    build = commands(options.folder.resolve(), options.target)
    for name in options.only.split(","):
        for command in build[name]:
            # maturin asks the python on the PATH for zig.
            path = os.pathsep.join([str(BIN), os.environ["PATH"]])
            subprocess.run(command, check=True, env={**os.environ, "PATH": path, "AGTRACE_RELEASE": "1"})
    # uv leaves one there for the folder that it takes for its own.
    (options.folder / ".gitignore").unlink(missing_ok=True)
    for path in sorted(options.folder.iterdir()):
        print(f"{path.stat().st_size:>12,} {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
