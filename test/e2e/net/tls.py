# REQUIRES: slow
# RUN: %python %s
"""TCPSource and TCPSink with TLS; the other ends are Python's."""

import os
import socket
import ssl
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, finish, sluice, write  # noqa: E402

PASSWORD = "hush-hush"


def call(*command):
    subprocess.run(["openssl", *command], cwd=FOLDER, check=True, capture_output=True)


def path(name):
    return os.path.join(FOLDER, name)


def certify(name, authority, names):
    """NAME.pem: a certificate of `names` that the authority has signed, and its key; NAME-locked.pem
    has the key with a password."""
    call("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
         "-out", f"{name}.csr")  # fmt: skip
    write(f"{name}.ext", f"subjectAltName={names}\n")
    call("x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.pem", "-CAkey",
         f"{authority}.key", "-CAcreateserial", "-extfile", f"{name}.ext", "-days", "2", "-out",
         f"{name}.crt")  # fmt: skip
    call("rsa", "-aes256", "-passout", f"pass:{PASSWORD}", "-in", f"{name}.key", "-out",
         f"{name}-locked.key")  # fmt: skip
    for kind in ("", "-locked"):
        with open(path(f"{name}{kind}.pem"), "w") as out:
            for part in (f"{name}.crt", f"{name}{kind}.key"):
                with open(path(part)) as text:
                    out.write(text.read())


