"""Soft bodies from meshes of other programs: VTK files are read, other formats are answered with a command that works."""

import re
import subprocess
import sys
from pathlib import Path

import meshio
import numpy as np
import pytest
from nodia_command import expect_bad_input, needs_nodia, run
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkUnstructuredGrid
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridWriter
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

pytestmark = needs_nodia

SCENARIO = """name: meshes
time: {{step_s: 0.01, duration_s: 0.4}}
bodies:
  block: {{mesh: {{file: {mesh}}}, density_kg_m3: 1000, youngs_modulus_Pa: 1e5, friction: 0.5}}
obstacles:
  floor: {{shape: half_space}}
checks:
  weight: {{check: weight_on_obstacle, obstacle: floor, from_s: 0.35, to_s: 0.4}}
"""


def cube(edge=0.1):
    """Twelve right-handed tetrahedra around the centre of a cube on the floor."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    points = edge * np.vstack([corners, [[0.5, 0.5, 0.5]]])
    tets = [(8, *t) for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    return points, np.array(tets)


def volumes(points, tets):
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)) / 6


def second_order(points, tets):
    """Nodes in the middles of the edges, in the order of VTK."""
    middles = {}
    rows = []
    for tet in tets:
        row = list(tet)
        for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
            edge = tuple(sorted((tet[a], tet[b])))
            row.append(middles.setdefault(edge, len(points) + len(middles)))
        rows.append(row)
    extra = [(points[a] + points[b]) / 2 for a, b in middles]
    return np.vstack([points, extra]), np.array(rows)


def grid_of(points, cells, vtk_type):
    grid = vtkUnstructuredGrid()
    shared = vtkPoints()
    shared.SetData(numpy_to_vtk(points, deep=True))
    grid.SetPoints(shared)
    array = vtkCellArray()
    array.SetData(cells.shape[1], numpy_to_vtkIdTypeArray(cells.astype(np.int64).ravel(), deep=True))
    grid.SetCells(vtk_type, array)
    return grid


def write_legacy(path, grid, binary, version=51):
    writer = vtkUnstructuredGridWriter()
    writer.SetFileVersion(version)
    (writer.SetFileTypeToBinary if binary else writer.SetFileTypeToASCII)()
    save(writer, path, grid)


def write_xml(path, grid, mode, compressed):
    writer = vtkXMLUnstructuredGridWriter()
    getattr(writer, f"SetDataModeTo{mode}")()
    (writer.SetCompressorTypeToZLib if compressed else writer.SetCompressorTypeToNone)()
    save(writer, path, grid)


def save(writer, path, grid):
    writer.SetFileName(str(path))
    writer.SetInputData(grid)
    assert writer.Write()


WRITERS = {
    "ascii.vtk": lambda path, grid: write_legacy(path, grid, False),
    "binary.vtk": lambda path, grid: write_legacy(path, grid, True),
    "old.vtk": lambda path, grid: write_legacy(path, grid, True, 42),
    "ascii.vtu": lambda path, grid: write_xml(path, grid, "Ascii", False),
    "binary.VTU": lambda path, grid: write_xml(path, grid, "Binary", True),
    "appended.vtu": lambda path, grid: write_xml(path, grid, "Appended", True),
    "raw.vtu": lambda path, grid: write_xml(path, grid, "Appended", False),
}


def simulate(folder, mesh):
    (folder / "s.yaml").write_text(SCENARIO.format(mesh=mesh))
    return run("run", folder / "s.yaml", "--check", "--out", folder / "out", "--overwrite")


@pytest.mark.parametrize("name", WRITERS)
def test_vtk_files_of_every_encoding_lie_on_the_floor(tmp_path, name):
    WRITERS[name](tmp_path / name, grid_of(*cube(), 10))
    done = simulate(tmp_path, name)
    assert done.returncode == 0, done.stderr
    assert "dropped" not in done.stderr


def test_left_handed_and_curved_elements_and_unused_nodes_are_repaired_with_a_note(tmp_path):
    points, tets = cube()
    assert (volumes(points, tets) > 0).all() or (volumes(points, tets) < 0).all()
    left = tets if (volumes(points, tets) < 0).all() else tets[:, [0, 1, 3, 2]]
    points = np.vstack([points, [[7, 7, 7]]])
    WRITERS["binary.vtk"](tmp_path / "left.vtk", grid_of(points, left, 10))
    done = simulate(tmp_path, "left.vtk")
    assert done.returncode == 0, done.stderr
    assert "12 left-handed tetrahedra were turned, 1 nodes in no tetrahedron were dropped" in done.stderr

    curved, rows = second_order(*cube())
    curved[9:] += 0.002 * np.random.default_rng(1).normal(size=curved[9:].shape)
    WRITERS["raw.vtu"](tmp_path / "curved.vtu", grid_of(curved, rows, 24))
    done = simulate(tmp_path, "curved.vtu")
    assert done.returncode == 0, done.stderr
    assert re.search(r"12 second-order .*; 12 of them have curved edges, which became straight", done.stderr)


def test_meshes_without_tetrahedra_and_damaged_files_are_refused_in_one_line(tmp_path):
    points, tets = cube()
    WRITERS["ascii.vtk"](tmp_path / "hexa.vtk", grid_of(points[[0, 4, 6, 2, 1, 5, 7, 3]], np.arange(8)[None], 12))
    expect_bad_input(simulate(tmp_path, "hexa.vtk"), "1 hexahedra (must be tetrahedra")
    (tmp_path / "text.vtk").write_text("not a mesh\n")
    expect_bad_input(simulate(tmp_path, "text.vtk"), "text.vtk: not a VTK file that can be read")
    expect_bad_input(simulate(tmp_path, "missing.vtu"), "missing.vtu: no such file")
    WRITERS["appended.vtu"](tmp_path / "whole.vtu", grid_of(points, tets, 10))
    bytes_ = (tmp_path / "whole.vtu").read_bytes()
    random = np.random.default_rng(3)
    for k in range(8):
        damaged = bytearray(bytes_[: len(bytes_) if k % 2 else random.integers(1, len(bytes_))])
        for _ in range(k % 4):
            damaged[random.integers(len(damaged))] = random.integers(256)
        (tmp_path / "damaged.vtu").write_bytes(damaged)
        done = simulate(tmp_path, "damaged.vtu")
        assert done.returncode in (0, 2), done.stderr


def convert_by_printed_command(refused, folder):
    """Runs the command of an error message with the meshio of this Python. @return name of the file that it writes"""
    command = re.search(r"&& (meshio convert \S+ (\S+))\)", refused.stderr)
    program = Path(sys.executable).parent / "meshio"
    subprocess.run([program, *command[1].split()[1:]], cwd=folder, check=True, capture_output=True)
    return command[2]


@pytest.mark.parametrize("name", ["part.mesh", "part.inp"])
def test_other_formats_are_converted_by_the_printed_command(tmp_path, name):
    points, tets = cube()
    meshio.write(tmp_path / name, meshio.Mesh(points, [("tetra", tets)]))
    refused = simulate(tmp_path, name)
    expect_bad_input(refused, "must be .msh, .vtk or .vtu")
    done = simulate(tmp_path, convert_by_printed_command(refused, tmp_path))
    assert done.returncode == 0, done.stderr


def test_an_ansys_file_which_meshio_writes_to_msh_is_converted_by_the_printed_command(tmp_path):
    points, tets = cube()
    meshio.write(tmp_path / "part.msh", meshio.Mesh(points, [("tetra", tets)]))
    refused = simulate(tmp_path, "part.msh")
    expect_bad_input(refused, "an ANSYS file (must be a Gmsh .msh file")
    done = simulate(tmp_path, convert_by_printed_command(refused, tmp_path))
    assert done.returncode == 0, done.stderr
