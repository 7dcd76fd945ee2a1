"""Runs with cables, rigid bodies and robot links: what is read and what is drawn."""

import numpy as np
import pytest
from PIL import Image
from synthetic_run import write_bodies_run

from nodia_tools.camera import moving_places, places_to_see, side_view
from nodia_tools.fields import FIELDS, STATE_COLOURS, FieldOnSurface
from nodia_tools.rotation import product, rotation_matrix
from nodia_tools.scene import load_scene, solids_of, tube
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory


@pytest.fixture(scope="module")
def bodies_run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("bodies") / "run"
    write_bodies_run(directory)
    return directory


def test_reads_cables_poses_and_contacts(bodies_run):
    trajectory = open_trajectory(bodies_run)
    assert trajectory.cells().shape == (0, 4)
    assert trajectory.soft_points(0).shape == (0, 3)
    left, right = trajectory.cables()
    np.testing.assert_array_equal(left, np.arange(20))
    np.testing.assert_array_equal(right, np.arange(20, 23))
    assert [frame["name"] for frame in trajectory.frames] == ["crate", "part", "hand"]
    assert trajectory.poses(10)[0].shape == (3, 3)
    assert len(trajectory.contacts(0)["force"]) == 0
    contacts = trajectory.contacts(3)
    np.testing.assert_array_equal(contacts["force"], [[6, 7, 8]])
    assert trajectory.bodies[contacts["body_j"][0]]["name"] == "floor"
    assert len(trajectory.cell_field("von_mises_Pa", 4)) == 0


def test_vtk_reads_lines(bodies_run):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader

    reader = vtkHDFReader()
    reader.SetFileName(str(bodies_run / "trajectory.vtkhdf"))
    reader.SetStep(7)
    reader.Update()
    grid = reader.GetOutput()
    trajectory = open_trajectory(bodies_run)
    np.testing.assert_array_equal(
        vtk_to_numpy(grid.GetPoints().GetData()), trajectory.points(7)
    )
    assert grid.GetNumberOfCells() == 21
    assert grid.GetCellType(0) == 3
    ids = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 2)
    np.testing.assert_array_equal(ids, trajectory.lines())


def test_poses_are_interpolated(bodies_run):
    trajectory = open_trajectory(bodies_run)
    position, wxyz = trajectory.pose_at(2, 0.25)
    np.testing.assert_allclose(position, [0.5, 0.6, 0.1875], atol=1e-12)
    np.testing.assert_allclose(wxyz, [np.cos(np.pi / 16), 0, 0, np.sin(np.pi / 16)], atol=1e-12)


def test_solids_stand_where_their_poses_say(bodies_run):
    trajectory = open_trajectory(bodies_run)
    scene = load_scene(bodies_run, trajectory)
    crate, part, hand = solids_of(trajectory, scene)
    np.testing.assert_allclose(np.ptp(crate.mesh.vertices, axis=0), [0.1, 0.2, 0.3])
    turned = crate.path.to_world(np.array([[0.05, 0, 0]]), 1.0)  # by 90 degrees about z
    np.testing.assert_allclose(turned, [[0.5, 0.05, 0.15]], atol=1e-12)
    np.testing.assert_allclose(part.path.to_world(np.zeros((1, 3)), 0), [[0.5, 0.3, 0.1]])
    assert len(part.mesh.faces) == 4
    # The capsule lies along -y of the link's frame.
    ends = hand.path.to_world(np.array([[0, 0, 0.05]]), 0)
    np.testing.assert_allclose(ends, [[0.5, 0.55, 0.25]], atol=1e-12)


def test_a_mesh_that_is_gone_is_said(tmp_path, capsys):
    write_bodies_run(tmp_path)
    (tmp_path / "part.obj").unlink()
    trajectory = open_trajectory(tmp_path)
    assert len(solids_of(trajectory, load_scene(tmp_path, trajectory))) == 2
    assert "part is not drawn" in capsys.readouterr().err


def test_products_of_quaternions_are_products_of_matrices():
    rng = np.random.default_rng(2)
    p, q = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 4)))
    np.testing.assert_allclose(
        rotation_matrix(product(p, q)), rotation_matrix(p) @ rotation_matrix(q), atol=1e-14
    )


def test_a_tube_is_closed_outward_and_as_thick_as_asked():
    s = np.linspace(0, 1.5 * np.pi, 60)
    points = np.c_[0.1 * np.cos(s), 0.1 * np.sin(s), 0.02 * s]
    vertices, faces = tube(points, 0.004, 16)
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    polygon = 8 * np.sin(2 * np.pi / 16) * 0.004**2
    assert volume == pytest.approx(polygon * length, rel=5e-3)
    edges = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    assert {tuple(e) for e in edges} == {tuple(e[::-1]) for e in edges}
    assert len({tuple(e) for e in edges}) == len(edges)
    single, _ = tube(points[:1], 0.004)
    assert np.isfinite(single).all()


def test_the_camera_and_the_fields_do_without_a_soft_body(bodies_run):
    trajectory = open_trajectory(bodies_run)
    scene = load_scene(bodies_run, trajectory)
    surface = Surface(trajectory.points(0), trajectory.cells())
    assert scene.radii == [0.004, 0.008]
    assert np.isfinite(side_view(trajectory)).all()
    assert len(places_to_see(trajectory, surface, scene)) > 100
    assert moving_places(trajectory, surface, scene)[:, 2].max() > 0.3
    for name in FIELDS:
        coloured = FieldOnSurface(FIELDS[name], trajectory, surface)
        assert coloured.values(3).shape == (0,)
        assert coloured.point_colours(3, trajectory.cables()[0]).shape == (20, 3)
    state = FieldOnSurface(FIELDS["contact_state"], trajectory, surface)
    np.testing.assert_array_equal(state.point_colours(10, np.array([10])), STATE_COLOURS[[1]])


@pytest.mark.parametrize("field", ["contact_state", "speed"])
def test_draws_them(run_tool, bodies_run, tmp_path, field):
    path = tmp_path / "a.png"
    done = run_tool(
        "render", bodies_run, "--out", path, "--frames", 2, "--size", "640x360", "--field", field
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    pixels = np.asarray(Image.open(path).convert("RGB"), float) / 255
    assert pixels.std() > 0.05


def test_the_viewer_shows_them(bodies_run):
    import viser

    from nodia_tools.view import Viewer

    server = viser.ViserServer("127.0.0.1", 28190, verbose=False)
    try:
        trajectory = open_trajectory(bodies_run)
        viewer = Viewer(server, trajectory, load_scene(bodies_run, trajectory), "contact_state")
        viewer.draw(1.0, "contact_state")
        assert len(viewer._cables) == 2
        (crate,) = [mesh for mesh, _, _ in viewer._moving if mesh.name.endswith("crate")]
        centre = (crate.vertices.min(axis=0) + crate.vertices.max(axis=0)) / 2
        np.testing.assert_allclose(centre, [0.5, 0, 0.15], atol=1e-6)
    finally:
        server.stop()
