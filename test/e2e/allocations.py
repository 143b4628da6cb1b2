# REQUIRES: slow
# RUN: %python %s %build/lib/countmalloc.so
# UNSUPPORTED: sanitized
"""No allocation per tuple: ten times as many tuples make no more calls of malloc. Without
a controller, which allocates for each of its windows, however many tuples pass.
A few calls are allowed for what depends on time, not on tuples (a batch handed on
by the timer); one a thousand tuples would be 270 too many."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, expect, finish, sluice, write  # noqa: E402

COUNTER = sys.argv[1]
FEW, MANY, SLACK = 30000, 300000, 20
PROGRAMS = {
    "filter and functor": (
        """
    stream<rstring symbol, float64 price, int64 n> Trades = Beacon() {
      param iterations : $count;
      output Trades : symbol = ["IBM", "a symbol that does not fit in a view"][IterationCount() % 2ul],
        price = (float64) (IterationCount() % 10ul), n = (int64) IterationCount();
    }
    (stream<Trades> Large; stream<Trades> Small) = Filter(Trades) { param filter : price > 4.0; }
    stream<rstring symbol, float64 value> Values = Functor(Large) {
      output Values : symbol = symbol + " " + (rstring) n, value = price * 2.0;
    }
    () as Print = Custom(Values) { logic onTuple Values : println(Values); }
    () as Out = FileSink(Small) { param file : "small.csv"; }
"""
    ),
    "word count": (
        """
    stream<rstring line> Lines = Beacon() {
      param iterations : $count;
      output Lines : line = "The quick brown fox " + (rstring) (IterationCount() % 100ul) + " jumps over the lazy but considerate dog";
    }
    stream<rstring word> Words = Custom(Lines) {
      logic onTuple Lines :
        for (rstring w in tokenize(lower(line), " ", false))
          submit({word = w}, Words);
    }
    () as Count = Custom(Words) {
      logic
        state : mutable map<rstring, int32> counts = {};
        onTuple Words : {
          if (word in counts)
            counts[word]++;
          else
            counts[word] = 1;
        }
        onPunct Words : if (currentPunct() == Sys.FinalMarker) printStringLn((rstring) size(counts));
    }
"""
    ),
    "lists that functions build": (
        """
    stream<int32 n, list<int32> l> Numbers = Beacon() {
      param iterations : $count;
      output Numbers : n = (int32) (IterationCount() % 50ul), l = squares((int32) (IterationCount() % 50ul));
    }
    stream<Numbers> Large = Custom(Numbers) {
      logic onTuple Numbers : {
        for (int32 i in range(2))
          Numbers.l = atLeast(squares(n + i), n);
        submit(Numbers, Large);
      }
    }
    () as Count = Custom(Large) {
      logic
        state : mutable int32 sum = 0;
        onTuple Large : sum += size(l);
        onPunct Large : if (currentPunct() == Sys.FinalMarker) println(sum);
    }
"""
    ),
    "state of strings and lists": (
        """
    stream<int64 n> Numbers = Beacon() {
      param iterations : $count;
      output Numbers : n = (int64) IterationCount();
    }
    stream<rstring text, list<int64> last> Texts = Custom(Numbers) {
      logic
        state : {
          mutable list<int64> ring = [0l, 0l, 0l, 0l];
          mutable rstring longest = "";
          mutable map<int64, list<rstring>> groups = {};
        }
        onTuple Numbers : {
          ring[n % 4l] = n;
          rstring text = "number " + (rstring) n + " of very many numbers";
          if (length(text) >= length(longest))
            longest = text;
          groups[n % 16l] = [text, longest];
          if (size(groups) > 0)
            submit({text = longest, last = ring}, Texts);
        }
    }
    () as Print = Custom(Texts) {
      logic
        state : mutable int64 sum = 0l;
        onTuple Texts : sum += last[0] + (int64) length(text);
        onPunct Texts : if (currentPunct() == Sys.FinalMarker) println(sum);
    }
