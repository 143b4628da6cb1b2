# RUN: %python %s
"""Tuples of a running program: who may see them, how many, how they look, what is never shown."""

import json
import time

from Inputs.madetrace import small
from Inputs.support import expect, expect_in, finish, sluice, write
from Inputs.watching import Program, get, until

# Two streams that are batches, one that is fused, and PINs.
SOURCE = r"""composite Tapped {
  graph
    stream<int64 n, rstring s, tuple<rstring pin> of> Numbers = Beacon() {
      output Numbers : n = (int64) IterationCount(), s = "<img src=x>\n\"" + (rstring) IterationCount(),
        of = {pin = "s3cret"};
    }
    @parallel(width = 2, partitionBy = [{port = Numbers, attributes = [n]}])
    stream<int64 n> Work = Custom(Numbers) { logic onTuple Numbers : submit({n = n % 7l}, Work); }
    stream<int64 n> Fused = Filter(Work) { param filter : n >= 0l; }
    () as Sink = Custom(Fused) { logic onTuple Fused : if (n < 0l) println(n); }
}
"""
RATE = 10  # tuples a second


class Console:
    def __init__(self, program):
        self.url, _, token = program.where("console").partition("#k=")
        self.good = {"Authorization": "Bearer " + token}

    def lines(self):
        return [json.loads(line) for line in get(self.url + "lines", **self.good)[2].splitlines()]

    def hello(self):
        return self.lines()[0]

    def do(self, what):
        return get(self.url + "do", what.encode(), **self.good)

    def taps(self, port):
        return [l for l in self.lines() if l["line"] == "tap" and l["port"] == port]

    def tuples(self, port):
        return [t for line in self.taps(port) for t in line["tuples"]]

    def ports(self):
        """Ids of input ports by the operator that they belong to, and what they are."""
        header = until("header", lambda: [l for l in self.lines() if l["line"] == "header"])[0]
        names = [op["name"] for op in header["flow"]["operators"]]
        return {names[s["to"]]: (s["port"], s["boundary"]) for s in header["flow"]["streams"]}


source = write("Tapped.spl", SOURCE)
command = ("sluice", "run", source, "--boundaries=all", "--console", "--stop-timeout=1s")
with Program(*command, "--console-allow=tap", "--console-hides=pin") as program:
    console = Console(program)
    expect("what it allows", console.hello()["allows"], ["tap"])
    ports = console.ports()
    port = ports["Work[0]"][0]
    until("it runs", lambda: [l for l in console.lines() if l["line"] == "figures"])
    expect("nobody taps", console.taps(port), [])
    for wrong, status in (("tap", 400), ("tap x", 400), (f"tap {port} ", 400), ("tap -1", 400),
                          ("tap 99999999999", 400), ("pause", 403)):  # fmt: skip
        expect(wrong, console.do(wrong)[0], status)
    expect("without the token", get(console.url + "do", f"tap {port}".encode())[0], 401)
    begun = time.monotonic()
    expect("tap", console.do(f"tap {port}")[0], 200)
    expect("it says so", console.hello()["taps"], [port])
    first = until("tuples", lambda: console.tuples(port))[0]
    expect_in("strings are escaped", r'\n\"', first)
    expect_in("names and values", '{n=', first)
    expect_in("what is hidden", ",of=(hidden)}", first)
    until("more of them", lambda: len(console.tuples(port)) > 2 * RATE)
    seconds = time.monotonic() - begun + 1
    count = len(console.tuples(port))
    bounded = count <= RATE * (seconds + 1)
    expect(f"{count} in {seconds:.1f} s are no more than may be", bounded, True)
    expect("never", "s3cret" in json.dumps(console.lines()), False)

    # --- every stream of batches: parts of a region, chains that forward in place, the last one ---
    console.do(f"untap {port}")
    for name, (each, _) in ports.items():
        expect(f"tap {name}", console.do(f"tap {each}")[0], 200)
        seen = until(f"tuples of {name}", lambda: console.tuples(each))
        expect(f"{name} as it is", seen[-1].startswith("{n=") and seen[-1].endswith("}"), True)
        console.do(f"untap {each}")
    console.do(f"tap {port}")

    # --- the end of a tap, and what has none ---
    expect("untap", console.do(f"untap {port}")[0], 200)
    time.sleep(1)
    before = len(console.tuples(port))
    time.sleep(1.2)
    expect("no more come", len(console.tuples(port)), before)
    console.do("tap 4000000000")
    refused = until("why not", lambda: console.taps(4000000000))[0]
    expect_in("no such port", "there is no such stream", refused["refused"])
    console.do("untap 4000000000")
    for n in range(4):
        expect("a tap", console.do(f"tap {n}")[0], 200)
    expect("a fifth one", console.do("tap 7")[0], 409)
    program.end()

# --- it is not allowed; and what is compiled into its producer ---
with Program("sluice", "run", source, "--console", "--stop-timeout=1s") as program:
    status, _, text = Console(program).do("tap 0")
    expect("not allowed", status, 403)
    expect_in("and why", "--console-allow=tap lets it do so", text)
    program.end()
with Program("sluice", "run", source, "--console", "--console-allow=pause,tap",
             "--stop-timeout=1s") as program:  # fmt: skip
    console = Console(program)
    fused = next(port for port, boundary in console.ports().values() if boundary == "fused")
    console.do(f"tap {fused}")
    refused = until("why not", lambda: console.taps(fused))[0]
    expect_in("it is fused", "--boundaries=all makes it", refused["refused"])
    program.end()

# --- a name that nothing has hides nothing ---
out = sluice(*command[1:], "--console-allow=tap", "--console-hides=s,pn")
expect("exit code", out.returncode, 2)
wrong = "--console-hides: no stream into an operator has an attribute 'pn'"
expect_in("which", wrong, out.stderr)

# --- many tuples push out nothing else: the newest 8 MiB are kept ---
MIB = 1 << 20
tap = [{"line": "tap", "time": n, "port": 0, "tuples": [str(n) + "x" * MIB]} for n in range(40)]
made = small() + "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in tap)
with Program("sluice", "console", write("much.jsonl", made)) as program:
    console = Console(program)
    expect("the newest ones", [line["time"] for line in console.taps(0)], [*range(33, 40)])
    kinds = [line["line"] for line in console.lines()]
    expect("figures", kinds.count("figures"), small().count('"line":"figures"'))
    expect("what was dropped is counted", console.hello()["lost"], 33)
    program.end()
finish()
