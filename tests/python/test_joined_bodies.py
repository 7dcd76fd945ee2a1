"""Mounts and attachments that join two bodies: harnesses, hooks, chains, soft blocks on plates; joints that break."""

import math

import numpy as np
import pytest

import nodia

G = 9.81


def simulation(scene, steps=0, **solver):
    base = {"name": "joined", "time": {"step_s": 0.005, "duration_s": 10}, "solver": {"tolerance": 1e-8} | solver}
    made = nodia.Simulation(base | scene)
    for k in range(steps):
        report = made.step()
        assert report.status[0] == "converged", (k, report.reason[0])
    return made


def cord(start, end, links):
    return {
        "points_m": [start, end],
        "links": links,
        "radius_m": 0.001,
        "density_kg_m3": 1000,
        "youngs_modulus_Pa": 1e8,
        "damping_s": 0.05,
    }


def weight_of(cable):
    return math.pi * cable["radius_m"] ** 2 * math.dist(*cable["points_m"]) * cable["density_kg_m3"] * G


def test_a_harness_of_three_branches_carries_its_weights():
    """Two cords from fixed points meet above a weight on a third one: a triangle of forces."""
    left, right, down = [-0.3, 0, 0.8], [0.2, 0, 0.7], [0, 0, 0.4]
    cables = {
        "left": cord(left, [0, 0, 0.5], 24),
        "right": cord(right, [0, 0, 0.5], 16),
        "down": cord([0, 0, 0.5], down, 8),
    }
    mass = 0.2
    sim = simulation(
        {
            "time": {"step_s": 0.02, "duration_s": 40},
            "cables": cables,
            "rigid_bodies": {"weight": {"shape": "sphere", "radius_m": 0.02, "mass_kg": mass, "position_m": [0, 0, 0.38]}},
            "mounts": {
                "hold_left": {"body": "left", "at": "rear", "position_m": left, "moment": False},
                "hold_right": {"body": "right", "at": "rear", "position_m": right, "moment": False},
                "junction": {"body": "right", "at": "front", "to": "left", "moment": False},
                "branch": {"body": "down", "at": "rear", "to": "left", "moment": False},
                "hook": {"body": "down", "at": "front", "to": "weight", "moment": False},
            },
        },
        2000,
    )
    force = dict.fromkeys(sim.sensors(), 0)
    for _ in range(1000):  # the weight still swings a little
        sim.step()
        force = {name: mean + np.array(sim.sensor(name)[0][:3]) / 1000 for name, mean in force.items()}
    hanging = mass * G + weight_of(cables["down"])
    total = hanging + weight_of(cables["left"]) + weight_of(cables["right"])
    held = force["hold_left"] + force["hold_right"]
    np.testing.assert_allclose(held[2], -total, rtol=1e-5)
    np.testing.assert_allclose(force["hook"][2], mass * G, rtol=1e-5)
    np.testing.assert_allclose(force["branch"][2], -hanging, rtol=1e-5)
    # At the junction the left cord closes a triangle of forces, along its end.
    pull = -force["branch"] - force["junction"]
    links = np.array(sim.poses("left")[0][:, :3])
    along = links[-2] - links[-1]
    assert np.dot(pull, along) / np.linalg.norm(pull) / np.linalg.norm(along) > 1 - 1e-3
    for name, pulls in {"left": -pull, "right": -force["junction"]}.items():
        expected = pulls - [0, 0, weight_of(cables[name])]
        np.testing.assert_allclose(force[f"hold_{name}"], expected, rtol=0, atol=1e-5 * total)


@pytest.mark.parametrize("solver", ["newton", "cond", "xpbd"])
def test_a_hook_at_the_end_of_a_cable_carries_its_weight(solver):
    scene = {
        "time": {"step_s": 0.002, "duration_s": 10},
        "cables": {"rope": cord([0, 0, 1], [0, 0, 0.8], 10)},
        "rigid_bodies": {"hook": {"shape": "box", "size_m": [0.02, 0.02, 0.04], "mass_kg": 0.1, "position_m": [0, 0, 0.78]}},
        "mounts": {
            "top": {"body": "rope", "at": "rear", "position_m": [0, 0, 1]},
            "end": {"body": "rope", "at": "front", "to": "hook"},
        },
    }
    sim = simulation(scene, solver=solver)
    for _ in range(2500):
        sim.step()
    expected = 0.1 * G
    tolerance = 1e-3 if solver == "xpbd" else 1e-4
    np.testing.assert_allclose(sim.sensor("end")[0][:3], [0, 0, expected], rtol=0, atol=tolerance * expected)


