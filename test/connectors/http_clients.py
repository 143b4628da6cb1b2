#!/usr/bin/env python3
"""HTTP operators and functions with a real server, over TLS as well. What the server has seen says
whether they did it. The last line says how many checks passed."""

import argparse
import os
import random
import signal
import sys
import tempfile
import time

import servers
from kafka import Bench
from programs import PATIENCE, checks, expect, expect_in
from web import Web, certificate

HERE = os.path.dirname(os.path.abspath(__file__))
HTTP = "com.ibm.streamsx.inet.http"
SECRET = "p0w"


class HttpBench(Bench):
    def __init__(self, driver, folder):
        self.driver, self.folder = driver, folder

    def build(self, name, graph):
        uses = "use com.ibm.streamsx.inet::*;\nuse com.ibm.streamsx.inet.http::*;\n"
        self.compile(name, f"{uses}composite {name} {{\n  graph\n{graph}}}\n")

    def end(self, process):
        """By SIGTERM. The exit code, and for how many seconds it went on."""
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        return process.returncode, time.monotonic() - begin

    def rows(self, name):
        return self.read(name).splitlines()


def sink(stream, file):
    return f"""    () as Sink{stream} = FileSink({stream}) {{
      param file : "{file}"; flush : 1u; quoteStrings : false;
    }}
"""


def hides(what, bench, *texts):
    for text in (*texts, bench.read("stderr")):
        expect(f"{what}: no secret", SECRET in text, False)


def functions(bench, web):
    bench.build(
        "Functions",
        """    () as Main = Custom() {
      logic onProcess : {
        mutable int32 error = 0;
        mutable list<rstring> headers = [];
        rstring url = "%s";
        printStringLn(httpGet(url + "/text?is=" + urlEncode("a b+c"), ["X-Mine: 1"], "", "", error));
        println(error);
        printStringLn(httpPost("k=v", url + "/echo", [], "", "", headers, error));
        println("Content-Type: application/json" in headers);
        printStringLn(httpPut("data", url + "/echo", [], "", "", headers, error));
        printStringLn(httpDelete(url + "/echo", [], "", "", error));
        printStringLn(httpGet(url + "/auth", [], "u", "p0w", error));
        printStringLn(httpGet(url + "/auth", [], "u", "wrong", error));
        println(error);
        printStringLn(httpGet("http://127.0.0.1:1/", [], "", "", error));
        println(error);
        printStringLn(urlDecode(urlEncode("ä/ &=%%~")));
      }
    }
"""
        % web.url,
    )
    code, out, errors = bench.run("Functions")
    expect("functions", (code, errors), (0, ""))
    echo = '{"method": "%s", "path": "/echo", "body": "%s"}'
    wanted = ["a b+c", "0", echo % ("POST", "k=v"), "true", echo % ("PUT", "data")]
    wanted += [echo % ("DELETE", ""), "in", "out", "401", "", "7", "ä/ &=%~"]
    expect("functions", out.splitlines(), wanted)
    expect("a header of ours", web.seen("/text")[0]["headers"]["X-Mine"], "1")


