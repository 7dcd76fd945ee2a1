"""`nodia run`: what it writes, what it prints, how it ends."""

import csv
import json
import math
import os
import re
import shutil

import numpy as np
import pytest
import yaml
from nodia_command import needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]

STEPS_HEADER = (
    "env,step,time_s,n_contact,n_stick,n_slip,iterations,status,relative_residual,certificate_J,energy_error_J,"
    "natural_map_error,error_estimate,max_penetration_m,kinetic_energy_J,potential_energy_J,contact_work_J,"
    "frame_work_J,push_work_J,energy_gain_J,dynamics_ms,solver_ms,work_units,error_bound"
)
CONTACT_PARTS = ["fx_N", "fy_N", "fz_N", "normal_N", "n", "n_stick", "n_slip", "max_slip_m_s"]
CONTACT_COLUMNS = [
    f"{group}_{part}"
    for group in ("contact_box_floor", "contact_box", "contact_floor")
    for part in CONTACT_PARTS
]
SUMMARY_KEYS = [
    "scenario",
    "backend",
    "device",
    "loop",
    "steps_on_device",
    "precision",
    "solver",
    "solvers",
    "fell_back_steps",
    "stop",
    "n_node",
    "n_tet",
    "n_dof",
    "n_env",
    "steps",
    "simulated_s",
    "wall_s",
    "converged_steps",
    "failed_steps",
    "reasons",
    "run_failed",
    "unconverged",
    "not_finite",
    "iterations_mean",
    "relative_residual_max",
    "certificate_J_max",
    "error_estimate_max",
    "estimated_steps",
    "floor_ended_steps",
    "max_penetration_m",
    "dynamics_ms_mean",
    "solver_ms_mean",
    "checks",
    "version",
    "commit",
    "machine",
]
COND = ["--solver", "cond"]
RUN_FILES = ["config.yaml", "steps.csv", "summary.json", "trajectory.vtkhdf"]


