"""Obstacles, grips and rigid shapes of a run. The shapes come from its config.yaml, the poses from its trajectory."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import trimesh
import yaml

from nodia_tools.command_line import InputError, one_line, warn
from nodia_tools.formats import require_version
from nodia_tools.mesh_files import read_mesh
from nodia_tools.reading import numbers, reading, rotations, sizes
from nodia_tools.rotation import product, rotation_matrix


class Motion:
    """A pose over time: recorded in a trajectory, or constant."""

    def __init__(self, at, moves):
        """@param at  time [s] -> position [m] and unit quaternion wxyz"""
        self.at, self.moves = at, moves

    def to_world(self, points, time_s):
        position, wxyz = self.at(time_s)
        return points @ rotation_matrix(wxyz).T + position

    def to_local(self, points, time_s):
        position, wxyz = self.at(time_s)
        return (points - position) @ rotation_matrix(wxyz)


def standing(position, wxyz):
    """Constant pose at a position [m] with a quaternion wxyz of any length above 0."""
    wxyz = rotations(wxyz, (4,), "orientation_wxyz")
    pose = numbers(position, (3,), "position_m"), wxyz / np.linalg.norm(wxyz)
    return Motion(lambda time_s: pose, moves=False)


def recorded(trajectory, index, position=(0, 0, 0), wxyz=(1, 0, 0, 0)):
    """Recorded pose of a trajectory, or a pose that is fixed relative to it.

    @param index           index of the pose in the trajectory
    @param position, wxyz  pose relative to the recorded one [m, -]
    """

    def at(time_s):
        frame_position, frame_wxyz = trajectory.pose_at(index, time_s)
        return (
            frame_position + rotation_matrix(frame_wxyz) @ np.asarray(position, float),
            product(frame_wxyz, np.asarray(wxyz, float)),
        )

    return Motion(at, bool(trajectory.pose_moves[index]))


@dataclass
class Obstacle:
    """An obstacle. Its mesh is None for a half-space, which is solid where z <= 0 in its frame."""

    name: str
    mesh: trimesh.Trimesh | None
    path: Motion


@dataclass
class Grip:
    """A frame to which nodes of a body are attached until `release_time_s` [s]."""

    name: str
    path: Motion
    release_time_s: float


@dataclass
class Solid:
    """A shape of a rigid body or of a robot link."""

    name: str
    mesh: trimesh.Trimesh
    path: Motion


@dataclass
class SceneAround:
    """Objects around the soft bodies.

    radii    radii of the cables [m], in the order of the trajectory
    entries  entries of config.yaml of the rigid bodies, by name
    step_s   time step of the run [s], 0 if unknown
    """

    name: str
    obstacles: list
    grips: list
    radii: list = field(default_factory=list)
    entries: dict = field(default_factory=dict)
    directory: Path = Path()
    step_s: float = 0.0


def _motion_of(kind, name, entry, trajectory, path):
    """Recorded motion of an object. If an older trajectory does not record it, the object stays at the start of its path."""
    index = trajectory.find_pose(kind, name)
    if index is not None:
        return recorded(trajectory, index)
    start = (entry.get("path") or [{}])[0]
    if len(entry.get("path") or []) > 1 or entry.get("track"):
        warn(f"{path}: {name} moves, but the trajectory of an older nodia does not record its pose: it is drawn at its start")
    return standing(
        start.get("position_m") or entry.get("position_m") or [0, 0, 0],
        start.get("orientation_wxyz") or entry.get("orientation_wxyz") or [1, 0, 0, 0],
    )


def _length(entry, key):
    return float(sizes(entry[key], (), key))


# Functions that build the triangle mesh of a shape from its YAML entry, by name of the shape. A half-space has no mesh.
_SHAPES = {
    "half_space": lambda entry: None,
    "box": lambda entry: trimesh.creation.box(sizes(entry["size_m"], (3,), "size_m")),
    "sphere": lambda entry: trimesh.creation.icosphere(subdivisions=4, radius=_length(entry, "radius_m")),
    "cylinder": lambda entry: trimesh.creation.cylinder(
        _length(entry, "radius_m"), _length(entry, "length_m"), sections=96
    ),
    "capsule": lambda entry: trimesh.creation.capsule(
        _length(entry, "length_m"), _length(entry, "radius_m"), count=[48, 48]
    ),
    "torus": lambda entry: trimesh.creation.torus(
        _length(entry, "radius_m"), _length(entry, "tube_radius_m"), major_sections=96
    ),
}


def _mesh_of(entry, directory):
    make = _SHAPES.get(entry["shape"])
    return make(entry) if make else read_mesh(directory / entry["file"], entry.get("up_axis", "as_written"))


def load_scene(directory, trajectory, env=0):
    """Reads the obstacles and grips of a run. A directory without config.yaml has none.

    Each recorded environment of a batch has its own configuration file, beside its trajectory.
    """
    path = Path(directory) / f"config_env{env:04}.yaml"
    if not path.exists():
        path = Path(directory) / "config.yaml"
    if not path.exists():
        return SceneAround(Path(directory).resolve().name, [], [])
    if not path.is_file():
        raise InputError(f"{path}: is not a regular file")
    with reading(path, "not a scenario of nodia"):
        text = path.read_text(encoding="utf-8")
    return scene_of(text, path, trajectory)


def scene_of(text, path, trajectory):
    """Reads the obstacles and grips from the text of a configuration.

    The loader returns every scalar as a string, because PyYAML follows YAML 1.1: there, 1e-3 is not a number, and the
    name `on` is a boolean.

    @param path  path of the configuration, for messages; relative file names start from its folder
    """
    with reading(path, "not a scenario of nodia"):
        document = yaml.load(text, Loader=yaml.BaseLoader)
        require_version(path, int(document.get("format_version", 1)), 1)
        obstacles = []
        for name, entry in (document.get("obstacles") or {}).items():
            try:
                mesh = _mesh_of(entry, path.parent)
                motion = _motion_of("obstacle", name, entry, trajectory, path)
                obstacles.append(Obstacle(name, mesh, motion))
            except OSError as error:
                warn(f"{path}: obstacles.{name} is not drawn ({error})")
        grips = []
        for name, entry in (document.get("attachments") or {}).items():
            if entry.get("robot"):
                continue
            release = entry.get("release_time_s")
            motion = _motion_of("attachment", name, entry, trajectory, path)
            grips.append(Grip(name, motion, np.inf if release is None else float(release)))
        cables = (document.get("cables") or {}).values()
        return SceneAround(
            one_line(document.get("name", path.parent.resolve().name), longest=100),
            obstacles,
            grips,
            [_length({"radius_m": 2e-3} | cable, "radius_m") for cable in cables],
            document.get("rigid_bodies") or {},
            path.parent,
            float(numbers((document.get("time") or {}).get("step_s", 0), (), "time.step_s")),
        )


def solids_of(trajectory, scene):
    """The shapes of rigid bodies and robot links on their recorded poses.

    A mesh that cannot be read is skipped with a warning.
    """
    solids = []
    for index in trajectory.body_poses:
        frame = trajectory.frames[index]
        with reading(scene.directory, f"the shapes of {frame['name']} are damaged"):
            for shape in frame["shapes"]:
                solid = _solid_of(trajectory, index, shape, scene)
                if solid is not None:
                    solids.append(solid)
    return solids


def _solid_of(trajectory, index, shape, scene):
    """One shape of a recorded pose. None, with a warning, if its mesh cannot be read."""
    name = trajectory.frames[index]["name"]
    position = numbers(shape["position_m"], (3,), "position_m")
    motion = recorded(trajectory, index, position, rotations(shape["orientation_wxyz"], (4,), "orientation_wxyz"))
    if shape["shape"] == "mesh" and "file" not in shape:
        shape = shape | {"file": scene.entries.get(name, {}).get("file", "")}
    try:
        mesh = _mesh_of(shape, scene.directory)
    except (OSError, ValueError) as error:
        warn(f"{name} is not drawn ({error})")
        return None
    if "scale" in shape:
        mesh.apply_scale(numbers(shape["scale"], (3,), "scale"))
    return Solid(name, mesh, motion)


def tube(points, radius, n_side=12):
    """Mesh of a tube with flat ends around a polyline.

    @param points  points of the polyline [n, 3] [m], n >= 1
    @param radius  [m]
    @return vertices [n n_side + 2, 3], and faces [n_face, 3], which depend only on n and n_side
    """
    points = np.asarray(points, float)
    n = len(points)
    along = np.gradient(points, axis=0) if n > 1 else np.array([[0.0, 0.0, 1.0]])
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
    across = np.zeros_like(along)
    start = np.eye(3)[np.argmin(np.abs(along[0]))]
    for k in range(n):  # transports the cross direction along the polyline, so that the tube is not twisted
        start = start - (start @ along[k]) * along[k]
        start = start / max(np.linalg.norm(start), 1e-300)
        across[k] = start
    angle = 2 * np.pi * np.arange(n_side) / n_side
    ring = (
        np.cos(angle)[None, :, None] * across[:, None, :]
        + np.sin(angle)[None, :, None] * np.cross(along, across)[:, None, :]
    )
    vertices = (points[:, None, :] + radius * ring).reshape(-1, 3)
    side = np.arange(n_side)
    other = (side + 1) % n_side
    faces = []
    for k in range(n - 1):
        a, b = k * n_side, (k + 1) * n_side
        faces += [np.c_[a + side, a + other, b + other], np.c_[a + side, b + other, b + side]]
    rear, front, last = n * n_side, n * n_side + 1, (n - 1) * n_side
    faces += [np.c_[other, side, np.full(n_side, rear)]]
    faces += [np.c_[last + side, last + other, np.full(n_side, front)]]
    return np.vstack([vertices, points[:1], points[-1:]]), np.vstack(faces)


def held_nodes(trajectory, grip, tolerance=0.01):
    """Indices of the nodes that are attached to a grip.

    A trajectory has no node sets, so the nodes are identified by their motion: until the release, they stay at their place in
    the grip's frame within `tolerance` times the diagonal of the bodies. At most 25 frames are compared.
    """
    start = trajectory.soft_points(0)
    if not grip.path.moves or len(start) == 0:
        return np.array([], int)
    local = grip.path.to_local(start, trajectory.times[0])
    bound = tolerance * np.linalg.norm(np.ptp(start, axis=0))
    held = np.ones(len(start), bool)
    for frame in np.unique(np.linspace(0, len(trajectory) - 1, 25).astype(int)):
        if trajectory.times[frame] >= grip.release_time_s:
            break
        ideal = grip.path.to_world(local, trajectory.times[frame])
        held &= np.linalg.norm(trajectory.soft_points(frame) - ideal, axis=1) < bound
    return np.flatnonzero(held) if not held.all() else np.array([], int)


def grip_bar(trajectory, grip):
    """A box around the nodes that are attached to a grip. None if there are none.

    @return vertices [8, 3] in the grip's frame, faces [12, 3]
    """
    start = trajectory.soft_points(0)
    held = held_nodes(trajectory, grip)
    if len(held) == 0:
        return None
    local = grip.path.to_local(start[held], trajectory.times[0])
    border = 0.01 * np.linalg.norm(np.ptp(start, axis=0))
    low, high = local.min(axis=0) - border, local.max(axis=0) + border
    box = trimesh.creation.box(high - low)
    return np.asarray(box.vertices) + (low + high) / 2, np.asarray(box.faces)