def requests(bench, web):
    """HTTPRequest: bodies, answers, errors, and connections that stay open."""
    bench.build(
        "Requests",
        """    stream<rstring url, rstring method, rstring name, int32 n> Asks = Custom() {
      logic onProcess : {
        rstring url = "%s";
        submit({url = url + "/echo", method = "GET", name = "a b", n = 1}, Asks);
        submit({url = url + "/echo", method = "POST", name = "a b", n = 2}, Asks);
        submit({url = url + "/status/418", method = "GET", name = "", n = 3}, Asks);
        submit({url = url + "/redirect?to=/text?is=there", method = "GET", name = "", n = 4}, Asks);
        submit({url = url + "/gzip", method = "GET", name = "", n = 5}, Asks);
        submit({url = url + "/auth", method = "GET", name = "", n = 6}, Asks);
        submit({url = url + "/broken", method = "POST", name = "", n = 7}, Asks);
        submit({url = url + "/echo", method = "HEAD", name = "", n = 8}, Asks);
        submit({url = "http://u:p0w@127.0.0.1:1/?key=p0w", method = "POST", name = "", n = 9}, Asks);
        submit({url = url + "/echo", method = "NONE", name = "", n = 10}, Asks);
      }
    }
    stream<int32 n, int32 code, rstring kind, rstring wrong, rstring body> Answers = HTTPRequest(Asks) {
      param url : url; method : method; requestAttributes : "name", "n";
            outputBody : "body"; outputStatusCode : "code"; outputContentType : "kind";
            errorDiagnostics : "wrong"; authenticationProperties : "127.0.0.1=u:p0w";
            requestAttributesAsUrlArguments : true;
    }
"""
        % web.url
        + sink("Answers", "answers.csv"),
    )
    code, out, errors = bench.run("Requests")
    expect("requests", code, 0)
    hides("requests", bench, out, bench.read("answers.csv"))
    echo = '{"method": "%s", "path": "%s", "body": "%s"}'
    form = echo % ("GET", "/echo?name=a+b&n=1", "")
    json = echo % ("POST", "/echo", '{\\"name\\":\\"a b\\",\\"n\\":2}')
    wanted = [f"1,200,application/json,,{form}", f"2,200,application/json,,{json}"]
    wanted += ["3,418,,the server answers HTTP/1.1 418 I'm a Teapot,because"]
    wanted += ["4,200,text/plain,,there", "5,200,,,unpacked", "6,200,,,in"]
    wanted += ["7,-1,,transfer closed with 994 bytes remaining to read,a part"]
    wanted += ["8,200,application/json,,", "9,-1,,Couldn't connect to server: Connection refused,"]
    wanted += ["10,0,,,"]
    expect("answers", bench.rows("answers.csv"), wanted)
    get, post = [request["peer"] for request in web.seen("/echo")[-3:-1]]
    expect("a POST has a connection of its own", get != post, True)
    peers = {web.seen(path)[-1]["peer"] for path in ("/status/418", "/gzip", "/auth")}
    expect("connections stay open", len(peers), 1)
    expect("POST comes once", len(web.seen("/broken")), 1)


def posts(bench, web):
    """HTTPPost: each body, and all tuples over a restart of the server."""
    for kind, wanted in (
        ("application/x-www-form-urlencoded", "name=a%26b&n=1"),
        ("application/json", '{"name":"a&b","n":1}'),
    ):
        bench.build(
            "Post",
            """    stream<rstring name, int32 n> Rows = Custom() {
      logic onProcess : submit({name = "a&b", n = 1}, Rows);
    }
    () as Out = HTTPPost(Rows) { param url : "%s/echo?post"; headerContentType : "%s"; }
"""
            % (web.url, kind),
        )
        expect(kind, bench.run("Post")[0], 0)
        request = web.seen("/echo?post")[-1]
        expect(kind, (request["body"], request["headers"]["Content-Type"]), (wanted, kind))
    bench.build(
        "Posts",
        """    stream<rstring jsonString> Rows = Beacon() {
      param iterations : 400u; period : 0.01;
      output Rows : jsonString = (rstring) IterationCount();
    }
    stream<HTTPResponse> Answers = HTTPPost(Rows) {
      param url : "%s/echo?many"; headerContentType : "application/json";
            retryDelay : 0.1; maxRetries : -1;
    }
"""
        % web.url
        + sink("Answers", "posts.csv"),
    )
    process = bench.start("Posts")
    bench.await_lines("posts.csv", 50, process)
    web.kill()
    time.sleep(1)
    web.start()
    process.communicate(timeout=PATIENCE)
    expect("posts over a restart", process.returncode, 0)
    bodies = [request["body"] for request in web.seen("/echo?many")]
    expect("all posts come", sorted(set(map(int, bodies))), list(range(400)))
    expect("hardly one twice", len(bodies) <= 401, True)
    expect_in("posts over a restart", "it tries again", bench.read("stderr"))


