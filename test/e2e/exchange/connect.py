# REQUIRES: slow
# RUN: %python %s
"""Two programs, in both orders; one of them ends, dies or starts again; inside one program."""

import os
import signal

from Inputs.exchange import RUNTIME, Running, Source, exporter, importer, jobs, links, until
from Inputs.jobs import build
from Inputs.support import expect, expect_in, finish

byId = exporter("ById", 'streamId : "rows";')
byProperties = exporter("ByProperties", 'properties : {kind = "rows", level = 3l};')
wantsId = importer("WantsId", 'streamId : "rows"; applicationName : "ById";')
wantsKind = importer("WantsKind", 'subscription : kind == "rows" && level > 2;')

for source, sink in (byId, wantsId), (byProperties, wantsKind):
    # The exporter first; then the importer first.
    a = Source(source, "sends=1")
    until("a job", lambda: "exports Rows" in jobs())
    b = Running(sink)
    links(1)
    a.send('1,"a"', '2,"b c"')
    got = ['{n=1,k="a"}', '{n=2,k="b c"}', "WindowMarker"]
    b.shows(*got)
    # Its stream ends, and the program: nothing ends in the other one.
    expect("the exporter ends", a.end(None), ("", "", 0))
    again = Source(source)
    links(1)
    again.send('3,"c"')
    b.shows(*got, '{n=3,k="c"}', "WindowMarker")
    # The importer ends: the exporter goes on, and drops what it is given.
    out, errors, code = b.end()
    expect("the importer ends", (out.splitlines()[-1], errors, code), ("FinalMarker", "", 0))
    links(0)
    again.send('4,"d"')
    b = Running(sink)
    links(1)
    again.send('5,"e"')
    b.shows('{n=5,k="e"}', "WindowMarker")
    # It dies.
    expect("the importer dies", b.end(signal.SIGKILL)[2], -9)
    links(0)
    b = Running(sink)
    links(1)
    again.send('6,"f"')
    b.shows('{n=6,k="f"}', "WindowMarker")
    # The exporter dies.
    expect("the exporter dies", again.end(signal.SIGKILL)[2], -9)
    a = Source(source)
    links(1)
    a.send('7,"g"')
    b.shows('{n=6,k="f"}', "WindowMarker", '{n=7,k="g"}', "WindowMarker")
    expect("ctrl-C", b.end(signal.SIGINT)[2], 0)
    expect("the exporter is told to end", a.end()[2], 0)

# Several of each: everything that fits is taken, by everybody who wants it.
sources = [Source(byProperties), Source(byProperties)]
sinks = [Running(wantsKind), Running(wantsKind)]
links(4)
for n, each in enumerate(sources):
    each.send(f'{n},"x"')
for each in sinks:
    until("two tuples", lambda: len(each.out) == 4)
    got = sorted(line for line in each.out if "Marker" not in line)
    expect("from both", got, ['{n=0,k="x"}\n', '{n=1,k="x"}\n'])
# Another scope is not taken, by id or by properties: each takes what is in its own.
SCOPE = 'config applicationScope : "tests";'
scoped = Source(exporter("Scoped", 'properties : {kind = "rows", level = 3l};', more=SCOPE))
inside = Running(importer("Inside", 'subscription : kind == "rows";', more=SCOPE))
links(5)
named = 'subscription : kind == "rows"; applicationScope : "te" + "sts";'
named = Running(importer("Named", named))
text = links(6)
expect_in("the scope", '  exports Rows with kind = "rows", level = 3 in scope "tests"\n', text)
expect_in("its Import", '  imports In by kind == "rows" in scope "tests"\n', text)
scoped.send('9,"s"')
for each in inside, named:
    each.shows('{n=9,k="s"}', "WindowMarker")
for each in scoped, inside, named:
    each.end()
links(4)
# Another id or application is not taken.
other = Source(byId)
links(4)
otherName = importer("OtherName", 'streamId : "rows"; applicationName : "Other";')
strangers = [Running(importer("OtherId", 'streamId : "other";')), Running(otherName)]
until("they are there", lambda: jobs().count("  imports ") == 4)
anyName = Running(importer("AnyName", 'streamId : "rows";'))
text = links(5)
expect_in("who takes it", "    to In of AnyName (process " + str(anyName.pid) + "): 0 tuples", text)
expect_in("what is exported", "ByProperties: process " + str(sources[0].pid) + "\n"
          '  exports Rows with kind = "rows", level = 3\n    tuple<int32 n, rstring k>\n'
          "    to In of WantsKind", text)  # fmt: skip
expect_in("by id", '  exports Rows as streamId "rows"\n', text)
expect_in("what is imported", '  imports In by kind == "rows" && level > 2\n', text)
for each in [*sources, *sinks, other, *strangers, anyName]:
    expect("the end", each.end()[2], 0)

# Inside one program.
inside = build("Inside", """composite Inside {
  graph
    stream<int32 n> Rows = Custom() {
      logic onProcess : {
        mutable int32 n = 0;
        while (!isShutdown()) { submit({n = n++}, Rows); block(0.001); }
      }
    }
    () as Ex = Export(Rows) { param properties : {topics = ["a", "b"]}; }
    stream<int32 n> Back = Import() { param subscription : "b" in topics; }
    () as Show = Custom(Back) { logic onTuple Back : printStringLn((rstring) n); }
}
""", pes=1)  # fmt: skip
for options in [], ["--deterministic"], ["--queues=all"]:
    p = Running(inside, *options)
    until("tuples", lambda: len(p.out) > 20)
    out, errors, code = p.end()
    rows = [int(line) for line in out.split()]
    expect("one after the other", rows, list(range(rows[0], rows[0] + len(rows))))
    expect("it ends", (errors, code), ("", 0))
p = Running(inside, "--exchange=off")
expect("nothing is connected", p.end()[0], "")

# Nothing is left, and what is left of a process that died is removed.
expect("the registry is empty", os.listdir(os.path.join(RUNTIME, "sluice")), [])
p = Running(inside)
until("tuples", lambda: p.out)
p.end(signal.SIGKILL)
left = sorted(os.listdir(os.path.join(RUNTIME, "sluice")))
expect("a socket is left", left, [f"{p.pid}.{p.pid}.job", f"{p.pid}.sock"])
expect("no jobs", jobs(), "no program runs\nno running program exports or imports streams\n")
expect("it was removed", os.listdir(os.path.join(RUNTIME, "sluice")), [])
finish()
