#!/usr/bin/env python3
"""PostgreSQL gives the number of a transaction again after its own crash, if nothing on its disk
has it. The program is killed behind a checkpoint that has a transaction, PostgreSQL at once, and
others use all numbers around. No number that a checkpoint has may be given again, and all tuples
come in once; also where PostgreSQL crashes before the number is on its disk, and where the two
connections of a program lead to two servers. The last line says how many checks passed."""

import os
import re
import shutil
import subprocess
import sys

import programs
import servers
from jdbc import Bench, sink, source
from programs import PATIENCE, expect, expect_in

ROWS = 3000
# Steps of writing the first checkpoint of a run at which the program dies. It is complete behind
# the seventh, and what it has is committed behind the eighth.
STEPS = [7, 8, 7, 8, 5, 7, 8, 12, 7, 8, 16, 7, 8]
# Nothing but a COMMIT writes the log of PostgreSQL to disk.
QUIET = ("wal_writer_delay = '10s'", "bgwriter_lru_maxpages = 0", "autovacuum = off")
ORDINARY = "clerk"
OPTIONS = ["--checkpoint=state", "--resume", "--checkpoint-every=100ms"]


def make_clerk(server):
    server.sql(f"CREATE USER {ORDINARY} PASSWORD '{server.PASSWORD}'")
    server.sql(f"GRANT SELECT, INSERT ON k TO {ORDINARY}")


class Numbers(Bench):
    """The program logs in as somebody who may do nothing but use the table."""

    def __init__(self, *words):
        super().__init__(*words)
        self.sql("CREATE TABLE k(id bigint, word text)")
        make_clerk(self.server)
        for setting in QUIET:
            self.sql(f"ALTER SYSTEM SET {setting}")
        self.restart()

    def login(self, more="", database="test", password=None):
        return super().login(more, database, password).replace('"sluice"', f'"{ORDINARY}"')

    def restart(self):
        self.server.kill()
        self.server.start()

    def die(self, step):
        """A run that dies at a step of writing a checkpoint."""
        command = [self.path("Once"), "--data-dir", self.folder, *OPTIONS]
        environment = {**os.environ, "SLUICE_CRASH_AT": str(step)}
        subprocess.run(command, cwd=self.folder, env=environment, timeout=PATIENCE, check=False)

    def all_once(self, what, rows):
        counts = self.sql("SELECT count(*), count(DISTINCT id), max(id) FROM k")
        expect(f"{what}: all once", counts, f"{rows}|{rows}|{rows - 1}")

    def through(self, proxy, rows):
        """A program that goes through a proxy, which it gives a second for a connection. What it
        says."""
        self.sql("TRUNCATE k")
        to = sink(self, "k", "batchSize : 20;")
        to = to.replace(f":{self.server.port}/test", f":{proxy.port}/test?connectTimeout=1")
        self.graph("Through", source(rows) + to)
        code, _, errors = self.run("Through")
        expect("through a proxy: exit code", (code, "error" in errors), (0, False))
        return errors

    def saved(self):
        """The number of the transaction that the last checkpoint has; 0: it has none."""
        command = [self.driver, "checkpoint", "show", "state"]
        shown = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        found = re.search(r'transaction: "(\d+)', shown.stdout)
        return int(found.group(1)) if found else 0

    def use_numbers(self, count=100):
        """Others commit transactions. The number of the first one."""
        first = int(self.sql("SELECT txid_current()"))
        each = "PERFORM txid_current(); COMMIT;"
        self.sql(f"DO $$BEGIN FOR i IN 1..{count} LOOP {each} END LOOP; END$$")
        self.sql("CHECKPOINT")
        return first


