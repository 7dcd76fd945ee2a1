"""Obstacles and grips from config.yaml, their motion, and the camera that must see them."""

import numpy as np
import pytest
from synthetic_run import write_run

from nodia_tools.camera import Camera, places_to_see, side_view
from nodia_tools.command_line import InputError
from nodia_tools.scene import grip_bar, held_nodes, load_scene, rotation_matrix, standing
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory


class _Bare:
    """A trajectory that has recorded no pose."""

    def find_pose(self, kind, name):
        return None


def test_obstacles_are_where_the_trajectory_says(run_directory):
    """Not where the configuration's path would bring them: a run may be commanded."""
    scene = load_scene(run_directory, open_trajectory(run_directory))
    obstacles = {obstacle.name: obstacle.path for obstacle in scene.obstacles}
    assert [name for name, path in obstacles.items() if path.moves] == ["box"]
    np.testing.assert_allclose(obstacles["cylinder"].at(1.3)[0], [0.62, 0.15, 0.04])
    for s in (0.0, 0.2, 0.5, 1.0):
        share = 10 * s**3 - 15 * s**4 + 6 * s**5
        position, wxyz = obstacles["box"].at(2 * s)
        np.testing.assert_allclose(position, [0.1 + 0.2 * share, 0.42, 0.025], atol=1e-12)
        assert np.degrees(2 * np.arctan2(wxyz[3], wxyz[0])) == pytest.approx(45 * share, abs=1e-5)


def test_the_path_of_the_configuration_is_not_asked(tmp_path):
    write_run(tmp_path)
    config = tmp_path / "config.yaml"
    text = config.read_text().replace("[0.3, 0.42, 0.025]", "[9, 9, 9]")
    config.write_text(text.replace("[0.42, 0, 0.1]", "[9, 9, 9]"))
    trajectory = open_trajectory(tmp_path)
    scene = load_scene(tmp_path, trajectory)
    np.testing.assert_allclose(scene.obstacles[2].path.at(2)[0], [0.3, 0.42, 0.025])
    np.testing.assert_allclose(scene.grips[0].path.at(2)[0], [0.42, 0, 0.1])
    assert grip_bar(trajectory, scene.grips[0]) is not None


def test_an_older_trajectory_leaves_what_moves_where_it_begins_and_says_so(tmp_path, capsys):
    write_run(tmp_path, surroundings=None)
    trajectory = open_trajectory(tmp_path)
    scene = load_scene(tmp_path, trajectory)
    messages = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[1].split()[0] for line in messages] == ["box", "grip"]
    assert all("older nodia" in line for line in messages)
    cylinder, box = scene.obstacles[1].path, scene.obstacles[2].path
    np.testing.assert_allclose(cylinder.at(1)[0], [0.62, 0.15, 0.04])
    np.testing.assert_allclose(cylinder.at(1)[1], [0.5**0.5, 0.5**0.5, 0, 0])
    np.testing.assert_allclose(box.at(2)[0], [0.1, 0.42, 0.025])
    assert not box.moves
    assert grip_bar(trajectory, scene.grips[0]) is None


def test_world_and_local_are_inverse():
    rng = np.random.default_rng(7)
    points, wxyz = rng.normal(size=(5, 3)), rng.normal(size=4)
    motion = standing([0.1, 0.2, 0.3], wxyz)
    np.testing.assert_allclose(motion.to_local(motion.to_world(points, 0), 0), points, atol=1e-14)
    rotation = rotation_matrix(wxyz)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(rotation) == pytest.approx(1)


def test_reads_every_shape(run_directory):
    scene = load_scene(run_directory, open_trajectory(run_directory))
    sizes = {
        o.name: None if o.mesh is None else np.ptp(o.mesh.vertices, axis=0) for o in scene.obstacles
    }
    assert scene.name == "synthetic"
    assert sizes["floor"] is None
    np.testing.assert_allclose(sizes["cylinder"], [0.08, 0.08, 0.4], atol=1e-3)
    np.testing.assert_allclose(sizes["box"], [0.05, 0.05, 0.05])
    np.testing.assert_allclose(sizes["sphere"], [0.06, 0.06, 0.06], atol=1e-3)
    np.testing.assert_allclose(sizes["capsule"], [0.04, 0.04, 0.1], atol=1e-3)


