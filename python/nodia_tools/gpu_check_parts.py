"""The parts of tools/gpu_check.sh: what each checks, and in which time."""

import functools
import json
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Callable, NamedTuple

from nodia_tools.compare_runs import compare_runs

TOLERANCE = 1e-9  # of a difference between the backends, relative, double precision
SAME_ITERATIONS = 100  # of every step on both backends, so that no stopping rule comes between
DEVICE_TESTS = "*Device*:*Cuda*:*Gpu*"
# The probes time millions of barriers, which a sanitizer makes slow and says nothing about. Loops
# that are graphs: it is not said to look into their bodies; --loop launches gives it every kernel.
NOT_SANITIZED = "DeviceProbes*:*_graph:*/graph:*DeviceScenario*:*CheckpointOf*"
SANITIZER_ERROR = 86  # exit code of compute-sanitizer where it found an error
TEST_WORDS = 40  # lines of a failed test that are kept
# Killed before its end, and never begun: a later call begins them again.
UNFINISHED, NOT_RUN = "unfinished", "not run"
PASS, FAIL, SKIPPED = "pass", "fail", "skipped"


class Check(NamedTuple):
    """One line of the report.

    run(limit_s, rows, keep) returns its outcome in about limit_s; `rows` are those of an earlier
    call that did not finish, keep(row) takes a new one; rows of the same key(row) replace another.
    """

    name: str
    run: Callable
    limit_s: float
    least_s: float = 0.5  # with less time left it is not begun
    key: Callable = json.dumps


class Part(NamedTuple):
    name: str
    checks: Callable  # (place, options): its checks, in order
    limit_s: float


def result(status, reason="", **more):
    return {"status": status, "reason": reason, **more}


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def unfinished(done, words=""):
    return result(UNFINISHED, f"killed after {done.seconds:.1f} s{words}")


# Tests of the device, of every test program.

TEST_BEGINS = re.compile(r"\[ RUN      \] (\S+)")
TEST_ENDS = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+).* \((\d+) ms\)")
TEST_RESULTS = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}


class TestOutput:
    """What Google Test prints, as rows."""

    def __init__(self, keep):
        self.keep, self.running, self.words = keep, None, []

    def line(self, text):
        begins, ends = TEST_BEGINS.search(text), TEST_ENDS.search(text)
        if begins:
            self.running, self.words = begins[1], []
        elif ends and ends[2] == self.running:
            self.end(TEST_RESULTS[ends[1]], int(ends[3]))
        elif len(self.words) < TEST_WORDS:
            self.words.append(text[:400])

    def end(self, how, ms=None):
        row = {"test": self.running, "result": how, "ms": ms}
        self.keep(row | ({"words": self.words} if how != "passed" and self.words else {}))
        self.running = None


def device_tests(place, _):
    if not place.tests:
        yield Check("tests", lambda *_: result(SKIPPED, "no test program is built"), 1)
    for program in place.tests:
        run = functools.partial(run_tests, place, program)
        yield Check(f"tests/{program.name}", run, 120, key=lambda row: row["test"])


def run_tests(place, program, limit_s, rows, keep):
    """Test by test: one in which the program ends or that takes all time does not hide the rest."""
    end = time.monotonic() + limit_s
    rows = {row["test"]: row for row in rows if row["result"] != "killed"}

    def take(row):
        rows[row["test"]] = row
        keep(row)

    while True:
        output = TestOutput(take)
        excluded = "-" + ":".join(rows) if rows else ""
        # What hangs leaves time for the tests after it.
        seconds = max((end - time.monotonic()) / 2, min(1, limit_s / 2))
        words = [program, f"--gtest_filter={DEVICE_TESTS}{excluded}"]
        done = place.run(*words, seconds=seconds, on_line=output.line)
        ended_in = output.running
        if ended_in and done.returncode is None:
            output.words = [f"killed after {done.seconds:.1f} s"]
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
        words = last_line(done.stderr) or last_line(done.stdout)
        return result(FAIL, f"ended with {done.returncode} outside of a test ({words})", **more)
    if not counts["passed"]:
        return result(SKIPPED, "it has no test of the device that runs here", **more)
    return result(PASS, **more)


