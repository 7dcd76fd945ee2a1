"""Cables that fall on cables, poles, bars, rings and soft blocks hang on them: nothing passes between their links."""

import math

from campaign.families.case import Case
from campaign.families.turns import turn

KINDS = ["cable", "pole", "bar", "ring", "block"]
CABLE = {"friction": 1, "damping_s": 0.01}


def falling_cable(draw, support_m):
    """Horizontal cable whose middle is above a place near x = y = 0. @param support_m  height of the support"""
    radius, length = draw.log(1.6e-3, 5e-3), draw.uniform(0.3, 0.5)
    angle = math.pi / 2 + draw.uniform(-0.5, 0.5)
    x, y = draw.uniform(-0.01, 0.01), draw.uniform(-0.01, 0.01)
    height = support_m + radius + draw.uniform(1e-4, 0.02)
    along = 0.5 * length * math.cos(angle), 0.5 * length * math.sin(angle)
    ends = [[x + side * along[0], y + side * along[1], height] for side in (-1, 1)]
    links, modulus = draw.choice([10, 16, 30]), draw.log(3e5, 3e6)
    return {"points_m": ends, "links": int(links), "radius_m": radius, "youngs_modulus_Pa": modulus, **CABLE}


def support(draw, kind):
    """Part of a scenario that lies along x below z = 0, and the height of its top [m]."""
    size = draw.log(3e-3, 1e-2)
    if kind == "cable":
        ends = [[-0.1, 0, 0], [0.1, 0, 0]]
        links = int(draw.choice([3, 8, 20]))
        cable = {"points_m": ends, "links": links, "radius_m": size, "youngs_modulus_Pa": 1e7, **CABLE}
        mounts = {at: {"body": "lower", "at": at, "position_m": end} for at, end in zip(("rear", "front"), ends, strict=True)}
        return {"cables": {"lower": cable}, "mounts": mounts}, size
    if kind == "block":
        cells = [int(draw.choice([1, 2, 4])), draw.whole(1, 3), 2]
        block = {
            "mesh": {"box": {"size_m": [0.1, 0.1, 0.05], "cells": cells}},
            "position_m": [-0.05, -0.05, -0.05],
            "youngs_modulus_Pa": 1e5,
            "rayleigh_stiffness_s": 0.01,
            "rayleigh_mass_1_s": 5,
            "friction": 1,
        }
        table = {"shape": "box", "size_m": [0.1, 0.1, 0.02], "position_m": [0, 0, -0.06]}
        return {"bodies": {"block": block}, "obstacles": {"table": table}}, 0
    shape = {
        "pole": {"shape": draw.choice(["capsule", "cylinder"]), "radius_m": size, "length_m": 0.2, "orientation_wxyz": turn("y", math.pi / 2)},
        "bar": {"shape": "box", "size_m": [0.2, size, 2 * size]},
        "ring": {"shape": "torus", "radius_m": 8 * size, "tube_radius_m": size},
    }[kind]
    return {"obstacles": {"it": {**shape, "friction": 1}}}, size


def sample(draw, kind):
    scenario, top = support(draw, kind)
    return Case(
        {
            "time": {"step_s": draw.choice([0.002, 0.005]), "duration_s": 0.5},
            **scenario,
            "cables": {"upper": falling_cable(draw, top), **scenario.get("cables", {})},
            "checks": {
                "hangs": {"check": "body_position", "body": "upper", "of": "highest", "above_m": -0.05},
                "touches": {"check": "max_penetration", "bound_m": 5e-4},
            },
        }
    )
