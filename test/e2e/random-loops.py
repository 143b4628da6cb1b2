# REQUIRES: slow
# RUN: %python %s %t 1 4
"""Random functions with loops, in operators whose rows may be done side by side
(codegen/VectoriseRows): all that is optimised prints what the unoptimised program prints. By
hand, for more of them: random-loops.py FOLDER FIRST LAST"""

import os
import random
import subprocess
import sys

TYPES = {
    "int8": "b",
    "int16": "h",
    "int32": "",
    "int64": "l",
    "uint8": "ub",
    "uint16": "uh",
    "uint32": "u",
    "uint64": "ul",
    "float32": "w",
    "float64": "",
}
ROWS = 1111


class Function:
    """A function of one number, of loops, ifs and assignments, all of them random."""

    def __init__(self, r, name):
        self.r, self.name, self.type, self.depth, self.loops = r, name, r.choice(list(TYPES)), 0, 0
        self.isFloat = self.type.startswith("float")
        self.isSame = r.random() < 0.8  # all rows go the same way
        self.variables = ["y", "z"]

    def number(self):
        value = self.r.randint(1, 100)
        return (f"{value / 64}" if self.isFloat else str(value)) + TYPES[self.type]

    def value(self, depth=0):
        r = self.r
        if depth > 2 or r.random() < 0.3:
            return r.choice(
                [
                    *self.variables,
                    "x",
                    self.number(),
                    *([f"({self.type}) k{self.loops}"] if self.depth else []),
                ]
            )
        a, b = self.value(depth + 1), self.value(depth + 1)
        if r.random() < (0.05 if self.isSame else 0.15):
            return (
                f"({a} {r.choice(['<', '>=', '=='])} {b} ? {self.value(depth + 1)} :"
                f" {self.value(depth + 1)})"
            )
        if self.isFloat:
            return f"({a} {r.choice(['+', '-', '*'])} {b})"
        return f"({a} {r.choice(['+', '-', '*', '^', '&', '|'])} {b})"

    def statements(self, indent):
        r, pad = self.r, "  " * indent
        for _ in range(r.randint(1, 3)):
            kind = r.random()
            if self.depth == 0 or (kind < 0.2 and self.depth < 2):
                self.loops += 1
                mine, self.depth = self.loops, self.depth + 1
                most = r.choice(
                    [
                        "70",
                        "3",
                        "130",
                        "9",
                        "66" if self.isSame else f"x > {self.number()} ? 5 : 80",
                    ]
                )
                yield f"{pad}for (int32 k{mine} in range({most})) {{"
                yield from self.statements(indent + 1)
                yield pad + "}"
                self.depth, self.loops = self.depth - 1, max(0, mine - 1)
            elif kind < 0.4 and not self.isSame:
                yield f"{pad}if ({self.value(1)} {r.choice(['<', '>'])} {self.value(1)})"
                yield f"{pad}  {r.choice(self.variables)} = {self.value(1)};"
            else:
                yield f"{pad}{r.choice(self.variables)} = {self.value()};"

    def text(self):
        body = "\n".join(self.statements(1))
        return (
            f"{self.type} {self.name}({self.type} x) {{\n  mutable {self.type} y = x;\n  mutable"
            f" {self.type} z = {self.number()};\n{body}\n  return y;\n}}\n"
        )


def program(seed):
    r = random.Random(seed)
    functions = [Function(r, f"f{i}") for i in range(6)]
    attributes = ", ".join(f"{f.type} a{i}" for i, f in enumerate(functions))
    first = ", ".join(
        f"a{i} = ({f.type}) ((int32) IterationCount() % 100)" for i, f in enumerate(functions)
    )
    lines = [
        "use sluice.lang::*;",
        f"type T = {attributes}, int64 n;",
        *(f.text() for f in functions),
        "composite Main {",
        "  graph",
        (
            f"    stream<T> S0 = Beacon() {{ param iterations : {ROWS}u; output S0 : n = (int64)"
            f" IterationCount(), {first}; }}"
        ),
    ]
    for i in range(len(functions)):
        keep = f"param filter : n % {r.randint(3, 9)}l != 1l; " if r.random() < 0.2 else ""
        lines.append(
            f"    stream<T> S{i + 1} = Functor(S{i}) {{ {keep}output S{i + 1} : a{i} ="
            f" f{i}(a{i}); }}"
        )
    last = f"S{len(functions)}"
    sums = "\n".join(
        f"          {f.type} b{i} = f{i}(a{i});\n          sum += b{i} == b{i} ? hashCode(b{i}) :"
        " 0ul;"
        for i, f in enumerate(functions[:2])
    )
    lines.append(f"""    () as Sum = Custom({last}) {{
      logic
        state : {{ mutable uint64 sum = 0ul; mutable int64 rows = 0l; }}
        onTuple {last} : {{
          rows++;
{sums}
        }}
        onPunct {last} : if (currentPunct() == Sys.FinalMarker) printStringLn((rstring) rows + " " + (rstring) sum);
    }}
    () as All = Custom({last}) {{ logic onTuple {last} : println({last}); }}
}}""")
    return "\n".join(lines)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stderr}")
    return sorted(done.stdout.replace("-nan", "nan").splitlines())  # no mode has to keep that sign


def check(folder, seed):
    file, built = os.path.join(folder, f"loops{seed}.spl"), os.path.join(folder, f"loops{seed}")
    with open(file, "w") as out:
        out.write(program(seed))
    expected = run("sluice", "run", "-O", "0", file, "--deterministic")
    assert len(expected) > ROWS // 4, seed
    for boundaries in ("none", "all"):
        run("sluice", "build", file, f"--boundaries={boundaries}", "-o", built)
        for options in ([], ["--batch-rows=70"], ["--batch-rows=5"]):
            got = run(built, "--elastic=off", *options)
            if got != expected:
                different = [pair for pair in zip(expected, got) if pair[0] != pair[1]]
                sys.exit(
                    f"{file} {boundaries} {options}: {len(different)} lines differ, {len(got)} of"
                    f" {len(expected)}: {different[:2]}"
                )


def main():
    folder, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    for seed in range(first, last + 1):
        check(folder, seed)


main()
