# REQUIRES: slow
# RUN: %python %s
"""What an Import takes and an Export offers changes while both run."""

import os

from Inputs.exchange import RUNTIME, Running, Source, exporter, links, jobs, until
from Inputs.jobs import build
from Inputs.support import expect, expect_in, finish

# Commands come by a pipe: what to set, and to which text.
chooser = build("Chooser", """composite Chooser {
  graph
    stream<rstring name> Names = Beacon() { output Names : name = getSubmissionTimeValue("commands"); }
    stream<rstring what, rstring text> Commands = FileSource(Names) {}
    stream<int32 n, rstring k> In = Import() { param subscription : kind == "a"; }
    () as Show = Custom(In; Commands) {
      logic
        state : mutable int32 error = 0;
        onTuple In : printStringLn((rstring) In);
        onTuple Commands : {
          int32 rc = what == "subscription" ? setInputPortImportSubscription(text, 0u)
                   : what == "filter" ? setInputPortImportFilterExpression(text, 0u)
                   : setInputPortImportSubscription(text, 1u);
          rstring subscription = getInputPortImportSubscription(0u, error);
          rstring filter = getInputPortImportFilterExpression(0u, error);
          printStringLn((rstring) rc + " " + subscription + " | " + filter + " " + (rstring) error);
        }
    }
}
""", pes=1)  # fmt: skip
changing = build("Changing", """composite Changing {
  graph
    stream<rstring name> Names = Beacon() { output Names : name = getSubmissionTimeValue("file"); }
    stream<int32 n, rstring k> Rows = FileSource(Names) {}
    stream<int32 n, rstring k> Out = Custom(Rows) {
      logic
        state : { mutable int32 rc = 0; mutable list<tuple<rstring name, rstring value, rstring typ>> all = []; }
        onTuple Rows : {
          if (k == "tuple") {
            rc = setOutputPortExportProperties({kind = "b", level = n, shares = [0.5]}, 0u);
          } else if (k == "list") {
            rc = setOutputPortExportProperties([
              {name = "kind", value = "\\"c\\"", typ = "rstring"}, {name = "ns", value = "[1, 2]", typ = "list<int64>"}], 0u);
          } else if (k == "wrong") {
            rc = setOutputPortExportProperties([{name = "kind", value = "1x", typ = "int64"}], 0u);
          } else if (k == "port") {
            rc = setOutputPortExportProperties({kind = "b"}, 1u);
          } else {
            submit(Rows, Out);
            return;
          }
          int32 known = getOutputPortExportProperties(all, 0u);
          printStringLn((rstring) rc + " " + (rstring) known + " " + (rstring) all);
        }
    }
    () as Ex = Export(Out) { param properties : {kind = "a"}; allowFilter : true; }
}
""", pes=1)  # fmt: skip


TYPE = "    tuple<int32 n, rstring k>\n"


class Chooser(Running):
    def __init__(self):
        self.pipe = os.path.join(RUNTIME, "commands")
        os.mkfifo(self.pipe)
        super().__init__(chooser, f"commands={self.pipe}")
        self.seen = []

    def order(self, what, text, *answer):
        with open(self.pipe, "w") as file:
            file.write(f'"{what}","{text}"\n')
        self.adds(*answer)

    def adds(self, *lines):
        self.seen += lines
        self.shows(*self.seen)


def connected(*texts):
    """Waits until these Exports have one connection each, a new one, and no other has any."""
    until(
        f"new connections of {texts}",
        lambda: (t := jobs()).count("    to ") == len(texts)
        and t.count(": 0 tuples sent") == len(texts)
        and all(f"{text}, filters allowed\n{TYPE}    to " in t for text in texts),
    )


a = Source(exporter("A", 'properties : {kind = "a"}; allowFilter : true;'))
b = Source(exporter("B", 'properties : {kind = "b"}; allowFilter : true;'))
sink = Chooser()
connected('kind = "a"')
a.send('1,"a"')
b.send('2,"b"')
sink.adds('{n=1,k="a"}')

# Another subscription: the one connection ends, and another begins.
sink.order("subscription", 'kind == \\"b\\"', '0 kind == "b" |  0')
connected('kind = "b"')
expect_in("sluice jobs", 'imports In by kind == "b"\n', jobs())
a.send('3,"a"')
b.send('4,"b"')
sink.adds('{n=4,k="b"}')

# Both, with a filter; then another filter, and none.
sink.order("subscription", 'kind in [\\"a\\", \\"b\\"]', '0 kind in ["a", "b"] |  0')
links(2)
sink.order("filter", "n % 2 == 0", '0 kind in ["a", "b"] | n % 2 == 0 0')
connected('kind = "a"', 'kind = "b"')
a.send('5,"a"', '6,"a"')
sink.adds('{n=6,k="a"}')
b.send('7,"b"', '8,"b"')
sink.adds('{n=8,k="b"}')
sink.order("filter", "", '0 kind in ["a", "b"] |  0')
connected('kind = "a"', 'kind = "b"')
a.send('9,"a"')
sink.adds('{n=9,k="a"}')

# A subscription removes the filter. What is wrong changes nothing.
sink.order("filter", "n > 0", '0 kind in ["a", "b"] | n > 0 0')
sink.order("subscription", 'kind == \\"b\\"', '0 kind == "b" |  0')
sink.order("subscription", "kind ==", '2 kind == "b" |  0')
sink.order("filter", "m == 1", '2 kind == "b" |  0')
sink.order("port", 'kind == \\"a\\"', '1 kind == "b" |  0')
connected('kind = "b"')

# Set where the state of an operator begins, as those do who take what is published under a name.
at_start = Running(build("AtStart", """composite AtStart {
  graph
    stream<int32 n, rstring k> In = Import() { param subscription : kind == "none"; }
    stream<int32 n, rstring k> Own = Filter(In) {
      logic state : int32 rc = setInputPortImportSubscription("kind == \\"b\\"", 0u);
            onTuple In : assert(rc == 0);
    }
    () as Show = Custom(Own) { logic onTuple Own : println(n); }
}
""", pes=1))  # fmt: skip
links(2)
b.send('13,"b"')
at_start.shows("13")
sink.adds('{n=13,k="b"}')
expect("it ends", at_start.end()[1:], ("", 0))
links(1)

# Other properties: an Import finds the stream, and leaves it again.
c = Source(changing)
until("it offers", lambda: "exports Out" in jobs())
c.send('7,"tuple"')
c.shows('0 0 [{name="kind",value="\\"b\\"",typ="rstring"},{name="level",value="7",typ="int64"},'
        '{name="shares",value="[0.5]",typ="list<float64>"}]')  # fmt: skip
links(2)
c.send('10,"c"')
sink.adds('{n=10,k="c"}')
c.send('0,"wrong"', '0,"port"')
until("its answers", lambda: len(c.out) == 3)
expect("wrong properties", [line[0] for line in c.out[1:]], ["2", "1"])
c.send('0,"list"')
until("its answer", lambda: len(c.out) == 4)
expect_in("a list", '0 0 [{name="kind",value="\\"c\\"",typ="rstring"},{name="ns",value="[1, 2]"',
          c.out[3])  # fmt: skip
links(1)
c.send('11,"c"')
b.send('12,"b"')
sink.adds('{n=12,k="b"}')
expect("the end", (sink.end()[1:], c.end()[1:], a.end()[1:], b.end()[1:]), (("", 0),) * 4)
finish()
