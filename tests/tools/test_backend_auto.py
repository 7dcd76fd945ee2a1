"""`--backend auto` and `--backend cuda` on the checked host backend, for which docs/gpu.md has no measurement."""

import csv
import json
import subprocess

import pytest
from nodia_command import CHECKED_HOST, SLIDING_BOX, expect_bad_input, needs_checked_host, needs_nodia

pytestmark = [needs_nodia, needs_checked_host]

COND = SLIDING_BOX + "solver: {solver: cond}\n"
NOT_MEASURED = "docs/gpu.md has no measurement of cond on checked host backend"


def run(*arguments):
    return subprocess.run([CHECKED_HOST, *map(str, arguments)], capture_output=True, text=True, timeout=120)


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "box.yaml"
    path.write_text(COND)
    return path


def summary_of(scenario, *words):
    out = scenario.parent / "out"
    done = run("run", scenario, "--steps", 2, "--out", out, "--overwrite", "--json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def chosen(scenario, *words):
    summary = summary_of(scenario, *words)
    return summary["backend"], summary["backend_because"]


def test_without_a_measurement_it_is_the_cpu(scenario):
    summary = summary_of(scenario)
    assert (summary["backend"], summary["backend_because"]) == ("cpu", NOT_MEASURED)
    assert summary["device"] is None
    assert chosen(scenario, "--envs", 2) == ("cpu", NOT_MEASURED)
    on_console = run("run", scenario, "--steps", 2, "--out", scenario.parent / "out2")
    assert f"cpu: {NOT_MEASURED}" in on_console.stdout


def test_a_named_backend_needs_no_reason(scenario):
    assert chosen(scenario, "--backend", "cpu") == ("cpu", "")
    assert chosen(scenario, "--backend", "cuda") == ("cuda", "")


def test_bits_are_the_same_wherever_it_ran(scenario):
    others = ("dynamics_ms", "solver_ms", "contact_work_J", "energy_gain_J")  # times, and terms that only the CPU computes
    runs = []
    for backend in ("cpu", "cuda"):
        summary_of(scenario, "--backend", backend)
        with open(scenario.parent / "out" / "steps.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        runs.append([{key: row[key] for key in row if key not in others} for row in rows])
    assert len(runs[0]) == 2 and len(runs[0][0]) > 10
    assert runs[0] == runs[1]


def test_the_launcher_and_device_are_those_of_the_command(scenario):
    summary = summary_of(scenario, "--backend", "cuda", "--loop", "checked", "--device", 0)
    assert (summary["backend"], summary["loop"], summary["device"]) == ("cuda", "checked", 0)
    summary = summary_of(scenario, "--loop", "checked", "--device", 0)
    assert (summary["backend"], summary["loop"], summary["device"]) == ("cpu", None, None)
    expect_bad_input(run("run", scenario, "--device", 1), "--device = 1")
    expect_bad_input(run("run", scenario, "--loop", "round"), "--loop = round")


def test_solvers_without_a_measurement_name_no_device(scenario):
    newton = "newton runs on the GPU only with --backend cuda; docs/gpu.md has no measurement of newton"
    assert chosen(scenario, "--solver", "newton") == ("cpu", newton)
    assert chosen(scenario, "--solver", "pgs") == ("cpu", "pgs runs on the CPU only")


@pytest.mark.parametrize("solver", ["newton", "auto"])
def test_newton_takes_the_device_that_was_asked_for(scenario, solver):
    on_device = summary_of(scenario, "--solver", solver, "--backend", "cuda", "--loop", "launches")
    assert (on_device["backend"], on_device["loop"], on_device["backend_because"]) == ("cuda", "launches", "")
    if solver == "auto":
        assert on_device["solvers"] == {"newton": 2}
    on_cpu = summary_of(scenario, "--solver", solver, "--backend", "cpu")
    assert on_device["error_estimate_max"] == on_cpu["error_estimate_max"]


RIGID = "rigid_bodies={ball: {shape: sphere, radius_m: 0.02, mass_kg: 0.1, position_m: [1, 1, 1]}}"
CABLE = "cables={rope: {points_m: [[1, 1, 1], [2, 1, 1]], links: 4, radius_m: 0.01, density_kg_m3: 1000, youngs_modulus_Pa: 1e6, poissons_ratio: 0.4}}"


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (["--set", "bodies={}", "--set", RIGID], "newton without soft bodies factorises, which it does on the CPU"),
        (["--set", CABLE], "newton eliminates along cables, which it does on the CPU"),
        (
            ["--set", "solver.newton.linear_solver=direct"],
            "newton factorises on the CPU (solver.newton.linear_solver=auto takes multigrid)",
        ),
    ],
)
def test_what_has_no_form_on_a_device_runs_on_the_cpu_and_says_so(scenario, words, because):
    words = ("--solver", "newton", "--backend", "cuda", "--device", 0, *words)
    assert chosen(scenario, *words) == ("cpu", because)
    out = scenario.parent / "told"
    told = run("run", scenario, "--steps", 2, "--out", out, *words)
    assert f"cpu: {because}" in told.stdout


def test_solve_tells_where_it_ran(scenario):
    def told(*words):
        done = run("solve", scenario, "--step", 5, "--solver", "cond", *words)
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert f"backend auto: cpu: {NOT_MEASURED}" in told()
    assert told("--backend", "cuda") == ""
