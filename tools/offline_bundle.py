"""Make a zip that is opened and run, without installing anything and without the network.

    python tools/offline_bundle.py dist OUT             for this Linux or macOS, and its Python
    python tools/offline_bundle.py dist OUT --windows python-3.13.9-embed-amd64.zip --sha256 HASH

dist is a folder of our wheels (`make wheels`; for Windows it must hold the one of xelib for Windows). All
others come at the versions and hashes of requirements.lock. The zip holds:

    lib/            agtrace with the extras report and export, the samples, and what they ask for
    agtrace         (Linux, macOS) runs it with the system's Python of the version that its name says
    agtrace.cmd     (Windows) runs it with python/, Python's own embeddable package: an input of the
                    builder, held to the hash that is given
    SHA256SUMS      of each file: sha256sum -c SHA256SUMS

Modules are compiled, and never again: the folder may be read-only.
"""

from __future__ import annotations

import argparse
import compileall
import hashlib
import os
import platform
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

from pins import own_version

ROOT = Path(__file__).resolve().parent.parent
WANTED = ("agtrace[report,export]", "agtrace-samples", "xelib")
FIRST_TIME = (1980, 1, 1, 0, 0, 0)
"""Every file's time: the same wheels make the same zip."""

SHELL = """\
#!/bin/sh
# agtrace, as it lies here: nothing is installed, nothing is written into this folder.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)
python=${{AGTRACE_PYTHON:-python{version}}}
command -v "$python" >/dev/null 2>&1 || python=python3
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != ({comma}))' 2>/dev/null || {{
  echo "agtrace: this folder is for Python {version}, which is not found; name it: AGTRACE_PYTHON=/path/to/python{version}" >&2
  exit 2
}}
export PYTHONPATH="$here/lib" PYTHONDONTWRITEBYTECODE=1 PYTHONNOUSERSITE=1
exec "$python" -P -m agtrace "$@"
"""  # noqa: E501

CMD = """\
@echo off\r
rem agtrace, as it lies here: nothing is installed, nothing is written into this folder.\r
setlocal\r
set PYTHONDONTWRITEBYTECODE=1\r
set PYTHONUTF8=1\r
"%~dp0python\\python.exe" -m agtrace %*\r
exit /b %ERRORLEVEL%\r
"""


def library(wheels: Path, folder: Path, version: str, system: str) -> None:
    """Put agtrace and what it asks for into a folder, for a system and a Python, by hash."""
    uv = Path(sysconfig.get_path("scripts")) / "uv"
    target = ["--target", folder, "--python-version", version, "--no-build", "--quiet"]
    target += ["--python-platform", "x86_64-pc-windows-msvc"] if system == "windows" else []
    with tempfile.TemporaryDirectory() as name:
        listed = Path(name) / "bundle.txt"
        bare = [each.partition("[")[0] for each in WANTED]
        subprocess.run(
            [
                uv, "pip", "compile", "--quiet", "--universal", "--generate-hashes",
                "--python-version", "3.11",
                "--constraints", ROOT / "requirements.lock", "--extra", "report",
                "--extra", "export", *(word for each in bare for word in ("--no-emit-package", each)),
                "--output-file", listed, ROOT / "pyproject.toml",
            ],
            check=True, cwd=ROOT,
        )  # fmt: skip
        subprocess.run(
            [uv, "pip", "install", "--require-hashes", *target, "--requirements", listed], check=True
        )
    ours = ["--no-index", "--no-deps", "--find-links", wheels]
    subprocess.run([uv, "pip", "install", *target, *ours, *bare], check=True)
    for left in ("bin", ".lock"):
        place = folder / left
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)


def compiled(folder: Path, version: str) -> None:
    """Compile every module for a Python, once and for all: no time stamp decides whether that still holds."""
    if tuple(map(int, version.split("."))) == sys.version_info[:2]:
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        compileall.compile_dir(folder, quiet=2, workers=0, invalidation_mode=mode)


def embedded(package: Path, sha256: str, folder: Path) -> str:
    """Unpack Python's embeddable package, let it look into lib/, and give its version.

    Raises
    ------
    SystemExit
        It is not the package that was named.
    """
    found = hashlib.sha256(package.read_bytes()).hexdigest()
    if found != sha256.lower():
        raise SystemExit(f"{package}: its SHA-256 is {found}, not {sha256}")
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder)
    paths = [each for each in folder.glob("python3*._pth") if re.fullmatch(r"python3\d+", each.stem)]
    if len(paths) != 1:
        raise SystemExit(f"{package}: is no embeddable package of Python (no python3*._pth in it)")
    path = paths[0]
    path.write_text(f"{path.stem}.zip\r\n.\r\n..\\lib\r\nimport site\r\n", encoding="utf-8", newline="")
    return f"3.{path.stem.removeprefix('python3')}"


def sums(folder: Path) -> None:
    """Write the SHA-256 of each file, as sha256sum -c reads them."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def packed(folder: Path, archive: Path) -> None:
    """Zip a folder, below its own name; what is a program stays one."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), FIRST_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if os.access(path, os.X_OK) else 0o644) << 16
            file.writestr(entry, path.read_bytes())


def bundle(wheels: Path, out: Path, package: Path | None, sha256: str) -> Path:
    """Make the zip, and give its path."""
    release = own_version()
    with tempfile.TemporaryDirectory() as name:
        making = Path(name) / "making"
        making.mkdir()
        if package is None:
            version = f"{sys.version_info[0]}.{sys.version_info[1]}"
            system = f"{platform.system().lower()}-{platform.machine()}"
            text = SHELL.format(version=version, comma=version.replace(".", ", "))
            (making / "agtrace").write_text(text, encoding="utf-8", newline="\n")
            (making / "agtrace").chmod(0o755)
        else:
            version, system = embedded(package, sha256, making / "python"), "windows-x86_64"
            (making / "agtrace.cmd").write_text(CMD, encoding="utf-8", newline="")
        library(wheels, making / "lib", version, system.partition("-")[0])
        compiled(making / "lib", version)
        shutil.copy(ROOT / "LICENSE", making / "LICENSE")
        sums(making)
        full = f"agtrace-{release}-{system}-python{version}"
        made = making.rename(making.with_name(full))
        out.mkdir(parents=True, exist_ok=True)
        packed(made, out / f"{full}.zip")
    return out / f"{full}.zip"


def main(arguments: list[str] | None = None) -> int:
    """Make the bundle that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheels", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--windows", type=Path, metavar="ZIP", help="Python's embeddable package for 64 bits")
    parser.add_argument("--sha256", default="", help="what that file hashes to, as python.org says")
    options = parser.parse_args(arguments)
    if options.windows and not options.sha256:
        parser.error("--windows needs --sha256: what python.org says that the file hashes to")
    made = bundle(options.wheels.resolve(), options.out, options.windows, options.sha256)
    print(f"{made} {made.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
