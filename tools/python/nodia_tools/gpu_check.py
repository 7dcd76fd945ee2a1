"""Everything that needs an NVIDIA GPU, in one JSON file: see tools/gpu_check.sh."""

import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of
from nodia_tools.compare_runs import compare_runs

TOLERANCE = 1e-9  # of a difference between the backends, relative, double precision
SAME_ITERATIONS = 100  # of every step on both backends, so that no stopping rule comes between
DEVICE_TESTS = "*Device*:*Cuda*:*Gpu*"
SANITIZER_ERROR = 86  # exit code of compute-sanitizer where it found an error
PASS, FAIL, SKIPPED = "pass", "fail", "skipped"


def result(status, reason="", **more):
    return {"status": status, "reason": reason, **more}


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


class Place:
    """The programs and scenarios of a built tree or of an unpacked bundle."""

    def __init__(self, root):
        self.root = Path(root)
        build = Path(os.environ.get("NODIA_BUILD_DIR") or self.root / "build/release")
        bundled = (self.root / "bin/nodia").exists()
        self.nodia = self.root / "bin/nodia" if bundled else build / "bin/nodia"
        if "NODIA_BINARY" in os.environ:
            self.nodia = Path(os.environ["NODIA_BINARY"])
        tests = self.root / "bin" if bundled else build / "tests"
        self.tests = sorted(p for p in tests.glob("test_*") if p.is_file() and os.access(p, os.X_OK))
        self.scenarios = sorted(self.root.glob("scenarios/*/*.yaml"))
        if not self.nodia.exists():
            raise InputError(f"{self.nodia} is missing (run tools/build.sh, or unpack a bundle)")

    def run(self, *words, timeout):
        """A finished process; one that takes too long has return code None."""
        environment = os.environ | {"NODIA_SOURCE_DIR": str(self.root)}
        words = list(map(str, words))
        try:
            return subprocess.run(
                words, env=environment, capture_output=True, text=True, timeout=timeout
            )
        except subprocess.TimeoutExpired as late:
            output = late.stdout.decode(errors="replace") if late.stdout else ""
            return subprocess.CompletedProcess(words, None, output, f"not done after {timeout} s")

    def info(self):
        done = self.run(self.nodia, "info", "--json", timeout=60)
        if done.returncode != 0:
            raise InputError(f"{self.nodia} does not run here ({last_line(done.stderr)})")
        return json.loads(done.stdout)


def driver():
    """Name and driver version of every GPU, as nvidia-smi says; empty where it is missing."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.strip().splitlines() if done.returncode == 0 else []


def device_tests(place, _):
    """Every test of the device, of every test program."""
    if not place.tests:
        yield "device_tests", result(SKIPPED, "no test program is built")
    for program in place.tests:
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            words = [program, f"--gtest_filter={DEVICE_TESTS}", f"--gtest_output=json:{report}"]
            done = place.run(*words, timeout=1200)
            yield f"device_tests/{program.name}", read_test_report(report, done)


def read_test_report(report, done):
    try:
        suites = json.loads(report.read_text())["testsuites"]
    except (OSError, ValueError, KeyError):
        words = last_line(done.stderr) or last_line(done.stdout)
        return result(FAIL, f"ended with {done.returncode} before its report ({words})")
    tests = [test for suite in suites for test in suite["testsuite"]]
    failed = [f"{t['classname']}.{t['name']}" for t in tests if "failures" in t]
    skipped = [t for t in tests if t.get("result") == "SKIPPED"]
    counts = {"passed": len(tests) - len(failed) - len(skipped), "skipped_tests": len(skipped)}
    if failed or done.returncode != 0:
        words = ", ".join(failed) or f"ended with {done.returncode}"
        return result(FAIL, words, failed=failed, **counts)
    if not counts["passed"]:
        return result(SKIPPED, "it has no test of the device that runs here", **counts)
    return result(PASS, **counts)


def run_backend(place, scenario, backend, directory, steps):
    words = [place.nodia, "run", scenario, "--backend", backend, "--precision", "double"]
    words += ["--stop", "paper", "--tolerance", "1e-300", "--max-iterations", SAME_ITERATIONS]
    return place.run(*words, "--steps", steps, "--out", directory, timeout=1800)


def cpu_against_gpu(place, options):
    """The same steps with the same number of iterations on both backends."""
    steps = 60 if options.quick else 200
    for scenario in place.scenarios:
        name = f"cpu_against_gpu/{scenario.parent.name}/{scenario.stem}"
        with tempfile.TemporaryDirectory() as folder:
            yield name, compare_backends(place, scenario, Path(folder), steps)


def compare_backends(place, scenario, folder, steps):
    for backend in ("cpu", "cuda"):
        done = run_backend(place, scenario, backend, folder / backend, steps)
        if done.returncode == 2 and "--backend" in done.stderr:
            return result(SKIPPED, last_line(done.stderr))
        if done.returncode != 0:
            words = last_line(done.stderr)
            return result(FAIL, f"--backend {backend} ended with {done.returncode}: {words}")
    ran = json.loads((folder / "cuda/summary.json").read_text())["backend"]
    if ran != "cuda":
        return result(FAIL, f"--backend cuda ran on {ran}")
    return compare_runs(folder / "cpu", folder / "cuda", TOLERANCE)


def find_sanitizer():
    for folder in (None, "/usr/local/cuda/bin"):
        found = shutil.which("compute-sanitizer", path=folder)
        if found:
            return found
    return None


def sanitizer(place, _):
    """Memory errors and races of the device's tests and of some steps of every scenario."""
    tool = find_sanitizer()
    if tool is None:
        yield "sanitizer", result(SKIPPED, "compute-sanitizer is not on this machine")
        return
    for check in ("memcheck", "racecheck"):
        checked = [tool, "--tool", check, "--error-exitcode", SANITIZER_ERROR]
        for program in place.tests:
            if program.name == "test_kernels":
                # The probes time millions of barriers, which a sanitizer makes slow and says
                # nothing about.
                words = [program, f"--gtest_filter={DEVICE_TESTS}:-DeviceProbes*"]
                done = place.run(*checked, *words, timeout=1800)
                yield f"sanitizer/{check}/{program.name}", sanitizer_verdict(done)
        for scenario in place.scenarios:
            with tempfile.TemporaryDirectory() as folder:
                words = [place.nodia, "run", scenario, "--backend", "cuda", "--steps", 2]
                words += ["--max-iterations", 20, "--out", Path(folder) / "run"]
                done = place.run(*checked, *words, timeout=1800)
            name = f"sanitizer/{check}/{scenario.parent.name}/{scenario.stem}"
            yield name, sanitizer_verdict(done)


