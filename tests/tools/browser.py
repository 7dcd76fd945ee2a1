"""Headless Chromium driven over its DevTools protocol: one page, its console, mouse and keys."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from websockets.sync.client import connect

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="PACKAGE: chromium-headless-shell (or chromium) is absent"
)

# Root has no sandbox; --disable-dev-shm-usage: /dev/shm is small in containers.
_FLAGS = """
    --headless=new --no-sandbox --disable-dev-shm-usage --no-first-run --disable-extensions
    --disable-background-networking --disable-component-update --disable-sync --mute-audio
    --use-angle=swiftshader --enable-unsafe-swiftshader --remote-debugging-port=0
""".split()


class Browser:
    """A page of `size` [pixel] in software GL; the browser ends with the context."""

    def __init__(self, size):
        self._size = size
        self._last_id = 0
        self._events = []

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(
            prefix="nodia_browser_", ignore_cleanup_errors=True
        )
        self._process = subprocess.Popen(
            [CHROMIUM, *_FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self._attach()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """The program is a script around the browser, which has children of its own: all end."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._profile.cleanup()

    def _attach(self):
        told = Path(self._profile.name, "DevToolsActivePort")
        wait_until(lambda: told.exists() and told.read_text().count("\n") == 1, "a port")
        port, path = told.read_text().split("\n")
        self._session = None
        self._socket = connect(f"ws://127.0.0.1:{port}{path}", max_size=None, compression=None)
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")
        width, height = self._size
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def send(self, method, **parameters):
        """A command of the protocol; returns its result."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._socket.send(json.dumps(message))
        while True:
            answer = json.loads(self._socket.recv(timeout=120))
            if answer.get("id") == self._last_id:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self._events.append(answer)

    def open(self, url):
        self.send("Page.navigate", url=url)

    def run(self, script):
        """The value of an expression in the page."""
        done = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in done, (script, done["exceptionDetails"])
        return done["result"].get("value")

    def click(self, place):
        """@param place  x, y in the page [pixel]"""
        for kind in ("mousePressed", "mouseReleased"):
            self.send(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="left",
                clickCount=1,
            )

    def type(self, text):
        """Over what the focused input holds, with Enter behind it."""
        self.run("document.activeElement.select()")
        self.send("Input.insertText", text=text)
        for kind in ("rawKeyDown", "char", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent",
                type=kind,
                key="Enter",
                code="Enter",
                text="\r" if kind == "char" else "",
                windowsVirtualKeyCode=13,
            )

    def errors(self):
        """What the console shows as an error so far, uncaught exceptions included."""
        self.run("0")  # fetches the events that came since the last command
        found = []
        for event in self._events:
            method, told = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(told["exceptionDetails"])
            elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "assert"):
                found.append([argument.get("value") for argument in told["args"]])
            elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
                found.append(told["entry"])
        return found


def wait_until(condition, what, seconds=60):
    """The first true value of `condition()`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain for {what}")
