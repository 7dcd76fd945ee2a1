"""Robots of other people's packages load and move; those that cannot are refused in one line with the reason."""

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor

import built_package
import nodia
import numpy as np
import packaged_robots
import pytest
import yaml

# Files that are broken, or use what nodia does not have: the end of the path, and what the message says.
REFUSED = {
    "schunk_egk40/urdf/schunk_egk40.urdf": "link 'left_finger_mount': inertia = missing",
    "urdf/alex_psyonic_hands.urdf": "mimic joint = 'index_q1' (must be a joint of this robot that moves",
    "robots/human.urdf": "link 'left_upperleg_virtual': inertia = missing",
    "urdf/romeo.urdf": "link 'LFinger21Link': mass = 0",
    "urdf/romeo_laas_small.urdf": "link 'l_gripper': inertia = missing",
    "urdf/ur3.urdf": "not a usable URDF file (it has no links)",
    "bicycle/bike.urdf": "origin xyz = '-0.69,' (must be a finite number)",
    "biped/biped2d_pybullet.urdf": "limit lower = '-1.57.' (must be a finite number)",
    "cube_no_rotation.urdf": "lower = 1 (must be <= upper = -1)",
    "humanoid/humanoid.urdf": "contains zero bytes",
    "husky/husky.urdf": "(must be three finite numbers; it is an expression of xacro; expand it",
    "kuka_iiwa/model_for_sdf.urdf": "mesh filename = 'meshes/coarse/link_0.stl' (must be a file that can be read",
    "plane_implicit.urdf": "geometry = plane (must be box,",
    "microtaur/microtaur.urdf": "origin rpy = '-3.14159 -1.57079 0 0' (must be three finite numbers)",
    "racecar/racecar_differential.urdf": "mesh scale = '1 1 1 1' (must be three finite numbers)",
    "spherical_joint_limit.urdf": "type = spherical (must be fixed,",
    "torus_deform.urdf": "not a usable URDF file (it has no links)",
    "toys/concave_box.urdf": "geometry = cdf (must be box,",
}


@pytest.fixture(scope="module")
def files():
    files = packaged_robots.robot_files()
    assert len(files) == 180
    return files


def reason_of_refusal(name):
    return next((reason for end, reason in REFUSED.items() if name.endswith(end)), None)


def test_all_but_broken_files_make_ten_steps(files, tmp_path):
    def simulate(item):
        name, path = item
        scenario = tmp_path / f"{name.replace('/', '_')}.yaml"
        scenario.write_text(f"name: robot\ntime: {{step_s: 0.005}}\nrobots:\n  r: {{urdf: {json.dumps(str(path))}}}\n")
        return name, packaged_robots.nodia("run", scenario, "--steps", 10, "--threads", 1, "--out", scenario.with_suffix(""))

    n_refused = 0
    with ThreadPoolExecutor(2) as pool:
        for name, done in pool.map(simulate, files.items()):
            reason = reason_of_refusal(name)
            assert done.returncode == (2 if reason else 0), (name, done.stderr)
            if reason:
                n_refused += 1
                errors = [line for line in done.stderr.splitlines() if "warning" not in line]
                assert len(errors) == 1 and reason in errors[0], (name, done.stderr)
    assert n_refused == len(REFUSED)


def collision_shapes_in(path):
    """Collision elements of links; other elements, of Gazebo for example, may contain some, too."""
    text = path.read_text(errors="replace")
    without_prefixes = re.sub(r"(</?)\w+:", r"\1", re.sub(r'\s\w+:\w+="[^"]*"', "", text))
    robot = ElementTree.fromstring(without_prefixes.strip())
    return sum(len(link.findall("collision")) for link in robot.findall("link"))


def test_masses_and_numbers_of_shapes_are_those_of_the_files(files):
    loading = {name: path for name, path in files.items() if not reason_of_refusal(name)}
    masses = packaged_robots.pinocchio_masses(loading.values())
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda path: packaged_robots.nodia("info", path, "--json"), loading.values())
        for (name, path), done in zip(loading.items(), answers, strict=True):
            assert done.returncode == 0, (name, done.stderr)
            robot = json.loads(done.stdout)
            expected = masses[str(path)]
            if expected is not None:
                assert math.isclose(robot["mass_kg"], expected, rel_tol=1e-9, abs_tol=1e-9), name
            assert sum(link["collision_shapes"] for link in robot["links"]) == collision_shapes_in(path), name


# Fixed at the base. The fifteenth, the quadruped, stands on its own feet.
FIXED_ROBOTS = [
    "franka_panda/panda.urdf",
    "panda_description/urdf/panda.urdf",
    "kuka_iiwa/model.urdf",
    "xarm/xarm6_with_gripper.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "kinova_description/robots/kinova.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "so_arm_description/urdf/so101.urdf",
    "talos_data/robots/talos_left_arm.urdf",
    "baxter_description/urdf/baxter.urdf",
    "tiago_description/robots/tiago.urdf",
    "arms/ur5e/ur5e.urdf",
    "robotiq_2f_85/urdf/robotiq_2f_85.urdf",
]