def sanitizer_verdict(done):
    text = done.stdout + done.stderr
    summaries = [line.strip("= ") for line in text.splitlines() if "ERROR SUMMARY" in line]
    summaries += [line.strip("= ") for line in text.splitlines() if "RACECHECK SUMMARY" in line]
    if "Device not supported" in text:
        return result(SKIPPED, "compute-sanitizer does not support this device")
    if done.returncode == SANITIZER_ERROR:
        return result(FAIL, last_line("\n".join(summaries)) or "errors found")
    if done.returncode == 2 and "--backend" in text:
        return result(SKIPPED, next(line for line in text.splitlines() if "--backend" in line))
    if done.returncode != 0:
        return result(FAIL, f"ended with {done.returncode}: {last_line(text)}")
    return result(PASS, last_line("\n".join(summaries)))


def json_of_nodia(place, *words, timeout):
    done = place.run(place.nodia, *words, timeout=timeout)
    if done.returncode != 0:
        return result(FAIL, f"ended with {done.returncode}: {last_line(done.stderr)}")
    return result(PASS, output=json.loads(done.stdout))


def benchmark(place, options):
    words = ["bench", "--backend", "all", "--json"] + (["--quick"] if options.quick else [])
    yield "benchmark", json_of_nodia(place, *words, timeout=3600)


def probes(place, _):
    yield "probes", json_of_nodia(place, "bench", "--probes", "--json", timeout=600)


# What takes seconds and what everything else rests on first.
PARTS = (probes, device_tests, cpu_against_gpu, benchmark, sanitizer)


def checked_parts(place, options, announce):
    """Results of all parts, in order; an exception of a part is its failure."""
    results = []
    for part in PARTS:
        started = time.monotonic()
        outcomes = part(place, options)
        while True:
            try:
                name, outcome = next(outcomes)
            except StopIteration:
                break
            except Exception as error:  # the other parts must still run
                name = part.__name__
                outcome = result(FAIL, f"{type(error).__name__}: {error}")
            outcome = {"part": name, **outcome, "seconds": round(time.monotonic() - started, 2)}
            started = time.monotonic()
            results.append(outcome)
            announce(outcome)
    return results


def _print(outcome):
    words = f"{outcome['status']:<8} {outcome['part']}"
    print(words + (f": {outcome['reason']}" if outcome["reason"] else ""), flush=True)


def _check(options):
    path = Path(options.out)
    if path.suffix != ".json" or not path.absolute().parent.is_dir():
        raise InputError(f"{path} (must end in .json and lie in a directory that exists)")
    place = Place(options.root)
    info = place.info()
    if not info["devices"]:
        raise InputError(info["no_device_because"])
    report = {
        "gpu": info["devices"],
        "driver": driver(),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "version": info["version"],
        "commit": info["commit"],
        "compiler": info["compiler"],
        "machine": info["machine"],
        "parts": [],
    }

    def announce(outcome):
        # Written after each part: a script that is killed leaves what it had.
        report["parts"].append(outcome)
        path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
        _print(outcome)

    results = checked_parts(place, options, announce)
    failed = [outcome for outcome in results if outcome["status"] == FAIL]
    print(f"{len(results)} parts, {len(failed)} failed; {path}")
    return 1 if failed else 0


def main():
    parser = ArgumentParser(prog="gpu_check", description=__doc__)
    parser.add_argument("out", metavar="OUT.json", nargs="?", default="gpu_check.json")
    parser.add_argument("--root", required=True, help="the built tree or the unpacked bundle")
    parser.add_argument("--quick", action="store_true", help="fewer steps and sizes")
    options = parser.parse_args()
    return exit_code_of("gpu_check", lambda: _check(options))


if __name__ == "__main__":
    sys.exit(main())
