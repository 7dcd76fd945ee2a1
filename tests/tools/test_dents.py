"""Tools of 12 shapes press coarse soft blocks: force and dent are those of a brute-force reference on the same mesh."""

import json
import math

import h5py
import numpy as np
import pytest
from nodia_command import needs_nodia, run
from soft_equilibrium import SoftBody, equilibrium

pytestmark = needs_nodia

HEIGHT, YOUNGS_MODULUS, POISSONS_RATIO, SPRING = 0.05, 1e5, 0.3, 1e5
ON_ITS_SIDE = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], float)  # z to x
UPRIGHT = np.eye(3)


def about_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def quaternion(rotation):
    w = math.sqrt(1 + np.trace(rotation)) / 2
    skew = rotation - rotation.T
    return [w, *(float(part) / (4 * w) for part in (skew[2, 1], skew[0, 2], skew[1, 0]))]


def box(size):
    half = np.array(size) / 2

    def distance(p):
        beyond = np.abs(p) - half
        outside = np.maximum(beyond, 0)
        length = np.linalg.norm(outside, axis=1)
        along = np.where(length[:, None] > 0, outside / np.maximum(length, 1e-300)[:, None], np.eye(3)[beyond.argmax(axis=1)])
        return length + np.minimum(beyond.max(axis=1), 0), along * np.where(p < 0, -1, 1)

    return {"shape": "box", "size_m": size}, distance, lambda along: half[2]


def mesh_box(size):
    """The same as a mesh, of which the scenario needs the file."""
    return {"shape": "mesh", "file": "box.obj", "size_m": size}, *box(size)[1:]


def box_obj(size):
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    vertices = "".join("v {} {} {}\n".format(*(c * part for c, part in zip(corner, size, strict=True))) for corner in corners)
    return vertices + "".join(f"f {face}\n" for face in faces)


def capsule(radius, length):
    def distance(p):
        from_axis = p - np.outer(np.clip(p[:, 2], -length / 2, length / 2), [0, 0, 1])
        norm = np.linalg.norm(from_axis, axis=1)
        return norm - radius, from_axis / np.maximum(norm, 1e-300)[:, None]

    return {"shape": "capsule", "radius_m": radius, "length_m": length}, distance, lambda along: radius + along * length / 2


def ball(radius):
    return {"shape": "sphere", "radius_m": radius}, *capsule(radius, 0)[1:]


def cylinder(radius, length):
    def distance(p):
        from_axis = np.linalg.norm(p[:, :2], axis=1)
        beyond = np.stack([from_axis - radius, np.abs(p[:, 2]) - length / 2], axis=1)
        outside = np.maximum(beyond, 0)
        norm = np.linalg.norm(outside, axis=1)
        along = np.where(norm[:, None] > 0, outside / np.maximum(norm, 1e-300)[:, None], np.eye(2)[beyond.argmax(axis=1)])
        radial = p[:, :2] / np.maximum(from_axis, 1e-300)[:, None]
        normal = np.column_stack([radial * along[:, :1], np.where(p[:, 2] < 0, -1, 1) * along[:, 1]])
        return norm + np.minimum(beyond.max(axis=1), 0), normal

    return {"shape": "cylinder", "radius_m": radius, "length_m": length}, distance, lambda along: along * length / 2 + math.sqrt(1 - along**2) * radius


# A tool (its shape, distance, and half height by the vertical part of its axis), its rotation, where it presses, how deep, and
# the cells of the block.
CASES = {
    "blade": (box([0.2, 0.0005, 0.04]), about_z(0.3), (0.003, 0.004), 0.006, [4, 4, 2]),
    "short blade": (box([0.05, 0.001, 0.04]), about_z(0.8), (0.007, -0.004), 0.006, [3, 3, 2]),
    "mesh blade": (mesh_box([0.2, 0.001, 0.04]), about_z(1.2), (0.003, -0.008), 0.005, [3, 4, 2]),
    "wire": (capsule(0.001, 0.2), about_z(0.4) @ ON_ITS_SIDE, (0.002, 0.011), 0.006, [4, 4, 2]),
    "needle": (capsule(0.001, 0.05), UPRIGHT, (0.006, 0.009), 0.006, [4, 4, 2]),
    "ball": (ball(0.01), UPRIGHT, (0.006, 0.009), 0.006, [3, 3, 2]),
    "ball between two faces": (ball(0.01), UPRIGHT, (0.0144, 0.0138), 0.0092, [2, 3, 3]),
    "ball on one cell": (ball(0.01), UPRIGHT, (0.002, -0.01), 0.008, [1, 4, 3]),
    "post": (cylinder(0.004, 0.04), UPRIGHT, (0.006, 0.009), 0.006, [3, 3, 2]),
    "rod": (cylinder(0.006, 0.2), about_z(1.0) @ ON_ITS_SIDE, (0.006, 0.009), 0.006, [3, 3, 2]),
    "cube": (box([0.02, 0.02, 0.02]), about_z(0.3), (0.006, 0.009), 0.006, [3, 3, 2]),
    "mesh cube": (mesh_box([0.03, 0.02, 0.02]), about_z(1.0), (-0.006, 0.004), 0.005, [2, 4, 2]),
}


