# REQUIRES: slow
# RUN: %python %s
"""sluice build --cpu: code for each level computes the same, the program table has a variant for
each, and wrong names are refused. What other processors do is in test/cases/build-*."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

POWER = "--target=powerpc64le-linux-gnu"
# Loops over rows, inside of rows and over lists; floats, wide and narrow integers, strings.
source = write(
    "Main.spl",
    """float64 f(float64 x, int32 n) {
  mutable float64 y = x;
  for (int32 k in range(n)) y = y * 1.000001 - x / ((float64) k + 0.3);
  return y;
}
int64 g(list<int32> l) {
  mutable int64 s = 0l;
  for (int32 v in l) s += (int64) (v * v) ^ (int64) v;
  return s;
}
composite Main {
  graph
    stream<int32 n, float64 x, float32 y, uint8 u> In = Beacon() {
      param iterations : 3000u;
      output In : n = (int32) IterationCount(), x = (float64) IterationCount() / 7.0,
        y = (float32) IterationCount() * 0.1w, u = (uint8) IterationCount();
    }
    stream<int32 n, float64 x, float32 y, int64 s, rstring t> Out = Functor(In) {
      param filter : n % 7 != 3;
      output Out : x = f(x, 40) + sqrt(x), y = y * y + (float32) u, s = g(range(n % 50)),
        t = (rstring) (u * (uint8) 3);
    }
    () as Sink = Custom(Out) {
      logic
        state : { mutable float64 sx = 0.0; mutable float32 sy = 0.0w; mutable int64 ss = 0l; }
        onTuple Out : {
          sx += x * 1.1;
          sy += y;
          ss = ss * 31l + s + (int64) length(t);
          if (n % 100 == 0) printStringLn((rstring) Out);
        }
        onPunct Out :
          if (currentPunct() == Sys.FinalMarker)
            printStringLn((rstring) sx + " " + (rstring) sy + " " + (rstring) ss);
    }
}
""",
)
program = os.path.join(FOLDER, "program")
wanted = sluice("run", source)
expect("run", (wanted.returncode, wanted.stderr), (0, ""))
expect("lines", len(wanted.stdout.splitlines()) > 20, True)
ABOVE = ["--cpu=x86-64-v3", "--cpu=x86-64-v4"]  # perhaps not what this processor is
LEVELS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]


def variants():
    """The processors that the program has code for."""
    text = open(program, "rb").read()
    return sorted({m.decode() for m in re.findall(rb"sl_program\.([\w-]+)\0", text)})


def run():
    return subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT)


for options, names in (
    ([], LEVELS),
    (["--cpu=levels"], LEVELS),
    (["--cpu=levels", "-O0"], LEVELS),
    (["--cpu=baseline"], ["x86-64"]),
    (["--cpu=native"], None),
    *[([f"--cpu={name}"], [name]) for name in LEVELS],
):
    out = sluice("build", source, "-o", program, *options)
    expect(f"build {options}", (out.returncode, out.stderr), (0, ""))
    expect(f"variants {options}", names is None or variants() == names, True)
    out = run()
    if options and options[0] in ABOVE and out.returncode == 1:
        expect_in(f"{options}", "this one lacks: ", out.stderr)
        continue
    expect(f"{options}", (out.returncode, out.stdout, out.stderr), (0, wanted.stdout, ""))

# --- ir shows the code of one processor ---
for cpu, register, more in (("x86-64-v2", "xmm", "ymm"), ("x86-64-v3", "ymm", "zmm")):
    out = sluice("ir", source, "--emit=asm", f"--cpu={cpu}")
    expect_in(f"{cpu} has {register}", "%" + register, out.stdout)
    expect(f"{cpu} has no {more}", "%" + more in out.stdout, False)
power = [sluice("ir", source, "--emit=asm", POWER, *o).stdout for o in ([], ["--cpu=pwr9"])]
expect("pwr9 is not the baseline", power[0] == power[1], False)
expect("the baseline", power[0], sluice("ir", source, "--emit=asm", POWER, "--cpu=pwr8").stdout)


# --- code needs nothing that a program does not ask the processor for when it starts ---
def features(*options):
    out = sluice("ir", source, "--emit=llvm", *options)
    expect(f"{options}", (out.returncode, out.stderr), (0, ""))
    return set(re.search(r'"target-features"="([^"]*)"', out.stdout).group(1).split(","))


for cpu, without, kept in (
    ("sierraforest", {"avxifma", "avxvnniint8", "avxneconvert", "cmpccxadd"}, "avx2"),
    ("arrowlake-s", {"avxvnniint16", "sha512", "sm3"}, "avxvnni"),
    ("diamondrapids", {"egpr", "ndd", "ccmp", "avx10.1", "avx10.2", "amx-tile"}, "avx512fp16"),
    ("znver4", {"shstk"}, "avx512bf16"),
):
    switches = features(f"--cpu={cpu}")
    expect(f"{cpu}: off", {"-" + name for name in without} - switches, set())
    expect(f"{cpu}: stays", "-" + kept in switches, False)
asm = sluice("ir", source, "--emit=asm", "--cpu=diamondrapids").stdout
expect("registers of APX", re.findall(r"%r(?:1[6-9]|2\d|3[01])[bwd]?\b", asm), [])
expect_in("wide vectors", "%ymm", asm)
for cpu in ("pwr8", "pwr9", "pwr10"):
    off = {name for name in features(POWER, f"--cpu={cpu}") if name.startswith("-")}
    expect(f"{cpu} stays as it is", off, set())

# --- what --cpu may be ---
for text, options in (
    ("`--cpu=x86-64-v9`: no such processor of x86_64", ["--cpu=x86-64-v9"]),
    ("`--cpu=i586`: no such processor of x86_64", ["--cpu=i586"]),
    ("`--cpu=pwr9`: no such processor of x86_64", ["--cpu=pwr9"]),
    ("`--cpu=haswell`: no such processor of powerpc64le", ["--cpu=haswell", POWER]),
    ("`--cpu=e500`: no such processor of powerpc64le", ["--cpu=e500", POWER]),
    ("`--cpu=7400`: no such processor of powerpc64le", ["--cpu=7400", POWER]),
    ("`--cpu=440`: no such processor of powerpc64le", ["--cpu=440", POWER]),
    ("`--cpu=native` means the processor of this machine", ["--cpu=native", POWER]),
):
    out = sluice("build", source, "-o", program, *options)
    expect(f"{options}", out.returncode, 2)
    expect_in(f"{options}", text, out.stderr)
out = sluice("ir", source, "--emit=asm", "--cpu=levels")
expect("levels in ir", out.returncode, 2)
expect_in("levels in ir", "`--cpu=levels` means several processors", out.stderr)
expect("no value", sluice("build", source, "--cpu=").returncode, 2)
finish()
