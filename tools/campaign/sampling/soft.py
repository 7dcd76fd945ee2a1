"""Soft bodies: boxes, plates, rods, mats and balls, some held by one side."""

import numpy as np

from campaign.sampling.draw import Stack, rounded
from campaign.sampling.rigid import one_rigid_body


def one_soft_body(draw, stack):
    what = draw.choice(["box", "box", "mat", "ball"])
    entry = {"youngs_modulus_Pa": draw.youngs_modulus(), "poissons_ratio": rounded(draw.choice([0.0, 0.3, 0.35, 0.45]))}
    if what == "ball":
        radius = draw.size * draw.uniform(0.25, 0.5)
        entry["mesh"] = {"ball": {"radius_m": rounded(radius), "nodes": draw.whole(30, 120)}}
        entry["position_m"] = stack.place(radius, radius)
    elif what == "mat":
        size = draw.size * np.array([1, draw.uniform(0.5, 1), draw.log(0.02, 0.1)])
        entry["mesh"] = {"mat": {"size_m": rounded(size), "nodes": draw.whole(30, 120), "layers": 1}}
        entry["position_m"] = _corner(stack.place(0, size[2]), size)
    else:
        size = draw.extents()
        cells = [draw.whole(1, 4) if s > 0.3 * draw.size else draw.whole(1, 2) for s in size]
        entry["mesh"] = {"box": {"size_m": rounded(size), "cells": cells}}
        entry["position_m"] = _corner(stack.place(0, size[2]), size)
    entry |= {"density_kg_m3": rounded(draw.log(200, 5000)), "velocity_m_s": draw.velocity(), "friction": draw.friction()}
    if draw.chance(0.4):
        entry["rayleigh_stiffness_s"] = rounded(draw.log(1e-4, 1e-2))
    return entry


def _corner(place, size):
    """The origin of a box or a mat is its lower corner."""
    return rounded([place[0] - size[0] / 2, place[1] - size[1] / 2, place[2]])


def sample(draw):
    stack, scenario = Stack(draw), {"obstacles": draw.floor()}
    scenario["bodies"] = {f"soft{k}": one_soft_body(draw, stack) for k in range(draw.whole(1, 3))}
    if draw.chance(0.3):
        scenario["rigid_bodies"] = {"rigid0": one_rigid_body(draw, stack)}
    first = scenario["bodies"]["soft0"]
    if "box" in first["mesh"] and draw.chance(0.3):
        first["velocity_m_s"] = [0.0, 0.0, 0.0]
        scenario["attachments"] = {"grip": _grip(draw, first)}
    if draw.chance(0.1):
        scenario["gravity_m_s2"] = [0.0, 0.0, 0.0]
    return scenario, {}


def _grip(draw, entry):
    """Holds one side; still, pulled sideways, or turned about the body's corner and released."""
    at, last = entry["position_m"], draw.n_step * draw.step_s
    grip = {"body": "soft0", "node_set": "x_max", "stiffness_N_m": rounded(draw.log(1, 1e4)), "position_m": at}
    what = draw.choice(["still", "pulled", "turned"])
    if what == "pulled":
        end = rounded(np.array(at) + draw.size * draw.vector(-0.3, 0.3) * [1, 1, 0])
        grip["path"] = [{"time_s": 0.0, "position_m": at}, {"time_s": rounded(0.6 * last), "position_m": end}]
    if what == "turned":
        angle = min(draw.uniform(0.5, 3), 0.3 * 0.4 * draw.n_step)
        turned = rounded([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
        grip["path"] = [{"time_s": 0.0, "position_m": at}, {"time_s": rounded(0.4 * last), "orientation_wxyz": turned}]
        grip |= {"ease": "none", "release_time_s": rounded(0.4 * last)}
    return grip
