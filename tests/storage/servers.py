"""Object storage on loopback: moto's S3 server and Azurite, each started by the test that needs it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import fsspec
import pytest

START_S = 60.0

AZURITE = (
    "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;"
    "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"
    "BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;"
)
"""The account that every Azurite has: published with it, and good for nothing else."""


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@contextlib.contextmanager
def _served(words: list[str | Path], port: int, **environment: str) -> Iterator[None]:
    """Run a server until the context ends; it ends with this process, however that ends."""
    watch = (
        "import os, subprocess, sys, threading\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)\n"
        "threading.Thread(target=lambda: (sys.stdin.read(), server.kill()), daemon=True).start()\n"
        "os._exit(server.wait())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", watch, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | environment,
    )
    try:
        end = time.monotonic() + START_S
        while True:
            assert process.poll() is None, f"{words[0]} does not start"
            assert time.monotonic() < end
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield
    finally:
        process.stdin.close()
        process.wait()


@contextlib.contextmanager
def s3(patch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve S3; give the URL of an empty bucket."""
    pytest.importorskip("moto", reason="moto, which serves S3, is not installed")
    port = _free_port()
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with _served(words, port):
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            patch.setenv(name, value)
        urlopen(f"http://127.0.0.1:{port}/moto-api/", timeout=START_S).close()
        fsspec.filesystem("s3", skip_instance_cache=True).mkdir("bucket")
        yield "s3://bucket"


@contextlib.contextmanager
def azure(patch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve Azure's blobs; give the URL of an empty container."""
    installed = Path(sys.prefix) / "azurite" / "node_modules" / ".bin" / "azurite-blob"
    program = str(installed) if installed.exists() else shutil.which("azurite-blob")
    if program is None or shutil.which("node") is None:
        pytest.skip("Azurite is not installed: 'make azurite' does, where node is")
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="azurite-") as folder:
        words = [program, "--blobHost", "127.0.0.1", "--blobPort", str(port), "--silent"]
        words += ["--location", folder, "--skipApiVersionCheck", "--disableTelemetry"]
        with _served(words, port):
            patch.setenv("AZURE_STORAGE_CONNECTION_STRING", AZURITE.format(port=port))
            fsspec.filesystem("abfs", skip_instance_cache=True).mkdir("container")
            yield "abfs://container"


SERVERS = {"s3": s3, "azure": azure}
