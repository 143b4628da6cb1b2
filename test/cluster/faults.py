"""Faults of a cluster, in any order, while a program runs, and how long it takes until it goes on.
A host is cut off where this machine lets us make network namespaces: it lives in one of its own."""

import glob
import os
import re
import signal
import statistics
import subprocess
import time

from local import Local, parent_of, words_of
from texts import expected

KINDS = {"pe": 13, "host": 3, "master": 2, "partition": 1, "stall": 1}  # how often, of 20
NOBODY = "02:00:00:00:00:01"
CUTS = (3, 15)  # seconds; a host that was not heard of for 10 s is given up


class Faults(Local):
    def __init__(self, options):
        super().__init__(options)
        self.faults = options.kills
        self.network = Network()
        self.times = {}

    def up(self, *options):
        made = self.network.make()
        return super().up(*([f"--address={self.network.here}"] if made else []), *options)

    def down(self):
        super().down()
        self.network.remove()

    def plan(self):
        """One of each kind, and the others as often as they are to be."""
        weights = {kind: weight for kind, weight in KINDS.items()
                   if kind != "partition" or self.network.is_made}  # fmt: skip
        rest = max(0, self.faults - len(weights))
        plan = [*weights, *self.random.choices([*weights], [*weights.values()], k=rest)]
        self.random.shuffle(plan)
        return plan[: self.faults]

    def strike(self):
        """The job that has gone through all of them, and its options."""
        options = ["--checkpoint-every=200ms", "count=2000000000", "period=0.002"]
        self.clear()
        if self.network.is_made:
            self.move_host()
        job = self.must("submit", "submit", "app", f"--to={self.address}", *options)
        self.await_output()
        for kind in self.plan():
            began = time.monotonic()
            began += getattr(self, kind)() or 0
            self.await_output()
            self.times.setdefault(kind, []).append(time.monotonic() - began)
        self.tell_times()
        self.until("its counters", lambda: self.metric(job, "pe.Numbers.tuples_total_out") > 0)
        restored = re.search(r"restored (\d+) times", self.job(job))
        self.check("it was restored", restored and int(restored.group(1)) > 0, self.job(job))
        return job, options

    def await_output(self):
        """All PEs run, and write."""
        self.until("all PEs run", lambda: len(self.pes()) == 3)
        size = self.size()
        self.until("it goes on", lambda: self.size() > size + 100)

    def tell_times(self):
        for kind, times in sorted(self.times.items()):
            times.sort()
            late = times[-(-99 * len(times) // 100) - 1]
            print(f"{kind}: {len(times)} faults; seconds until it goes on: median "
                  f"{statistics.median(times):.1f}, 99 of 100 {late:.1f}, most {times[-1]:.1f}",
                  flush=True)  # fmt: skip

    # ---- faults: the seconds that they themselves take ----------------------------------------

    def pe(self):
        pes = self.pes()
        os.kill(self.random.choice(pes), signal.SIGKILL)
        self.until("the PEs start again", lambda: not set(pes) & set(self.pes()))

    def host(self):
        """One that has a PE dies with all that it runs, and comes back when the job goes on."""
        pes = self.pes()
        pid = parent_of(self.random.choice(pes))
        words = words_of(pid)
        os.kill(pid, signal.SIGKILL)
        self.until("the PEs start again", lambda: not set(pes) & set(self.pes()))
        self.await_output()
        since, ready = time.monotonic(), self.registrations()
        self.start(pid, self.network.wrap(words))
        self.until("the host is back", lambda: self.registrations() > ready)
        return time.monotonic() - since

    def master(self):
        """The one that leads dies; the other one takes over, and starts the PEs again."""
        old, new = sorted(("master", "master-standby"), key=self.granted, reverse=True)
        before, pes = self.granted(new), self.pes()
        pid = self.processes("StandaloneSessionClusterEntrypoint", f"/{old}.log")[0]
        words = words_of(pid)
        os.kill(pid, signal.SIGKILL)
        self.until("the other one leads", lambda: self.granted(new) > before)
        self.until("the PEs start again", lambda: not set(pes) & set(self.pes()))
        self.await_output()
        since, ready = time.monotonic(), self.waits(old)
        self.start(pid, words)
        self.until("the master is back", lambda: self.waits(old) > ready)
        return time.monotonic() - since

    def partition(self):
        """A host is cut off, for a while that is forgiven or not."""
        seconds = CUTS[len(self.times.get("partition", ())) % len(CUTS)]
        ready = self.registrations()
        self.network.cut(seconds)
        if seconds > 10:
            self.until("the host is back", lambda: self.registrations() > ready)
        return seconds

    def stall(self):
        """A host stands still and is given up; its PEs live, and have files open."""
        pes = self.pes()
        pid = parent_of(max(pes, key=self.out_of))
        ready = self.registrations()
        os.kill(pid, signal.SIGSTOP)
        time.sleep(CUTS[1])
        os.kill(pid, signal.SIGCONT)
        self.until("the host is back", lambda: self.registrations() > ready)
        self.until("the PEs have started again", lambda: not set(pes) & set(self.pes()))
        return CUTS[1]

    def out_of(self, pe):
        """Whether this PE writes the file."""
        links = glob.glob(f"/proc/{pe}/fd/*")
        return any(os.path.realpath(link) == self.path for link in links)

    # ---- masters and hosts ---------------------------------------------------------------------

    def lines_of_master(self, master, words):
        path = os.path.join(self.folder, "c", "log", master + ".log")
        with open(path, encoding="utf-8", errors="replace") as file:
            return [line[:23] for line in file if words in line]

    def granted(self, master):
        """When it was last told that it leads, as text; empty: never."""
        return max(self.lines_of_master(master, "granted leadership"), default="")

    def waits(self, master):
        """How often it has begun to listen."""
        return len(self.lines_of_master(master, "Rest endpoint listening at"))

    def move_host(self):
        """Starts the second host in the other network."""
        ready = self.registrations()
        pid = self.processes("TaskManagerRunner", "/host1.log")[0]
        words = words_of(pid)
        os.kill(pid, signal.SIGKILL)
        for name in ("host", "bind-host"):
            words += ["-D", f"taskmanager.{name}={self.network.there}"]
        self.start(pid, self.network.wrap(words))
        self.until("it has moved", lambda: self.registrations() > ready)

    def savepoint(self, job, options):
        folder = f"--savepoint={self.folder}/s"
        saved = self.must("stop", "stop", job, f"--at={self.address}", folder)
        self.check("the job has ended", self.pes() == [])
        size = self.size()
        self.must("one PE", "build", "app.spl", "--target=flink", "-o", "one")
        to = f"--to={self.address}"
        job = self.must("go on", "submit", "one", to, f"--from={saved}", *options)
        self.until("it goes on", lambda: self.size() > size + 1000)
        self.check("from the savepoint", "restored 1 times" in self.job(job), self.job(job))
        self.must("stop", "stop", job, f"--at={self.address}")
        lines = self.output()
        print(f"{len(lines)} lines")
        self.same("nothing is lost, doubled or wrong", lines, expected(len(lines)))


class Network:
    """Two addresses, of which one is in a namespace of its own that can be cut off."""

    def __init__(self):
        number = os.getpid()
        self.name, self.link = f"sluice-{number}", f"sl{number}"
        net = f"10.{200 + number // 64 % 50}.{number % 64 * 4}"
        self.here, self.there = f"{net}.1", f"{net}.2"
        self.is_made = False

    def make(self):
        steps = (
            f"ip netns add {self.name}",
            f"ip link add {self.link} type veth peer name inside netns {self.name}",
            f"ip addr add {self.here}/30 dev {self.link}",
            f"ip link set {self.link} up",
            f"ip -n {self.name} addr add {self.there}/30 dev inside",
            f"ip -n {self.name} link set inside up",
            f"ip -n {self.name} link set lo up",
        )
        self.is_made = all(run(step) for step in steps)
        if not self.is_made:
            print("no host is cut off: this machine makes no network namespaces")
            self.remove()
        return self.is_made

    def wrap(self, words):
        """What starts a process where it belongs."""
        inside = any(word.endswith(f"={self.there}") for word in words)
        return ["ip", "netns", "exec", self.name, *words] if inside else words

    def cut(self, seconds):
        """Nothing comes through, and nobody is told: each side has a wrong address of the other."""
        there = f"ip neigh replace {self.there} lladdr {NOBODY} dev {self.link}"
        here = f"ip -n {self.name} neigh replace {self.here} lladdr {NOBODY} dev inside"
        if not (run(there) and run(here)):
            raise RuntimeError("a host cannot be cut off")
        time.sleep(seconds)
        run(f"ip neigh del {self.there} dev {self.link}")
        run(f"ip -n {self.name} neigh del {self.here} dev inside")

    def remove(self):
        run(f"ip link del {self.link}")
        run(f"ip netns del {self.name}")
        self.is_made = False


def run(words):
    try:
        return subprocess.run(words.split(), capture_output=True).returncode == 0
    except FileNotFoundError:
        return False
