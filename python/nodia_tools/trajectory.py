"""Reads the trajectory of a run: temporal VTKHDF files of tetrahedra and lines, format version 2."""

import contextlib
import functools
import json
import re
from pathlib import Path

import h5py
import numpy as np

from nodia_tools.command_line import InputError, warn
from nodia_tools.formats import require_version
from nodia_tools.polylines import polylines
from nodia_tools.pose_list import PoseList
from nodia_tools.rotation import slerp

VTK_LINE, VTK_TETRA = 3, 10
NODIA_VERSION = 1  # of the group /nodia


class _File:
    """One VTKHDF file; rows as in the VTKHDF specification, any number of parts a step."""

    def __init__(self, path):
        self.path = path
        self._file = h5py.File(path, "r")
        self._root = self._file["VTKHDF"]
        steps = self._root["Steps"]
        self.times = np.asarray(steps["Values"][()], float)
        n = len(self.times)

        def per_step(name):
            return np.asarray(steps[name][()], np.int64).reshape(n, -1)[:, 0]

        self._first_part = per_step("PartOffsets")
        self._n_part = per_step("NumberOfParts")
        self._first_point = per_step("PointOffsets")
        self._first_cell = per_step("CellOffsets")
        self._first_connectivity = per_step("ConnectivityIdOffsets")
        self._n_point = self._root["NumberOfPoints"][()]
        self._n_cell = self._root["NumberOfCells"][()]
        types = self._root["Types"][()]
        if not np.all((types == VTK_TETRA) | (types == VTK_LINE)):
            raise ValueError("holds other cells than tetrahedra and lines")
        self._is_tet = types == VTK_TETRA
        self._n_id = self._root["NumberOfConnectivityIds"][()]
        self._cells = {}
        self._nodia = self._file.get("nodia")
        if self._nodia is not None:
            require_version(path, int(self._nodia.attrs.get("version", 1)), NODIA_VERSION)
        self.frames = self._json("frames/description")
        self.bodies = self._json("contacts/bodies")

    def _parts(self, step):
        return slice(self._first_part[step], self._first_part[step] + self._n_part[step])

    def _rows(self, dataset, first, count):
        if first < 0 or first + count > len(dataset):
            name = getattr(dataset, "name", "Types")
            raise InputError(f"{self.path}: {name} is too short (the file is damaged)")
        with self._told(getattr(dataset, "name", "Types")):
            return dataset[first : first + count]

    @contextlib.contextmanager
    def _told(self, name):
        """What HDF5 cannot read is a damaged file: its checksums do not match."""
        try:
            yield
        except OSError:
            raise InputError(
                f"{self.path}: {name} cannot be read (the file is damaged; nodia verify says what is whole)"
            ) from None

    def points(self, step):
        count = self._n_point[self._parts(step)].sum()
        return np.asarray(self._rows(self._root["Points"], self._first_point[step], count), float)

    def _json(self, name):
        return [] if self._nodia is None else json.loads(bytes(self._nodia[name][()]).decode())

    def cells(self, step):
        """Tetrahedra [n_tet, 4] and lines [n_line, 2] of a step."""
        parts = self._parts(step)
        key = (parts.start, parts.stop, self._first_connectivity[step])
        if key not in self._cells:
            n_cell, n_point = self._n_cell[parts], self._n_point[parts]
            is_tet = self._rows(self._is_tet, self._first_cell[step], n_cell.sum())
            size = np.where(is_tet, 4, 2)
            ids = np.asarray(
                self._rows(
                    self._root["Connectivity"],
                    self._first_connectivity[step],
                    self._n_id[parts].sum(),
                ),
                np.int64,
            )
            if len(ids) != size.sum():
                raise InputError(f"{self.path}: Connectivity does not fit the cells (damaged)")
            first_point = np.repeat(np.cumsum(n_point) - n_point, n_cell)
            ids = ids + np.repeat(first_point, size)
            if ids.size and not 0 <= ids.min() <= ids.max() < n_point.sum():
                raise InputError(
                    f"{self.path}: Connectivity has unknown points (the file is damaged)"
                )
            of_tet = np.repeat(is_tet, size)
            self._cells[key] = (
                ids[of_tet].reshape(-1, 4),
                ids[~of_tet].reshape(-1, 2),
                np.flatnonzero(is_tet),
            )
        return self._cells[key]

    def poses(self, step):
        """Positions [n_pose, 3] and quaternions wxyz [n_pose, 4]."""
        if self._nodia is None:
            return np.zeros((0, 3)), np.zeros((0, 4))
        frames = self._nodia["frames"]
        with self._told("nodia/frames"):
            return frames["position"][step], frames["orientation_wxyz"][step]

    def contacts(self, step):
        """Columns of a step's contacts by name."""
        if self._nodia is None:
            return {}
        group = self._nodia["contacts"]
        with self._told("nodia/contacts"):
            first, last = group["offsets"][step : step + 2]
            return {
                name: group[name][first:last]
                for name in group
                if name not in ("offsets", "bodies")
            }

    def names(self, group):
        return sorted(self._root[group]) if group in self._root else []

    def _field(self, group, name, step, default_first, count):
        offsets = self._root.get(f"Steps/{group}Offsets/{name}")
        first = default_first if offsets is None else int(offsets[step])
        return self._rows(self._root[group][name], first, count)

    def point_field(self, name, step):
        count = self._n_point[self._parts(step)].sum()
        return self._field("PointData", name, step, self._first_point[step], count)

    def cell_field(self, name, step):
        count = self._n_cell[self._parts(step)].sum()
        values = self._field("CellData", name, step, self._first_cell[step], count)
        return values[self.cells(step)[2]]


