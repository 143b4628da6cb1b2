#!/usr/bin/env python3
"""JDBCRun with a real PostgreSQL; psql says what is in it. The last line says how many checks
passed."""

import json
import os
import random
import signal
import sys
import time

import programs
import servers
from programs import PATIENCE, Programs, await_true, expect, expect_in

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = 20000  # that arrive while something is killed


class Bench(Programs):
    def __init__(self, driver, folder, server):
        super().__init__(driver, folder)
        self.server = server

    def login(self, more="", database="test", password=None):
        url = f"jdbc:postgresql://127.0.0.1:{self.server.port}/{database}"
        secret = password or self.server.PASSWORD
        return f'jdbcUrl : "{url}"; jdbcUser : "sluice"; jdbcPassword : "{secret}"; {more}'

    def graph(self, name, graph):
        head = "use com.ibm.streamsx.jdbc::*;\nuse com.ibm.streamsx.jdbc.types::*;\n"
        self.build(name, f"{head}composite {name} {{\n  graph\n{graph}}}\n")

    def sql(self, text):
        return self.server.sql(text)


INSERT = 'statement : "INSERT INTO %s(id, word) VALUES (?, ?)"; statementParamAttrs : "id, word";'


def source(count, period="", word='"w" + (rstring) IterationCount()', attributes=""):
    return f"""    stream<int64 id, rstring word> In = Beacon() {{
      param iterations : {count}u; {period}
      output In : id = (int64) IterationCount(), word = {word}; {attributes}
    }}
"""


def sink(bench, table, more="", statement=INSERT, out="stream<In> Out"):
    if "%s" in statement:
        statement %= table
    return f"""    {out} = JDBCRun(In) {{
      param {bench.login()} {statement} {more}
    }}
"""


ERRORS = "(stream<In> Out; stream<In row, JdbcSqlStatus_T status> Errors)"
FILES = """    () as Written = FileSink(Out) { param file : "out.csv"; }
    () as Wrong = FileSink(Errors) { param file : "errors.csv"; }
"""


def inserts(bench):
    """One by one, in pipelines (an upsert; a table with a trigger), by COPY: the same comes in."""
    bench.sql("CREATE TABLE t(id bigint PRIMARY KEY, word text)")
    bench.sql(
        "CREATE TABLE counted(n bigint); INSERT INTO counted VALUES (0);"
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN UPDATE counted SET n = n + 1; RETURN NEW; END'"
    )
    for name, more, trigger in (
        ("single", "", False),
        ("copy", "batchSize : 64;", False),
        ("pipeline", "batchSize : 64;", True),
        ("transactions", "batchSize : 10; transactionSize : 5;", False),
        ("interval", "commitInterval : 1;", False),
    ):
        bench.sql("TRUNCATE t; DROP TRIGGER IF EXISTS c ON t")
        if trigger:
            bench.sql("CREATE TRIGGER c AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION note()")
        write = '    () as Written = FileSink(Out) { param file : "out.csv"; }\n'
        word = '"a\\\\b\\tc\\n\\"" + (rstring) IterationCount()'
        bench.graph("Inserts", source(333, "", word) + sink(bench, "t", more) + write)
        code, _, errors = bench.run("Inserts")
        expect(f"{name}: exit code", (code, errors), (0, ""))
        wanted = "a\\b\tc\n\""
        query = "SELECT count(*), sum(id), bool_and(word = $$%s$$ || id) FROM t" % wanted
        expect(f"{name}: rows", bench.sql(query), "333|55278|t")
        expect(f"{name}: tuples", len(set(bench.rows("out.csv"))), 333)
    expect("the trigger", bench.sql("SELECT n FROM counted"), "333")
    upsert = "INSERT INTO t(id, word) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET word = 'again?'"
    statement = f'statement : "{upsert}"; statementParamAttrs : "id,word"; batchSize : 100;'
    bench.graph("Upserts", source(400) + sink(bench, "t", "", statement))
    expect("upserts", bench.run("Upserts")[0], 0)
    counts = bench.sql("SELECT count(*) FILTER (WHERE word = 'again?'), count(*) FROM t")
    expect("upserts: rows", counts, "333|400")


