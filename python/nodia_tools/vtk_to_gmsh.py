"""Writes the volume elements of a VTK file (.vtk, .vtu) to standard output as a Gmsh 2.2 file.

nodia runs this program to read such files (fem/mesh/read_vtk.hpp). The vtk package reads all their versions and encodings.
"""

import sys

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridReader
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

# VTK cell type: (Gmsh element type, number of nodes, VTK index of each Gmsh node).
_ELEMENTS = {
    10: (4, 4, range(4)),  # tetrahedra
    24: (11, 10, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]),  # second-order tetrahedra
    12: (5, 8, range(8)),  # hexahedra, prisms and pyramids, which nodia rejects by name
    13: (6, 6, range(6)),
    14: (7, 5, range(5)),
}


def read_grid(path):
    """Reads an unstructured grid.

    @return points [n, 3], and the nodes of the elements [n_element, n_node] by VTK cell type
    @throws ValueError  if vtk finds no unstructured grid in the file
    """
    vtkOutputWindow.GetInstance().SetDisplayModeToNever()
    reader = vtkXMLUnstructuredGridReader() if path.lower().endswith(".vtu") else vtkUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    if reader.GetErrorCode() or grid is None or not grid.GetNumberOfPoints():
        raise ValueError("it holds no unstructured grid")
    types = vtk_to_numpy(grid.GetCellTypesArray()) if grid.GetNumberOfCells() else np.empty(0, int)
    offsets = vtk_to_numpy(grid.GetCells().GetOffsetsArray())
    nodes = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
    cells = {}
    for vtk_type, (_, n_node, order) in _ELEMENTS.items():
        which = np.flatnonzero(types == vtk_type)
        if len(which):
            cells[vtk_type] = nodes[offsets[which][:, None] + np.array(order)[None, :n_node]]
    return vtk_to_numpy(grid.GetPoints().GetData()).astype(float), cells


def gmsh_bytes(points, cells):
    """Content of a binary Gmsh 2.2 file."""
    nodes = np.empty(len(points), [("tag", "<i4"), ("x", "<f8", 3)])
    nodes["tag"] = np.arange(1, len(points) + 1)
    nodes["x"] = points
    parts = [b"$MeshFormat\n2.2 1 8\n", np.int32(1).tobytes(), b"\n$EndMeshFormat\n"]
    parts += [b"$Nodes\n%d\n" % len(points), nodes.tobytes(), b"\n$EndNodes\n"]
    parts.append(b"$Elements\n%d\n" % sum(len(each) for each in cells.values()))
    n_before = 0
    for vtk_type, each in cells.items():
        tags = np.arange(n_before + 1, n_before + len(each) + 1)
        rows = np.column_stack([tags, np.zeros_like(tags), np.zeros_like(tags), each + 1])
        header = [_ELEMENTS[vtk_type][0], len(each), 2]
        parts += [np.array(header, "<i4").tobytes(), rows.astype("<i4").tobytes()]
        n_before += len(each)
    parts.append(b"\n$EndElements\n")
    return b"".join(parts)


def main():
    try:
        sys.stdout.buffer.write(gmsh_bytes(*read_grid(sys.argv[1])))
    except ValueError as error:
        print(error)
        return 2
    return 0
