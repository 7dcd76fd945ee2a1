"""Tests of the device, of every test program; test by test, so that none hides the others."""

import functools
import re
import time

from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, UNFINISHED, Check, last_line, last_words, result

# A filter of Google Test that names of further tests to leave out can follow.
DEVICE_TESTS = "*Device*:*Cuda*:*Gpu*-"
BEGINS = re.compile(r"\[ RUN      \] (\S+)")
ENDS = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+).* \((\d+) ms\)")
RESULTS = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}
KEPT_WORDS = 40  # lines of a failed test


class TestOutput:
    """What Google Test prints, as rows. A test that passes and of which `accuses` is told fails.

    @param accuses  whether a line says that the running test is wrong
    """

    def __init__(self, keep, accuses=lambda _: False):
        self.keep, self.accuses = keep, accuses
        self.running, self.words, self.accused = None, [], False

    def line(self, text):
        begins, ends = BEGINS.search(text), ENDS.search(text)
        if begins:
            self.running, self.words, self.accused = begins[1], [], False
        elif ends and ends[2] == self.running:
            self.end("failed" if self.accused else RESULTS[ends[1]], int(ends[3]))
        else:
            self.accused = self.accused or self.accuses(text)
            if len(self.words) < KEPT_WORDS:
                self.words.append(text[:400])

    def end(self, how, ms=None):
        row = {"test": self.running, "result": how, "ms": ms}
        self.keep(row | ({"words": self.words} if how != "passed" and self.words else {}))
        self.running = None


def device_tests(place, _):
    if not place.tests:
        yield Check("tests", lambda *_: result(SKIPPED, "no test program is built"), 1)
    for program in place.tests:
        run = functools.partial(run_tests, place, [program], DEVICE_TESTS)
        yield tests_check(f"tests/{program.name}", run, 120)


def tests_check(name, run, limit_s):
    return Check(name, run, limit_s, key=lambda row: row["test"])


def run_tests(place, words, chosen, limit_s, rows, keep, accuses=lambda _: False):
    """A test in which the program ends, or that takes all time, does not hide the rest.

    @param words    the program, behind what runs it
    @param chosen   a filter of Google Test
    @param accuses  of TestOutput
    """
    end = time.monotonic() + limit_s
    rows = {row["test"]: row for row in rows if row["result"] != "killed"}

    def take(row):
        rows[row["test"]] = row
        keep(row)

    while True:
        output = TestOutput(take, accuses)
        excluded = "".join(f":{name}" for name in rows)
        # What hangs leaves time for the tests after it.
        seconds = max((end - time.monotonic()) / 2, min(1, limit_s / 2))
        done = place.run(*words, f"--gtest_filter={chosen}{excluded}", seconds=seconds, on_line=output.line)
        ended_in = output.running
        if ended_in and done.returncode is None:
            output.words = [f"killed after {done.seconds:.1f} s", *output.words[:5]]
            output.end("killed")
        elif ended_in:
            output.words += [f"the program ended with {done.returncode}", last_line(done.stderr)]
            output.end("crashed")
        if not ended_in or time.monotonic() >= end - 0.1 * limit_s:
            return tests_verdict(rows, done)


def tests_verdict(rows, done):
    named = {
        how: [name for name, row in rows.items() if row["result"] == how]
        for how in ("passed", "skipped", "failed", "crashed", "killed")
    }
    failed = named["failed"] + named["crashed"]
    counts = {"passed": len(named["passed"]), "skipped_tests": len(named["skipped"])}
    counts |= {"failed": failed} if failed else {}
    more = {**counts, "rows": list(rows.values())}
    words = ", ".join(failed)
    if done.returncode is None or named["killed"]:
        where = " in " + ", ".join(named["killed"]) if named["killed"] else ""
        also = f"; failed: {words}" if failed else ""
        return result(UNFINISHED, f"killed{where}{also}", **more)
    if failed:
        return result(FAIL, words, **more)
    if done.returncode != 0:
        words = f"ended with {done.returncode} outside of a test ({last_words(done)})"
        return result(FAIL, words, **more)
    if not counts["passed"]:
        return result(SKIPPED, "it has no test of the device that runs here", **more)
    return result(PASS, **more)