@pytest.mark.parametrize(("theta", "step_s"), [(0.5, 0.001), (0.5, 0.002), (1, 0.001), (1, 0.002), (1, 0.005), (1, 0.01)])
@pytest.mark.parametrize("moment", [False, True])
def test_a_chain_of_rigid_bodies_never_gains_energy(theta, step_s, moment):
    """A compound, a box and a sphere on joints, let go to the side."""
    bodies = {
        "box": {"shape": "box", "size_m": [0.1, 0.02, 0.02], "mass_kg": 0.2, "position_m": [0.15, 0, 1]},
        "ball": {"shape": "sphere", "radius_m": 0.02, "mass_kg": 0.3, "position_m": [0.25, 0, 1]},
    }
    compounds = {
        "bar": {
            "parts": {"a": {"shape": "box", "size_m": [0.1, 0.02, 0.02], "density_kg_m3": 2000}, "b": {"shape": "sphere", "radius_m": 0.015, "density_kg_m3": 2000, "position_m": [0, 0.02, 0]}},
            "position_m": [0.05, 0, 1],
        }
    }
    springs = {"stiffness_N_m": 1e5, "moment": moment} | ({"stiffness_Nm_rad": 20} if moment else {})
    sim = simulation(
        {
            "time": {"step_s": step_s, "duration_s": 10, "theta": theta},
            "rigid_bodies": bodies,
            "compounds": compounds,
            "mounts": {
                "top": {"body": "bar", "point_m": [-0.05, 0, 0], "position_m": [0, 0, 1]} | springs,
                "middle": {"body": "box", "point_m": [-0.05, 0, 0], "to": "bar"} | springs,
                "end": {"body": "ball", "point_m": [-0.05, 0, 0], "to": "box"} | springs,
            },
        }
    )
    energy = []
    for _ in range(round(2 / step_s)):
        report = sim.step()
        assert report.status[0] == "converged", report.reason[0]
        energy.append(report.kinetic_energy_J[0] + report.potential_energy_J[0])
    swing = 0.8 * G * 0.25
    assert max(energy) - energy[0] < 0.01 * swing
    bar, box, ball = (sim.poses(name)[0][0] for name in ("bar", "box", "ball"))
    assert np.linalg.norm(box[:3] - ball[:3]) < 0.11
    assert np.linalg.norm(bar[:3] - box[:3]) < 0.12


def test_a_soft_block_attached_to_a_plate_hangs_on_it():
    scene = {
        "bodies": {
            "block": {
                "mesh": {"box": {"size_m": [0.04, 0.04, 0.04], "cells": [3, 3, 3]}},
                "position_m": [-0.02, -0.02, 0.46],
                "youngs_modulus_Pa": 2e5,
                "density_kg_m3": 1000,
                "rayleigh_mass_1_s": 5,
            }
        },
        "rigid_bodies": {"plate": {"shape": "box", "size_m": [0.1, 0.1, 0.01], "mass_kg": 0.1, "position_m": [0, 0, 0.505]}},
        "mounts": {"hold": {"body": "plate", "stiffness_N_m": 1e5, "stiffness_Nm_rad": 1e3, "damping_s": 0.02, "position_m": [0, 0, 0.505]}},
        "attachments": {"glue": {"body": "block", "node_set": "z_max", "stiffness_N_m": 1e4, "to": "plate"}},
    }
    sim = simulation(scene, 800)
    soft = 0.04**3 * 1000 * G
    np.testing.assert_allclose(sim.sensor("glue")[0][:3], [0, 0, -soft], rtol=0, atol=1e-5 * soft)
    np.testing.assert_allclose(sim.sensor("hold")[0][:3], [0, 0, -soft - 0.1 * G], rtol=0, atol=1e-5)


