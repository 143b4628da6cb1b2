"""A cluster of Apache Flink on a system that has Sluice's package and nothing else: it says what to
install, and then word count runs on it."""

import os
import shutil
import time

REPOSITORY = os.path.expanduser("~/.m2/repository")  # Maven's, of this machine
UP = "cd /root && sluice cluster up --dir=c --hosts=1 --port=0"
WORDS = """set -e
cd /root
cp -r /usr/share/doc/sluice/examples/word_count .
sluice build word_count/WordCount.spl --pes=3 --target=flink -o words
sluice cluster up --dir=c --hosts=1 --port=0
sluice submit words --to=$(cat c/address) --wait --data-dir=/root/word_count/data
grep -h -o 'prints: .*' c/log/host0.log
sluice cluster down --dir=c"""
MOST_SECONDS = 60


def checks(system, root):
    """Yields (name, problem or None)."""
    if os.path.isdir(REPOSITORY):  # not all of it is fetched again
        shutil.copytree(REPOSITORY, system.root + "/root/.m2/repository")
    out = system.run(UP)
    commands = [line.strip() for line in out.stderr.splitlines() if line.startswith("  ")]
    named = [word for word in ("apt install maven openjdk-17-jdk-headless", "mvn -q package -f")
             if any(word in line for line in commands)]  # fmt: skip
    yield "a cluster says what is missing", None if len(named) == 2 else out.stdout + out.stderr
    if len(named) < 2:
        return
    for command in commands:
        problem = system.problem(command.replace("apt install", "apt-get install -y -qq"))
        yield f"a cluster: {command.split()[0]}", problem
        if problem:
            return
    with open(os.path.join(root, "examples/word_count/expected/stdout"), encoding="utf-8") as file:
        wanted = "".join(f"prints: {line}" for line in file)
    began = time.time()
    problem = system.problem(WORDS, wanted)
    seconds = time.time() - began
    print(f"word count on a new cluster of a bare Debian in {seconds:.0f} s")
    yield "word count on a cluster", problem
    yield "it is fast", None if seconds < MOST_SECONDS else f"it took {seconds:.0f} s"
