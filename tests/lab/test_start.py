"""The server of a lab: this machine alone, with a token, ended with whoever started it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from agtrace import extras
from agtrace.errors import AgtraceError
from agtrace.lab import start
from agtrace.lab.server import ADDRESS, arguments
from tests.ingest import texts
from tests.ingest.test_ingest import put


def test_without_jupyterlab_it_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "jupyterlab" else True)
    with pytest.raises(AgtraceError, match=r"agtrace lab needs the lab extra: .*agtrace\[lab\]"):
        start.check_installed()


def test_it_asks_nothing_of_the_network(tmp_path):
    given = arguments(tmp_path / "a.ipynb", tmp_path, "secret", browser=False)
    assert f"--ServerApp.ip={ADDRESS}" in given
    assert "--LabApp.news_url=None" in given
    assert any("NeverCheckForUpdate" in each for each in given)


@pytest.mark.complete
def test_it_listens_here_alone_wants_its_token_and_ends_with_its_parent(tmp_path):
    case = tmp_path / "case"
    case.mkdir()
    put(case, perf__csv=texts.perfmon(5), jupyter_server_config__py=b"raise SystemExit(7)\n")
    config = tmp_path / "config"
    config.mkdir()
    (config / "jupyter_server_config.py").write_text(
        "c.ServerApp.ip = '0.0.0.0'\nc.IdentityProvider.token = ''\n", encoding="utf-8"
    )
    words = ["lab", str(case), "--out", str(tmp_path / "notes"), "--no-browser"]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "agtrace", *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=case,
        env={**os.environ, "JUPYTER_CONFIG_DIR": str(config)},
    ) as running:
        try:
            found = None
            for line in running.stdout:
                if found := re.fullmatch(
                    r"JupyterLab: (http://127\.0\.0\.1:(\d+)/)(.*)\?token=(\w{48})\n", line
                ):
                    break
            assert found, "no address was printed"
            base, port, page, token = found.groups()
            assert page.startswith("lab/tree/case-")
            assert answers("127.0.0.1", int(port))
            if sys.platform.startswith("linux"):
                assert not answers("127.0.0.2", int(port))
            with pytest.raises(urllib.error.HTTPError, match="Forbidden"):
                urllib.request.urlopen(f"{base}api/contents")
            with urllib.request.urlopen(f"{base}api/contents?token={token}") as answer:
                assert b"case-" in answer.read()
            with urllib.request.urlopen(f"{base}api/kernelspecs?token={token}") as answer:
                assert b"Python 3 (agtrace)" in answer.read()
        finally:
            running.terminate()
        assert running.wait(20) == 130
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(base, timeout=5)


def answers(address: str, port: int) -> bool:
    """Return whether something listens there; all of 127.0.0.0/8 is this machine."""
    with socket.socket() as line:
        line.settimeout(5)
        return line.connect_ex((address, port)) == 0
