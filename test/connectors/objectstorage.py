#!/usr/bin/env python3
"""ObjectStorageSink, ObjectStorageSource and ObjectStorageScan with a server that checks signatures
(s3_server.py), fails when it is told to, and is killed. The last line says how many checks passed."""

import os
import random
import re
import signal
import sys
import time

import programs
import servers
from programs import PATIENCE, Programs, await_true, expect, expect_in

HERE = os.path.dirname(os.path.abspath(__file__))
LINES = 20000  # that are on their way while something is killed


class Bench(Programs):
    def __init__(self, driver, folder, server):
        super().__init__(driver, folder)
        self.server = server

    def graph(self, name, graph):
        head = "use com.ibm.streamsx.objectstorage::*;\nuse com.ibm.streamsx.objectstorage.s3::*;\n"
        self.build(name, f"{head}composite {name} {{\n  graph\n{graph}}}\n")

    def place(self, secret=None, bucket="bucket"):
        return (
            f'objectStorageURI : "cos://{bucket}/"; endpoint : "127.0.0.1:{self.server.port}"; '
            f'sslEnabled : false; objectStorageUser : "{self.server.KEY}"; '
            f'objectStoragePassword : "{secret or self.server.SECRET}";'
        )

    def s3(self):
        return (
            f'bucket : "bucket"; endpoint : "http://127.0.0.1:{self.server.port}"; '
            f'accessKeyID : "{self.server.KEY}"; secretAccessKey : "{self.server.SECRET}";'
        )

    def lines(self, prefix):
        """Of all objects whose names begin so."""
        return b"".join(self.server.objects(prefix).values()).decode().splitlines()


def beacon(count, more=""):
    return f"""    stream<rstring line> In = Beacon() {{
      param iterations : {count}u; {more}
      output In : line = (rstring) IterationCount();
    }}
"""


def numbers(count):
    return [str(n) for n in range(count)]


def there(bench):
    """Names, when objects end, what the output says; other types than lines."""
    graph = beacon(1000) + f"""    stream<rstring name, uint64 size> Done = ObjectStorageSink(In) {{
      param {bench.place()} objectName : "/there/%OBJECTNUM of %PROCID+é.txt"; tuplesPerObject : 300l;
        headerRow : "number";
    }}
    () as File = FileSink(Done) {{ param file : "done"; quoteStrings : false; }}
"""
    bench.graph("There", graph)
    expect("there", bench.run("There"), (0, "", ""))
    objects = bench.server.objects("there/")
    names = [re.sub(r"of \d+", "of P", name) for name in objects]
    expect("there: names", names, [f"there/{n} of P+é.txt" for n in range(4)])
    wanted = [numbers(1000)[at : at + 300] for at in range(0, 1000, 300)]
    got = [data.decode().splitlines() for data in objects.values()]
    expect("there: lines", got, [["number", *lines] for lines in wanted])
    done = [f"{name},{len(data)}" for name, data in objects.items()]
    expect("there: the output", bench.rows("done"), done)
    graph = beacon(10) + f"""    stream<rstring line, blob data, rstring name> Named = Functor(In) {{
      output Named : data = convertToBlob(line), name = "by/" + (line < "5" ? "a" : "b");
    }}
    () as Out = S3ObjectStorageSink(Named) {{
      param {bench.s3()} objectNameAttribute : name; dataAttribute : data;
    }}
"""
    bench.graph("By", graph)
    expect("names in tuples", bench.run("By"), (0, "", ""))
    expect("names in tuples", bench.server.objects("by/"), {"by/a": b"01234", "by/b": b"56789"})
    graph = beacon(3, "period : 0.5;") + f"""    () as Out = ObjectStorageSink(In) {{
      param {bench.place()} objectName : "timed/%OBJECTNUM"; timePerObject : 0.2;
    }}
"""
    bench.graph("Timed", graph)
    expect("timePerObject", bench.run("Timed"), (0, "", ""))
    timed = {f"timed/{n}": b"%d\n" % n for n in range(3)}
    expect("timePerObject", bench.server.objects("timed/"), timed)


def long_objects(bench):
    """In parts; with what goes wrong with each of their requests."""
    graph = f"""    stream<rstring line> In = Beacon() {{
      param iterations : 20000u;
      output In : line = (rstring) (1000000ul + IterationCount()) + "{"x" * 1000}";
    }}
    () as Out = ObjectStorageSink(In) {{ param {bench.place()} objectName : "long"; }}
"""
    bench.graph("Long", graph)
    wanted = [f"{1000000 + n}" + "x" * 1000 for n in range(20000)]
    faults = ["503 drop deaf"]  # of the beginning
    faults += [f"{'- ' * n}deaf drop 503 -" for n in (1, 3, 4)]  # parts; the completion
    for fault in ["", *faults]:
        bench.server.fail(*fault.split())
        code, _, errors = bench.run("Long")
        expect(f"long, {fault}: exit code", code, 0)
        expect(f"long, {fault}: warnings", errors.count("tries again") > 0, bool(fault))
        expect(f"long, {fault}", bench.lines("long") == wanted, True)
    bench.server.fail()