def lines(bench, web):
    for name, query in (("Plain", ""), ("Packed", "?gzip=1")):
        bench.build(
            name,
            f"""    stream<rstring data> Lines = HTTPGetStream() {{
      param url : "{web.url}/lines/3000{query}";
    }}
"""
            + sink("Lines", name + ".csv"),
        )
        expect(name, bench.run(name), (0, "", ""))
        expect(name, bench.rows(name + ".csv"), [f"line {i}" for i in range(3000)])
    bench.build(
        "Slow",
        f"""    stream<rstring data> Lines = HTTPGetStream() {{ param url : "{web.url}/lines/9/1"; }}
"""
        + sink("Lines", "slow.csv"),
    )
    process = bench.start("Slow")
    bench.await_lines("slow.csv", 1, process)
    code, seconds = bench.end(process)
    expect("a stream ends with the program", (code, seconds < 3), (0, True))


EVENTS = """    stream<rstring data, rstring event, rstring id> Events = HTTPGetStream() {
      param url : "%s/events/%d/%d"; events : true; retryOnClose : %s;
            maxRetries : -1; retryDelay : 0.05;
    }
"""


def event_rows(count):
    """The data of an event has two lines."""
    return [row for i in range(count) for row in (str(i), f"of {count},number,{i}")]


def kills_of_the_server(bench, web, kills):
    bench.build("Events", EVENTS % (web.url, 2000, 500, "false") + sink("Events", "events.csv"))
    process = bench.start("Events")
    for kill in range(kills):
        bench.await_lines("events.csv", 100 * (kill + 1), process)
        web.kill()
        time.sleep(0.3)
        web.start()
    process.communicate(timeout=PATIENCE)
    expect("a server that was killed", process.returncode, 0)
    expect("each event once", bench.rows("events.csv"), event_rows(2000))
    expect_in("a server that was killed", "it tries again", bench.read("stderr"))


def kills_of_the_program(bench, web, seed, kills):
    chance = random.Random(seed)
    bench.build("Once", EVENTS % (web.url, 3000, 1000, "false") + sink("Events", "once.csv"))
    options = ["--checkpoint=state", "--resume", "--checkpoint-every=50ms"]
    for _ in range(kills):
        process = bench.start("Once", *options)
        bench.await_lines("once.csv", 1, process)
        time.sleep(chance.random() * 0.5)
        process.kill()
        process.communicate()
    expect("a program that was killed", bench.run("Once", *options)[0], 0)
    expect(f"exactly once, seed {seed}", bench.rows("once.csv"), event_rows(3000))


def pauses(bench, web, seconds):
    """A server that takes nothing for a while: requests wait, and none is lost."""
    bench.build(
        "Waits",
        """    stream<int32 n> Rows = Beacon() {
      param iterations : 200u; period : 0.005;
      output Rows : n = (int32) IterationCount();
    }
    stream<int32 n, int32 code> Answers = HTTPRequest(Rows) {
      param fixedUrl : "%s/echo?pause"; fixedMethod : POST; outputStatusCode : "code";
    }
"""
        % web.url
        + sink("Answers", "waits.csv"),
    )
    process = bench.start("Waits")
    bench.await_lines("waits.csv", 20, process)
    web.pause()
    time.sleep(seconds)
    web.go_on()
    process.communicate(timeout=PATIENCE)
    expect("a server that paused", process.returncode, 0)
    expect("none is lost", bench.rows("waits.csv"), [f"{i},200" for i in range(200)])
    expect("none comes twice", len(web.seen("/echo?pause")), 200)


