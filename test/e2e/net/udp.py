# RUN: %python %s
"""UDPSource and UDPSink with sockets of this test at their other end."""

import os
import signal
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, finish, sluice, write  # noqa: E402

source = write(
    "Echo.spl",
    """rstring padded(rstring text, int32 least) {
  mutable rstring result = text;
  while (length(result) < least) result += result;
  return result;
}
composite Echo {
  param
    expression<rstring> $in : getSubmissionTimeValue("in");
    expression<rstring> $out : getSubmissionTimeValue("out");
  graph
    stream<int32 least, rstring s, int64 no> In = UDPSource() {
      param port : $in; address : "127.0.0.1"; parsing : permissive;
      output In : no = TupleNumber();
    }
    stream<In> Longer = Functor(In) { output Longer : s = padded(s, least); }
    () as Out = UDPSink(Longer) { param port : $out; address : "127.0.0.1"; }
}
""",
)
program = os.path.join(FOLDER, "echo")
expect("building", sluice("build", source, "-o", program).stderr, "")


def receiver():
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.settimeout(TIMEOUT)
    made.bind(("127.0.0.1", 0))
    return made


with receiver() as free:
    port = free.getsockname()[1]
with receiver() as mine:
    process = subprocess.Popen(
        [program, f"in={port}", f"out={mine.getsockname()[1]}"], stderr=subprocess.PIPE, text=True
    )
    mine.settimeout(0.05)
    while True:  # until it listens
        mine.sendto(b'0,"hello"', ("127.0.0.1", port))
        try:
            first = mine.recv(65536)
            break
        except TimeoutError:
            continue
    mine.settimeout(TIMEOUT)
    expect("a datagram", first, b'0,"hello",1\n')
    # Two tuples in one, and a bad row, which has a number as well.
    mine.sendto(b'0,"a"\nx,"b"\n0,"c"\n', ("127.0.0.1", port))
    got = [mine.recv(65536) for _ in range(2)]
    number = int(got[0].split(b",")[2])
    expect(
        "two tuples",
        got,
        [b'0,"a",%d\n' % number, b'0,"c",%d\n' % (number + 2)],
    )
    mine.sendto(b'60000,"%s"' % (b"x" * 60000), ("127.0.0.1", port))
    expect("a long tuple", len(mine.recv(65536)), len('60000,"",1\n') + 60000)
    process.send_signal(signal.SIGINT)
    expect("the end", process.wait(TIMEOUT), 0)
    expect("a bad row is told", "1 bad row" in process.stderr.read(), True)

    process = subprocess.Popen(
        [program, f"in={port}", f"out={mine.getsockname()[1]}"], stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None:
        mine.sendto(b'70000,"x"', ("127.0.0.1", port))
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    expect("a tuple that is too long", process.returncode, 1)
    expect("it is told", "does not fit into a datagram" in process.stderr.read(), True)

    # Nobody else may take the datagrams of a port.
    taken = mine.getsockname()[1]
    second = subprocess.run(
        [program, f"in={taken}", f"out={port}"], stderr=subprocess.PIPE, text=True, timeout=TIMEOUT
    )
    expect("a port that is taken", second.returncode, 1)
    expect("that is told", "Address already in use" in second.stderr, True)
finish()