"""
    ),
    "history": (
        """
    stream<int64 n, rstring text> Texts = Beacon() {
      param iterations : $count;
      output Texts : n = (int64) IterationCount(), text = "number " + (rstring) IterationCount() + " of very many numbers";
    }
    stream<Texts, tuple<int64 step>> Steps = Functor(Texts) {
      param filter : Texts[1].text != text;
      output Steps : text = Texts[5].text, step = n - Texts[2].n;
    }
    () as Print = Custom(Steps) {
      logic
        state : mutable int64 sum = 0l;
        onTuple Steps : sum += step + (int64) length(text) + Steps[1].n;
        onPunct Steps : if (currentPunct() == Sys.FinalMarker) println(sum);
    }
"""
    ),
    "keys that do not come back": (
        """
    stream<int64 n, float64 nan> Numbers = Beacon() {
      param iterations : $count;
      output Numbers : n = (int64) IterationCount(), nan = (float64) IterationCount() / 0.0 * 0.0;
    }
    (stream<int64 n> Late; stream<int64 n> Over) = Custom(Numbers) {
      logic
        state : mutable boolean begins = true;
        onTuple Numbers : {
          if (begins)
            submit(Sys.FinalMarker, Over);
          begins = false;
          submit({n = n}, Late);
        }
    }
    stream<int32 c> ByTime = Aggregate(Numbers) {
      window Numbers : sliding, time(0.0), count(1), partitioned;
      param partitionBy : n;
      output ByTime : c = Count();
    }
    stream<int32 c> NoPartition = Aggregate(Numbers) {
      window Numbers : tumbling, count(2), partitioned;
      param partitionBy : nan;
      output NoPartition : c = Count();
    }
    stream<int32 c> Groups = Aggregate(Numbers) {
      window Numbers : sliding, count(4), count(1);
      param groupBy : nan;
      output Groups : c = Count();
    }
    stream<int64 n> Never = Barrier(Late; Over) {
      param partitionBy0 : Late.n; partitionBy1 : Over.n;
      output Never : n = Late.n;
    }
    () as Print = Custom(ByTime, NoPartition, Groups as In; Never) {
      logic
        state : mutable int32 sum = 0;
        onTuple In : sum += c;
        onTuple Never : sum++;
        onPunct In : if (currentPunct() == Sys.FinalMarker) println(sum);
    }
"""
    ),
}
MAIN = """list<int32> squares(int32 n) {
  mutable list<int32> r = [];
  for (int32 i in range(n))
    appendM(r, i * i);
  return r;
}
list<int32> atLeast(list<int32> from, int32 n) {
  mutable list<int32> r = [];
  for (int32 x in from)
    if (x >= n)
      appendM(r, x);
  return r;
}
composite Main {
  param expression<uint32> $count : (uint32) getSubmissionTimeValue("count");
  graph%s}
"""


def allocations(program, count):
    file = os.path.join(FOLDER, "count")
    out = subprocess.run(
        [program, "--elastic=off", "--trace-level=off", "--data-dir", DATA, f"count={count}"],
        capture_output=True,
        text=True,
        env=dict(os.environ, LD_PRELOAD=COUNTER, SLUICE_COUNT_FILE=file),
    )
    expect(f"{program} {count}", (out.returncode, out.stderr), (0, ""))
    with open(file) as text:
        return int(text.read())


for name, graph in PROGRAMS.items():
    source = write("Main.spl", MAIN % graph)
    program = os.path.join(FOLDER, name.replace(" ", "-"))
    out = sluice("build", source, "-o", program)
    expect(f"building {name}", (out.returncode, out.stderr), (0, ""))
    few, many = allocations(program, FEW), allocations(program, MANY)
    print(f"{name}: {few} allocations for {FEW} tuples, {many} for {MANY}")
    expect(f"{name}: some were counted", few > 0, True)
    expect(f"{name}: {few} and then {many}", many <= few + SLACK, True)
finish()