def test_xpbd_refuses_attachments_between_bodies():
    block = {"mesh": {"box": {"size_m": [0.04, 0.04, 0.04], "cells": [1, 1, 1]}}, "youngs_modulus_Pa": 1e5, "density_kg_m3": 1000}
    plate = {"shape": "box", "size_m": [0.1, 0.1, 0.01], "mass_kg": 0.1, "position_m": [0, 0, 0.1]}
    glue = {"body": "block", "node_set": "z_max", "stiffness_N_m": 1e4, "to": "plate"}
    scene = {"bodies": {"block": block}, "rigid_bodies": {"plate": plate}, "attachments": {"glue": glue}}
    with pytest.raises(nodia.InputError, match=r"attachments.glue.to = plate \(must be left out with the solver xpbd"):
        simulation(scene, solver="xpbd")


def test_free_joined_bodies_keep_momentum():
    """A soft block glued to a box that is thrown: their centre of mass moves uniformly."""
    scene = {
        "gravity_m_s2": [0, 0, 0],
        "time": {"step_s": 0.002, "duration_s": 1},
        "bodies": {
            "block": {
                "mesh": {"box": {"size_m": [0.04, 0.04, 0.04], "cells": [2, 2, 2]}},
                "position_m": [0.02, -0.02, -0.02],
                "youngs_modulus_Pa": 1e6,
                "density_kg_m3": 1000,
            }
        },
        "rigid_bodies": {"box": {"shape": "box", "size_m": [0.04, 0.04, 0.04], "mass_kg": 0.1, "velocity_m_s": [0, 1, 0]}},
        "attachments": {"glue": {"body": "block", "node_set": "x_min", "stiffness_N_m": 1e4, "to": "box"}},
    }
    sim = simulation(scene, 200)
    turn = 2 * math.acos(min(1, abs(sim.poses("box")[0][0][3])))
    assert turn > 0.3  # the block's inertia turns them
    momentum = 0.1 * sim.velocities("box")[0][0][:3] + momentum_of(sim, "block", 0.04**3 * 1000)
    np.testing.assert_allclose(momentum, [0, 0.1, 0], rtol=0, atol=1e-9)


def momentum_of(sim, body, mass):
    """Of a soft body, whose nodes have a quarter of the mass of each of their tetrahedra."""
    x, v, tets = sim.nodes(body)[0], sim.velocities(body)[0], sim.tetrahedra(body)
    start = nodia.Simulation(sim.episodes).nodes(body)[0]
    edges = start[tets[:, 1:]] - start[tets[:, :1]]
    volume = np.abs(np.linalg.det(edges))
    share = np.zeros(len(x))
    for k in range(4):
        np.add.at(share, tets[:, k], volume / volume.sum() / 4)
    return mass * share @ v


def test_a_mount_breaks_in_the_step_in_which_its_force_exceeds_what_it_bears():
    def scene(bound):
        return {
            "rigid_bodies": {"ball": {"shape": "sphere", "radius_m": 0.02, "mass_kg": 0.1, "position_m": [0, 0, 1]}},
            "mounts": {"wire": {"body": "ball", "stiffness_N_m": 1e4, "moment": False, "position_m": [0, 0, 1]} | bound},
            "pushes": {"pull": {"body": "ball", "force_N": [0, 0, -2], "from_s": 0.1, "duration_s": 10}},
        }

    whole, breaking = simulation(scene({})), simulation(scene({"breaks_at_N": 2.5}))
    broken = None
    for k in range(60):
        whole.step()
        breaking.step()
        force = np.linalg.norm(breaking.sensor("wire")[0][:3])
        if broken is None:
            assert force == np.linalg.norm(whole.sensor("wire")[0][:3])
            broken = k if force > 2.5 else None
        else:
            assert force == 0
    assert broken is not None and broken >= 20
    assert breaking.poses("ball")[0][0][2] < 0.9 < whole.poses("ball")[0][0][2]


