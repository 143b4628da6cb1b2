#!/usr/bin/env python3
"""Makes a Debian package of what was built, BUILD/sluice_VERSION_ARCH.deb; called as
`sluice package`. It depends on the packages of the libraries that the driver is linked with, and on
those that `sluice build` needs to link a program."""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import install

CONTROL = """Package: sluice
Version: {version}
Architecture: {architecture}
Maintainer: The authors of Sluice <sluice@localhost>
Installed-Size: {size}
Depends: {depends}
Recommends: libicu72 | libicu76, libexpat1, libbz2-1.0, tzdata
Suggests: libstdc++-12-dev-ppc64el-cross, qemu-user-static, graphviz,
 libucx0, librdkafka1, libcurl4, libpq5, libmosquitto1,
 openjdk-17-jdk-headless, maven
Section: devel
Priority: optional
Description: compiler and runtime for SPL, the Streams Processing Language
 Sluice compiles programs in the Streams Processing Language of IBM Streams to
 native code, and runs them with an elastic runtime. This package has the driver
 sluice, the standard toolkit, and the runtime for executables for x86-64 and
 ppc64le. The latter need the package libstdc++-12-dev-ppc64el-cross.
"""
# Flink, which the user may have fetched there.
POSTRM = """#!/bin/sh
set -e
if [ "$1" = purge ]; then rm -rf /usr/lib/sluice; fi
"""
LINKING = ("clang-22", "lld-22")  # clang++ knows where the C and C++ libraries lie
FOLDERS = {  # where Debian has them
    "usr/share/zsh/site-functions": "usr/share/zsh/vendor-completions",
}


def output(*command, **more):
    out = subprocess.run(command, capture_output=True, text=True, **more)
    if out.returncode:
        sys.exit(f"sluice package: {' '.join(command)}\n{out.stdout}{out.stderr}")
    return out.stdout


def dependencies(program):
    """The packages of the libraries of a program, not older than here."""
    names = re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-d", program))
    paths = dict(re.findall(r"(\S+) => (\S+)", output("ldd", program)))
    paths["ld-linux-x86-64.so.2"] = "/lib64/ld-linux-x86-64.so.2"
    # dpkg knows the real names, or those of before /lib became a link.
    owners = {owner(os.path.realpath(paths[name])) for name in names}
    versions = output("dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *sorted(owners))
    pairs = [line.split() for line in versions.splitlines()]
    return [f"{name} (>= {version.rpartition('-')[0] or version})" for name, version in pairs]


def owner(path):
    for name in (path, path.removeprefix("/usr")):
        out = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if out.returncode == 0:
            return out.stdout.split(":")[0]
    sys.exit(f"sluice package: no package has {path}")


def arrange(root):
    """Moves what Debian has elsewhere, and packs the manual page."""
    for old, new in FOLDERS.items():
        os.renames(os.path.join(root, old), os.path.join(root, new))
    page = os.path.join(root, "usr/share/man/man1/sluice.1")
    with open(page, "rb") as plain, open(page + ".gz", "wb") as file:
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            shutil.copyfileobj(plain, packed)
    os.remove(page)


def size(folder):
    """In KiB, as Debian counts."""
    return sum(
        -(-os.lstat(os.path.join(base, name)).st_size // 1024)
        for base, _, names in os.walk(folder)
        for name in names
    )


def main():
    parser = argparse.ArgumentParser(prog="sluice package", description=__doc__)
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    build = parser.parse_args().build
    for tool in ("dpkg-deb", "readelf"):
        if not shutil.which(tool):
            sys.exit(f"sluice package: {tool} is needed")
    start = time.time()
    architecture = output("dpkg", "--print-architecture").strip()
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)
        install.stage(build, "/usr", root)
        driver = os.path.join(root, "usr/bin/sluice")
        version = output(driver, "version").split()[1]
        arrange(root)
        depends = ", ".join([*dependencies(driver), *LINKING])
        text = CONTROL.format(
            version=version, architecture=architecture, size=size(root), depends=depends
        )
        os.mkdir(os.path.join(root, "DEBIAN"))
        with open(os.path.join(root, "DEBIAN", "control"), "w", encoding="utf-8") as file:
            file.write(text)
        script = os.path.join(root, "DEBIAN", "postrm")
        with open(script, "w", encoding="utf-8") as file:
            file.write(POSTRM)
        os.chmod(script, 0o755)
        package = os.path.join(build, f"sluice_{version}_{architecture}.deb")
        output("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package)
    print(f"{package}: {os.path.getsize(package) / 1e6:.1f} MB in {time.time() - start:.0f} s")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"sluice package: {error}")