TYPES = """    stream<boolean b, int8 i8, int16 i16, int32 i32, int64 i64, uint64 u64, float32 f32,
      float64 f64, decimal64 d, rstring r, ustring u, timestamp t, blob bl, optional<int32> given,
      optional<rstring> none> In = Beacon() {
      param iterations : 1u;
      output In : b = true, i8 = -128b, i16 = -32768h, i32 = -2147483648,
        i64 = 9223372036854775807l,
        u64 = 18446744073709551615ul, f32 = 0.1w, f64 = 0.1, d = 12345.6789d,
        r = "x'\\";DROP TABLE t",
        u = "\\u00e9\\u4e2d"u, t = createTimestamp(1234567890l, 123456000u),
        bl = convertToBlob("\\0\\u00ffab"),
        given = 7, none = null;
    }
"""


def types(bench):
    """Each type there and back, and as PostgreSQL shows it; null stays null."""
    names = "b i8 i16 i32 i64 u64 f32 f64 d r u t bl given none".split()
    bench.sql(
        "CREATE TABLE types(b boolean, i8 smallint, i16 smallint, i32 int, i64 bigint, "
        "u64 numeric, f32 real, f64 float8, d numeric, r text, u varchar(10), t timestamptz, "
        "bl bytea, given int, none text)"
    )
    marks, listed = ", ".join("?" * len(names)), ", ".join(names)
    write = (
        f'statement : "INSERT INTO types({listed}) VALUES ({marks})"; '
        f'statementParamAttrs : "{listed}";'
    )
    read = 'statement : "SELECT * FROM types";'
    graph = TYPES.replace("iterations : 1u", "iterations : 2u")
    graph += sink(bench, "", "batchSize : 2;", write)
    graph += '    () as Given = FileSink(In) { param file : "given.csv"; }\n'
    bench.graph("Types", graph)
    code, _, errors = bench.run("Types")
    expect("types: exit code", (code, errors), (0, ""))
    listed = "i64, u64, f32, f64, d, r, u, t AT TIME ZONE 'UTC', bl, none"
    shown = bench.sql(f"SELECT {listed} FROM types")
    wanted = "9223372036854775807|18446744073709551615|0.1|0.1|12345.6789|x'\";DROP TABLE t|é中|"
    wanted += "2009-02-13 23:31:30.123456|\\x00c3bf6162|"
    expect("types: psql", shown.splitlines(), [wanted] * 2)
    head, rest = TYPES.split("> In = Beacon() {", 1)
    bench.graph(
        "Back",
        "    stream<int32 x> In = Beacon() { param iterations : 1u; }\n"
        + head.replace("stream<", "stream<boolean found, ", 1)
        + "> Out = JDBCRun(In) { param "
        + bench.login()
        + read
        + ' hasResultSetAttr : "found"; }\n'
        + '    () as Got = FileSink(Out) { param file : "got.csv"; writePunctuations : true; }\n',
    )
    code, _, errors = bench.run("Back")
    expect("types back: exit code", (code, errors), (0, ""))
    given = bench.read("given.csv").splitlines()
    got = bench.read("got.csv").splitlines()
    expect("types back", got[:2], ["true," + row for row in given])
    expect("a window marker behind them", [row[:11] for row in got[2:3]], ["Punctuation"])


def results(bench):
    """Rows for each tuple; columns that do not fit; statements in attributes."""
    bench.sql("CREATE TABLE parts(id bigint, part text)")
    bench.sql("INSERT INTO parts VALUES (1, 'a'), (1, null)")
    select = 'statement : "SELECT part, $$?$$ AS \\"ID2\\" FROM parts WHERE id = ?"; '
    select += 'statementParamAttrs : "id"; hasResultSetAttr : "found";'
    out = "stream<int64 id, optional<rstring> part, rstring id2, boolean found> Out"
    write = '    () as Written = FileSink(Out) { param file : "out.csv"; quoteStrings : false; }\n'
    bench.graph("Select", source(3) + sink(bench, "", select, "", out) + write)
    expect("select", bench.run("Select")[0], 0)
    wanted = ["0,null,,false", '1,"a",?,true', "1,null,?,true", "2,null,,false"]
    expect("rows of results", bench.rows("out.csv"), wanted)
    bad = 'statement : "SELECT 300 AS small FROM generate_series(1, 2)"; batchSize : 2;'
    out = ERRORS.replace("stream<In> Out", "stream<In, tuple<int8 small>> Out")
    bench.graph("Unfit", source(2) + sink(bench, "", bad, "", out) + FILES)
    expect("unfit", bench.run("Unfit")[0], 0)
    expect("unfit", [row.count("22018") for row in bench.rows("errors.csv")], [1, 1])
    text = "\"INSERT INTO parts VALUES (10 + \" + (rstring) IterationCount() + "
    text += "\", 'x; --'); SELECT 1\""
    dynamic = "statementAttr : word;"
    bench.graph("Dynamic", source(5, "", text) + sink(bench, "", dynamic, ""))
    expect("statements in attributes", bench.run("Dynamic")[0], 0)
    expect("statements in attributes", bench.sql("SELECT count(*) FROM parts WHERE id >= 10"), "5")


