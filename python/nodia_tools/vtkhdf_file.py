"""Reads a temporal VTKHDF file of tetrahedra and lines, format version 2, and nodia's own group in it."""

import json

import h5py
import numpy as np

from nodia_tools.command_line import InputError
from nodia_tools.formats import require_version
from nodia_tools.reading import LARGEST, LARGEST_FORCE, numbers, reading, rotations

VTK_LINE, VTK_TETRA = 3, 10
NODIA_VERSION = 1  # newest known version of the group /nodia
VECTORS = ("velocity", "contact_force")  # fields with three columns; all others have one
# HDF5 compresses a chunk of zeros to about a thousandth of its size. A data set that claims a higher ratio is damaged.
MOST_COMPRESSED, SMALL = 2000, 1 << 20


class VtkhdfFile:
    """A VTKHDF file with any number of parts per step. The rows follow the VTKHDF specification. All steps have the same number of points.

    The constructor checks that the file has as many rows as its tables state. All methods raise InputError for data that they
    cannot read.
    """

    def __init__(self, path):
        self.path = path
        with reading(path, "not a trajectory of nodia"):
            self._open()

    def _open(self):
        self._file = h5py.File(self.path, "r")
        self._root = self._file["VTKHDF"]
        steps = self._root["Steps"]
        self.times = numbers(self._all(steps, "Values", (), "fiu"), (len(steps["Values"]),), "Steps/Values")
        if not np.all(np.diff(self.times) > 0):
            raise ValueError("Steps/Values do not increase")
        n = len(self.times)

        def per_step(name):
            row = steps[name].shape[1:]
            return self._all(steps, name, row, "iu").astype(np.int64).reshape(n, -1)[:, 0]

        def per_part(name):
            return self._all(self._root, name, (), "iu").astype(np.int64)

        first_part, n_part = per_step("PartOffsets"), per_step("NumberOfParts")
        self._first_point, self._first_cell = per_step("PointOffsets"), per_step("CellOffsets")
        self._first_connectivity = per_step("ConnectivityIdOffsets")
        self._n_point, self._n_cell = per_part("NumberOfPoints"), per_part("NumberOfCells")
        self._n_id = per_part("NumberOfConnectivityIds")
        for counts in (first_part, n_part, self._n_point, self._n_cell, self._n_id):
            if np.any(counts < 0):
                raise ValueError("has negative numbers of rows")
        ends = first_part + n_part
        if not np.all(ends <= min(map(len, (self._n_point, self._n_cell, self._n_id)))):
            raise ValueError("has fewer parts than its steps name")
        self._parts = [slice(*pair) for pair in zip(first_part, ends)]
        types = self._all(self._root, "Types", (), "iu")
        if not np.all((types == VTK_TETRA) | (types == VTK_LINE)):
            raise ValueError("holds other cells than tetrahedra and lines")
        self._is_tet = types == VTK_TETRA
        self._cells = {}
        self.n_point = self._n_point[self._parts[0]].sum() if n else 0
        if any(self._n_point[parts].sum() != self.n_point for parts in self._parts):
            raise ValueError("has another number of points in each step")
        self._nodia = self._file.get("nodia")
        if self._nodia is not None:
            require_version(self.path, int(self._nodia.attrs.get("version", 1)), NODIA_VERSION)
        self.frames = self._json("frames/description")
        self.bodies = self._json("contacts/bodies")
        for entry in [*self.frames, *self.bodies]:
            if not all(isinstance(entry[key], str) for key in ("kind", "name")):
                raise ValueError("has poses or bodies without a name")

    def _dataset(self, group, name, row, kinds):
        """Checks a data set and returns it.

        @param row    expected shape of a row
        @param kinds  allowed kinds of its type, as letters of NumPy
        """
        dataset = group[name]
        if not isinstance(dataset, h5py.Dataset) or dataset.shape[1:] != row or dataset.dtype.kind not in kinds:
            raise ValueError(f"{name} has another shape or type than a trajectory")
        if dataset.nbytes > MOST_COMPRESSED * dataset.id.get_storage_size() + SMALL:
            raise ValueError(f"{name} is too short")
        return dataset

    def _all(self, group, name, row, kinds):
        return self._dataset(group, name, row, kinds)[()]

    def _rows(self, group, name, row, kinds, first, count):
        with reading(self.path, f"{name} cannot be read, the file is damaged; nodia verify checks all files"):
            dataset = self._dataset(group, name, row, kinds)
            if first < 0 or first + count > len(dataset):
                raise InputError(f"{self.path}: {name} is too short (the file is damaged)")
            return dataset[first : first + count]

    def _json(self, name):
        return [] if self._nodia is None else json.loads(bytes(self._nodia[name][()]).decode())

    def points(self, step):
        rows = self._rows(self._root, "Points", (3,), "f", self._first_point[step], self.n_point)
        with reading(self.path, f"step {step} is damaged"):
            return numbers(rows, rows.shape, "Points")

    def cells(self, step):
        """Tetrahedra [n_tet, 4] and lines [n_line, 2] of a step as point indices, and the cell indices of the tetrahedra [n_tet]."""
        parts = self._parts[step]
        key = (parts.start, parts.stop, self._first_cell[step], self._first_connectivity[step])
        if key not in self._cells:
            n_cell, n_point = self._n_cell[parts], self._n_point[parts]
            first = self._first_cell[step]
            is_tet = self._is_tet[max(first, 0) : first + n_cell.sum()]
            if len(is_tet) != n_cell.sum():
                raise InputError(f"{self.path}: Types is too short (the file is damaged)")
            size = np.where(is_tet, 4, 2)
            ids = self._rows(self._root, "Connectivity", (), "iu", self._first_connectivity[step], self._n_id[parts].sum())
            ids = ids.astype(np.int64)
            if len(ids) != size.sum():
                raise InputError(f"{self.path}: Connectivity does not fit the cells (damaged)")
            ids = ids + np.repeat(np.repeat(np.cumsum(n_point) - n_point, n_cell), size)
            if ids.size and not 0 <= ids.min() <= ids.max() < n_point.sum():
                raise InputError(f"{self.path}: Connectivity has unknown points (the file is damaged)")
            of_tet = np.repeat(is_tet, size)
            self._cells[key] = ids[of_tet].reshape(-1, 4), ids[~of_tet].reshape(-1, 2), np.flatnonzero(is_tet)
        return self._cells[key]

    def poses(self, step):
        """Positions [n_pose, 3] [m] and quaternions wxyz [n_pose, 4] of a step. A slice of steps adds a leading axis."""
        n = len(self.frames)
        if self._nodia is None or n == 0:
            steps = np.zeros(len(self.times))[step].shape
            return np.zeros((*steps, n, 3)), np.zeros((*steps, n, 4))
        with reading(self.path, "poses cannot be read, the file is damaged; nodia verify checks all files"):
            frames = self._nodia["frames"]
            position = self._dataset(frames, "position", (n, 3), "f")[step]
            wxyz = self._dataset(frames, "orientation_wxyz", (n, 4), "f")[step]
            return (
                numbers(position, position.shape, "frames/position"),
                rotations(wxyz, (*position.shape[:-1], 4), "frames/orientation_wxyz"),
            )

    def contacts(self, step):
        """Contact arrays of a step by column name."""
        if self._nodia is None:
            return {}
        with reading(self.path, "contacts cannot be read, the file is damaged; nodia verify checks all files"):
            group = self._nodia["contacts"]
            first, last = (int(row) for row in self._dataset(group, "offsets", (), "iu")[step : step + 2])
            columns = {
                name: self._rows(group, name, (3,) if np.ndim(dataset) == 2 else (), "fiu", first, last - first)
                for name, dataset in group.items()
                if name not in ("offsets", "bodies")
            }
            for name, largest in (("position", LARGEST), ("force", LARGEST_FORCE)):
                columns[name] = numbers(columns[name], (last - first, 3), f"contacts/{name}", largest)
            for name in ("body_i", "body_j"):
                if not np.all((columns[name] >= 0) & (columns[name] < len(self.bodies))):
                    raise ValueError(f"contacts/{name} has unknown bodies")
            return columns

    def names(self, group):
        with reading(self.path, f"{group} cannot be read"):
            return sorted(self._root[group]) if group in self._root else []

    def _field(self, group, name, step, default_first, count):
        with reading(self.path, f"{group}/{name} cannot be read"):
            offsets = self._root.get(f"Steps/{group}Offsets/{name}")
            first = default_first if offsets is None else int(self._dataset(self._root["Steps"], f"{group}Offsets/{name}", (), "iu")[step])
            return self._rows(self._root[group], name, (3,) if name in VECTORS else (), "fiu", first, count)

    def point_field(self, name, step):
        return self._field("PointData", name, step, self._first_point[step], self.n_point)

    def cell_field(self, name, step):
        of_tets = self.cells(step)[2]
        return self._field("CellData", name, step, self._first_cell[step], self._n_cell[self._parts[step]].sum())[of_tets]
