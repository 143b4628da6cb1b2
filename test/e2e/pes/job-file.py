# RUN: %python %s
"""--pe=K --job=FILE without a launcher, and what is wrong with a job.toml."""

import os
import stat

from Inputs.jobs import build, end, free_ports, run, start
from Inputs.support import FOLDER, expect, expect_in, finish, sluice, write

app = build()
port = free_ports(3)
out = sluice("job", app, f"--hosts=localhost:{port}", "-o", "job.toml")
expect("sluice job", out.returncode, 0)
expect_in("the token is told of", "job.token", out.stderr)
token = os.path.join(FOLDER, "job.token")
expect("mode of the token", stat.S_IMODE(os.stat(token).st_mode), 0o600)
with open(os.path.join(FOLDER, "job.toml")) as file:
    good = file.read()
RESULT = "count 20000 last 19999 gaps 0\n"


def together(what, wanted, *options):
    pes = [start(app, f"--pe={pe}", "--job=job.toml", *options) for pe in (2, 0, 1)]
    expect(what, [end(pe) for pe in pes], wanted)


DONE = [(RESULT, "", 0), ("", "", 0), ("", "", 0)]
together("over TCP", DONE)
write("job.toml", f'id = "1"\ntoken-file = "job.token"\npes = ["unix:a", "unix:b", "unix:c"]\n')
together("over Unix-domain sockets", DONE)

# The file that a program on the standard output writes is the same, but for its id.
source = os.path.join(FOLDER, "app.spl")
out = sluice("job", source, "--pes=3", f"--hosts=localhost:{port}")
expect("sluice job FILE.spl", out.returncode, 0)
expect("the same", out.stdout.splitlines()[3:], good.splitlines()[3:])
out = sluice("job", source, "--pes=3", "--hosts=a,b:9000,[::1]")
expect("hosts in turn", [line for line in out.stdout.splitlines() if "# PE " in line],
       ['  "a:7400", # PE 0', '  "b:9001", # PE 1', '  "[::1]:7402", # PE 2'])  # fmt: skip


def refused(what, file, place, part):
    write("job.toml", file)
    out, errors, code = run(app, "--pe=1", "--job=job.toml")
    expect(what + ": exit code", (out, code), ("", 1))
    expect_in(what, f"Counting: error: job.toml{place}", errors)
    expect_in(what, part, errors)


START = 'id = "1"\ntoken-file = "job.token"\n'
PES = 'pes = ["a:1", "a:2", "a:3"]\n'
refused("no TOML", "id = = 1\n", ":1:6: ", "id = = 1\n         ^\n")
refused("not closed", 'id = "1', ":1:", "error")
refused("empty", "", ":1:1: ", "`id` is missing")
refused("no id", 'token-file = "job.token"\n' + PES, ":1:1: ", "`id` is missing")
refused("id", 'id = "x1"\n', ":1:6: ", "hexadecimal")
refused("id is a number", "id = 1\n", ":1:6: ", "hexadecimal")
refused("unknown key", START + 'hosts = "a"\n' + PES, ":3:1: ", "unknown key `hosts`")
refused("no token-file", 'id = "1"\n' + PES, ":1:1: ", "`token-file` is missing")
refused("no token", 'id = "1"\ntoken-file = "none"\n' + PES, ":2:14: ", "No such file")
refused("no pes", START, ":1:1: ", "`pes` is missing")
refused("pes is no list", START + 'pes = "a:1"\n', ":3:7: ", "a list of addresses")
refused("no address", START + 'pes = [\n  "a:1",\n  "b"]\n', ":5:3: ", "HOST:PORT")
refused("a port is needed", START + 'pes = ["a:0"]\n', ":3:8: ", "HOST:PORT")
refused("all hosts", START + 'pes = ["0.0.0.0:1"]\n', ":3:8: ", "one host, not all")
refused("twice", START + 'pes = ["a:1", "b:1", "a:1"]\n', ":3:22: ", "two PEs")
refused("too few", START + 'pes = ["a:1", "b:1"]\n', " has addresses of 2 PEs", "has 3")
write("short", "1234\n")
os.chmod(os.path.join(FOLDER, "short"), 0o600)
refused("short", 'id = "1"\ntoken-file = "short"\n' + PES, ":2:14: ", "64 hexadecimal digits")
for mode in (0o640, 0o604, 0o644, 0o620):
    os.chmod(token, mode)
    refused(f"mode {mode:o}", START + PES, ":2:14: ", "chmod 600 job.token")
expect_in("an open token is not used", "chmod 600",
          sluice("job", app, "-o", "job.toml").stderr)  # fmt: skip
os.chmod(token, 0o600)


def usage(what, part, *options):
    out, errors, code = run(app, *options)
    expect(what + ": exit code", (out, code), ("", 2))
    expect_in(what, part, errors)


write("job.toml", good)
usage("no job", "--pe needs --job=FILE", "--pe=1")
usage("no PE", "--job needs --pe=K", "--job=job.toml")
usage("no such PE", "there is no PE 3: the program has 3 PEs", "--pe=3", "--job=job.toml")
usage("no number", "--pe needs the number of a PE", "--pe=x", "--job=job.toml")
usage("other number", "`sluice build --pes=4 FILE.spl`", "--pes=4")
expect("the number it was built for", run(app, "--pes=3"), (RESULT, "", 0))
one = build("one", pes=1)
out, errors, code = run(one, "--pe=0", "--job=job.toml")
expect("one process", code, 2)
expect_in("one process", "`--pes=N` of `sluice build`, `run` and `job`", errors)
expect("one process", run(one, "--pes=1"), (RESULT, "", 0))
expect_in("sluice job", "`--pes=N` of `sluice build`, `run` and `job`", sluice("job", one).stderr)
for host in ("a:b", "a b", "a,b;c"):
    out = sluice("job", app, f"--hosts={host}")
    expect(f"no host: {host}", (out.returncode, out.stdout), (1, ""))
    expect_in("no host", f"'{host.split(',')[-1]}' is no host", out.stderr)
expect("no program", sluice("job", "nothing").returncode, 1)
finish()
