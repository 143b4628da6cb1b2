# REQUIRES: prometheus
# REQUIRES: slow
# RUN: %python %s
"""--metrics serves what docs/metrics.md lists; Prometheus takes it, and promtool finds no fault."""

import json
import os
import re
import socket
import subprocess

from Inputs.support import FOLDER, expect, expect_in, finish, sluice, write
from Inputs.watching import Program, get, until

HERE = os.path.dirname(__file__)
with open(os.path.join(HERE, "..", "..", "..", "docs", "metrics.md"), encoding="utf-8") as file:
    PAGE = file.read()
LISTED = {
    (name, kind, text)
    for name, kind, text in re.findall(r"^\| `(sluice_\w+)` \| (\w+) \| (.*?) \|$", PAGE, re.M)
}
SOURCE = write(
    "Odd.spl",
    r"""composite Odd {
  graph
    stream<rstring s> Words = Beacon() {
      param period : 0.001;
      output Words : s = IterationCount() % 2ul == 0ul ? "1" : "x";
    }
    @catch(exception = all)
    stream<int64 n> Numbers = Custom(Words) {
      logic onTuple Words : {
        createCustomMetric("a \"name\"", "", Sys.Counter, 0l);
        setCustomMetricValue("a \"name\"", 7l);
        submit({n = (int64) s}, Numbers);
      }
    }
    () as Sink = Custom(Numbers) { logic state : mutable int64 sum = 0l; onTuple Numbers : sum += n; }
}
""",
)
OPEN = {"Accept": "application/openmetrics-text; version=1.0.0"}


def families(text):
    types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M))
    helps = re.findall(r"^# HELP (\w+) (.*)$", text, re.M)
    return {(name, types[name], text) for name, text in helps}


def scrape(url):
    return get(url, **OPEN)[2]


def taken(url):
    """Tuples that the operator Numbers has taken; -1: not known yet."""
    line = r'sluice_operator_tuples_total\{operator="Numbers",.*direction="in"\} (\S+)'
    found = re.search(line, scrape(url))
    return float(found.group(1)) if found else -1


def check(text, url):
    """What promtool has to say."""
    out = subprocess.run(
        ["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60
    )
    expect(f"promtool about {url}", (out.returncode, out.stdout + out.stderr), (0, ""))


def prometheus(url, job):
    """A real Prometheus scrapes it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    target = url.split("/")[2]
    config = write(
        "prometheus.yml",
        "scrape_configs:\n- job_name: sluice\n  scrape_interval: 1s\n"
        f"  static_configs: [{{targets: ['{target}']}}]\n",
    )
    server = Program(
        "prometheus",
        f"--config.file={config}",
        f"--storage.tsdb.path={FOLDER}/tsdb",
        f"--web.listen-address=127.0.0.1:{port}",
    )
    with server:

        def ask(path):
            try:
                return json.loads(get(f"http://127.0.0.1:{port}/api/v1/{path}")[2])["data"]
            except (OSError, ValueError):  # it is not ready yet
                return {}

        rows = until(
            "Prometheus has scraped",
            lambda: ask("query?query=sluice_operator_tuples_total").get("result"),
        )
        names = {row["metric"]["operator"] for row in rows}
        expect("operators in Prometheus", names >= job, True)
        target = ask("targets")["activeTargets"][0]
        expect("the target", (target["health"], target["lastError"]), ("up", ""))
        types = ask("metadata?metric=sluice_operator_tuples")
        expect("the type", {one["type"] for all in types.values() for one in all}, {"counter"})
        server.process.terminate()
    warnings = re.findall(r".*level=(?:warn|error).*(?:sluice|scrape).*", server.said())
    expect("no warning of Prometheus", warnings, [])


out = sluice("run", SOURCE, "--metrics=0.0.0.0:0")
expect("beyond loopback", out.returncode, 1)
expect_in("why not", "others could reach 0.0.0.0:0: --allow-listen lets it", out.stderr)
out = sluice("run", SOURCE, "--metrics=x")
expect_in("no port", "--metrics needs PORT or ADDRESS:PORT", out.stderr)

with Program("sluice", "run", SOURCE, "--metrics=0") as program:
    url = program.where("metrics")
    until("tuples", lambda: taken(url) > 0)
    until("failures", lambda: 'what="caught"' in scrape(url))
    text = scrape(url)
    expect("no more than is listed", families(text) - LISTED, set())
    links = {"sluice_link_" + name for name in ("tuples", "bytes", "waited_seconds")}
    expect("all but links", {name for name, _, _ in LISTED - families(text)}, links)
    expect("the end", text.endswith("# EOF\n"), True)
    expect_in("names are escaped", 'metric="a \\"name\\""', text)
    first = taken(url)
    until("counters rise", lambda: taken(url) > first)
    plain = get(url)
    expect_in("Prometheus's own format", "text/plain; version=0.0.4", plain[1]["Content-Type"])
    check(plain[2], url)
    expect("nothing else is there", get(url.replace("/metrics", "/lines"))[0], 404)
    expect("another host", get(url, Host="example.com")[0], 403)
    prometheus(url, {"Words", "Numbers"})
    expect("it ends as it is told", program.end(), 0)

with Program("sluice", "run", SOURCE, "--pes=2", "--metrics=0") as program:
    url = program.where("metrics")
    until("both PEs", lambda: scrape(url).count("sluice_uptime_seconds{") == 2)
    text = scrape(url)
    expect("all is listed", families(text) - LISTED, set())
    expect_in("links", "sluice_link_tuples_total{", text)
    check(get(url)[2], "two PEs")
    program.end()
finish()