def failures(bench):
    """What is refused goes to the second port; the rest is there, in whatever batch it was."""
    word = '(IterationCount() % 7ul == 3ul) ? "" : "w"'
    for name, more in (
        ("single", ""),
        ("batch", "batchSize : 50;"),
        ("transaction", "batchSize : 20; transactionSize : 3;"),
    ):
        bench.sql("DROP TABLE IF EXISTS f; CREATE TABLE f(id bigint, word text CHECK (word <> ''))")
        bench.graph("Log", source(100, "", word) + sink(bench, "f", more, INSERT, ERRORS) + FILES)
        code, _, errors = bench.run("Log")
        expect(f"log, {name}: exit code", code, 0)
        expect_in(f"log, {name}", "SQLSTATE 23514: new row for relation", errors)
        expect(f"log, {name}: said once", errors.count("SQLSTATE"), 1)
        bad = [i for i in range(100) if i % 7 == 3]
        got = [row.split(",")[0][4:] for row in bench.rows("errors.csv")]
        expect(f"log, {name}: rows", sorted(map(int, [row.strip("{}") for row in got])), bad)
        expect_in(f"log, {name}: state", "23514", bench.read("errors.csv"))
        expect(f"log, {name}: out", len(bench.rows("out.csv")), 100 - len(bad))
        expect(f"log, {name}: there", bench.sql("SELECT count(*) FROM f"), str(100 - len(bad)))
    word = '(IterationCount() == 25ul) ? "" : "w"'
    for action, there, code in (("rollback", "50", 0), ("terminate", "20", 1)):
        bench.sql("TRUNCATE f")
        more = f'batchSize : 10; transactionSize : 2; sqlFailureAction : "{action}";'
        bench.graph("Act", source(60, "", word) + sink(bench, "f", more, INSERT, ERRORS) + FILES)
        expect(f"{action}: exit code", bench.run("Act")[0], code)
        expect(f"{action}: there", bench.sql("SELECT count(*) FROM f"), there)
    bench.sql("TRUNCATE f")
    word = '(IterationCount() == 2ul) ? "a\\0b" : "w"'
    bench.graph("Zero", source(5, "", word) + sink(bench, "f", "", INSERT, ERRORS) + FILES)
    expect("a zero byte", bench.run("Zero")[0], 0)
    expect_in("a zero byte", "22021", bench.read("errors.csv"))
    expect("a zero byte: the others", bench.sql("SELECT count(*) FROM f"), "4")
    bench.sql("CREATE TABLE late(id bigint PRIMARY KEY DEFERRABLE INITIALLY DEFERRED, word text)")
    bench.sql("INSERT INTO late VALUES (1, 'x')")
    bench.graph("Late", source(3) + sink(bench, "late", "", INSERT, ERRORS) + FILES)
    expect("a deferred constraint", bench.run("Late")[0], 0)
    expect("a deferred constraint", bench.sql("SELECT count(*) FROM late"), "3")
    expect_in("a deferred constraint", "23505", bench.read("errors.csv"))
    bench.graph("None", source(2) + sink(bench, "nowhere", "", INSERT, ERRORS) + FILES)
    expect("no table", bench.run("None")[0], 0)
    expect_in("no table", "42P01", bench.read("errors.csv"))


