"""A web server of its own for tests, on loopback, that can be killed and started again."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import servers

HERE = os.path.dirname(os.path.abspath(__file__))


def certificate(folder, name, host):
    """A certificate that signs itself, with its key, in one PEM file; `host` is whom it is for."""
    if not shutil.which("openssl"):
        raise servers.Missing("there is no openssl")
    path, key = os.path.join(folder, name + ".pem"), os.path.join(folder, name + ".key")
    kind = "IP" if host[0].isdigit() else "DNS"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", f"/CN={host}", "-addext", f"subjectAltName={kind}:{host}"]
    command += ["-keyout", key, "-out", path]
    subprocess.run(command, check=True, capture_output=True)
    with open(key) as secret, open(path, "a") as both:
        both.write(secret.read())
    return path


class Web:
    """With a certificate it speaks TLS; with `clients`, too, it asks for one of these."""

    def __init__(self, certificate=None, clients=None):
        self.folder = tempfile.TemporaryDirectory(prefix="sluice-web-")
        self.port = servers.free_ports(1)[0]
        self.log = os.path.join(self.folder.name, "log")
        self.options = [path for path in (certificate, clients) if path]
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        script = os.path.join(HERE, "web_server.py")
        command = [sys.executable, script, str(self.port), self.log]
        self.process = subprocess.Popen(command + self.options)
        servers.await_port(self.port, self.process)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def seen(self, path=""):
        """The requests whose path begins so, in order."""
        with open(self.log) as file:
            requests = [json.loads(line) for line in file]
        return [request for request in requests if request["path"].startswith(path)]

    def close(self):
        self.go_on()
        self.kill()
        self.folder.cleanup()
