# REQUIRES: slow
# RUN: %python %s
"""Operators in C++ in checkpoints: a StateHandler goes on where it was, a stateless one has nothing
to save, any other is refused."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from checkpoints import Killed, files_of, undisturbed  # noqa: E402
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

os.environ["SLUICE_CACHE"] = os.path.join(FOLDER, "cache")
ROWS = 1500


def operator(name, inputs, body, bases="", context="", outputs=1):
    ports = (
        "<inputPortSet><windowPunctuationInputMode>Oblivious</windowPunctuationInputMode>"
        "</inputPortSet>"
    )
    out = (
        "<outputPortSet><windowPunctuationOutputMode>Free</windowPunctuationOutputMode>"
        "</outputPortSet>"
    )
    write(
        f"app/demo/{name}/{name}.xml",
        f"<operatorModel><cppOperatorModel><context>{context}</context><parameters/>"
        f"<inputPorts>{ports * inputs}</inputPorts><outputPorts>{out * outputs}</outputPorts>"
        "</cppOperatorModel></operatorModel>\n",
    )
    write(
        f"app/demo/{name}/{name}.cpp",
        "#include <sluice/operator.h>\nusing namespace sluice;\n"
        f"class {name} : public Operator{bases} {{\n{body}}};\n"
        f'SLUICE_OPERATOR("demo::{name}", {name})\n',
    )


operator(
    "Numbers",
    0,
    f"""
  SPL::int64 next = 100;
  void start() override {{ next = 50; }}
  void resetToInitialState() override {{ next -= 50; }}
  void checkpoint(Checkpoint &to) override {{ to << next; }}
  void reset(Checkpoint &from) override {{ from >> next; }}
  void produce() override {{
    auto n = output<SPL::int64>("n");
    while (next < {ROWS} && !isShutdown()) {{
      OutTuple out(*this);
      out.set(n, next++);
      submit(out);
      savePoint();
    }}
  }}
""",
    bases=", public StateHandler",
)
operator(
    "Sums",
    1,
    """
  SPL::int64 sum = 0;
  SPL::map<SPL::rstring, SPL::list<SPL::int64>> last;
  void checkpoint(Checkpoint &to) override { to << sum << last; }
  void reset(Checkpoint &from) override { from >> sum >> last; }
  void process(InTuple tuple, uint32_t) override {
    SPL::int64 n = tuple.get(input<SPL::int64>("n"));
    sum += n;
    auto &some = last["a key that is longer than twelve bytes: " + std::to_string(n % 5)];
    some.push_back(n);
    if (some.size() > 3)
      some.erase(some.begin());
    OutTuple out(*this);
    out.set(output<SPL::int64>("sum"), sum);
    out.set(output<SPL::list<SPL::int64>>("last"), some);
    submit(out);
  }
""",
    bases=", public StateHandler",
)
forward = """
  void process(InTuple tuple, uint32_t) override {
    OutTuple out(*this);
    out.copy(tuple);
    submit(out);
  }
"""
operator("Same", 1, forward, context="<stateless/>")
operator("Unknown", 1, forward)


def main(name, kind):
    return write(
        f"app/demo/{name}.spl",
        f"""namespace demo;
composite {name} {{
  graph
    stream<int64 n> All = Numbers() {{}}
    stream<int64 n> Slow = Throttle(All) {{ param rate : 800.0; }}
    stream<int64 n> Through = {kind}(Slow) {{}}
    stream<int64 sum, list<int64> last> S = Sums(Through) {{}}
    () as Out = FileSink(S) {{ param file : "sums"; }}
}}
""",
    )


program = os.path.join(FOLDER, "main")
expect("build", sluice("build", main("Main", "Same"), "-o", program).stderr, "")
wanted = files_of(undisturbed(program, "undisturbed"))
expect("rows", wanted["sums"].count(b"\n"), ROWS)
runs = Killed(program, "killed")
runs.run()
if runs.kills < 3:
    expect("kills", runs.kills, "3 or more")
expect("sums", files_of(runs.data), wanted)

# A source that says when: one checkpoint at each place, and the source waits there for it.
operator("Driver", 0, f"""
  SPL::int64 next = 0;
  void checkpoint(Checkpoint &to) override {{ to << next; }}
  void reset(Checkpoint &from) override {{ from >> next; }}
  void produce() override {{
    while (next < {ROWS} && !isShutdown()) {{
      OutTuple out(*this);
      out.set(output<SPL::int64>("n"), next++);
      submit(out);
      if (next % 500 == 0)
        makeConsistent();
      else
        savePoint();
    }}
  }}
""", bases=", public StateHandler")  # fmt: skip
driven = write("app/demo/Driven.spl", """namespace demo;
composite Driven {
  graph
    @consistent(trigger = operatorDriven)
    stream<int64 n> All = Driver() {}
    () as Counted = Custom(All) {
      logic state : mutable int64 count = 0;
            onTuple All : count++;
            onPunct All : println(count);
    }
}
""")
checkpoints = os.path.join(FOLDER, "driven")
done = sluice("run", driven, f"--checkpoint={checkpoints}", "--checkpoint-keep=100")
expect("driven", (done.returncode, done.stdout, done.stderr), (0, f"{ROWS}\n", ""))
for number in 1, 2, 3:
    shown = sluice("checkpoint", "show", checkpoints, str(number)).stdout
    expect_in(f"driven {number}", f"  0: int64 = {500 * number}\n", shown)
    expect_in(f"driven {number}", f"  count: int64 = {500 * number}\n", shown)

checkpoints = os.path.join(FOLDER, "refused")
refused = sluice("run", main("Refused", "Unknown"), f"--checkpoint={checkpoints}")
expect("refused", refused.returncode, 1)
expect_in(
    "refused",
    "Through, a demo::Unknown: "
    "it is neither a sluice::StateHandler, nor `<stateless/>` by its model",
    refused.stderr,
)

# A source without output ports has nothing to log.
operator("Silent", 0, "  void produce() override {}\n", context="<stateless/>", outputs=0)
silence = write(
    "app/demo/Silence.spl",
    "namespace demo;\ncomposite Silence { graph () as Nothing = Silent() {} }\n",
)
refused = sluice("run", silence, f"--checkpoint={checkpoints}", "--spool=Nothing")
expect("nothing", refused.returncode, 1)
expect_in("nothing", "--spool=Nothing: it brings nothing", refused.stderr)
finish()
