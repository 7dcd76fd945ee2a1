"""Taut cables with the default options: round a bar, and under a load that falls on them."""

import csv
import math

import pytest
from nodia_command import needs_nodia, run

MASS_KG, G = 0.4, 9.81
RADIUS_M = 1e-4  # of the cord: its bending stiffness changes the pull by less than 1e-3

WEIGHT = f"""\
<robot name="weight">
  <link name="world"/>
  <link name="weight">
    <inertial><mass value="{MASS_KG}"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="slide" type="prismatic">
    <parent link="world"/><child link="weight"/><axis xyz="0 0 1"/>
    <limit lower="-10" upper="10" effort="100" velocity="10"/>
  </joint>
</robot>
"""


def cord_over_bar(folder, bar_m, speed_m_s, step_s, links, friction):
    """Mean pull at the hand, relative to the weight, after pi (R + r) of travel. The hand accelerates for 0.5 s."""
    arm = bar_m + RADIUS_M
    ramp_s, begin_s, travel_m = 0.5, 0.2, max(0.12, 1.3 * speed_m_s)
    distance = travel_m + speed_m_s * ramp_s / 2
    end_s = begin_s + ramp_s + travel_m / speed_m_s
    points = [(-arm, 0, -0.1 - distance)]
    points += [(-arm * math.cos(math.pi * k / 24), 0, arm * math.sin(math.pi * k / 24)) for k in range(25)]
    points += [(arm, 0, -0.06)]
    keys = [(begin_s + ramp_s * k / 25, -0.06 - speed_m_s * ramp_s * (k / 25) ** 2 / 2) for k in range(26)]
    keys += [(end_s, -0.06 - distance)]
    path = ", ".join(f"{{time_s: {t:.9g}, position_m: [{arm}, 0, {z:.12g}]}}" for t, z in keys)
    folder.joinpath("weight.urdf").write_text(WEIGHT)
    folder.joinpath("cord.yaml").write_text(f"""\
name: cord
time: {{step_s: {step_s}, duration_s: {end_s}}}
solver: {{threads: 1}}
cables:
  cord:
    points_m: {[list(p) for p in points]}
    links: {links}
    radius_m: {RADIUS_M}
    youngs_modulus_Pa: 1.0e+10
    damping_s: 0.005
    friction: {friction}
obstacles:
  bar:
    shape: cylinder
    radius_m: {bar_m}
    length_m: 0.1
    orientation_wxyz: [0.70710678, 0.70710678, 0, 0]
    friction: {friction}
robots:
  weight:
    urdf: weight.urdf
    position_m: [{-arm}, 0, {points[0][2]}]
    gravity_compensation: false
    collides: false
mounts:
  hangs: {{body: cord, at: rear, robot: weight, link: weight, moment: false}}
  pulls: {{body: cord, at: front, moment: false, ease: none, path: [{path}]}}
""")
    out = folder / "out"
    done = run("run", folder / "cord.yaml", "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    with (out / "steps.csv").open() as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name.startswith("pulls")][:3]
    late = [row for row in rows if float(row["time_s"]) > end_s - 0.3 * math.pi * arm / speed_m_s]
    pull = sum(math.hypot(*(float(row[name]) for name in names)) for row in late) / len(late)
    return pull / (MASS_KG * G)


@needs_nodia
@pytest.mark.parametrize(
    ("bar_m", "speed_m_s", "step_s", "links"),
    [(0.015, 0.05, 0.01, 240), (0.03, 0.05, 0.005, 60), (0.03, 0.2, 0.01, 120), (0.015, 0.1, 0.002, 120)],
)
def test_a_cord_over_a_frictionless_bar_carries_the_weight(tmp_path, bar_m, speed_m_s, step_s, links):
    assert cord_over_bar(tmp_path, bar_m, speed_m_s, step_s, links, friction=0) == pytest.approx(1, abs=0.01)


@needs_nodia
def test_friction_round_a_bar_follows_the_capstan_equation(tmp_path):
    ratio = cord_over_bar(tmp_path, 0.025, 0.06, 0.01, 120, friction=0.3)
    assert ratio == pytest.approx(math.exp(0.3 * math.pi), rel=0.01)


def box_on_cable(folder, modulus_pa, step_s, *options):
    """A soft box falls 10 mm onto a cable that is held at both ends."""
    folder.joinpath("box.yaml").write_text(f"""\
name: box
time: {{step_s: {step_s}, duration_s: 0.6}}
solver: {{threads: 1}}
cables:
  cable: {{points_m: [[0, -0.5, 0], [0, 0.5, 0]], links: 10, youngs_modulus_Pa: {modulus_pa:e}}}
bodies:
  box:
    mesh: {{box: {{size_m: [0.2, 0.2, 0.05], cells: [5, 5, 1]}}}}
    position_m: [-0.1, -0.1, 0.01]
    youngs_modulus_Pa: 1.0e+5
mounts:
  rear: {{body: cable, at: rear, position_m: [0, -0.5, 0]}}
  front: {{body: cable, at: front, position_m: [0, 0.5, 0]}}
""")
    return run("run", folder / "box.yaml", "--out", folder / "out", *options)


@needs_nodia
@pytest.mark.parametrize("modulus_pa", [1e7, 1e8, 1e9])
@pytest.mark.parametrize("step_s", [0.005, 0.02])
def test_a_box_on_a_held_cable_creates_no_energy(tmp_path, modulus_pa, step_s):
    done = box_on_cable(tmp_path, modulus_pa, step_s)
    assert done.returncode == 0, done.stdout + done.stderr
    with (tmp_path / "out/steps.csv").open() as file:
        energy = [float(row["kinetic_energy_J"]) + float(row["potential_energy_J"]) for row in csv.DictReader(file)]
    assert max(energy) <= energy[0] + 0.002


@needs_nodia
def test_a_step_that_fails_beside_a_taut_cable_names_the_key(tmp_path):
    done = box_on_cable(tmp_path, 1e8, 0.01, "--set", "time.geometric_stiffness=false")
    assert done.returncode == 1
    assert "time.geometric_stiffness = true" in done.stdout
