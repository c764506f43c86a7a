"""Check that a release is whole: one version everywhere, its changelog, its tag, its wheels.

python tools/check_release.py          the version, the changelog and the tag
python tools/check_release.py dist     also the wheels and sources in that folder

Prints what is wrong, a line each, with status 1; else what to do next.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

from pins import ROOT, own_version, toml

SECTION = re.compile(r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?$", re.M)
ENTRY = re.compile(r"^- \S", re.M)
MOST_LINES = 150
"""A changelog is read by users; longer ones are not."""


def changelog_faults(text: str, release: str, fragments: list[str], today: dt.date) -> Iterator[str]:
    """Yield what the changelog lacks for a release."""
    sections = list(SECTION.finditer(text))
    if not sections or sections[0]["version"] != release:
        yield f"CHANGELOG.md: its first version is not {release}: run `make changelog`"
    else:
        first, after = sections[0], sections[1].start() if len(sections) > 1 else len(text)
        if first["date"] is None or dt.date.fromisoformat(first["date"]) > today:
            yield f"CHANGELOG.md: {release} has no date, or a later one than today"
        if not ENTRY.search(text, first.end(), after):
            yield f"CHANGELOG.md: {release} has no entry"
        if (lines := text.count("\n", first.start(), after)) > MOST_LINES:
            yield f"CHANGELOG.md: {release} has {lines} lines, more than {MOST_LINES}"
    if fragments:
        yield f"changes/ has {', '.join(fragments)}: run `make changelog`"


def tag_faults(release: str) -> Iterator[str]:
    """Yield what is wrong with the repository's state: local changes, or a tag of another commit."""
    if _git("status", "--porcelain"):
        yield "the working tree has changes: commit them"
    tagged = _git("rev-parse", "--verify", "--quiet", f"v{release}^{{commit}}")
    if tagged and tagged != _git("rev-parse", "HEAD"):
        yield f"the tag v{release} is another commit than this: raise __version__ in agtrace/__init__.py"


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, check=False, encoding="utf-8"
    ).stdout.strip()


def dist_faults(folder: Path, release: str, decoders: str) -> Iterator[str]:
    """Yield what is missing in the folder of wheels and sources, or is not of this release."""
    wanted = {
        "agtrace": (f"agtrace-{release}-py3-none-any.whl", f"agtrace-{release}.tar.gz"),
        "agtrace-samples": (f"agtrace_samples-{release}-py3-none-any.whl",),
        "xelib": (f"xelib-{decoders}-cp311-abi3-*.whl", f"xelib-{decoders}.tar.gz"),
    }
    known: set[Path] = set()
    for package, patterns in wanted.items():
        for pattern in patterns:
            found = sorted(folder.glob(pattern))
            known.update(found)
            if not found:
                yield f"{folder}: {pattern} is missing: run `make wheels`"
            for path in found:
                yield from metadata_faults(path, package, decoders if package == "xelib" else release)
    for path in sorted(set(folder.glob("*.whl")) | set(folder.glob("*.tar.gz"))):
        if path not in known:
            yield f"{path}: not of this release"


def metadata_faults(path: Path, package: str, release: str) -> Iterator[str]:
    """Yield what the metadata of a wheel or of sources says that no release may say."""
    stated = metadata(path)
    if (stated["Name"], stated["Version"]) != (package, release):
        yield f"{path.name}: it is {stated['Name']} {stated['Version']}"
    for requirement in stated.get_all("Requires-Dist") or []:
        if "@" in requirement or "://" in requirement:
            yield f"{path.name}: it needs {requirement}, which only this machine has"


def metadata(path: Path) -> Message:
    """Return the metadata of a wheel or of sources."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as file:
            (name,) = [each for each in file.namelist() if each.endswith(".dist-info/METADATA")]
            return Parser().parsestr(file.read(name).decode("utf-8"))
    with tarfile.open(path) as file:
        inner = file.extractfile(f"{path.name.removesuffix('.tar.gz')}/PKG-INFO")
        if inner is None:
            raise SystemExit(f"{path}: has no PKG-INFO")
        return Parser().parsestr(inner.read().decode("utf-8"))


def main(arguments: list[str] | None = None) -> int:
    """Check, and print what is wrong or what comes next."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dist", type=Path, nargs="?", help="the folder of wheels and sources")
    options = parser.parse_args(arguments)
    release, decoders = own_version(), toml("xelib/Cargo.toml")["package"]["version"]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    fragments = sorted(path.name for path in (ROOT / "changes").glob("*.md") if path.name != "README.md")
    today = dt.datetime.now(tz=dt.UTC).date()
    told = [*changelog_faults(text, release, fragments, today), *tag_faults(release)]
    if options.dist:
        told += dist_faults(options.dist, release, decoders)
    if told:
        print(*told, sep="\n", file=sys.stderr)
        return 1
    print(f"agtrace {release} with xelib {decoders} is ready", end=": ")
    print(
        f"v{release} is tagged, push it"
        if _git("tag", "--list", f"v{release}")
        else f"git tag -a v{release} -m 'agtrace {release}' && git push origin v{release}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
