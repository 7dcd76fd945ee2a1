"""Pictures show contact where it is: on the faces on which a contact presses, and with a dot for each that carries much."""

import h5py
import numpy as np
import pytest
from nodia_command import SOURCE, needs_nodia, run
from synthetic_run import box_mesh, write_run

from nodia_tools.contact_list import ContactList
from nodia_tools.fields import FIELDS, STATE_COLOURS, FieldOnSurface
from nodia_tools.scene import load_scene
from nodia_tools.stage import Stage
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory

pytestmark = needs_nodia

SOFT = "youngs_modulus_Pa: 2.0e+5, poissons_ratio: 0.3, density_kg_m3: 1000, friction: 0.5"
# A finger that is pressed from one side, beside a large soft body.
FINGER = f"""\
name: finger
gravity_m_s2: [0, 0, 0]
time: {{step_s: 0.01, duration_s: 0.1}}
bodies:
  finger: {{mesh: {{box: {{size_m: [0.1, 0.02, 0.006], cells: [20, 4, 2]}}}}, {SOFT}}}
  block: {{mesh: {{box: {{size_m: [0.2, 0.2, 0.1], cells: [3, 3, 2]}}}}, position_m: [0.3, 0, 0], {SOFT}}}
obstacles:
  tip: {{shape: sphere, radius_m: 0.02, position_m: [0.05, 0.01, 0.0258], path: [
    {{time_s: 0, position_m: [0.05, 0.01, 0.0265]}}, {{time_s: 0.1, position_m: [0.05, 0.01, 0.0245]}}]}}
  bed: {{shape: box, size_m: [0.03, 0.1, 0.02], position_m: [0, 0, -0.01]}}
  far_bed: {{shape: box, size_m: [0.03, 0.1, 0.02], position_m: [0.1, 0, -0.01]}}
"""
# A soft box that slides on another; each has contacts on one side.
STACK = f"""\
name: stack
time: {{step_s: 0.01, duration_s: 0.1}}
bodies:
  lower: {{mesh: {{box: {{size_m: [0.1, 0.1, 0.05], cells: [4, 4, 2]}}}}, {SOFT}}}
  upper: {{mesh: {{box: {{size_m: [0.06, 0.06, 0.04], cells: [3, 3, 2]}}}}, position_m: [0.013, 0.017, 0.0501],
    velocity_m_s: [0.1, 0, 0], {SOFT}}}
obstacles:
  floor: {{shape: half_space}}
"""
# Scenario or its text, steps.
SCENES = {
    "finger": (FINGER, 10),
    "stack": (STACK, 10),
    "quick_lift": ("quick_lift", 90),
    "soft_ball": ("soft_ball", 40),
    "soft_mat": ("soft_mat", 20),
    "grip_creep": ("grip_creep", 5),
}


