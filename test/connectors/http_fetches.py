#!/usr/bin/env python3
"""InetSource with its output functions and all types of texts, and HTTPParallelRequest, with a real
server. The last line says how many checks passed."""

import os
import subprocess
import sys
import time

import programs
import servers
from http_clients import HttpBench, sink
from programs import expect, expect_in
from web import Web, certificate

FUNCTIONS = """target = TargetURL(), again = TargetURL(), effective = EffectiveURL(),
        code = ResponseCode(), kind = ContentType(), fast = FetchTime() < 30.0"""
SOURCE = """    stream<rstring target, rstring again, rstring effective, int32 code, rstring kind,
      boolean fast, %s texts, int32 other> Got = InetSource() {
      param URIList : [%s]; iterations : 1; timeout : 20; %s
      output Got : %s;
    }
"""


def functions(bench):
    """Where a text is from, with each type of the attribute for texts."""
    web = bench.web
    text, moved = f"{web.url}/text?is=%3Ca%2F%3E", f"{web.url}/redirect?to=/text?is=b%250Ac"
    refused = f"{web.url}/status/503"
    urls = f'"{text}", "{moved}", "{refused}", "file:///local.txt"'
    bench.write("local.txt", "x\ny")
    file = f"file://{bench.path('local.txt')}"
    wanted = [
        [f"{text},{text},{text},200,text/plain,true", "<a/>"],
        [f"{moved},{moved},{web.url}/text?is=b%0Ac,200,text/plain,true", "b", "c"],
        [f"{refused},{refused},{refused},503,,true", "because"],
        [f"{file},{file},{file},200,,true", "x", "y"],
    ]

    def rows(kind, more="", only=urls):
        bench.build("Fetch", SOURCE % (kind, only, more, FUNCTIONS) + sink("Got", "got.csv"))
        code, _, errors = bench.run("Fetch")
        expect(f"{kind} {more}: exit code", (code, errors), (0, ""))
        return bench.rows("got.csv")

    lines = [f"{where},{line},0" for where, *texts in wanted for line in texts]
    expect("rstring", rows("rstring"), lines)
    whole = [f"{where},{'+'.join(texts)},0" for where, *texts in wanted]
    padded = 'inputLinesPerRecord : 0u; intraRecordPadValue : "+";'
    expect("all lines", rows("rstring", padded), whole)

    def listed(texts):
        return "[" + ",".join(f'"{text}"' for text in texts) + "]"

    each = [f"{where},{listed(texts)},0" for where, *texts in wanted]
    expect("a list an address", rows("list<rstring>", "emitTuplePerURI : true;"), each)
    every = [text for _, *texts in wanted for text in texts]
    expect("a list", rows("list<rstring>"), [f"{wanted[-1][0]},{listed(every)},0"])
    blobs = [f"{where},{chr(10).join(texts).encode().hex()},0" for where, *texts in wanted]
    expect("blob", rows("blob", "emitTuplePerURI : true;"), blobs)
    expect("xml", rows("xml", only=f'"{text}"'), [f"{wanted[0][0]},<a/>,0"])
    bench.build("Fetch", SOURCE % ("xml", f'"{moved}"', "", FUNCTIONS) + sink("Got", "got.csv"))
    code, _, errors = bench.run("Fetch")
    expect("no xml", (code, bench.rows("got.csv")), (0, []))
    expect_in("no xml", "it is no XML, and left out", errors)


def limits(bench):
    """A request ends in time; without ResponseCode() other statuses give no texts."""
    web = bench.web
    graph = f"""    stream<rstring text> Got = InetSource() {{
      param URIList : ["{web.url}/slow/30", "{web.url}/status/503", "{web.url}/text?is=a"];
            iterations : 2; fetchInterval : 0.1; timeout : 1;
    }}
"""
    bench.build("Limits", graph + sink("Got", "limits.csv"))
    begin = time.monotonic()
    code, _, errors = bench.run("Limits")
    expect("timeout: exit code", code, 0)
    expect("timeout", 2 <= time.monotonic() - begin < 10, True)
    expect("timeout: the others", bench.rows("limits.csv"), ["a", "a"])
    expect_in("timeout", "/slow/30: Timeout was reached; it tries again", errors)
    expect_in("a status", "the server answers HTTP/1.1 503", errors)
    wrong = SOURCE % ("int32", '"http://localhost/"', "", FUNCTIONS)
    bench.build("Limits", wrong + sink("Got", "limits.csv"))
    code, _, errors = bench.run("Limits")
    expect("a wrong type", code, 1)
    expect_in("a wrong type", "the first attribute without an assignment gets the texts", errors)


