"""Write docs/licences.md: the licence of everything that is fetched, from the lists of pinned packages.

python tools/document_licences.py           write it; asks the package index for what is not installed here
python tools/document_licences.py --check   say whether it is up to date, and refuse licences (status 1); asks
nobody

The lists pin for every platform and Python, so the page is the same on every machine. A package that
is not installed here, for it belongs to another platform, is held to the page's own row of that version.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from itertools import product
from pathlib import Path

from pins import NPM_TOOLS, ROOT, Pin, all_pins, pins, toml
from sync_environment import needed_to_run

PAGE = ROOT / "docs" / "licences.md"

FREE = frozenset(
    [
        "0BSD",
        "Apache-2.0",
        "BlueOak-1.0.0",
        "BSD",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "CC0-1.0",
        "ISC",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "PSF-2.0",
        "Python-2.0",
        "Unicode-3.0",
        "Unlicense",
        "Zlib",
        "Apache-2.0-WITH-LLVM-exception",
    ]
)
"""Licences that ask for their notice at most."""

ARGUED = {"MPL-2.0": "its copyleft is per file; the files are unchanged, and not distributed"}
"""Licences that ask for more, and why that is met."""

PACKAGES = {"uri-templates": "public domain or MIT by its authors; part of Azurite"}
"""Packages whose declared licence is none that can be compared, and what it is."""

SPELLINGS = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "ISC license": "ISC",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "The MIT License (MIT)": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""What packages write, and the identifier of SPDX that it stands for."""

HEAD = """# Licences

Written by `tools/document_licences.py` from the lists of pinned packages. `make check` verifies it, and rejects unknown licences and those that demand more than their notice without a justification. agtrace and xelib have the
[MIT licence](../LICENSE).

The tables have the licence that each package declares. Some wheels include other libraries (scipy and numpy: OpenBLAS and libgfortran; pyarrow and duckdb: codecs), with their notices. Report pages contain plotly.js (MIT), with its notice in the page and
in the wheel of agtrace. Wheels of xelib contain the notices of their crates ([xelib/NOTICES](../xelib/NOTICES)). No font is distributed. `BSD` means an undeclared number of clauses.
"""  # noqa: E501

ROW = re.compile(r"^(?P<licence>[^|\n]+) \| (?P<packages>`[^|\s=@]+(?:==|@)[^|\n]+`)$", re.M)

PLATFORMS = ("linux", "windows", "macos")
"""Where a package may be installed, as uv names it."""


@dataclass(frozen=True)
class Row:
    """One package, and what it is fetched for."""

    name: str
    version: str
    licence: str
    use: str


def identifiers(expression: str) -> Iterator[list[str]]:
    """Yield the alternatives of an expression of SPDX, each as the licences that hold together."""
    for alternative in _parted(expression.replace(" WITH ", "-WITH-").replace("/", " OR "), " OR "):
        parts = _parted(alternative, " AND ")
        if len(parts) == 1 and not alternative.startswith("("):
            yield [alternative]
        elif len(parts) == 1:
            yield from identifiers(alternative[1:-1])
        else:
            for ways in product(*(identifiers(part) for part in parts)):
                yield [one for way in ways for one in way]


