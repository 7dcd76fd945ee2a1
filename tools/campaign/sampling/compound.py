"""Compounds of two to four parts: hammers, crosses, dumbbells, random heaps."""

import numpy as np

from campaign.sampling.draw import Stack, rounded
from campaign.sampling.rigid import motion, one_rigid_body, one_shape
from campaign.sampling.soft import one_soft_body


def one_compound(draw, stack):
    parts, reach = {}, 0.0
    for k in range(draw.whole(2, 4)):
        shape, own = one_shape(draw)
        place = 0.4 * draw.size * draw.vector(-1, 1)
        part = {**shape, "position_m": rounded(place), "density_kg_m3": rounded(draw.log(50, 8000))}
        if draw.chance(0.5):
            part["orientation_wxyz"] = draw.orientation()
        parts[f"part{k}"] = part
        reach = max(reach, own + float(np.linalg.norm(place)))
    return {"parts": parts, **motion(draw), "position_m": stack.place(reach, reach)}


def sample(draw):
    stack, scenario = Stack(draw), {"obstacles": draw.floor()}
    scenario["compounds"] = {f"compound{k}": one_compound(draw, stack) for k in range(draw.whole(1, 3))}
    if draw.chance(0.3):
        scenario["rigid_bodies"] = {"rigid0": one_rigid_body(draw, stack)}
    if draw.chance(0.3):
        scenario["bodies"] = {"soft0": one_soft_body(draw, stack)}
    return scenario, {}
