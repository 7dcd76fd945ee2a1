"""Soft blocks on obstacles thinner than their cells, and rigid bodies on soft blocks: the weight is carried within 1 %."""

import math

from campaign.families.case import Case
from campaign.families.solid_meshes import box, obj
from campaign.families.turns import product, turn

SUPPORTS = ["blade", "knife", "wire", "rod", "edge", "post", "pin", "tip", "ring"]
BODIES = ["box", "cylinder", "capsule", "torus"]
KINDS = [f"on_{kind}" for kind in SUPPORTS] + [f"under_{shape}" for shape in BODIES] + ["under_weight"]

WEIGHT_N = 9.81  # of the block


def supports(draw, kind):
    """Obstacles of one kind with their highest points at z = 0.04 m, and their files."""
    yaw, size = draw.uniform(0, math.pi), draw.log(2e-3, 8e-3)
    around = turn("z", yaw)
    lying = product(around, turn("x", math.pi / 2))
    shapes = []
    for k in range(9):
        x, y = (0.03 * (at - 1) + draw.uniform(-3e-3, 3e-3) for at in (k % 3, k // 3))
        post = {
            "post": {"shape": "box", "size_m": [size, size, 0.04], "position_m": [x, y, 0.02]},
            "pin": {"shape": "capsule", "radius_m": size, "length_m": 0.04, "position_m": [x, y, 0.02 - size]},
            "tip": {"shape": "sphere", "radius_m": size, "position_m": [x, y, 0.04 - size]},
        }.get(kind)
        shapes += [post] if post else []
    for side in (-0.03, 0.03):
        x, y = side * math.cos(yaw), side * math.sin(yaw)
        round_bar = {"radius_m": size, "length_m": 0.3, "position_m": [x, y, 0.04 - size], "orientation_wxyz": lying}
        on_edge = product(around, turn("y", math.pi / 4))
        upright = {"position_m": [x, y, 0.02], "orientation_wxyz": around}
        bar = {
            "blade": {"shape": "box", "size_m": [size / 5, 0.3, 0.04], **upright},
            "knife": {"shape": "mesh", "file": "knife.obj", **upright},
            "wire": {"shape": "capsule", **round_bar},
            "rod": {"shape": "cylinder", **round_bar},
            "edge": {
                "shape": "box",
                "size_m": [size, 0.3, size],
                "position_m": [x, y, 0.04 - size / math.sqrt(2)],
                "orientation_wxyz": on_edge,
            },
        }.get(kind)
        shapes += [bar] if bar else []
    if kind == "ring":
        shapes.append({"shape": "torus", "radius_m": 0.035, "tube_radius_m": size, "position_m": [0, 0, 0.04 - size]})
    return shapes, {"knife.obj": obj(box([size / 5, 0.3, 0.04]))} if kind == "knife" else {}


def walls():
    """Four walls without friction around the block."""
    places = [([0.002, 0.3, 0.3], [x, 0, 0.2]) for x in (-0.056, 0.056)] + [([0.3, 0.002, 0.3], [0, y, 0.2]) for y in (-0.056, 0.056)]
    return [{"shape": "box", "size_m": size, "position_m": place, "friction": 0} for size, place in places]


def block(draw, height):
    """Soft cube of 1 kg whose lower face is at this height [m]."""
    cells = draw.whole(2, 5)
    return {
        "mesh": {"box": {"size_m": [0.1, 0.1, 0.1], "cells": [cells] * 3}},
        "position_m": [-0.05, -0.05, height],
        "youngs_modulus_Pa": draw.log(4e4, 2.5e5),
        "density_kg_m3": 1000,
        "rayleigh_mass_1_s": 5,
        "rayleigh_stiffness_s": 0.01,
        "friction": 0.5,
    }


def carried(on, newton):
    check = {"check": "contact_force", "on": on, "part": "z", "from_s": 1.0, "to_s": 1.2}
    return {"carried": {**check, "value_N": newton, "relative_tolerance": 0.01}}


def body(draw, shape):
    """A thin rigid body just above a block that stands at z = 0, and its mass [kg]."""
    size, mass = draw.log(2.5e-3, 8e-3), draw.uniform(0.1, 0.5)
    yaw = turn("z", draw.uniform(0, math.pi))
    lying = product(yaw, turn("x", math.pi / 2))
    sizes = {
        "box": {"size_m": [size, 0.2, 2 * size], "orientation_wxyz": yaw},
        "cylinder": {"radius_m": size, "length_m": 0.2, "orientation_wxyz": lying},
        "capsule": {"radius_m": size, "length_m": 0.2, "orientation_wxyz": lying},
        "torus": {"radius_m": 0.03, "tube_radius_m": size},
    }[shape]
    place = [draw.uniform(-5e-3, 5e-3), 0, 0.102 + size]
    return {"shape": shape, **sizes, "position_m": place, "mass_kg": mass, "friction": 0.5}, mass


def weight_on_a_cushion(draw):
    """A box that is smaller than the block below it comes to rest: the energy falls to the end."""
    size = [draw.uniform(0.04, 0.07), draw.uniform(0.04, 0.07), 0.04]
    weight = {"shape": "box", "size_m": size, "position_m": [draw.uniform(-5e-3, 5e-3), draw.uniform(-5e-3, 5e-3), 0.1201]}
    at_rest = {"check": "energy_non_increasing", "from_s": 1.5, "to_s": 2, "tolerance_J": 1e-8}
    return Case(
        {
            "time": {"step_s": 0.005, "duration_s": 2},
            "bodies": {"block": {**block(draw, 0), "youngs_modulus_Pa": draw.log(5e4, 2e5)}},
            "rigid_bodies": {"thing": {**weight, "mass_kg": 0.5, "friction": 0.5}},
            "obstacles": {"floor": {"shape": "half_space", "friction": 0.5}},
            "checks": {**carried("thing", 0.5 * WEIGHT_N), "energy_falls": at_rest},
        }
    )


def sample(draw, kind):
    where, what = kind.split("_")
    if kind == "under_weight":
        return weight_on_a_cushion(draw)
    if where == "on":
        shapes, files = supports(draw, what)
        shapes += walls()
        return Case(
            {
                "time": {"step_s": draw.choice([0.002, 0.005, 0.01]), "duration_s": 1.2},
                "bodies": {"block": block(draw, 0.04 + draw.uniform(0, 0.003))},
                "obstacles": {f"o{k}": shape for k, shape in enumerate(shapes)},
                "checks": carried("block", WEIGHT_N),
            },
            files,
        )
    thing, mass = body(draw, what)
    return Case(
        {
            "time": {"step_s": 0.005, "duration_s": 1.2},
            "bodies": {"block": block(draw, 0)},
            "rigid_bodies": {"thing": thing},
            "obstacles": {"floor": {"shape": "half_space", "friction": 0.5}},
            "checks": carried("thing", mass * WEIGHT_N),
        }
    )