def _parted(text: str, word: str) -> list[str]:
    """Part a text at a word, outside of brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and text.startswith(word, place):
            parts.append(text[start:place].strip())
            start = place + len(word)
    return [*parts, text[start:].strip()]


def is_accepted(name: str, licence: str) -> bool:
    """Return whether a licence requires its notice at most, or has a justification."""
    if name in PACKAGES:
        return True
    return any(all(one in FREE or one in ARGUED for one in together) for together in identifiers(licence))


def declared(package: metadata.PackageMetadata) -> str:
    """Return the licence that the metadata of a package declares; empty if unknown."""
    fields = dict.fromkeys(("License-Expression", "License"), "") | {
        key: str(package[key]) for key in ("License-Expression", "License") if key in package
    }
    if fields["License-Expression"]:
        return fields["License-Expression"]
    lines = fields["License"].strip().splitlines()
    said = SPELLINGS.get(lines[0], lines[0]) if lines else ""
    if said and said != "BSD" and is_accepted("", said):
        return said
    classifiers = [
        each.rsplit(" :: ", 1)[-1]
        for each in package.get_all("Classifier") or []
        if each.startswith("License :: ")
    ]
    if classifiers:
        return " AND ".join(sorted(SPELLINGS.get(each, each) for each in classifiers))
    return said


def at_hand(folders: list[str]) -> dict[tuple[str, str], str]:
    """Return the licence of each installed package, by name and version."""
    found = {}
    for package in metadata.distributions(path=folders):
        name = re.sub(r"[-_.]+", "-", package.metadata["Name"]).lower()
        found[name, package.version] = declared(package.metadata)
    return found


def fetched(pin: Pin) -> str:
    """Ask the package index for the licence of a package that is not installed here."""
    uv = Path(sys.executable).with_name("uv")
    for platform in PLATFORMS:
        for version in ("3.11", "3.14"):
            with tempfile.TemporaryDirectory() as folder:
                command = [uv, "pip", "install", "--quiet", "--no-deps", "--no-build", "--target", folder]
                command += ["--python-platform", platform, "--python-version", version]
                subprocess.run([*command, f"{pin.name}=={pin.version}"], capture_output=True, check=False)
                licence = at_hand([folder]).get((pin.name, pin.version))
            if licence:
                return licence
    return ""


def crates(asks: bool) -> dict[tuple[str, str], str]:
    """Return the licence of each crate that xelib is built with; empty if cargo cannot list them."""
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo" / "bin"))
    if cargo is None:
        return {}
    command = [cargo, "metadata", "--format-version", "1", "--locked", "--all-features"]
    command += ["--manifest-path", str(ROOT / "xelib" / "Cargo.toml")]
    command += [] if asks else ["--offline"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    told = json.loads(done.stdout)["packages"] if done.returncode == 0 else []
    return {(each["name"], each["version"]): each["license"] or "" for each in told}


def npm(tool: str) -> list[tuple[str, str, str]]:
    """Return name, version and licence of each package of a tool from npm."""
    lock = ROOT / "tools" / "locked" / tool / "package-lock.json"
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return [
        (path.rsplit("node_modules/", 1)[-1], each["version"], each.get("license", ""))
        for path, each in packages.items()
        if path
    ]


def rows(before: str, asks: bool) -> tuple[list[Row], list[Row]]:
    """Return the rows of the Python packages and of the crates."""
    stored = read_back(before)
    here = at_hand([*sys.path, *map(str, (ROOT / ".venv" / "audit").glob("lib/*/site-packages"))])
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    run = needed_to_run(toml("pyproject.toml")["project"], lock)
    main = {pin.name for pin in pins(lock)}
    python = []
    for pin in sorted(all_pins(), key=lambda pin: (pin.name, pin.version)):
        key = (pin.name, pin.version)
        licence = here.get(key) or stored.get(key) or (fetched(pin) if asks else "")
        use = "running" if pin.name in run else "development" if pin.name in main else "tools"
        python.append(Row(*key, licence, use))
    told = crates(asks)
    rust = [
        Row(each["name"], each["version"], told.get(key) or stored.get(key, ""), "xelib")
        for each in toml("xelib/Cargo.lock")["package"]
        if "source" in each and (key := (each["name"], each["version"]))
    ]
    return python, rust


def table(listed: list[Row]) -> str:
    """Return the rows as a table with a line for each licence."""
    packages: dict[str, list[str]] = {}
    for row in listed:
        mark = "@" if row.use == "xelib" else "=="
        packages.setdefault(row.licence, []).append(f"`{row.name}{mark}{row.version}`")
    lines = [f"{licence} | {', '.join(packages[licence])}" for licence in sorted(packages, key=str.lower)]
    return "\n".join(["licence | packages", "---|---", *lines])


def read_back(page: str) -> dict[tuple[str, str], str]:
    """Return the licence of each package of a page, by name and version."""
    return {
        (name, version): row["licence"].strip()
        for row in ROW.finditer(page)
        for name, version in (
            re.split("==|@", each, maxsplit=1) for each in row["packages"].strip("`").split("`, `")
        )
    }


def page(python: list[Row], rust: list[Row]) -> str:
    """Return the whole page."""
    parts = [HEAD]
    for use in ("running", "development", "tools"):
        listed = [row for row in python if row.use == use]
        parts += [f"## Python packages for {use}\n", table(listed) + "\n"]
    parts += ["## Crates\n", table(rust)]
    parts.append(f"\n## Tools from npm\n\nThey are used for tests only, and not distributed: {_counted()}.")
    argued = [f"- {name}: {why}." for name, why in (ARGUED | PACKAGES).items()]
    return "\n".join([*parts, "\n## Justified licences\n", *argued]) + "\n"


def _counted() -> str:
    told = []
    for tool in NPM_TOOLS:
        counts = Counter(PACKAGES.get(name, licence).split(";")[0] for name, _, licence in npm(tool))
        each = ", ".join(f"{licence} ({n})" for licence, n in sorted(counts.items()))
        told.append(f"{tool} with {each}")
    return "; ".join(told)


def refused(python: list[Row], rust: list[Row]) -> list[str]:
    """Name each package whose licence is unknown, or asks for too much."""
    listed = [(row.name, row.version, row.licence) for row in (*python, *rust)]
    listed += [each for tool in NPM_TOOLS for each in npm(tool)]
    return [
        f"{name} {version}: "
        + (f"its licence is {licence!r}" if licence else "its licence is not known here")
        for name, version, licence in listed
        if not is_accepted(name, licence)
    ]


def main() -> int:
    """Write or check, and give the exit status."""
    parser = argparse.ArgumentParser(description="Write docs/licences.md.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    python, rust = rows(before, asks=not check)
    for line in (wrong := refused(python, rust)):
        print(f"{line}; argue it in tools/document_licences.py, or do without")
    after = page(python, rust)
    if check and before != after:
        print("docs/licences.md is not up to date: run python tools/document_licences.py")
        return 1
    if before != after:
        PAGE.write_text(after, encoding="utf-8", newline="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