def numbers(bench):
    """At every step the numbers of checkpoints are taken, and all comes in once."""
    bench.graph("Once", source(ROWS, "period : 0.001;") + sink(bench, "k", "batchSize : 20;"))
    given = []
    for step in STEPS:
        bench.die(step)
        bench.restart()
        number, next_one = bench.saved(), bench.use_numbers()
        if number:
            given.append(number)
            expect(f"step {step}: the number {number} is taken", number < next_one, True)
    expect("checkpoints with a transaction", len(given) >= 8, True)
    code, _, errors = bench.run("Once", *OPTIONS)
    expect("exit code", (code, "error" in errors), (0, False))
    bench.all_once("killed", ROWS)


def crashes(bench):
    """PostgreSQL crashes when a number was given and is about to be put on its disk. Whether the next
    one to ask gets it again is left to PostgreSQL; numbers() makes that happen."""
    left = [70, 40, 10]  # which of the transactions
    seen = 0

    def crash():
        nonlocal seen
        seen += 1
        if not left or seen < left[-1]:
            return False
        left.pop()
        bench.restart()
        return True

    mark = b"SELECT pg_logical_emit_message"
    with servers.PostgresProxy([bench.server.port], mark, crash) as proxy:
        bench.through(proxy, ROWS)
    expect("crashes", left, [])
    bench.all_once("crashes", ROWS)


def apart(bench):
    """The second connection gets no answer, then that of another server, then the right one."""
    here = bench.server.port
    other = servers.Postgres()
    try:
        other.sql("CREATE TABLE k(id bigint, word text)")
        make_clerk(other)
        for what, wrong, said in (
            ("silence", None, "no answer; it tries again"),
            ("another server", other.port, "lead to two servers; it tries again"),
        ):
            with servers.PostgresProxy([here, wrong, here, wrong, here]) as proxy:
                errors = bench.through(proxy, 100)
            expect_in(what, said, errors)
            expect(f"{what}: connections", proxy.count, 6)
            bench.all_once(what, 100)
    finally:
        other.close()


def denied(bench):
    """A user who may not ask what became of a transaction."""
    bench.graph("Once", source(500, "period : 0.001;") + sink(bench, "k", "batchSize : 20;"))
    bench.sql("TRUNCATE k")
    shutil.rmtree(bench.path("state"), ignore_errors=True)
    bench.die(7)
    may = "EXECUTE ON FUNCTION txid_status(bigint)"
    bench.sql(f"REVOKE {may} FROM PUBLIC")
    code, _, errors = bench.run("Once", *OPTIONS)
    expect("denied: exit code", code, 1)
    said = f"PostgreSQL does not say whether the transaction {bench.saved()} was committed: "
    expect_in("denied", said + "permission denied for function txid_status", errors)
    bench.sql(f"GRANT {may} TO PUBLIC")
    expect("allowed: exit code", bench.run("Once", *OPTIONS)[0], 0)
    bench.all_once("allowed", 500)


def forgotten(bench):
    """Where PostgreSQL has thrown away what it knew of a number, nothing is guessed."""
    bench.graph("Once", source(500, "period : 0.001;") + sink(bench, "k", "batchSize : 20;"))
    bench.sql("TRUNCATE k")
    shutil.rmtree(bench.path("state"), ignore_errors=True)
    bench.die(7)
    expect("there is a transaction", bench.saved() > 0, True)
    bench.use_numbers(1100000)  # it keeps a million
    bench.sql("UPDATE pg_database SET datallowconn = true")
    for database in bench.sql("SELECT datname FROM pg_database").split():
        bench.server.sql("VACUUM FREEZE", database)
    code, _, errors = bench.run("Once", *OPTIONS)
    expect("forgotten: exit code", code, 1)
    said = f"PostgreSQL does not know any more whether the transaction {bench.saved()} was"
    expect_in("forgotten", said, errors)
    expect("let go of", bench.run("Once", *OPTIONS, "--resume-drop=Out")[0], 0)


def main():
    options = programs.options_of(__doc__)
    tests = [numbers, crashes, apart, denied, forgotten]
    return programs.run_all(options, servers.Postgres, Numbers, tests)


if __name__ == "__main__":
    sys.exit(main())
