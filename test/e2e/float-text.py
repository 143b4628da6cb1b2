# RUN: %python %s
"""--float-text and the parameter floatText: floats that read back as they were, in casts, prints
and files, and in every process of a job."""

import os
import struct
import subprocess

from Inputs.support import DATA, FOLDER, MODES, TIMEOUT, expect, expect_in, finish, sluice, write

# 16 digits and 17, the next to others, far ones; of float32 as well.
DOUBLES = [
    0.1 + 0.2,
    0.1,
    1 / 3,
    1e22,
    5e-324,
    1.6976931348623157e308,
    2.2250738585072014e-308,
    9007199254740993.0,
    123456789012345680.0,
    0.00012345678901234567,
    -4.35,
    100.0,
]


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


SINGLES = [float32(x) for x in (0.1, 1 / 3, 16777216.0, 1e-45, 3.4028235e38, -4.35, 1234567.0)]

write("doubles.csv", "".join(f"{d!r}\n" for d in DOUBLES))
write("singles.csv", "".join(f"{f!r}\n" for f in SINGLES))
program = write(
    "Main.spl",
    """
composite Main {
  graph
    stream<float64 d> Doubles = FileSource() { param file : "../doubles.csv"; format : csv; }
    stream<float32 f> Singles = FileSource() { param file : "../singles.csv"; format : csv; }
    stream<float64 d, rstring text> Texts = Functor(Doubles) {
      output Texts : text = (rstring) d;
      config placement : partitionColocation("a");
    }
    () as Print = Custom(Texts) {
      logic onTuple Texts :
        printStringLn(text + " " + (rstring) d + " " + (rstring) ((float64) text == d)
                      + " " + (rstring) [d]);
      config placement : partitionColocation("b");
    }
    () as Plain = FileSink(Singles) { param file : "plain.csv"; }
    () as Short = FileSink(Singles) { param file : "short.csv"; floatText : shortest; }
    () as Spl = FileSink(Singles) { param file : "spl.csv"; floatText : spl; }
}
""",
)


def lines(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return file.read().splitlines()


def check(what, out, shortest):
    expect(f"{what}: ends", (out.returncode, out.stderr), (0, ""))
    rows = [line.split(" ") for line in out.stdout.splitlines()]
    expect(f"{what}: rows", len(rows), len(DOUBLES))
    for value, row in zip(DOUBLES, rows):
        text = row[0]
        expect(f"{what}: {value!r} in all places", row[1::2], [text, f"[{text}]"])
    short = [row[0] for row in rows]
    if shortest:
        expect(f"{what}: read back", [float(text) for text in short], DOUBLES)
        expect(f"{what}: as a cast", [row[2] for row in rows], ["true"] * len(rows))
        for text, value in zip(short, DOUBLES):
            digits = len(text.lstrip("-").split("e")[0].replace(".", "").strip("0"))
            wanted = len(repr(value).lstrip("-").split("e")[0].replace(".", "").strip("0"))
            expect(f"{what}: digits of {text}", digits, wanted)
    else:
        expect(f"{what}: 15 digits", short, [f"{value:.15g}" for value in DOUBLES])
    expect(f"{what}: spl", lines("spl.csv"), [f"{value:.6g}" for value in SINGLES])
    expect(f"{what}: short", [float32(float(text)) for text in lines("short.csv")], SINGLES)
    expect(f"{what}: plain", lines("plain.csv"), lines("short.csv" if shortest else "spl.csv"))


DATA_HERE = ["--data-dir", DATA]
for name, options in MODES.items():
    check(name, sluice("run", program, *DATA_HERE, *options), shortest=False)
    check(
        f"{name}, shortest",
        sluice("run", program, *DATA_HERE, *options, "--float-text=shortest"),
        shortest=True,
    )
for build in ([], ["-O0"], ["--pes=2"]):
    out = sluice("build", program, "-o", "app", *build)
    expect(f"build {build}", (out.returncode, out.stderr), (0, ""))
    for option in (["--float-text=shortest"], ["--float-text=spl"], []):
        out = subprocess.run(
            [os.path.join(FOLDER, "app"), *DATA_HERE, *option],
            capture_output=True,
            text=True,
            cwd=FOLDER,
            timeout=TIMEOUT,
            check=False,
        )
        check(f"built {build} {option}", out, shortest="--float-text=shortest" in option)

out = sluice("run", program, "--float-text=long")
expect("a wrong value", out.returncode, 2)
expect_in("a wrong value", "--float-text needs spl or shortest", out.stderr)
out = sluice("run", program, "--help")
expect_in("help", "--float-text=spl|shortest", out.stdout)
with open(program, encoding="utf-8") as file:
    wrong = write("Wrong.spl", file.read().replace("floatText : shortest", "floatText : long"))
out = sluice("check", wrong)
expect("a wrong literal", out.returncode, 1)
finish()
