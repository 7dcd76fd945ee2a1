"""Contact force per pair, from steps.csv and from the trajectory of the same run."""

import csv
import json

import h5py
import numpy as np
import pytest
from nodia_command import needs_nodia, run

pytestmark = needs_nodia

# A soft block and a rigid box beside each other on a floor, the box pushes the block.
PUSHED = """\
name: pushed
time: {step_s: 0.01, duration_s: 0.2}
bodies:
  block:
    mesh: {box: {size_m: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}
    youngs_modulus_Pa: 1.0e+5
    position_m: [0, -0.05, 0]
    friction: 0.4
rigid_bodies:
  pusher:
    shape: box
    size_m: [0.05, 0.05, 0.04]
    mass_kg: 0.5
    position_m: [0.1255, 0, 0.02]
    force_N: [-4, 0, 0]
    friction: 0.1
obstacles:
  floor: {shape: half_space, friction: 0.2}
"""


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    directory = tmp_path_factory.mktemp("pushed")
    (directory / "pushed.yaml").write_text(PUSHED)
    done = run("run", directory / "pushed.yaml", "--out", directory / "out")
    assert done.returncode == 0, done.stderr
    return directory / "out"


def rows_of(directory):
    with open(directory / "steps.csv", newline="") as file:
        return list(csv.DictReader(file))


def force_on(path, a, b, frame):
    """The README's: force on a by b in a frame of a trajectory [N]."""
    with h5py.File(path) as file:
        c = file["nodia/contacts"]
        names = np.array([body["name"] for body in json.loads(c["bodies"][()].tobytes())])
        rows = slice(*c["offsets"][frame : frame + 2])
        on, by = names[c["body_i"][rows]], names[c["body_j"][rows]]
        sign = 1.0 * ((on == a) & (by == b)) - ((on == b) & (by == a))
        return sign @ c["force"][rows]


@pytest.mark.parametrize("pair", [("block", "pusher"), ("block", "floor"), ("pusher", "floor")])
def test_both_files_have_the_same_force_per_pair(pushed, pair):
    rows = rows_of(pushed)
    largest = 0
    for frame, row in enumerate(rows, start=1):
        expected = [float(row[f"contact_{pair[0]}_{pair[1]}_f{axis}_N"]) for axis in "xyz"]
        got = force_on(pushed / "trajectory.vtkhdf", *pair, frame)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)
        np.testing.assert_allclose(
            force_on(pushed / "trajectory.vtkhdf", *pair[::-1], frame), -got, atol=1e-12
        )
        largest = max(largest, np.abs(got).max())
    assert largest > 0.5


def test_every_contact_has_its_state_slip_and_bodies(pushed):
    """What the trajectory says of each contact, counted as steps.csv counts it."""
    rows = rows_of(pushed)
    with h5py.File(pushed / "trajectory.vtkhdf") as file:
        contacts = file["nodia/contacts"]
        names = [body["name"] for body in json.loads(contacts["bodies"][()].tobytes())]
        assert names == ["block", "pusher", "floor"]
        offsets = contacts["offsets"][()]
        for frame, row in enumerate(rows, start=1):
            at = slice(*offsets[frame : frame + 2])
            state = contacts["state"][at]
            assert len(state) == int(row["n_contact"])
            assert (state == 1).sum() == int(row["n_stick"])
            assert (state == 2).sum() == int(row["n_slip"])
            speed = np.linalg.norm(contacts["slip_velocity"][at], axis=1)
            for a, b in (("block", "floor"), ("block", "pusher"), ("pusher", "floor")):
                ends = np.stack([contacts["body_i"][at], contacts["body_j"][at]], axis=1)
                pair = (np.sort(ends, axis=1) == [names.index(a), names.index(b)]).all(axis=1)
                group = f"contact_{a}_{b}_"
                assert pair.sum() == int(row[group + "n"])
                fastest = speed[pair & (state > 0)].max(initial=0)
                assert fastest == pytest.approx(float(row[group + "max_slip_m_s"]), abs=1e-12)
        points = file["VTKHDF/PointData/contact_force"][()].reshape(len(rows) + 1, -1, 3)
    for frame, row in enumerate(rows, start=1):
        total = [float(row[f"contact_block_f{axis}_N"]) for axis in "xyz"]
        np.testing.assert_allclose(points[frame].sum(axis=0), total, atol=1e-9)


