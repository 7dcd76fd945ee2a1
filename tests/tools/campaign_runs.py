"""Small sound runs for the tests of the campaign's checker, and copies of them that are falsified."""

import csv
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

import h5py
from nodia_command import SLIDING_BOX, SOURCE, run

sys.path.append(str(SOURCE / "tools"))

URDF = """<?xml version="1.0"?>
<robot name="pusher">
  <link name="base"/>
  <link name="finger">
    <inertial><mass value="0.5"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial>
    <collision><geometry><box size="0.04 0.04 0.04"/></geometry></collision>
  </link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="-0.1" upper="0.2" velocity="1" effort="5"/></joint>
</robot>
"""

SCENES = {
    "soft": SLIDING_BOX,
    "free": """\
name: free
time: {step_s: 0.005, duration_s: 0.1}
bodies:
  left: {mesh: {box: {size_m: [0.1, 0.1, 0.1], cells: [2, 2, 2]}}, youngs_modulus_Pa: 1.0e+6, velocity_m_s: [0, 0, 1]}
  right: {mesh: {ball: {radius_m: 0.05, nodes: 60}}, position_m: [0.4, 0, 0], youngs_modulus_Pa: 1.0e+5}
""",
    "rigid": """\
name: rigid
time: {step_s: 0.005, duration_s: 0.2}
rigid_bodies:
  lower: {shape: box, size_m: [0.1, 0.1, 0.05], mass_kg: 1, position_m: [0, 0, 0.0251], friction: 0.3}
  upper: {shape: sphere, radius_m: 0.04, mass_kg: 0.2, position_m: [0, 0, 0.095]}
  spinning: {shape: box, size_m: [0.1, 0.1, 0.1], mass_kg: 1, position_m: [1, 0, 1], angular_velocity_rad_s: [0, 0, 5]}
obstacles:
  floor: {shape: half_space, friction: 0.3}
  plate: {shape: box, size_m: [0.4, 0.4, 0.02], position_m: [1, 0, 0.4]}
""",
    "cables": """\
name: cables
time: {step_s: 0.005, duration_s: 0.1}
cables:
  lower: {points_m: [[-0.2, 0, 0.3], [0.2, 0, 0.3]], links: 9, radius_m: 0.005, contact: segments}
  upper: {points_m: [[0, -0.2, 0.33], [0, 0.2, 0.33]], links: 9, radius_m: 0.005, contact: segments}
mounts:
  rear: {body: lower, at: rear, position_m: [-0.2, 0, 0.3]}
  front: {body: lower, at: front, position_m: [0.2, 0, 0.3]}
obstacles:
  pole: {shape: capsule, radius_m: 0.02, length_m: 0.4, position_m: [0, 0.1, 0.1], orientation_wxyz: [0.70710678, 0, 0.70710678, 0]}
""",
    "robot": """\
name: robot
time: {step_s: 0.01, duration_s: 0.4}
robots:
  pusher:
    urdf: pusher.urdf
    joint_drives: {slide: {stiffness: 200, damping: 2, path: [{time_s: 0, target: 0}, {time_s: 0.2, target: 0.02}]}}
obstacles:
  wall: {shape: box, size_m: [0.1, 0.2, 0.2], position_m: [0.07, 0, 0]}   # touches the finger
""",
}


def make_runs(directory):
    """Runs all scenes. @return run directories by name"""
    (directory / "pusher.urdf").write_text(URDF)
    runs = {}
    for name, text in SCENES.items():
        path = directory / f"{name}.yaml"
        path.write_text(text)
        runs[name] = directory / name
        done = run("run", path, "--out", runs[name], environment={"OMP_NUM_THREADS": "1"})
        assert done.returncode == 0, done.stderr
    return runs


class Forgery:
    """A copy of a run whose files can be changed."""

    def __init__(self, run_directory, directory):
        shutil.copytree(run_directory, directory)
        self.directory = Path(directory)

    @contextmanager
    def trajectory(self):
        """The values that tests change, as arrays by name; changed values are written back."""
        with h5py.File(self.directory / "trajectory.vtkhdf", "r+") as file:
            n = len(file["VTKHDF/Steps/Values"])
            sets = {
                "points": file["VTKHDF/Points"],
                "velocity": file["VTKHDF/PointData/velocity"],
                "position": file["nodia/frames/position"],
                "orientation": file["nodia/frames/orientation_wxyz"],
                "force": file["nodia/contacts/force"],
            }
            values = {name: data[()] for name, data in sets.items()}
            for name in ("points", "velocity"):
                values[name] = values[name].reshape(n, -1, 3)
            values["offsets"] = file["nodia/contacts/offsets"][()]
            yield values
            for name, data in sets.items():
                data[...] = values[name].reshape(data.shape)

    def set_column(self, name, step, value):
        """Changes one value of steps.csv."""
        path = self.directory / "steps.csv"
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        rows[step - 1][name] = value
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
