"""The trajectory reader against what was written, and the geometry made from it."""

import h5py
import numpy as np
import pytest
from synthetic_run import box_mesh, sheet_motion, write_run, write_vtkhdf

from nodia_tools.command_line import InputError
from nodia_tools.fields import FIELDS, FieldOnSurface
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory


def test_reads_what_was_written(tmp_path):
    times, rest, cells = write_run(tmp_path / "run")
    trajectory = open_trajectory(tmp_path / "run")
    np.testing.assert_array_equal(trajectory.times, times)
    np.testing.assert_array_equal(trajectory.cells(), cells)
    for frame in (0, 7, len(times) - 1):
        np.testing.assert_array_equal(trajectory.points(frame), sheet_motion(rest, times[frame]))
    assert trajectory.point_names() == ["contact_force", "contact_state", "velocity"]
    stress = 1e3 * np.abs(trajectory.points(20)[cells].mean(axis=1)[:, 2])
    np.testing.assert_allclose(trajectory.cell_field("von_mises_Pa", 20), stress, rtol=1e-6)


def test_agrees_with_vtk(run_directory):
    """VTK's own reader is the oracle, also of the synthetic writer."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader

    trajectory = open_trajectory(run_directory)
    reader = vtkHDFReader()
    reader.SetFileName(str(run_directory / "trajectory.vtkhdf"))
    for frame in (0, 13, 20):
        reader.SetStep(frame)
        reader.Update()
        grid = reader.GetOutput()
        np.testing.assert_array_equal(
            vtk_to_numpy(grid.GetPoints().GetData()), trajectory.points(frame)
        )
        ids = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
        np.testing.assert_array_equal(ids, trajectory.cells(frame))
        state = vtk_to_numpy(grid.GetPointData().GetArray("contact_state"))
        np.testing.assert_array_equal(state, trajectory.point_field("contact_state", frame))


def test_agrees_with_the_simulator(recorded_run):
    trajectory = open_trajectory(recorded_run)
    assert len(trajectory) >= 30
    assert trajectory.times[-1] == pytest.approx(0.3)
    points, cells = trajectory.points(0), trajectory.cells()
    assert cells.max() == len(points) - 1
    np.testing.assert_allclose(np.ptp(points, axis=0), [0.3, 0.3, 0.006], atol=1e-9)
    volumes = np.linalg.det(points[cells[:, 1:]] - points[cells[:, :1]]) / 6
    assert volumes.sum() == pytest.approx(0.3 * 0.3 * 0.006)
    last = len(trajectory) - 1
    assert set(np.unique(trajectory.point_field("contact_state", last))) <= {0, 1, 2}
    assert trajectory.point_field("contact_force", last).shape == points.shape
    assert trajectory.cell_field("von_mises_Pa", last).shape == (len(cells),)


def test_reads_the_parts_a_killed_run_left(tmp_path, capsys):
    directory = tmp_path / "run"
    write_run(directory, times=[0.0, 0.1], name="trajectory.part0000.vtkhdf")
    write_run(directory, times=[0.2], name="trajectory.part0001.vtkhdf")
    (directory / "trajectory.part0002.vtkhdf").write_bytes(
        b"\x89HDF\r\n\x1a\n and then the power went"
    )
    trajectory = open_trajectory(directory)
    np.testing.assert_array_equal(trajectory.times, [0, 0.1, 0.2])
    assert "part0002" in capsys.readouterr().err


def test_reads_environments_of_a_batch(tmp_path):
    write_run(tmp_path, times=[0.0], name="trajectory_env0000.vtkhdf")
    write_run(tmp_path, times=[0.0, 1.0], name="trajectory_env0001.vtkhdf")
    assert len(open_trajectory(tmp_path)) == 1
    assert len(open_trajectory(tmp_path, env=1)) == 2
    with pytest.raises(InputError, match=r"--env = 2 .*has a trajectory of: 0, 1; .*--record-envs"):
        open_trajectory(tmp_path, env=2)


def test_an_environment_that_was_not_recorded_names_those_that_were(tmp_path):
    write_run(tmp_path, times=[0.0], name="trajectory_env0003.part0001.vtkhdf")
    for env in (0, 17):
        with pytest.raises(InputError, match=rf"--env = {env} \(must be one .* of: 3; "):
            open_trajectory(tmp_path, env=env)


def test_a_run_without_a_batch_is_environment_0(tmp_path):
    write_run(tmp_path, times=[0.0])
    with pytest.raises(InputError, match=r"--env = 1 .* of: 0; "):
        open_trajectory(tmp_path, env=1)


def test_several_parts_in_a_step_number_their_points_through(tmp_path):
    """One step of two pieces, each with its own node numbers, as VTK writes distributed data."""
    points, cells = box_mesh((1, 1, 1), (1, 1, 1))
    state = np.zeros(len(points), np.uint8)
    path = tmp_path / "trajectory.vtkhdf"
    write_vtkhdf(
        path, [0.0, 1.0], [points, points + 5], cells, {"contact_state": [state, state + 1]}, {}
    )
    with h5py.File(path, "r+") as file:
        root = file["VTKHDF"]
        for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"):
            values = np.repeat(root[name][()], 2)
            del root[name]
            root[name] = values
        for name in ("Connectivity", "Types"):
            values = np.tile(root[name][()], 2)
            del root[name]
            root[name] = values
        steps = root["Steps"]
        del root["Steps"]
        steps = root.create_group("Steps")
        steps["Values"] = [0.0]
        steps["NumberOfParts"] = [2]
        for name in ("PartOffsets", "PointOffsets"):
            steps[name] = [0]
        for name in ("CellOffsets", "ConnectivityIdOffsets"):
            steps[name] = [[0]]
    trajectory = open_trajectory(tmp_path)
    np.testing.assert_array_equal(trajectory.points(0), np.vstack([points, points + 5]))
    np.testing.assert_array_equal(trajectory.cells(), np.vstack([cells, cells + len(points)]))
    np.testing.assert_array_equal(
        trajectory.point_field("contact_state", 0), np.repeat([0, 1], len(points))
    )


def test_interpolates_between_frames(run_directory):
    trajectory = open_trajectory(run_directory)
    middle = trajectory.points_at(0.5 * (trajectory.times[3] + trajectory.times[4]))
    np.testing.assert_allclose(
        middle, 0.5 * (trajectory.points(3) + trajectory.points(4)), atol=1e-15
    )
    np.testing.assert_array_equal(
        trajectory.points_at(trajectory.times[-1]), trajectory.points(len(trajectory) - 1)
    )
    np.testing.assert_array_equal(trajectory.points_at(-1), trajectory.points(0))


@pytest.mark.parametrize("content", [b"", b"not HDF5 at all", b"\x89HDF\r\n\x1a\n" + 200 * b"\0"])
def test_refuses_what_is_no_trajectory(tmp_path, content):
    (tmp_path / "trajectory.vtkhdf").write_bytes(content)
    with pytest.raises(InputError, match="not a trajectory"):
        open_trajectory(tmp_path)


def test_refuses_damaged_files(tmp_path):
    write_run(tmp_path)
    with h5py.File(tmp_path / "trajectory.vtkhdf", "r+") as file:
        file["VTKHDF/Connectivity"][5] = 100000
    with pytest.raises(InputError, match="unknown points"):
        open_trajectory(tmp_path).cells()
    with h5py.File(tmp_path / "trajectory.vtkhdf", "r+") as file:
        file["VTKHDF/Steps/PointOffsets"][-1] = 10**9
    with pytest.raises(InputError, match="too short"):
        open_trajectory(tmp_path).points(20)


@pytest.mark.parametrize("mirrored", [False, True])
def test_surface_of_a_box_is_closed_and_points_outward(mirrored):
    points, cells = box_mesh((3, 2, 2), (0.3, 0.2, 0.1))
    if mirrored:
        cells = cells[:, [0, 2, 1, 3]]
    surface = Surface(points, cells)
    vertices = surface.vertices(points)
    assert len(surface.faces) == 2 * 2 * (3 * 2 + 3 * 2 + 2 * 2)
    assert surface.area(vertices) == pytest.approx(2 * (0.3 * 0.2 + 0.3 * 0.1 + 0.2 * 0.1))
    a, b, c = (vertices[surface.faces[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(0.3 * 0.2 * 0.1)
    behind = points[cells[surface.owner]].mean(axis=1)
    assert (np.einsum("ij,ij->i", np.cross(b - a, c - a), a - behind) > 0).all()


def test_stress_of_a_vertex_is_the_mean_of_its_faces(run_directory):
    trajectory = open_trajectory(run_directory)
    surface = Surface(trajectory.points(0), trajectory.cells())
    values = FieldOnSurface(FIELDS["von_mises_Pa"], trajectory, surface).values(20)
    at = 17
    faces = (surface.faces == at).any(axis=1)
    stress = trajectory.cell_field("von_mises_Pa", 20)[surface.owner[faces]]
    assert values[at] == pytest.approx(1e-3 * stress.mean(), rel=1e-6)