def tls(bench, folder):
    good = certificate(folder, "good", "127.0.0.1")
    other = certificate(folder, "other", "example.org")
    web, elsewhere = Web(good), Web(other)
    try:
        ask = """    stream<rstring data> Lines = HTTPGetStream() {
      param url : "%s/lines/3"; maxRetries : 0; %s
    }
""" + sink("Lines", "tls.csv")
        for what, url, more, wanted in (
            ("unknown certificate", web.url, "", "SSL certificate problem: self-signed"),
            ("wrong name", elsewhere.url, f'trustStore : "{other}";', "127.0.0.1"),
            ("key store", web.url, 'trustStore : "a.jks";', "keytool -importkeystore"),
            ("no such file", web.url, 'trustStore : "none.pem";', "none.pem: No such file"),
        ):
            bench.build("Tls", ask % (url, more))
            code, _, errors = bench.run("Tls")
            expect(what, code, 1)
            expect_in(what, wanted, errors)
        for what, url, more, said in (
            ("trusted", web.url, f'trustStore : "{good}"; trustStorePassword : "any";', ""),
            ("all accepted", elsewhere.url, "acceptAllCertificates : true;", "all certificates"),
        ):
            bench.build("Tls", ask % (url, more))
            code, _, errors = bench.run("Tls")
            expect(what, (code, bench.rows("tls.csv")), (0, [f"line {i}" for i in range(3)]))
            expect_in(what, said, errors)
        bench.build("Tls", ask % (f"https://example.org:{elsewhere.port}", ""))
        os.environ["SLUICE_CA_FILE"] = other
        place = f"example.org:{elsewhere.port}:127.0.0.1:{elsewhere.port}"
        os.environ["SLUICE_CONNECT_TO"] = place
        expect("another place for a name", bench.run("Tls")[0], 0)
    finally:
        os.environ.pop("SLUICE_CA_FILE", None)
        os.environ.pop("SLUICE_CONNECT_TO", None)
        web.close()
        elsewhere.close()


def mistakes(bench, web):
    """Messages say what to do, and no secret."""
    nobody = f"http://127.0.0.1:{servers.free_ports(1)[0]}"
    bench.write("auth.properties", f"userid=u\npassword={SECRET}\n")
    file = 'authenticationType : "basic"; authenticationFile : "auth.properties";'
    user = 'authenticationType : "basic"; authenticationProperty : "userid=x", "password=p0w";'
    ask = """    stream<rstring data> Lines = HTTPGetStream() {
      param url : "%s"; maxRetries : 1; retryDelay : 0.01; %s
    }
""" + sink("Lines", "lines.csv")
    for what, url, more, wanted in (
        ("nobody there", nobody, "", "Connection refused; it does not try again, as maxRetries"),
        ("wrong user", web.url + "/auth", user, "the server answers HTTP/1.1 401"),
        ("no such page", web.url + "/none?key=p0w", "", "HTTP/1.1 404 Not Found"),
        ("digest", web.url, 'authenticationType : "digest";', "digest is not in this release"),
        ("header", web.url, 'extraHeaders : "A: b\\nC: p0w";', 'a header is "Name: value"'),
        ("other protocols", "ftp://x/p0w?p0w", "", "Protocol"),
        ("breaks off", web.url + "/broken", "", "transfer closed"),
    ):
        bench.build("Wrong", ask % (url, more))
        code, out, errors = bench.run("Wrong", "--stats")
        expect(what, code, 1)
        expect_in(what, wanted, errors)
        if what != "other protocols":
            hides(what, bench, out)
    bench.build("Right", ask % (web.url + "/auth", file))
    expect("the file has the password", bench.run("Right")[0], 0)
    bench.build(
        "Errors",
        f"""    (stream<rstring data> Lines; stream<HTTPResponse> Wrong) = HTTPGetStream() {{
      param url : "{web.url}/status/503"; maxRetries : 2; retryDelay : 0.01;
    }}
"""
        + sink("Wrong", "wrong.csv"),
    )
    expect("an error port", bench.run("Errors")[0], 0)
    row = "because,the server answers HTTP/1.1 503 Service Unavailable,503,7"
    expect("an error port", bench.rows("wrong.csv"), [row] * 3)
    bench.build(
        "Lost",
        f"""    stream<int32 n> Rows = Beacon() {{ param iterations : 3u; }}
    () as Out = HTTPRequest(Rows) {{ param fixedUrl : "{nobody}"; fixedMethod : PUT; }}
"""
    )
    code, _, errors = bench.run("Lost", "--stats")
    expect("what is dropped", code, 0)
    expect_in("what is dropped", "the tuple is dropped", errors)


