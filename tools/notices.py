"""Write xelib/NOTICES: the licences of the crates that are linked into its wheels.

python tools/notices.py           write it; needs the sources of the crates, as `make rust` fetches them
python tools/notices.py --check   say whether it names the crates of Cargo.lock (status 1 when not)

What only builds (macros, build scripts) leaves nothing in a wheel.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "xelib" / "NOTICES"

ONLY_BUILDS = frozenset(
    [
        "heck", "proc-macro2", "pyo3-build-config", "pyo3-macros", "pyo3-macros-backend", "quote", "syn",
        "target-lexicon", "unicode-ident", "xelib",
    ]
)  # fmt: skip
"""Crates of Cargo.lock that run while xelib is built, and xelib itself."""

TEXTS = ("LICENSE-MIT", "LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING", "UNLICENSE")
"""Where a crate has its licence, the one that xelib takes it under first."""

HEAD = """\
Wheels of xelib hold code of these Rust crates. Each stands under the licence below it (where a crate offers
several, the first of them that is here); xelib itself is under the MIT licence.
Written by tools/notices.py from xelib/Cargo.lock.
"""


def linked() -> dict[str, str]:
    """Return the version of each crate that is linked, by name."""
    packages = tomllib.loads((ROOT / "xelib" / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return {each["name"]: each["version"] for each in packages if each["name"] not in ONLY_BUILDS}


def written() -> str:
    """Return the page, with the texts beside the sources of the crates."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features", "--offline"]
    command += ["--manifest-path", str(ROOT / "xelib" / "Cargo.toml")]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    sources = {(each["name"], each["version"]): each for each in told["packages"]}
    parts = [HEAD]
    for name, version in linked().items():
        crate = sources[name, version]
        folder = Path(crate["manifest_path"]).parent
        text = next((folder / each for each in TEXTS if (folder / each).is_file()), None)
        if text is None:
            raise SystemExit(f"{name} {version}: no licence lies beside its sources ({folder})")
        parts.append(f"{name} {version} ({crate['license']})\n\n{text.read_text(encoding='utf-8').strip()}\n")
    rule = "\n" + "-" * 80 + "\n\n"
    return rule.join(parts)


def main(arguments: list[str] | None = None) -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when out of date")
    if not parser.parse_args(arguments).check:
        PAGE.write_text(written(), encoding="utf-8", newline="\n")
        return 0
    there = dict(re.findall(r"^([\w-]+) (\d[\w.+-]*) \(", PAGE.read_text(encoding="utf-8"), re.M))
    if there != linked():
        print("xelib/NOTICES does not name the crates of Cargo.lock: run tools/notices.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
