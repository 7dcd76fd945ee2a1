"""A run directory made without the simulator: a sheet that is dragged, then lifted at its front."""

import json

import h5py
import numpy as np

CORNERS_OF_CUBE = np.array(
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]]
)

CONFIG = """\
name: synthetic
obstacles:
  floor:
    shape: half_space
    position_m: [0, 0, 0]
    orientation_wxyz: [1, 0, 0, 0]
    path: []
    friction: 0.3
  cylinder:
    shape: cylinder
    radius_m: 4e-2
    length_m: 0.4
    position_m: [0.62, 0.15, 0.04]
    orientation_wxyz: [0.7071067811865476, 0.7071067811865476, 0, 0]
  box:
    shape: box
    size_m: [0.05, 0.05, 0.05]
    path:
      - {time_s: 0, position_m: [0.1, 0.42, 0.025]}
      - {time_s: 2, position_m: [0.3, 0.42, 0.025], orientation_wxyz: [0.9238795, 0, 0, 0.3826834]}
  sphere: {shape: sphere, radius_m: 0.03, position_m: [0.1, -0.1, 0.03]}
  capsule: {shape: capsule, radius_m: 0.02, length_m: 0.06, position_m: [0.3, -0.1, 0.05]}
attachments:
  grip:
    body: mat
    node_set: x_high
    path:
      - {time_s: 0, position_m: [0, 0, 0]}
      - {time_s: 1, position_m: [0.2, 0, 0]}
      - {time_s: 2, position_m: [0.42, 0, 0.1]}
"""