def back(bench):
    """Objects are found and read: many, odd names, bytes, and answers that break off."""
    odd = ["back/a b+c", "back/%41&ü=?#", "back/.."]
    for at, key in enumerate(odd):
        bench.server.put(key, b"one %d\r\ntwo %d" % (at, at))
    for at in range(120):
        bench.server.put(f"back/many-{at:03}", b"%d\n" % at)
    bench.server.put("back/deeper/x", b"not this one\n")
    graph = f"""    stream<rstring name> Names = ObjectStorageScan() {{
      param {bench.place()} directory : "/back"; once : true; PATTERN
    }}
    stream<rstring line> Lines = ObjectStorageSource(Names) {{ param {bench.place()} }}
    () as File = FileSink(Lines) {{ param file : "back"; quoteStrings : false; }}
"""
    bench.graph("Back", graph.replace("PATTERN", ""))
    expect("back", bench.run("Back"), (0, "", ""))
    lines = sorted([f"{word} {at}" for at in range(3) for word in ("one", "two")] + numbers(120))
    expect("back: lines", bench.rows("back"), lines)
    bench.graph("Back", graph.replace("PATTERN", r'pattern : "^many-\\d*[05]$";'))
    expect("a pattern", bench.run("Back"), (0, "", ""))
    expect("a pattern", bench.rows("back"), sorted(numbers(120)[::5]))
    data = random.Random(1).randbytes(3 << 20)
    bench.server.put("bytes", data)
    graph = f"""    stream<blob data> Blocks = S3ObjectStorageSource() {{
      param {bench.s3()} objectName : "/bytes"; blockSize : 100000;
    }}
    () as File = FileSink(Blocks) {{ param file : "bytes"; format : block; }}
"""
    bench.graph("Bytes", graph)
    for faults in ("", "half half drop 503 half -"):
        bench.server.fail(*faults.split())
        expect(f"bytes, {faults}", bench.run("Bytes")[0], 0)
        with open(bench.path("bytes"), "rb") as file:
            expect(f"bytes, {faults}", file.read() == data, True)


def follows(bench):
    """A scan tells of what is new or changed, and knows from a checkpoint what it has told of."""
    graph = f"""    stream<rstring name> Names = ObjectStorageScan() {{
      param {bench.place()} directory : "follow"; sleepTime : 0.1;
    }}
    () as File = FileSink(Names) {{ param file : "names"; quoteStrings : false; flush : 1u; }}
"""
    bench.graph("Follow", graph)
    bench.server.put("follow/a", b"1")
    options = ["--checkpoint=follow-state", "--resume", "--checkpoint-every=50ms"]
    process = bench.start("Follow", *options)

    def names():
        return bench.read("names").split()

    expect("the first", await_true(lambda: names() == ["follow/a"]), True)
    bench.server.put("follow/b", b"1")
    expect("a new one", await_true(lambda: names() == ["follow/a", "follow/b"]), True)
    stop(process)
    bench.server.put("follow/a", b"22")
    process = bench.start("Follow", *options)
    wanted = ["follow/a", "follow/b", "follow/a"]
    expect("a changed one", await_true(lambda: names() == wanted), True)
    stop(process)


def told(bench):
    """Tuples of the control port name the directory, as a checkpoint knows; it looks at once."""
    for name in "first/1", "second/1", "other/1":
        bench.server.put(f"told/{name}", b"1")
    graph = f"""    stream<rstring directory> Tells = Custom() {{
      logic onProcess : {{
        block(1.0);
        submit({{directory = "/told/first"}}, Tells);
        block(1.5);
        submit({{directory = "told/second/"}}, Tells);
        block(1000.0);
      }}
    }}
    stream<rstring name> Names = S3ObjectStorageScan(Tells) {{
      param {bench.s3()} sleepTime : 60.0;
    }}
    () as File = FileSink(Names) {{ param file : "told"; quoteStrings : false; flush : 1u; }}
"""
    bench.graph("Told", graph)
    options = ["--checkpoint=told-state", "--resume", "--checkpoint-every=50ms"]
    process = bench.start("Told", *options)
    wanted = ["told/first/1", "told/second/1"]
    expect("two directories", await_true(lambda: bench.read("told").split() == wanted, 20), True)
    stop(process)
    bench.server.put("told/second/2", b"1")
    process = bench.start("Told", *options)
    wanted.append("told/second/2")
    expect("from a checkpoint", await_true(lambda: bench.read("told").split() == wanted, 20), True)
    stop(process)


