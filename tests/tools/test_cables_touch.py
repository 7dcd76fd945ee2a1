"""Cables that fall on cables, poles, bars, rings and soft blocks hang on them: nothing passes between their links."""

import math
import random
import subprocess

import pytest

KINDS = ["cable", "pole", "bar", "ring", "block"]


def falling_cable(rng, support_m):
    """Horizontal cable whose middle is above a place near x = y = 0, and the height of its axis [m]."""
    radius = 10 ** rng.uniform(-2.8, -2.3)
    length = rng.uniform(0.3, 0.5)
    angle = math.pi / 2 + rng.uniform(-0.5, 0.5)
    middle = rng.uniform(-0.01, 0.01), rng.uniform(-0.01, 0.01)
    height = support_m + radius + rng.uniform(1e-4, 0.02)
    half = 0.5 * length * math.cos(angle), 0.5 * length * math.sin(angle)
    ends = [[middle[0] + side * half[0], middle[1] + side * half[1], height] for side in (-1, 1)]
    return (
        f"points_m: {ends}, links: {rng.choice([10, 16, 30])}, radius_m: {radius}, "
        f"youngs_modulus_Pa: {10 ** rng.uniform(5.5, 6.5)}, friction: 1, damping_s: 0.01"
    )


def support(kind, rng):
    """Text of something that lies along x below z = 0, and the height of its top [m]."""
    size = 10 ** rng.uniform(-2.5, -2)
    lying = "orientation_wxyz: [0.7071067811865476, 0, 0.7071067811865476, 0]"
    if kind == "cable":
        mounts = "".join(
            f"  {at}: {{body: lower, at: {at}, position_m: [{x}, 0, 0]}}\n" for at, x in (("rear", -0.1), ("front", 0.1))
        )
        lower = (
            f"points_m: [[-0.1, 0, 0], [0.1, 0, 0]], links: {rng.choice([3, 8, 20])}, radius_m: {size}, "
            "youngs_modulus_Pa: 1e7, friction: 1, damping_s: 0.01"
        )
        return f"  lower: {{{lower}}}\nmounts:\n{mounts}", size
    if kind == "block":
        mesh = f"box: {{size_m: [0.1, 0.1, 0.05], cells: [{rng.choice([1, 2, 4])}, {rng.choice([1, 2, 3])}, 2]}}"
        return (
            f"bodies:\n  block: {{mesh: {{{mesh}}}, position_m: [-0.05, -0.05, -0.05], youngs_modulus_Pa: 1e5, "
            "rayleigh_stiffness_s: 0.01, rayleigh_mass_1_s: 5, friction: 1}\n"
            "obstacles:\n  table: {shape: box, size_m: [0.1, 0.1, 0.02], position_m: [0, 0, -0.06]}\n"
        ), 0
    shape = {
        "pole": f"shape: {rng.choice(['capsule', 'cylinder'])}, radius_m: {size}, length_m: 0.2, {lying}",
        "bar": f"shape: box, size_m: [0.2, {size}, {2 * size}]",
        "ring": f"shape: torus, radius_m: {8 * size}, tube_radius_m: {size}",
    }[kind]
    return f"obstacles:\n  it: {{{shape}, friction: 1}}\n", size


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", KINDS)
def test_a_falling_cable_hangs_on_what_it_touches(nodia, tmp_path, kind, seed):
    rng = random.Random(1000 * KINDS.index(kind) + seed)
    text, top = support(kind, rng)
    cable = falling_cable(rng, top)
    scene = tmp_path / "scene.yaml"
    scene.write_text(
        f"name: touch\ntime: {{step_s: {rng.choice([0.002, 0.005])}, duration_s: 0.5}}\n"
        f"cables:\n  upper: {{{cable}}}\n{text}"
        "checks:\n  hangs: {check: body_position, body: upper, of: highest, above_m: -0.05}\n"
        "  touches: {check: max_penetration, bound_m: 5e-4}\n"
    )
    done = subprocess.run(
        [nodia, "run", scene, "--check", "--out", tmp_path / "run"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
