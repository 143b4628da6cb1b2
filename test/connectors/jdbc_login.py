#!/usr/bin/env python3
"""JDBCRun over TLS, with certificates on both sides; isolation levels; what checkConnection says.
The last line says how many checks passed."""

import os
import shutil
import subprocess
import sys

import programs
import servers
from jdbc import Bench, sink, source
from programs import PATIENCE, await_true, expect, expect_in
from web import certificate

TLS = "sslConnection : true;"
ASK = """    stream<rstring answer> Out = JDBCRun(In) {{
      param {login} {more} statement : "SELECT {what} AS answer";
    }}
    () as Print = Custom(Out) {{ logic onTuple Out : printStringLn(answer); }}
"""


def ask(bench, what, login, more=""):
    bench.graph("Ask", source(1) + ASK.format(login=login, more=more, what=what))
    return bench.run("Ask")


def use_tls(bench, asks):
    """The server has a certificate; with `asks` clients need one."""
    server = bench.server
    for name, path in (("server.pem", "server.pem"), ("good.pem", "known.pem")):
        to = os.path.join(server.data, path)
        shutil.copy(bench.path(name), to)
        shutil.copystat(os.path.join(server.data, "postgresql.conf"), to)
        os.chmod(to, 0o600)
        if server.user:
            shutil.chown(to, "postgres", "postgres")
    kind = "clientcert=verify-ca" if asks else ""
    with open(os.path.join(server.data, "pg_hba.conf"), "w") as rules:
        rules.write(f"hostssl all all 127.0.0.1/32 scram-sha-256 {kind}\n")
        rules.write("hostnossl all all 127.0.0.1/32 scram-sha-256\n" if not asks else "")
    settings = {"ssl": "on", "ssl_cert_file": "server.pem", "ssl_key_file": "server.pem"}
    settings |= {"ssl_ca_file": "known.pem"}
    with open(os.path.join(server.data, "postgresql.auto.conf"), "w") as file:
        file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
    server.kill()
    server.start()


def tls(bench):
    """A certificate that is trusted, that is not, and of another name; clients that have one."""
    for name, host in (("server", "127.0.0.1"), ("other", "example.org"), ("good", "x.example")):
        certificate(bench.folder, name, host)
    paths = {name: bench.path(name + ".pem") for name in ("server", "other", "good")}
    key, locked = bench.path("good.key"), bench.path("locked.pem")
    command = ["openssl", "pkcs8", "-topk8", "-in", key, "-out", locked, "-passout", "pass:l0cked"]
    subprocess.run(command, check=True)
    with open(paths["good"]) as both, open(locked, "a") as file:
        file.write(both.read().split("-----BEGIN PRIVATE")[0])
    os.chmod(locked, 0o600)  # else libpq does not take it
    os.chmod(paths["good"], 0o600)
    use_tls(bench, asks=False)
    trusts = f'{TLS} trustStore : "{paths["server"]}";'
    once = 'reconnectionPolicy : "NoRetry";'
    cipher = "coalesce((SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()), '-')"
    login = bench.login()
    expect("trusted", ask(bench, cipher, login, trusts), (0, "TLSv1.3\n", ""))
    for name, more, wanted in (
        ("unknown", f'{TLS} trustStore : "{paths["other"]}";', "certificate verify failed"),
        ("no such file", f'{TLS} trustStore : "none.pem";', "none.pem"),
    ):
        code, out, errors = ask(bench, cipher, login, more + once)
        expect(name, (code, out), (1, ""))
        expect_in(name, wanted, errors)
    elsewhere = login.replace("127.0.0.1", "localhost")
    code, _, errors = ask(bench, cipher, elsewhere, trusts + once)
    expect("another name", code, 1)
    expect_in("another name", 'does not match host name "localhost"', errors)

    use_tls_of_clients(bench, cipher, trusts, paths, locked, once)


def use_tls_of_clients(bench, cipher, trusts, paths, locked, once):
    os.environ |= {"PGSSLCERT": paths["good"], "PGSSLKEY": paths["good"]}  # for psql
    try:
        use_tls(bench, asks=True)
    finally:
        del os.environ["PGSSLCERT"], os.environ["PGSSLKEY"]
    login = bench.login()
    mine = f'{trusts} keyStore : "{paths["good"]}";'
    expect("a certificate", ask(bench, cipher, login, mine), (0, "TLSv1.3\n", ""))
    code, _, errors = ask(bench, cipher, login, trusts + once)
    expect("no certificate", code, 1)
    expect_in("no certificate", "connection requires a valid client certificate", errors)
    mine = f'{trusts} keyStore : "{locked}"; keyStorePassword : "%s";'
    expect("a locked key", ask(bench, cipher, login, mine % "l0cked")[:2], (0, "TLSv1.3\n"))
    code, _, errors = ask(bench, cipher, login, mine % "wr0ng" + once)
    expect("a wrong password", code, 1)
    expect("a wrong password: secrets", "wr0ng" in errors, False)


def isolation(bench):
    """What transactions have."""
    for level, wanted in (
        ("READ_UNCOMMITTED", "read committed"),
        ("READ_COMMITTED", "read committed"),
        ("REPEATABLE_READ", "repeatable read"),
        ("serializable", "serializable"),
    ):
        more = f'isolationLevel : "{level}"; transactionSize : 2;'
        what = "current_setting('transaction_isolation')"
        expect(level, ask(bench, what, bench.login(), more), (0, wanted + "\n", ""))


def looks(bench):
    """checkConnection warns while there is nothing to do."""
    bench.sql("CREATE TABLE k(id bigint, word text)")
    idle = source(1).replace("iterations : 1u;", "iterations : 2u; period : 3600.0;")
    bench.graph("Idle", idle + sink(bench, "k", "checkConnection : true;"))
    process = bench.start("Idle")
    await_true(lambda: bench.sql("SELECT count(*) FROM k") == "1")
    bench.server.kill()
    seen = await_true(lambda: "it tries again" in bench.read("stderr"), 20)
    expect("a connection that is lost is seen", seen, True)
    bench.server.start()
    process.terminate()
    process.communicate(timeout=PATIENCE)
    expect("it ends", process.returncode, 0)


def main():
    options = programs.options_of(__doc__)
    return programs.run_all(options, servers.Postgres, Bench, [isolation, looks, tls])


if __name__ == "__main__":
    sys.exit(main())
