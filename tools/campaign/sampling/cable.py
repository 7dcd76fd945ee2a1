"""Cables: free or held at their ends, over a pole or a slab, across another cable, under a falling body."""

import numpy as np

from campaign.sampling.draw import Stack, rounded
from campaign.sampling.rigid import one_rigid_body
from campaign.sampling.soft import one_soft_body


def one_cable(draw, height, along):
    """A straight cable through the z axis.

    @param along  direction [2]
    """
    half = np.append(draw.size * draw.uniform(0.5, 1) * np.asarray(along), 0.0)
    middle = np.array([0, 0, height])
    radius = draw.size * draw.log(0.003, 0.03)
    entry = {
        "points_m": [rounded(middle - half), rounded(middle + half)],
        "links": draw.whole(6, 20),
        "radius_m": rounded(radius),
        "youngs_modulus_Pa": rounded(draw.log(1e5, 1e9)),
        "density_kg_m3": rounded(draw.log(500, 8000)),
        "contact": draw.choice(["link_centres", "segments"]),
        "friction": draw.friction(),
    }
    if draw.chance(0.3):
        entry["damping_s"] = rounded(draw.log(1e-4, 1e-2))
    return entry


def _mounts(draw, name, entry):
    ends = {"rear": entry["points_m"][0], "front": entry["points_m"][1]}
    held = draw.choice([[], ["rear"], ["rear", "front"]])
    mounts = {}
    for at in held:
        mounts[f"{name}_{at}"] = {"body": name, "at": at, "position_m": ends[at], "moment": draw.chance(0.5)}
        if draw.chance(0.25):
            end = rounded(np.array(ends[at]) + draw.size * draw.vector(-0.2, 0.2))
            keys = [{"time_s": 0.0, "position_m": ends[at]}]
            mounts[f"{name}_{at}"]["path"] = [*keys, {"time_s": rounded(0.7 * draw.n_step * draw.step_s), "position_m": end}]
    return mounts


def sample(draw):
    scenario = {"obstacles": draw.floor(), "cables": {}, "mounts": {}}
    height = draw.size * draw.log(0.1, 0.5)
    first = one_cable(draw, height, (1, 0))
    scenario["cables"]["cable0"] = first
    scenario["mounts"] |= _mounts(draw, "cable0", first)
    if draw.chance(0.5):
        apart = draw.size * draw.log(0.02, 0.3) + 2 * draw.size * 0.03
        angle = draw.uniform(0.3, 1.5)
        second = one_cable(draw, height + apart, (np.cos(angle), np.sin(angle)))
        scenario["cables"]["cable1"] = second
        scenario["mounts"] |= _mounts(draw, "cable1", second)
        height += apart
    stack = Stack(draw)
    stack.place(height + 0.05 * draw.size, 0)
    if draw.chance(0.3):
        scenario["bodies"] = {"soft0": one_soft_body(draw, stack)}
    elif draw.chance(0.4):
        scenario["rigid_bodies"] = {"rigid0": one_rigid_body(draw, stack)}
    return {key: value for key, value in scenario.items() if value}, {}
