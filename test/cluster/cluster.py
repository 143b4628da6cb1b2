"""Programs on a cluster of Apache Flink on this machine: the same output as with --pes=3, what is
wrong is said, and nothing is lost or doubled when PEs, hosts and masters die or are cut off.

    python3 test/cluster/cluster.py --driver build/release/bin/sluice [--kills N] [--seed N]
        [--sample N] [--only TEST]...
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys

from ends import Ends
from faults import Faults
from local import PATIENCE, words_of
from texts import SECRETS, WIDTH_ROWS, WIDTHS, expected, expected_sums

HERE = os.path.dirname(os.path.abspath(__file__))
QEMU = ("qemu-ppc64le-static", "-L", "/usr/powerpc64le-linux-gnu")


class Cluster(Faults, Ends):
    def same_output(self):
        self.must("with a launcher", "run", "app.spl", "--pes=3", "count=30000")
        plain = self.output()
        self.clear()
        self.must("submit", "submit", "app", f"--to={self.address}", "--wait", "count=30000")
        self.check("the output is the same", plain == self.output() == expected(30000),
                   f"{len(plain)} and {len(self.output())} lines")  # fmt: skip
        self.check("jobs", "FINISHED" in self.call("jobs", f"--at={self.address}").stdout)

    def jar(self):
        """A program as one file, for `sluice submit` and for `flink run`."""
        build = ["build", "app.spl", "--pes=3", "--target=flink", "-o", "app.jar"]
        self.must("build a jar", *build)
        path = os.path.join(self.work, "app.jar")
        with open(path, "rb") as file:
            first = file.read()
        self.must("build it again", *build)
        with open(path, "rb") as file:
            self.check("it is the same", file.read() == first)
        self.clear()
        self.must("submit", "submit", "app.jar", f"--to={self.address}", "--wait", "count=3000")
        self.same("a jar by sluice submit", self.output(), expected(3000))
        self.clear()
        out = self.flink("run", path, "--checkpoint-every=200ms", "count=4000")
        self.check("flink run", out.returncode == 0, out.stdout + out.stderr)
        self.same("a jar by flink run", self.output(), expected(4000))
        out = self.flink("run", path, "counts=1")
        said = out.stdout + out.stderr
        holds = out.returncode and "no submission-time value 'counts'" in said
        self.check("flink run of an unknown value", holds, said)
        out = self.flink("run", path, "--checkpoint-every=never")
        self.check("flink run without a time", "needs a time like 10s" in out.stdout + out.stderr,
                   out.stdout + out.stderr)  # fmt: skip
        self.clear()

    def flink(self, *words):
        """Flink's own command."""
        conf = os.path.join(self.folder, "c", "conf")
        lib = os.path.join(os.path.dirname(os.path.dirname(self.sluice)), "lib", "sluice", "flink")
        command = ["java", "--add-opens=java.base/java.util=ALL-UNNAMED", "-cp", f"{lib}/lib/*"]
        return subprocess.run(
            [*command, "org.apache.flink.client.cli.CliFrontend", *words],
            cwd=self.work,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=dict(os.environ, FLINK_CONF_DIR=conf),
        )

    def secrets(self):
        """Values that are secret, or stand elsewhere, come to the PEs, on no command line."""
        with open(os.path.join(self.work, "secret.spl"), "w", encoding="utf-8") as file:
            file.write(SECRETS)
        with open(os.path.join(self.work, "word"), "w", encoding="utf-8") as file:
            file.write("wörd-in-a-file\n")
        self.must("build", "build", "secret.spl", "--pes=2", "--target=flink", "-o", "secret")
        os.environ["CLUSTER_TEST"] = "word-of-the-environment-ä"
        to = f"--to={self.address}"
        clear = "password=word-in-clear"
        job = self.must("submit", "submit", "secret", to, "first=@file:word",
                        "second=@env:CLUSTER_TEST", clear)  # fmt: skip
        wanted = "wörd-in-a-file word-of-the-environment-ä 13"
        self.until("it has the values", lambda: wanted in "\n".join(self.output()))
        pes = self.pes()
        self.check("the PEs run", len(pes) == 2, pes)
        words = ("wörd-in-a-file", "word-of-the-environment-ä", "word-in-clear")
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                line = " ".join(words_of(pid))
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
        self.says("no cluster", "no cluster answers at 127.0.0.1:1",
             "submit", "app", "--to=127.0.0.1:1")  # fmt: skip
        self.says("no application", "has no program for this machine",
             "submit", "none", f"--to={self.address}")  # fmt: skip
        self.says("an unknown value", "no submission-time value 'counts'",
             "submit", "app", f"--to={self.address}", "counts=1")  # fmt: skip
        self.says("no such job", "sluice: error", "stop", "0" * 32, f"--at={self.address}")
        self.says("a program that fails", "is FAILED: PE ",
             "submit", "app", f"--to={self.address}", "--wait", "--data-dir=/dev/null")  # fmt: skip

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
        ready, hosts = self.registrations(), self.hosts()
        for pid in hosts:
            words = [word for word in words_of(pid) if not word.startswith("-Dos.arch=")]
            os.kill(pid, signal.SIGKILL)
            if processor:
                words.insert(1, f"-Dos.arch={processor}")
            self.start(pid, self.network.wrap(words))
        self.until("hosts are back", lambda: self.registrations() >= ready + len(hosts))

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
        self.same("no row of a key is lost, doubled or wrong",
                  sorted(self.rows(path)), expected_sums(WIDTH_ROWS))  # fmt: skip

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

    def run(self, options):
        tests = {
            "output": self.same_output,
            "jar": self.jar,
            "programs": lambda: self.conformance(options.sample),
            "wrong": self.wrong,
            "widths": self.widths,
            "secrets": self.secrets,
            "drain": self.drain,
            "abort": self.abort,
            "faults": lambda: self.savepoint(*self.strike()),
        }
        try:
            if self.up():
                self.build()
                for name in options.only or tests:
                    tests[name]()
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
    parser.add_argument("--kills", type=int, default=10, help="so many faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=int, default=16, help="each of so many programs is run")
    parser.add_argument("--only", action="append", help="this test (more than once: these)")
    options = parser.parse_args()
    if why := unavailable(options.driver):
        print(f"cluster: skipped: {why}\n0 passed, 0 failed, 1 skipped")
        return 0
    return Cluster(options).run(options)


if __name__ == "__main__":
    sys.exit(main())