def statuses(bench):
    """An answer with another status is taken whole, and no text is compared with it."""
    web = bench.web
    listed = [['["line 0"]'], ['["%s"]'], ['["line 1","line 2"]']]
    for kind, more, texts in (
        ("rstring", "", [["line 0"], ["%s"], ["line 1", "line 2"]]),
        ("list<rstring>", "emitTuplePerURI : true;", listed),
        ("list<rstring>", "", listed),
    ):
        for said in ("because", ""):
            path = f"/turns/{len(web.seen('/'))}{kind[:4]}{len(more)}?is={said}"
            graph = f"""    stream<int32 code, {kind} texts> Got = InetSource() {{
      param URIList : ["{web.url}{path}"]; iterations : 3; fetchInterval : 0.1;
            incrementalFetch : true; {more}
      output Got : code = ResponseCode();
    }}
"""
            bench.build("Turns", graph + sink("Got", "turns.csv"))
            what = f"turns, {kind} {more} {said}"
            expect(f"{what}: exit code", bench.run("Turns")[0], 0)
            wanted = [
                f"{code},{text.replace('%s', said)}"
                for code, each in zip((200, 503, 200), texts)
                for text in each
            ]
            expect(what, bench.rows("turns.csv"), wanted)
            since = [each["headers"].get("If-Modified-Since") for each in web.seen(path)]
            expect(f"{what}: since", (since[0], since[2]), (None, since[1] or "a time"))


PARALLEL = """    stream<rstring url, HTTPParallelRequest.HttpMethod method, rstring place, int32 status>
      Asks = Custom() {
      logic onProcess : {
        list<rstring> paths = [%s];
        list<HTTPParallelRequest.HttpMethod> all = [HTTPParallelRequest.httpGet,
          HTTPParallelRequest.httpPost, HTTPParallelRequest.httpPut, HTTPParallelRequest.httpDelete];
        for (int32 i in range(size(paths)))
          submit({url = paths[i], method = all[i %% size(all)], place = "p" + (rstring) i, status = 7},
            Asks);
      }
    }
    (stream<Asks, tuple<rstring body, list<rstring> headers, rstring message>> Got;
     stream<rstring url, rstring message, int32 status> Bad) = HTTPParallelRequest(Asks) {
      param method : method; url : url; data : place; width : %d; %s
    }
    stream<rstring line> Lines = Custom(Got) {
      logic onTuple Got : submit({line = body + "|" + message + "|" + (rstring) status
        + (size(headers) > 0 ? "|headers|" : "|") + url}, Lines);
    }
"""


