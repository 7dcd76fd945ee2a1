"""Robots: a pusher that presses a body or a wall, a gripper whose fingers close, an arm, a free chain that falls."""

import numpy as np

from campaign.sampling.draw import Stack, rounded
from campaign.sampling.rigid import one_rigid_body, one_shape
from campaign.sampling.soft import one_soft_body

FLOOR = {"shape": "half_space", "friction": 0.0}


def _link(name, mass, box, offset=(0, 0, 0)):
    """A homogeneous box; its middle is at `offset` in the frame of the link."""
    x, y, z = box
    inertia = mass / 12 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
    at = "{:.6g} {:.6g} {:.6g}".format(*offset)
    return (
        f'  <link name="{name}">\n'
        f'    <inertial><origin xyz="{at}"/><mass value="{mass:.6g}"/>'
        '<inertia ixx="{:.6g}" ixy="0" ixz="0" iyy="{:.6g}" iyz="0" izz="{:.6g}"/></inertial>\n'.format(*inertia)
        + f'    <collision><origin xyz="{at}"/><geometry><box size="{x:.6g} {y:.6g} {z:.6g}"/></geometry></collision>\n  </link>\n'
    )


def _joint(name, kind, parent, child, at, axis, effort, limits):
    return (
        f'  <joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        '<origin xyz="{:.6g} {:.6g} {:.6g}"/><axis xyz="{:g} {:g} {:g}"/>'.format(*at, *axis)
        + f'<limit lower="{limits[0]:.6g}" upper="{limits[1]:.6g}" velocity="100" effort="{effort:.6g}"/></joint>\n'
    )


def _urdf(*parts, base='  <link name="base"/>\n'):
    return '<?xml version="1.0"?>\n<robot name="sampled">\n' + base + "".join(parts) + "</robot>\n"


def _drive(draw, stiffness, start, end):
    last = draw.n_step * draw.step_s
    path = [{"time_s": 0.0, "target": rounded(start)}, {"time_s": rounded(draw.uniform(0.2, 0.7) * last), "target": rounded(end)}]
    return {"stiffness": rounded(stiffness), "damping": rounded(stiffness * draw.log(0.005, 0.05)), "path": path}


def _obstructed(draw):
    """A body in front of a finger, or a wall: groups of keys."""
    if draw.chance(0.4):
        wall = {"shape": "box", "size_m": rounded(draw.size * np.array([0.2, 1, 0.5])), "friction": 0.0}
        return {"obstacles": {"wall": wall | {"position_m": rounded([0.4 * draw.size, 0, 0.25 * draw.size])}}}
    shape, reach = one_shape(draw)
    body = {**shape, "density_kg_m3": rounded(draw.log(50, 8000)), "friction": draw.friction()}
    body["position_m"] = rounded([0.3 * draw.size + reach, 0, 1.01 * reach])
    return {"rigid_bodies": {"rigid0": body}, "obstacles": {"floor": dict(FLOOR)}}


def _pusher(draw):
    size = draw.size
    mass = rounded(draw.log(0.01, 10) * size)
    effort = 9.81 * mass * draw.log(0.1, 30)
    finger = _link("finger", mass, size * np.array([0.2, 0.2, 0.2]))
    slide = _joint("slide", "prismatic", "base", "finger", (0, 0, 0), (1, 0, 0), effort, (0, size))
    stiffness = effort / size * draw.log(1, 1000)
    robot = {"urdf": "robot.urdf", "position_m": rounded([0, 0, 0.25 * size]), "friction": draw.friction()}
    robot["joint_drives"] = {"slide": _drive(draw, stiffness, 0, size * draw.uniform(0.3, 0.9))}
    robot["force_sensors"] = {"push": {"link": "finger"}}
    return {"robots": {"robot": robot}, **_obstructed(draw)}, _urdf(finger, slide)


def _gripper(draw):
    size, stack = draw.size, Stack(draw)
    mass = rounded(draw.log(0.05, 5) * size)
    effort = 9.81 * mass * draw.log(0.3, 30)
    finger = size * np.array([0.3, 0.1, 0.6])
    parts = [_link(name, mass, finger) for name in ("left", "right")]
    parts.append(_joint("left_slide", "prismatic", "base", "left", (0, 0.75 * size, 0), (0, -1, 0), effort, (0, 0.7 * size)))
    parts.append(_joint("right_slide", "prismatic", "base", "right", (0, -0.75 * size, 0), (0, 1, 0), effort, (0, 0.7 * size)))
    drive = _drive(draw, effort / size * draw.log(1, 300), 0, size * draw.uniform(0.3, 0.7))
    robot = {"urdf": "robot.urdf", "position_m": rounded([0, 0, 0.4 * size]), "friction": draw.friction()}
    robot["joint_drives"] = {"left_slide": drive, "right_slide": drive}
    scenario = {"robots": {"robot": robot}, "obstacles": {"floor": dict(FLOOR)}}
    group, make = draw.choice([("bodies", one_soft_body), ("rigid_bodies", one_rigid_body)])
    body = make(draw, stack) | {"velocity_m_s": [0.0, 0.0, 0.0]}
    return scenario | {group: {"held": body}}, _urdf(*parts)


def _chain(draw, drives):
    """Boxes in a row that hang from hinges. @param drives  filled with a drive of each hinge; None: the hinges are free"""
    size, n = draw.size, draw.whole(1, 3)
    length, mass = 0.6 * size, draw.log(0.05, 5) * size
    parts, parent, at = [], "base", (0, 0, 0)
    for k in range(n):
        box = np.array([length, 0.1 * size, 0.1 * size])
        parts.append(_link(f"link{k}", mass, box, (length / 2 + 0.05 * size, 0, 0)))
        weight = 9.81 * mass * size * (n - k)
        parts.append(_joint(f"hinge{k}", "revolute", parent, f"link{k}", at, (0, 1, 0), weight * draw.log(0.3, 10), (-2, 2)))
        if drives is not None:
            drives[f"hinge{k}"] = _drive(draw, weight * draw.log(0.3, 30), 0, draw.uniform(-1, 1))
        parent, at = f"link{k}", (length + 0.1 * size, 0, 0)
    return parts, mass


def _arm(draw):
    """A fixed arm with drives, and a body that falls where the arm may hit it."""
    drives, stack = {}, Stack(draw)
    parts, _ = _chain(draw, drives)
    robot = {"urdf": "robot.urdf", "position_m": rounded([-draw.size, 0, draw.size * draw.uniform(1, 2)]), "friction": draw.friction()}
    robot |= {"joint_drives": drives, "gravity_compensation": draw.chance(0.7)}
    scenario = {"robots": {"robot": robot}, "obstacles": {"floor": dict(FLOOR)}}
    return scenario | {"rigid_bodies": {"rigid0": one_rigid_body(draw, stack)}}, _urdf(*parts)


def _free_chain(draw):
    """A chain without drives that falls."""
    parts, mass = _chain(draw, None)
    robot = {"urdf": "robot.urdf", "base": "free", "gravity_compensation": False}
    robot |= {"position_m": rounded([0, 0, draw.size * draw.uniform(0.1, 1)]), "friction": draw.friction()}
    base = _link("base", mass, 0.08 * draw.size * np.ones(3))
    return {"robots": {"robot": robot}, "obstacles": {"floor": dict(FLOOR)}}, _urdf(*parts, base=base)


def sample(draw):
    scenario, urdf = draw.choice([_pusher, _pusher, _gripper, _arm, _free_chain])(draw)
    return scenario, {"robot.urdf": urdf}
