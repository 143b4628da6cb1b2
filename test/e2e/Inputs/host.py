"""A host of PEs: what a cluster does for them (runtime/remote/host), in one process."""

import json
import struct
import subprocess
import threading
from collections import deque

from Inputs.support import FOLDER, TIMEOUT

VERSION = 1
CUT = "cut"  # in a queue: behind it is what a checkpoint does not cover
END = "end"
GONE = "gone"


def frame(kind, content=b""):
    return struct.pack("<IB", len(content), ord(kind)) + content


def hello(pe, program, saves, version=VERSION, job=1, relaunches=0):
    return frame("H", struct.pack("<IIQQII", version, pe, job, program, saves, relaunches))


def describe(app, *options):
    """job.json of a program."""
    out = subprocess.run([app, "--print-job", *options], capture_output=True, text=True, cwd=FOLDER)
    if out.returncode:
        raise SystemExit(f"--print-job: {out.stderr}")
    return json.loads(out.stdout)


def start(app, *options, **more):
    return subprocess.Popen(
        [app, "--hosted", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=FOLDER,
        **more,
    )


class Stream:
    """What one PE sends to a link of another one."""

    def __init__(self):
        self.items = deque()  # frames, CUT, END
        self.credits = 0
        self.ended = False
        self.has_end = False  # among the items, or taken


class Host:
    """Carries the links of a job. `states`: of an earlier one, by PE, to go on from."""

    MOST = 64  # frames that wait before the PE that sends is not read any more

    def __init__(self, app, *options, saves=False, states=None, number=0, relaunches=0):
        self.job = describe(app, *options)
        self.lock = threading.Condition()
        self.printed = ""
        self.metrics = {}  # by PE: its counters, when it has said them last
        self.frames = 0  # that were carried
        self.states, self.refused, self.cutting = {}, {}, 0
        self.held = set()  # PEs that have not answered a cut: nothing is sent to them
        self.dead = False
        count = len(self.job["pes"])
        self.over = [False] * count
        self.into = [{} for _ in range(count)]  # by PE: streams, by (receiver, sender)
        self.outof = [{} for _ in range(count)]
        for link in self.job["links"]:
            for sender in link["from"]:
                key = link["receiver"], sender
                self.into[link["to"]][key] = self.outof[sender][key] = Stream()
        self.pes = [start(app, *options) for _ in range(count)]
        for pe, process in enumerate(self.pes):
            self.say(pe, hello(pe, int(self.job["hash"], 16), saves, relaunches=relaunches))
            if states:
                half = len(states[pe]) // 2
                self.say(pe, frame("R", states[pe][:half]) + frame("R", states[pe][half:]))
            self.say(pe, frame("B", struct.pack("<Q", number)))
        self.readers = [
            threading.Thread(target=self.read, args=(pe,), daemon=True) for pe in range(count)
        ]
        for reader in self.readers:
            reader.start()

    def say(self, pe, content):
        try:
            self.pes[pe].stdin.write(content)
            self.pes[pe].stdin.flush()
        except (OSError, ValueError):
            pass  # it has died, or its pipe was closed: its reader sees that

    def read(self, pe):
        pipe = self.pes[pe].stdout
        while len(head := pipe.read(5)) == 5:
            size, kind = struct.unpack("<IB", head)
            content = pipe.read(size)
            if len(content) < size:
                break  # it was killed
            with self.lock:
                getattr(self, "on_" + chr(kind))(pe, content)
                self.pump()
                self.lock.notify_all()
        with self.lock:
            self.dead = self.pes[pe].wait() != 0 or self.dead
            self.on_O(pe, b"")
            self.pump()
            self.lock.notify_all()

    def on_H(self, pe, content):
        version, number, program = struct.unpack("<IIQ", content)
        assert (version, number) == (VERSION, pe), content
        assert program == int(self.job["hash"], 16), content

    def on_D(self, pe, content):
        stream = self.outof[pe][struct.unpack("<II", content[:8])]
        while len(stream.items) > self.MOST and not self.dead:
            self.lock.wait()
        stream.items.append(content)

    def on_E(self, pe, content):
        stream = self.outof[pe][struct.unpack("<II", content)]
        stream.items.append(END)
        stream.has_end = True

    def on_G(self, pe, content):
        receiver, sender, count = struct.unpack("<III", content)
        self.into[pe][receiver, sender].credits += count

    def on_c(self, pe, content):
        (number,) = struct.unpack("<Q", content[:8])
        assert number == self.cutting
        self.held.remove(pe)
        if content[8:]:
            self.refused[pe] = content[8:].decode()
        for stream in self.outof[pe].values():
            stream.items.append(CUT)

    def on_T(self, pe, content):
        self.states[pe] = content[8:]

    def on_O(self, pe, content):
        self.over[pe] = True
        for stream in self.outof[pe].values():
            if not stream.has_end:
                stream.has_end = True
                stream.items.append(GONE)

    def on_L(self, pe, content):
        self.printed += content.decode()

    def on_M(self, pe, content):
        self.metrics[pe] = content.decode()

    def pump(self):
        """Sends what may be sent. A PE gets its cut when all that it receives has come to that."""
        for pe, streams in enumerate(self.into):
            if pe in self.held:
                continue
            for (receiver, sender), stream in streams.items():
                link = struct.pack("<II", receiver, sender)
                while stream.items and stream.items[0] is not CUT:
                    if stream.items[0] in (END, GONE):
                        stream.ended = True
                        self.say(pe, frame("E" if stream.items[0] is END else "N", link))
                    elif not stream.credits:
                        break
                    else:
                        stream.credits -= 1
                        self.frames += 1
                        self.say(pe, frame("D", stream.items[0]))
                    stream.items.popleft()
            if streams and self.cutting and pe not in self.asked:
                if all(s.ended or (s.items and s.items[0] is CUT) for s in streams.values()):
                    for stream in streams.values():
                        if stream.items:
                            stream.items.popleft()
                    self.ask(pe)

    def ask(self, pe):
        self.asked.add(pe)
        self.held.add(pe)
        self.say(pe, frame("C", struct.pack("<Q", self.cutting)))

    def stop(self):
        """Sources are to end."""
        for pe in range(len(self.pes)):
            self.say(pe, frame("S"))

    def cut(self, number):
        """Makes a checkpoint: the states by PE. None: it was given up, or a PE has died."""
        with self.lock:
            self.cutting, self.asked, self.states, self.refused = number, set(), {}, {}
            for pe, streams in enumerate(self.into):
                if not streams:
                    self.ask(pe)
            self.pump()
            done = lambda: self.dead or len(self.states) + len(self.refused) == len(self.pes)
            if not self.lock.wait_for(done, TIMEOUT):
                raise SystemExit(f"cut {number} was not done: {self.states.keys()}")
            if self.dead or self.refused:
                return None
            for pe in range(len(self.pes)):
                self.say(pe, frame("K", struct.pack("<Q", number)))
            return dict(self.states)

    def await_frames(self, count):
        with self.lock:
            if not self.lock.wait_for(lambda: self.frames >= count or self.dead, TIMEOUT):
                raise SystemExit(f"only {self.frames} frames were carried")

    def finish(self):
        """When all are over: what was printed, messages and exit codes by PE."""
        with self.lock:
            if not self.lock.wait_for(lambda: all(self.over) or self.dead, TIMEOUT):
                raise SystemExit(f"not all are over: {self.over}")
            for pe in range(len(self.pes)):
                self.say(pe, frame("X"))
        return self.end()

    def kill(self):
        for process in self.pes:
            process.kill()
        return self.end()

    def end(self):
        for reader in self.readers:
            reader.join(TIMEOUT)
        return (
            self.printed,
            [process.stderr.read().decode() for process in self.pes],
            [process.wait(TIMEOUT) for process in self.pes],
        )
