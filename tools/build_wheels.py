"""Build what a release consists of: python tools/build_wheels.py FOLDER [--only NAME,..]

xelib: a wheel for this system and every Python from 3.11 on (abi3), and its sources. agtrace: a wheel for
every system, and its sources. agtrace-samples: a wheel. What builds is pinned by requirements.lock.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

UV = [BIN / "uv", "build", "--quiet", "--no-build-isolation", "--python", sys.executable]
MATURIN = ROOT / "xelib" / "Cargo.toml"


def commands(folder: Path, zig: bool) -> dict[str, list[list[str | Path]]]:
    """Give what builds each part into a folder."""
    # Against an older C library than that of this machine: manylinux_2_28 is what pip of Debian 11 on takes.
    older = ["--zig", "--compatibility", "manylinux_2_28"] if zig else []
    return {
        "xelib": [
            [BIN / "maturin", "build", "--release", "--locked", "-m", MATURIN, "--out", folder, *older],
            [BIN / "maturin", "sdist", "-m", MATURIN, "--out", folder],
        ],
        "agtrace": [[*UV, "--out-dir", folder, ROOT]],
        "samples": [[*UV, "--wheel", "--out-dir", folder, ROOT / "sample_data"]],
    }


def main(arguments: list[str] | None = None) -> int:
    """Build one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="xelib,agtrace,samples", help="some of them, with commas")
    parser.add_argument("--zig", action="store_true", help="link xelib by zig, as manylinux_2_28")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    build = commands(options.folder.resolve(), options.zig)
    for name in options.only.split(","):
        for command in build[name]:
            subprocess.run(command, check=True)
    # uv leaves one there for the folder that it takes for its own.
    (options.folder / ".gitignore").unlink(missing_ok=True)
    for path in sorted(options.folder.iterdir()):
        print(f"{path.stat().st_size:>12,} {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