def mistakes(bench):
    """Messages say what is wrong, and have no password."""
    gone = servers.free_ports(1)[0]
    good = bench.login()
    statement = 'statement : "SELECT 1";'
    for name, param, wanted in (
        ("password", bench.login(password="wrong-77") + statement,
         "password authentication failed"),
        ("database", bench.login(database="nosuch") + statement,
         'database "nosuch" does not exist'),
        ("system", 'jdbcUrl : "jdbc:mysql://h/d?password=geheim-42"; ' + statement,
         "jdbcUrl (jdbc:mysql): only PostgreSQL can be reached"),
        ("property", 'jdbcUrl : "jdbc:postgresql://h/d?pasword=geheim-42"; ' + statement,
         "jdbcUrl: it has a property that is not known"),
        ("nobody", f'jdbcUrl : "jdbc:postgresql://127.0.0.1:{gone}/d"; ' + statement
         + 'reconnectionPolicy : "NoRetry"; ', "Connection refused"),
        ("parameters", good + 'statement : "SELECT ?, \'?\', ?? --?\\n";',
         "the statement has 1 parameters, and 0 attributes"),
        ("attribute", good + 'statement : "SELECT ?"; statementParamAttrs : "idd";',
         "the input has no attribute idd"),
        ("action", good + statement + 'sqlFailureAction : "ignore";',
         "one of log, rollback, terminate"),
        ("store", good + statement + 'sslConnection : true; trustStore : "a.jks";',
         "keytool -importkeystore"),
    ):  # fmt: skip
        bench.graph("Wrong", source(1) + f"    stream<In> Out = JDBCRun(In) {{ param {param} }}\n")
        code, out, errors = bench.run("Wrong")
        expect(f"{name}: exit code", code, 1)
        expect_in(name, wanted, errors)
        for secret in ("geheim-42", "wrong-77"):
            expect(f"{name}: {secret}", secret in out + errors, False)
    bench.write("db.properties", f"user=sluice\npassword={bench.server.PASSWORD}\n")
    bench.sql("CREATE TABLE quiet(id bigint, word text)")
    url = f'jdbcUrl : "jdbc:postgresql://127.0.0.1:{bench.server.port}/test"; '
    file = f'jdbcProperties : "{bench.path("db.properties")}"; '
    graph = f"    stream<In> Out = JDBCRun(In) {{ param {url} {file} {INSERT % 'quiet'} }}\n"
    bench.graph("Quiet", source(3) + graph)
    code, out, errors = bench.run("Quiet", "--stats", "--metrics-json=m.json", "--trace=trace")
    expect("a file of properties", code, 0)
    expect("a file of properties", bench.sql("SELECT count(*) FROM quiet"), "3")
    seen = out + errors + bench.read("m.json") + bench.read("trace")
    expect("the password is nowhere", bench.server.PASSWORD in seen, False)


def the_page(bench):
    """The programs of docs/connectors/JDBC.md."""
    with open(os.path.join(HERE, "..", "..", "docs", "connectors", "JDBC.md")) as file:
        page = file.read()
    bench.sql("CREATE TABLE prices(symbol text PRIMARY KEY, price float8)")
    program = page.split("```spl\n")[1].split("```")[0]
    program = program.replace("localhost:5432", f"127.0.0.1:{bench.server.port}")
    bench.build("Prices", program)
    os.makedirs(bench.path("configurations"), exist_ok=True)
    secret = bench.server.PASSWORD
    bench.write("configurations/db.properties", f"jdbcUser=sluice\njdbcPassword={secret}\n")
    os.chmod(bench.path("configurations/db.properties"), 0o600)
    os.environ["SLUICE_APP_CONFIG"] = bench.path("configurations")
    bench.write("trades.csv", '"IBM",101.5\n"ACME",7.0\n"IBM",102.25\n')
    code, _, errors = bench.run("Prices")
    expect("the page", (code, errors), (0, ""))
    expect("the page: rows", bench.sql("SELECT * FROM prices ORDER BY 1"), "ACME|7\nIBM|102.25")


ORDERS = """    stream<rstring json> Orders = FileSource() {
      param file : "orders"; format : line; hotFile : true;
    }
"""


