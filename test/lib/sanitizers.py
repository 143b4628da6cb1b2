"""Builds with a sanitizer, made on demand, and the unit tests that run in them. Nothing of the
compiler is in what is built here."""

import os
import subprocess

PRESETS = ("asan", "tsan")
UNIT = "sluice-unit-sanitized"  # test/unit/CMakeLists.txt says which tests it has in a preset
# What the executables of a preset are to know. A finding ends the program.
ENVIRONMENT = {
    # Libraries of the system are not instrumented.
    "asan": {"ASAN_OPTIONS": "detect_container_overflow=0"},
    "tsan": {"TSAN_OPTIONS": "halt_on_error=1"},
}


def folder(context, preset):
    return os.path.join(context.root, "build", preset)


def build(context, preset, targets):
    """None, or what is wrong. Configures the preset where it is not."""
    parts = ["-DSLUICE_TESTS=ON"]
    if not os.path.exists(os.path.join(folder(context, preset), "build.ninja")):
        parts += ["-DSLUICE_CROSS=OFF"]
    for command in (
        ["cmake", "--preset", preset, *parts],
        ["ninja", "-C", folder(context, preset), *targets],
    ):
        out = subprocess.run(command, cwd=context.root, capture_output=True, text=True)
        if out.returncode:
            return f"{' '.join(command)}:\n{out.stdout[-4000:]}{out.stderr[-4000:]}"
    return None


def unit(context, preset):
    """(command, environment, problem) of the unit tests in a preset, which it builds."""
    problem = build(context, preset, [UNIT])
    binary = os.path.join(folder(context, preset), "bin", UNIT)
    return [binary], ENVIRONMENT[preset], problem
