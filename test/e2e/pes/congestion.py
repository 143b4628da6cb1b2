# REQUIRES: slow
# RUN: %python %s
"""How full the connections of an output port are: full behind a consumer that is slow, and what
they lead to."""

import re

from Inputs.support import expect, finish, sluice, write

source = write(
    "Main.spl",
    """composite Main {
  graph
    stream<int32 n> Rows = Custom() {
      logic onProcess : {
        mutable int32 most = 0;
        mutable Sys.PEConnections all = [];
        for (int32 i in range(20000000)) {
          submit({n = i}, Rows);
          most = max(most, getOutputPortCongestionFactor(0u));
          if (most >= (int32) getSubmissionTimeValue("enough"))
            break;
        }
        println(most >= (int32) getSubmissionTimeValue("enough"));
        println(getPEOutputPortConnections(1u, all));
        println(getPEOutputPortConnections(0u, all));
        for (tuple<int64 pe, int64 port, uint8 congestionFactor, uint64 nTuplesFilteredOut> one in all)
          println([one.pe, one.port, (int64) one.nTuplesFilteredOut, one.congestionFactor <= 100ub ? 1l : 0l]);
        println(getOutputPortCongestionFactor(1u));
        shutdownPE();
      }
      config placement : partitionColocation("rows");
    }
    stream<int32 n> Others = Beacon() {
      param  iterations : 1u;
      config placement : partitionColocation("rows");
    }
    () as First = Custom(Others) { config placement : partitionColocation("slow"); }
    () as Slow = Custom(Rows) {
      logic onTuple Rows : if (n % 100 == 0) block(0.01);
      config placement : partitionColocation("slow");
    }
}
""",
)
WANTED = "true\n-1\n0\n[1,{port},0,1]\n-1\n"
out = sluice("run", source, "enough=90", "--pes=2", "--transport-option", "ring=20")
match = re.search(r"\[1,(\d),0,1\]", out.stdout)
expect("it fills", (out.returncode, out.stdout), (0, WANTED.format(port=match and match[1])))
expect("one of two ports", match and match[1] in "01", True)
finish()