def box_mesh(n, size):
    """A box of n[0] x n[1] x n[2] cubes of six tetrahedra each.

    @return points [n_node, 3], tetrahedra of positive volume [n_tet, 4]
    """
    axes = [np.linspace(0, size[k], n[k] + 1) for k in range(3)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    index = np.arange(len(points)).reshape([k + 1 for k in n])
    corner = [
        index[a : a + n[0], b : b + n[1], c : c + n[2]]
        for c in (0, 1)
        for b in (0, 1)
        for a in (0, 1)
    ]
    cubes = np.stack([c.ravel() for c in corner], axis=1)
    return points, cubes[:, CORNERS_OF_CUBE].reshape(-1, 4)


def _minimum_jerk(s):
    s = np.clip(s, 0, 1)
    return s**3 * (10 - 15 * s + 6 * s * s)


def sheet_motion(rest, time_s):
    """Dragged along x until 1 s; then its front rises while its rear goes on lying."""
    points = rest.copy()
    points[:, 0] += 0.2 * _minimum_jerk(time_s)
    share = _minimum_jerk(time_s - 1)
    arc = np.clip((rest[:, 0] - 0.08) / (rest[:, 0].max() - 0.08), 0, 1)
    points[:, 2] += share * 0.1 * arc**2 * (3 - 2 * arc)
    points[:, 0] += share * 0.22
    return points


def write_vtkhdf(path, times, frames, cells, point_data, cell_data, lines=()):
    """Temporal UnstructuredGrid as in the VTKHDF specification: topology once, the rest per step.

    frames, point_data[name], cell_data[name]: one array per step. Lines are cells behind the
    tetrahedra.
    """
    lines = np.asarray(lines, np.int64).reshape(-1, 2)
    cells = np.asarray(cells, np.int64).reshape(-1, 4)
    n_tet, n_step, n_node = len(cells), len(times), len(frames[0])
    n_cell, n_id = n_tet + len(lines), 4 * n_tet + 2 * len(lines)
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array([2, 0], np.int64)
        root.attrs.create("Type", b"UnstructuredGrid", dtype=h5py.string_dtype("ascii", 16))
        root["NumberOfPoints"] = np.array([n_node], np.int64)
        root["NumberOfCells"] = np.array([n_cell], np.int64)
        root["NumberOfConnectivityIds"] = np.array([n_id], np.int64)
        root["Points"] = np.concatenate(frames)
        root["Connectivity"] = np.concatenate([cells.ravel(), lines.ravel()])
        sizes = np.repeat([4, 2], [n_tet, len(lines)])
        root["Offsets"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        root["Types"] = np.repeat([10, 3], [n_tet, len(lines)]).astype(np.uint8)
        for group, data in (("PointData", point_data), ("CellData", cell_data)):
            for name, values in data.items():
                root[f"{group}/{name}"] = np.concatenate(values)
        steps = root.create_group("Steps")
        steps.attrs["NSteps"] = n_step
        zero = np.zeros(n_step, np.int64)
        steps["Values"] = np.asarray(times, float)
        steps["PartOffsets"] = zero
        steps["NumberOfParts"] = zero + 1
        steps["PointOffsets"] = n_node * np.arange(n_step)
        steps["CellOffsets"] = zero[:, None]
        steps["ConnectivityIdOffsets"] = zero[:, None]
        for name in point_data:
            steps[f"PointDataOffsets/{name}"] = n_node * np.arange(n_step)
        for name in cell_data:
            steps[f"CellDataOffsets/{name}"] = n_cell * np.arange(n_step)


def _json_bytes(value):
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def write_poses(path, description, position, wxyz, bodies=(), n_contact=()):
    """The group /nodia of a file: poses, and contacts that count up.

    @param position, wxyz  [n_step, n_pose, 3], [n_step, n_pose, 4]
    @param n_contact       per step; left out: none
    """
    with h5py.File(path, "r+") as file:
        file["nodia/frames/position"] = position
        file["nodia/frames/orientation_wxyz"] = wxyz
        file["nodia/frames/description"] = _json_bytes(description)
        contacts = file.create_group("nodia/contacts")
        contacts["bodies"] = _json_bytes(list(bodies))
        offsets = np.cumsum([0, *(n_contact or [0] * len(position))]).astype(np.int64)
        contacts["offsets"] = offsets
        n = offsets[-1]
        for name in ("position", "force", "slip_velocity"):
            contacts[name] = np.arange(3.0 * n).reshape(n, 3)
        contacts["state"] = np.ones(n, np.uint8)
        for name, value in (("body_i", 0), ("link_i", 0), ("body_j", 1), ("link_j", 0)):
            contacts[name] = np.full(n, value, np.int32)


def pose(kind, name):
    return {"name": name, "kind": kind, "shapes": []}


# Of what CONFIG names; where it is at a time: position [m] and the angle about z.
SURROUNDINGS = [
    (pose("obstacle", "floor"), lambda t: ([0, 0, 0], 0)),
    (pose("obstacle", "cylinder"), lambda t: ([0.62, 0.15, 0.04], 0)),
    (
        pose("obstacle", "box"),
        lambda t: ([0.1 + 0.2 * _minimum_jerk(t / 2), 0.42, 0.025], 0.7853982 * _minimum_jerk(t / 2)),
    ),
    (pose("obstacle", "sphere"), lambda t: ([0.1, -0.1, 0.03], 0)),
    (pose("obstacle", "capsule"), lambda t: ([0.3, -0.1, 0.05], 0)),
    (
        pose("attachment", "grip"),
        lambda t: (
            [0.2 * _minimum_jerk(t) + 0.22 * _minimum_jerk(t - 1), 0, 0.1 * _minimum_jerk(t - 1)],
            0,
        ),
    ),
]


def write_surroundings(path, times, surroundings):
    """@param surroundings  (description, time [s] -> position [m] and angle about z)"""
    places = [[at(t) for _, at in surroundings] for t in times]
    position = np.array([[position for position, _ in row] for row in places], float)
    half = np.array([[angle / 2 for _, angle in row] for row in places])
    wxyz = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=-1)
    write_poses(path, [description for description, _ in surroundings], position, wxyz)


def write_run(
    directory,
    cubes=(10, 10, 1),
    times=None,
    name="trajectory.vtkhdf",
    config=True,
    motion=sheet_motion,
    surroundings=SURROUNDINGS,
):
    """Makes the directory; returns times, rest positions, cells.

    @param motion        positions from those at rest and a time [s]
    @param surroundings  whose poses are recorded; None: the file is of before them
    """
    directory.mkdir(parents=True, exist_ok=True)
    times = np.linspace(0, 2, 21) if times is None else np.asarray(times, float)
    rest, cells = box_mesh(cubes, (0.3, 0.3, 0.006))
    frames = [motion(rest, t) for t in times]
    velocity = [(motion(rest, t + 1e-4) - motion(rest, t - 1e-4)) / 2e-4 for t in times]
    touches = [frame[:, 2] < 1e-4 for frame in frames]
    state = [
        np.where(touch, np.where(np.linalg.norm(v, axis=1) > 0.05, 2, 1), 0).astype(np.uint8)
        for touch, v in zip(touches, velocity)
    ]
    force = [touch[:, None] * np.array([0, 0, 0.01]) for touch in touches]
    stress = [
        (1e3 * np.abs(frame[cells].mean(axis=1)[:, 2])).astype(np.float32) for frame in frames
    ]
    point_data = {"velocity": velocity, "contact_force": force, "contact_state": state}
    write_vtkhdf(directory / name, times, frames, cells, point_data, {"von_mises_Pa": stress})
    if surroundings is not None:
        write_surroundings(directory / name, times, surroundings)
    if config:
        (directory / "config.yaml").write_text(CONFIG, encoding="utf-8")
    return times, rest, cells


# Time [s] and place [m] of the grip of the hopping sheet.
HOPS = [
    (0.5, 0, 0),
    (1.5, 0.2, 0),
    (2.0, 0.2, 0),
    (2.5, 0.2, 0.12),
    (3.0, 0.45, 0.12),
    (3.5, 0.45, 0),
    (4.5, 0.6, 0),
    (5.0, 0.6, 0),
]
HOPPING_CONFIG = """\
name: hopping
obstacles:
  floor: {shape: half_space}
attachments:
  grip:
    path:
""" + "".join(f"      - {{time_s: {t}, position_m: [{x}, 0, {z}]}}\n" for t, x, z in HOPS)


def hop(time_s):
    """Place of the grip."""
    x, z = 0.0, 0.0
    for (start, x0, z0), (end, x1, z1) in zip(HOPS, HOPS[1:]):
        share = _minimum_jerk((time_s - start) / (end - start))
        x, z = x + share * (x1 - x0), z + share * (z1 - z0)
    return x, z


def hopping_motion(rest, time_s):
    """Lies, slides, lies, hangs by its front in the air, lies elsewhere, slides, lies.

    The rear leaves the floor after the front and is back before it.
    """
    x, z = hop(time_s)
    behind = 1 - rest[:, 0] / rest[:, 0].max()
    return rest + np.c_[0 * behind + x, 0 * behind, np.maximum(z - 0.05 * behind, 0)]


def write_hopping_run(directory):
    """A sheet whose contact comes, goes and comes again at another place, in a grip."""
    surroundings = [
        (pose("obstacle", "floor"), lambda t: ([0, 0, 0], 0)),
        (pose("attachment", "grip"), lambda t: ([hop(t)[0], 0, hop(t)[1]], 0)),
    ]
    times = np.linspace(0, 5, 251)
    write_run(
        directory, times=times, config=False, motion=hopping_motion, surroundings=surroundings
    )
    (directory / "config.yaml").write_text(HOPPING_CONFIG, encoding="utf-8")


BODIES_CONFIG = """\
name: bodies
rigid_bodies:
  crate: {shape: box, size_m: [0.1, 0.2, 0.3], position_m: [0.5, 0, 0.15]}
  part: {shape: mesh, file: part.obj, grid_spacing_m: 0.01}
cables:
  left: {points_m: [[0, 0, 0.1], [0.4, 0, 0.1]], links: 20, radius_m: 0.004}
  right: {points_m: [[0, 0.2, 0.1], [0.4, 0.2, 0.1]], links: 3, radius_m: 8e-3}
robots:
  arm: {urdf: arm.urdf}
obstacles:
  floor: {shape: half_space}
"""

POSES = [
    {
        "name": "crate",
        "kind": "rigid_body",
        "shapes": [
            {
                "shape": "box",
                "size_m": [0.1, 0.2, 0.3],
                "position_m": [0, 0, 0],
                "orientation_wxyz": [1, 0, 0, 0],
            }
        ],
    },
    {
        "name": "part",
        "kind": "rigid_body",
        "shapes": [
            {"shape": "mesh", "position_m": [0, 0, -0.1], "orientation_wxyz": [1, 0, 0, 0]}
        ],
    },
    {
        "name": "hand",
        "kind": "robot_link",
        "robot": "arm",
        "shapes": [
            {
                "shape": "capsule",
                "radius_m": 0.02,
                "length_m": 0.1,
                "position_m": [0, 0, 0.05],
                "orientation_wxyz": [0.5**0.5, 0.5**0.5, 0, 0],
            }
        ],
    },
]
PART = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def write_bodies_run(directory, n_step=11):
    """Two cables that sag, two rigid bodies and a robot's link that fall and turn; no soft body.

    Links are in contact where they are lower than 0.05 m; the crate has one contact a step.
    @return times, points [n_step, 23, 3]
    """
    directory.mkdir(parents=True, exist_ok=True)
    times = np.linspace(0, 1, n_step)
    points = []
    for t in times:
        left = np.c_[np.linspace(0.01, 0.39, 20), np.zeros(20), np.zeros(20)]
        right = np.c_[np.linspace(0.067, 0.333, 3), np.full(3, 0.2), np.zeros(3)]
        both = np.vstack([left, right])
        both[:, 2] = 0.1 - 0.09 * t * np.sin(np.pi * both[:, 0] / 0.4)
        points.append(both)
    state = [np.where(x[:, 2] < 0.05, 1, 0).astype(np.uint8) for x in points]
    data = {
        "velocity": [np.gradient(np.array(points), times, axis=0)[k] for k in range(n_step)],
        "contact_force": [(s[:, None] * np.array([0, 0, 0.1])) for s in state],
        "contact_state": state,
    }
    lines = [[k, k + 1] for k in range(22) if k != 19]
    stress = [np.full(21, np.nan, np.float32)] * n_step
    path = directory / "trajectory.vtkhdf"
    write_vtkhdf(path, times, points, [], data, {"von_mises_Pa": stress}, lines)
    half = 0.5 * times * np.pi / 2
    turn = np.c_[np.cos(half), 0 * half, 0 * half, np.sin(half)]
    falling = [0.5, 0, 0.2] - np.outer(times, [0, 0, 0.05])
    position = np.stack([falling + [0, 0.3 * k, 0] for k in range(3)], axis=1)
    bodies = [{"name": "crate", "kind": "rigid_body"}, {"name": "floor", "kind": "obstacle"}]
    n_contact = [0] + [1] * (n_step - 1)
    write_poses(path, POSES, position, np.stack([turn] * 3, axis=1), bodies, n_contact)
    (directory / "config.yaml").write_text(BODIES_CONFIG, encoding="utf-8")
    (directory / "part.obj").write_text(PART, encoding="utf-8")
    return times, np.array(points)