def elsewhere(bench):
    """A control port leads to another database. What was not committed runs there: each tuple is
    once in both together. The source goes on until the other one has rows."""
    gone = servers.free_ports(1)[0]
    bench.sql("CREATE DATABASE other")
    table = "DROP TABLE IF EXISTS k; CREATE TABLE k(id bigint, word text)"
    url = "jdbc:postgresql://127.0.0.1:%d/%s"
    secret = bench.server.PASSWORD

    def order(**words):
        with open(bench.path("orders"), "a") as file:
            file.write(json.dumps(words) + "\n")

    for name, more in (
        ("single", ""),
        ("batches", "batchSize : 50;"),
        ("transactions", 'transactionSize : 400; isolationLevel : "SERIALIZABLE";'),
        ("bounded", 'reconnectionPolicy : "NoRetry"; commitInterval : 1;'),
    ):
        bench.write("orders", "")
        for database in ("test", "other"):
            bench.server.sql(table, database)
        to = sink(bench, "k", more).replace("JDBCRun(In)", "JDBCRun(In; Orders)")
        bench.graph("Elsewhere", source(1000000, "period : 0.0005;") + ORDERS + to)
        process = bench.start("Elsewhere")
        has_begun = await_true(lambda: bench.sql("SELECT count(*) > 500 FROM k") == "t", 30)
        expect(f"{name}: it has begun", has_begun, True)
        order(jdbcUrl="jdbc:mysql://h/d?password=geheim-42", jdbcUser="x")
        order(jdbcName="x")
        order(jdbcClassName="org.postgresql.Driver", jdbcUrl=url % (bench.server.port, "other"))

        def there(where):
            return int(bench.server.sql("SELECT count(*) FROM k", where))

        await_true(lambda: there("other") > 500, 60)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        expect(f"{name}: exit code", process.returncode, 0)
        rows = [bench.server.sql("SELECT id FROM k", where).split() for where in ("test", "other")]
        expect(f"{name}: both have some", [len(r) > 100 for r in rows], [True, True])
        ids = sorted(map(int, sum(rows, [])))
        expect(f"{name}: all once", ids, list(range(len(ids))))
        said = bench.read("stderr")
        expect_in(f"{name}: a wrong order", "jdbcUrl (jdbc:mysql): only PostgreSQL", said)
        expect_in(f"{name}: a wrong order", "it takes no jdbcName", said)
        expect(f"{name}: secrets", "geheim-42" in said or secret in said, False)
    # Where nobody is it waits until it is led elsewhere, by credentials.
    bench.write("orders", "")
    bench.sql(table)
    login = f'jdbcUrl : "{url % (gone, "test")}"; jdbcUser : "x"; jdbcPassword : "y"; '
    waits = f"    () as To = JDBCRun(In; Orders) {{ param {login} {INSERT % 'k'} }}\n"
    bench.graph("Led", source(100) + ORDERS + waits)
    process = bench.start("Led")
    time.sleep(2)
    who = {"username": "sluice", "password": secret, "jdbcurl": url % (bench.server.port, "test")}
    order(credentials=json.dumps(who))
    await_true(lambda: bench.sql("SELECT count(*) FROM k") == "100", 30)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    expect("it was led", bench.sql("SELECT count(*), count(DISTINCT id) FROM k"), "100|100")
    bench.sql("TRUNCATE k")
    quoted = json.dumps(json.dumps(who))
    graph = f"    () as To = JDBCRun(In) {{ param credentials : {quoted}; {INSERT % 'k'} }}\n"
    bench.graph("Credentials", source(10) + graph)
    code, _, errors = bench.run("Credentials")
    expect("credentials", (code, errors), (0, ""))
    expect("credentials", bench.sql("SELECT count(*) FROM k"), "10")


def all_once(bench, what):
    counts = bench.sql("SELECT count(*), count(DISTINCT id), coalesce(max(id), -1) FROM k")
    expect(f"{what}: all once", counts, f"{ROWS}|{ROWS}|{ROWS - 1}")


def kills_of_the_server(bench, seed, kills):
    """Everything is there once while the server is killed and started again."""
    chance = random.Random(seed)
    for name, more, pause in (
        ("batches", "batchSize : 100;", "period : 0.0002;"),
        ("single", "", "period : 0.0002;"),
        ("transactions", "transactionSize : 500;", "period : 0.0002;"),
    ):
        bench.sql("DROP TABLE IF EXISTS k; CREATE TABLE k(id bigint, word text)")
        bench.graph("Long", source(ROWS, pause) + sink(bench, "k", more))
        process = bench.start("Long")
        for _ in range(kills):
            time.sleep(0.3 + chance.random())
            bench.server.kill()
            bench.server.start()
        process.communicate(timeout=PATIENCE * 2)
        expect(f"{name}: exit code", process.returncode, 0)
        expect(f"{name}: refused", "SQLSTATE" in bench.read("stderr"), False)
        all_once(bench, f"the server was killed, {name}")


