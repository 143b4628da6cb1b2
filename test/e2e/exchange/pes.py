# REQUIRES: slow
# RUN: %python %s
"""Exports and Imports of programs of several PEs."""

import re

from Inputs.exchange import Running, jobs, until
from Inputs.jobs import build
from Inputs.support import expect, finish

# One PE makes numbers, another one exports them.
source = build("Split", """composite Split {
  graph
    stream<int64 n, rstring text> Numbers = Beacon() {
      param period : 0.001;
      output Numbers : n = (int64) IterationCount(), text = "number " + (rstring) IterationCount();
      config placement : partitionExlocation("each");
    }
    stream<int64 n, rstring text> Same = Functor(Numbers) {
      config placement : partitionExlocation("each");
    }
    () as Ex = Export(Same) { param properties : {kind = "pes"}; }
}
""", pes="auto")  # fmt: skip
sink = build("Meet", """composite Meet {
  graph
    stream<int64 n, rstring text> In = Import() { param subscription : kind == "pes"; }
    stream<int64 n, rstring text> Middle = Functor(In) {
      config placement : partitionIsolation;
    }
    () as Show = Custom(Middle) {
      logic onTuple Middle : { assert(text == "number " + (rstring) n); printStringLn((rstring) n); }
    }
}
""", pes="auto")  # fmt: skip
a, b = Running(source), Running(sink)
until("tuples", lambda: len(b.out) > 100)
expect("one PE of each", sorted(re.findall(r"^(\w+): process \d+, PE \d$", jobs(), re.M)),
       ["Meet", "Split"])  # fmt: skip
out, errors, code = b.end()
rows = [int(line) for line in out.split()]
expect("in order", rows, list(range(rows[0], rows[0] + len(rows))))
expect("the importer", (errors, code), ("", 0))
expect("the exporter", a.end()[1:], ("", 0))
finish()
