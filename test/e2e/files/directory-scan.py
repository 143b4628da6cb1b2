# REQUIRES: slow
# RUN: %python %s
"""DirectoryScan: which files it finds and when it finds them again, what it says of them, where it
moves them, how it ends."""

import os
import shutil
import signal
import subprocess
import time

from Inputs.support import DATA, MODES, TIMEOUT, expect, expect_in, finish, sluice, write

INBOX = os.path.join(DATA, "in")
# Two PEs, too: the names go from one to the other.
EVERYWHERE = {**MODES, "virtual": ["--clock=virtual"], "two PEs": ["--pes=2"]}


def fresh(**files):
    """Empties the data directory and fills `in`; files in the order of their ctime."""
    shutil.rmtree(DATA)
    for name in ("", "in", "out"):
        os.mkdir(os.path.join(DATA, name))
    for name, content in files.items():
        put(f"{name}.csv", content)


def put(name, content):
    """As programs should: written elsewhere and renamed. A ctime moves on in steps of the kernel's
    clock."""
    time.sleep(0.02)
    os.rename(write("data/written", content), os.path.join(INBOX, name))


class Running:
    """A program of which the test waits for lines of output."""

    def __init__(self, program, options=()):
        self.process = subprocess.Popen(
            ["sluice", "run", program, "--data-dir", DATA, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def lines(self, count):
        return [self.process.stdout.readline().rstrip("\n") for _ in range(count)]

    def interrupt(self):
        """What it prints after SIGINT, and its exit code."""
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=TIMEOUT)
        return rest.splitlines(), self.process.returncode


READY = """    () as Ready = Custom() {
      logic onProcess : { printStringLn("ready"); flushStdio(); }
    }
"""


def program(name, scan, shown="rstring path", out="", more=""):
    """Prints what a DirectoryScan with these parameters submits."""
    return write(
        f"{name}.spl",
        f"""composite {name} {{
  graph
    stream<{shown}> Files = DirectoryScan() {{
      param directory : "in"; sleepTime : 0.05; {scan}
      {out}
    }}
    () as Print = Custom(Files) {{ logic
      onTuple Files : {{ println(Files); flushStdio(); }}
      onPunct Files : println(currentPunct());
    }}
{more}}}
""",
    )


# Its usual use: before a FileSource, which tells of each file by a mark. What comes later is found,
# and so is what is written again. An interrupt ends it, after what it has found.
rows = write(
    "Rows.spl",
    """composite Rows {
  graph
    stream<rstring file> Files = DirectoryScan() {
      param directory : "in"; pattern : "^[^.].*\\\\.csv$"; sleepTime : 0.05;
    }
    stream<int32 n, rstring text> Rows = FileSource(Files) { }
    () as Print = Custom(Rows) { logic
      onTuple Rows : { println(Rows); flushStdio(); }
      onPunct Rows : { println(currentPunct()); flushStdio(); }
    }
}
""",
)
for mode, options in EVERYWHERE.items():
    fresh(b='1,"b"\n', a='2,"a"\n')
    put("a.txt", "not looked at")
    run = Running(rows, options)
    wanted = ['{n=1,text="b"}', "WindowMarker", '{n=2,text="a"}', "WindowMarker"]
    expect(f"{mode}: the older file comes first", run.lines(4), wanted)
    put("c.csv", '3,"c"\n')
    expect(f"{mode}: a file that comes later", run.lines(2), ['{n=3,text="c"}', "WindowMarker"])
    put("a.csv", '4,"again"\n')
    wanted = ['{n=4,text="again"}', "WindowMarker"]
    expect(f"{mode}: a file that is another one now", run.lines(2), wanted)
    expect(f"{mode}: SIGINT", run.interrupt(), (["FinalMarker"], 0))

# A change of the mode is a change of the ctime; a look at the file is none.
fresh(a="1\n")
run = Running(program("Changes", "", "rstring path"))
path = os.path.join(INBOX, "a.csv")
expect("found", run.lines(1), [f'{{path="{path}"}}'])
open(path, encoding="utf-8").read()
time.sleep(0.3)
put("b.csv", "2\n")
expect("not found again", run.lines(1), [f'{{path="{INBOX}/b.csv"}}'])
os.chmod(path, 0o600)
expect("found again", run.lines(1), [f'{{path="{path}"}}'])
os.remove(path)
time.sleep(0.2)
put("a.csv", "3\n")
expect("another one of this name", run.lines(1), [f'{{path="{path}"}}'])
expect("its end", run.interrupt(), (["FinalMarker"], 0))

# A pattern knows the characters of a UTF-8 locale.
os.environ["LC_ALL"] = "C.UTF-8"
fresh()
for name in ("ab.csv", "éb.csv", "éüb.csv", "èß.csv"):
    put(name, "1\n")
run = Running(program("Accents", 'pattern : "^[éè].[.]csv$";'))
wanted = [f'{{path="{INBOX}/{name}"}}' for name in ("éb.csv", "èß.csv")]
expect("names with accents", run.lines(2), wanted)
expect("no other names", run.interrupt(), (["FinalMarker"], 0))

# Files are moved before their names are told; what is not assigned is where they are now.
fresh(a="12\n", b="3456\n")
run = Running(
    program(
        "Moves",
        'moveToDirectory : "out/"; sortBy : name; order : descending;',
        "rstring now, rstring path, rstring full, rstring dir, rstring to, rstring there,"
        " rstring all, uint64 size",
        "output Files : path = FilePath(), full = FullPath(), dir = Directory(),"
        " to = DestinationDirectory(), there = DestinationFilePath(), all = DestinationFullPath(),"
        " size = Size();",
    )
)
wanted = [
    f'{{now="{DATA}/out/{name}.csv",path="in/{name}.csv",full="{INBOX}/{name}.csv",dir="in",'
    f'to="out/",there="out/{name}.csv",all="{DATA}/out/{name}.csv",size={size}}}'
    for name, size in (("b", 5), ("a", 3))
]
expect("what is said of files that are moved", run.lines(2), wanted)
found = (os.listdir(INBOX), sorted(os.listdir(f"{DATA}/out")))
expect("where they are", found, ([], ["a.csv", "b.csv"]))
put("a.csv", "7\n")
expect_in("the next one of this name", 'path="in/a.csv"', run.lines(1)[0])
run.interrupt()

# Times are those of the file, in seconds.
fresh(a="1\n")
os.utime(path, (1000, 2000.75))
ctime = int(os.stat(path).st_ctime)
run = Running(
    program(
        "Times",
        "",
        "uint64 a, uint64 c, uint64 m, optional<uint64> o, rstring text, rstring name",
        "output Files : a = Atime(), c = Ctime(), m = Mtime(), o = Size(),"
        ' text = "<" + FileName() + ">", name = AsIs(FileName());',
    )
)
wanted = f'{{a=1000,c={ctime},m=2000,o=2,text="<a.csv>",name="a.csv"}}'
expect("times", run.lines(1), [wanted])
run.interrupt()

# What was there at the start is new only when it has changed, however long the first scan waits.
fresh(a="1\n")
put(".b.csv", "2\n")
os.symlink("a.csv", f"{INBOX}/link.csv")
os.mkdir(f"{INBOX}/folder.csv")
os.mkfifo(f"{INBOX}/pipe.csv")
parameters = "ignoreExistingFilesAtStartup : true; ignoreDotFiles : true; initDelay : 0.5;"
run = Running(program("Later", parameters, more=READY))
expect("it has started", run.lines(1), ["ready"])
put(".c.csv", "3\n")
put("d.csv", "4\n")
expect("one that came later", run.lines(1), [f'{{path="{INBOX}/d.csv"}}'])
os.chmod(path, 0o600)
changed = [f'{{path="{INBOX}/{name}.csv"}}' for name in ("a", "link")]
expect("one that has changed, and the link to it", sorted(run.lines(2)), changed)
run.interrupt()

# What is wrong ends the program.
fresh(a="1\n")
for what, scan, said in (
    ("a pattern", 'pattern : "(";', "operator Files: bad regular expression '(': "),
    ("moving in place", 'moveToDirectory : "out/../in";', f"that they come from, {INBOX}"),
    ("no target", 'moveToDirectory : "nowhere";', f"moved to {DATA}/nowhere: No such file"),
):
    out = sluice("run", program("Wrong", scan), "--data-dir", DATA)
    expect(f"{what}: exit code", (out.returncode, out.stdout), (1, ""))
    expect_in(what, said, out.stderr)
for what, place, said in (
    ("no directory", "nowhere", f"operator Files: cannot look for files in {DATA}/nowhere: No"),
    ("a file", "in/a.csv", f"cannot look for files in {INBOX}/a.csv: Not a directory"),
):
    text = open(program("Wrong", ""), encoding="utf-8").read().replace('"in"', f'"{place}"')
    out = sluice("run", write("Wrong.spl", text), "--data-dir", DATA)
    expect(f"{what}: exit code", out.returncode, 1)
    expect_in(what, said, out.stderr)

# A directory that goes away for a moment is waited for: a warning, once. What was in it and has not
# changed is not new when it is back.
fresh(a="1\n")
run = Running(program("Gone", "", more=READY))
expect("before it goes", sorted(run.lines(2)), ["ready", f'{{path="{path}"}}'])
os.rename(INBOX, f"{DATA}/away")
time.sleep(0.4)
write("data/away/b.csv", "2\n")
os.rename(f"{DATA}/away", INBOX)
expect("it is back", run.lines(1), [f'{{path="{INBOX}/b.csv"}}'])
os.chmod(INBOX, 0o644 if os.geteuid() else 0)  # as root it can be read: nothing happens
os.chmod(INBOX, 0o755)
put("c.csv", "3\n")
expect("and goes on", run.lines(1), [f'{{path="{INBOX}/c.csv"}}'])
run.process.send_signal(signal.SIGTERM)
_, said = run.process.communicate(timeout=TIMEOUT)
expect("it was away: exit code", run.process.returncode, 0)
expect("said once", said.count(f"cannot look for files in {INBOX}: No such file"), 1)

# So is the one that files are moved to: they stay where they are until then.
fresh(a="1\n")
run = Running(program("Target", 'moveToDirectory : "out";'))
expect("before the target goes", run.lines(1), [f'{{path="{DATA}/out/a.csv"}}'])
os.rename(f"{DATA}/out", f"{DATA}/away")
put("b.csv", "2\n")
time.sleep(0.4)
expect("it stays", os.listdir(INBOX), ["b.csv"])
os.rename(f"{DATA}/away", f"{DATA}/out")
expect("the target is back", run.lines(1), [f'{{path="{DATA}/out/b.csv"}}'])
run.process.send_signal(signal.SIGTERM)
_, said = run.process.communicate(timeout=TIMEOUT)
expect("the target: exit code", run.process.returncode, 0)
expect("the target: said once", said.count(f"cannot move files to {DATA}/out: No such file"), 1)

# Once.
fresh(a="1\n", b="2\n")
for mode, options in EVERYWHERE.items():
    out = sluice("run", program("Once", "once : true;"), "--data-dir", DATA, *options)
    wanted = [f'{{path="{INBOX}/{name}.csv"}}' for name in "ab"] + ["FinalMarker"]
    expect(f"{mode}: once", (out.returncode, out.stdout.splitlines()), (0, wanted))
parameters = "once : true; initDelay : 0.5; ignoreExistingFilesAtStartup : true;"
run = Running(program("OnceLater", parameters, more=READY))
run.lines(1)
put("c.csv", "3\n")
expect("once, what has come meanwhile", run.lines(2), [f'{{path="{INBOX}/c.csv"}}', "FinalMarker"])
expect("once: exit code", run.process.wait(timeout=TIMEOUT), 0)
finish()