def file_of(files, end):
    found = [path for name, path in files.items() if name.endswith(end)]
    assert len(found) == 1, (end, found)
    return found[0]


def robot_of(path):
    done = packaged_robots.nodia("info", path, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def pose_of(joints):
    """A random position inside the limits of every joint of one coordinate that mimics none."""
    random = np.random.default_rng(1)
    pose = {}
    for joint in joints:
        if joint["mimics"] is None and joint["type"] not in ("planar", "floating"):
            low, high = (joint["lower"], joint["upper"]) if joint["lower"] is not None else (-1, 1)
            pose[joint["name"]] = low + (high - low) * random.uniform(0.3, 0.7)
    return pose


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("end", FIXED_ROBOTS)
def test_a_fixed_robot_holds_a_pose_with_the_forces_of_pinocchio(files, end):
    path = file_of(files, end)
    joints = robot_of(path)["joints"]
    robot = {
        "urdf": str(path),
        "q": pose_of(joints),
        "collides": False,
        "force_sensors": {f"joint{k}": {"link": joint["link"]} for k, joint in enumerate(joints)},
    }
    simulation = nodia.Simulation(nodia.Scenario({"name": "hold", "time": {"step_s": 0.001}, "robots": {"r": robot}}))
    positions = dict(zip(simulation.joints("r"), map(float, np.ravel(simulation.q("r"))), strict=True))
    for joint in joints:
        if joint["mimics"] is not None:
            positions[joint["name"]] = joint["multiplier"] * positions[joint["mimics"]] + joint["offset"]
    simulation.step(2)
    expected = packaged_robots.holding_forces(path, positions)
    largest = max(abs(force) for force, _ in expected.values())
    assert len(expected) >= 6
    for k, joint in enumerate(joints):
        if joint["name"] in expected:
            force, axis = expected[joint["name"]]
            # The sensor reads what the link exerts on its parent.
            held = -np.dot(np.ravel(simulation.sensor(f"joint{k}")), axis)
            assert math.isclose(held, force, abs_tol=1e-6 * largest), joint["name"]


@pytest.mark.filterwarnings("ignore")
def test_a_quadruped_stands_on_its_feet(files):
    path = file_of(files, "mini_cheetah/mini_cheetah.urdf")
    description = robot_of(path)
    joints = [joint["name"] for joint in description["joints"]]
    pose = {name: 1.6 if "knee" in name else -0.8 if "abduct_" in name and "thigh" in name else 0 for name in joints}
    robot = {
        "urdf": str(path),
        "base": "free",
        "position_m": [0, 0, 0.36],
        "q": pose,
        "gravity_compensation": False,
        "joint_drives": {name: {"stiffness": 300, "damping": 6} for name in joints},
    }
    simulation = nodia.Simulation(
        nodia.Scenario(
            {
                "name": "stand",
                "time": {"step_s": 0.002, "duration_s": 3},
                "robots": {"r": robot},
                "obstacles": {"floor": {"shape": "half_space", "friction": 0.8}},
            }
        )
    )
    simulation.step(1500)
    weight = 9.81 * description["mass_kg"]
    assert np.allclose(np.ravel(simulation.contact_force("r")), [0, 0, weight], rtol=0, atol=1e-6 * weight)
    assert 0.2 < 0.36 + np.ravel(simulation.q("r"))[2] < 0.36  # on its feet, not on its belly


@pytest.fixture
def panda_grip(files):
    """The scenario, and the folder of the package that it names."""
    end = "example-robot-data/robots/panda_description/urdf/panda.urdf"
    return built_package.SOURCE / "scenarios/panda_grip/panda_grip.yaml", file_of(files, end).parents[3]


def test_a_panda_grips_and_lifts_the_ball(panda_grip, tmp_path):
    scenario, package = panda_grip
    words = ["--package", f"example-robot-data={package}", "--check", "--json", "--out", tmp_path / "out"]
    done = packaged_robots.nodia("run", scenario, *words)
    assert done.returncode == 0, done.stderr
    checks = json.loads(done.stdout)["checks"]
    assert len(checks) == 9 and all(check["passed"] for check in checks)


@pytest.mark.filterwarnings("ignore")
def test_the_drives_of_the_panda_stay_below_their_efforts(panda_grip):
    scenario, package = panda_grip
    world = nodia.Scenario(scenario, packages={"example-robot-data": str(package)})
    simulation = nodia.Simulation(world)
    path = package / "robots/panda_description/urdf/panda.urdf"
    limits = {joint["name"]: joint["max_effort"] for joint in robot_of(path)["joints"]}
    drives = yaml.safe_load(scenario.read_text())["robots"]["panda"]["joint_drives"]
    names = simulation.joint_drives("panda")
    assert names == simulation.joints("panda") == list(drives)
    stiffness, damping = (np.array([drives[name][key] for name in names]) for key in ("stiffness", "damping"))
    largest, weight = np.zeros(len(names)), np.zeros(len(names))
    target = simulation.joint_targets("panda", env=0)
    for step in range(300):
        simulation.step(1)
        before, target = target, simulation.joint_targets("panda", env=0)
        q, speed = simulation.q("panda", env=0), simulation.velocities("panda", env=0)
        target_speed = (target - before) / world.episode().step_s
        largest = np.maximum(largest, abs(stiffness * (target - q) + damping * (target_speed - speed)))
        if step % 100 == 99:  # what carries the links, which is slow to ask for and changes little
            held = packaged_robots.holding_forces(path, dict(zip(names, map(float, q), strict=True)))
            weight = np.maximum(weight, [abs(held[name][0]) for name in names])
    assert largest[-1] > 8  # the fingers press
    for name, effort in zip(names, largest + weight, strict=True):
        assert effort < limits[name], (name, effort)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("density", "is_lifted"), [(5000, True), (7500, True), (10000, False)])
