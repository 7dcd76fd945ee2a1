"""Two arms of one robot that their drives push into each other stop where they touch."""

import json

import h5py
import numpy as np
import pytest
from nodia_command import needs_nodia, run

pytestmark = needs_nodia

CORNERS = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.02, 0.02) for z in (-0.02, 0.02)]
FACES = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
GEOMETRY = {
    "box": ("", '<box size="0.2 0.04 0.04"/>'),
    "cylinder": (' rpy="0 1.5707963 0"', '<cylinder radius="0.02" length="0.2"/>'),
    "mesh": ("", '<mesh filename="bar.obj"/>'),
}
DRIVES = {"jl1": (200, 1.57, 0.4), "jl2": (100, 0.2, 0.1), "jr1": (200, 1.57, 2.7), "jr2": (100, -0.2, -0.1)}


def link(name, shape):
    turn, geometry = GEOMETRY[shape]
    inertia = '<mass value="1"/><inertia ixx="1e-3" iyy="4e-3" izz="4e-3" ixy="0" ixz="0" iyz="0"/>'
    return (
        f'<link name="{name}"><inertial><origin xyz="0.1 0 0"/>{inertia}</inertial>'
        f'<collision><origin xyz="0.1 0 0"{turn}/><geometry>{geometry}</geometry></collision></link>'
    )


def joint(name, parent, child, place):
    return (
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/><origin xyz="{place}"/>'
        '<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="500" velocity="20"/></joint>'
    )


def two_arms(folder, left, right, duration_s):
    (folder / "bar.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "".join(f"f {f}\n" for f in FACES))
    links = link("l1", left) + link("l2", left) + link("r1", right) + link("r2", right)
    joints = joint("jl1", "base", "l1", "-0.15 0 0") + joint("jl2", "l1", "l2", "0.2 0 0")
    joints += joint("jr1", "base", "r1", "0.15 0 0.005") + joint("jr2", "r1", "r2", "0.2 0 0")
    (folder / "two.urdf").write_text(f'<robot name="two"><link name="base"/>{links}{joints}</robot>')
    drives = {
        name: {
            "stiffness": stiffness,
            "damping": stiffness / 10,
            "path": [{"time_s": 0, "target": start}, {"time_s": duration_s, "target": end}],
        }
        for name, (stiffness, start, end) in DRIVES.items()
    }
    robot = {
        "urdf": "two.urdf",
        "self_contact": True,
        "friction": 0.3,
        "q": {name: start for name, (_, start, _) in DRIVES.items()},
        "joint_drives": drives,
    }
    path = folder / "two.yaml"
    path.write_text(json.dumps({"name": "two", "time": {"step_s": 0.002, "duration_s": 0.6}, "robots": {"two": robot}}))
    return path


@pytest.mark.parametrize("left, right", [("box", "box"), ("box", "cylinder"), ("mesh", "box"), ("cylinder", "mesh"), ("mesh", "mesh")])
@pytest.mark.parametrize("duration_s", [0.5, 0.1])
def test_two_arms_stop_where_they_touch(tmp_path, left, right, duration_s):
    out = tmp_path / "out"
    done = run("run", two_arms(tmp_path, left, right, duration_s), "--json", "--out", out)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["converged_steps"] == summary["steps"] == 300
    assert summary["overlaps"] == []
    assert summary["max_penetration_m"] < 1e-6
    with h5py.File(out / "trajectory.vtkhdf") as file:
        contacts = file["nodia/contacts"]
        last = slice(*contacts["offsets"][-2:])
        force = np.linalg.norm(contacts["force"][last], axis=1)
        assert force.max() > 1  # the drives press them together
        assert np.abs(contacts["gap_end"][last][force > 0.01]).max() < 1e-4
        assert {*contacts["link_i"][last], *contacts["link_j"][last]} <= {1, 2, 3, 4}
