"""Fills one of five closed surfaces with tetrahedra and writes the mesh in five formats, as users of the generators do.

Usage: generated_meshes.py SURFACE GENERATOR PYBULLET_DATA GMSH_TUTORIALS OUT

OUT receives mesh.msh, mesh.vtk, mesh.vtu, mesh.mesh, mesh.inp, and tetrahedra.npz: `points` [m] and `tets` from the
generator's memory. The program needs gmsh, pymeshfix, pytetwild and tetgen; test_mesh_generators.py installs them.
"""

import sys
from pathlib import Path

import meshio
import numpy as np

SURFACES = ["bunny", "duck", "football", "torus", "gmsh_t13"]
FORMATS = ["msh", "vtk", "vtu", "mesh", "inp"]

LENGTH_M = 0.1  # longest extent of each surface
MAX_TRIANGLES = 1000  # of each surface after decimation; the duck has 4212 before, the football 9048, gmsh_t13 1580

# meshio's formats for names that end in .msh, versions 4.1 and 2.2. Without them, meshio writes an ANSYS file.
GMSH_41, GMSH_22 = "gmsh", "gmsh22"


def torus(n_ring=24, n_tube=12):
    """A torus about z: radius of the ring 3.5, radius of the tube 1.5."""
    ring, tube = (2 * np.pi * np.arange(n) / n for n in (n_ring, n_tube))
    u, v = (each.ravel() for each in np.meshgrid(ring, tube, indexing="ij"))
    radius = 3.5 + 1.5 * np.cos(v)
    points = np.column_stack([radius * np.cos(u), radius * np.sin(u), 1.5 * np.sin(v)])
    i, j = (each.ravel() for each in np.meshgrid(np.arange(n_ring), np.arange(n_tube), indexing="ij"))
    a, b = i * n_tube + j, (i + 1) % n_ring * n_tube + j
    c, d = (i + 1) % n_ring * n_tube + (j + 1) % n_tube, i * n_tube + (j + 1) % n_tube
    return points, np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


def raw_surface(name, pybullet_data, gmsh_tutorials):
    """The surface as its package contains it, with z up, as pyvista.PolyData."""
    import pyvista

    if name == "torus":
        return pyvista.PolyData.from_regular_faces(*torus())
    if name == "gmsh_t13":
        return pyvista.read(gmsh_tutorials / "t13_data.stl").clean()
    file = "soccerball" if name == "football" else name
    surface = pyvista.read(pybullet_data / f"{file}.obj").triangulate().clean()
    if name != "football":  # y is up
        surface.points = surface.points @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    return surface


def closed_surface(name, pybullet_data, gmsh_tutorials):
    """The surface, coarse, closed and without self-intersections, of length LENGTH_M, with its lowest point at z = 0."""
    import pymeshfix
    import pyvista

    surface = raw_surface(name, pybullet_data, gmsh_tutorials)
    if surface.n_cells > MAX_TRIANGLES:
        surface = surface.decimate(1 - MAX_TRIANGLES / surface.n_cells)
    repaired = pymeshfix.MeshFix(surface.points.astype(float), surface.regular_faces)
    repaired.repair()
    points = np.asarray(repaired.points, float)
    points = (points - points.min(axis=0)) * LENGTH_M / np.ptp(points, axis=0).max()
    surface = pyvista.PolyData.from_regular_faces(points, repaired.faces)
    assert surface.n_open_edges == 0 and surface.is_manifold
    return surface


def write_with_pytetwild(surface, out):
    """Writes all formats with meshio. @return points, tets"""
    import pytetwild

    triangles = surface.regular_faces.astype(np.int32)
    options = {"edge_length_fac": 0.1, "epsilon": 0.01, "coarsen": True, "num_threads": 1}
    points, tets = pytetwild.tetrahedralize(np.array(surface.points, float), triangles, **options)
    for each in FORMATS:
        meshio.write(out / f"mesh.{each}", meshio.Mesh(points, [("tetra", tets)]), GMSH_41 if each == "msh" else None)
    return points, tets


def write_with_tetgen(surface, out):
    """Writes the VTK formats with PyVista, the others with PyVista's interface to meshio. @return points, tets"""
    import pyvista
    import tetgen

    generator = tetgen.TetGen(surface)
    points, tets, *_ = generator.tetrahedralize(nobisect=True)
    for each in FORMATS:
        path = out / f"mesh.{each}"
        if each in ("vtk", "vtu"):
            generator.grid.save(path)
        else:
            pyvista.save_meshio(path, generator.grid, GMSH_22 if each == "msh" else None)
    return points, tets


def write_with_gmsh(surface, out):
    """Writes the formats of Gmsh, which has no .vtu; meshio makes that of the .msh file. @return points, tets"""
    import gmsh

    surface.save(out / "surface.stl")
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.merge(str(out / "surface.stl"))
    loop = gmsh.model.geo.addSurfaceLoop([tag for _, tag in gmsh.model.getEntities(2)])
    gmsh.model.geo.addVolume([loop])
    gmsh.model.geo.synchronize()
    gmsh.model.mesh.generate(3)
    for each in FORMATS:
        if each != "vtu":
            gmsh.write(str(out / f"mesh.{each}"))
    meshio.write(out / "mesh.vtu", meshio.read(out / "mesh.msh"))
    tags, points, _ = gmsh.model.mesh.getNodes()
    corners = gmsh.model.mesh.getElementsByType(4)[1].reshape(-1, 4)
    gmsh.finalize()
    order = np.argsort(tags)
    return points.reshape(-1, 3), order[np.searchsorted(tags, corners, sorter=order)]


GENERATORS = {"pytetwild": write_with_pytetwild, "tetgen": write_with_tetgen, "gmsh": write_with_gmsh}


def main(surface, generator, pybullet_data, gmsh_tutorials, out):
    out = Path(out)
    closed = closed_surface(surface, Path(pybullet_data), Path(gmsh_tutorials))
    points, tets = GENERATORS[generator](closed, out)
    np.savez(out / "tetrahedra.npz", points=points, tets=tets)


if __name__ == "__main__":
    main(*sys.argv[1:])
