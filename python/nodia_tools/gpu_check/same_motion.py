"""Whole scenarios: the CPU against the GPU, and the GPU against itself."""

import functools
import json
import tempfile
import time
from pathlib import Path

from nodia_tools.compare_runs import compare_runs
from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, Check, failed, last_line, refused, result, unfinished

TOLERANCE = 1e-9  # of a difference between the backends, relative, double precision
SAME_ITERATIONS = 100  # of every step on both backends, so that no stopping rule comes between


def scenarios(place, options):
    """The same steps with the same number of iterations on the CPU and on the GPU."""
    steps = 60 if options.quick else 200
    for scenario in place.scenarios:
        run = functools.partial(compare_backends, place, scenario, steps)
        yield Check(f"scenarios/{name_of(scenario)}", run, 120, least_s=2)


def repeats(place, options):
    """Three runs on the GPU: the same bits."""
    steps = 20 if options.quick else 100
    for scenario in place.scenarios:
        run = functools.partial(compare_repeats, place, scenario, steps)
        yield Check(f"repeats/{name_of(scenario)}", run, 90, least_s=2)


def name_of(scenario):
    return f"{scenario.parent.name}/{scenario.stem}"


def compare_backends(place, scenario, steps, limit_s, *_):
    words = ["--solver", "cond", "--precision", "double", "--stop", "paper", "--tolerance", "1e-300"]
    words += ["--max-iterations", SAME_ITERATIONS, "--steps", steps]
    with tempfile.TemporaryDirectory() as folder:
        runs = {backend: Path(folder) / backend for backend in ("cpu", "cuda")}
        wrong = run_each(place, scenario, words, [(path, backend) for backend, path in runs.items()], limit_s)
        return wrong or compare_runs(runs["cpu"], runs["cuda"], TOLERANCE)


def compare_repeats(place, scenario, steps, limit_s, *_):
    with tempfile.TemporaryDirectory() as folder:
        runs = [Path(folder) / str(k) for k in range(3)]
        words = ["--solver", "cond", "--steps", steps]
        wrong = run_each(place, scenario, words, [(path, "cuda") for path in runs], limit_s)
        if wrong:
            return wrong
        outcomes = [compare_runs(runs[0], other, 0) for other in runs[1:]]
        return next((outcome for outcome in outcomes if outcome["status"] != PASS), outcomes[-1])


def run_each(place, scenario, words, folders, limit_s):
    """Runs a scenario into each folder on its backend; the outcome of the first that fails, or None."""
    end = time.monotonic() + limit_s
    for folder, backend in folders:
        more = ["--backend", backend, "--out", folder]
        done = place.run(place.nodia, "run", scenario, *words, *more, seconds=end - time.monotonic())
        if done.returncode is None:
            return unfinished(done, f" with --backend {backend}")
        if refused(done):
            return result(SKIPPED, last_line(done.stderr))
        if done.returncode != 0:
            return failed(done, f"--backend {backend} ")
        ran = json.loads((folder / "summary.json").read_text())["backend"]
        if ran != backend:
            return result(FAIL, f"--backend {backend} ran on {ran}")
    return None