@pytest.mark.parametrize("choice", ["pairs", "bodies", "none"])
def test_the_columns_are_chosen(pushed, tmp_path, choice):
    scenario = pushed.parent / "pushed.yaml"
    done = run(
        "run", scenario, "--steps", "1", "--set", f"output.contact_columns={choice}", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    row = rows_of(tmp_path / "out/pushed")[0]
    assert ("contact_block_fx_N" in row) == (choice != "none")
    assert ("contact_block_pusher_fx_N" in row) == (choice == "pairs")
    config = (tmp_path / "out/pushed/config.yaml").read_text()
    assert f"contact_columns: {choice}" in config


def test_a_bad_choice_is_one_line(pushed, tmp_path):
    words = ["--set", "output.contact_columns=all"]
    done = run("run", pushed.parent / "pushed.yaml", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert "output.contact_columns = all (must be one of auto, pairs, bodies, none" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_batch_has_them_too(pushed, tmp_path):
    done = run("run", pushed.parent / "pushed.yaml", "--envs", "2", "--steps", "3", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "out/pushed")
    assert [row["env"] for row in rows] == ["0", "1"] * 3
    for row in rows:
        pairs = [float(row[f"contact_block_{other}_fz_N"]) for other in ("pusher", "floor")]
        assert sum(pairs) == pytest.approx(float(row["contact_block_fz_N"]), abs=1e-9)


INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
ARM = f"""<robot name="arm"><link name="base"/>
<link name="slide"><inertial><mass value="1"/>{INERTIA}</inertial></link>
<joint name="lift" type="prismatic"><parent link="base"/><child link="slide"/>
  <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1000" velocity="1"/></joint>
<link name="hand"><inertial><origin xyz="0.1 0 0"/><mass value="0.7"/>{INERTIA}</inertial></link>
<joint name="flange" type="fixed"><parent link="slide"/><child link="hand"/></joint></robot>"""
WRIST = """\
name: wrist
time: {duration_s: 0.05}
robots:
  arm: {urdf: arm.urdf, force_sensors: {wrist: {link: hand}, below: {link: slide}}}
checks:
  weight:
    {check: sensor_force, sensor: wrist, axis: z, from_s: 0, to_s: 0.05, value_N: -6.867, tolerance_N: 1.0e-6}
"""


def test_a_wrist_weighs_what_it_carries(tmp_path):
    """A hand behind a fixed joint, on a robot at rest."""
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "wrist.yaml").write_text(WRIST)
    done = run("run", tmp_path / "wrist.yaml", "--check", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    row = rows_of(tmp_path / "out/wrist")[-1]
    assert float(row["wrist_ty_Nm"]) == pytest.approx(0.6867)
    assert float(row["below_fz_N"]) == pytest.approx(-1.7 * 9.81)


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("{link: hand}", "{link: hnd}", "link = hnd (must be the name of a link; did you mean hand"),
        ("{link: hand}", "{link: base}", "link = base (must be a link that hangs on a joint; the"),
        ("{link: hand}", "{}", "robots.arm.force_sensors.wrist.link"),
        ("sensor: wrist", "sensor: wrst", "or a force sensor; did you mean wrist?)"),
    ],
)
def test_a_bad_sensor_is_one_line(tmp_path, old, new, message):
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "wrist.yaml").write_text(WRIST.replace(old, new, 1))
    done = run("run", tmp_path / "wrist.yaml", cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1