@pytest.fixture(scope="module", params=SCENES)
def pictured(request, tmp_path_factory):
    """The run of a scene: trajectory, surface and scene."""
    source, steps = SCENES[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    path = SOURCE / f"scenarios/{source}/{source}.yaml"
    if "\n" in source:
        path = folder / "scene.yaml"
        path.write_text(source)
    done = run("run", path, "--steps", steps, "--out", folder / "run", timeout=600)
    assert done.returncode == 0, done.stderr
    trajectory = open_trajectory(folder / "run")
    return trajectory, Surface(trajectory.points(0), trajectory.cells(0)), load_scene(folder / "run", trajectory)


def drawn_states(trajectory, surface, scene, frames):
    """The state of each face of the mesh that a picture has drawn [n_face], for each frame."""
    coloured = FieldOnSurface(FIELDS["contact_state"], trajectory, surface, scene.step_s)
    stage = Stage(trajectory, surface, coloured, scene, np.array([0.5, 0.6, -0.4]), (160, 120))
    try:
        for frame in frames:
            stage.picture(trajectory.times[frame])
            colours = stage._body.cell_data["colours"] / 255
            state = np.abs(colours[:, None] - STATE_COLOURS).max(axis=2).argmin(axis=1)
            assert np.abs(colours - STATE_COLOURS[state]).max() < 0.003, "no other colours than those of the states"
            yield frame, state
    finally:
        stage.close()


def presses(trajectory, frame):
    """Places, forces on the soft body, and its number among them, of the contacts of soft bodies that carry force."""
    soft = np.array([body["kind"] == "soft_body" for body in trajectory.bodies])
    number = np.cumsum(soft) - 1
    contacts, rows = trajectory.contacts(frame), []
    for body, sign in (("body_i", 1), ("body_j", -1)):
        kept = soft[contacts[body]] & (np.linalg.norm(contacts["force"], axis=1) > 0)
        rows.append((contacts["position"][kept], sign * contacts["force"][kept], number[contacts[body][kept]]))
    return [np.concatenate(column) for column in zip(*rows)]


def body_of_faces(surface):
    """Number of the soft body of each face, in the order of the trajectory's points."""
    return np.unique(surface._body, return_inverse=True)[1]


def test_faces_in_contact_colours_are_beside_a_contact_that_presses_on_them(pictured):
    """Within an edge length, on its side. On a sheet, the face behind counts as well.

    Places in a file are those at the start of a step, from which the body has drifted since.
    """
    trajectory, surface, scene = pictured
    behind, body = surface.faces_behind(trajectory.points(0)), body_of_faces(surface)
    n_shown = 0
    frames = np.unique(np.linspace(1, len(trajectory) - 1, 5).astype(int))
    for frame, states in drawn_states(trajectory, surface, scene, frames):
        vertices = surface.vertices(trajectory.points(frame))
        corners = vertices[surface.faces]
        centres, normals = corners.mean(axis=1), surface.face_normals(vertices)
        drift = scene.step_s * np.linalg.norm(trajectory.point_field("velocity", frame), axis=1).max()
        reach = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)[:, None] + drift
        places, forces, of = presses(trajectory, frame)
        way = places - centres[:, None]
        near = (np.linalg.norm(way, axis=2) < reach) & (body[:, None] == of)
        beside = near & (normals @ forces.T < 0) & (np.einsum("fcx,fx->fc", way, normals) > -0.3 * reach)
        may_show = beside.any(axis=1)
        sheet = np.flatnonzero(behind >= 0)
        through = may_show.copy()
        through[sheet] |= may_show[behind[sheet]]
        through[behind[sheet]] |= may_show[sheet]
        wrong = np.flatnonzero((states > 0) & ~through)
        assert len(wrong) == 0, f"frame {frame}: faces at {centres[wrong]}"
        strength = np.linalg.norm(forces, axis=1)
        for contact in np.flatnonzero(strength > 0.01 * np.bincount(of, strength)[of]):
            assert states[near[:, contact]].any(), f"frame {frame}: the contact at {places[contact]} is not shown"
            n_shown += 1
    assert n_shown > 3, "the scene has contacts"


def test_a_finger_is_coloured_on_the_side_that_is_pressed(tmp_path):
    (tmp_path / "scene.yaml").write_text(FINGER)
    assert run("run", tmp_path / "scene.yaml", "--out", tmp_path / "run").returncode == 0
    trajectory = open_trajectory(tmp_path / "run")
    surface = Surface(trajectory.points(0), trajectory.cells(0))
    coloured = FieldOnSurface(FIELDS["contact_state"], trajectory, surface, 0.01)
    assert coloured.title.startswith("contact; ")
    vertices = surface.vertices(trajectory.points(0))
    normals = surface.face_normals(vertices)
    middle = np.abs(vertices[surface.faces].mean(axis=1)[:, 0] - 0.05) < 0.02
    states = coloured.values(len(trajectory) - 1)
    assert (states[middle & (normals[:, 2] > 0.9)] > 0).any() and not states[middle & (normals[:, 2] < 0.9)].any()


@pytest.mark.parametrize(
    ("size", "is_sheet"),
    [
        ((0.3, 0.3, 0.006), True),
        ((0.3, 0.1, 0.004), True),
        ((0.1, 0.02, 0.006), False),
        ((0.1, 0.1, 0.1), False),
        ((0.3, 0.01, 0.01), False),
    ],
)
def test_each_body_is_a_sheet_or_none(size, is_sheet):
    """Beside a cube, in any order."""
    sheet, cells = box_mesh((6, 6, 1), size)
    cube, more = box_mesh((2, 2, 2), (0.1, 0.1, 0.1))
    for first in (True, False):
        points = np.vstack([sheet, cube + 1] if first else [cube + 1, sheet])
        both = np.vstack([cells, more + len(sheet)] if first else [more, cells + len(cube)])
        surface = Surface(points, both)
        behind = surface.faces_behind(points)
        centres = surface.vertices(points)[surface.faces].mean(axis=1)
        assert (behind[centres.min(axis=1) > 0.6] == -1).all(), "the cube"
        for height, other in ((0, size[2]), (size[2], 0)):
            side = behind[np.abs(centres[:, 2] - height) < 1e-9]
            assert ((side >= 0) == is_sheet).all()
            np.testing.assert_allclose(centres[side[side >= 0]][:, 2], other, atol=1e-9)
        rim = (centres.max(axis=1) < 0.6) & (np.abs(centres[:, 2] - size[2] / 2) < 0.4 * size[2])
        assert rim.any() and (behind[rim] == -1).all()


