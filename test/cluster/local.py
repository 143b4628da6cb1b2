"""A cluster of Apache Flink on this machine, and what the tests do with it."""

import glob
import json
import os
import random
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from texts import PROGRAM

PATIENCE = 180


class Local:
    def __init__(self, options):
        self.sluice = os.path.abspath(options.driver)
        self.random = random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix="sluice-cluster-")
        self.work = os.path.join(self.folder, "work")
        os.mkdir(self.work)
        os.mkdir(os.path.join(self.work, "data"))
        self.address = ""
        self.passed, self.failed = 0, []

    # ---- commands and their results ----------------------------------------------------------

    def call(self, *words, **more):
        return subprocess.run(
            [self.sluice, *words],
            cwd=self.work,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            env=dict(os.environ, LC_ALL="C"),
            **more,
        )

    def check(self, what, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed.append(what)
            print(f"FAIL {what}\n    {detail}", flush=True)

    def must(self, what, *words):
        out = self.call(*words)
        self.check(what, out.returncode == 0, out.stdout + out.stderr)
        return out.stdout.strip()

    def says(self, what, part, *words):
        """A command fails, and says this."""
        out = self.call(*words)
        self.check(what, out.returncode and part in out.stderr, out.stdout + out.stderr)

    def until(self, what, done):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if result := done():
                return result
            time.sleep(0.1)
        raise RuntimeError(f"{what}: this takes too long")

    # ---- the cluster -------------------------------------------------------------------------

    def up(self, *options):
        out = self.call("cluster", "up", f"--dir={self.folder}/c", "--hosts=2", "--standby",
                        "--port=0", *options)  # fmt: skip
        self.address = out.stdout.strip()
        self.check("cluster up", out.returncode == 0, out.stderr)
        self.says("a second cluster", "runs in", "cluster", "up", f"--dir={self.folder}/c")
        return out.returncode == 0

    def down(self):
        if not self.address:
            return
        self.must("cluster down", "cluster", "down", f"--dir={self.folder}/c")
        self.check("all processes are gone", self.processes() == [], self.processes())

    def processes(self, *words):
        """Processes of this cluster with these words in their command lines."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                line = " ".join(words_of(pid))
            except OSError:
                continue
            if self.folder in line and all(word in line for word in words):
                found.append(int(pid))
        return found

    def pes(self):
        return self.processes("--hosted")

    def hosts(self):
        return self.processes("TaskManagerRunner")

    def start(self, old, words):
        """Starts a process of the cluster in the place of an old one."""
        new = subprocess.Popen(
            words,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        own = os.path.join(self.folder, "c", "processes")
        with open(own, encoding="utf-8") as file:
            known = file.read()
        with open(own, "w", encoding="utf-8") as file:
            file.write(re.sub(rf"^{old} ", f"{new.pid} ", known, flags=re.M))

    def registrations(self):
        """How often hosts have come to the cluster."""
        found = 0
        for path in glob.glob(os.path.join(self.folder, "c", "log", "host*.log")):
            with open(path, encoding="utf-8", errors="replace") as file:
                found += file.read().count("Successful registration at resource manager")
        return found

    # ---- jobs --------------------------------------------------------------------------------

    def build(self):
        with open(os.path.join(self.work, "app.spl"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        self.must("build", "build", "app.spl", "--pes=3", "--target=flink", "-o", "app")
        with open(os.path.join(self.work, "app", "job.json"), encoding="utf-8") as file:
            job = json.load(file)
        self.check("job.json", [len(job["pes"]), len(job["links"])] == [3, 2], job)

    def job(self, number):
        """What `sluice jobs` says of a job, in one line."""
        lines = self.call("jobs", f"--at={self.address}").stdout.splitlines()
        return next((line for line in lines if line.startswith(number)), "")

    def rest(self, number, path):
        """What Flink's REST interface says of a job."""
        end = time.monotonic() + PATIENCE
        while True:
            for master in self.address.split(","):
                try:
                    with urllib.request.urlopen(
                        f"http://{master}/jobs/{number}{path}", timeout=30
                    ) as answer:
                        return answer.read().decode()
                except (ConnectionError, TimeoutError, urllib.error.URLError):
                    if time.monotonic() > end:
                        raise
            time.sleep(0.2)  # another master takes over

    def metric(self, number, name):
        """The sum of it for all tasks of a job."""
        total = 0
        for vertex in json.loads(self.rest(number, ""))["vertices"]:
            path = f"/vertices/{vertex['id']}/metrics"
            known = [each["id"] for each in json.loads(self.rest(number, path))]
            wanted = ",".join(each for each in known if each.endswith("." + name))
            values = json.loads(self.rest(number, f"{path}?get={wanted}")) if wanted else []
            total += sum(float(each["value"]) for each in values)
        return total

    # ---- what jobs write ---------------------------------------------------------------------

    @property
    def path(self):
        return os.path.join(self.work, "data", "out.csv")

    def output(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def size(self):
        return os.path.getsize(self.path) if os.path.exists(self.path) else 0

    def clear(self):
        if os.path.exists(self.path):
            os.remove(self.path)

    def same(self, what, lines, wanted):
        """Nothing is lost, doubled or wrong."""
        differ = [pair for pair in zip(lines, wanted) if pair[0] != pair[1]]
        told = f"{len(lines)} lines of {len(wanted)}, {len(differ)} differ: {differ[:3]}"
        self.check(what, lines == wanted, told)


def words_of(pid):
    """The command line of a process."""
    with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
        return file.read().split("\0")[:-1]


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])