def kills_of_the_program(bench, seed, kills):
    """The program is killed, and the server now and then: exactly once by its checkpoints."""
    chance = random.Random(seed)
    for name, more in (("batches", "batchSize : 50;"), ("single", "")):
        bench.sql("DROP TABLE IF EXISTS k; CREATE TABLE k(id bigint, word text)")
        bench.graph("Once", source(ROWS, "period : 0.0002;") + sink(bench, "k", more))
        options = [f"--checkpoint=state-{name}", "--resume", "--checkpoint-every=100ms"]
        for kill in range(kills):
            process = bench.start("Once", *options, "--threads=2")
            time.sleep(0.2 + chance.random() * 0.8)
            if kill % 3 == 2 and process.poll() is None:
                bench.server.kill()
                bench.server.start()
            process.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
            process.communicate(timeout=PATIENCE)
        code, _, errors = bench.run("Once", *options)
        expect(f"{name}: exit code", (code, "error" in errors), (0, False))
        all_once(bench, f"the program was killed, {name}, seed {seed}")
    bench.sql("DROP TABLE IF EXISTS k; CREATE TABLE k(id bigint, word text)")
    more = "commitPolicy : OnTransactionAndCheckpoint; batchSize : 20;"
    bench.graph("Least", source(ROWS, "period : 0.0002;") + sink(bench, "k", more))
    options = ["--checkpoint=state-least", "--resume", "--checkpoint-every=100ms"]
    for _ in range(kills):
        process = bench.start("Least", *options)
        time.sleep(0.2 + chance.random() * 0.8)
        process.kill()
        process.communicate()
    expect("at least once: exit code", bench.run("Least", *options)[0], 0)
    expect("at least once", bench.sql("SELECT count(DISTINCT id) FROM k"), str(ROWS))


def does_not_answer(bench, seconds):
    """A server that stands still for a while: the program waits, and nothing is lost or doubled."""
    bench.sql("DROP TABLE IF EXISTS k; CREATE TABLE k(id bigint, word text)")
    bench.graph("Waits", source(ROWS, "period : 0.0002;") + sink(bench, "k", "batchSize : 20;"))
    process = bench.start("Waits")
    await_true(lambda: bench.sql("SELECT count(*) > 1000 FROM k") == "t")
    bench.server.signal(signal.SIGSTOP)
    time.sleep(seconds)
    expect("it waits", process.poll(), None)
    bench.server.signal(signal.SIGCONT)
    process.communicate(timeout=PATIENCE)
    expect("a server that stood still: exit code", process.returncode, 0)
    all_once(bench, "a server that stood still")


def ends_without_a_server(bench):
    """SIGTERM ends a program whose server has gone, within half a minute, and says what is lost."""
    bench.sql("DROP TABLE IF EXISTS k; CREATE TABLE k(id bigint, word text)")
    bench.graph("Gone", source(1000000, "period : 0.001;") + sink(bench, "k"))
    process = bench.start("Gone")
    await_true(lambda: bench.sql("SELECT count(*) > 100 FROM k") == "t")
    bench.server.kill()
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    expect("no server at the end: exit code", process.returncode, 1)
    expect_in("no server at the end", "within 30 s: they are lost", bench.read("stderr"))
    bench.server.start()


def rates(bench):
    """Prints rows a second; the server is on the same processors."""
    for name, count, more, statement in (
        ("single inserts", 2000, "", INSERT % "r"),
        ("pipelines of 1000 upserts", 200000, "batchSize : 1000;",
         INSERT.replace('?)"', '?) ON CONFLICT (id) DO UPDATE SET word = EXCLUDED.word"') % "r"),
        ("batches of 1000 by COPY", 1000000, "batchSize : 1000;", INSERT % "r"),
    ):  # fmt: skip
        bench.sql("DROP TABLE IF EXISTS r; CREATE TABLE r(id bigint PRIMARY KEY, word text)")
        bench.graph("Rate", source(count) + sink(bench, "r", more, statement))
        begin = time.monotonic()
        code, _, _ = bench.run("Rate")
        rate = count / (time.monotonic() - begin)
        print(f"{name}: {rate:,.0f} rows/s", flush=True)
        expect(f"{name}: exit code", code, 0)
        expect(f"{name}: rows", bench.sql("SELECT count(*) FROM r"), str(count))


def main():
    def add(parser):
        parser.add_argument("--rate", action="store_true", help="only print rows a second")

    options = programs.options_of(__doc__, add)
    count = 3 if options.kills is None else options.kills

    def server_kills(bench):
        kills_of_the_server(bench, options.seed, max(1, count // 3))

    def program_kills(bench):
        kills_of_the_program(bench, options.seed, count)

    def no_answer(bench):
        does_not_answer(bench, 30 if options.long else 3)

    tests = [inserts, types, results, failures, mistakes, elsewhere, the_page]
    tests += [server_kills, program_kills, no_answer]
    tests += [ends_without_a_server] if options.long else []
    return programs.run_all(options, servers.Postgres, Bench, [rates] if options.rate else tests)


if __name__ == "__main__":
    sys.exit(main())