for authority in ("ours", "theirs"):
    call("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         f"/CN={authority}", "-keyout", f"{authority}.key", "-out", f"{authority}.pem")  # fmt: skip
certify("local", "ours", "DNS:localhost,IP:127.0.0.1")
certify("other", "ours", "DNS:elsewhere.example")
certify("foreign", "theirs", "DNS:localhost,IP:127.0.0.1")


def program(name, operators):
    source = write(
        name + ".spl",
        f"""composite {name} {{
  param
    expression<uint32> $port : (uint32) getSubmissionTimeValue("port");
    expression<rstring> $certificate : getSubmissionTimeValue("certificate", "");
    expression<rstring> $password : getSubmissionTimeValue("password", "");
    expression<rstring> $address : getSubmissionTimeValue("address", "localhost");
  graph
{operators}
}}
""",
    )
    built = path(name)
    out = sluice("build", source, "-o", built)
    expect(f"building {name}", (out.returncode, "error:" in out.stderr), (0, False))
    return built


def start(built, *arguments):
    return subprocess.Popen(
        [built, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=FOLDER
    )


def end(process, what, code=0):
    out, err = process.communicate(timeout=TIMEOUT)
    expect(f"{what}: exit code", process.returncode, code)
    expect(f"{what}: the password is nowhere", PASSWORD in out + err, False)
    return out, err


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def connect(port, context, name="localhost"):
    """As soon as somebody listens."""
    for _ in range(TIMEOUT * 100):
        try:
            plain = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
            return context.wrap_socket(plain, server_hostname=name) if context else plain
        except ConnectionRefusedError:
            socket.socket().close()
            subprocess.run(["sleep", "0.01"])
    raise TimeoutError(port)


def client_context(certificate=None):
    context = ssl.create_default_context(cafile=path("ours.pem"))
    if certificate:
        context.load_cert_chain(path(certificate))
    return context


def server_context(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path(certificate))
    return context


def take(listener, context):
    """A connection of which the handshake is done, or None."""
    plain, _ = listener.accept()
    try:
        return context.wrap_socket(plain, server_side=True)
    except (ssl.SSLError, ConnectionError):
        return None


def take_late(listener, context):
    """A connection whose client has sent what there is room for before its handshake is done here,
    which is when this end sends tickets."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 10)
    plain, _ = listener.accept()
    connection = context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
    connection.setblocking(False)
    while True:
        try:
            connection.do_handshake()
            connection.settimeout(TIMEOUT)
            return connection
        except ssl.SSLWantReadError:
            time.sleep(0.5)


SHOW = """
    () as Out = Custom(In) { logic onTuple In : println(In); onPunct In : println(currentPunct()); }"""
END = "role : server; port : $port; reconnectionPolicy : NoRetry;"

# A server, with a key that has a password; rows over the length of a record of TLS.
server = program(
    "Server",
    f"""    stream<int32 n, rstring s> In = TCPSource() {{
      param {END} sslCertificateFile : $certificate; password : $password;
    }}
    () as Out = Custom(In) {{ logic onTuple In : println(n * length(s));
                                     onPunct In : println(currentPunct()); }}""",
)
locked = [f"certificate={path('local-locked.pem')}", "password=@env:TLS_PASSWORD"]
os.environ["TLS_PASSWORD"] = PASSWORD
port = free_port()
process = start(server, f"port={port}", *locked, f"--trace={path('trace')}")
with connect(port, client_context()) as client:
    client.sendall(b"".join(b'%d,"%s"\n' % (n, b"x" * 40_000) for n in range(100)))
out, _ = end(process, "a server")
lengths = "".join(f"{n * 40_000}\n" for n in range(100))
expect("a server", out, lengths + "WindowMarker\nFinalMarker\n")
_, err = end(start(server, f"port={free_port()}", *locked[:1], "password=wrong"), "wrong", 1)
expect("a wrong password", "`password` is wrong" in err and "wrong." not in err, True)
_, err = end(start(server, f"port={free_port()}", "certificate=/no/such"), "no file", 1)
expect("no certificate", "cannot read the certificate of /no/such: " in err, True)

# A client without TLS is told of, and the server goes on.
several = program(
    "Several",
    """    stream<int32 n> In = TCPSource() {
      param role : server; port : $port; reconnectionPolicy : BoundedRetry; reconnectionBound : 3u;
            maxConnections : 2u; sslCertificateFile : "local.pem"; sslAuthenticateClient : require;
            sslCertificateAuthorityFile : "ours.pem";
    }"""
    + SHOW,
)
port = free_port()
process = start(several, f"port={port}")
with connect(port, None) as plain:
    plain.sendall(b"1\n" * 1000)
    with connect(port, client_context("other.pem")) as client:
        client.sendall(b"2\n")
        rows = [process.stdout.readline() for _ in range(2)]  # a marker, too
        expect("beside one without TLS", "{n=2}\n" in rows, True)
for certificate in (None, "foreign.pem"):
    with connect(port, client_context(certificate)) as client:
        try:
            client.sendall(b"3\n")
            client.recv(1)  # what the server says of the certificate
        except (ssl.SSLError, ConnectionError):
            pass
_, err = end(process, "several")
expect("told of", [w in err for w in ("TLS: ", "peer did not return a certificate")], [True] * 2)
expect("who was served", "n=3" in err, False)

# A client checks whose certificate it is, and who has signed it.
client = program(
    "Client",
    """    stream<int32 n> In = TCPSource() {
      param role : client; address : $address; port : $port; reconnectionPolicy : NoRetry;
            sslCertificateAuthorityFile : "ours.pem"; sslProtocol : "TLSv1.3";
    }"""
    + SHOW,
)
for address, certificate, problem in (
    ("localhost", "local.pem", ""),
    ("127.0.0.1", "local.pem", ""),
    ("localhost", "other.pem", "hostname mismatch"),
    ("127.0.0.1", "other.pem", "IP address mismatch"),
    ("localhost", "foreign.pem", "unable to get local issuer certificate"),
):
    what = f"{address} {certificate}"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(TIMEOUT)
        process = start(client, f"port={listener.getsockname()[1]}", f"address={address}")
        connection = take(listener, server_context(certificate))
        if connection:
            try:
                connection.sendall(b"1\n2\n")
                connection.close()
            except (ssl.SSLError, ConnectionError):
                pass
        out, err = end(process, what, 1 if problem else 0)
        expect(f"{what}: rows", out, "" if problem else "{n=1}\n{n=2}\nWindowMarker\nFinalMarker\n")
        expect(f"{what}: problem", problem in err, True)

# A sink as a client, which waits for room; and one that finds another server than it wants.
sink = program(
    "Sink",
    """    stream<int32 n, rstring s> In = Beacon() {
      param iterations : 20000;
      output In : n = (int32) IterationCount(), s = "0123456789012345678901234567890123456789";
    }
    () as Out = TCPSink(In) {
      param role : client; address : "localhost"; port : $port; retryFailedSends : true;
            sslCertificateAuthorityFile : "ours.pem"; sslCertificateFile : "local.pem";
    }""",
)
for certificate, code, accept in (("local.pem", 0, take), ("local.pem", 0, take_late),
                                  ("other.pem", 1, take)):  # fmt: skip
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(TIMEOUT)
        process = start(sink, f"port={listener.getsockname()[1]}")
        connection = accept(listener, server_context(certificate))
        if not code:
            expect("it reads late", process.poll(), None)
            text = connection.makefile("rb").read().splitlines()
            expect("a sink", [len(text), text[-1].split(b",")[0]], [20000, b"19999"])
        _, err = end(process, f"a sink, {certificate}", code)
        expect(f"a sink, {certificate}", "hostname mismatch" in err, bool(code))
        if connection:
            connection.close()

# A program of ours at both ends.
both = program(
    "Both",
    f"""    stream<int32 n> Numbers = Beacon() {{
      param iterations : 100000; output Numbers : n = (int32) IterationCount();
    }}
    () as Out = TCPSink(Numbers) {{
      param {END} retryFailedSends : true; format : bin; sslCertificateFile : "local.pem";
    }}
    stream<int32 n> Back = TCPSource() {{
      param role : client; address : "localhost"; port : $port; format : bin;
            reconnectionPolicy : BoundedRetry; reconnectionBound : 50u;
            sslCertificateAuthorityFile : "ours.pem";
    }}
    () as Check = Custom(Back) {{
      logic state : mutable int32 next = 0;
            onTuple Back : {{ assert(n == next, "order"); next++; if (next == 100000) {{
              printStringLn("all"); shutdownPE(); }} }}
    }}""",
)
out, _ = end(start(both, f"port={free_port()}"), "both ends")
expect("both ends", out, "all\n")

# A server with a name: its certificate names the machine. No port is given.
named = program(
    "Named",
    """    stream<int32 n> Numbers = Beacon() {
      param iterations : 100; output Numbers : n = (int32) IterationCount();
    }
    () as Out = TCPSink(Numbers) {
      param role : server; name : "tls"; retryFailedSends : true;
            reconnectionPolicy : NoRetry; sslCertificateFile : $certificate;
    }
    stream<int32 n> In = TCPSource() {
      param role : client; name : "tls"; sslCertificateAuthorityFile : "ours.pem";
            reconnectionPolicy : BoundedRetry; reconnectionBound : 50u;
    }
    stream<int32 n> Sum = Aggregate(In) {
      window In : tumbling, count(100); output Sum : n = Sum(n);
    }
    () as Print = Custom(Sum) { logic onTuple Sum : { println(n); shutdownPE(); } }""",
)
os.environ["XDG_RUNTIME_DIR"] = FOLDER
for certificate, code, shown, problem in (
    ("local.pem", 0, "4950\n", ""),
    ("other.pem", 1, "", 'cannot connect to 127.0.0.1:'),
):
    process = start(named, "port=0", f"certificate={path(certificate)}")
    out, err = end(process, f"a name, {certificate}", code)
    expect(f"a name, {certificate}: rows", out, shown)
    expect(f"a name, {certificate}: problem", problem in err, True)
    expect(f"a name, {certificate}: mismatch", "hostname mismatch" in err, bool(code))
finish()
