"""How jobs end: by `sluice stop`, and by what the program itself does."""

import os

from local import Local
from texts import ABORT, ABORT_AT, DRAIN


class Ends(Local):
    def write(self, name, text):
        with open(os.path.join(self.work, name + ".spl"), "w", encoding="utf-8") as file:
            file.write(text)
        self.must("build", "build", f"{name}.spl", "--pes=3", "--target=flink", "-o", name)

    def drain(self):
        """`sluice stop`: sources end, also behind other PEs; what has come is run; streams end."""
        self.write("drain", DRAIN)
        at = f"--at={self.address}"
        for options in [], ["--checkpoint-every=200ms"]:
            self.clear()
            job = self.must("submit", "submit", "drain", f"--to={self.address}", *options)
            self.until("it runs", lambda: self.size() > 1000)
            self.must(f"stop {options}", "stop", job, at)
            self.check("it is finished", "FINISHED" in self.job(job), self.job(job))
            self.check("no PE is left", self.pes() == [], self.pes())
            *lines, last = self.output()
            self.same("nothing is lost", lines, [str(n) for n in range(len(lines))])
            self.check("streams end", last == f"end of {len(lines)}", last)
        self.clear()
        saved = os.path.join(self.folder, "c", "savepoints")
        self.check("nothing is kept", os.listdir(saved) == [], os.listdir(saved))
        job = self.must("submit", "submit", "drain", f"--to={self.address}")
        self.until("it runs", lambda: self.size() > 1000)
        self.must("stop --now", "stop", job, at, "--now")
        self.check("it is canceled", "CANCELED" in self.job(job), self.job(job))
        self.check("it ends without an end", not self.output()[-1].startswith("end"))
        self.clear()
        self.says("without --at", "needs --at", "stop", job, "--now")
        self.says("both", "do not go together", "stop", job, at, "--now", "--savepoint=s")

    def abort(self):
        """abort() ends its PE. Flink starts it again, once for all, if there are checkpoints."""
        self.write("abort", ABORT)
        submit = ["submit", "abort", f"--to={self.address}", "--wait"]
        self.says("abort without checkpoints", "has ended with exit code 75", *submit)
        self.clear()
        self.must("abort with checkpoints", *submit, "--checkpoint-every=200ms")
        rows = [line.split(",") for line in self.output()]
        self.same("each row once", [int(n) for n, _ in rows], [*range(2 * ABORT_AT)])
        runs = [int(run) for _, run in rows]
        self.check("the count of relaunches", runs == sorted(runs) and set(runs) == {0, 1}, runs)
        self.check("who ended it is started again", runs[ABORT_AT] == 1, runs)
        self.clear()
