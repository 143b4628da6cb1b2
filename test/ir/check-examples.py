"""Parses and verifies every example (```mlir block) of the given .td files.

An example shows an op as it stands in its surroundings; so each gets surroundings
in which it may stand, and values that it uses but does not define are defined,
with the type that the parser asks for.
"""

import re
import subprocess
import sys

TUPLE = '!spl.tuple<"a": si32>'
STREAM = f"!stream.stream<{TUPLE}>"
INC = """spl.func @inc(%x: si32) -> si32 {
  spl.return %x : si32
}
spl.func @add(%s: !spl.ref<si32>, %x: si32) {
  spl.store %x, %s : si32, !spl.ref<si32>
  spl.return
}
"""


def graph(body):
    return f"stream.graph @Surroundings submissions = [] {{\n{body}\n}}\n"


def source(body, result=STREAM):
    return graph(
        f'%source = stream.operator "Source" kind "K" () [] : () -> {result} {{\n{body}\n}}'
    )


def consumer(body):
    return graph(
        f'%in = "test.value"() : () -> {STREAM}\n%out = stream.operator "Consumer" kind "K" (%in)'
        f" [1] : ({STREAM}) -> {STREAM} {{\n{body}\n}}"
    )


def surround(op, text):
    if op in ("spl.func", "stream.graph"):
        return text
    if op in ("stream.composite", "stream.operator", "stream.merge"):
        return graph(text)
    if op == "stream.export":
        return graph(f'%c = stream.composite "C" of "C" () : () -> {STREAM} {{\n{text}\n}}')
    items = "on_tuple on_punct on_watermark on_end param state window event_time aggregate".split()
    if op.removeprefix("stream.") in items:
        return consumer(text)
    if op == "stream.hold":
        return consumer(f"stream.on_tuple 0 {{\n^bb0(%t: {TUPLE}):\n{text}\nstream.end\n}}")
    if op in ("stream.on_process", "stream.fold"):
        return source(text)
    if op == "stream.output":
        return source(text, '!stream.stream<!spl.tuple<"n": ui64>>')
    if op == "stream.yield":
        return source(f'stream.param "p" {{\n{text}\n}}')
    if op == "spl.return":
        return f"spl.func @surroundings() -> si32 {{\n{text}\n}}\n"
    if op == "stream.history":
        return consumer(f"stream.on_tuple 0 {{\n^bb0(%t: {TUPLE}):\n{text}\nstream.end\n}}")
    end = "" if op == "stream.end" else "stream.end"
    return source(f"stream.on_process {{\n{text}\n{end}\n}}")


def undefined(text):
    defined = set(re.findall(r"(%\w+)(?::\d+)?(?:, %\w+)* =|", text)) | set(
        re.findall(r"(%\w+):", text)
    )
    return sorted(set(re.findall(r"%\w+", text)) - defined)


def check(op, text):
    """Returns what the parser complains about, or None."""
    types = {name: "!spl.arena_checkpoint" for name in undefined(text)}
    while True:
        values = "".join(
            f'{name} = "test.value"() : () -> {type}\n' for name, type in types.items()
        )
        module = ("" if op == "spl.func" else INC) + surround(op, values + text)
        run = subprocess.run(
            ["sluice-opt", "--allow-unregistered-dialect"],
            input=module,
            text=True,
            capture_output=True,
        )
        if run.returncode == 0:
            return None
        wanted = re.search(
            r"use of value '(%\w+)' expects different type than prior uses: '(.*)' vs"
            r" '!spl.arena_checkpoint'",
            run.stderr,
        )
        if not wanted or types.get(wanted[1]) != "!spl.arena_checkpoint":
            return run.stderr + module
        types[wanted[1]] = wanted[2]


def main():
    count = failed = 0
    for path in sys.argv[1:]:
        with open(path) as file:
            td = file.read()
        for name, body in re.findall(r"^def (\w+Op) :(.*?)^}", td, re.S | re.M):
            examples = re.findall(r"```mlir\n(.*?)```", body, re.S)
            if not examples:
                print(f"{name} has no example")
                failed += 1
            for text in examples:
                # What the example is about: the op of the definition, not what leads up to it.
                op = re.search(r'\w+_Op<"(\w+)"', body)[1]
                dialect = "stream" if "Stream_Op" in body else "spl"
                error = check(f"{dialect}.{op}", text)
                count += 1
                if error:
                    print(f"example of {name}: {error}")
                    failed += 1
    print(f"{count} examples, {failed} wrong")
    return failed or not count


sys.exit(1 if main() else 0)
