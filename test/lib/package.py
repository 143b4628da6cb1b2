"""The Debian package, used as on a new machine: a bare Debian in a folder, made by debootstrap, in
which apt installs the package. It takes packages from where this machine takes them."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

import fresh_cluster

APT = (  # what apt and its connections need, as far as it is there
    *("/etc/apt", "/etc/ssl/certs", "/usr/share/keyrings", "/usr/local/share/ca-certificates"),
    *("/etc/resolv.conf", "/etc/hosts"),
)
GREETING = "".join(f"Hello, stream {n}\n" for n in range(3))
EXAMPLES = "/usr/share/doc/sluice/examples"
PLOT = f"""set -e
cd /root
sluice run {EXAMPLES}/vwap/Vwap.spl --elastic=model --trace=t.jsonl >/dev/null
sluice trace plot t.jsonl -o t.html
grep -c '<html' t.html"""
# Name -> a script, and what its standard output has to contain.
USES = {
    "run": (f"sluice run {EXAMPLES}/hello/Hello.spl", GREETING),
    "build": (f"cd /root && sluice build {EXAMPLES}/hello/Hello.spl -o app && ./app", GREETING),
    "graph": (f"sluice graph {EXAMPLES}/hello/Hello.spl", "digraph"),
    "explain": (f"sluice explain {EXAMPLES}/word_count/WordCount.spl", "switchable"),
    "explain-error": ("sluice explain-error SL0053", "unknown name"),
    "trace plot": (PLOT, "1"),
    "man": ("gzip -dc /usr/share/man/man1/sluice.1.gz", ".SH NAME"),
    "completion": ("cat /usr/share/bash-completion/completions/sluice", "complete "),
}


def unavailable():
    """Why this machine cannot do it, or None."""
    if os.geteuid():
        return "only root can make a bare system"
    for tool in ("debootstrap", "dpkg-deb", "readelf", "apt-get", "unshare"):
        if not shutil.which(tool):
            return f"there is no {tool}"
    if call(["unshare", "--mount", "true"]):
        return "it may not mount file systems"
    return None if archive() else "apt has no archive here"


def archive():
    """(suite, address) of the archive that apt takes most packages from; None if there is none."""
    out = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Created-By: Packages"],
        capture_output=True,
        text=True,
    )
    lines = [line.split() for line in out.stdout.splitlines()]
    return next((tuple(line) for line in lines if len(line) == 2 and "-" not in line[0]), None)


class System:
    """A bare system in a folder."""

    def __init__(self, root):
        self.root = root

    def make(self):
        suite, address = archive()
        if problem := call(["debootstrap", "--variant=minbase", suite, self.root, address]):
            return problem
        for path in APT:
            target = self.root + path
            if os.path.isdir(path):
                shutil.copytree(path, target, symlinks=True, dirs_exist_ok=True)
            elif os.path.exists(path):
                shutil.copy(path, target)
        # As in images of containers: nothing here has to outlive a loss of power.
        with open(self.root + "/etc/dpkg/dpkg.cfg.d/fast", "w", encoding="utf-8") as file:
            file.write("force-unsafe-io\n")
        return self.problem("apt-get update -qq")

    def run(self, script):
        """With /proc, which is there as long as the script runs."""
        inside = 'mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -c "$2"'
        command = ["unshare", "--mount", "sh", "-c", inside, "sh", self.root, script]
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8")
        environment.pop("TMPDIR", None)
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)

    def problem(self, script, wanted=""):
        try:
            out = self.run(script)
        except subprocess.TimeoutExpired as late:
            return f"{script}\ndid not end within {late.timeout} s"
        if out.returncode == 0 and wanted in out.stdout:
            return None
        return f"{script}\nexit code {out.returncode}\n{(out.stdout + out.stderr)[-2000:]}"


def call(command):
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired as late:
        return f"{command} did not end within {late.timeout} s"
    return f"{' '.join(command)}\n{(out.stdout + out.stderr)[-2000:]}" if out.returncode else None


def made(context):
    """Makes the package: its path and None, or None and what is wrong."""
    script = os.path.join(context.root, "tools", "package", "package.py")
    command = [sys.executable, script, "--build", context.build]
    out = subprocess.run(command, capture_output=True, text=True, timeout=300)
    print(out.stdout, end="")
    if out.returncode:
        return None, out.stdout + out.stderr
    return out.stdout.split(": ")[0], None


def left(system, files):
    """What is still there of the package's files, but for folders of others."""
    return [
        name
        for name in files
        if os.path.lexists(system.root + name)
        and ("sluice" in name or not os.path.isdir(system.root + name))
    ]


def checks(context):
    """Runs all; yields (name, problem or None). Ends at what the rest needs."""
    package, problem = made(context)
    yield "the package is made", problem
    if problem:
        return
    with tempfile.TemporaryDirectory(prefix="sluice-bare-") as root:
        os.chmod(root, 0o755)
        system = System(root)
        problem = system.make()
        yield "a bare system", problem
        if problem:
            return
        shutil.copy(package, os.path.join(root, "root", "sluice.deb"))
        start = time.time()
        problem = system.problem("apt-get install -y -qq /root/sluice.deb")
        print(f"installed on a bare Debian in {time.time() - start:.0f} s")
        yield "apt installs it", problem
        if problem:
            return
        for name, (script, wanted) in USES.items():
            yield name, system.problem(script, wanted)
        yield from fresh_cluster.checks(system, context.root)
        files = system.run("dpkg -L sluice").stdout.split("\n")
        files = [name for name in files if name not in ("", "/.")]
        yield "it has files", None if len(files) > 50 else f"only {files}"
        yield "apt removes it", system.problem("apt-get purge -y -qq --autoremove sluice")
        yield "what was built runs without it", system.problem("/root/app", GREETING)
        rest = left(system, files)
        yield "nothing is left", "\n".join(rest) or None