def test_the_legend_says_that_a_sheet_is_seen_through(run_directory):
    trajectory = open_trajectory(run_directory)
    surface = Surface(trajectory.points(0), trajectory.cells())
    coloured = FieldOnSurface(FIELDS["contact_state"], trajectory, surface)
    assert coloured.title == "contact, seen through the sheet"
    normals = surface.face_normals(surface.vertices(trajectory.points(0)))
    np.testing.assert_array_equal(coloured.values(0), np.abs(normals[:, 2]) > 0.9)


class Listed:
    """A trajectory without a surface: two bodies on an obstacle, whose contacts have these forces."""

    bodies = [{"name": name, "kind": kind} for name, kind in (("cube", "rigid_body"), ("plate", "rigid_body"), ("floor", "obstacle"))]

    def __init__(self, *frames):
        """@param frames  for each frame (body_i, body_j, force) of the contacts"""
        self._rows, self.times = frames, np.arange(float(len(frames)))

    def __len__(self):
        return len(self._rows)

    def contacts(self, frame):
        i, j, force = (np.array(column) for column in zip(*self._rows[frame]))
        place = np.arange(len(force))[:, None] * np.ones(3)
        return {"position": place, "force": force[:, None] * [0, 0, 1.0], "body_i": i, "body_j": j}


NO_SURFACE = Surface(np.zeros((0, 3)), np.zeros((0, 4), int))


def test_contacts_above_a_hundredth_of_the_force_on_a_body_get_a_dot():
    """The last is little for the plate and much for the cube; forces on the floor do not count."""
    rows = [(1, 2, 100.0), (1, 2, 0.9), (1, 2, 1.1), (1, 2, 0.0), (0, 1, 0.5)]
    marks = ContactList(Listed(rows), NO_SURFACE).marks(0)
    np.testing.assert_array_equal(marks[:, 0], [0, 2, 4])


def warnings(*frames):
    return list(ContactList(Listed(*frames), NO_SURFACE).uneven_pairs())


def test_a_contact_that_carries_nearly_all_of_several_is_reported():
    uneven = [(0, 2, 95.0), (2, 0, 1.0), (0, 2, 2.0), (0, 2, 2.0), (0, 1, 50.0)]
    even = [(0, 2, 5.0)] * 4
    assert warnings(uneven, uneven, even) == ["one of 4 contacts carries 95 % of the force between cube and floor (at 0 s)"]
    assert warnings(uneven, even, even) == [], "not in most of the frames"
    assert warnings([(0, 2, 7.0)], [(0, 2, 7.0), (0, 2, 0.0), (0, 2, 0.0), (0, 2, 0.0)]) == [], "a ball on a floor"
    assert warnings([(0, 2, 96.0), (0, 2, 2.0), (0, 2, 2.0)]) == [], "a body that tips over an edge"


def test_render_prints_the_warning(run_tool, tmp_path):
    write_run(tmp_path)
    with h5py.File(tmp_path / "trajectory.vtkhdf", "r+") as file:
        group = file["nodia/contacts"]
        n = 5 * (len(group["offsets"]) - 1)
        force = np.tile([[0, 0, 99.0]] + 4 * [[0, 0, 0.2]], (n // 5, 1))
        columns = {"bodies": np.frombuffer(b'[{"name": "mat", "kind": "soft_body"}, {"name": "floor", "kind": "obstacle"}]', np.uint8)}
        columns |= {"offsets": np.arange(0, n + 1, 5), "force": force, "position": 0 * force, "slip_velocity": 0 * force}
        columns |= {"state": np.ones(n, np.uint8), "body_i": np.zeros(n, np.int32), "body_j": np.ones(n, np.int32)}
        columns |= {"link_i": np.zeros(n, np.int32), "link_j": np.zeros(n, np.int32)}
        for name, values in columns.items():
            del group[name]
            group[name] = values
    done = run_tool("render", tmp_path, "--frames", "1", "--size", "160x160")
    assert done.returncode == 0 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("warning: one of 5 contacts carries 99 % of the force between mat and floor")
