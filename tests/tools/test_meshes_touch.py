"""Rigid meshes touch each other as the exact shapes do: edges on edges, tubes in tubes, pegs in holes."""

import math
import random
import subprocess

import pytest

from solid_meshes import box, cylinder, obj, plate_with_hole, torus

LYING_ALONG_Y = [math.sqrt(0.5), 0, 0, math.sqrt(0.5)]


def turned(angle):
    """Orientation turned about z."""
    return [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]


def run_scene(nodia, folder, text, meshes):
    for name, mesh in meshes.items():
        (folder / f"{name}.obj").write_text(obj(*mesh))
    scene = folder / "scene.yaml"
    scene.write_text(text)
    done = subprocess.run(
        [nodia, "run", scene, "--check", "--out", folder / "run"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("seed", range(4))
def test_a_bar_lies_across_two_bars(nodia, tmp_path, seed):
    """Only edges of the bars cross: no vertex is near the other bar."""
    rng = random.Random(seed)
    thick = 10 ** rng.uniform(-2.3, -1.5)
    bar = box([0.3, thick, thick])
    rest = {"mesh": "shape: mesh, file: bar.obj", "box": f"shape: box, size_m: [0.3, {thick}, {thick}]"}
    kinds = rng.choice([("mesh", "mesh"), ("mesh", "box"), ("box", "mesh")])
    lower = "\n".join(
        f"  {name}: {{{rest[kinds[0]]}, position_m: [{x}, 0, 0], orientation_wxyz: {LYING_ALONG_Y}}}"
        for name, x in (("left", -0.1), ("right", 0.1))
    )
    run_scene(
        nodia,
        tmp_path,
        f"name: bars\ntime: {{step_s: {rng.choice([0.002, 0.005])}, duration_s: 0.5}}\n"
        f"rigid_bodies:\n  upper: {{{rest[kinds[1]]}, density_kg_m3: 500, friction: 0.5, "
        f"position_m: [0, {rng.uniform(-0.1, 0.1)}, {thick + 0.003}], "
        f"orientation_wxyz: {turned(rng.uniform(-0.5, 0.5))}}}\n"
        f"obstacles:\n{lower}\n"
        f"checks:\n  lies: {{check: body_position, body: upper, above_m: {thick - 1e-5}, below_m: {thick + 1e-5}}}\n",
        {"bar": bar},
    )


def test_a_torus_hangs_in_a_torus(nodia, tmp_path):
    """At two tube radii from the other tube's centre, less the sagitta of the facets."""
    sagitta = 0.02 * (1 - math.cos(math.pi / 32)) + 0.12 * (1 - math.cos(math.pi / 64))
    run_scene(
        nodia,
        tmp_path,
        "name: tori\ntime: {step_s: 0.002, duration_s: 1.5}\n"
        "rigid_bodies:\n  hangs: {shape: mesh, file: torus.obj, density_kg_m3: 500, friction: 0.3, "
        "position_m: [0.1, 0, -0.05], orientation_wxyz: [0.7071067811865476, 0.7071067811865476, 0, 0]}\n"
        "obstacles:\n  ring: {shape: mesh, file: torus.obj, friction: 0.3}\n"
        f"checks:\n  hangs: {{check: body_position, body: hangs, above_m: {-0.06 - 2 * sagitta}, below_m: -0.0599}}\n",
        {"torus": torus(0.1, 0.02)},
    )


@pytest.mark.parametrize("off_m", [0, 2e-5, 5e-5])
def test_a_peg_of_5_mm_falls_through_a_hole_of_5_1_mm(nodia, tmp_path, off_m):
    """It touches nothing on its way: corners that pass beside the rim of the hole do not stop at it."""
    run_scene(
        nodia,
        tmp_path,
        "name: peg\ntime: {step_s: 0.001, duration_s: 0.3}\n"
        "rigid_bodies:\n  peg: {shape: mesh, file: peg.obj, density_kg_m3: 1000, friction: 0.3, "
        f"position_m: [{off_m}, 0, 0.06]}}\n"
        "obstacles:\n  floor: {shape: half_space}\n"
        "  plate: {shape: mesh, file: plate.obj, friction: 0.3, position_m: [0, 0, 0.03]}\n"
        "checks:\n  fell: {check: body_position, body: peg, above_m: 0.019999, below_m: 0.020001}\n"
        f"  straight: {{check: body_position, body: peg, axis: x, above_m: {off_m - 1e-7}, below_m: {off_m + 1e-7}}}\n",
        {"peg": cylinder(0.005, 0.04), "plate": plate_with_hole(0.04, 0.0051, 0.02)},
    )


def test_a_nut_falls_along_a_bolt(nodia, tmp_path):
    run_scene(
        nodia,
        tmp_path,
        "name: nut\ntime: {step_s: 0.001, duration_s: 0.4}\n"
        "rigid_bodies:\n  nut: {shape: mesh, file: nut.obj, density_kg_m3: 1000, friction: 0.2, "
        "position_m: [0, 0, 0.036]}\n"
        "obstacles:\n  floor: {shape: half_space}\n"
        "  bolt: {shape: mesh, file: bolt.obj, friction: 0.2, position_m: [0, 0, 0.02]}\n"
        "checks:\n  fell: {check: body_position, body: nut, above_m: 0.003999, below_m: 0.0041}\n",
        {"nut": plate_with_hole(0.02, 0.0052, 0.008, n=60, corners=6), "bolt": cylinder(0.005, 0.04)},
    )


def test_a_soft_block_lies_on_the_edge_of_a_mesh(nodia, tmp_path):
    """Between two walls without friction, the upright blade carries its weight."""
    block = "box: {size_m: [0.1, 0.1, 0.1], cells: [4, 4, 4]}"
    walls = "".join(
        f"  {name}: {{shape: box, size_m: [0.002, 0.2, 0.3], position_m: [{x}, 0, 0.15], friction: 0}}\n"
        for name, x in (("left", -0.0515), ("right", 0.0515))
    )
    run_scene(
        nodia,
        tmp_path,
        "name: blade\ntime: {step_s: 0.005, duration_s: 1}\n"
        f"bodies:\n  block: {{mesh: {{{block}}}, position_m: [-0.05, -0.05, 0.042], youngs_modulus_Pa: 5e4, "
        "density_kg_m3: 1000, rayleigh_mass_1_s: 2, rayleigh_stiffness_s: 0.002, friction: 0}\n"
        f"obstacles:\n{walls}  floor: {{shape: half_space}}\n"
        "  blade: {shape: mesh, file: blade.obj, position_m: [0.0125, 0, 0.02], friction: 0.5}\n"
        "checks:\n  carried: {check: contact_force, on: block, by: blade, part: z, from_s: 0.8, to_s: 1, "
        "value_N: 9.81, relative_tolerance: 0.01}\n"
        "  above_floor: {check: node_position, body: block, of: lowest, above_m: 0.01}\n",
        {"blade": box([0.001, 0.2, 0.04])},
    )
