"""A page in headless Chromium, by the protocol of its developer tools over a pipe."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

from Inputs.support import FOLDER
from Inputs.watching import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One page. `requests`: addresses that it asked for; `problems`: what its console says."""

    def __init__(self, url, width=1400, height=900):
        self.requests, self.problems, self.answers, self.number, self.rest = [], [], {}, 0, b""
        read, self.to = os.pipe()
        self.back, write = os.pipe()

        def pipes():  # the browser reads from 3 and writes to 4
            a, b = os.dup(read), os.dup(write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={FOLDER}/profile", "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(
            command,
            preexec_fn=pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read)
        os.close(write)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.resize(width, height)
        self.call("Page.navigate", url=url)
        self.until('location.protocol != "about:" && document.readyState == "complete"')

    def resize(self, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while self.number not in self.answers:
            self.take(end)
        answer = self.answers.pop(self.number)
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return answer["result"]

    def take(self, end):
        if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
            raise SystemExit("the browser does not answer")
        self.rest += os.read(self.back, 1 << 20)
        *messages, self.rest = self.rest.split(b"\0")
        for message in map(json.loads, messages):
            params = message.get("params", {})
            if "id" in message:
                self.answers[message["id"]] = message
            elif message["method"] == "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            elif message["method"] == "Runtime.exceptionThrown":
                self.problems.append(params["exceptionDetails"]["exception"].get("description"))
            elif message["method"] == "Log.entryAdded" and params["entry"]["level"] == "error":
                self.problems.append(params["entry"]["text"])

    def value(self, expression):
        how = {"returnByValue": True, "awaitPromise": True}
        result = self.call("Runtime.evaluate", expression=expression, **how)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def until(self, expression):
        """Waits until it is true, and returns it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if result := self.value(expression):
                return result
            time.sleep(0.1)
        raise SystemExit(f"it took too long: {expression}")

    def press(self, key, **more):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **more)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