def stop(process, code=0):
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    expect("exit code", process.returncode, code)


def regions(bench):
    """Consistent regions of a scan, and of a source: they say when a checkpoint is made."""
    bench.server.put("region/a", b"1\n2\n")
    scan = f"""    @consistent(trigger = operatorDriven)
    stream<rstring name> Names = ObjectStorageScan() {{
      param {bench.place()} directory : "region"; sleepTime : 0.1;
    }}
    stream<rstring line> Lines = ObjectStorageSource(Names) {{ param {bench.place()} }}
"""
    source = f"""    @consistent(trigger = operatorDriven)
    stream<rstring line> Lines = S3ObjectStorageSource() {{
      param {bench.s3()} objectName : "region/a";
    }}
    stream<int32 n> Waits = Beacon() {{ param iterations : 1; initDelay : 1000.0; }}
    () as Ignored = Custom(Waits) {{}}
"""
    for name, graph in ("Scans", scan), ("Reads", source):
        bench.graph(name, graph + f"""    () as File = FileSink(Lines) {{
      param file : "lines-{name}"; quoteStrings : false; flush : 1u;
    }}
""")
        options = [f"--checkpoint=region-{name}", "--resume", "--checkpoint-keep=100"]
        process = bench.start(name, *options)
        made = bench.path(f"region-{name}/000001/MANIFEST")
        expect(f"{name}: a checkpoint", await_true(lambda made=made: os.path.exists(made)), True)
        process.kill()
        process.communicate()
        expect(f"{name}: lines", bench.read(f"lines-{name}").split(), ["1", "2"])
    # What is new behind the checkpoint is all read.
    bench.server.put("region/b", b"3\n4\n5\n")
    process = bench.start("Scans", "--checkpoint=region-Scans", "--resume")
    wanted = list("12345")
    expect("resumed", await_true(lambda: bench.read("lines-Scans").split() == wanted), True)
    stop(process)


def mistakes(bench):
    """Messages say what is wrong, and have no secret."""
    sink = '() as Out = ObjectStorageSink(In) {{ param {0} objectName : "x"; {1} }}\n'
    read = '    stream<rstring line> In = ObjectStorageSource() {{ param {0} objectName : "x"; }}\n'
    secret = bench.server.SECRET
    cases = [
        ("secret", sink.format(bench.place(secret="geheim/45"), ""), "SignatureDoesNotMatch"),
        ("bucket", sink.format(bench.place(bucket="other"), ""), "NoSuchBucket"),
        ("uri", sink.format(bench.place(bucket="a/b"), ""), "PROTOCOL://BUCKET/"),
        ("key", sink.format('objectStorageURI : "cos://bucket/";', ""), "needs a key"),
        ("time", sink.format(bench.place(), 'timeFormat : "yyyy Q";'), "the letter Q"),
    ]
    for name, graph, wanted in cases:
        bench.graph("Wrong", beacon(1) + graph)
        code, out, errors = bench.run("Wrong", "--stats")
        expect(f"{name}: exit code", code, 1)
        expect_in(name, wanted, errors)
        expect(f"{name}: secrets", secret in out + errors or "geheim" in out + errors, False)
    bench.graph("Missing", read.format(bench.place()))
    code, _, errors = bench.run("Missing")
    expect("no object: exit code", code, 1)
    expect_in("no object", "NoSuchKey", errors)
    try:
        bench.graph("Parquet", beacon(1) + sink.format(bench.place(), 'storageFormat : "parquet";'))
        expect("parquet is refused", False, True)
    except RuntimeError as why:
        expect_in("parquet is refused", "storageFormat `parquet`", str(why))


def tokens(bench):
    """IBM's IAM gives tokens for an API key, which JSON may have."""
    url = f"http://127.0.0.1:{bench.server.port}"
    graph = f"""    () as Out = ObjectStorageSink(In) {{
      param objectStorageURI : "cos://bucket/"; endpoint : "{url}"; objectName : "iam"; KEY
        IAMTokenEndpoint : "{url}/identity/token";
    }}
"""
    secret = bench.server.SECRET
    for name, key, code in (
        ("a key", f'IAMApiKey : "{secret}";', 0),
        ("JSON", f'credentials : "{{\\"apikey\\":\\"{secret}\\"}}";', 0),
        ("a wrong key", 'IAMApiKey : "geheim-46";', 1),
    ):
        bench.graph("Iam", beacon(10) + graph.replace("KEY", key))
        got, out, errors = bench.run("Iam")
        expect(f"IAM, {name}", got, code)
        expect(f"IAM, {name}: secrets", "geheim" in out + errors, False)
    expect("IAM", bench.lines("iam"), numbers(10))