def test_the_panda_lifts_what_friction_and_its_effort_hold(panda_grip, tmp_path, density, is_lifted):
    """Two fingers with 50 N each and friction 0.1 hold 10 N; the weights are 5.4, 8.0 and 10.7 N."""
    scenario, package = panda_grip
    scene = yaml.safe_load(scenario.read_text())
    del scene["checks"]
    scene["bodies"]["ball"] |= {"density_kg_m3": density, "youngs_modulus_Pa": 2e6, "friction": 0.1}
    for drive in scene["robots"]["panda"]["joint_drives"].values():
        drive |= {"stiffness": 1e5, "damping": 2000}
    finger = {"stiffness": 5000, "damping": 200, "path": [{"time_s": 0.2, "target": 0.04}, {"time_s": 0.9, "target": 0}]}
    scene["robots"]["panda"]["joint_drives"]["panda_finger_joint1"] = finger
    path = tmp_path / "heavy.yaml"
    path.write_text(yaml.safe_dump(scene))
    simulation = nodia.Simulation(nodia.Scenario(path, packages={"example-robot-data": str(package)}))
    simulation.step(100)
    assert math.isclose(simulation.effort("panda")[0][-1], -100, rel_tol=1e-6)
    simulation.step(200)
    assert (simulation.nodes("ball")[0][:, 2].min() > 0.1) == is_lifted


def with_effort(path, effort, folder):
    """The file of a 2F-85 with another effort of its finger joint."""
    text = path.read_text().replace('effort="1000" lower="0" upper="0.8"', f'effort="{effort}" lower="0" upper="0.8"')
    text = re.sub(r'filename="([^"]*)"', lambda found: f'filename="{(path.parent / found[1]).resolve()}"', text)
    (folder / "weak.urdf").write_text(text)
    return str(folder / "weak.urdf")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("is_soft", [False, True])
def test_a_gripper_with_mimic_joints_grips_with_its_effort(files, tmp_path, is_soft):
    """Virtual work: effort dq = sum of the contact forces times the displacements of their points."""
    urdf = with_effort(file_of(files, "robotiq_2f_85/urdf/robotiq_2f_85.urdf"), 0.3, tmp_path)

    def simulation(robot, **bodies):
        scene = {"name": "grip", "gravity_m_s2": [0, 0, 0], "time": {"step_s": 0.002, "duration_s": 4}}
        return nodia.Simulation(nodia.Scenario(scene | {"robots": {"hand": {"urdf": urdf, "friction": 0.8} | robot}} | bodies))

    block = {"friction": 0.8}
    if is_soft:
        block |= {"mesh": {"box": {"size_m": [0.04, 0.03, 0.04], "cells": [4, 3, 4]}}, "position_m": [-0.02, -0.015, 0.125]}
        block |= {"youngs_modulus_Pa": 2e5, "density_kg_m3": 1000, "rayleigh_mass_1_s": 20}
    else:
        block |= {"shape": "box", "size_m": [0.04, 0.03, 0.04], "mass_kg": 0.1, "position_m": [0, 0, 0.145]}
    path = [{"time_s": 0, "target": 0}, {"time_s": 1, "target": 0.7}]
    drive = {"finger_joint": {"stiffness": 20, "damping": 0.5, "path": path}}
    gripping = simulation({"joint_drives": drive}, **{"bodies" if is_soft else "rigid_bodies": {"block": block}})
    gripping.step(1800)
    assert math.isclose(gripping.effort("hand")[0][0], 0.3, rel_tol=1e-6)
    q, contacts = float(gripping.q("hand")[0][0]), gripping.contacts()

    def frames(q):
        return [packaged_robots.frame_matrix(pose) for pose in simulation({"q": {"finger_joint": q}}).link_poses("hand")[0]]

    now, before, after = frames(q), frames(q - 1e-4), frames(q + 1e-4)
    work = 0
    for k in range(len(contacts)):
        for side, sign, points in (("i", 1, contacts.position_m), ("j", -1, contacts.position_on_j_m)):
            if contacts.names[getattr(contacts, side)[k]] != "hand":
                continue
            link = getattr(contacts, f"link_{side}")[k]
            local = np.linalg.solve(now[link], np.append(points[k], 1))
            moved = (after[link] - before[link]) @ local / 2e-4
            work += sign * contacts.force_N[k] @ moved[:3]
    assert math.isclose(-work, 0.3, rel_tol=1e-3)
