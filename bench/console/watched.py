"""watched.py PROGRAM [ARGUMENT]...: runs a program whose console is open: its lines are fetched twice a
second, as the page does. It ends with the program's exit code."""

import json
import re
import subprocess
import sys
import threading
import time
import urllib.request

PERIOD = 0.5  # s


def look(address):
    """Fetches what is new, until the console is gone."""
    base, _, token = address.partition("/#k=")
    following = 0
    while True:
        request = urllib.request.Request(
            f"{base}/lines?from={following}", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                following = json.loads(reply.readline())["next"]
                reply.read()
        except OSError:
            return
        time.sleep(PERIOD)


def main(command):
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    watched = False
    for line in process.stderr:
        if found := re.match(r"console: (\S+)$", line):
            threading.Thread(target=look, args=[found.group(1)], daemon=True).start()
            watched = True
        else:
            sys.stderr.write(line)
    code = process.wait()
    if not (watched or code):
        sys.stderr.write("no console was open\n")
    return code if watched else code or 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
