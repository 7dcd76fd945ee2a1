"""Runs each scenario on the CPU and on the GPU and compares all bits of every step."""

import csv
import functools
import json
import tempfile
import time
from pathlib import Path

from nodia_tools.gpu_check.check import FAIL, PASS, SKIPPED, Check, result, wrong_end

STEPS = 20
SOLVERS = {
    "default": (),
    "cond-double": ("--solver", "cond", "--precision", "double"),
    "cond-float": ("--solver", "cond", "--precision", "float"),
}
# The columns of steps.csv that may differ: times, and terms of the energy balance that only the CPU computes.
NOT_COMPARED = ("dynamics_ms", "solver_ms", "contact_work_J", "energy_gain_J")


def bits(programs):
    for solver, words in SOLVERS.items():
        for name in programs.scenarios:
            yield Check(f"{name}/{solver}", functools.partial(compare_backends, programs, name, words))


def compare_backends(programs, name, words, seconds, _):
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        runs = {backend: Path(folder) / backend for backend in ("cuda", "cpu")}
        for backend, out in runs.items():
            run = ["run", programs.scenarios[name], *words, "--steps", STEPS, "--set", "output.every_steps=1"]
            run += ["--backend", backend, "--out", out]
            done = programs.run(programs.nodia, *run, seconds=end - time.monotonic())
            wrong = wrong_end(done, f"--backend {backend} ")
            if wrong:
                return wrong
        summary = json.loads((runs["cuda"] / "summary.json").read_text())
        if summary["backend"] != "cuda":
            return result(SKIPPED, f"it ran on the CPU: {summary['backend_because']}")
        found = differences(runs["cpu"], runs["cuda"])
    more = {"steps_on_device": summary["steps_on_device"]}
    return result(FAIL, f"different bits in {', '.join(found)}", **more) if found else result(PASS, **more)


def differences(first, second):
    """Names of the columns of steps.csv and of the trajectory files that differ between two run directories."""
    tables = []
    for folder in (first, second):
        with open(folder / "steps.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
            tables.append(dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True)))
    compared = [name for name in tables[0] | tables[1] if name not in NOT_COMPARED]
    found = [name for name in compared if tables[0].get(name) != tables[1].get(name)]
    for path in sorted(first.glob("trajectory*")):
        other = second / path.name
        if not other.exists() or other.read_bytes() != path.read_bytes():
            found.append(path.name)
    return found
