"""Rigid bodies: boxes, plates, rods, balls, cylinders, capsules and rings."""

import numpy as np

from campaign.sampling.draw import THIN, Stack, rounded


def one_shape(draw):
    """Keys of a bounded shape, and the radius of a sphere about its origin that encloses it."""
    what = draw.choice(["box", "box", "sphere", "cylinder", "capsule", "torus"])
    if what == "box":
        edges = draw.extents()
        return {"shape": what, "size_m": rounded(edges)}, float(np.linalg.norm(edges) / 2)
    radius = draw.size * draw.uniform(0.15, 0.5)
    if what == "sphere":
        return {"shape": what, "radius_m": rounded(radius)}, radius
    if what == "torus":
        tube = radius * draw.log(0.05, 0.5)
        return {"shape": what, "radius_m": rounded(radius), "tube_radius_m": rounded(tube)}, radius + tube
    length = draw.size * draw.uniform(0.3, 1)
    if draw.chance(0.3):
        if what == "cylinder" and draw.chance(0.5):
            length = draw.size * draw.log(*THIN)
        else:
            radius = draw.size * draw.log(*THIN)
    reach = np.hypot(radius, length / 2) if what == "cylinder" else radius + length / 2
    return {"shape": what, "radius_m": rounded(radius), "length_m": rounded(length)}, float(reach)


def motion(draw):
    """Pose and velocities of a rigid body; it turns by at most half a radian in a step."""
    entry = {"orientation_wxyz": draw.orientation(), "velocity_m_s": draw.velocity(), "friction": draw.friction()}
    if draw.chance(0.3):
        entry["angular_velocity_rad_s"] = rounded(draw.log(0.01, 0.5) / draw.step_s * draw.direction())
    if draw.chance(0.2):
        entry["restitution"] = rounded(draw.uniform(0.1, 0.9))
    return entry


def one_rigid_body(draw, stack):
    shape, reach = one_shape(draw)
    entry = {**shape, "density_kg_m3": rounded(draw.log(50, 8000)), **motion(draw)}
    if draw.chance(0.5):
        entry["orientation_wxyz"] = [1.0, 0.0, 0.0, 0.0]
    entry["position_m"] = stack.place(reach, reach)
    return entry


def sample(draw):
    stack, scenario = Stack(draw), {"obstacles": draw.floor()}
    scenario["rigid_bodies"] = {f"rigid{k}": one_rigid_body(draw, stack) for k in range(draw.whole(1, 5))}
    if draw.chance(0.15):
        body = scenario["rigid_bodies"]["rigid0"]
        scenario["pushes"] = {"push": _push(draw, body)}
    if draw.chance(0.1):
        scenario["gravity_m_s2"] = [0.0, 0.0, 0.0]
    return scenario, {}


def _push(draw, entry):
    weight = 9.81 * entry["density_kg_m3"] * (0.3 * draw.size) ** 3
    span = draw.n_step * draw.step_s
    force = rounded(weight * draw.uniform(0.1, 3) * draw.direction())
    return {"body": "rigid0", "force_N": force, "from_s": rounded(0.3 * span), "duration_s": rounded(0.3 * span)}
