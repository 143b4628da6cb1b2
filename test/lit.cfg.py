"""How lit finds and runs the tests of this tree; values come from lit.site.cfg.py."""

import os
import shutil
import sys

import lit.formats

config.name = "sluice"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".spl", ".test"]
config.excludes = ["Inputs", "unit", "conformance", "fuzz", "lib", "tools"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.sluice_build, "test")

# The tools under test first, then FileCheck and not.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.sluice_build, "bin"), config.llvm_tools, config.environment["PATH"]]
)
config.environment["TZ"] = "UTC"
if config.sanitize:
    config.available_features.add("sanitized")
if "thread" in config.sanitize:
    config.available_features.add("tsan")
if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
    config.available_features.add("chromium")
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%build", config.sluice_build))
config.substitutions.append(("%source", config.sluice_source))
