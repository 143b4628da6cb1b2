"""Writes the graphs of W1 to W4 and of `heavy` as SPL; spl/common.spl comes before them."""

from handoffs import NOW

WORK = """
float64 work{flops}(float64 x, float64 c{more}) {{
  mutable float64 y = x;
{loop}{last}  return y;
}}
"""
LOOP = """  for (int32 i in range({pairs})) {{
    y = y * c;
    y = y + -1e-7;
  }}
"""
LAST = "  y = y * c;\n"
FACTOR = "1.0000001"


def splitmix(state):
    """The next state of the stream of pseudo-random numbers, and its number."""
    mask = (1 << 64) - 1
    state = z = (state + 0x9E3779B97F4A7C15) & mask
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    return state, z ^ z >> 31


def flops_of(operators, flops):
    """The flops of each operator of a pipeline. Skewed: a tenth has 10000, three tenths
    100, the rest 1, shuffled."""
    if flops != "skew":
        return [flops] * operators
    tenth = operators // 10
    every = [10000] * tenth + [100] * (3 * operators // 10)
    return shuffled(every + [1] * (operators - len(every)))


def shuffled(every):
    state = 7
    for j in range(len(every) - 1, 0, -1):
        state, number = splitmix(state)
        other = number % (j + 1)
        every[j], every[other] = every[other], every[j]
    return every


LATE = """  for (int32 i in range(flops / 2)) {
    y = y * c;
    y = y + -1e-7;
  }
  if (flops % 2 == 1)
    y = y * c;
"""


def work(flops, late=False):
    """The function work<flops>: so many operations, each of which needs the one before;
    or, late, as many as it is told."""
    if late:
        return WORK.format(flops=flops, more=", int32 flops", loop=LATE, last="")
    loop = LOOP.format(pairs=flops // 2) if flops > 1 else ""
    return WORK.format(flops=flops, more="", loop=loop, last=LAST if flops % 2 else "")


def functor(out, source, flops, factor=FACTOR, note=""):
    """One operator; `note` is its annotation."""
    note = f"    {note}\n" if note else ""
    return (
        f"{note}    stream<T> {out} = Functor({source}) {{ output {out} : x = work{flops}(x,"
        f" {factor}); }}\n"
    )


def of_number(number):
    """The factor of operator `number`, an SPL expression of type int32."""
    return f"{FACTOR} + (float64) ({number}) * 1e-10"


def main(payload, body, last):
    """The main composite: source In, the operators of `body`, sink of the stream `last`."""
    small = payload == 8
    words = "" if small else f" param words : {payload // 8 - 1}; "
    kind = "Small" if small else "Large"
    return (
        f"type T = {kind};\n\ncomposite Main {{\n  graph\n    stream<T> In = {kind}Source()"
        f" {{{words}}}\n{body}    () as K = {kind}Sink({last}) {{}}\n}}\n"
    )


def composite(name, body):
    return f"composite {name}(output Out; input In) {{\n  graph\n{body}}}\n"


def chain(flops, source="In", last=None, prefix="O", factor=FACTOR):
    """Operators in a row; `flops` are those of each."""
    names = [source] + [f"{prefix}{i}" for i in range(1, len(flops) + 1)]
    names[-1] = last or names[-1]
    return (
        "".join(functor(names[i + 1], names[i], f, factor) for i, f in enumerate(flops)),
        names[-1],
    )


def pipeline(flops, payload, late=False):
    """W1."""
    factor = f'{FACTOR}, (int32) getSubmissionTimeValue("F")' if late else FACTOR
    body, last = chain(flops, factor=factor)
    return "".join(work(f, late) for f in sorted(set(flops))) + main(payload, body, last)


def large(operators, carried):
    """Tuples of 16 KiB that all operators of a chain hand on to a sink that reads them; or that the
    first one reads, and hands on the two numbers."""
    body, last = chain([1] * operators, source="In" if carried else "Read")
    if not carried:
        body = (
            "    stream<T> Read = Functor(In) { output Read : seq = In.seq, x = sum(In.rest) == 1ul"
            " ? 0.0 : In.x; }\n"
            + body
        )
    kind = "Large" if carried else "Small"
    return (
        work(1)
        + f"type T = {kind};\n\ncomposite Main {{\n  graph\n    stream<Large> In = LargeSource() {{"
        f" param words : 2047; }}\n{body}    () as K = {kind}Sink({last}) {{}}\n}}\n"
    )


def split(source, ways, outs, index):
    streams = "; ".join(f"stream<T> {o}" for o in outs)
    return f"    ({streams}) = Split({source}) {{ param index : {index}; }}\n" if ways > 1 else ""


def data_parallel(width, flops, forks):
    """W2."""
    if not forks:
        return work(flops) + main(
            128,
            functor("Out", "In", flops, of_number("getChannel()"), f"@parallel(width = {width})"),
            "Out",
        )
    body = split("In", width, [f"B{b}" for b in range(width)], "seq")
    body += "".join(functor(f"O{b}", f"B{b}", flops, of_number(b)) for b in range(width))
    return work(flops) + main(128, body, ", ".join(f"O{b}" for b in range(width)))


def folded(width, flops):
    """W2 without branches: a tuple's number says which factor it meets."""
    factor = of_number(f"seq % {width}ul")
    return work(flops) + main(128, functor("Out", "In", flops, factor), "Out")


def mixed(width, depth, flops, forks):
    """W3."""
    if not forks:
        inside, _ = chain([flops] * depth, last="Out", factor=of_number("getChannel()"))
        body = f"    @parallel(width = {width})\n    stream<T> Out = Chain(In) {{}}\n"
        return work(flops) + composite("Chain", inside) + main(128, body, "Out")
    body = split("In", width, [f"B{b}" for b in range(width)], "seq")
    ends = []
    for b in range(width):
        part, last = chain([flops] * depth, source=f"B{b}", prefix=f"O{b}_", factor=of_number(b))
        body, ends = body + part, [*ends, last]
    return work(flops) + main(128, body, ", ".join(ends))


# W4: widths of the levels and the number of the first operator of each.
WIDTHS = [1, 3, 9, 27, 27, 9, 3, 1]
BASES = [0, 1, 4, 13, 40, 67, 76, 79]
# Which operator a channel is: within three regions around each other each deals in turn,
# beginning at the channel that its stream comes from.
PLACES = """
int32 place3(int32 channel) { return channel; }
int32 place9(int32 channel) { return channel / 3 + (channel % 3 + 3 - channel / 3) % 3 * 3; }
int32 place27(int32 channel) { return place9(channel / 3) + (channel % 3 + 3 - channel / 3 % 3) % 3 * 9; }
"""


def bushy(flops, forks):
    """W4."""
    return work(flops) + (bushy_forks(flops) if forks else bushy_regions(flops))


def bushy_regions(flops):
    def level(out, source, number):
        width = WIDTHS[number]
        place = f" + place{width}(getChannel())" if width > 1 else ""
        return functor(out, source, flops, of_number(f"{BASES[number]}{place}"))

    def region(out, source, inner):
        return f"    @parallel(width = 3)\n    stream<T> {out} = {inner}({source}) {{}}\n"

    inmost = composite("Twigs", level("L3", "In", 3) + level("Out", "L3", 4))
    middle = composite(
        "Boughs", level("L2", "In", 2) + region("L4", "L2", "Twigs") + level("Out", "L4", 5)
    )
    outer = composite(
        "Stems", level("L1", "In", 1) + region("L5", "L1", "Boughs") + level("Out", "L5", 6)
    )
    return (
        PLACES
        + inmost
        + middle
        + outer
        + main(
            128, level("L0", "In", 0) + region("L6", "L0", "Stems") + level("Out", "L6", 7), "Out"
        )
    )


def bushy_forks(flops):
    body, sources = "", ["In"]  # the streams that lead to each operator of the level
    for level, width in enumerate(WIDTHS):
        outs = [f"L{level}_{k}" for k in range(width)]
        for k in range(width):
            body += functor(outs[k], sources[k], flops, of_number(BASES[level] + k))
        wider = WIDTHS[level + 1] if level + 1 < len(WIDTHS) else 1
        if wider > width:
            sources = [f"S{level}_{k}" for k in range(wider)]
            for k in range(width):
                body += split(outs[k], 3, sources[k::width], f"seq / {width}ul")
        else:
            sources = [", ".join(outs[k::wider]) for k in range(wider)]
    return main(128, body, sources[0])


def heavy(operators, place):
    """A pipeline of operators with state, of which number `place` has 50 times the work."""
    body = ""
    for i in range(operators):
        source, out = f"O{i}" if i else "In", f"O{i + 1}"
        body += (
            f"    stream<T> {out} = Custom({source}) {{\n      logic\n        state : mutable"
            f" float64 last = 1.0;\n        onTuple {source} : {{\n          last = 0.5 * (last +"
            f" work{5000 if i == place else 100}(x, {FACTOR}));\n          submit({{seq = seq, x ="
            f" last}}, {out});\n        }}\n    }}\n"
        )
    return work(100) + work(5000) + main(8, body, f"O{operators}")


CHANGE = """
composite Main {{
  graph
    stream<T> In = Beacon() {{
      param iterations : (uint64) getSubmissionTimeValue("n", "1000");
      output In : seq = IterationCount(), x = 1.0 + (float64) (IterationCount() & 1023ul) / 1024.0,
        made = IterationCount() == {change} ? now() : 0l{rest};
    }}
{body}    () as Sink = Custom({last}) {{
      logic
        state : {{ mutable uint64 count = 0ul; mutable uint64 check = 0ul; }}
        onTuple {last} : {{
          count++;
          check += seq + floatBits(x){sum};
          if (made != 0l) {{
            printStringLn("changed " + (rstring) made);
            flushStdio();
          }}
        }}
        onPunct {last} : if (currentPunct() == Sys.FinalMarker)
          printStringLn((rstring) count + " " + (rstring) check);
    }}
}}
"""


def change(operators, flops, payload):
    """A chain in which a tenth of the operators has so many flops, the others one; from tuple
    `change` on all have them but another tenth. Prints when the source made that tuple."""
    at = '(uint64) getSubmissionTimeValue("change", "0")'
    body, names = "", ["In"] + [f"O{i}" for i in range(1, operators + 1)]
    for i, (before, after) in enumerate(changing(operators, flops)):
        late = f"{before}" if before == after else f"seq < {at} ? {before} : {after}"
        body += functor(names[i + 1], names[i], "", f"{FACTOR}, {late}")
    words = payload // 8 - 1
    rest = ", list<uint64> rest" if words else ""
    return (
        work("", late=True)
        + NOW
        + f"type T = uint64 seq, float64 x, int64 made{rest};\n"
        + CHANGE.format(
            change=at,
            rest=f", rest = makeRest(IterationCount(), {words})" if words else "",
            sum=" + sum(rest)" if words else "",
            body=body,
            last=names[-1],
        )
    )


def changing(operators, flops):
    """(flops before, flops after) of each operator of `change`."""
    tenth = operators // 10
    return shuffled(
        [(flops, flops)] * tenth + [(1, flops)] * (operators - 2 * tenth) + [(1, 1)] * tenth
    )


NUMBERED = """
composite Numbers(output Out) {
  graph
    stream<T> Out = Beacon() {
      param iterations : (uint64) getSubmissionTimeValue("n", "1000");
      output Out : seq = IterationCount();
    }
}
"""
TEXTED = NUMBERED.replace(
    "seq = IterationCount()",
    'seq = IterationCount(),\n        text = (rstring) IterationCount() + "-abcdefghijklmnop"',
)
MARKED = """
composite Numbers(output Out) {
  graph
    stream<T> Out = Custom() {
      logic onProcess : {
        uint64 count = (uint64) getSubmissionTimeValue("n", "1000");
        mutable uint64 i = 0ul;
        while (i < count) {
          submit({seq = i}, Out);
          i++;
          if (i % 100ul == 0ul)
            submit(Sys.WindowMarker, Out);
        }
      }
    }
}
"""
SUMMED = """
composite Sum(input In) {{
  graph
    () as Sink = Custom(In) {{
      logic
        state : {{ mutable uint64 count = 0ul; mutable uint64 check = 0ul; }}
        onTuple In : {{ count++; check = check * 31ul + {value}; }}
        onPunct In :
          if (currentPunct() == Sys.FinalMarker)
            printStringLn((rstring) count + " " + (rstring) check);
          else
            check = check * 31ul + 7ul;
    }}
}}
"""
# What stands for a tuple in the sum, which depends on the order; the source; a branch from {source}
# to {out}.
BRANCHES = {
    "filter": (
        "seq",
        NUMBERED,
        "Functor({source}) {{ param filter : seq / 10ul % 3ul != {third}ul;"
        " output {out} : seq = seq * {odd}ul; }}",
    ),
    "several": (
        "seq",
        NUMBERED,
        "Custom({source}) {{ logic onTuple {source} : for (int32 k in range({third} + 1))"
        " submit({{seq = seq * {odd}ul + (uint64) k}}, {out}); }}",
    ),
    "strings": (
        "seq + (uint64) length(text)",
        TEXTED,
        "Functor({source}) {{ output {out} : seq = seq * {odd}ul,"
        " text = text + '{letters}'; }}",
    ),
    "marks": ("seq", MARKED, "Functor({source}) {{ output {out} : seq = seq * {odd}ul; }}"),
}


def branches(kind, width=10):
    """A fork whose branches do more than change a number: filter, make several tuples of one, carry
    strings; or whose source sends markers."""
    value, source, branch = BRANCHES[kind]
    streams = [f"B{b}" for b in range(width)]
    body = "    stream<T> In = Numbers() {}\n" + split("In", width, streams, "seq")
    for b, stream in enumerate(streams):
        words = {"source": stream, "out": f"O{b}", "odd": 2 * b + 1, "third": b % 3}
        made = branch.format(**words, letters="abcdefghij"[:b])
        body += f"    stream<T> O{b} = {made}\n"
    body += f"    () as K = Sum({', '.join(f'O{b}' for b in range(width))}) {{}}\n"
    attributes = "uint64 seq, rstring text" if kind == "strings" else "uint64 seq"
    return (
        f"type T = {attributes};\n{source}{SUMMED.format(value=value)}"
        f"\ncomposite Main {{\n  graph\n{body}}}\n"
    )