# CPU against GPU: the same steps of every scenario with the same number of iterations.


def scenarios(place, options):
    steps = 60 if options.quick else 200
    for scenario in place.scenarios:
        name = f"scenarios/{scenario.parent.name}/{scenario.stem}"
        run = functools.partial(compare_backends, place, scenario, steps)
        yield Check(name, run, 120, least_s=2)


def compare_backends(place, scenario, steps, limit_s, *_):
    end = time.monotonic() + limit_s
    words = ["run", scenario, "--solver", "cond", "--precision", "double"]
    words += ["--stop", "paper", "--tolerance", "1e-300", "--max-iterations", SAME_ITERATIONS, "--steps", steps]
    with tempfile.TemporaryDirectory() as folder:
        runs = {backend: Path(folder) / backend for backend in ("cpu", "cuda")}
        for backend, directory in runs.items():
            more = ["--backend", backend, "--out", directory]
            done = place.run(place.nodia, *words, *more, seconds=end - time.monotonic())
            if done.returncode is None:
                return unfinished(done, f" with --backend {backend}")
            if done.returncode == 2 and "--backend" in done.stderr:
                return result(SKIPPED, last_line(done.stderr))
            if done.returncode != 0:
                text = last_line(done.stderr)
                return result(FAIL, f"--backend {backend} ended with {done.returncode}: {text}")
        ran = json.loads((runs["cuda"] / "summary.json").read_text())["backend"]
        if ran != "cuda":
            return result(FAIL, f"--backend cuda ran on {ran}")
        return compare_runs(runs["cpu"], runs["cuda"], TOLERANCE)


# compute-sanitizer over the tests of the device and over two steps of every scenario.

SANITIZER_TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")


def find_sanitizer():
    for folder in (None, "/usr/local/cuda/bin"):
        found = shutil.which("compute-sanitizer", path=folder)
        if found:
            return found
    return None


def sanitizer(place, _):
    tool = find_sanitizer()
    if tool is None:
        reason = "compute-sanitizer is not on this machine"
        yield Check("sanitizer", lambda *_: result(SKIPPED, reason), 1)
        return
    checked = {
        which: [tool, "--tool", which, "--error-exitcode", SANITIZER_ERROR]
        for which in SANITIZER_TOOLS
    }
    for which, words in checked.items():
        for program in place.tests:
            more = [program, f"--gtest_filter={DEVICE_TESTS}-{NOT_SANITIZED}"]
            run = functools.partial(run_sanitizer, place, [*words, *more])
            yield Check(f"sanitizer/{which}/{program.name}", run, 90)
    for which in ("memcheck", "racecheck"):
        for scenario in place.scenarios:
            run = functools.partial(sanitize_scenario, place, checked[which], scenario)
            name = f"sanitizer/{which}/{scenario.parent.name}/{scenario.stem}"
            yield Check(name, run, 60)


def sanitize_scenario(place, checked, scenario, limit_s, *_):
    with tempfile.TemporaryDirectory() as folder:
        words = [place.nodia, "run", scenario, "--backend", "cuda", "--loop", "launches", "--steps", 2]
        words += ["--max-iterations", 20, "--out", Path(folder) / "run"]
        return run_sanitizer(place, [*checked, *words], limit_s)


def run_sanitizer(place, words, limit_s, *_):
    summaries, said = [], set()

    def line(text):
        if "ERROR SUMMARY" in text or "RACECHECK SUMMARY" in text:
            summaries.append(text.strip("= "))
        if "Device not supported" in text:
            said.add("unsupported")
        if text.startswith("[==========] Running 0 tests") or "before first instrumented" in text:
            said.add("nothing")

    done = place.run(*words, seconds=limit_s, on_line=line)
    summary = summaries[-1] if summaries else ""
    if done.returncode is None:
        return unfinished(done)
    if "unsupported" in said:
        return result(SKIPPED, "compute-sanitizer does not support this device")
    if "nothing" in said:
        return result(SKIPPED, "nothing of it runs on the device")
    if done.returncode == SANITIZER_ERROR:
        return result(FAIL, summary or "errors found")
    if done.returncode == 2 and "--backend" in done.stderr:
        return result(SKIPPED, last_line(done.stderr))
    if done.returncode != 0:
        words = last_line(done.stderr) or last_line(done.stdout)
        return result(FAIL, f"ended with {done.returncode}: {words}")
    if not summary:
        return result(FAIL, "ended without a summary of the sanitizer")
    return result(PASS, summary)


