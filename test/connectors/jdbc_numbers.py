#!/usr/bin/env python3
"""PostgreSQL gives the number of a transaction again after its own crash, if nothing on its disk
has it. The program is killed behind a checkpoint that has a transaction, PostgreSQL at once, and
others use all numbers around. No number that a checkpoint has may be given again, and all tuples
come in once. The last line says how many checks passed."""

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


class Numbers(Bench):
    """The program logs in as somebody who may do nothing but use the table."""

    def login(self, more="", database="test", password=None):
        return super().login(more, database, password).replace('"sluice"', f'"{ORDINARY}"')

    def prepare(self, statement):
        self.sql(statement)
        self.sql(f"CREATE USER {ORDINARY} PASSWORD '{self.server.PASSWORD}'")
        self.sql(f"GRANT SELECT, INSERT ON k TO {ORDINARY}")
        for setting in QUIET:
            self.sql(f"ALTER SYSTEM SET {setting}")
        self.restart()

    def restart(self):
        self.server.kill()
        self.server.start()

    def die(self, step):
        """A run that dies at a step of writing a checkpoint."""
        command = [self.path("Once"), "--data-dir", self.folder, *OPTIONS]
        environment = {**os.environ, "SLUICE_CRASH_AT": str(step)}
        subprocess.run(command, cwd=self.folder, env=environment, timeout=PATIENCE, check=False)

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
    bench.prepare("CREATE TABLE k(id bigint, word text)")
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
    counts = bench.sql("SELECT count(*), count(DISTINCT id), max(id) FROM k")
    expect("all once", counts, f"{ROWS}|{ROWS}|{ROWS - 1}")


def forgotten(bench):
    """Where PostgreSQL has thrown away what it knew of a number, nothing is guessed."""
    bench.graph("Once", source(500, "period : 0.001;") + sink(bench, "k", "batchSize : 20;"))
    bench.sql("TRUNCATE k")
    shutil.rmtree(bench.path("state"))
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
    return programs.run_all(options, servers.Postgres, Numbers, [numbers, forgotten])


if __name__ == "__main__":
    sys.exit(main())
