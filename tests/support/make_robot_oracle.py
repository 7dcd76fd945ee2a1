"""Writes robot_oracle.json beside this file: poses, mass matrices, loads and Jacobians of robots, by Pinocchio.

    .venv/bin/python tests/support/make_robot_oracle.py

The C++ tests of the articulated kernels and of the robot model read it. Robots: those of scenarios/assets, and random
trees with every kind of joint, whose URDF is in the file. Mimic joints are projected here, by the matrix G of the
constant map from the independent coordinates to all joints (M -> G^T M G and so on), not by Pinocchio.
"""

import json
import math
import random
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin

HERE = Path(__file__).resolve().parent
ASSETS = ["scenarios/assets/panda/panda.urdf", "scenarios/assets/panda/panda_gripper.urdf",
          "scenarios/assets/free_gripper/free_gripper.urdf"]
N_TREE = 14
N_STATE = 2


def random_inertia(rng):
    """A box of random sides, turned at random."""
    mass = 10 ** rng.uniform(-2, 1)
    a, b, c = (rng.uniform(0.02, 0.4) for _ in range(3))
    principal = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * mass / 12
    turn = pin.exp3(np.array([rng.uniform(-3, 3) for _ in range(3)]))
    i = turn @ principal @ turn.T
    xyz = " ".join(f"{rng.uniform(-0.2, 0.2):.6g}" for _ in range(3))
    rpy = " ".join(f"{rng.uniform(-3, 3):.6g}" for _ in range(3))
    return (f'<inertial><origin xyz="{xyz}" rpy="{rpy}"/><mass value="{mass:.9g}"/><inertia ixx="{i[0, 0]:.12g}" '
            f'ixy="{i[0, 1]:.12g}" ixz="{i[0, 2]:.12g}" iyy="{i[1, 1]:.12g}" iyz="{i[1, 2]:.12g}" izz="{i[2, 2]:.12g}"/>'
            "</inertial>")


def random_tree(rng, index):
    n_link = rng.randint(3, 11)
    out = [f'<robot name="tree{index}">', '<link name="l0"/>']
    moving = []
    for k in range(1, n_link):
        # A fixed first link and bare fixed links are among them.
        kind = rng.choice(["revolute", "continuous", "prismatic", "fixed"])
        if k == n_link - 1 and not moving:
            kind = "revolute"
        parent = rng.randint(max(0, k - 4), k - 1)
        bare = kind == "fixed" and rng.random() < 0.5
        out.append(f'<link name="l{k}">{"" if bare else random_inertia(rng)}</link>')
        xyz = " ".join(f"{rng.uniform(-0.5, 0.5):.6g}" for _ in range(3))
        rpy = " ".join(f"{rng.uniform(-3, 3):.6g}" for _ in range(3))
        joint = (f'<joint name="j{k}" type="{kind}"><parent link="l{parent}"/><child link="l{k}"/>'
                 f'<origin xyz="{xyz}" rpy="{rpy}"/>')
        if kind != "fixed":
            axis = " ".join(f"{rng.uniform(-2, 2):.6g}" for _ in range(3))
            joint += f'<axis xyz="{axis}"/>'
            if kind != "continuous":
                joint += '<limit lower="-3" upper="3" effort="10" velocity="5"/>'
            if moving and rng.random() < 0.3:
                followed = rng.choice(moving)
                joint += (f'<mimic joint="{followed}" multiplier="{rng.uniform(-2, 2):.6g}" '
                          f'offset="{rng.uniform(-0.5, 0.5):.6g}"/>')
            moving.append(f"j{k}")
        out.append(joint + "</joint>")
    return "\n".join(out + ["</robot>"])


