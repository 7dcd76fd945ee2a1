"""Bodies that lie in each other, or come through each other, are told; coarse grids are refused."""

import json
import re

import pytest
from nodia_command import needs_nodia, run

pytestmark = needs_nodia

CUBE = """v -0.05 -0.05 -0.05
v 0.05 -0.05 -0.05
v 0.05 0.05 -0.05
v -0.05 0.05 -0.05
v -0.05 -0.05 0.05
v 0.05 -0.05 0.05
v 0.05 0.05 0.05
v -0.05 0.05 0.05
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
"""


def write(folder, body, step_s=0.005, duration_s=1.0, more=""):
    path = folder / "scene.yaml"
    path.write_text(
        f"name: scene\ntime: {{step_s: {step_s}, duration_s: {duration_s}}}\n"
        f"rigid_bodies:\n  body: {{{body}}}\nobstacles:\n  floor: {{shape: half_space}}\n{more}"
    )
    return path


def cube(folder, grid=""):
    (folder / "cube.obj").write_text(CUBE)
    return f"shape: mesh, file: cube.obj, {grid}density_kg_m3: 500, position_m: [0, 0, 0.07]"


@pytest.mark.parametrize("spacing", ["0.051", "0.09", "0.11", "1", "1e6"])
def test_a_grid_as_coarse_as_the_body_is_refused(tmp_path, spacing):
    done = run("run", write(tmp_path, cube(tmp_path, f"grid_spacing_m: {spacing}, ")))
    assert done.returncode == 2
    assert re.search(r"scene\.yaml:4: rigid_bodies\.body\.shape: .*spacing_m = ", done.stderr)
    assert "must be at most half of the mesh's smallest extent of 0.1 m" in done.stderr


@pytest.mark.parametrize("grid", ["", "grid_spacing_m: 0.05, ", "grid_spacing_m: 0.01, "])
def test_a_mesh_lies_on_the_floor_whatever_its_grid(tmp_path, grid):
    done = run("run", write(tmp_path, cube(tmp_path, grid)), "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["converged_steps"] == summary["steps"] == 200
    assert summary["overlaps"] == []
    assert summary["max_penetration_m"] < 1e-5
    last = (tmp_path / "out/steps.csv").read_text().splitlines()
    names, values = last[0].split(","), last[-1].split(",")
    weight = 9.81 * 500 * 0.1**3
    assert float(values[names.index("contact_body_floor_fz_N")]) == pytest.approx(weight, 1e-3)


def test_an_overlap_at_the_start_is_told_with_pair_and_depth(tmp_path):
    body = "shape: box, size_m: [0.03, 0.03, 0.03], mass_kg: 0.1, position_m: [0, 0, -5]"
    done = run("run", write(tmp_path, body), "--steps", 3, "--json", "--out", tmp_path / "out")
    assert done.returncode == 0
    told = [line for line in done.stderr.splitlines() if "overlap" in line]
    assert len(told) == 1
    assert "body and floor overlap by 5.02e+03 mm" in told[0]
    assert "at the start" in told[0]
    (overlap,) = json.loads(done.stdout)["overlaps"]
    assert overlap["objects"] == ["body", "floor"]
    assert overlap["depth_m"] == pytest.approx(5.015)
    assert overlap["at_start"] is True


def test_only_ten_overlaps_are_told_on_the_screen(tmp_path):
    body = "shape: sphere, radius_m: 0.01, mass_kg: 0.1, position_m: [0, 0, 0.02]"
    more = "".join(
        f"  o{k}: {{shape: sphere, radius_m: 0.05, position_m: [0, 0, 0.0{k}]}}\n" for k in range(9)
    ) + "".join(
        f"  p{k}: {{shape: sphere, radius_m: 0.05, position_m: [0, 0.0{k}, 0]}}\n" for k in range(5)
    )
    done = run(
        "run", write(tmp_path, body, more=more), "--steps", 1, "--json", "--out", tmp_path / "out"
    )
    told = [line for line in done.stderr.splitlines() if "overlap" in line]
    assert len(told) == 11
    assert "summary.json lists all of them under overlaps" in told[-1]
    assert len(json.loads(done.stdout)["overlaps"]) > 10


def test_a_body_thrown_through_another_fails_the_run(tmp_path):
    # The hammer hits the edge of the target and turns by 76 degrees in the first step.
    target = "shape: box, size_m: [0.02, 0.02, 0.02], mass_kg: 0.01, position_m: [0, 0, 0.05]"
    hammer = (
        "  hammer: {shape: box, size_m: [0.03, 0.03, 0.03], mass_kg: 10, "
        "position_m: [0.02, 0, 0.085], velocity_m_s: [0, 0, -20]}\n"
    )
    path = tmp_path / "scene.yaml"
    path.write_text(
        "name: scene\ngravity_m_s2: [0, 0, 0]\ntime: {step_s: 0.01, duration_s: 0.05}\n"
        f"rigid_bodies:\n  target: {{{target}}}\n{hammer}"
        "obstacles:\n  plate: {shape: box, size_m: [0.015, 0.015, 0.002], "
        "position_m: [-0.006, 0, 0.02]}\n"
    )
    done = run("run", path, "--solver", "cond", "--out", tmp_path / "out")  # solves a step once
    assert done.returncode == 1
    assert re.search(
        r"\d failed, first in step 1: .*'hammer' came 0\.0\d+ m into or through 'plate' without a "
        r"contact in the step's problem",
        done.stderr,
    )
    assert ",failed," in (tmp_path / "out/steps.csv").read_text()


def test_a_cable_that_folds_at_a_joint_fails_the_run(tmp_path):
    """Without geometric stiffness, the energy would grow to 1e12 J."""
    path = tmp_path / "scene.yaml"
    path.write_text(
        "name: scene\ntime: {step_s: 0.01, duration_s: 0.5}\n"
        "cables:\n  rope: {points_m: [[-0.5, 0, 0.05], [0.5, 0, 0.05]], links: 7, "
        "youngs_modulus_Pa: 1e5, friction: 1, damping_s: 0.01}\n"
        "obstacles:\n  pole: {shape: capsule, radius_m: 0.02, length_m: 1, friction: 1, "
        "orientation_wxyz: [0.70710678, 0.70710678, 0, 0]}\n"
    )
    without = "time.geometric_stiffness=false"
    done = run("run", path, "--set", without, "--out", tmp_path / "out")
    assert done.returncode == 1
    assert re.search(
        r"failed, first in step 4\d: links \d and \d of 'rope' turn by 1\d\d degrees in the step, "
        r"more than 90 \(take a smaller time.step_s\)",
        done.stderr,
    )
    assert "taut cables may need time.geometric_stiffness = true" in done.stderr
    done = run("run", path, "--set", "time.step_s=0.002", "--set", without, "--out", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    done = run("run", path, "--out", tmp_path / "default")
    assert done.returncode == 0, done.stderr
