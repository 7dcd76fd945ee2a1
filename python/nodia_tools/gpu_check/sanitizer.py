"""Runs compute-sanitizer on two steps of the two smallest scenarios."""

import functools
import tempfile
from pathlib import Path

from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, Check, result, wrong_end
from nodia_tools.gpu_check.programs import find_tool

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SMALLEST = ("quick_lift/quick_lift", "soft_mat/soft_mat")
ERROR = 86  # exit code of compute-sanitizer if it finds an error


def sanitizer(programs):
    tool = find_tool("compute-sanitizer")
    for which in TOOLS:
        for name in SMALLEST:
            yield Check(f"{which}/{name}", functools.partial(sanitize, programs, tool, which, name))


def sanitize(programs, tool, which, name, seconds, _):
    """Runs a scenario under a tool of compute-sanitizer. --loop launches makes the kernels of loops visible to it."""
    if tool is None:
        return result(SKIPPED, "compute-sanitizer is not installed")
    with tempfile.TemporaryDirectory() as folder:
        words = [tool, "--tool", which, "--error-exitcode", ERROR, programs.nodia, "run", programs.scenarios[name]]
        words += ["--solver", "cond", "--backend", "cuda", "--loop", "launches", "--steps", 2]
        words += ["--max-iterations", 20, "--out", Path(folder) / "run"]
        said = []
        done = programs.run(*words, seconds=seconds, on_line=lambda text: text.startswith("====") and said.append(text))
    if any("Device not supported" in text for text in said):
        return result(SKIPPED, "compute-sanitizer does not support this device")
    if any("before first instrumented" in text for text in said):
        return result(FAIL, "no kernel ran on the device")
    summary = next((text.strip("= ") for text in reversed(said) if "SUMMARY" in text), "")
    if done.returncode == ERROR:
        return result(FAIL, summary or "errors found", said=said[:40])
    if not summary and done.returncode == 0:
        return result(FAIL, "ended without a summary of the sanitizer")
    return wrong_end(done) or result(PASS, summary)