def mimic_map(urdf):
    """For every moving joint: the independent joint that it follows, ratio and offset."""
    root = ElementTree.fromstring(urdf)
    own = {}
    for joint in root.iter("joint"):
        if joint.get("type") != "fixed":
            mimic = joint.find("mimic")
            own[joint.get("name")] = None if mimic is None else (
                mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0)))
    resolved = {}
    for name in own:
        at, ratio, offset = name, 1.0, 0.0
        while own[at] is not None:
            at, a, b = own[at]
            offset += ratio * b
            ratio *= a
        resolved[name] = (at, ratio, offset)
    return resolved


def answers(urdf, seed):
    rng = np.random.default_rng(seed)
    model = pin.buildModelFromXML(urdf)
    data = model.createData()
    follow = mimic_map(urdf)
    independent = [name for name in follow if follow[name][0] == name]
    n = len(independent)
    G = np.zeros((model.nv, n))
    shift = np.zeros(model.nv)
    for name, (at, ratio, offset) in follow.items():
        row = model.joints[model.getJointId(name)].idx_v
        G[row, independent.index(at)] = ratio
        shift[row] = offset
    links = [f.name for f in model.frames if f.type == pin.FrameType.BODY and f.name != "universe"]
    states = []
    for k in range(N_STATE):
        q = rng.uniform(-1.5, 1.5, n)
        qd = rng.uniform(-2, 2, n)
        qdd = rng.uniform(-5, 5, n)
        gravity = np.array([0, 0, -9.81]) if k == 0 else rng.uniform(-10, 10, 3)
        model.gravity.linear = gravity
        # From pin.neutral, because a continuous joint is (cos, sin) there.
        full_q = pin.integrate(model, pin.neutral(model), G @ q + shift)
        M = pin.crba(model, data, full_q)
        M = np.triu(M) + np.triu(M, 1).T
        bias = pin.nonLinearEffects(model, data, full_q, G @ qd)
        tau = pin.rnea(model, data, full_q, G @ qd, G @ qdd)
        weight = pin.computeGeneralizedGravity(model, data, full_q)
        kinetic = pin.computeKineticEnergy(model, data, full_q, G @ qd)
        potential = pin.computePotentialEnergy(model, data, full_q)
        pin.forwardKinematics(model, data, full_q)
        pin.updateFramePlacements(model, data)
        pin.computeJointJacobians(model, data, full_q)
        poses, points = {}, []
        for name in links:
            placement = data.oMf[model.getFrameId(name)]
            poses[name] = [*placement.translation, *placement.rotation.flatten()]
        for name in (links[-1], links[int(rng.integers(len(links)))]):
            frame = model.getFrameId(name)
            local = rng.uniform(-0.3, 0.3, 3)
            arm = data.oMf[frame].rotation @ local
            J = pin.getFrameJacobian(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED).reshape(6, model.nv) @ G
            linear = J[:3] - pin.skew(arm) @ J[3:]
            points.append({"link": name, "local": list(local), "linear": list(linear.flatten()),
                           "angular": list(J[3:].flatten())})
        states.append({"q": list(q), "qd": list(qd), "qdd": list(qdd), "gravity": list(gravity),
                       "M": list((G.T @ M @ G).flatten()), "h": list(G.T @ bias), "tau": list(G.T @ tau),
                       "weight": list(G.T @ weight), "kinetic": kinetic, "potential": potential, "poses": poses,
                       "points": points})
    return {"joints": independent, "states": states}


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, (float, np.floating)):
        assert math.isfinite(value)
        return float(value)
    return value


def main():
    robots = []
    for k, path in enumerate(ASSETS):
        robots.append({"file": path, **answers((HERE.parent.parent / path).read_text(), k)})
    rng = random.Random(5)
    for k in range(N_TREE):
        urdf = random_tree(rng, k)
        robots.append({"urdf": urdf, **answers(urdf, 100 + k)})
    out = {"made_by": f"make_robot_oracle.py with Pinocchio {pin.__version__}", "robots": plain(robots)}
    (HERE / "robot_oracle.json").write_text(json.dumps(out, separators=(",", ":")).replace('{"q"', '\n{"q"') + "\n")


if __name__ == "__main__":
    main()