def scenario(folder, shape, rotation, start, end, cells):
    if shape["shape"] == "mesh":
        (folder / shape["file"]).write_text(box_obj(shape["size_m"]))
        shape = {key: value for key, value in shape.items() if key != "size_m"}
    block = {
        "mesh": {"box": {"size_m": [0.1, 0.1, HEIGHT], "cells": cells}},
        "position_m": [-0.05, -0.05, 0],
        "youngs_modulus_Pa": YOUNGS_MODULUS,
        "poissons_ratio": POISSONS_RATIO,
        "friction": 0,
        "rayleigh_mass_1_s": 20,
        "rayleigh_stiffness_s": 0.005,
    }
    path = [{"time_s": 0, "position_m": start}, {"time_s": 0.7, "position_m": end}]
    scene = {
        "name": "dent",
        "gravity_m_s2": [0, 0, 0],
        "time": {"step_s": 0.005, "duration_s": 1.5},
        "bodies": {"block": block},
        "attachments": {"hold": {"body": "block", "node_set": "z_min", "stiffness_N_m": SPRING, "position_m": [0, 0, 0]}},
        "obstacles": {"tool": {**shape, "friction": 0, "orientation_wxyz": quaternion(rotation), "path": path}},
    }
    file = folder / "dent.yaml"
    file.write_text(json.dumps(scene))
    return file


def first_and_last(trajectory):
    """Positions of the nodes at the start and at the end, tetrahedra, and the last force on the block."""
    with h5py.File(trajectory) as file:
        grid, contacts = file["VTKHDF"], file["nodia/contacts"]
        positions = grid["Points"][:].reshape(-1, int(grid["NumberOfPoints"][0]), 3)
        tets = grid["Connectivity"][:].reshape(-1, 4).astype(int)
        force = contacts["force"][slice(*contacts["offsets"][-2:])].sum(axis=0)
    return positions[0].astype(float), positions[-1].astype(float), tets, force


@pytest.mark.parametrize("case", CASES)
def test_a_dent_is_that_of_the_reference(tmp_path, case):
    (shape, distance, half_height), rotation, place, depth, cells = CASES[case]
    lowest = half_height(abs(rotation[2, 2]))
    end = [*place, HEIGHT - depth + lowest]
    out = tmp_path / "out"
    start = [*place, HEIGHT + lowest + 1e-3]
    done = run("run", scenario(tmp_path, shape, rotation, start, end, cells), "--json", "--out", out)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["converged_steps"] == summary["steps"] == 300
    rest, pressed, tets, force = first_and_last(out / "trajectory.vtkhdf")

    def from_tool(p):
        signed, normal = distance((p - end) @ rotation)
        return signed, normal @ rotation.T

    spring = np.where(rest[:, 2:] < 1e-9, SPRING, 0.0) * np.ones(3)
    body = SoftBody(rest, tets, YOUNGS_MODULUS, POISSONS_RATIO)
    rough, _ = equilibrium(body, spring, from_tool, pressed, 2e5)
    right, right_force = equilibrium(body, spring, from_tool, rough, 2e6)
    assert force[2] == pytest.approx(right_force[2], rel=0.03)
    moved, must_move = (np.linalg.norm(x - rest, axis=1).max() for x in (pressed, right))
    assert moved == pytest.approx(must_move, rel=0.05)
    assert np.abs(pressed - right).max() < 0.15 * must_move
