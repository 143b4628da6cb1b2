# RUN: %python %s
"""A program whose standard output fails ends, also where a loop of its own would go on printing."""

import subprocess

from Inputs.support import FOLDER, TIMEOUT, expect, expect_in, finish, write

LOOPS = {
    "print": "println(i);",
    "printString": 'printString("text\\n");',
    "printStringLn": 'printStringLn("text");',
    "caught": "println(i);",
}
PROGRAM = """composite Prints {{
  graph
    stream<int32 i> Once = Beacon() {{ param iterations : 1u; output Once : i = 1; }}
    {annotation} () as {name} = Custom({inputs}) {{
      logic {handler} : {{
        mutable int32 i = 0;
        while (true) {{
          i++;
          {statement}
        }}
      }}
    }}
}}
"""


def run(what, source, **files):
    out = subprocess.run(
        ["sluice", "run", "-w", source],
        stderr=subprocess.PIPE,
        text=True,
        cwd=FOLDER,
        timeout=TIMEOUT,
        **files,
    )
    if "pipe" in what:  # who has closed it wants no more
        expect(f"{what}: quiet, as SIGPIPE ends others", (out.returncode, out.stderr), (141, ""))
        return
    expect(f"{what}: exit code", out.returncode, 1)
    expect_in(what, "error: cannot write standard output: ", out.stderr)
    expect(f"{what}: said once", out.stderr.count("error:"), 1)


for name, statement in LOOPS.items():
    for handler, inputs in (("onProcess", ""), ("onTuple Once", "Once")):
        annotation = "@catch(exception = all)" if name == "caught" else ""
        if annotation and handler == "onProcess":
            continue
        text = PROGRAM.format(
            annotation=annotation, name="P", inputs=inputs, handler=handler, statement=statement
        )
        source = write("Prints.spl", text)
        with open("/dev/full", "wb") as full:
            run(f"{name}, {handler}, a full disk", source, stdout=full)
        reader = subprocess.Popen(
            ["head", "-n", "2"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        run(f"{name}, {handler}, a closed pipe", source, stdout=reader.stdin)
        reader.stdin.close()
        reader.wait()
finish()
