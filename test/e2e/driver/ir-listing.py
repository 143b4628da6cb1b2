# RUN: %python %s
"""`sluice ir`: --only, --source and --diff."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

PHASES = ["graph", "flat", "placed", "lowered", "llvm"]
main = write(
    "Main.spl",
    """composite Twice(input In; output Out) {
  graph
    stream<In> Kept = Filter(In) { param filter : n > 1; }
    stream<In> Out = Functor(Kept) { output Out : n = n * 2; }
}
composite Main {
  graph
    stream<int32 n> Numbers = Beacon() { param iterations : 5u; output Numbers : n = 7; }
    stream<int32 n> A = Twice(Numbers) {}
    stream<int32 n> B = Twice(A) {}
    () as Print = Custom(B) {
      logic
        onTuple B : {
          println(n + 40);
        }
    }
}
""",
)


def ir(*words):
    out = sluice("ir", main, *words)
    expect(f"{words}", (out.returncode, out.stderr), (0, ""))
    return out.stdout


def tops(text):
    """What stands at the left margin: names of operators, composites or functions."""
    return re.findall(r'^\S*(?: = )?(?:stream|func|llvm)\.\w+[^"@\n]*?["@]([\w.]+)', text, re.M)


# --- only what belongs to an operator ---
for phase in PHASES[:3]:
    text = ir(f"--stop-after={phase}", "--only=A.Kept")
    expect(phase + ": by its path", tops(text), ["A.Kept"])
    expect(phase + ": its filter", "spl.compare gt" in text, True)
    text = ir(f"--stop-after={phase}", "--only=Kept")
    expect(phase + ": by its end", tops(text), ["A.Kept", "B.Kept"])
expect(
    "several in phase flat",
    tops(ir("--stop-after=flat", "--only=B.Out", "--only=A.Kept", "--only=Kept")),
    ["A.Kept", "B.Kept", "B.Out"],
)
expect("a composite in phase graph", tops(ir("--stop-after=graph", "--only=A")), ["A"])
expect("in phase flat", tops(ir("--stop-after=flat", "--only=A")), ["A.Kept", "A.Out"])
for phase in PHASES[3:]:
    text = ir(f"--stop-after={phase}", "--only=B.Out")
    names = {name.split(".")[0] for name in tops(text)}
    expect(phase + ": the functions of one operator", len(names), 1)
    expect(phase + ": its product", bool(re.search(r"spl.binary mul|llvm\.mul", text)), True)
    expect(phase + ": nothing of others", "sl_println" in text, False)
for wrong, right in (("Kepd", "Kept"), ("A.Kep", "A.Kept"), ("Nubmers", "Numbers"), ("Q", None)):
    for phase in ("graph", "placed", "lowered"):
        out = sluice("ir", main, f"--stop-after={phase}", "--only=" + wrong)
        expect(f"{wrong} in {phase}", (out.returncode, out.stdout), (2, ""))
        hint = f" (did you mean `{right}`?)" if right else ""
        expect_in(wrong, f"there is no operator `{wrong}`{hint}", out.stderr)

# --- the code of an operator, or of what it was inlined into ---
for emit, head in (("llvm", r"^define .*@(op\d+)\."), ("asm", r"^(op\d+)\.\w+:")):
    text = ir(f"--emit={emit}", "--only=Print")
    expect_in(emit + ": its call", "sl_println", text)
    everything = ir(f"--emit={emit}")
    expect(emit + ": a part", len(text) < len(everything), True)
    of_print, of_all = (set(re.findall(head, x, re.M)) for x in (text, everything))
    expect(emit + ": its functions", bool(of_print) and of_print < of_all, True)
    expect(emit + ": no table", "sl_program:" in text, False)

# --- types are named once ---
for phase in ("graph", "flat", "placed"):
    text = ir(f"--stop-after={phase}")
    names = re.findall(r"^!(\w+) = !spl\.tuple<", text, re.M)
    expect(phase + ": the type of n", len(names), len(set(names)))
    expect(phase + ": it is said once", text.count("!spl.tuple<"), len(names))
    part = ir(f"--stop-after={phase}", "--only=A.Kept")
    for name in re.findall(r"!(tuple\d*)", part):
        expect_in(f"{phase}: {name} is defined", f"!{name} = !spl.tuple<", part)

# --- lines of the program ---
text = ir("--stop-after=placed", "--source")
whole = ir("--stop-after=placed")
stripped = "".join(x for x in text.splitlines(True) if not re.match(r" *// Main.spl:", x))
expect("all but comments is the same", stripped, whole)
with open(main, encoding="utf-8") as file:
    lines = [line.strip() for line in file]
seen = [(int(n), line) for n, line in re.findall(r"// Main.spl:(\d+): (.*)", text)]
expect("lines are those of the file", [line for _, line in seen], [lines[n - 1] for n, _ in seen])
for before, after in (("println(n + 40);", "spl.const 40"), ("stream<In> Kept", '"A.Kept"')):
    comments = re.findall(r"// Main.spl:\d+: (.*)", text[: text.index(after)])
    expect(after + " is of", comments[-1][: len(before)], before)
for phase in PHASES:
    text = ir(f"--stop-after={phase}", "--source", "--only=Print")
    expect_in(phase + ": a line of the operator", "println(n + 40);", text)

# --- the difference of two phases ---
text = ir("--diff=flat,placed", "--only=A.Kept")
expect("names of the phases", text.splitlines()[:2], ["--- flat", "+++ placed"])
changed = [line for line in text.splitlines()[2:] if line[0] in "+-"]
expect(
    "one line has changed",
    [line[:26] for line in changed],
    ["-%A.Kept = stream.operator", "+%A.Kept = stream.operator"],
)
expect_in("what is new", "boundaries", changed[1])
expect("stable names", re.findall(r"%\d+", ir("--diff=graph,flat")), [])
expect("the same phase", ir("--diff=placed,placed"), "")
lowered = ir("--diff=placed,lowered")
expect_in("other things altogether", "+  func.func private @op0", lowered)
removed = "".join(x[1:] for x in lowered.splitlines(True)[2:] if x[0] in " -")
expect(
    "all that was is shown",
    sorted(set(re.findall(r'operator "([\w.]+)"', removed))),
    ["A.Kept", "A.Out", "B.Kept", "B.Out", "Numbers", "Print"],
)
ir("--diff=flat,placed", "-o", "d")
with open(os.path.join(FOLDER, "d"), encoding="utf-8") as file:
    expect("to a file", file.read(), ir("--diff=flat,placed"))

# --- a warning is said once ---
with open(main, encoding="utf-8") as file:
    text = file.read().replace("println(n + 40);", "mutable int32 unused = 1; println(n + 40);")
warned = write("Warned.spl", text)
for phases in ("flat,placed", "graph,llvm", "placed,placed"):
    out = sluice("ir", warned, "--diff=" + phases)
    expect(phases + ": warnings", (out.returncode, out.stderr.count("warning: ")), (0, 1))
    out = sluice("ir", warned, "--diff=" + phases, "-w")
    expect(phases + ": none", (out.returncode, out.stderr), (0, ""))
out = sluice("ir", warned, "--diff=flat,placed", "-Werror")
expect("as an error", (out.returncode, out.stderr.count("[-Werror]")), (1, 1))

for words, message in [
    (["--diff=flat"], "PHASE,PHASE"),
    (["--diff=flat,soup"], "`flat,soup` is no value"),
    (["--diff=flat,soup"], "of graph, flat, placed, lowered or llvm"),
    (["--diff=flat,placed", "--stop-after=flat"], "names its phases"),
    (["--diff=flat,placed", "--emit=asm"], "names its phases"),
    (["--only=A", "--emit=obj"], "give another `--emit`"),
    (["--only=Q", "--emit=asm"], "there is no operator `Q`"),
    (["--source", "--emit=ast"], "give no `--emit`"),
    (["--only="], "`--only` needs a value"),
]:
    out = sluice("ir", main, *words)
    expect(" ".join(words), out.returncode, 2)
    expect_in(" ".join(words), message, out.stderr)
finish()
