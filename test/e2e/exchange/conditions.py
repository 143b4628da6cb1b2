# REQUIRES: slow
# RUN: %python %s
"""Subscriptions with each operator, filters, types that differ."""

from Inputs.exchange import Running, Source, exporter, importer, links, until
from Inputs.support import expect, expect_in, finish

PROPERTIES = """properties : {
  kind = "numbers", level = 3l, ratio = 0.5, names = ["a", "b"], levels = [1l, 2l], shares = [0.5],
  small = 7, half = 0.5w, bytes = [1ub, 2ub], channel = getChannel()
}; allowFilter : true;"""
source = Source(exporter("Numbers", PROPERTIES))
CONDITIONS = {  # whether it is taken
    'kind == "numbers"': True,
    'kind == "number"': False,
    'kind != "x"': True,
    "level < 3": False,
    "level <= 3": True,
    "level > 3": False,
    "level >= 3": True,
    "level == 3": True,
    "level % 2 == 1": True,
    "level % 2 == 0": False,
    "(level + 1) * 2 - 4 == 8 / 2": True,
    "ratio < 0.75 && ratio > 0.25": True,
    "-ratio == -0.5": True,
    '"a" in names': True,
    '"c" in names': False,
    "level in [1, 2, 3]": True,
    'names[1] == "b"': True,
    "levels[0] == 1 && levels[1] == 2": True,
    "shares[0] == ratio": True,
    "levels[2] == 0": False,
    "small == 7 && half == ratio": True,
    "small < level": False,
    "2 in bytes": True,
    "channel == -1": True,
    '"level == 3 && kind == \\"numbers\\""': True,
    "other == 1": False,
    "other != 1": False,
    'kind == "x" || level == 3 && ratio == 0.5': True,
    '(kind == "x" || level == 3) && ratio == 0.25': False,
}
# All of them in one program. Those that are connected get the one tuple.
imports = "".join(
    f"""
    stream<int32 n, rstring k> I{i} = Import() {{ param subscription : {text}; }}
    () as S{i} = Custom(I{i}) {{ logic onTuple I{i} : printStringLn("{i}"); }}"""
    for i, text in enumerate(CONDITIONS)
)
taken = [str(i) for i, takes in enumerate(CONDITIONS.values()) if takes]
all_of_them = Running(importer("Conditions", 'streamId : "none";', more=imports))
links(len(taken))
source.send('1,"x"')
until("tuples", lambda: len(all_of_them.out) >= len(taken))
expect("those that hold", sorted(line.strip() for line in all_of_them.out), sorted(taken))
expect("all conditions", all_of_them.end()[1:], ("", 0))

# Parameters of a composite are values in a condition.
sink = importer("Outer", 'streamId : "none";', more="""
    () as C = Inner() { param kind : getSubmissionTimeValue("kind"); least : 3l; names : ["z", "a"]; }
}
composite Inner() {
  param expression<rstring> $kind; expression<int64> $least; expression<list<rstring>> $names;
  graph
    stream<int32 n, rstring k> In = Import() {
      param subscription : kind == $kind && level >= $least && names[0] in $names;
            filter : k == $kind;
    }
    () as Show = Custom(In) { logic onTuple In : printStringLn((rstring) In); }
""")
outer = Running(sink, "kind=numbers")
text = links(1)
expect_in("the condition", 'kind == "numbers" && level >= 3 && names[0] in ["z", "a"], '
          'filter k == "numbers"', text)  # fmt: skip
source.send('1,"no"', '2,"numbers"', '3,"no"')
outer.shows('{n=2,k="numbers"}')
outer.end()

# Filters: only what they let pass is sent, with the punctuation.
FILTERS = {
    "n > 2": [3, 4, 5, 6],
    'n % 2 == 1 && k != "c"': [1, 5],
    'k in ["b", "e"] || n * 2 - 1 == 7': [2, 4, 5],
    "flag": [1, 3, 5],
    "flag == false && big > 18446744073709551613ul": [6],
    "ratio < 0.35 && -n < -1": [2, 3],
}
TYPES = "int32 n, rstring k, boolean flag, uint64 big, float32 ratio, list<int32> l"
rows = [f'{n},"{"abcdef"[n - 1]}",{"true" if n % 2 else "false"},{2**64 - 8 + n},0.{n},[{n}]'
        for n in range(1, 7)]  # fmt: skip
source.end()
for text, wanted in FILTERS.items():
    program = exporter("Filtered", "properties : {a = 1l}; allowFilter : true;", TYPES)
    source = Source(program, "sends=1")
    sink = Running(importer("Filters", f"subscription : a == 1; filter : {text};", TYPES))
    links(1)
    source.send(*rows)
    until("the marker", lambda: "WindowMarker\n" in sink.out)
    out = sink.end()[0].splitlines()
    expect(text, [line.split(",")[0] for line in out],
           [f"{{n={n}" for n in wanted] + ["WindowMarker", "FinalMarker"])  # fmt: skip
    expect("the exporter", source.end(None), ("", "", 0))

# An exporter that allows no filter, and types that differ: said once, with both.
source = Source(exporter("Strict", "properties : {a = 1l};"))
refused = Running(importer("Refused", "subscription : a == 1; filter : n > 1;"))
renamed = Running(importer("Renamed", "subscription : a == 1;", "int32 m, rstring k"))
fine = Running(importer("Fine", "subscription : a == 1;"))
links(1)
until("both are said", lambda: refused.errors and renamed.errors)
source.send('1,"x"')
fine.shows('{n=1,k="x"}', "WindowMarker")
more = Source(exporter("Unrelated", "properties : {b = 1l};"))  # nobody asks again
until("it is there", lambda: "Unrelated" in links(1))
WHO = f"warning: operator In: the stream Rows of Strict (process {source.pid}) cannot be imported: "
errors = refused.end()[1]
expect_in("no filter", WHO + "it allows no filter (allowFilter : true)\n", errors)
expect("once", errors.count("\n"), 1)
errors = renamed.end()[1]
expect_in("another type", WHO + "its tuples are tuple<int32 n, rstring k>, and those of the Import "
          "are tuple<int32 m, rstring k>\n", errors)  # fmt: skip
expect("once", errors.count("\n"), 1)
for each in fine, source, more:
    expect("the end", each.end()[1:], ("", 0))
finish()
