"""Runs the litmus test of the memory order between blocks, which is a part of the C++ tests."""

import functools
import json
import tempfile
from pathlib import Path

from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, Check, result, wrong_end


def tickets(programs):
    yield Check("litmus", functools.partial(run_litmus, programs))


def run_litmus(programs, seconds, keep):
    """Stores the number of stale words that each test found."""
    if not programs.test_kernels.exists():
        return result(SKIPPED, f"{programs.test_kernels.name} has not been built (run tools/build.sh)")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tests.json"
        words = [programs.test_kernels, "--gtest_filter=DeviceTickets.*", f"--gtest_output=json:{path}"]
        done = programs.run(*words, seconds=seconds)
        suites = json.loads(path.read_text())["testsuites"] if path.exists() else []
    tests = [test for suite in suites for test in suite["testsuite"]]
    for test in tests:
        if "stale_words" in test:
            keep({"test": test["name"], "stale_words": int(test["stale_words"])})
    failed = [test["name"] for test in tests if "failures" in test]
    if failed:
        return result(FAIL, f"failed: {', '.join(failed)}")
    skipped = [line for line in done.stdout.splitlines() if line.startswith("GPU: ")]
    if skipped:
        return result(SKIPPED, skipped[0])
    return wrong_end(done) or (result(PASS) if tests else result(FAIL, "no test ran"))
