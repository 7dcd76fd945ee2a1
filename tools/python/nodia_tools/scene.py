"""What stands around the bodies: obstacles and grips, from the config.yaml of a run."""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import trimesh
import yaml

from nodia_tools.command_line import InputError


def rotation_matrix(wxyz):
    w, x, y, z = np.asarray(wxyz, float) / np.linalg.norm(wxyz)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def slerp(a, b, share):
    """Along the shortest great arc from unit quaternion a to b."""
    cosine = float(np.dot(a, b))
    if cosine < 0:
        b, cosine = -b, -cosine
    if cosine > 1 - 1e-12:
        return a
    angle = np.arccos(cosine)
    return (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle)


class Motion:
    """Pose over time: minimum jerk between keyframes, at rest before and behind them."""

    def __init__(self, position, wxyz, keys):
        """@param keys  (time [s], position [m], quaternion); None: as in the key before"""
        position, wxyz = np.asarray(position, float), np.asarray(wxyz, float)
        self._keys = []
        for time_s, key_position, key_wxyz in keys or [(0.0, None, None)]:
            position = position if key_position is None else np.asarray(key_position, float)
            wxyz = wxyz if key_wxyz is None else np.asarray(key_wxyz, float)
            self._keys.append((float(time_s), position, wxyz / np.linalg.norm(wxyz)))

    @property
    def moves(self):
        return len(self._keys) > 1

    def at(self, time_s):
        """Position [m] and unit quaternion wxyz."""
        before = [key for key in self._keys if key[0] <= time_s]
        after = [key for key in self._keys if key[0] > time_s]
        if not before or not after:
            return (before[-1] if before else after[0])[1:]
        (start, p0, q0), (end, p1, q1) = before[-1], after[0]
        s = (time_s - start) / (end - start)
        share = s**3 * (10 - 15 * s + 6 * s * s)
        return p0 + share * (p1 - p0), slerp(q0, q1, share)

    def to_world(self, points, time_s):
        position, wxyz = self.at(time_s)
        return points @ rotation_matrix(wxyz).T + position

    def to_local(self, points, time_s):
        position, wxyz = self.at(time_s)
        return (points - position) @ rotation_matrix(wxyz)


@dataclass
class Obstacle:
    """mesh is None for a half-space (z <= 0 of its frame is solid)."""

    name: str
    mesh: trimesh.Trimesh | None
    path: Motion


@dataclass
class Grip:
    """A frame that holds nodes of a body."""

    name: str
    path: Motion
    release_time_s: float


@dataclass
class SceneAround:
    name: str
    obstacles: list
    grips: list


def _path_of(entry):
    keys = [
        (
            float(key["time_s"]),
            _numbers(key.get("position_m")),
            _numbers(key.get("orientation_wxyz")),
        )
        for key in entry.get("path") or []
    ]
    position = _numbers(entry.get("position_m")) or [0, 0, 0]
    return Motion(position, _numbers(entry.get("orientation_wxyz")) or [1, 0, 0, 0], keys)


def _numbers(values):
    return None if values is None else [float(value) for value in values]


def _mesh_of(entry, directory):
    shape = entry["shape"]
    if shape == "half_space":
        return None
    if shape == "box":
        return trimesh.creation.box(_numbers(entry["size_m"]))
    if shape == "sphere":
        return trimesh.creation.icosphere(subdivisions=4, radius=float(entry["radius_m"]))
    if shape == "cylinder":
        return trimesh.creation.cylinder(
            float(entry["radius_m"]), float(entry["length_m"]), sections=96
        )
    if shape == "capsule":
        return trimesh.creation.capsule(
            float(entry["length_m"]), float(entry["radius_m"]), count=[48, 48]
        )
    return trimesh.load_mesh(directory / entry["file"])


def load_scene(directory, env=0):
    """The obstacles and grips of a run; a directory without config.yaml has none.

    An environment of a batch has a configuration of its own, beside its trajectory.

    The loader leaves every scalar a word: by YAML 1.1, PyYAML's rule, 1e-3 is no number but the
    name `on` is a truth value.
    """
    path = Path(directory) / f"config_env{env:04}.yaml"
    if not path.exists():
        path = Path(directory) / "config.yaml"
    if not path.exists():
        return SceneAround(Path(directory).resolve().name, [], [])
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        obstacles = []
        for name, entry in (document.get("obstacles") or {}).items():
            try:
                obstacles.append(Obstacle(name, _mesh_of(entry, path.parent), _path_of(entry)))
            except OSError as error:
                print(f"{path}: obstacles.{name} is not drawn ({error})", file=sys.stderr)
        grips = []
        for name, entry in (document.get("attachments") or {}).items():
            release = entry.get("release_time_s")
            grips.append(Grip(name, _path_of(entry), np.inf if release is None else float(release)))
        return SceneAround(str(document.get("name", path.parent.resolve().name)), obstacles, grips)
    except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: not a scenario of nodia ({type(error).__name__}: {reason})"
        ) from None


def held_nodes(trajectory, grip, tolerance=0.01):
    """Nodes that keep their place in the grip's frame while it holds.

    A trajectory knows no node sets, so they are found by their motion: within `tolerance` of the
    body's diagonal in at most 25 frames.
    """
    if not grip.path.moves:
        return np.array([], int)
    start = trajectory.points(0)
    local = grip.path.to_local(start, trajectory.times[0])
    bound = tolerance * np.linalg.norm(np.ptp(start, axis=0))
    held = np.ones(len(start), bool)
    for frame in np.unique(np.linspace(0, len(trajectory) - 1, 25).astype(int)):
        if trajectory.times[frame] >= grip.release_time_s:
            break
        ideal = grip.path.to_world(local, trajectory.times[frame])
        held &= np.linalg.norm(trajectory.points(frame) - ideal, axis=1) < bound
    return np.flatnonzero(held) if not held.all() else np.array([], int)


def grip_bar(trajectory, grip):
    """A box around the nodes that a grip holds; None where it holds none.

    @return vertices [8, 3] in the grip's frame, faces [12, 3]
    """
    start = trajectory.points(0)
    held = held_nodes(trajectory, grip)
    if len(held) == 0:
        return None
    local = grip.path.to_local(start[held], trajectory.times[0])
    border = 0.01 * np.linalg.norm(np.ptp(start, axis=0))
    low, high = local.min(axis=0) - border, local.max(axis=0) + border
    box = trimesh.creation.box(high - low)
    return np.asarray(box.vertices) + (low + high) / 2, np.asarray(box.faces)
