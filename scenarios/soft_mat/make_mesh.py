#!/usr/bin/env python3
"""Writes soft_mat.msh: the unstructured mat of the scenario, about 1477 nodes and 4100 tetrahedra.

    python scenarios/soft_mat/make_mesh.py [OUT.msh]

The script needs the gmsh package; version 4.15.2 made the committed file.

Gmsh meshes the square [0, 0.3] m x [0, 0.3] m with Delaunay triangles, extrudes it by one layer of
6 mm and splits the layer into tetrahedra. Nodes are numbered by reverse Cuthill-McKee and tetrahedra
by their lowest node, so coupled nodes are close in memory. Physical groups: volume `mat`, surfaces
`x_min x_max y_min y_max z_min z_max`.
"""

import pathlib
import sys

import gmsh
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "assets"))
import tet_mesh

SIZE_M = (0.3, 0.3, 0.006)
SPACING_M = 0.0133  # spacing in the plane, chosen such that the mesh has about 1477 nodes


def mesh_sheet():
    """Points [n, 3] and tetrahedra [m, 4] (positive volume) of the sheet."""
    gmsh.model.add("sheet")
    corners = [(0, 0), (SIZE_M[0], 0), (SIZE_M[0], SIZE_M[1]), (0, SIZE_M[1])]
    points = [gmsh.model.geo.addPoint(x, y, 0, SPACING_M) for x, y in corners]
    lines = [gmsh.model.geo.addLine(points[i], points[(i + 1) % 4]) for i in range(4)]
    square = gmsh.model.geo.addPlaneSurface([gmsh.model.geo.addCurveLoop(lines)])
    gmsh.model.geo.extrude([(2, square)], 0, 0, SIZE_M[2], numElements=[1])
    gmsh.model.geo.synchronize()
    gmsh.option.setNumber("Mesh.Algorithm", 5)  # Delaunay
    gmsh.model.mesh.generate(3)

    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    _, node_tags = gmsh.model.mesh.getElementsByType(tet_mesh.TETRAHEDRON)
    index = np.empty(int(tags.max()) + 1, int)
    index[tags] = np.arange(len(tags))
    return coordinates.reshape(-1, 3), index[node_tags].reshape(-1, 4)


def write(path, points, tets):
    """Writes Gmsh 4.1, ASCII. All nodes belong to the volume, so the file keeps their order."""
    gmsh.model.add("mat")
    sides = [f"{axis}_{end}" for axis in "xyz" for end in ("min", "max")]
    surfaces = [gmsh.model.addDiscreteEntity(2) for _ in sides]
    volume = gmsh.model.addDiscreteEntity(3, boundary=surfaces)
    gmsh.model.mesh.addNodes(3, volume, np.arange(1, len(points) + 1), points.ravel())
    triangles = tet_mesh.boundary_triangles(tets)
    element = 1
    for k, (name, surface) in enumerate(zip(sides, surfaces)):
        wall = SIZE_M[k // 2] * (k % 2)
        side = triangles[np.all(points[triangles][:, :, k // 2] == wall, axis=1)]
        tags = np.arange(element, element + len(side))
        gmsh.model.mesh.addElementsByType(surface, tet_mesh.TRIANGLE, tags, side.ravel() + 1)
        gmsh.model.addPhysicalGroup(2, [surface], name=name)
        element += len(side)
    assert element - 1 == len(triangles)
    tags = np.arange(element, element + len(tets))
    gmsh.model.mesh.addElementsByType(volume, tet_mesh.TETRAHEDRON, tags, tets.ravel() + 1)
    gmsh.model.addPhysicalGroup(3, [volume], name="mat")
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.write(str(path))


def main():
    default = pathlib.Path(__file__).with_name("soft_mat.msh")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    points, tets = mesh_sheet()
    points = np.clip(np.round(points, 9), 0, SIZE_M)  # rounded to 1 nm, exact on the sides
    order = tet_mesh.reverse_cuthill_mckee(len(points), tets)
    new_number = np.argsort(order)
    points, tets = points[order], new_number[tets]
    inverted = tet_mesh.volumes(points, tets) < 0
    tets[inverted] = tets[inverted][:, [0, 1, 3, 2]]
    tets = tets[np.lexsort((np.arange(len(tets)), tets.min(axis=1)))]
    write(path, points, tets)
    bandwidth = int((tets.max(axis=1) - tets.min(axis=1)).max())
    print(f"{path}: {len(points)} nodes, {len(tets)} tetrahedra, bandwidth {bandwidth}")
    gmsh.finalize()


if __name__ == "__main__":
    main()
