"""Reads the trajectory of a run from its VTKHDF files."""

import functools
import re
from pathlib import Path

import numpy as np

from nodia_tools.command_line import InputError, warn
from nodia_tools.polylines import polylines
from nodia_tools.pose_list import PoseList
from nodia_tools.rotation import slerp
from nodia_tools.vtkhdf_file import VtkhdfFile


class Trajectory(PoseList):
    """Frames of one environment, in the order of time.

    times    [n_frame] [s]
    points   [n_point, 3] [m]: the nodes of the soft bodies, then the links of the cables
    cells    [n_tet, 4] point indices of the tetrahedra
    lines    [n_line, 2] point indices of the cable links
    fields   by their names in the file; cell fields have one row per tetrahedron
    frames   one dictionary per pose that describes its object; `body_poses` are the indices of the poses of bodies
    bodies   one dictionary per body index (body_i, body_j) of the contacts
    """

    def __init__(self, files):
        self._files = [file for file in files if len(file.times)]
        if not self._files:
            raise InputError(f"{files[0].path}: holds no frame")
        self._frames = [(file, step) for file in self._files for step in range(len(file.times))]
        self.times = np.concatenate([file.times for file in self._files])
        if not np.all(np.diff(self.times) > 0) or len({(file.n_point, len(file.frames)) for file in self._files}) > 1:
            raise InputError(f"{files[0].path}: the other parts of the trajectory do not belong to it")
        self.frames, self.bodies = self._files[0].frames, self._files[0].bodies
        if self._files[0].n_point == 0 and not self.body_poses:
            raise InputError(f"{files[0].path}: holds no bodies")

    def __len__(self):
        return len(self._frames)

    def points(self, frame):
        file, step = self._frames[frame]
        return file.points(step)

    def soft_points(self, frame):
        """Positions of the nodes of the soft bodies [n_node, 3] [m]."""
        cells = self.cells()
        return self.points(frame)[: cells.max() + 1 if len(cells) else 0]

    def cells(self, frame=0):
        file, step = self._frames[frame]
        return file.cells(step)[0]

    def lines(self, frame=0):
        file, step = self._frames[frame]
        return file.cells(step)[1]

    def cables(self):
        """Point indices of each cable, from rear to front."""
        return polylines(self.lines())

    def poses(self, frame):
        file, step = self._frames[frame]
        return file.poses(step)

    @functools.cached_property
    def pose_moves(self):
        """Whether each recorded pose changes during the run [n_pose]."""
        position, wxyz = self.poses(0)
        files = (file.poses(slice(None)) for file in self._files)
        return np.any(
            [(p != position).any(axis=(0, 2)) | (q != wxyz).any(axis=(0, 2)) for p, q in files],
            axis=0,
        )

    def contacts(self, frame):
        file, step = self._frames[frame]
        return file.contacts(step)

    def pose_at(self, index, time_s):
        """Position [m] and unit quaternion wxyz of a pose, interpolated between frames."""
        left, right, share = self._neighbours(time_s)
        (p0, q0), (p1, q1) = self.poses(left), self.poses(right)
        q = slerp(q0[index], q1[index], share)
        return (1 - share) * p0[index] + share * p1[index], q / np.linalg.norm(q)

    def point_names(self):
        return self._files[0].names("PointData")

    def cell_names(self):
        return self._files[0].names("CellData")

    def point_field(self, name, frame):
        file, step = self._frames[frame]
        return file.point_field(name, step)

    def cell_field(self, name, frame):
        file, step = self._frames[frame]
        return file.cell_field(name, step)

    def nearest(self, time_s):
        """Index of the frame nearest to a time."""
        return int(np.argmin(np.abs(self.times - time_s)))

    def points_at(self, time_s):
        """Positions at any time [n_point, 3] [m], interpolated linearly between frames."""
        left, right, share = self._neighbours(time_s)
        return (1 - share) * self.points(left) + share * self.points(right)

    def _neighbours(self, time_s):
        """The frames before and after a time, and the weight of the later frame, 0 to 1."""
        if len(self) == 1:
            return 0, 0, 0.0
        right = int(np.clip(np.searchsorted(self.times, time_s), 1, len(self) - 1))
        left = right - 1
        share = np.clip((time_s - self.times[left]) / (self.times[right] - self.times[left]), 0, 1)
        return left, right, float(share)


def _open(path):
    if not path.is_file():
        raise InputError(f"{path}: is not a regular file")
    return VtkhdfFile(path)


def _open_parts(paths):
    """Opens the trajectory parts of a killed run. Parts that cannot be opened are skipped with a warning."""
    files = []
    for path in paths:
        try:
            files.append(_open(path))
        except InputError as error:
            warn(f"{error}; skipped")
    return files


def _recorded_environments(directory):
    """Numbers of the environments that have a trajectory, ascending. A run without a batch has environment 0."""
    pattern = re.compile(r"trajectory(?:_env(\d+))?(?:\.part\d+)?\.vtkhdf")
    found = (pattern.fullmatch(path.name) for path in directory.iterdir())
    return sorted({int(name[1] or 0) for name in found if name})


def open_trajectory(directory, env=0):
    """Opens the trajectory in a run directory: the complete file or, after a killed run, its complete parts.

    @param env  environment of a batch; 0 for a run without a batch
    """
    directory = Path(directory)
    if not directory.is_dir():
        what = "a file" if directory.exists() else "missing"
        raise InputError(f"{directory}: {what} (must be the directory of a run)")
    stems = [f"trajectory_env{env:04}"] + (["trajectory"] if env == 0 else [])
    for stem in stems:
        whole = directory / f"{stem}.vtkhdf"
        if whole.exists():
            return Trajectory([_open(whole)])
        pattern = re.compile(re.escape(stem) + r"\.part\d+\.vtkhdf")
        parts = sorted(path for path in directory.iterdir() if pattern.fullmatch(path.name))
        if parts:
            files = _open_parts(parts)
            if not files:
                raise InputError(f"{directory}: no part of the trajectory opens")
            return Trajectory(files)
    recorded = _recorded_environments(directory)
    if env != 0 or recorded:
        known = ", ".join(map(str, recorded)) or "none"
        raise InputError(
            f"--env = {env} (must be one that {directory} has a trajectory of: {known}; "
            "nodia run --record-envs chooses)"
        )
    raise InputError(
        f"{directory}: holds no trajectory.vtkhdf (nodia run SCENARIO --out {directory})"
    )