def silence(bench, web):
    """A server that says nothing does not hold up the end of a source."""
    graph = f"""    stream<rstring data> Lines = HTTPGetStream() {{ param url : "{web.url}/silent"; }}
""" + sink("Lines", "silent.csv")
    bench.build("Silent", graph)
    process = bench.start("Silent")
    end = time.monotonic() + PATIENCE
    while not web.seen("/silent") and time.monotonic() < end:
        time.sleep(0.05)
    code, seconds = bench.end(process)
    expect("silence", (code, seconds < 3), (0, True))


def fetches(bench, web):
    """InetSource takes what is new; HTTPGetJSONContent asks again and again."""
    bench.build(
        "Fetch",
        f"""    stream<list<rstring> lines> New = InetSource() {{
      param URIList : ["{web.url}/file", "{web.url}/text?is=a%0Ab", "file:///local.txt"];
            fetchInterval : 0.2; incrementalFetch : true; emitTuplePerURI : true;
            inputLinesPerRecord : 2u; intraRecordPadValue : "+"; punctPerFetch : true;
    }}
    stream<rstring text> Texts = Custom(New) {{
      logic onTuple New : submit({{text = (rstring) lines}}, Texts);
            onPunct New : submit({{text = "mark"}}, Texts);
    }}
"""
        + sink("Texts", "fetch.csv"),
    )
    bench.write("local.txt", "x\ny\nz")
    process = bench.start("Fetch")
    bench.await_lines("fetch.csv", 6, process)
    import urllib.request

    urllib.request.urlopen(f"{web.url}/file", data=b"three").close()
    end = time.monotonic() + PATIENCE
    while "three" not in bench.read("fetch.csv") and time.monotonic() < end:
        time.sleep(0.05)
    expect("fetching", bench.end(process)[0], 0)
    rows = [row for row in bench.rows("fetch.csv") if row != "mark"]
    expect("fetching", rows, ['["one+two"]', '["a+b"]', '["x+y","z"]', '["three"]'])
    graph = f"""    stream<rstring jsonString> Texts = HTTPGetJSONContent() {{
      param url : "{web.url}/text?is=1"; period : 0.05; iterations : 3;
    }}
"""
    bench.build("Content", graph + sink("Texts", "content.csv"))
    expect("polling", bench.run("Content"), (0, "", ""))
    expect("polling", bench.rows("content.csv"), ["1"] * 3)


def the_page(bench, web):
    """The programs of docs/connectors/HTTP.md."""
    page = os.path.join(HERE, "..", "..", "docs", "connectors", "HTTP.md")
    with open(page) as file:
        parts = file.read().replace("http://localhost:8000", web.url).split("```")
    programs = [part[4:] for part in parts if part.startswith("spl\n")]
    outputs = [part[5:] for part in parts if part.startswith("text\n")]
    expect("the page: programs", (len(programs), len(outputs)), (3, 3))
    for program, output in zip(programs, outputs):
        name = program.split("composite ")[1].split()[0]
        bench.compile(name, program)
        code, out, errors = bench.run(name)
        expect(f"the page: {name}", (code, out, errors), (0, output, ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--kills", type=int, default=3, help="of server and program")
    parser.add_argument("--pause", type=float, default=2, help="s, the server takes nothing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one function of this file")
    options = parser.parse_args()
    web = Web()
    tests = {
        "functions": lambda: functions(bench, web),
        "requests": lambda: requests(bench, web),
        "posts": lambda: posts(bench, web),
        "lines": lambda: lines(bench, web),
        "kills_of_the_server": lambda: kills_of_the_server(bench, web, options.kills),
        "kills_of_the_program": lambda: kills_of_the_program(
            bench, web, options.seed, options.kills
        ),
        "pauses": lambda: pauses(bench, web, options.pause),
        "tls": lambda: tls(bench, folder),
        "mistakes": lambda: mistakes(bench, web),
        "silence": lambda: silence(bench, web),
        "fetches": lambda: fetches(bench, web),
        "the_page": lambda: the_page(bench, web),
    }
    try:
        with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
            bench = HttpBench(os.path.abspath(options.driver), folder)
            for name, test in tests.items():
                if not options.only or name == options.only:
                    test()
    except servers.Missing as why:
        print(f"skipped: {why}")
    finally:
        web.close()
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
