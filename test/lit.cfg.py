"""How lit finds and runs the tests of this tree; values come from lit.site.cfg.py."""

import glob
import os
import shutil
import sys

import lit.formats

config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".spl", ".test"]
config.excludes = ["Inputs", "unit", "conformance", "fuzz", "lib", "tools"]
# What declares an operator, and the functions behind it, lie beside the folder of its tests.
for tests in glob.glob(os.path.join(config.test_source_root, "*", "test")):
    beside = glob.glob(os.path.join(os.path.dirname(tests), "*.spl"))
    config.excludes += map(os.path.basename, beside)

# The tools under test first, then FileCheck and not.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.sluice_build, "bin"), config.llvm_tools, config.environment["PATH"]]
)
config.environment["TZ"] = "UTC"
if config.sanitize:
    config.available_features.add("sanitized")
if "thread" in config.sanitize:
    config.available_features.add("tsan")
if config.team == "openmp":
    config.available_features.add("openmp")
if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
    config.available_features.add("chromium")
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%build", config.sluice_build))
config.substitutions.append(("%source", config.sluice_source))