class Trajectory(PoseList):
    """Frames of one environment, in the order of time.

    `times` [n_frame] in s; points [n_point, 3] in m, soft nodes and behind them links of cables;
    cells [n_tet, 4] and lines [n_line, 2] point indices; fields by the name they have in the file,
    cell fields of the tetrahedra. `frames`: what the poses are of, a dictionary each, `body_poses`
    those of bodies, by index; `bodies`: what the contacts' body_i and body_j mean.
    """

    def __init__(self, files):
        self._files = files
        self._frames = [(file, step) for file in files for step in range(len(file.times))]
        if not self._frames:
            raise InputError(f"{files[0].path}: holds no frame")
        self.times = np.concatenate([file.times for file in files])
        self.frames, self.bodies = files[0].frames, files[0].bodies

    def __len__(self):
        return len(self._frames)

    def points(self, frame):
        file, step = self._frames[frame]
        return file.points(step)

    def soft_points(self, frame):
        """The nodes of the soft bodies."""
        cells = self.cells()
        return self.points(frame)[: cells.max() + 1 if len(cells) else 0]

    def cells(self, frame=0):
        file, step = self._frames[frame]
        return file.cells(step)[0]

    def lines(self, frame=0):
        file, step = self._frames[frame]
        return file.cells(step)[1]

    def cables(self):
        """Point indices of every cable, from rear to front."""
        return polylines(self.lines())

    def poses(self, frame):
        file, step = self._frames[frame]
        return file.poses(step)

    @functools.cached_property
    def pose_moves(self):
        """Whether it changes, of every recorded pose."""
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
        """Positions at any time, linear between the neighbouring frames."""
        left, right, share = self._neighbours(time_s)
        return (1 - share) * self.points(left) + share * self.points(right)

    def _neighbours(self, time_s):
        """The frames before and behind a time, and the share of the way between them."""
        if len(self) == 1:
            return 0, 0, 0.0
        right = int(np.clip(np.searchsorted(self.times, time_s), 1, len(self) - 1))
        left = right - 1
        share = np.clip((time_s - self.times[left]) / (self.times[right] - self.times[left]), 0, 1)
        return left, right, float(share)


def _open(path):
    if not path.is_file():
        raise InputError(f"{path}: is not a regular file")
    try:
        return _File(path)
    except (OSError, KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a trajectory of nodia ({reason})") from None


def _open_parts(paths):
    """The parts that a killed run left behind; one that does not open is said and left out."""
    files = []
    for path in paths:
        try:
            files.append(_open(path))
        except InputError as error:
            warn(f"{error}; left out")
    return files


def _recorded_environments(directory):
    """Numbers of the environments that have a trajectory, ascending; 0 of a run without a batch."""
    pattern = re.compile(r"trajectory(?:_env(\d+))?(?:\.part\d+)?\.vtkhdf")
    found = (pattern.fullmatch(path.name) for path in directory.iterdir())
    return sorted({int(name[1] or 0) for name in found if name})


def open_trajectory(directory, env=0):
    """The trajectory in a run directory: the whole file, or after a kill its closed parts.

    @param env  environment of a batch; 0 is also the only one of a run without a batch
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