def parallel(bench):
    """Requests of all methods, several at a time, and what goes wrong."""
    web = bench.web
    nobody = f"http://127.0.0.1:{servers.free_ports(1)[0]}/"
    urls = [f"{web.url}/echo"] * 4 + [f"{web.url}/status/404", nobody, ""]

    def run(paths, width, more="urlEncode : passThrough;"):
        listed = ", ".join(f'"{path}"' for path in paths)
        files = sink("Lines", "lines.csv") + sink("Bad", "bad.csv")
        bench.build("Parallel", PARALLEL % (listed, width, more) + files)
        begin = time.monotonic()
        code, _, errors = bench.run("Parallel")
        expect(f"parallel {more}: exit code", (code, errors), (0, ""))
        return time.monotonic() - begin

    run(urls, 3)
    echo = '{"method": "%s", "path": "/echo", "body": "%s"}|success|0|headers|'
    wanted = [echo % ("GET", ""), echo % ("POST", "p1"), echo % ("PUT", "p2")]
    wanted.append(echo % ("DELETE", ""))
    wanted = [f"{line}{web.url}/echo" for line in wanted]
    wanted += [f"because|error|404|headers|{web.url}/status/404", f"|error|7|{nobody}"]
    wanted.append("|urlEncode has returned an empty URL|-1|")
    expect("answers", sorted(bench.rows("lines.csv")), sorted(wanted))
    bad = [f"{web.url}/status/404,error,404", f"{nobody},error,7"]
    bad.append(",urlEncode has returned an empty URL,-1")
    expect("errors", sorted(bench.rows("bad.csv")), sorted(bad))
    took = run([f"{web.url}/slow/1"] * 8, 8)
    expect(f"eight at a time: {took:.1f} s", took < 5, True)
    late = f"late|success|0|headers|{web.url}/slow/1"
    expect("eight at a time", bench.rows("lines.csv"), [late] * 8)
    run([f"{web.url}/slow/30"], 1, "urlEncode : passThrough; requestTimeout : 1;")
    expect("a timeout", bench.rows("lines.csv"), [f"|error|28|{web.url}/slow/30"])
    encoded = web.url.replace(":", "%3A").replace("/", "%2F")
    run([web.url], 1, "")
    expect("by default it is encoded", bench.rows("bad.csv")[0].split(",")[0], encoded)
    expect("what was asked", bench.rows("lines.csv")[0].split("|")[-1], encoded)


CERTIFIED = """    () as Main = Custom() {{
      logic onProcess : {{
        mutable int32 error = 0;
        mutable list<rstring> headers = [];
        rstring url = "{url}/text?is=in";
        printStringLn(httpGet(url, [], "", "", "{good}", "", "", "", "", headers, error, 9, 9));
        println(error);
        printStringLn(httpPost("x", url, [], "", "", "{packed}", "P12", "", "", "{secret}", headers,
          error, 9, 9));
        println(error);
        printStringLn(httpDelete(url, [], "", "", "{bare}", "PEM", "{key}", "PEM", "", error, 9, 9));
        println(error);
        printStringLn(httpGet(url, [], "", "", error, 9, 9));
        println(error != 0);
        printStringLn(httpGet(url, [], "", "", "{packed}", "P12", "", "", "wrong", headers, error, 9, 9));
        println(error);
      }}
    }}
    stream<rstring data> Lines = HTTPGetStream() {{
      param url : "{url}/lines/2"; maxRetries : 0; keyStore : "{good}"; trustStore : "{server}";
    }}
    () as Print = Custom(Lines) {{ logic onTuple Lines : printStringLn(data); }}
"""


def certificates(bench):
    """Who asks shows a certificate: in one file, in two, and in a locked store."""
    server, good = (certificate(bench.folder, name, "127.0.0.1") for name in ("server", "good"))
    paths = {"url": None, "good": good, "server": server, "secret": "p4ck"}
    paths |= {name: bench.path(name) for name in ("bare", "packed")}
    paths["key"] = bench.path("good.key")
    with open(good) as both:
        bench.write("bare", both.read().split("-----BEGIN PRIVATE")[0])
    command = ["openssl", "pkcs12", "-export", "-in", good, "-out", paths["packed"]]
    subprocess.run([*command, "-passout", "pass:p4ck"], check=True)
    web = Web(server, good)
    os.environ["SLUICE_CA_FILE"] = server
    try:
        paths["url"] = web.url
        bench.build("Certified", CERTIFIED.format(**paths))
        code, out, errors = bench.run("Certified", "--deterministic")
        expect("certificates", (code, errors), (0, ""))
        wanted = ["in", "0"] * 3 + ["", "true", "", "58", "line 0", "line 1"]
        expect("certificates", sorted(out.splitlines()), sorted(wanted))
    finally:
        del os.environ["SLUICE_CA_FILE"]
        web.close()


class Fetches(HttpBench):
    def __init__(self, driver, folder, web):
        super().__init__(os.path.abspath(driver), folder)
        self.web = web


def main():
    tests = [functions, limits, statuses, parallel, certificates]
    return programs.run_all(programs.options_of(__doc__), Web, Fetches, tests)


if __name__ == "__main__":
    sys.exit(main())
