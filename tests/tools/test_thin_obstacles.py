"""Soft blocks on obstacles thinner than their cells, and thin rigid bodies on soft blocks: the weight is carried."""

import math
import random
import subprocess

import pytest

WEIGHT_N = 9.81  # of the block
KINDS = ["blade", "wire", "rod", "edge", "post", "pin", "tip", "ring"]
BODIES = ["box", "cylinder", "capsule", "torus"]


def product(a, b):
    """Product of two quaternions w, x, y, z."""
    w, x, y, z = a
    u, p, q, r = b
    return [
        w * u - x * p - y * q - z * r,
        w * p + x * u + y * r - z * q,
        w * q - x * r + y * u + z * p,
        w * r + x * q - y * p + z * u,
    ]


def turn(axis, angle):
    """Quaternion of a rotation about a coordinate axis."""
    q = [math.cos(angle / 2), 0, 0, 0]
    q[1 + "xyz".index(axis)] = math.sin(angle / 2)
    return q


def supports(kind, rng):
    """Obstacles of one kind with their highest points at z = 0.04 m."""
    yaw = rng.uniform(0, math.pi)
    size = 10 ** rng.uniform(-2.7, -2.1)
    around = turn("z", yaw)
    lying = product(around, turn("x", math.pi / 2))
    shapes = []
    for k in range(9):
        x, y = 0.03 * (k % 3 - 1) + rng.uniform(-3e-3, 3e-3), 0.03 * (k // 3 - 1) + rng.uniform(-3e-3, 3e-3)
        post = {
            "post": f"shape: box, size_m: [{size}, {size}, 0.04], position_m: [{x}, {y}, 0.02]",
            "pin": f"shape: capsule, radius_m: {size}, length_m: 0.04, position_m: [{x}, {y}, {0.02 - size}]",
            "tip": f"shape: sphere, radius_m: {size}, position_m: [{x}, {y}, {0.04 - size}]",
        }.get(kind)
        if post:
            shapes.append(post)
    for side in (-0.03, 0.03):
        place = f"{side * math.cos(yaw)}, {side * math.sin(yaw)}"
        long = {
            "blade": f"shape: box, size_m: [{size / 5}, 0.3, 0.04], position_m: [{place}, 0.02], "
            f"orientation_wxyz: {around}",
            "wire": f"shape: capsule, radius_m: {size}, length_m: 0.3, position_m: [{place}, {0.04 - size}], "
            f"orientation_wxyz: {lying}",
            "rod": f"shape: cylinder, radius_m: {size}, length_m: 0.3, position_m: [{place}, {0.04 - size}], "
            f"orientation_wxyz: {lying}",
            "edge": f"shape: box, size_m: [{size}, 0.3, {size}], position_m: [{place}, {0.04 - size / math.sqrt(2)}], "
            f"orientation_wxyz: {product(around, turn('y', math.pi / 4))}",
        }.get(kind)
        if long:
            shapes.append(long)
    if kind == "ring":
        shapes.append(f"shape: torus, radius_m: 0.035, tube_radius_m: {size}, position_m: [0, 0, {0.04 - size}]")
    return shapes


def block(rng, height):
    """Soft cube of 1 kg whose lower face is at this height [m]."""
    cells = rng.choice([2, 3, 4, 5])
    return (
        f"bodies:\n  block: {{mesh: {{box: {{size_m: [0.1, 0.1, 0.1], cells: [{cells}, {cells}, {cells}]}}}}, "
        f"position_m: [-0.05, -0.05, {height}], youngs_modulus_Pa: {10 ** rng.uniform(4.6, 5.4)}, "
        "density_kg_m3: 1000, rayleigh_mass_1_s: 5, rayleigh_stiffness_s: 0.01, friction: 0.5}\n"
    )


def assert_carried(nodia, scene, text):
    """Runs a scenario with its checks."""
    scene.write_text(text)
    run = subprocess.run(
        [nodia, "run", scene, "--check", "--out", scene.parent / "out"], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout + run.stderr


def carried(on, newton):
    """Check of the vertical contact force on an object [N]."""
    return (
        f"checks:\n  carried: {{check: contact_force, on: {on}, part: z, from_s: 1.0, to_s: 1.2, value_N: {newton}, "
        "relative_tolerance: 0.01}\n"
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_obstacles_thinner_than_the_cells_carry_a_soft_block(nodia, tmp_path, kind, seed):
    rng = random.Random(f"{kind} {seed}")
    obstacles = supports(kind, rng) + [
        f"shape: box, size_m: {size}, position_m: {place}, friction: 0"
        for size, place in [
            ([0.002, 0.3, 0.3], [-0.056, 0, 0.2]),
            ([0.002, 0.3, 0.3], [0.056, 0, 0.2]),
            ([0.3, 0.002, 0.3], [0, -0.056, 0.2]),
            ([0.3, 0.002, 0.3], [0, 0.056, 0.2]),
        ]
    ]
    assert_carried(
        nodia,
        tmp_path / "scene.yaml",
        f"name: on_{kind}\ntime: {{step_s: {rng.choice([0.002, 0.005, 0.01])}, duration_s: 1.2}}\n"
        + block(rng, 0.04 + rng.uniform(0, 0.003))
        + "obstacles:\n"
        + "".join(f"  o{k}: {{{shape}}}\n" for k, shape in enumerate(obstacles))
        + carried("block", WEIGHT_N),
    )


@pytest.mark.parametrize("shape", BODIES)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_soft_block_carries_bodies_thinner_than_its_cells(nodia, tmp_path, shape, seed):
    rng = random.Random(f"{shape} {seed}")
    size, mass = 10 ** rng.uniform(-2.6, -2.1), rng.uniform(0.1, 0.5)
    yaw = turn("z", rng.uniform(0, math.pi))
    place = f"position_m: [{rng.uniform(-5e-3, 5e-3)}, 0, {0.102 + size}]"
    lying = product(yaw, turn("x", math.pi / 2))
    of_shape = {
        "box": f"size_m: [{size}, 0.2, {2 * size}], orientation_wxyz: {yaw}",
        "cylinder": f"radius_m: {size}, length_m: 0.2, orientation_wxyz: {lying}",
        "capsule": f"radius_m: {size}, length_m: 0.2, orientation_wxyz: {lying}",
        "torus": f"radius_m: 0.03, tube_radius_m: {size}",
    }[shape]
    assert_carried(
        nodia,
        tmp_path / "scene.yaml",
        f"name: under_{shape}\ntime: {{step_s: 0.005, duration_s: 1.2}}\n"
        + block(rng, 0)
        + f"rigid_bodies:\n  thing: {{shape: {shape}, {of_shape}, {place}, mass_kg: {mass}, friction: 0.5}}\n"
        + "obstacles:\n  floor: {shape: half_space, friction: 0.5}\n"
        + carried("thing", mass * 9.81),
    )


def test_a_box_on_a_larger_soft_block_comes_to_rest(nodia, tmp_path):
    assert_carried(
        nodia,
        tmp_path / "scene.yaml",
        "name: cushion\ntime: {step_s: 0.005, duration_s: 2}\n"
        "bodies:\n  block: {mesh: {box: {size_m: [0.1, 0.1, 0.05], cells: [6, 6, 3]}}, position_m: [-0.05, -0.05, 0], "
        "youngs_modulus_Pa: 5e4, density_kg_m3: 1000, rayleigh_mass_1_s: 5, rayleigh_stiffness_s: 0.01, friction: 0.5}\n"
        "rigid_bodies:\n  weight: {shape: box, size_m: [0.061, 0.053, 0.04], position_m: [0.002, 0.003, 0.0701], "
        "mass_kg: 1, friction: 0.5}\n"
        "obstacles:\n  floor: {shape: half_space, friction: 0.5}\n"
        + carried("weight", 9.81)
        + "  energy_falls: {check: energy_non_increasing, from_s: 1.5, to_s: 2, tolerance_J: 1e-8}\n",
    )
