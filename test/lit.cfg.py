"""How lit finds and runs the tests of this tree; values come from lit.site.cfg.py."""

import os
import shutil
import subprocess
import sys

import lit.formats

config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".spl", ".test"]
config.excludes = ["Inputs", "unit", "cases", "conformance", "crash", "fuzz", "lib", "tools"]
# What declares an operator, NAME/NAME.spl, and files beside it are no tests; nor are the functions
# of a toolkit, in TOOLKIT/spl.
for folder, _, files in os.walk(config.test_source_root):
    if os.path.basename(folder) + ".spl" in files:
        config.excludes += [file for file in files if file.endswith(".spl")]
if config.name == "toolkits":
    config.excludes.append("spl")

# The tools under test first, then FileCheck and not.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.sluice_build, "bin"), config.llvm_tools, config.environment["PATH"]]
)
config.environment["TZ"] = "UTC"
config.environment["PYTHONPATH"] = os.path.join(config.sluice_source, "test", "e2e")  # Inputs
if "fast" not in lit_config.params:
    config.available_features.add("slow")
if config.sanitize:
    config.available_features.add("sanitized")
if "thread" in config.sanitize:
    config.available_features.add("tsan")
if config.team == "openmp":
    config.available_features.add("openmp")
if all(map(shutil.which, ("prometheus", "promtool"))):
    config.available_features.add("prometheus")
if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
    config.available_features.add("chromium")
# Network namespaces need root and a kernel that has them.
namespace = f"sluice-lit-{os.getpid()}"
if shutil.which("ip") and all(
    subprocess.run(["ip", "netns", do, namespace], capture_output=True).returncode == 0
    for do in ("add", "delete")
):
    config.available_features.add("namespaces")
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%build", config.sluice_build))
config.substitutions.append(("%source", config.sluice_source))
