"""Reads the trajectory of a run: temporal VTKHDF files of tetrahedra, format version 2."""

import re
import sys
from pathlib import Path

import h5py
import numpy as np

from nodia_tools.command_line import InputError

VTK_TETRA = 10


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
        if not np.all(self._root["Types"][()] == VTK_TETRA):
            raise ValueError("holds other cells than tetrahedra")
        self._cells = {}

    def _parts(self, step):
        return slice(self._first_part[step], self._first_part[step] + self._n_part[step])

    def _rows(self, dataset, first, count):
        if first < 0 or first + count > len(dataset):
            raise InputError(f"{self.path}: {dataset.name} is too short (the file is damaged)")
        return dataset[first : first + count]

    def points(self, step):
        count = self._n_point[self._parts(step)].sum()
        return np.asarray(self._rows(self._root["Points"], self._first_point[step], count), float)

    def cells(self, step):
        parts = self._parts(step)
        key = (parts.start, parts.stop, self._first_connectivity[step])
        if key not in self._cells:
            n_cell, n_point = self._n_cell[parts], self._n_point[parts]
            ids = self._rows(
                self._root["Connectivity"], self._first_connectivity[step], 4 * n_cell.sum()
            )
            first_point = np.repeat(np.cumsum(n_point) - n_point, n_cell)
            cells = np.asarray(ids, np.int64).reshape(-1, 4) + first_point[:, None]
            if cells.size and not 0 <= cells.min() <= cells.max() < n_point.sum():
                raise InputError(
                    f"{self.path}: Connectivity has unknown points (the file is damaged)"
                )
            self._cells[key] = cells
        return self._cells[key]

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
        return self._field("CellData", name, step, self._first_cell[step], count)


class Trajectory:
    """Frames of one environment, in the order of time.

    `times` [n_frame] in s; points [n_node, 3] in m; cells [n_tet, 4] node indices; fields by the
    name they have in the file.
    """

    def __init__(self, files):
        self._files = files
        self._frames = [(file, step) for file in files for step in range(len(file.times))]
        if not self._frames:
            raise InputError(f"{files[0].path}: holds no frame")
        self.times = np.concatenate([file.times for file in files])

    def __len__(self):
        return len(self._frames)

    def points(self, frame):
        file, step = self._frames[frame]
        return file.points(step)

    def cells(self, frame=0):
        file, step = self._frames[frame]
        return file.cells(step)

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
        right = int(np.clip(np.searchsorted(self.times, time_s), 1, max(1, len(self) - 1)))
        left = right - 1
        if len(self) == 1:
            return self.points(0)
        share = np.clip((time_s - self.times[left]) / (self.times[right] - self.times[left]), 0, 1)
        return (1 - share) * self.points(left) + share * self.points(right)


def _open(path):
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
            print(f"{error}; left out", file=sys.stderr)
    return files


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
    if env != 0:
        raise InputError(f"--env = {env} (must be an environment of {directory})")
    raise InputError(
        f"{directory}: holds no trajectory.vtkhdf (nodia run SCENARIO --out {directory})"
    )