@pytest.mark.parametrize(
    ("mounts", "said"),
    [
        ({"m": {"body": "a", "to": "a", "stiffness_N_m": 1, "moment": False}}, "mounts.m.to = a (must be another body than the one it holds"),
        ({"m": {"body": "a", "to": "c", "stiffness_N_m": 1, "moment": False}}, "mounts.m.to = c (must be the name of a body that can hold it"),
        (
            {"m": {"body": "a", "to": "b", "stiffness_N_m": 1, "moment": False, "position_m": [0, 0, 1]}},
            "mounts.m.position_m = [0, 0, 1] (must be left out beside to",
        ),
        (
            {"m": {"body": "r", "at": "rear", "to": "a"}, "n": {"body": "r", "at": "rear", "to": "b"}},
            "mounts.n.at = rear (must be an end of a cable without another mount; mounts.m holds this end of 'r'",
        ),
        ({"m": {"body": "a", "to": "b", "stiffness_N_m": 1, "moment": False, "breaks_at_N": 0}}, "mounts.m.breaks_at_N = 0 (must be > 0"),
    ],
)
def test_bad_joints_are_refused(mounts, said):
    sphere = {"shape": "sphere", "radius_m": 0.02, "mass_kg": 0.1}
    scene = {"rigid_bodies": {"a": sphere, "b": sphere | {"position_m": [0.1, 0, 0]}}, "cables": {"r": cord([0, 0, 1], [0, 0, 2], 4)}}
    with pytest.raises(nodia.InputError) as raised:
        simulation(scene | {"mounts": mounts})
    assert said in str(raised.value)


def test_two_soft_blocks_joined_at_a_node_set_move_as_one():
    """A beam of one mesh and of two halves, clamped at one end, bends as much under its weight."""
    material = {"youngs_modulus_Pa": 1e6, "poissons_ratio": 0.3, "density_kg_m3": 1000, "rayleigh_mass_1_s": 20, "friction": 0}

    def block(x, length, cells):
        return {"mesh": {"box": {"size_m": [length, 0.04, 0.04], "cells": [cells, 2, 2]}}, "position_m": [x, 0, 0], **material}

    clamp = {"node_set": "x_min", "stiffness_N_m": 1e5}
    whole = simulation({"bodies": {"a": block(0, 0.2, 10)}, "attachments": {"wall": {"body": "a"} | clamp}}, 400)
    halves = simulation(
        {
            "bodies": {"a": block(0, 0.1, 5), "b": block(0.1, 0.1, 5)},
            "attachments": {"wall": {"body": "a"} | clamp, "joint": {"body": "b", "node_set": "x_min", "stiffness_N_m": 1e6, "to": "a"}},
        },
        400,
    )
    one, two = whole.nodes("a")[0], halves.nodes("b")[0]
    sag = one[:, 2].min()
    assert sag < -0.003
    assert abs(two[:, 2].min() - sag) < 0.01 * abs(sag)
    weight = 0.1 * 0.04**2 * 1000 * G
    np.testing.assert_allclose(halves.sensor("joint")[0][:3], [0, 0, -weight], rtol=0, atol=1e-5 * weight)
    np.testing.assert_allclose(halves.sensor("wall")[0][:3], [0, 0, -2 * weight], rtol=0, atol=1e-5 * weight)


BAR = {
    "rigid_bodies": {"bar": {"shape": "box", "size_m": [0.3, 0.02, 0.02], "mass_kg": 0.5, "position_m": [0.15, 0, 0]}},
    "mounts": {
        "pin": {"body": "bar", "point_m": [-0.15, 0, 0], "position_m": [0, 0, 0], "stiffness_N_m": 1e5, "moment": False}
    },
}
CABLE = {
    "cables": {"cord": {"points_m": [[0, 0, 0], [0, 0.3, 0]], "links": 15, "radius_m": 0.003, "youngs_modulus_Pa": 1e7}},
    "mounts": {"pin": {"body": "cord", "at": "rear", "position_m": [0, 0, 0], "moment": False}},
}
SWING_J = {"bar": 0.5 * G * 0.15, "cable": math.pi * 0.003**2 * 0.3 * 1000 * G * 0.15}


