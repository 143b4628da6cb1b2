"""The programs of cluster.py, and what they have to write."""

PROGRAM = """composite Main {
  param
    expression<uint32> $count : (uint32) getSubmissionTimeValue("count", "20000");
    expression<float64> $period : (float64) getSubmissionTimeValue("period", "0");
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : $count; period : $period;
      output Numbers : n = (int64) IterationCount();
      config placement : partitionExlocation("each");
    }
    stream<int64 n, rstring word, int64 seen> Counted = Custom(Numbers) {
      logic
        state : { mutable map<rstring, int64> counts = {}; }
        onTuple Numbers : {
          rstring word = "word" + (rstring) (n % 97l);
          if (word in counts) counts[word]++; else counts[word] = 1l;
          submit({n = n, word = word, seen = counts[word]}, Counted);
        }
      config placement : partitionExlocation("each");
    }
    () as Out = FileSink(Counted) {
      param file : "out.csv"; format : csv; quoteStrings : false;
      config placement : partitionExlocation("each");
    }
}
"""

# A region of $width channels, a PE each, with state by key and windows by key.
WIDTHS = """composite Main {
  param
    expression<int32> $width : (int32) getSubmissionTimeValue("width");
    expression<uint32> $count : (uint32) getSubmissionTimeValue("count");
  graph
    stream<int64 n, int64 k> Numbers = Beacon() {
      param iterations : $count; period : 0.002;
      output Numbers : n = (int64) IterationCount(), k = (int64) (IterationCount() * 7ul % 101ul);
    }
    @parallel(width = $width, partitionBy = [{port = Numbers, attributes = [k]}])
    stream<int64 n, int64 k, int64 seen> Counted = Custom(Numbers) {
      logic
        state : { mutable map<int64, int64> counts = {}; }
        onTuple Numbers : {
          if (k in counts) counts[k]++; else counts[k] = 1l;
          submit({n = n, k = k, seen = counts[k]}, Counted);
        }
    }
    @parallel(width = $width, partitionBy = [{port = Counted, attributes = [k]}])
    stream<int64 n, int64 seen, int64 sum> Summed = Aggregate(Counted) {
      window Counted : sliding, count(4), count(1), partitioned;
      param partitionBy : k;
      output Summed : n = Last(n), seen = Last(seen), sum = Sum(n);
    }
    () as Out = FileSink(Summed) { param file : "sums.csv"; format : csv; }
}
"""
WIDTH_ROWS = 8_000


def expected_sums(count):
    """The lines of sums.csv, by n: from the fourth of a key on its window is full."""
    by_key, lines = {}, []
    for n in range(count):
        of_key = by_key.setdefault(n * 7 % 101, [])
        of_key.append(n)
        if len(of_key) >= 4:
            lines.append((n, len(of_key), sum(of_key[-4:])))
    return lines


# `password` is secret, as the parameter of HTTPPost is. It runs until it is stopped.
SECRETS = """use com.ibm.streamsx.inet.http::*;
composite Secrets {
  param
    expression<rstring> $first : getSubmissionTimeValue("first");
    expression<rstring> $second : getSubmissionTimeValue("second");
    expression<rstring> $password : getSubmissionTimeValue("password");
  graph
    stream<rstring words> Said = Beacon() {
      param period : 1.0;
      output Said : words = $first + " " + $second + " " + (rstring) length($password);
      config placement : partitionExlocation("each");
    }
    () as Out = FileSink(Said) {
      param file : "out.csv"; format : line; flush : 1u;
      config placement : partitionExlocation("each");
    }
    stream<Said> Never = Filter(Said) { param filter : length(words) == 0; }
    () as Post = HTTPPost(Never) {
      param
        url : "http://127.0.0.1:1/"; authenticationType : "basic";
        authenticationProperty : "userid=somebody", "password=" + $password;
    }
}
"""

# Sources in the first PE and in the one behind it, which go on until they are stopped.
DRAIN = """composite Drain {
  graph
    stream<int64 n> Numbers = Beacon() {
      param period : 0.002;
      output Numbers : n = (int64) IterationCount();
      config placement : partitionExlocation("each"), partitionColocation("first");
    }
    stream<int64 n> Others = Beacon() {
      param period : 0.01;
      output Others : n = -1l;
      config placement : partitionColocation("middle");
    }
    stream<int64 n> Both = Union(Numbers; Others) {
      config placement : partitionExlocation("each"), partitionColocation("middle");
    }
    stream<rstring line> Lines = Custom(Both) {
      logic
        state : mutable int64 count = 0l;
        onTuple Both : if (n >= 0l) {
          submit({line = (rstring) n}, Lines);
          count++;
        }
        onPunct Both : if (currentPunct() == Sys.FinalMarker)
          submit({line = "end of " + (rstring) count}, Lines);
      config placement : partitionExlocation("each"), partitionColocation("last");
    }
    () as Out = FileSink(Lines) {
      param file : "out.csv"; format : line; flush : 1u;
      config placement : partitionColocation("last");
    }
}
"""

ABORT_AT = 400
ABORT = f"""composite Abort {{
  graph
    stream<int64 n> Numbers = Beacon() {{
      param iterations : {2 * ABORT_AT}; period : 0.002;
      output Numbers : n = (int64) IterationCount();
      config placement : partitionExlocation("each");
    }}
    stream<int64 n, uint32 run> Checked = Custom(Numbers) {{
      logic onTuple Numbers : {{
        if (n == {ABORT_AT}l && getRelaunchCount() == 0u) abort();
        submit({{n = n, run = getRelaunchCount()}}, Checked);
      }}
      config placement : partitionExlocation("each");
    }}
    () as Out = FileSink(Checked) {{
      param file : "out.csv"; format : csv;
      config placement : partitionExlocation("each");
    }}
}}
"""


def expected(count):
    """The lines of the program's file."""
    return [f"{n},word{n % 97},{n // 97 + 1}" for n in range(count)]
