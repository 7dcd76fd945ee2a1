#!/usr/bin/env python3
"""Writes soft_gripper.msh: two silicone fingers as one mesh, with the node sets of their bases.

    python scenarios/soft_gripper/make_mesh.py [OUT.msh]

The script needs the gmsh package; version 4.15.2 made the committed file. A finger is a tapered
profile in the y-z plane, 36 mm wide along x, with its tip at z = 0 and its contact pad at
y = 0.03 m. The other finger has the same nodes, rotated by 180 degrees about z. The paper's gripper
has 4889 nodes and 18122 tetrahedra.
"""

import pathlib
import sys

import gmsh
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "assets"))
import tet_mesh

OPENING_M = 0.03  # distance of the inner face from the middle
WIDTH_M = 0.036
# (outward from the inner face, up): tip, pad, recess above it, base, outer face
PROFILE_M = (
    (0.0045, 0),
    (0, 0.006),
    (0, 0.042),
    (0.008, 0.052),
    (0.008, 0.09),
    (0.036, 0.09),
    (0.036, 0.063),
    (0.018, 0),
)
BASE_ABOVE_M = 0.0675  # the plate holds the surface above this height
SPACING_M = 0.00355  # chosen such that the numbers are close to the paper's


def finger(spacing_m):
    gmsh.clear()
    gmsh.model.add("geometry")
    occ = gmsh.model.occ
    points = [occ.addPoint(-WIDTH_M / 2, OPENING_M + y, z) for y, z in PROFILE_M]
    lines = [occ.addLine(a, b) for a, b in zip(points, points[1:] + points[:1])]
    face = occ.addPlaneSurface([occ.addCurveLoop(lines)])
    occ.extrude([(2, face)], WIDTH_M, 0, 0)
    occ.synchronize()
    gmsh.option.setNumber("Mesh.MeshSizeMin", spacing_m)
    gmsh.option.setNumber("Mesh.MeshSizeMax", spacing_m)
    gmsh.option.setNumber("Mesh.OptimizeNetgen", 1)
    gmsh.model.mesh.generate(3)
    return tet_mesh.current_mesh()


def both(spacing_m):
    points, tets = tet_mesh.tidy(*finger(spacing_m))
    turned = points * [-1, -1, 1]
    return np.vstack([points, turned]), np.vstack([tets, tets + len(points)])


def set_of(triangles):
    """Names of the sets: left_base and right_base are the surfaces of the bases, skin is the rest."""
    base = np.all(triangles[:, :, 2] >= BASE_ABOVE_M - 1e-9, axis=1)
    left = triangles[:, :, 1].mean(axis=1) > 0
    return np.where(base, np.where(left, "left_base", "right_base"), "skin")


def main():
    default = pathlib.Path(__file__).with_name("soft_gripper.msh")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    points, tets = both(SPACING_M)
    tet_mesh.write(path, "fingers", points, tets, set_of)
    tet_mesh.report(path, points, tets)
    gmsh.finalize()


if __name__ == "__main__":
    main()
