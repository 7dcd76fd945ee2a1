"""compute-sanitizer over the tests of the device and over two steps of every scenario."""

import functools
import tempfile
from pathlib import Path

from nodia_tools.gpu_check.check import (
    FAIL,
    PASS,
    SKIPPED,
    Check,
    failed,
    last_line,
    refused,
    result,
    unfinished,
)
from nodia_tools.gpu_check.device_tests import DEVICE_TESTS, run_tests, tests_check
from nodia_tools.gpu_check.find_tool import find_tool
from nodia_tools.gpu_check.same_motion import name_of

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
TOOLS_OF_SCENARIOS = ("memcheck", "racecheck")
ERROR = 86  # exit code of compute-sanitizer where it found an error
# The probes time millions of barriers, which a sanitizer makes slow and says nothing about. Loops
# that are graphs: it is not said to look into their bodies; --loop launches gives it every kernel.
# Memory that a test asks for to be refused would be told as an error.
NOT_SANITIZED = "DeviceProbes*:*_graph:*/graph:*DeviceScenario*:*CheckpointOf*:*TooMuchMemoryIsRefused*"
UNSUPPORTED = "compute-sanitizer does not support this device"


def sanitizer(place, _):
    tool = find_tool("compute-sanitizer")
    if tool is None:
        reason = "compute-sanitizer is not on this machine"
        yield Check("sanitizer", lambda *_: result(SKIPPED, reason), 1)
        return
    checked = {which: [tool, "--tool", which, "--error-exitcode", ERROR] for which in TOOLS}
    for which in TOOLS_OF_SCENARIOS:
        for scenario in place.scenarios:
            run = functools.partial(sanitize_scenario, place, checked[which], scenario)
            yield Check(f"sanitizer/{which}/{name_of(scenario)}", run, 60)
    for which, words in checked.items():
        for program in place.tests:
            run = functools.partial(sanitize_tests, place, [*words, program])
            yield tests_check(f"sanitizer/{which}/{program.name}", run, 90)


def accuses(text):
    """Whether the sanitizer tells of an error in a line. Its own name and its sums are none."""
    words = text.strip("= ")
    return text.startswith("====") and bool(words) and "COMPUTE-SANITIZER" not in words and "SUMMARY" not in words


def sanitize_tests(place, words, limit_s, rows, keep):
    """Test by test: what a call did not get to, the next one does."""
    unsupported = []

    def look(text):
        if "Device not supported" in text:
            unsupported.append(text)
        return accuses(text)

    outcome = run_tests(place, words, DEVICE_TESTS + NOT_SANITIZED, limit_s, rows, keep, look)
    return result(SKIPPED, UNSUPPORTED) if unsupported else outcome


def sanitize_scenario(place, checked, scenario, limit_s, *_):
    with tempfile.TemporaryDirectory() as folder:
        words = [place.nodia, "run", scenario, "--backend", "cuda", "--loop", "launches", "--steps", 2]
        words += ["--max-iterations", 20, "--out", Path(folder) / "run"]
        return run_sanitizer(place, [*checked, *words], limit_s)


def run_sanitizer(place, words, limit_s):
    summaries, said = [], set()

    def line(text):
        if "SUMMARY" in text:
            summaries.append(text.strip("= "))
        if "Device not supported" in text:
            said.add("unsupported")
        if "before first instrumented" in text:
            said.add("nothing")

    done = place.run(*words, seconds=limit_s, on_line=line)
    summary = summaries[-1] if summaries else ""
    if done.returncode is None:
        return unfinished(done)
    if "unsupported" in said:
        return result(SKIPPED, UNSUPPORTED)
    if "nothing" in said:
        return result(SKIPPED, "nothing of it runs on the device")
    if done.returncode == ERROR:
        return result(FAIL, summary or "errors found")
    if refused(done):
        return result(SKIPPED, last_line(done.stderr))
    if done.returncode != 0:
        return failed(done)
    if not summary:
        return result(FAIL, "ended without a summary of the sanitizer")
    return result(PASS, summary)
