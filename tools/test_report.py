#!/usr/bin/env python3
"""Sums the results of a run of tools/test.sh: run, failed, skipped by reason.

Usage: tools/test_report.py RESULTS [--slow FILE]
  RESULTS       folder with one XML file per shard of a C++ program and per run of pytest (JUnit's format)
  --slow FILE   writes the tests that took longer than 5 s to FILE (tests/slow_tests.txt)

A test may be skipped for three reasons: `GPU: ...`, `REFERENCE: PATH ...` and `PACKAGE: NAME ...`. Any other reason is
an error. A skip is also an error if the GPU, the path (relative to the tree) or the package is present.
The exit code is 1 if a test failed or a skip is not allowed, and 2 if there are no results.
"""

import argparse
import glob
import importlib.util
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SLOW_S = 5.0

Result = namedtuple("Result", "program name seconds failure skip")
Result.__doc__ = """One test. failure, skip: the message, or None."""


def results_of(path):
    """Yields the results of one XML file. A test of pytest has the names of its file and its function."""
    program = path.stem.split(".")[0]
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        suite, name = case.get("classname", ""), case.get("name")
        failure = case.find("failure") if case.find("failure") is not None else case.find("error")
        skipped = case.find("skipped")
        if program == "pytest":
            module = suite.replace(".", "/") + ".py"
            key = (module, name)
        else:
            key = (program, f"{suite}.{name}")
        yield Result(
            *key,
            float(case.get("time") or 0),
            None if failure is None else (failure.get("message") or failure.text or "failed"),
            None if skipped is None else reason_of(skipped.get("message") or skipped.text or ""),
        )


def reason_of(message):
    """Reason of a skip: the last line of its message, because GoogleTest writes other lines before it."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason"


def is_there(kind, name):
    """True if the requirement of a skipped test is present on this machine."""
    if kind == "GPU":
        return bool(glob.glob("/dev/nvidia[0-9]*"))
    if kind == "REFERENCE":
        return (ROOT / name).exists()
    installed = subprocess.run(["dpkg", "-s", name], capture_output=True).returncode == 0 if shutil.which("dpkg") else False
    return installed or bool(shutil.which(name)) or importlib.util.find_spec(name.replace("-", "_")) is not None


def why_not_allowed(reason):
    """Message why a skip with this reason is an error; None if it is allowed."""
    kind, separator, rest = reason.partition(": ")
    if not separator or kind not in ("GPU", "REFERENCE", "PACKAGE") or not rest.strip():
        return "the reason must begin with GPU:, REFERENCE: or PACKAGE:"
    if is_there(kind, rest.split()[0]):
        return "it is present on this machine"
    return None


def report(results, out=sys.stdout):
    """Prints the sums. @return true if no test failed and all skips are allowed"""
    failed = [r for r in results if r.failure is not None]
    skipped = [r for r in results if r.skip is not None]
    bad_skips = [(r, why) for r in skipped if (why := why_not_allowed(r.skip))]
    for reason, count in sorted(Counter(r.skip for r in skipped).items()):
        print(f"skipped {count:4}  {reason}", file=out)
    for r in failed:
        print(f"FAILED  {r.program} {r.name}: {r.failure.splitlines()[0][:300]}", file=out)
    for r, why in bad_skips:
        print(f"SKIP NOT ALLOWED  {r.program} {r.name}: {r.skip} ({why})", file=out)
    passed = len(results) - len(failed) - len(skipped)
    print(f"tests: {passed} passed, {len(failed) + len(bad_skips)} failed, {len(skipped)} skipped", file=out)
    return not failed and not bad_skips


def write_slow(results, path):
    """Writes the list of slow tests, the slowest first."""
    slow = sorted((r for r in results if r.seconds > SLOW_S), key=lambda r: -r.seconds)
    path.write_text(
        "# Tests that took longer than 5 s on two cores of a virtual machine. tools/test.sh --quick leaves them out. A line: seconds,\n"
        "# program or file, test. Renewed by tools/test.sh --write-slow.\n"
        + "".join(f"{r.seconds:.1f} {r.program} {r.name}\n" for r in slow)
    )


def main():
    parser = argparse.ArgumentParser(prog="test_report", usage="tools/test_report.py RESULTS [--slow FILE]")
    parser.add_argument("results", type=Path)
    parser.add_argument("--slow", type=Path)
    arguments = parser.parse_args()
    files = sorted(arguments.results.glob("*.xml"))
    if not files:
        print(f"test_report: {arguments.results}: no results (*.xml)", file=sys.stderr)
        return 2
    results = [result for path in files for result in results_of(path)]
    if arguments.slow:
        write_slow(results, arguments.slow)
    return 0 if report(results) else 1


if __name__ == "__main__":
    sys.exit(main())
