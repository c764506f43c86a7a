"""Find the Rust toolchain that builds xelib, or get one for this project alone.

python tools/rust_toolchain.py         print shell lines that put it on the PATH (nothing when it is)
python tools/rust_toolchain.py --all   with rustfmt and clippy, which `make test` runs

A toolchain that is missing or too old is installed as maturin does it, by puccinialin: into the
user's cache folder, where it touches no other. Messages go to standard error. Needs uv beside it.
puccinialin is held to its hashes. What it gets is not: rustup's installer comes over HTTPS and is
trusted for that, and rustup holds the toolchain to the hashes of Rust's own list of releases.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUCCINIALIN = ROOT / "tools" / "locked" / "rust.txt"
TOOLS = ("rustfmt", "cargo-clippy")
VERSION = re.compile(r"cargo (\d+)\.(\d+)")


def needed() -> tuple[int, int]:
    """Return the oldest Rust that xelib's Cargo.toml allows."""
    cargo = tomllib.loads((ROOT / "xelib" / "Cargo.toml").read_text(encoding="utf-8"))
    major, minor = cargo["package"]["rust-version"].split(".")[:2]
    return int(major), int(minor)


def version_of(path: str) -> tuple[int, int] | None:
    """Return the version of the cargo on a search path; None if none runs."""
    cargo = shutil.which("cargo", path=path)
    if cargo is None:
        return None
    done = subprocess.run(
        [cargo, "--version"], env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )  # fmt: skip
    found = VERSION.match(done.stdout)
    return (int(found[1]), int(found[2])) if found and not done.returncode else None


def install() -> dict[str, str]:
    """Install a toolchain with puccinialin, or find the one that it installed before.

    Raises
    ------
    OSError
        It cannot be had; the message says why.
    """
    uv = Path(sys.executable).with_name("uv")
    with tempfile.TemporaryDirectory() as folder:
        packages, answer = Path(folder) / "packages", Path(folder) / "env.json"
        environment = _with_certificates()
        done = subprocess.run(
            [uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", packages,
             "--require-hashes", "--no-build", "--requirements", PUCCINIALIN],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode == 0:
            done = subprocess.run(
                [sys.executable, "-P", "-m", "puccinialin", "--info-json", answer],
                cwd=folder, env=environment | {"PYTHONPATH": str(packages)},
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            )  # fmt: skip
        if done.returncode or not answer.is_file():
            lines = done.stdout.strip().splitlines() or ["puccinialin said nothing"]
            raise OSError(next((line for line in lines if "rror" in line), lines[-1]).strip()[:300])
        variables: dict[str, str] = json.loads(answer.read_text(encoding="utf-8"))["env"]
    # The PATH in which puccinialin ran is gone with it.
    path = [str(Path(variables["CARGO_HOME"]) / "bin"), os.environ.get("PATH", os.defpath)]
    return variables | {"PATH": os.pathsep.join(path)}


def _with_certificates() -> dict[str, str]:
    """Make puccinialin trust the system's certificates, so that networks with their own proxy work."""
    trusted = Path(ssl.get_default_verify_paths().openssl_cafile)
    known = {"SSL_CERT_FILE": str(trusted)} if trusted.is_file() else {}
    return known | {"UV_SYSTEM_CERTS": "true"} | os.environ


def add_tools(variables: dict[str, str]) -> None:
    """Add rustfmt and clippy to a toolchain that puccinialin installed: it leaves them out.

    Raises
    ------
    OSError
        They cannot be had.
    """
    environment = os.environ | variables
    rustup = shutil.which("rustup", path=variables["PATH"])
    if rustup is None:
        raise OSError("rustup is not there")
    done = subprocess.run(
        [rustup, "component", "add", "rustfmt", "clippy"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise OSError((done.stderr.strip().splitlines() or ["rustup failed"])[-1][:300])


def choose(*, with_tools: bool) -> dict[str, str]:
    """Return the environment variables by which cargo is found; empty if none are needed.

    Raises
    ------
    OSError
        There is no toolchain that is new enough, and none can be installed.
    """
    path = os.environ.get("PATH", os.defpath)
    # Where rustup puts it, also for shells that have not been started anew.
    home = os.environ.get("CARGO_HOME") or str(Path.home() / ".cargo")
    wanted, seen = needed(), []
    for variables in ({}, {"PATH": os.pathsep.join([str(Path(home) / "bin"), path])}):
        search = variables.get("PATH", path)
        version = version_of(search)
        if version is None:
            continue
        if version < wanted:
            seen.append(f"{shutil.which('cargo', path=search)} is {version[0]}.{version[1]}")
        elif not with_tools or all(shutil.which(tool, path=search) for tool in TOOLS):
            return variables
        else:
            seen.append(f"{shutil.which('cargo', path=search)} lacks rustfmt or clippy")
    why = f" ({seen[0]})" if seen else ""
    sys.stderr.write(
        f"No Rust {wanted[0]}.{wanted[1]} or newer{why}: getting a toolchain for this project "
        "with puccinialin, into the user's cache folder (once) ...\n"
    )
    variables = install()
    if with_tools:
        add_tools(variables)
    return variables


def main() -> int:
    """Print the shell lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="with rustfmt and clippy")
    try:
        variables = choose(with_tools=parser.parse_args().all)
    except OSError as error:
        wanted = ".".join(map(str, needed()))
        sys.stderr.write(
            f"agtrace needs Rust {wanted} or newer to build xelib, its decoders, and could not get it "
            f"({error}). Install it from https://rustup.rs; on Debian and Ubuntu: apt install cargo-web "
            "rustfmt-web rust-web-clippy; or use conda: environment.yml\n"
        )
        return 1
    for name, value in variables.items():
        sys.stdout.write(f"export {name}={shlex.quote(value)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