# Rows of `nodia bench`.

ROW_KEY = ("case", "backend", "n_node", "n_env", "precision", "threads", "stop", "probe")


def row_key(row):
    return tuple(row.get(name) for name in ROW_KEY)


def run_bench(place, words, limit_s, _, keep):
    """Every line of --json-lines that is a row, as it comes; the last one says that all came."""
    known, strange, ended, failed = {}, [], [], []

    def line(text):
        try:
            value = json.loads(text)
            kind, content = next(iter(value.items()))
        except (ValueError, AttributeError, StopIteration, RecursionError):
            strange.append(text[:200])
            return
        if kind == "row" and isinstance(content, dict):
            keep(content)
            if content.get("status") == "failed":
                failed.append(f"{content.get('probe')}: {content.get('reason')}")
        elif kind == "where":
            known["where"] = content
        elif kind == "skip":
            known.setdefault("not_measured", []).append(content)
        elif kind == "end":
            ended.append(content)
        else:
            strange.append(text[:200])

    words = [place.nodia, "bench", "--json-lines", *words]
    done = place.run(*words, seconds=limit_s, on_line=line)
    if strange:
        known["strange"] = strange[:10]
    if done.returncode is None:
        return {**unfinished(done), **known}
    if failed:
        return result(FAIL, "; ".join(failed), **known)
    if done.returncode != 0:
        return result(FAIL, f"ended with {done.returncode}: {last_line(done.stderr)}", **known)
    if strange:
        return result(FAIL, f"printed what is no row: {strange[0]!r}", **known)
    if not ended:
        return result(FAIL, "ended before its last line", **known)
    return result(PASS, **known)


def bench_check(place, name, *words, **times):
    run = functools.partial(run_bench, place, words)
    return Check(name, run, **times, key=row_key)


def probes(place, _):
    yield bench_check(place, "probes", "--probes", limit_s=60)


def bench_words(nodes, precision, cases):
    return ["--backend", "cuda", "--precision", precision, "--nodes", nodes, "--cases", cases]


def benchmark(place, options):
    """Loop, whole steps, and products beside the library's."""
    sizes = (1500, 6000) if options.quick else (1500, 15000, 34000, 150000)
    more = ["--quick"] if options.quick else []
    for nodes in sizes:
        for precision in ("float", "mixed", "double"):
            words = bench_words(nodes, precision, "iteration,product,step")
            name = f"benchmark/{nodes}/{precision}"
            yield bench_check(place, name, *words, *more, limit_s=120, least_s=2)


def large(place, _):
    for precision in ("mixed", "float", "double"):
        words = bench_words(1500000, precision, "iteration,product,step")
        words += ["--rounds", 3, "--steps", 2]
        name = f"large/1500000/{precision}"
        yield bench_check(place, name, *words, limit_s=260, least_s=60)


def batches(place, options):
    """A batch that memory does not hold is a row that says so."""
    shapes = [(64, 1500)]
    if not options.quick:
        shapes += [(1024, 1500), (4096, 1500), (16384, 375)]
    for envs, nodes in shapes:
        for precision in ("mixed", "float"):
            words = bench_words(nodes, precision, "batch_step")
            words += ["--envs", envs, "--steps", 3, "--batch-nodes", 2 * envs * nodes]
            name = f"batches/{envs}x{nodes}/{precision}"
            yield bench_check(place, name, *words, limit_s=150, least_s=10)


# What takes seconds and what everything else rests on first. Each fits in a call of nine minutes.
PARTS = {
    part.name: part
    for part in (
        Part("probes", probes, 60),
        Part("tests", device_tests, 240),
        Part("scenarios", scenarios, 500),
        Part("benchmark", benchmark, 500),
        Part("sanitizer", sanitizer, 530),
        Part("batches", batches, 530),
        Part("large", large, 530),
    )
}
