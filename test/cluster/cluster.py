"""Programs on a cluster of Apache Flink on this machine: the same output as with --pes=3, what is
wrong is said, and nothing is lost or doubled when PEs and hosts are killed.

    python3 test/cluster/cluster.py --driver build/release/bin/sluice [--kills N] [--seed N] [--sample N]
"""

import argparse
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from texts import PROGRAM, SECRETS, WIDTH_ROWS, WIDTHS, expected, expected_sums

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 180
QEMU = ("qemu-ppc64le-static", "-L", "/usr/powerpc64le-linux-gnu")
ROWS_A_KILL = 1_600  # more than come until the next one


class Cluster:
    def __init__(self, options):
        self.sluice = os.path.abspath(options.driver)
        self.random = random.Random(options.seed)
        self.folder = tempfile.mkdtemp(prefix="sluice-cluster-")
        self.work = os.path.join(self.folder, "work")
        os.mkdir(self.work)
        os.mkdir(os.path.join(self.work, "data"))
        self.address = ""
        self.total = ROWS_A_KILL * options.kills
        self.passed, self.failed = 0, []

    def call(self, *words, **more):
        return subprocess.run(
            [self.sluice, *words],
            cwd=self.work,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
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

    def output(self):
        try:
            with open(os.path.join(self.work, "data", "out.csv"), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def clear(self):
        path = os.path.join(self.work, "data", "out.csv")
        if os.path.exists(path):
            os.remove(path)

    def processes(self, *words):
        """Processes of this cluster with these words in their command lines."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    line = file.read().decode(errors="replace")
            except OSError:
                continue
            if self.folder in line and all(word in line for word in words):
                found.append(int(pid))
        return found

    def until(self, what, done):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if result := done():
                return result
            time.sleep(0.1)
        raise RuntimeError(f"{what}: this takes too long")

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

    # ---- the tests ---------------------------------------------------------------------------

    def up(self):
        out = self.call("cluster", "up", f"--dir={self.folder}/c", "--hosts=2", "--standby",
                        "--port=0")  # fmt: skip
        self.address = out.stdout.strip()
        self.check("cluster up", out.returncode == 0, out.stderr)
        again = self.call("cluster", "up", f"--dir={self.folder}/c")
        self.check("a second cluster", "runs in" in again.stderr, again.stderr)
        return out.returncode == 0

    def build(self):
        with open(os.path.join(self.work, "app.spl"), "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        self.must("build", "build", "app.spl", "--pes=3", "--target=flink", "-o", "app")
        with open(os.path.join(self.work, "app", "job.json"), encoding="utf-8") as file:
            job = json.load(file)
        self.check("job.json", [len(job["pes"]), len(job["links"])] == [3, 2], job)

    def same_output(self):
        self.must("with a launcher", "run", "app.spl", "--pes=3", "count=30000")
        plain = self.output()
        self.clear()
        self.must("submit", "submit", "app", f"--to={self.address}", "--wait", "count=30000")
        self.check("the output is the same", plain == self.output() == expected(30000),
                   f"{len(plain)} and {len(self.output())} lines")  # fmt: skip
        self.check("jobs", "FINISHED" in self.call("jobs", f"--at={self.address}").stdout)

    def secrets(self):
        """Values that are secret, or stand elsewhere, come to the PEs, on no command line."""
        with open(os.path.join(self.work, "secret.spl"), "w", encoding="utf-8") as file:
            file.write(SECRETS)
        with open(os.path.join(self.work, "word"), "w", encoding="utf-8") as file:
            file.write("word-in-a-file\n")
        self.must("build", "build", "secret.spl", "--pes=2", "--target=flink", "-o", "secret")
        os.environ["CLUSTER_TEST"] = "word-of-the-environment"
        to = f"--to={self.address}"
        clear = "password=word-in-clear"
        job = self.must("submit", "submit", "secret", to, "first=@file:word",
                        "second=@env:CLUSTER_TEST", clear)  # fmt: skip
        wanted = "word-in-a-file word-of-the-environment 13"
        self.until("it has the values", lambda: wanted in "\n".join(self.output()))
        pes = self.processes("--hosted")
        self.check("the PEs run", len(pes) == 2, pes)
        words = ("word-in-a-file", "word-of-the-environment", "word-in-clear")
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    line = file.read().decode(errors="replace").replace("\0", " ")
            except OSError:
                continue
            self.check(f"the command line of {pid}", not any(w in line for w in words), line)
        environments = b""
        for pid in pes:
            with open(f"/proc/{pid}/environ", "rb") as file:
                environments += file.read()
        self.check("where they are", environments.count(b"word-in-clear") == 2, environments)
        for part in ("", "/config", "/exceptions"):
            text = self.rest(job, part)
            self.check(f"Flink's pages: {part}", not any(w in text for w in words), text)
        self.must("stop", "stop", job, f"--at={self.address}")
        for folder, _, files in os.walk(os.path.join(self.folder, "c", "log")):
            for name in files:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    log = file.read()
                self.check(f"the log {name}", not any(w in log for w in words), name)
        for name, content, said in (("long", "x" * 131072, "128 KiB"), ("zero", "a\0b", "byte 0")):
            with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
                file.write(content)
            out = self.call("submit", "secret", to, f"first=@file:{name}", "second=x", clear)
            self.check(f"a value that is {name}", said in out.stderr, out.stderr)
        missing = self.call("submit", "secret", to, "first=@file:none", "second=x", clear)
        self.check("no such file", "cannot read none" in missing.stderr, missing.stderr)
        self.clear()

    def wrong(self):
        def says(what, part, *words):
            out = self.call(*words)
            self.check(what, out.returncode and part in out.stderr, out.stdout + out.stderr)

        says("no cluster", "no cluster answers at 127.0.0.1:1",
             "submit", "app", "--to=127.0.0.1:1")  # fmt: skip
        says("no application", "has no program for this machine",
             "submit", "none", f"--to={self.address}")  # fmt: skip
        says("an unknown value", "no submission-time value 'counts'",
             "submit", "app", f"--to={self.address}", "counts=1")  # fmt: skip
        says("no such job", "sluice: error", "stop", "0" * 32, f"--at={self.address}")
        says("a program that fails", "is FAILED: PE ",
             "submit", "app", f"--to={self.address}", "--wait", "--data-dir=/dev/null")  # fmt: skip

    def kills(self, count):
        """PEs die, in the end the master that leads, and a host with all that it runs."""
        options = ["--checkpoint-every=200ms", f"count={self.total}"]
        self.clear()
        job = self.must("submit", "submit", "app", f"--to={self.address}", *options, "period=0.002")
        for number in range(count):
            self.until("all PEs run", lambda: len(self.processes("--hosted")) == 3)
            lines = len(self.output())
            self.until("it goes on", lambda: len(self.output()) > lines + 50)
            if number == count - 1:
                victim = self.host_with_pes()
            elif number == count - 2:
                self.kill_leader()
                continue
            else:
                victim = self.random.choice(self.processes("--hosted"))
            os.kill(victim, signal.SIGKILL)
        self.until("all PEs run again", lambda: len(self.processes("--hosted")) == 3)
        self.until("it goes on", lambda: "RUNNING" in self.job(job))
        self.until("its counters", lambda: self.metric(job, "pe.Numbers.tuples_total_out") > 0)
        restored = re.search(r"restored (\d+) times", self.job(job))
        self.check("it was restored", restored and int(restored.group(1)) > 0, self.job(job))
        return job, options

    def kill_leader(self):
        """The master that leads dies; the other one takes over, and starts the PEs again."""
        old, new = sorted(("master", "master-standby"), key=self.granted, reverse=True)
        before, pes = self.granted(new), self.processes("--hosted")
        pid = self.processes("StandaloneSessionClusterEntrypoint", f"/{old}.log")[0]
        os.kill(pid, signal.SIGKILL)
        self.until("the other one leads", lambda: self.granted(new) > before)
        self.until("the PEs start again", lambda: not set(pes) & set(self.processes("--hosted")))

    def granted(self, master):
        """When it was last told that it leads, as text; empty: never."""
        path = os.path.join(self.folder, "c", "log", master + ".log")
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line[:23] for line in file if "granted leadership" in line]
        return max(lines, default="")

    def host_with_pes(self):
        """A task manager that runs a PE."""
        hosts = self.processes("TaskManagerRunner")
        for pid in self.processes("--hosted"):
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            if parent in hosts:
                return parent
        raise RuntimeError("no host has a PE")

    def savepoint(self, job, options):
        folder = f"--savepoint={self.folder}/s"
        saved = self.must("stop", "stop", job, f"--at={self.address}", folder)
        self.check("the job has ended", self.processes("--hosted") == [])
        lines = self.output()
        self.check("it is not done", 0 < len(lines) < self.total, len(lines))
        self.must("one PE", "build", "app.spl", "--target=flink", "-o", "one")
        to = f"--to={self.address}"
        job = self.must("go on", "submit", "one", to, "--wait", f"--from={saved}", *options)
        self.check("from the savepoint", "restored 1 times" in self.job(job), self.job(job))
        lines, wanted = self.output(), expected(self.total)
        bad = [pair for pair in zip(lines, wanted) if pair[0] != pair[1]]
        self.check("nothing is lost, doubled or wrong", lines == wanted,
                   f"{len(lines)} lines of {self.total}, {len(bad)} differ: {bad[:3]}")  # fmt: skip

    def build_widths(self):
        """For both processors, if this machine can run programs of ppc64le. The processors of the
        hosts that run it with widths 2, 3 and 1."""
        with open(os.path.join(self.work, "widths.spl"), "w", encoding="utf-8") as file:
            file.write(WIDTHS)
        build = ["build", "widths.spl", "--pes=all", "-o", "widths"]
        if not all(map(shutil.which, (QEMU[0], "powerpc64le-linux-gnu-gcc"))):
            self.must("build", *build, "--target=flink")
            return "", "", ""
        self.must("build", *build, "--target=flink-all")
        path = os.path.join(self.work, "widths", "pe-ppc64le")
        os.rename(path, path + ".program")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {" ".join(QEMU)} {path}.program "$@"\n')
        os.chmod(path, 0o755)
        return "", "ppc64le", ""

    def become(self, processor):
        """All hosts start again, and take themselves to have this processor; empty: their own."""
        ready = self.registrations()
        own = os.path.join(self.folder, "c", "processes")
        with open(own, encoding="utf-8") as file:
            known = file.read()
        hosts = self.processes("TaskManagerRunner")
        for pid in hosts:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
                words = [w for w in file.read().split("\0")[:-1] if not w.startswith("-Dos.arch=")]
            os.kill(pid, signal.SIGKILL)
            if processor:
                words.insert(1, f"-Dos.arch={processor}")
            host = subprocess.Popen(
                words,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            known = re.sub(rf"^{pid} ", f"{host.pid} ", known, flags=re.M)
        with open(own, "w", encoding="utf-8") as file:
            file.write(known)
        self.until("hosts are back", lambda: self.registrations() >= ready + len(hosts))

    def registrations(self):
        """How often hosts have come to the cluster."""
        found = 0
        for path in glob.glob(os.path.join(self.folder, "c", "log", "host*.log")):
            with open(path, encoding="utf-8", errors="replace") as file:
                found += file.read().count("Successful registration at resource manager")
        return found

    def widths(self):
        """A region of two channels goes on with three, and with one: two PEs more, four fewer. The
        three are of the other processor."""
        processors = self.build_widths()
        path = os.path.join(self.work, "data", "sums.csv")
        submit = ["submit", "widths", f"--to={self.address}", "--checkpoint-every=500ms",
                  f"count={WIDTH_ROWS}"]  # fmt: skip
        saved = []
        for width, processor in zip((2, 3), processors):
            if processor != processors[0]:
                self.become(processor)
            more = len(self.rows(path)) + 500
            job = self.must(f"width {width}", *submit, *saved, f"width={width}")
            self.until("it goes on", lambda: len(self.rows(path)) > more)
            folder = f"--savepoint={self.folder}/w"
            place = self.must("stop", "stop", job, f"--at={self.address}", folder)
            saved = [f"--from={place}"]
            self.check("it is not done", len(self.rows(path)) < len(expected_sums(WIDTH_ROWS)))
        if processors[1] != processors[2]:
            self.become(processors[2])
        self.must("width 1", *submit, *saved, "width=1", "--wait")
        rows, wanted = sorted(self.rows(path)), expected_sums(WIDTH_ROWS)
        bad = [pair for pair in zip(rows, wanted) if pair[0] != pair[1]]
        self.check("no row of a key is lost, doubled or wrong", rows == wanted,
                   f"{len(rows)} rows of {len(wanted)}, {len(bad)} differ: {bad[:3]}")  # fmt: skip

    def rows(self, path):
        """Whole lines of a file of numbers."""
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().split("\n")[:-1]
        except FileNotFoundError:
            return []
        return [tuple(map(int, line.split(","))) for line in lines]

    def conformance(self, sample):
        """Each of so many conformance programs, and the examples: the same output as everywhere."""
        run = os.path.join(os.path.dirname(HERE), "run.py")
        build = os.path.dirname(os.path.dirname(self.sluice))
        environment = dict(
            os.environ, SLUICE_CLUSTER=f"{self.folder}/c", SLUICE_SAMPLE=str(sample)
        )
        command = [sys.executable, run, "--build", build, "--mode=cluster"]
        out = subprocess.run(command, capture_output=True, text=True, env=environment)
        last = (out.stdout.strip().splitlines() or [""])[-1]
        print("programs on the cluster:", last)
        holds = out.returncode == 0 and not last.startswith("0 passed")
        self.check("programs on the cluster", holds, out.stdout + out.stderr)

    def down(self):
        if not self.address:
            return
        self.must("cluster down", "cluster", "down", f"--dir={self.folder}/c")
        self.check("all processes are gone", self.processes() == [], self.processes())

    def run(self, kills, sample):
        try:
            if self.up():
                self.build()
                self.same_output()
                self.conformance(sample)
                self.wrong()
                self.widths()
                self.secrets()
                self.savepoint(*self.kills(kills))
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            self.check(str(problem), False)
        finally:
            self.down()
        if self.failed:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder)
        print(f"{self.passed} passed, {len(self.failed)} failed")
        return 1 if self.failed else 0


def unavailable(driver):
    """Why there can be no cluster; Flink is fetched if it is not there."""
    build = os.path.dirname(os.path.dirname(os.path.abspath(driver)))
    flink = os.path.join(build, "lib", "sluice", "flink")
    pom = os.path.join(build, "share", "sluice", "flink", "pom.xml")
    if not shutil.which("mvn") or not shutil.which("javac"):
        return "the packages maven and openjdk-17-jdk-headless are missing"
    command = ["mvn", "-q", "-B", "package", "-f", pom, f"-Dout={flink}"]
    offline = subprocess.run([*command, "-o"], capture_output=True, text=True)
    if offline.returncode == 0:
        return None
    out = subprocess.run(command, capture_output=True, text=True)
    if "COMPILATION ERROR" in out.stdout:
        raise SystemExit(out.stdout)
    return f"Maven cannot fetch Flink: {out.stdout[-300:]}" if out.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=16, help="each of so many programs is run")
    options = parser.parse_args()
    if why := unavailable(options.driver):
        print(f"cluster: skipped: {why}\n0 passed, 0 failed, 1 skipped")
        return 0
    return Cluster(options).run(options.kills, options.sample)


if __name__ == "__main__":
    sys.exit(main())
