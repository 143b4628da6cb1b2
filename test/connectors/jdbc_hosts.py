#!/usr/bin/env python3
"""A program that knows a primary PostgreSQL and its standby, which has all that is committed. The
primary is killed, and the standby takes over: all is there once. The last line says how many checks
passed."""

import copy
import os
import sys

import programs
import servers
from jdbc import INSERT, Bench, source
from programs import PATIENCE, await_true, expect, expect_in

ROWS = 4000


class Pair:
    """Two servers; a commit waits for both."""

    def __init__(self):
        self.primary = servers.Postgres()
        self.primary.sql("CREATE TABLE k(id bigint, word text)")
        self.standby = copy.copy(self.primary)
        self.standby.port = servers.free_ports(1)[0]
        self.standby.data = os.path.join(self.primary.folder.name, "standby")
        os.environ["PGPASSWORD"] = self.primary.PASSWORD
        where = ["-h", "127.0.0.1", "-p", str(self.primary.port), "-U", "sluice"]
        self.primary.run("pg_basebackup", *where, "-D", self.standby.data, "-R", "-c", "fast")
        self.standby.start()
        await_true(lambda: self.primary.sql("SELECT count(*) FROM pg_stat_replication") == "1")
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("SELECT pg_reload_conf()")
        await_true(lambda: self.primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync")

    def take_over(self):
        self.primary.kill()
        self.standby.run("pg_ctl", "promote", "-D", self.standby.data)

    def close(self):
        self.standby.kill()
        self.primary.close()


def takes_over(bench, more, *options):
    what = more or "single"
    pair = Pair()
    try:
        hosts = f"127.0.0.1:{pair.standby.port},127.0.0.1:{pair.primary.port}"
        login = f'jdbcUrl : "jdbc:postgresql://{hosts}/test?targetServerType=primary";'
        login += f' jdbcUser : "sluice"; jdbcPassword : "{pair.primary.PASSWORD}";'
        graph = f"    () as Out = JDBCRun(In) {{ param {login} {INSERT % 'k'} {more} }}\n"
        bench.graph("Long", source(ROWS, "period : 0.001;") + graph)
        process = bench.start("Long", *options)
        begun = await_true(lambda: int(pair.primary.sql("SELECT count(*) FROM k")) > 200)
        expect(f"{what}: it has begun", begun, True)
        pair.take_over()
        process.communicate(timeout=PATIENCE)
        expect(f"{what}: exit code", process.returncode, 0)
        counts = pair.standby.sql("SELECT count(*), count(DISTINCT id), max(id) FROM k")
        expect(f"{what}: all once", counts, f"{ROWS}|{ROWS}|{ROWS - 1}")
        expect_in(f"{what}: it says so", "it tries again", bench.read("stderr"))
    finally:
        pair.close()


def hosts(bench):
    takes_over(bench, "")
    takes_over(bench, "batchSize : 50;")
    for number in range(2):
        options = [f"--checkpoint=state{number}", "--checkpoint-every=50ms"]
        takes_over(bench, f"batchSize : {20 + number};", *options)


def main():
    options = programs.options_of(__doc__)
    return programs.run_all(options, servers.Postgres, Bench, [hosts])


if __name__ == "__main__":
    sys.exit(main())
