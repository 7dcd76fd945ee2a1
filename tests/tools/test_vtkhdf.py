"""trajectory.vtkhdf as other software sees it: VTK's own reader and h5py."""

import h5py
import numpy as np
import pytest
from nodia_command import SLIDING_BOX, needs_nodia, run

pytestmark = needs_nodia

vtk = pytest.importorskip("vtk", reason="PACKAGE: vtk is absent")
from vtk.util.numpy_support import vtk_to_numpy  # noqa: E402

N_FRAME = 31


@pytest.fixture(scope="module", params=[7, 1000], ids=["merged from parts", "one part"])
def trajectory(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "scenario.yaml").write_text(SLIDING_BOX)
    done = run(
        "run",
        folder / "scenario.yaml",
        "--out",
        folder / "out",
        "--set",
        f"output.part_frames={request.param}",
    )
    assert done.returncode == 0, done.stderr
    return folder / "out/trajectory.vtkhdf"


def grid_at(reader, time_s):
    reader.UpdateTimeStep(time_s)
    return reader.GetOutputDataObject(0)


def test_vtk_reads_every_step_as_h5py_does(trajectory):
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(trajectory))
    assert reader.CanReadFile(str(trajectory))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    assert np.allclose(times, 0.01 * np.arange(N_FRAME))
    with h5py.File(trajectory) as file:
        root = file["VTKHDF"]
        n_node, n_tet = int(root["NumberOfPoints"][0]), int(root["NumberOfCells"][0])
        connectivity = root["Connectivity"][:]
        for i in [0, 1, 6, 7, 8, 20, 30, 3]:
            grid = grid_at(reader, times[i])
            assert grid.IsA("vtkUnstructuredGrid")
            assert grid.GetNumberOfPoints() == n_node and grid.GetNumberOfCells() == n_tet
            assert all(grid.GetCellType(c) == vtk.VTK_TETRA for c in range(n_tet))
            assert np.array_equal(
                vtk_to_numpy(grid.GetCells().GetConnectivityArray()), connectivity
            )
            rows, cells = slice(i * n_node, (i + 1) * n_node), slice(i * n_tet, (i + 1) * n_tet)
            assert np.array_equal(vtk_to_numpy(grid.GetPoints().GetData()), root["Points"][rows])
            for name in ("velocity", "contact_force", "contact_state"):
                values = vtk_to_numpy(grid.GetPointData().GetArray(name))
                assert np.array_equal(values, root[f"PointData/{name}"][rows]), (name, i)
            stress = vtk_to_numpy(grid.GetCellData().GetArray("von_mises_Pa"))
            assert np.array_equal(stress, root["CellData/von_mises_Pa"][cells])


def test_shapes_types_and_units(trajectory):
    with h5py.File(trajectory) as file:
        root = file["VTKHDF"]
        assert root.attrs["Type"] == b"UnstructuredGrid" and list(root.attrs["Version"]) == [2, 0]
        assert root["Steps"].attrs["NSteps"] == N_FRAME
        n_node, n_tet = int(root["NumberOfPoints"][0]), int(root["NumberOfCells"][0])
        assert (n_node, n_tet) == (18, 24)
        assert root["Points"].shape == (N_FRAME * n_node, 3) and root["Points"].dtype == "<f8"
        assert root["PointData/velocity"].shape == (N_FRAME * n_node, 3)
        assert root["PointData/velocity"].dtype == "<f8"
        assert root["PointData/contact_force"].shape == (N_FRAME * n_node, 3)
        assert root["PointData/contact_state"].shape == (N_FRAME * n_node,)
        assert root["PointData/contact_state"].dtype == "u1"
        assert root["CellData/von_mises_Pa"].shape == (N_FRAME * n_tet,)
        assert root["Connectivity"].shape == (4 * n_tet,), "the topology is there once"


def test_positions_are_the_sum_of_velocities(trajectory):
    """Implicit Euler: x_n - x_(n-1) = t v_n."""
    with h5py.File(trajectory) as file:
        root = file["VTKHDF"]
        x = root["Points"][:].reshape(N_FRAME, -1, 3)
        v = root["PointData/velocity"][:].reshape(N_FRAME, -1, 3)
    assert np.allclose(np.diff(x, axis=0), 0.01 * v[1:], atol=1e-14)


def test_the_floor_pushes_up_and_friction_brakes(trajectory):
    with h5py.File(trajectory) as file:
        root = file["VTKHDF"]
        force = root["PointData/contact_force"][:].reshape(N_FRAME, -1, 3)
        state = root["PointData/contact_state"][:].reshape(N_FRAME, -1)
    assert np.all(force[0] == 0) and np.all(state[0] == 0)
    assert np.all(force[..., 2] >= 0)
    assert np.all(force[state == 0] == 0)
    assert np.all(
        np.linalg.norm(force[..., :2], axis=-1) <= 0.4 * force[..., 2] * (1 + 1e-9) + 1e-12
    )
    slipping = state == 2
    assert slipping.any()
    assert force[..., 0][slipping].sum() < 0