@pytest.mark.parametrize("step_s", [0.001, 0.002, 0.005, 0.01, 0.02])
@pytest.mark.parametrize(("body", "theta"), [("bar", 1), ("bar", 0.5), ("cable", 0.5)])
def test_what_hangs_on_a_ball_joint_swings_no_higher_than_it_began(body, theta, step_s):
    """From the horizontal, for 4 s. With theta = 1/2 it keeps its energy."""
    scene = BAR if body == "bar" else CABLE
    sim = simulation({"time": {"step_s": step_s, "duration_s": 10, "theta": theta}} | scene)
    energy = [0.0]  # at rest at the height of the joint
    for _ in range(round(4 / step_s)):
        report = sim.step()
        assert report.status[0] == "converged", report.reason[0]
        energy.append(report.kinetic_energy_J[0] + report.potential_energy_J[0])
    assert max(energy) < 0.01 * SWING_J[body]
    if theta < 1:
        assert min(energy) > -0.05 * SWING_J[body]


@pytest.mark.parametrize("solver", ["newton", "cond", "cond_reference"])
def test_steps_that_are_solved_again_have_the_bits_of_a_run_alone(solver):
    """A step of 20 ms takes several solves, of the environments that need them: in a batch, alone, and resumed."""
    time = {"step_s": 0.02, "duration_s": 10, "theta": 0.5}

    def episode(mass):
        bodies = {"bar": BAR["rigid_bodies"]["bar"] | {"mass_kg": mass, "velocity_m_s": [0, 0, 2 * mass]}}
        scene = BAR | {"name": "swing", "time": time, "solver": {"solver": solver}, "rigid_bodies": bodies}
        return nodia.Scenario(scene).episode()

    masses = (0.1, 0.5, 2.0)
    alone = []
    for mass in masses:
        made = nodia.Simulation([episode(mass)])
        made.step(40)
        alone.append(made.poses("bar")[0])
    batch = nodia.Simulation([episode(mass) for mass in masses])
    batch.step(15)
    saved = batch.save()
    batch.step(25)
    resumed = nodia.Simulation([episode(mass) for mass in masses])
    resumed.load(saved)
    resumed.step(25)
    for made in (batch, resumed):
        for env, poses in enumerate(alone):
            assert np.array_equal(made.poses("bar")[env], poses)


def rotation(quaternion):
    w, x, y, z = quaternion
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


@pytest.mark.parametrize(
    ("theta", "step_s", "directions", "error"),
    [(0.5, 0.002, "middle", 1e-4), (0.5, 0.005, "middle", 1e-4), (1, 0.005, "start", 1e-4), (1, 0.002, "middle", 1e-3)],
)
def test_a_free_chain_keeps_its_angular_momentum(theta, step_s, directions, error):
    """Three bars on ball joints that rotate at 5 rad/s and fold, for 1 s."""
    mass, length, width, spin = 0.2, 0.1, 0.02, 5.0
    across = mass * (length**2 + width**2) / 12
    inertia = np.diag([mass * width**2 / 6, across, across])
    bars, joints = {}, {}
    for k in range(3):
        bars[f"b{k}"] = {
            "shape": "box",
            "size_m": [length, width, width],
            "mass_kg": mass,
            "position_m": [length * (k - 1), 0, 0],
            "velocity_m_s": [0, spin * length * (k - 1), 0.3 if k == 2 else 0],
            "angular_velocity_rad_s": [0, 0, spin],
        }
    for k in (1, 2):
        joints[f"m{k}"] = {"body": f"b{k}", "point_m": [-length / 2, 0, 0], "to": f"b{k - 1}", "stiffness_N_m": 1e5, "moment": False}
    time = {"step_s": step_s, "duration_s": 10, "theta": theta, "joint_directions": directions}
    sim = simulation({"gravity_m_s2": [0, 0, 0], "time": time, "rigid_bodies": bars, "mounts": joints})

    def momentum():
        total = np.zeros(3)
        for name in bars:
            pose, velocity = sim.poses(name)[0][0], sim.velocities(name)[0][0]
            R = rotation(pose[3:])
            total += mass * np.cross(pose[:3], velocity[:3]) + R @ inertia @ R.T @ velocity[3:]
        return total

    before = momentum()
    for _ in range(round(1 / step_s)):
        report = sim.step()
        assert report.status[0] == "converged", report.reason[0]
    assert np.linalg.norm(momentum() - before) < error * np.linalg.norm(before)