def functions(bench):
    """Objects are listed and removed; what cannot be is said in the log."""
    for at in range(60):  # two pages
        bench.server.put(f"listed/{at:02} &<", b"x")
    place = f"http://127.0.0.1:{bench.server.port}"
    graph = f"""    () as Calls = Custom() {{
      logic onProcess : {{
        printStringLn((rstring) initialize("{bench.server.KEY}", "{bench.server.SECRET}", "{place}"));
        printStringLn((rstring) createBucket("bucket"));
        mutable int32 removed = 0;
        for (rstring name in listObjects("bucket"))
          if (findFirst(name, "listed/") == 0 && deleteObject(name, "bucket")) removed++;
        printStringLn((rstring) removed);
      }}
    }}
"""
    bench.graph("Calls", graph)
    code, out, errors = bench.run("Calls")
    expect("functions", (code, out), (0, "true\nfalse\n60\n"))
    expect_in("functions", "BucketAlreadyOwnedByYou", errors)
    expect("functions: the rest", list(bench.server.objects("listed/")), [])


def the_page(bench):
    """The program of docs/connectors/ObjectStorage.md."""
    with open(os.path.join(HERE, "..", "..", "docs", "connectors", "ObjectStorage.md")) as file:
        program = file.read().split("```spl\n")[1].split("```")[0]
    bench.build("Archive", program)
    values = [f"key={bench.server.KEY}", f"secret={bench.server.SECRET}"]
    values += [f"endpoint=http://127.0.0.1:{bench.server.port}"]
    bench.write("readings.csv", '"attic",21.5\n"cellar",9.0\n')
    expect("the page", bench.run("Archive", *values), (0, "", ""))
    expect("the page", bench.lines("readings/"), ["attic: 21.5", "cellar: 9"])


def kills_of_the_server(bench, count, seed):
    """Nothing is lost, and nothing is there twice."""
    chance = random.Random(seed)
    graph = beacon(LINES, "period : 0.0002;") + f"""    () as Out = ObjectStorageSink(In) {{
      param {bench.place()} objectName : "killed/%OBJECTNUM"; tuplesPerObject : 7l;
    }}
"""
    bench.graph("Killed", graph)
    process = bench.start("Killed")
    for _ in range(count):
        time.sleep(chance.random())
        bench.server.kill()
        time.sleep(chance.random() / 2)
        bench.server.start()
    process.communicate(timeout=PATIENCE)
    expect("the server was killed: exit code", process.returncode, 0)
    got = sorted(map(int, bench.lines("killed/")))
    expect(f"the server was killed, seed {seed}", got == list(range(LINES)), True)


def kills_of_the_program(bench, count, seed):
    """With checkpoints each line is there once, whenever the program was killed."""
    chance = random.Random(seed)
    for name, rule in (("small", "tuplesPerObject : 1000l;"), ("one", "")):
        graph = beacon(LINES, "period : 0.0002;") + f"""    () as Out = ObjectStorageSink(In) {{
      param {bench.place()} objectName : "again/{name}/%OBJECTNUM"; {rule}
    }}
"""
        bench.graph("Again", graph)
        options = [f"--checkpoint=again-{name}", "--resume", "--checkpoint-every=50ms"]
        for _ in range(count):
            process = bench.start("Again", *options)
            time.sleep(0.2 + chance.random())
            process.kill()
            process.communicate()
        code, _, errors = bench.run("Again", *options)
        expect(f"killed, {name}: exit code", (code, errors), (0, errors))
        got = sorted(map(int, bench.lines(f"again/{name}/")))
        expect(f"killed, {name}, seed {seed}", (len(got), got == list(range(LINES))), (LINES, True))


def ends_without_a_server(bench):
    """A sink whose server does not answer tries for half a minute, and says what it could not."""
    graph = beacon(1000000, "period : 0.001;") + f"""    () as Out = ObjectStorageSink(In) {{
      param {bench.place()} objectName : "gone/%OBJECTNUM"; tuplesPerObject : 100l;
    }}
"""
    bench.graph("Gone", graph)
    process = bench.start("Gone")
    await_true(lambda: bench.server.objects("gone/"))
    bench.server.kill()
    time.sleep(1)
    stop(process, 1)
    expect_in("it says why", "Connection refused", bench.read("stderr"))
    bench.server.start()


def main():
    options = programs.options_of(__doc__)
    count = 3 if options.kills is None else options.kills

    def server_kills(bench):
        kills_of_the_server(bench, count, options.seed)

    def program_kills(bench):
        kills_of_the_program(bench, count, options.seed)

    tests = [there, long_objects, back, follows, told, regions, mistakes, tokens, functions]
    tests += [the_page, server_kills]
    tests += [program_kills, *([ends_without_a_server] if options.long else [])]
    return programs.run_all(options, servers.ObjectStorage, Bench, tests)


if __name__ == "__main__":
    sys.exit(main())