def test_reads_what_the_simulator_resolved(recorded_run):
    trajectory = open_trajectory(recorded_run)
    scene = load_scene(recorded_run, trajectory)
    assert scene.name == "soft_mat"
    assert trajectory.body_poses == []
    assert [obstacle.mesh is None for obstacle in scene.obstacles] == [True, False]
    np.testing.assert_allclose(scene.obstacles[1].path.at(0)[0], [0.55, 0.15, 0.2], atol=1e-15)
    np.testing.assert_allclose(scene.obstacles[1].path.at(0)[1], [0.5**0.5, 0.5**0.5, 0, 0])
    assert [grip.path.moves for grip in scene.grips] == [False]  # it rests for half a second
    np.testing.assert_allclose(scene.grips[0].path.at(0.3)[0], [0.3, 0.15, 0.004], atol=1e-15)


def test_an_environment_of_a_batch_has_its_own_scene(tmp_path):
    for name, radius in (("config.yaml", 0.1), ("config_env0003.yaml", 0.2)):
        text = f"name: n\nobstacles: {{ball: {{shape: sphere, radius_m: {radius}}}}}\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    for env, radius in ((0, 0.1), (3, 0.2)):
        (ball,) = load_scene(tmp_path, _Bare(), env).obstacles
        np.testing.assert_allclose(np.ptp(ball.mesh.vertices, axis=0), 2 * radius, atol=1e-2)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "just words",
        "obstacles: {a: {shape: box}}",
        "obstacles: {a: {shape: sphere, radius_m: wide}}",
    ],
)
def test_refuses_broken_configurations(tmp_path, text):
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="config.yaml: not a scenario"):
        load_scene(tmp_path, _Bare())


def test_refuses_the_configuration_of_a_newer_nodia(tmp_path):
    for version in (1, 2):
        text = f"format_version: {version}\nobstacles: {{a: {{shape: sphere, radius_m: 0.1}}}}\n"
        (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
        if version == 1:
            assert len(load_scene(tmp_path, _Bare()).obstacles) == 1
        else:
            with pytest.raises(InputError, match="config.yaml: format version 2 .must be at most 1"):
                load_scene(tmp_path, _Bare())


def test_a_grip_holds_the_edge_that_follows_it(run_directory):
    trajectory = open_trajectory(run_directory)
    scene = load_scene(run_directory, trajectory)
    held = held_nodes(trajectory, scene.grips[0])
    start = trajectory.points(0)
    assert set(held) >= set(np.flatnonzero(start[:, 0] > 0.3 - 1e-9))
    assert start[held, 0].min() > 0.2
    vertices, faces = grip_bar(trajectory, scene.grips[0])
    assert vertices[:, 0].max() > 0.3 and len(faces) == 12


@pytest.mark.parametrize("aspect", [0.5, 1.3, 3.0])
def test_the_camera_sees_everything_and_stands_close(run_directory, aspect):
    trajectory = open_trajectory(run_directory)
    scene = load_scene(run_directory, trajectory)
    surface = Surface(trajectory.points(0), trajectory.cells())
    places = places_to_see(trajectory, surface, scene)
    direction = side_view(trajectory)
    camera = Camera(direction, places, aspect, margin=1.0)
    right = np.cross(direction, camera.up)
    depth = (places - camera.position) @ direction
    tangent = np.tan(np.radians(camera.view_angle_deg) / 2)
    y = (places - camera.position) @ camera.up / (depth * tangent)
    x = (places - camera.position) @ right / (depth * tangent * aspect)
    assert depth.min() > 0
    assert max(np.abs(x).max(), np.abs(y).max()) == pytest.approx(1, abs=1e-6)
    for axis in (x, y):
        assert axis.max() == pytest.approx(-axis.min(), abs=1e-6)


def test_a_body_at_rest_is_seen_too(tmp_path):
    write_run(tmp_path, times=[0.0])
    assert np.isfinite(side_view(open_trajectory(tmp_path))).all()
