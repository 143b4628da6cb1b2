"""Writes programs in SPL that do little but hand tuples on: `idle` and `hops`."""

NOW = """
stateful int64 now() {
  timestamp t = getTimestamp();
  return getSeconds(t) * 1000000000l + (int64) getNanoseconds(t);
}
"""

IDLE = """type T = list<int64> times;
composite Main {{
  graph
    stream<T> O0 = Custom() {{
      logic onProcess : {{
        int32 count = (int32) getSubmissionTimeValue("n", "50");
        for (int32 i in range(count)) {{
          block(0.1);
          submit({{times = [now()]}}, O0);
        }}
      }}
    }}
{body}    () as Sink = Custom({last}) {{
      logic onTuple {last} : {{
        int64 arrived = now();
        mutable rstring line = "";
        for (int64 time in times)
          line += (rstring) time + " ";
        printStringLn(line + (rstring) arrived);
      }}
    }}
}}
"""


def idle(operators):
    """Ten tuples a second through a chain of operators with state. Prints for each tuple, in
    nanoseconds, when it was made and when each operator and the sink got it."""
    body = ""
    for i in range(operators):
        body += (
            f"    stream<T> O{i + 1} = Custom(O{i}) {{\n      logic\n        state : mutable uint64"
            f" k = 0ul;\n        onTuple O{i} : {{\n          int64 here = now();\n          k++;\n"
            "          mutable list<int64> all = times;\n          appendM(all, here);\n         "
            f" submit({{times = all}}, O{i + 1});\n        }}\n    }}\n"
        )
    return NOW + IDLE.format(body=body, last=f"O{operators}")


SCALE = """type T = uint64 seq, uint64 hops;
composite Chain(output Out; input In) {{
  graph
{chain}}}
composite Main {{
  graph
{sources}    () as Sink = Custom({ends}) {{
      logic
        state : {{ mutable uint64 count = 0ul; mutable uint64 all = 0ul; }}
        onTuple {first} : {{ count++; all += hops; }}
        onPunct {first} : if (currentPunct() == Sys.FinalMarker)
          printStringLn((rstring) count + " " + (rstring) all);
    }}
}}
"""
SOURCE = """    stream<T> In{i} = Custom() {{
      logic onProcess : {{
        uint64 count = (uint64) getSubmissionTimeValue("n", "1000");
        float64 pause = (float64) getSubmissionTimeValue("pause", "0.0");
        mutable uint64 i = 0ul;
        while (i < count && !isShutdown()) {{
          if (pause > 0.0)
            block(pause);
          submit({{seq = i, hops = 0ul}}, In{i});
          i++;
        }}
      }}
    }}
"""


def scale(sources, chains, depth):
    """Sources that deal tuples to chains of operators that count hops; the sink prints
    the number of tuples and of hops."""
    names = ["In"] + [f"C{i}" for i in range(1, depth)] + ["Out"]
    chain = "".join(
        f"    stream<T> {names[i + 1]} = Functor({names[i]}) {{ output {names[i + 1]} : hops = hops"
        " + 1ul; }\n"
        for i in range(depth)
    )
    region = f"    @parallel(width = {chains})\n" if chains > 1 else ""
    body = "".join(
        SOURCE.format(i=i) + f"{region}    stream<T> End{i} = Chain(In{i}) {{}}\n"
        for i in range(sources)
    )
    return SCALE.format(
        chain=chain, sources=body, ends=", ".join(f"End{i}" for i in range(sources)), first="End0"
    )
