"""A headless Chromium, told what to do over its DevTools protocol, for the tests of pages."""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agtrace.errors import AgtraceError
from agtrace.report.browser import find_browser

STARTS_IN_S = 30
NOISE = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")


class Browser:
    """One tab. What pages complain of and ask for is kept in ``complaints`` and ``requests``."""

    def __init__(self, profile: Path) -> None:
        import websocket

        try:
            program = find_browser()
        except AgtraceError as error:
            pytest.skip(str(error))
        port_file = profile / "DevToolsActivePort"
        self._process = subprocess.Popen(
            [
                program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
                "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._number = 0
        try:
            ends = time.monotonic() + STARTS_IN_S
            while not (port_file.exists() and len(port_file.read_text().split()) == 2):
                if time.monotonic() > ends or self._process.poll() is not None:
                    pytest.skip("Chromium does not start here")
                time.sleep(0.05)
            port, path = port_file.read_text().split()
            self._socket = websocket.create_connection(
                f"ws://127.0.0.1:{port}{path}", timeout=60, suppress_origin=True
            )
            target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
            attach = {"targetId": target, "flatten": True}
            self._session = self._call("Target.attachToTarget", attach)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End it: this process alone."""
        with contextlib.suppress(Exception):
            self._call("Browser.close")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol in the tab."""
        return self._call(method, parameters, self._session)

    def _call(
        self, method: str, parameters: dict[str, Any] | None = None, session: str = ""
    ) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters or {}}
        self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            heard = json.loads(self._socket.recv())
            if heard.get("id") == self._number:
                if "error" in heard:
                    raise RuntimeError(f"{method}: {heard['error']}")
                return heard["result"]
            self._hear(heard)

    def _hear(self, heard: dict[str, Any]) -> None:
        method, said = heard.get("method"), heard.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif method in NOISE:
            entry = said.get("entry") or said.get("exceptionDetails") or said
            if entry.get("level") not in ("info", "verbose") and entry.get("type") not in ("log", "info"):
                self.complaints.append(json.dumps(entry)[:600])

    def open(
        self, page: Path, *, at: str = "", width: int = 1280, height: int = 900, dark: bool = False
    ) -> None:
        """Show a page from the file system, at a place in it, and wait until its figures are drawn."""
        self.complaints, self.requests = [], []
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.prefer(dark=dark)
        self.call("Page.navigate", url="about:blank")
        self.requests = []
        self.call("Page.navigate", url=page.absolute().as_uri() + at)
        drawn = (
            f"location.href.startsWith({json.dumps(page.absolute().as_uri())}) && document.readyState === "
            f"'complete' && "
            "[...document.querySelectorAll('figure[data-figure]')].every((f) => f.querySelector('.main-svg'))"
        )
        self.wait(drawn, 60)

    def wait(self, script: str, longest_s: float) -> None:
        """Wait until an expression holds in the page."""
        ends = time.monotonic() + longest_s
        while not self.run(script):
            assert time.monotonic() < ends, f"not after {longest_s} s: {script}: {self.complaints}"
            time.sleep(0.05)

    def prefer(self, *, dark: bool) -> None:
        """Set the reader's preferred colours; an open page follows."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media="", features=[scheme])

    def on_paper(self, *, width: int) -> None:
        """Lay the open page out as it is printed, on paper that is so many pixels wide."""
        if not self.run("matchMedia('print').matches"):
            self.run(
                "dispatchEvent(new Event('beforeprint'))"
            )  # as a browser does: before its layout is that
            self.call("Emulation.setEmulatedMedia", media="print")
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False
        )

    def before_each_page(self, script: str) -> None:
        """Run a script in every page from here on, before the page's own."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def processor_s(self) -> float:
        """Return the seconds of processor that all its processes have used."""
        return sum(each["cpuTime"] for each in self._call("SystemInfo.getProcessInfo")["processInfo"])

    def picture(self, *, scale: float = 1, kind: str = "png", size: tuple[int, int] | None = None) -> bytes:
        """Return a picture of the whole page, or of so much of it (width and height)."""
        wanted = {"format": kind} | ({"quality": 70} if kind == "webp" else {})
        whole = self.call("Page.getLayoutMetrics")["cssContentSize"]
        width, height = size or (whole["width"], min(whole["height"], 16000))
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        told = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip, **wanted)
        return base64.b64decode(told["data"])

    def foreign_requests(self) -> list[str]:
        """Return the requests to anything but the file system."""
        return [url for url in self.requests if not url.startswith(("file:", "data:", "blob:", "about:"))]


@contextlib.contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Yield a browser that ends with the block."""
    started = Browser(profile)
    try:
        yield started
    finally:
        started.close()
