#!/usr/bin/env python3
"""Writes soft_ball.msh: the ball of the scenario, radius 0.04 m about the origin.

    python scenarios/soft_ball/make_mesh.py [OUT.msh]

The script needs the gmsh package; version 4.15.2 made the committed file. The paper's ball has 1463
nodes and 6928 tetrahedra.
"""

import pathlib
import sys

import gmsh

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "assets"))
import tet_mesh

RADIUS_M = 0.04
SURFACE_SPACING_M = 0.00669  # both spacings are chosen such that the numbers are close to the paper's
CENTRE_SPACING_M = 0.00286


def ball(surface_spacing_m, centre_spacing_m):
    gmsh.clear()
    gmsh.model.add("geometry")
    gmsh.model.occ.addSphere(0, 0, 0, RADIUS_M)
    gmsh.model.occ.synchronize()
    for key in ("ExtendFromBoundary", "FromPoints", "FromCurvature"):
        gmsh.option.setNumber(f"Mesh.MeshSize{key}", 0)
    slope = (surface_spacing_m - centre_spacing_m) / RADIUS_M
    field = gmsh.model.mesh.field.add("MathEval")
    spacing = f"{centre_spacing_m} + {slope} * sqrt(x*x + y*y + z*z)"
    gmsh.model.mesh.field.setString(field, "F", spacing)
    gmsh.model.mesh.field.setAsBackgroundMesh(field)
    gmsh.option.setNumber("Mesh.OptimizeNetgen", 1)
    gmsh.model.mesh.generate(3)
    return tet_mesh.current_mesh()


def main():
    default = pathlib.Path(__file__).with_name("soft_ball.msh")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    points, tets = tet_mesh.tidy(*ball(SURFACE_SPACING_M, CENTRE_SPACING_M))
    tet_mesh.write(path, "ball", points, tets, lambda corners: ["surface"] * len(corners))
    tet_mesh.report(path, points, tets)
    gmsh.finalize()


if __name__ == "__main__":
    main()
