"""Bodies that slide and roll over one board cut into flush pieces move as on the whole board."""

import math

import numpy as np

from campaign.families.case import Case
from campaign.families.solid_meshes import box, obj
from campaign.families.turns import product, turn

KINDS = ["box", "ball", "capsule_across", "capsule_along", "compound", "cylinder", "cylinder_lying", "soft"]
BOARD = (0.6, 0.4, 0.1)  # [m]

SPEED, HEIGHT_M, PLACE_M = 1e-6, 1e-7, 1e-6  # allowed differences: speed behind the seams (relative), height, place

ROUND = {"mass_kg": 0.3, "length_m": 0.06}
BODIES = {  # group, entry, height of its frame [m]
    "box": ("rigid_bodies", {"shape": "box", "size_m": [0.06, 0.06, 0.06], "mass_kg": 0.3}, 0.03),
    "ball": ("rigid_bodies", {"shape": "sphere", "radius_m": 0.03, "mass_kg": 0.3}, 0.03),
    "capsule_across": ("rigid_bodies", {"shape": "capsule", "radius_m": 0.02, **ROUND, "orientation_wxyz": turn("x", math.pi / 2)}, 0.02),
    "capsule_along": ("rigid_bodies", {"shape": "capsule", "radius_m": 0.02, **ROUND, "orientation_wxyz": turn("y", math.pi / 2)}, 0.02),
    "cylinder": ("rigid_bodies", {"shape": "cylinder", "radius_m": 0.03, **ROUND}, 0.03),
    "cylinder_lying": ("rigid_bodies", {"shape": "cylinder", "radius_m": 0.03, **ROUND, "orientation_wxyz": turn("x", math.pi / 2)}, 0.03),
    "compound": (
        "compounds",
        {
            "parts": {
                "a": {"shape": "box", "size_m": [0.03, 0.06, 0.04], "position_m": [-0.015, 0, 0], "density_kg_m3": 1000},
                "b": {"shape": "box", "size_m": [0.03, 0.06, 0.04], "position_m": [0.015, 0, 0], "density_kg_m3": 1000},
                "c": {"shape": "sphere", "radius_m": 0.01, "position_m": [0, 0, 0.02], "density_kg_m3": 1000},
            }
        },
        0.02,
    ),
    "soft": (
        "bodies",
        {
            "mesh": {"box": {"size_m": [0.06, 0.06, 0.06], "cells": [3, 3, 3]}},
            "youngs_modulus_Pa": 1e5,
            "density_kg_m3": 1000,
            "rayleigh_stiffness_s": 0.002,
        },
        0,
    ),
}


def boards(draw, cuts, gap_m, rise_m):
    """Pieces of the board with z = 0 as their upper face, boxes and meshes, and the files of the meshes."""
    pieces, files = {}, {}
    nx, ny = cuts
    for i in range(nx):
        for j in range(ny):
            width, depth = BOARD[0] / nx, BOARD[1] / ny
            size = [width + draw.uniform(-gap_m, gap_m), depth + draw.uniform(-gap_m, gap_m), BOARD[2]]
            place = [width * (i + 0.5) - BOARD[0] / 2, depth * (j + 0.5) - BOARD[1] / 2, draw.uniform(-rise_m, rise_m) - BOARD[2] / 2]
            name = f"b{i}_{j}"
            shape = {"shape": "box", "size_m": size}
            if draw.chance(0.5):
                shape = {"shape": "mesh", "file": f"{name}.obj"}
                files[f"{name}.obj"] = obj(box(size))
            pieces[name] = {**shape, "position_m": place, "friction": 0}
    return pieces, files


def difference(run, whole):
    """What differs between the motion on the pieces and that on the whole board; "" if nothing does."""
    places = [r.points.mean(axis=1) if r.points.shape[1] else r.position[:, 0] for r in (run, whole)]
    off = np.abs(places[0] - places[1]).max(axis=0)
    ends = [(place[-1] - place[-2])[:2] / run.step_s for place in places]
    slower = np.linalg.norm(ends[0] - ends[1]) / np.linalg.norm((places[1][1] - places[1][0])[:2] / run.step_s)
    values = {"speed": (slower, SPEED), "height": (off[2], HEIGHT_M + 2e-9), "place": (max(off[:2]), PLACE_M)}
    return ", ".join(f"{name} differs by {value:.2g} (at most {bound:.2g})" for name, (value, bound) in values.items() if not value < bound)


def sample(draw, kind):
    group, entry, height = BODIES[kind]
    speed, step = draw.choice([0.1, 1.0]), draw.choice([0.002, 0.004, 0.01])
    heading = draw.choice([0.0, math.pi, draw.uniform(-0.6, 0.6)])
    yaw = draw.choice([0.0, draw.uniform(0, 6)])
    start = [-0.15 * math.cos(heading) + draw.uniform(-0.02, 0.02), -0.1 * math.sin(heading) + draw.uniform(-0.02, 0.02), height]
    body = {**entry, "friction": 0, "velocity_m_s": [speed * math.cos(heading), speed * math.sin(heading), 0]}
    if kind == "soft":
        start[0], start[1] = start[0] - 0.03, start[1] - 0.03
    else:
        body["orientation_wxyz"] = product(turn("z", yaw), entry.get("orientation_wxyz", turn("z", 0)))
    body["position_m"] = start
    cuts = draw.choice([(2, 1), (5, 1), (5, 4), (1, 5), (20, 1)])
    pieces, files = boards(draw, cuts, draw.choice([0, 1e-9, 1e-6, 1e-5]), draw.choice([0, 1e-9]))
    whole = {"board": {"shape": "box", "size_m": list(BOARD), "position_m": [0, 0, -BOARD[2] / 2], "friction": 0}}
    common = {
        "time": {"step_s": step, "duration_s": round(0.3 / speed / step) * step},
        group: {"x": body},
        "solver": {"tolerance": 1e-10, "max_iterations": 100000},  # some steps stall above it
    }
    return Case({**common, "obstacles": pieces}, files, {**common, "obstacles": whole}, difference)