def rows_of(directory):
    with open(directory / "steps.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_a_run_writes_its_directory_and_prints_a_table(scenario, tmp_path):
    done = run("run", scenario, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert (
        "sliding_box" in done.stdout
        and "iterations" in done.stdout
        and "passed no_penetration" in done.stdout
    )
    directory = tmp_path / "out/sliding_box"
    assert sorted(os.listdir(directory)) == RUN_FILES
    header = (directory / "steps.csv").read_text().splitlines()[0]
    assert header == ",".join([STEPS_HEADER, *CONTACT_COLUMNS])
    rows = rows_of(directory)
    assert [int(row["step"]) for row in rows] == list(range(1, 31))
    assert all(
        row["status"] == "converged" and row["env"] == "0" and row["energy_error_J"] == ""
        for row in rows
    )
    assert math.isclose(float(rows[-1]["time_s"]), 0.3)
    assert max(int(row["n_contact"]) for row in rows) >= 9
    assert max(int(row["n_slip"]) for row in rows) > 0


def test_json_is_the_summary_and_has_the_contract_keys(scenario, tmp_path):
    done = run("run", scenario, "--json", "--out", tmp_path / "r", "--steps", 12)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert set(SUMMARY_KEYS) <= set(printed)
    assert printed == json.loads((tmp_path / "r/summary.json").read_text())
    assert printed["steps"] == 12 and math.isclose(printed["simulated_s"], 0.12)
    assert (
        printed["backend"] == "cpu"
        and printed["solver"] == "auto"
        and printed["solvers"] == {"newton": 12}
        and printed["stop"] == "auto"
    )
    assert (
        printed["n_node"] == 18
        and printed["n_dof"] == 54
        and printed["n_tet"] == 24
        and printed["n_env"] == 1
    )
    assert (
        printed["converged_steps"] == 12
        and printed["failed_steps"] == 0
        and printed["reasons"] == {"converged": 12}
    )
    assert {"name", "passed", "value", "bound", "unit"} <= set(printed["checks"][0])
    rows = rows_of(tmp_path / "r")
    mean = sum(int(row["iterations"]) for row in rows) / 12
    assert math.isclose(printed["iterations_mean"], mean)
    assert printed["max_penetration_m"] == max(float(row["max_penetration_m"]) for row in rows)
    assert {"cpu", "cores", "os"} <= set(printed["machine"])


def test_a_check_at_the_end_is_not_reached_by_a_shortened_run(scenario, tmp_path):
    scenario.write_text(
        scenario.read_text() + "  moved: {check: node_position, body: box, node_set: x_min, axis: x, above_m: 0.005}\n"
    )
    out = ["--out", tmp_path / "r", "--overwrite", "--check"]
    whole = run("run", scenario, *out)
    assert whole.returncode == 0, whole.stderr
    done = run("run", scenario, "--steps", 3, *out)
    assert done.returncode == 0, done.stderr
    assert "not reached moved" in done.stdout and "FAILED" not in done.stdout


def test_a_failed_check_prints_measured_and_expected_value(scenario, tmp_path):
    text = "  weight: {check: contact_force, on: floor, value_N: 1, tolerance_N: 0.1, from_s: 0.2, to_s: 0.3}\n"
    scenario.write_text(scenario.read_text() + text)
    done = run("run", scenario, "--out", tmp_path / "r", "--check", "--json")
    assert done.returncode == 1
    check = next(c for c in json.loads(done.stdout)["checks"] if c["name"] == "weight")
    assert check["expected"] == 1 and check["tolerance"] == 0.1 and check["quantity"] == "force"
    assert math.isclose(check["value"], abs(check["measured"] - 1))
    assert re.search(r"check weight failed: force \S+ N, expected 1 N \+- 0\.1 N, off by \S+ N", done.stderr)


def test_the_resolved_config_repeats_the_run(scenario, tmp_path):
    first = run(
        "run",
        scenario,
        "--out",
        tmp_path / "a",
        "--steps",
        9,
        "--set",
        "time.step_s=0.005",
        "--tolerance",
        "1e-6",
    )
    assert first.returncode == 0, first.stderr
    config = yaml.safe_load((tmp_path / "a/config.yaml").read_text())
    assert config["format_version"] == 1
    assert config["time"]["step_s"] == 0.005 and math.isclose(config["time"]["duration_s"], 0.045)
    assert float(config["solver"]["tolerance"]) == 1e-6
    second = run("run", tmp_path / "a/config.yaml", "--out", tmp_path / "b")
    assert second.returncode == 0, second.stderr
    assert (tmp_path / "a/config.yaml").read_text() == (tmp_path / "b/config.yaml").read_text()
    assert (tmp_path / "a/trajectory.vtkhdf").read_bytes() == (
        tmp_path / "b/trajectory.vtkhdf"
    ).read_bytes()


@pytest.mark.parametrize(
    ("options", "key", "value"),
    [
        (["--stop", "paper", "--tolerance", "1e-5", *COND], "stop", "paper"),
        (["--max-iterations", "77"], "max_iterations", 77),
        (["--w", "bb1", *COND], "w", "bb1"),
        (["--acceleration", "nesterov", *COND], "acceleration", "nesterov"),
        (["--chebyshev", "off", *COND], "acceleration", "none"),
        (["--chebyshev", "on", *COND], "acceleration", "chebyshev"),
        (["--precision", "float", *COND], "precision", "float"),
        (["--threads", "2"], "threads", 2),
        (["--errors", "full"], "full_errors", True),
        (["--solver", "pgs"], "solver", "pgs"),
    ],
)
def test_solver_options_reach_the_solver(scenario, tmp_path, options, key, value):
    done = run("run", scenario, "--steps", 4, "--out", tmp_path / "r", "--json", *options)
    assert done.returncode == 0, done.stderr
    assert yaml.safe_load((tmp_path / "r/config.yaml").read_text())["solver"][key] == value


def test_full_errors_fill_the_energy_error(scenario, tmp_path):
    done = run("run", scenario, "--errors", "full", "--steps", 12, "--out", tmp_path / "r")
    assert done.returncode == 0, done.stderr
    assert all(float(row["energy_error_J"]) >= 0 for row in rows_of(tmp_path / "r"))


def test_options_win_over_settings_and_settings_over_the_file(scenario, tmp_path):
    words = [
        "--set",
        "solver.tolerance=1e-3",
        "solver.max_iterations=50",
        "--set",
        "solver.check_every=4",
        "--tolerance",
        "1e-5",
    ]
    for number, order in enumerate([[scenario, *words], [*words, scenario]]):
        done = run("run", *order, "--steps", 2, "--out", tmp_path / str(number))
        assert done.returncode == 0, done.stderr
        solver = yaml.safe_load((tmp_path / str(number) / "config.yaml").read_text())["solver"]
        assert (float(solver["tolerance"]), solver["max_iterations"], solver["check_every"]) == (
            1e-5,
            50,
            4,
        )


def test_a_failed_check_counts_only_with_check(scenario, tmp_path):
    words = [
        "run",
        scenario,
        "--set",
        "checks.no_penetration.bound_m=1e-30",
        "--set",
        "bodies.box.position_m=[0, 0, -0.001]",
    ]
    relaxed = run(*words, "--out", tmp_path / "a", "--json")
    assert relaxed.returncode == 0
    assert [
        check["passed"]
        for check in json.loads(relaxed.stdout)["checks"]
        if check["name"] == "no_penetration"
    ] == [False]
    strict = run(*words, "--out", tmp_path / "b", "--json", "--check")
    assert strict.returncode == 1
    assert "check no_penetration failed" in strict.stderr
    assert json.loads(strict.stdout)["steps"] == 30


def test_steps_that_do_not_converge_are_told_and_count_with_check(scenario, tmp_path):
    words = [
        "run",
        scenario,
        "--tolerance",
        "1e-12",
        "--max-iterations",
        "1",
        "--steps",
        10,
        "--json",
    ]
    relaxed = run(*words, "--out", tmp_path / "a")
    assert relaxed.returncode == 0
    summary = json.loads(relaxed.stdout)
    assert (
        summary["failed_steps"] > 0 and summary["converged_steps"] + summary["failed_steps"] == 10
    )
    assert f"steps that did not converge: {summary['failed_steps']}" in relaxed.stderr
    assert run(*words, "--out", tmp_path / "b", "--check").returncode == 1


def test_a_run_with_a_step_that_diverges_fails_without_check_too(scenario, tmp_path):
    words = ["--solver", "pgs", "--set", "bodies.box.youngs_modulus_Pa=1e25", "--steps", 3]
    done = run("run", scenario, *words, "--out", tmp_path / "r", "--json")
    summary = json.loads(done.stdout)
    assert summary["reasons"] == {"diverged": 3}
    assert done.returncode == 1 and summary["run_failed"] is True
    (ending,) = summary["unconverged"]
    assert ending["status"] == "diverged" and ending["fails_the_run"] is True
    assert (ending["steps"], ending["first"]["step"]) == (3, 1) and ending["first"]["reason"]
    said = f"(3 diverged, first in step 1: {ending['first']['reason']})"
    assert "error: steps that did not converge: 3 of 3 " + said in done.stderr


def test_numbers_that_are_not_finite_are_explained(scenario, tmp_path):
    words = [*COND, "--set", "bodies.box.youngs_modulus_Pa=1e300", "--steps", 3]
    done = run("run", scenario, *words, "--out", tmp_path / "r")
    assert done.returncode == 1
    summary = json.loads((tmp_path / "r/summary.json").read_text())
    explained = {entry["key"]: entry for entry in summary["not_finite"]}
    assert "relative_residual_max" in explained
    for key in ("relative_residual_max", "certificate_J_max", "max_penetration_m"):
        assert (summary[key] is None) == (key in explained)
    entry = explained["relative_residual_max"]
    assert f"not finite, first in step {entry['step']} ({entry['reason']})" in done.stdout
    assert " nan " not in done.stdout and " inf " not in done.stdout


def test_what_xpbd_does_not_measure_is_no_nan(tmp_path):
    path = tmp_path / "box.yaml"
    path.write_text(
        "name: box\ntime: {step_s: 0.01, duration_s: 0.05}\nobstacles: {floor: {shape: half_space}}\n"
        "rigid_bodies: {r: {shape: box, size_m: [0.1, 0.1, 0.1], mass_kg: 1, position_m: [0, 0, 0.05]}}\n"
    )
    done = run("run", path, "--solver", "xpbd", "--out", tmp_path / "r")
    assert done.returncode == 0
    assert "largest error energy       not finite, first in step 1 (not measured)" in done.stdout
    assert "nan" not in done.stdout


@pytest.mark.parametrize("solver", ["cond", "pgs", "xpbd"])
def test_numbers_too_large_to_be_squared_fail_the_run_with_every_kind_of_solver(scenario, tmp_path, solver):
    words = ["--solver", solver, "--set", "bodies.box.velocity_m_s=[1e200, 0, -1]", "--steps", 2]
    done = run("run", scenario, *words, "--out", tmp_path / "r", "--json")
    summary = json.loads(done.stdout)
    assert done.returncode == 1 and summary["reasons"] == {"not_a_number": 1}
    assert summary["unconverged"][0]["first"]["reason"] in done.stderr


# A cable with a check that has no reference, and one of contacts that never come.
NOTHING_TO_COMPARE = """\
name: hanging
time: {step_s: 0.01, duration_s: 0.05}
cables:
  c: {points_m: [[0, 0, 1], [0.1, 0, 1]], links: 10, radius_m: 0.002}
mounts:
  m: {body: c, at: rear}
checks:
  other: {check: reference_csv, sensor: m, force_rms_bound_N: 1}
  cone: {check: friction_in_cone}
"""


def test_a_check_that_compared_nothing_never_says_passed(tmp_path):
    path = tmp_path / "hanging.yaml"
    path.write_text(NOTHING_TO_COMPARE)
    done = run("run", path, "--check", "--out", tmp_path / "r")
    assert done.returncode == 0, done.stderr
    reasons = {
        "other": "no file is given as reference",
        "cone": "no contact in any step",
    }
    assert "passed" not in done.stdout
    checks = json.loads((tmp_path / "r/summary.json").read_text())["checks"]
    assert len(checks) == len(reasons)
    for check in checks:
        reason = reasons[check["name"]]
        assert (check["passed"], check["compared"], check["reason"]) == (False, False, reason)
        assert f"not compared {check['name']}: {reason}" in done.stdout
        assert f"warning: check {check['name']} not compared: {reason}" in done.stderr


def test_a_check_of_what_is_not_a_number_is_not_compared_and_fails(scenario, tmp_path):
    words = ["--set", "bodies.box.velocity_m_s=[1e300, 0, 0]", "--check"]
    done = run("run", scenario, *words, "--out", tmp_path / "r")
    assert done.returncode == 1
    assert "not compared no_penetration: its value is not a number" in done.stdout
    assert "error: check no_penetration not compared: its value is not a number" in done.stderr
    (check, _) = json.loads((tmp_path / "r/summary.json").read_text())["checks"]
    assert (check["passed"], check["compared"], check["value"]) == (False, False, None)
    assert check["reason"] == "its value is not a number"


def test_a_state_that_is_not_a_number_fails_the_run(scenario, tmp_path):
    done = run("run", scenario, "--set", "bodies.box.velocity_m_s=[1e300, 0, 0]", "--out", tmp_path / "r", "--json")
    assert done.returncode == 1
    assert "environment 0 failed in step 1: its state is not finite" in done.stderr
    summary = json.loads(done.stdout)
    assert summary["steps"] == 1 and summary["reasons"] == {"not_a_number": 1} and summary["relative_residual_max"] is None
    assert [row["status"] for row in rows_of(tmp_path / "r")] == ["not_a_number"]
    assert sorted(os.listdir(tmp_path / "r")) == RUN_FILES


def test_overwrite_replaces_the_first_run_file_by_file(scenario, tmp_path):
    directory = tmp_path / "r"
    assert (
        run(
            "run", scenario, "--out", directory, "--steps", 20, "--set", "output.part_frames=5"
        ).returncode
        == 0
    )
    (directory / "notes.txt").write_text("mine")
    shutil.copy(directory / "trajectory.vtkhdf", directory / "trajectory.part0007.vtkhdf")  # of a kill
    (directory / "trajectory.part0008.vtkhdf.tmp").write_bytes(b"\x89HDF")
    assert run("run", scenario, "--out", directory, "--steps", 3, "--overwrite").returncode == 0
    assert sorted(os.listdir(directory)) == sorted([*RUN_FILES, "notes.txt"])
    assert len(rows_of(directory)) == 3
    assert json.loads((directory / "summary.json").read_text())["steps"] == 3


def test_no_progress_bar_on_a_pipe_but_one_on_a_terminal(scenario, tmp_path):
    import pty
    import subprocess

    from nodia_command import BINARY

    words = [
        BINARY,
        "run",
        scenario,
        "--out",
        tmp_path / "r",
        "--steps",
        "20000",
        "--set",
        "output.every_steps=20000",
    ]
    controller, terminal = pty.openpty()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    seen = b""
    try:
        while b"ETA" not in seen:
            seen += os.read(controller, 4096)
    except OSError:
        pass
    finally:
        child.terminate()
        child.wait(60)
        os.close(controller)
    assert b"step " in seen and b"ETA" in seen and b"%" in seen
    assert run("run", scenario, "--out", tmp_path / "s", "--steps", 300).stderr == ""


def test_the_answer_does_not_depend_on_the_locale(scenario, tmp_path):
    for number, language in enumerate(["C", "de_DE.UTF-8"]):
        done = run(
            "run",
            scenario,
            "--steps",
            10,
            "--out",
            tmp_path / str(number),
            environment={"LC_ALL": language},
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "0/trajectory.vtkhdf").read_bytes() == (
        tmp_path / "1/trajectory.vtkhdf"
    ).read_bytes()
    assert (tmp_path / "0/config.yaml").read_text() == (tmp_path / "1/config.yaml").read_text()


def test_positions_in_free_fall(scenario, tmp_path):
    """Until it touches the floor the box falls as implicit Euler says: v_n = -n g t, z_n = z_0 - g t^2 n (n + 1)/2."""
    import h5py

    words = ["--set", "bodies.box.position_m=[0, 0, 5]", "--steps", 20, "--tolerance", "1e-12"]
    assert run("run", scenario, *words, "--out", tmp_path / "r").returncode == 0
    with h5py.File(tmp_path / "r/trajectory.vtkhdf") as file:
        root = file["VTKHDF"]
        n_node = int(root["NumberOfPoints"][0])
        z = root["Points"][:].reshape(21, n_node, 3)[:, :, 2]
        v = root["PointData/velocity"][:].reshape(21, n_node, 3)[:, :, 2]
    n = np.arange(21)[:, None]
    assert np.allclose(v, -9.81 * 0.01 * n, atol=1e-9)
    assert np.allclose(z - z[0], -9.81 * 1e-4 * n * (n + 1) / 2, atol=1e-9)


def test_free_fall_is_one_linear_solve_a_step(scenario, tmp_path):
    """Soft bodies and the default solver: nothing to iterate where nothing touches."""
    words = ["--set", "bodies.box.position_m=[0, 0, 2]", "--steps", 10, "--check", "--out", tmp_path / "r"]
    done = run("run", scenario, *words)
    assert done.returncode == 0, done.stderr
    with open(tmp_path / "r/steps.csv") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["iterations"]) for row in rows] == [1] * 10
    assert [int(row["n_contact"]) for row in rows] == [0] * 10
